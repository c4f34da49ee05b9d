"""How one agent CLI is started with a pack, a model, a prompt, or an earlier session.

A hook reads this to know whether its session was started with a pack already. So this module
is on the hook's fast path: it imports nothing heavy.
"""

from __future__ import annotations

from onrecord.capture.agents.base import json_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: How every pack begins, wherever it stands.
PACK_OPENS = "<onrecord-memory "


def toml_string(text: str) -> str:
    """The text as a TOML basic string; characters that UTF-8 cannot carry become `?`."""
    return json_string(text).replace("\x7f", "\\u007f")


class Launch:
    """The command line that starts an agent CLI in its terminal form.

    `words` puts it together. Nothing of it needs a shell: the words go to the program as
    they are, and `shlex.join` makes a line that a person can paste.
    """

    __slots__ = ("context", "model", "program", "prompt", "prompts_resumed", "resume")

    def __init__(
        self,
        *,
        program: str,
        resume: tuple[str, ...] = ("--resume",),
        model: tuple[str, ...] = ("--model",),
        context: Callable[[str], tuple[str, ...]] | None = None,
        prompt: tuple[str, ...] = ("--",),
        prompts_resumed: bool = True,
    ) -> None:
        #: file name of the program, to be looked for on the PATH
        self.program = program
        #: words before the id of a session that is to go on; empty where it cannot by id
        self.resume = resume
        #: words before a model's name; empty where it cannot be said
        self.model = model
        #: words that put a text among the instructions, where it stays through `/clear` and
        #: compaction; None where a pack can only be the beginning of the first message
        self.context = context
        #: words before the first message, which come last
        self.prompt = prompt
        #: whether a first message is taken for a session that goes on, too; where it is not,
        #: the person types it, and what is on record comes by the hook
        self.prompts_resumed = prompts_resumed

    def words(
        self, *, pack: str = "", prompt: str = "", model: str = "", session: str = ""
    ) -> tuple[str, ...]:
        """The program and its arguments.

        `pack` is the text of a pack, `prompt` what a person would type first, `model` a name
        that this agent CLI knows, and `session` its own id of a session that is to go on.
        Where the pack can only be part of the first message it stands before the prompt.
        """
        line = [self.program]
        if session:
            line += [*self.resume, session]
        if model:
            line += [*self.model, model]
        if pack and self.context is not None:
            line += self.context(pack)
        elif pack:
            prompt = f"{pack}\n\n{prompt}" if prompt else pack
        if prompt:
            line += [*self.prompt, prompt]
        return tuple(word.replace("\0", "") for word in line)


def mark_of(word: str) -> str:
    """What the pack in a word is marked with, quoted or not; an empty string without one."""
    _, opens, rest = word.partition(f"{PACK_OPENS}nonce=")
    mark = rest.lstrip("\\\"'") if opens else ""
    end = next((at for at, char in enumerate(mark) if not char.isalnum()), len(mark))
    return mark[:end]


def pack_among(argv: Iterable[str]) -> str:
    """The argument that holds a pack of ours, or an empty string."""
    return next((word for word in argv if PACK_OPENS in word), "")
