# ruff: noqa: E501 - tables of sentences
"""A month of ordinary writes: what a gateway must take in without asking or refusing.

Statements of engineering work, made from templates by a seeded generator: look-alikes of the
same form about other things, additions, restatements and true updates among them. What each
one is, is known; what the gateway makes of it is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from onrecord.domain.outcome import Conflict, Corroborated, Outcome, Refused, Updated

SERVICES = (
    "checkout-api", "ledger", "mailer", "search-indexer", "image-proxy", "auth-gateway",
    "report-builder", "billing-worker", "webhook-relay", "session-store", "catalog-sync",
    "price-engine", "audit-sink", "feature-flags", "notifier", "gatekeeper",
)  # fmt: skip
PEOPLE = ("Ada", "Bo", "Chidi", "Dana", "Emre", "Farah", "Goran", "Hana", "Ivo", "Jun")
PLACES = (
    "staging",
    "production",
    "the sandbox",
    "the EU cluster",
    "the US cluster",
    "CI",
    "local runs",
)
TOOLS = ("pytest", "ruff", "mypy", "Docker", "Terraform", "Helm", "Redis", "Kafka", "Postgres",
         "Playwright", "k6", "Sentry", "Grafana", "Vault", "Bazel", "pnpm")  # fmt: skip
TABLES = ("orders", "refunds", "sessions", "invoices", "carts", "audit_log", "users", "prices",
          "shipments", "coupons", "devices", "exports")  # fmt: skip
FILES = ("src/app.py", "conf/base.toml", "Makefile", "deploy/values.yaml", "scripts/seed.sh",
         "api/openapi.json", "web/main.ts", "db/schema.sql")  # fmt: skip
FLAGS = ("--no-cache", "--frozen", "--fail-fast", "--strict", "--dry-run", "--parallel", "--quiet")
VERBS = ("reads", "writes", "caches", "validates", "compresses", "signs", "archives", "samples")

#: Statements whose subject is all of their braces together: another filling is another thing.
TEMPLATES = (
    "{service} {verb} rows of the {table} table before it answers",
    "{service} talks to {other} over gRPC",
    "Only {person} knows how the {table} export of {service} works",
    "{person} owns {service} in {place}",
    "{person} prefers small pull requests for {service}",
    "Run {tool} with {flag} when working on {service}",
    "In {place}, {service} needs {n} replicas",
    "{service} listens on port {port} in {place}",
    "{service} retries {other} {n} times before it gives up",
    "{service} must not log the body of {table} requests",
    "Migrations of {table} run before {service} starts",
    "The {table} table is partitioned by month since {service} slowed down",
    "Never edit {file} by hand, {service} generates it",
    "{file} holds the limits of {service}",
    "{service} fails with a timeout when {other} is restarted in {place}",
    "We chose {tool} for {service} because {other} uses it too",
    "Tests of {service} are flaky on {place} unless {tool} is pinned",
    "{person} reviews changes to {file}",
    "The dashboards of {service} are built with {tool}",
    "Rotating the keys of {service} takes about {n} minutes",
    "{service} drops messages larger than {n} MB in {place}",
    "Lesson: restarting {service} without draining loses {table} events",
    "{person} does not want {tool} in new services",
    "{service} keeps {table} in memory for {n} seconds",
    "Errors of {service} go to the channel of {person}",
    "Deploys of {service} to {place} need an approval by {person}",
    "Ticket {ticket} was about slow {table} queries in {service}",
    "Release {major}.{minor} of {service} fixed the leak in {table}",
    "{service} is written in a style that {person} dislikes",
    "The {table} endpoint of {service} is public in {place}",
    "The {table} endpoint of {service} is rate limited",
    "Step {n} of the {service} runbook checks {table}",
)
#: Statements of one value: said again with another one, it is an update.
VALUED = (
    ("The connection pool size of {service} in {place} is {a}.", "The connection pool size of {service} in {place} is {b}."),
    ("The owner of the {table} data in {service} is {p}.", "The owner of the {table} data in {service} is {q}."),
    ("Deploys of {service} are allowed on {day} in {place}.", "Deploys of {service} are not allowed on {day} in {place}."),
    ("The cache of {service} for {table} is Redis.", "The cache of {service} for {table} is now Valkey instead of Redis."),
    ("{service} signs {table} events.", "It is not true that {service} signs {table} events."),
)  # fmt: skip
DAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays")


@dataclass(frozen=True, kw_only=True, slots=True)
class Write:
    """One write, and what it is."""

    text: str
    #: new · more (an addition to an earlier one) · again (said before) · update
    what: str


def writes(count: int, seed: int) -> Iterator[Write]:
    """So many writes; the same ones for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - a seeded draw, nothing secret
    said: set[str] = set()
    subjects: set[tuple[object, ...]] = set()
    valued: list[tuple[str, str]] = []
    made = 0
    while made < count:
        draw = chance.random()
        if valued and draw < 0.04:  # noqa: PLR2004 - one in 25 is a change of mind
            old, new = valued.pop(chance.randrange(len(valued)))
            made += 1
            yield Write(text=new, what="update")
            continue
        if said and draw < 0.09:  # noqa: PLR2004 - one in 20 is said before
            made += 1
            yield Write(text=_restated(chance.choice(sorted(said)), chance), what="again")
            continue
        if draw < 0.14:  # noqa: PLR2004 - one in 20 has a single value
            old, new, subject = _valued(chance)
            if subject not in subjects:
                subjects.add(subject)
                valued.append((old, new))
                made += 1
                yield Write(text=old, what="new")
            continue
        text, subject = _statement(chance)
        if subject in subjects:
            continue
        subjects.add(subject)
        said.add(text)
        made += 1
        yield Write(text=text, what="new")


def _statement(chance: random.Random) -> tuple[str, tuple[object, ...]]:
    template = chance.choice(TEMPLATES)
    service, other = chance.sample(SERVICES, 2)
    names = {
        "service": service, "other": other, "person": chance.choice(PEOPLE),
        "place": chance.choice(PLACES), "tool": chance.choice(TOOLS), "table": chance.choice(TABLES),
        "file": chance.choice(FILES), "flag": chance.choice(FLAGS), "verb": chance.choice(VERBS),
    }  # fmt: skip
    numbers = {
        "n": chance.randrange(2, 60), "port": chance.randrange(3000, 9999), "ticket": chance.randrange(100, 9999),
        "major": chance.randrange(1, 9), "minor": chance.randrange(0, 40),
    }  # fmt: skip
    text = template.format(**names, **numbers)
    # another number of the same thing is an update, not another thing; tickets and steps are names
    named = {"Ticket", "Release", "Step"}
    fixed = template.format(**names, **dict.fromkeys(numbers, "#"))
    return text, (text,) if template.split(" ", 1)[0] in named else (fixed,)


def _valued(chance: random.Random) -> tuple[str, str, tuple[object, ...]]:
    old, new = chance.choice(VALUED)
    p, q = chance.sample(PEOPLE, 2)
    a, b = chance.sample(range(5, 200, 5), 2)
    names = {
        "service": chance.choice(SERVICES), "table": chance.choice(TABLES), "place": chance.choice(PLACES),
        "day": chance.choice(DAYS), "p": p, "q": q, "a": a, "b": b,
    }  # fmt: skip
    subject = old.format(**{**names, "a": "#", "p": "#"})
    return old.format(**names), new.format(**names), (subject,)


def _restated(text: str, chance: random.Random) -> str:
    """The same statement, typed anew."""
    return chance.choice((text + ".", text.replace(" ", "  ", 1), f"- {text}", text))


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """What became of a month."""

    counts: dict[str, dict[str, int]]
    #: texts of new statements that were refused, asked about or merged away
    refused: tuple[str, ...]
    asked: tuple[str, ...]
    merged: tuple[str, ...]

    @property
    def ordinary(self) -> int:
        """Writes that nothing stood against."""
        return sum(sum(self.counts.get(what, {}).values()) for what in ("new", "again"))


class Counting:
    """Counts outcomes by what a write was."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._refused: list[str] = []
        self._asked: list[str] = []
        self._merged: list[str] = []

    def add(self, write: Write, outcome: Outcome) -> None:
        """Take one answer in."""
        became = became_of(outcome)
        self._counts.setdefault(write.what, Counter())[became] += 1
        if write.what == "update":
            return
        if became == "refused":
            self._refused.append(write.text)
        elif became == "conflict":
            self._asked.append(write.text)
        elif became == "corroborated" and write.what == "new":
            self._merged.append(write.text)

    def tally(self) -> Tally:
        """All of it so far."""
        return Tally(
            counts={what: dict(sorted(of.items())) for what, of in sorted(self._counts.items())},
            refused=tuple(self._refused),
            asked=tuple(self._asked),
            merged=tuple(self._merged),
        )


def became_of(outcome: Outcome) -> str:
    """Refused, corroborated, conflict (asked about, or linked to what it may clash with) or kept."""
    if isinstance(outcome, Refused):
        return "refused"
    if isinstance(outcome, Corroborated) or (
        isinstance(outcome, Updated) and outcome.code == "same.affirmed"
    ):
        return "corroborated"
    return "conflict" if isinstance(outcome, Conflict) or outcome.candidates else "kept"
