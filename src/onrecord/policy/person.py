"""Whether the one at the keyboard is a person, from evidence that was collected elsewhere."""

from __future__ import annotations

#: person: go on · ask: have a short code typed · agent: refuse · script: acts as agent:script
VERDICTS = ("person", "ask", "agent", "script")


def judge(*, ancestor: str | None, variables: tuple[str, ...], terminal: bool) -> str:
    """One of VERDICTS.

    `ancestor` names an agent CLI among the process's ancestors, `variables` the agents'
    environment variables that are set, `terminal` whether the controlling terminal really
    opens. An ancestor settles it. Variables with a terminal and no ancestor are what a
    person sees inside a terminal multiplexer that an agent once started, so they are asked.
    """
    if ancestor:
        return "agent"
    if not terminal:
        return "agent" if variables else "script"
    return "ask" if variables else "person"
