"""What a prompt brings up: only what is relevant to it and was not given yet; usually nothing."""

from __future__ import annotations

import os

from onrecord.service.packs import PROMPT_BUDGET, prompt_pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call


def answer_prompt(call: Call) -> str:
    """The answer to a prompt; text that no person typed brings up nothing."""
    call.observe()
    if not call.event.is_human_prompt or not call.in_own_folder() or not call.allows("deliver"):
        return ""
    if call.spec.begins_at_once(call.argv):
        return ""  # its only prompt, and the start's pack is being given at this moment
    nonce = os.urandom(8).hex()
    shown = call.shown()
    if not shown and call.spec.compactions:
        from onrecord.doors.hook.starting import pack_again

        again = pack_again(call)
        if again is not None:
            return call.spec.answer(call.event.raw, call.deliver("session_start", again))
    pack = call.fitting(
        lambda budget: prompt_pack(
            call.shelf,
            call.place,
            call.spec.name,
            call.event.prompt,
            call.at,
            budget,
            nonce,
            shown=shown,
        ),
        PROMPT_BUDGET,
    )
    return call.spec.answer(call.event.raw, call.deliver("prompt", pack))
