"""Tells the person what an agent's call changed, with the way to take it back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: Our tools that change something.
CHANGES = ("remember", "forget", "handoff", "feedback")


def answer_tool(call: Call) -> str:
    """A line for the person after one of our own changing tools; nothing for the model."""
    call.observe()
    if not call.event.tool.startswith("mcp__onrecord__"):
        return ""
    if call.event.tool.removeprefix("mcp__onrecord__") not in CHANGES:
        return ""
    say = call.say_of(call.event.tool_response)
    return call.spec.answer(call.event.raw, "", f"onrecord: {say}") if say else ""
