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
    pack = prompt_pack(
        call.shelf,
        call.place,
        call.spec.name,
        prompt=call.event.prompt,
        now=call.at,
        budget=PROMPT_BUDGET,
        nonce=os.urandom(8).hex(),
        shown=call.shown(),
    )
    if not pack.text or not call.spec.fits(pack.text):
        return ""
    call.deliver("prompt", pack)
    return call.spec.answer(call.event.raw, pack.text)
