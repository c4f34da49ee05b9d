"""What a turn's end may ask: whether a session with friction left something worth keeping."""

from __future__ import annotations

from onrecord.capture import spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: The reason of a stop at which the question was asked.
ASKED = "nudge"


def answer_stop(call: Call) -> str:
    """Nothing, or the question: where a person switched it on, once in a session with friction."""
    if not _asks(call):
        call.observe()
        return ""
    from onrecord.service.friction import QUESTION

    call.event.reason = ASKED
    call.observe()
    return call.spec.hold(call.event.raw, QUESTION, stop_hook_active=False)


def _asks(call: Call) -> bool:
    """Whether to ask; whatever is wrong with the store, the turn ends as it would have."""
    told = call.event
    if told.stop_hook_active or told.agent_id:
        return False
    try:
        scopes = [name for name in (call.place.repo, "global") if name]
        if call.shelf.setting("nudge", scopes) != "on":
            return False
        switches = ("saving", "capture", "deliver")
        if not call.in_own_folder() or not all(call.allows(switch) for switch in switches):
            return False
        return _has_friction(call)
    except Exception:  # noqa: BLE001 - a question that is not asked is no loss
        return False


def _has_friction(call: Call) -> bool:
    from onrecord.service.friction import corrects, enough

    told = call.event
    failures, corrections, asked = call.shelf.friction(told.client, told.session)
    for text in spool.pending(call.folder, told.client, told.session).values():
        session, event, reason, prompt = call.observed_in(text)
        if session != told.session:
            continue
        failures += event == "tool_failure"
        corrections += event == "prompt" and corrects(prompt)
        asked = asked or (event == "stop" and reason == ASKED)
    return not asked and enough(failures, corrections)
