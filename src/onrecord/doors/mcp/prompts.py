"""What a user may pick from their client's menu: fixed requests to the agent (light)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Longest argument that is taken, in characters.
MAX_ARGUMENT = 200

PROMPTS: list[dict[str, object]] = [
    {
        "name": "review",
        "title": "Look through what is remembered here",
        "description": "Go through the memories of this place together and say which still hold.",
    },
    {
        "name": "handoff",
        "title": "Hand this work over",
        "description": "Write down what the next agent needs to go on.",
        "arguments": [
            {
                "name": "to",
                "description": "the agent it is for, such as codex; left out, whoever comes next",
                "required": False,
            }
        ],
    },
    {
        "name": "retrospective",
        "title": "Keep what this session taught",
        "description": "Look back at this session for lessons that are worth keeping.",
    },
]

_TEXTS = {
    "review": """\
Let us look through what is remembered for this place. Call context, and recall for whatever \
bears on the work at hand. Show me each memory in one line with its id, say whether the code \
and what we did today still bear it out, and ask me. For each that I judge, call feedback with \
helpful, wrong, stale or not_relevant. Change nothing else by yourself. Suggestions that wait \
for me I decide in my own terminal: tell me to run onrecord review.""",
    "handoff": """\
Hand this work over{to}. Look at what is done, what state the repository is in (uncommitted \
files, failing tests), what comes next and what is still open. Then call handoff once with done, \
state, next and questions{named}: short, concrete, with paths and commands, and with nothing \
that the repository says itself. Tell me in two sentences what you handed over.""",
    "retrospective": """\
Look back at this session. What did you learn that a colleague would want to know before they \
start here: a correction of mine, a failure and what it came from, a decision and its why? Leave \
out what the repository records and what was only about this task. Recall each first, and \
update instead of repeating. Then call remember for each with kind lesson, decision or \
preference, a one-line title, and what led to it as prompted_by. At most three; none is a good \
answer. Say in one sentence each what you kept and that it waits for my approval where it does.""",
}


def fetched(name: object, given: Mapping[str, object]) -> dict[str, object] | str:
    """A prompt with its arguments filled in, or what is wrong with the request."""
    found = next((prompt for prompt in PROMPTS if prompt["name"] == name), None)
    if found is None or not isinstance(name, str):
        return f"there is no such prompt; there are {', '.join(_TEXTS)}"
    known = ("to",) if name == "handoff" else ()
    if any(argument not in known for argument in given):
        return "that prompt takes no such argument"
    to = given.get("to", "")
    if not isinstance(to, str) or len(to) > MAX_ARGUMENT or not _is_name(to):
        return "`to` is the name of an agent, such as codex"
    text = _TEXTS[name]
    if name == "handoff":
        text = text.format(to=f" to {to}" if to else "", named=f", and to={to}" if to else "")
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": found["description"], "messages": [message]}


def _is_name(text: str) -> bool:
    bare = text.replace("-", "").replace("_", "").replace(".", "")
    return not text or (bare.isascii() and bare.isalnum())
