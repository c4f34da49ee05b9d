"""What a failed tool brings up: lessons that name what failed, each once in a session."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call


def answer_failure(call: Call) -> str:
    """The answer to a tool that failed; a tool that a person stopped did not fail.

    Some clients tell of what a command printed and not how it ended: there its words decide.
    """
    told = call.event
    if told.name == "post_tool":
        from onrecord.service.packs import reads_as_failure

        if "tool_failure" in call.spec.events.values() or not reads_as_failure(told.tool_response):
            return ""
        told.name = "tool_failure"
    call.observe()
    if told.interrupted or not told.tool_response or "onrecord" in told.tool:
        return ""
    if not call.in_own_folder() or not call.allows("deliver"):
        return ""
    from onrecord.service.packs import FAILURE_BUDGET, failure_pack

    nonce = os.urandom(8).hex()
    shown = call.shown()
    pack = call.fitting(
        lambda budget: failure_pack(
            call.shelf, call.place, told.tool_response, call.at, budget, nonce, shown=shown
        ),
        FAILURE_BUDGET,
    )
    return call.spec.answer(told.raw, call.deliver("tool_failure", pack))
