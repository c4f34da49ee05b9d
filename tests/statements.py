"""Statements of working people for tests: unrelated ones, look-alikes, corrections, disguises."""

from __future__ import annotations

from typing import Final

#: Twenty that have nothing to do with one another.
UNRELATED: Final = (
    "Fares are kept in cents",
    "The depot charges its buses between one and five at night",
    "Every schema change is signed off by Rune",
    "Use tabs in Makefiles and spaces everywhere else",
    "The tide feed is polled once a minute",
    "Kiosk screens go dark after ninety seconds",
    "Release notes are written before the tag is made",
    "The gate firmware is flashed over the service port",
    "Ilse answers for the ticket archive",
    "Receipts are printed on thermal paper",
    "Night buses have no conductor",
    "Passwords for the lab are in the blue safe",
    "Integration specs need a running harbour simulator",
    "The rider app supports the last three versions of its platforms",
    "Lost property is kept for ninety days",
    "Feature flags are removed a month after launch",
    "The map tiles come from our own server",
    "Zone borders were drawn along the river",
    "Complaints are answered in the language that they came in",
    "The fallback radio is tested on the first Sunday",
)

#: Twenty pairs that look alike and say different things.
LOOKALIKES: Final = (
    ("The staging port is 6432", "The testing port is 6432"),
    ("The gate runs on Go 1.20", "The gate runs on Go 1.2"),
    ("Start the server with -v", "Start the server with -V"),
    ("Rune reviews Ilse's changes", "Ilse reviews Rune's changes"),
    ("The buffer holds 10² entries", "The buffer holds 102 entries"),
    ("Restart the north kiosk after an update", "Restart the south kiosk after an update"),
    ("getUser returns a copy", "getuser returns a copy"),
    ("Contracts are re-signed each year", "Contracts are resigned each year"),
    ("Deploy to blue before green", "Deploy to green before blue"),
    ("The cache lives in /var/cache", "The cache lives in /var/Cache"),
    ("Retry a payment three times", "Retry a refund three times"),
    ("The API returns 404 for unknown stops", "The API returns 410 for unknown stops"),
    ("Use ./bin/setup in web", "Use ./bin/setup in api"),
    ("The año report goes to the board", "The ano report goes to the board"),
    ("Version 4.10 reads old tickets", "Version 4.1.0 reads old tickets"),
    ("Keep logs for 30 days", "Keep logs for 30 hours"),
    ("Line 7 stops at the harbour", "Line 17 stops at the harbour"),
    ("Alert on more than 5 % errors", "Alert on more than 50 % errors"),
    ("The beta flag is --next", "The beta flag is --Next"),
    ("Merge with a squash on main", "Merge without a squash on main"),
)

#: Six corrections of each shape: what stood, what is said now.
CORRECTIONS: Final = {
    "replacement": tuple(
        (f"The {what} is kept in {old}", f"The {what} is kept in {new}")
        for what, old, new in (
            ("fare table", "YAML", "Postgres"),
            ("rota", "a wiki page", "the calendar"),
            ("stop list", "CSV", "JSON"),
            ("audit export", "the attic share", "cold storage"),
            ("session state", "Redis", "the database"),
            ("signing key", "the laptop", "the token"),
        )
    ),
    "polarity flip": tuple(
        (f"{who} always {does}", f"{who} never {does}")
        for who, does in (
            ("The scheduler", "retries a failed night run"),
            ("Kiosks", "print a receipt unasked"),
            ("The gate", "opens on a power cut"),
            ("CI", "runs the slow specs on branches"),
            ("The importer", "overwrites edited stops"),
            ("The app", "asks for location at start"),
        )
    ),
    "retraction": tuple(
        (f"There is a {what}", f"I misspoke, there is no {what}")
        for what in (
            "second depot at the quay",
            "weekly call with the vendor",
            "mirror of the tile server",
            "limit on uploads per day",
            "backup line for the radio",
            "grace period for season tickets",
        )
    ),
    "partial supersession": tuple(
        (f"{whole} for all lines", f"{whole} for all lines but {but}")
        for whole, but in (
            ("Boarding is at the front door", "line 9"),
            ("Tickets are checked at the gate", "the ferry"),
            ("Dogs travel free", "the night bus"),
            ("Seats can be booked", "line 3"),
            ("The timetable holds on holidays", "line 40"),
            ("Bikes are allowed", "the tram"),
        )
    ),
    "bounded validity": tuple(
        (f"{what} is closed", f"{what} is closed until 2031-0{n}-01")
        for n, what in enumerate(
            (
                "The east stair",
                "Kiosk four",
                "The lower deck",
                "The ring line",
                "The harbour gate",
                "Platform two",
            ),
            1,
        )
    ),
    "number change": tuple(
        (f"{what} after {old}", f"{what} after {new}")
        for what, old, new in (
            ("A seat reservation lapses", "10 minutes", "15 minutes"),
            ("The gate times out", "3 seconds", "5 seconds"),
            ("Pages are cut", "50 rows", "200 rows"),
            ("A claim is closed", "30 days", "45 days"),
            ("The watchdog bites", "2 missed beats", "4 missed beats"),
            ("Tokens are rotated", "90 days", "60 days"),
        )
    ),
}

#: A claim that a person turns down, and its neighbour that stands.
CLAIM: Final = "The harbour master approves all refunds without a receipt"
NEIGHBOUR: Final = "The harbour master reviews large refunds on Mondays"
#: The claim in other words: held for a person at best.
PARAPHRASE: Final = "Approving refunds that have no receipt is up to the harbour master"

#: The claim in disguises of its characters.
DISGUISES: Final = (
    CLAIM.upper(),
    f"  {CLAIM.replace(' ', '   ')} .",
    CLAIM.replace("refunds", "re\u200bfunds"),
    CLAIM.replace("harbour", "h\u0430rb\u043eur"),
    "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in CLAIM),
    f"“{CLAIM}!!!”",
    f"**{CLAIM}**",
    CLAIM.replace("receipt", "rec\u00adeipt"),
    CLAIM.replace(" ", "\u00a0"),
    f"> {CLAIM}",
)
