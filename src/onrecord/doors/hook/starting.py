"""What a session is given at its start: the pack, and a line for the person."""

from __future__ import annotations

import os

from onrecord.doors.hook.background import catch_up
from onrecord.service.packs import BUDGET, session_pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: Starts after which the model does not have the pack yet. A resumed or forked conversation
#: has it in its history.
GIVES_PACK = ("startup", "clear", "compact", "")


def answer_start(call: Call) -> str:
    """The answer to a session's start."""
    call.observe()
    catch_up(call)
    pack_text = ""
    if call.event.source in GIVES_PACK and call.in_own_folder() and call.allows("deliver"):
        pack = session_pack(
            call.shelf,
            call.place,
            call.spec.name,
            now=call.at,
            budget=BUDGET,
            nonce=os.urandom(8).hex(),
            shown={},
        )
        if pack.text and call.spec.fits(pack.text):
            call.deliver("session_start", pack)
            pack_text = pack.text
    return call.spec.answer(call.event.raw, pack_text, news(call))


def news(call: Call) -> str:
    """What a person should know: what waits for them, and how approvals came in since."""
    lines: list[str] = []
    waiting = call.shelf.waiting(None)
    if waiting:
        what = "1 memory waits" if waiting == 1 else f"{waiting} memories wait"
        lines.append(f"onrecord: {what} for your approval. Run: onrecord review")
    if call.shelf.setting("saving", ["global"]) == "off":
        lines.append("onrecord: saving is off; agents learn nothing. Run: onrecord on")
    before = call.shelf.recent_sessions(call.place.repo or "", before=call.event.session, limit=1)
    since = before[0][1] if before else call.at
    approvals = call.shelf.approvals(since, limit=20)
    if approvals:
        how = sorted({f"by {user} {way}" for _, user, way in approvals})
        what = "1 memory was" if len(approvals) == 1 else f"{len(approvals)} memories were"
        lines.append(f"onrecord: {what} approved since the last session, {', '.join(how)}.")
    return "\n".join(lines)
