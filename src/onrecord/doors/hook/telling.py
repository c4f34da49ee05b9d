"""Tells the person what an agent's call changed, with the way to take it back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: Our tools that change something.
CHANGES = ("remember", "forget", "handoff", "feedback")

_OURS = "mcp__onrecord__"

#: Characters of a title, and of a sentence, that a line shows.
_TITLE = 80
_SENTENCE = 400

#: outcome of a saving -> what is said of its title
_SAVED = {
    "created": 'saved "{}".',
    "updated": 'changed "{}".',
    "proposed": '"{}" waits for your approval. Run: onrecord review.',
    "conflict": '"{}" waits beside what it differs from. Run: onrecord review.',
}


def answer_tool(call: Call) -> str:
    """A line for the person after one of our own changing tools; nothing for the model."""
    call.observe()
    tool = call.event.tool.removeprefix(_OURS)
    if tool == call.event.tool or tool not in CHANGES:
        return ""
    outcome, say, undo, title = call.change()
    if tool == "remember" and outcome in _SAVED and title:
        say = _SAVED[outcome].format(_short(title, _TITLE))
        say += f" Undo: onrecord undo {undo}" if undo else ""
    else:
        say = _short(say, _SENTENCE)
    return call.spec.answer(call.event.raw, "", f"onrecord: {say}") if say else ""


def _short(text: str, limit: int) -> str:
    """One printable line of at most so many characters: it goes to a terminal."""
    line = "".join(char if char.isprintable() else " " for char in text)
    return line if len(line) <= limit else line[: limit - 1] + "…"
