"""What a session is given at its start: the pack, and a line for the person."""

from __future__ import annotations

import os

from onrecord.capture.agents import launch
from onrecord.domain import ulid
from onrecord.doors.hook.background import catch_up
from onrecord.service import packs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: Starts after which the model has the earlier packs in its history.
GOES_ON = ("resume", "fork")

#: Set by whoever started the client with a pack: its handoff (or -), budget, tokens, and a
#: word for each item: id.version.tokens
GIVEN = "ONRECORD_GIVEN"
#: Set with it for a session that goes on: the client's id of that session.
GIVEN_TO = "ONRECORD_GIVEN_TO"
_LEAST = 3

#: Starts at which a person sits down, or sits there anew.
_SITS_DOWN = ("startup", "resume", "clear", "")


def answer_start(call: Call) -> str:
    """The answer to a session's start."""
    call.observe()
    # compaction interrupts a turn, and who ended meanwhile hands over to a new session
    if call.event.source != "compact":
        catch_up(call)
    text = ""
    if _has_pack(call):
        call.deliver("session_start", _given(call))
    elif call.in_own_folder() and call.allows("deliver"):
        text = call.deliver("session_start", _pack(call))
    said = news(call) if call.event.source in _SITS_DOWN else ""
    return call.spec.answer(call.event.raw, text, said)


def _has_pack(call: Call) -> bool:
    """Whether the session begins with a pack that stands on its client's command line."""
    begins = call.event.source in ("startup", "resume", "")
    to = os.environ.get(GIVEN_TO, call.event.session)
    return begins and to == call.event.session and bool(launch.pack_among(call.argv))


def _given(call: Call) -> packs.Pack | None:
    """What is known of that pack: by its mark, else from who started the client; or None."""
    printed = _printed(call)
    if printed is not None:
        return printed
    told = os.environ.get(GIVEN, "").split()
    goes_on = call.event.source == "resume" and GIVEN_TO not in os.environ
    if len(told) < _LEAST or goes_on:
        return None
    try:
        pack = packs.Pack("session_start", int(told[1]))
        pack.tokens = int(told[2])
        for rank, row in enumerate(told[3:], 1):
            item, version, tokens = row.split(".")
            pack.shown.append((item, int(version), rank, 0.0, {}, int(tokens)))
    except ValueError:
        return None
    pack.handoff = told[0]
    pack.text = "given at the start"
    return pack


def _printed(call: Call) -> packs.Pack | None:
    """The account of a pack that a person printed and gave by hand: its mark is its delivery's.

    A session that goes on has it where the command line names that session.
    """
    mark = launch.mark_of(launch.pack_among(call.argv))
    is_another = call.event.source == "resume" and call.event.session not in call.argv
    if is_another or not ulid.is_ulid(mark):
        return None
    found = call.shelf.printed(mark)
    if found is None:
        return None
    budget, tokens, rows = found
    pack = packs.Pack("session_start", budget)
    pack.tokens = tokens
    pack.shown = [(item, n, rank, 0.0, {}, size) for item, n, rank, size, _ in rows]
    pack.handoff = next((item for item, _, _, _, why in rows if why), "")
    pack.text = "given at the start"
    return pack


def _pack(call: Call) -> packs.Pack | None:
    """The pack; where a conversation goes on, only a handoff that is addressed to it."""
    goes_on = call.event.source in GOES_ON and not call.spec.forgets_context
    make = packs.handoff_pack if goes_on else packs.session_pack
    shown = call.shown() if goes_on else {}
    nonce = os.urandom(8).hex()
    return call.fitting(
        lambda budget: make(
            call.shelf, call.place, call.spec.name, call.at, budget, nonce, shown=shown
        ),
        packs.BUDGET,
    )


def pack_again(call: Call) -> packs.Pack | None:
    """The pack for a prompt of a session that has none of it: its context was compacted.

    None where the client's command line may hold it still, and where there is nothing to give.
    """
    if launch.pack_among(call.argv) and GIVEN not in os.environ and _printed(call) is None:
        return None
    made = _pack(call)
    return made if made is not None and made.shown else None


def news(call: Call) -> str:
    """What a person should know: what waits for them, and how approvals came in since."""
    lines: list[str] = []
    waiting = call.shelf.waiting(None, now=call.at)
    if waiting:
        what = "1 memory waits" if waiting == 1 else f"{waiting} memories wait"
        lines.append(f"onrecord: {what} for your approval. Run: onrecord review")
    if call.shelf.setting("saving", ["global"]) == "off":
        lines.append("onrecord: saving is off; agents learn nothing. Run: onrecord on")
    until = ulid.encode(call.at, bytes(10))
    before = call.shelf.recent_sessions(call.place.repo or "", before=until, limit=1)
    approvals = call.shelf.approvals(before[0][1] if before else call.at, limit=20)
    if approvals:
        how = sorted({f"by {user} {way}" for _, user, way in approvals})
        what = "1 memory was" if len(approvals) == 1 else f"{len(approvals)} memories were"
        lines.append(f"onrecord: {what} approved since the last session, {', '.join(how)}.")
    return "\n".join(lines)
