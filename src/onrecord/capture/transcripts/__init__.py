"""Conversations out of the clients' own transcripts: what was said, and nothing else.

Tool calls and their output, thinking, what hooks gave and what the client made up are left
out. A transcript is streamed: memory does not grow with it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from onrecord.capture.transcripts import claude_code, codex, copilot_cli, gemini_cli, opencode
from onrecord.capture.transcripts.lines import JsonLines, opened
from onrecord.capture.transcripts.message import ASSISTANT, COMPACTION, USER, Message, storable

__all__ = [
    "ASSISTANT",
    "CLIENTS",
    "COMPACTION",
    "FORMATS",
    "USER",
    "Message",
    "Transcript",
    "is_of",
    "readable",
    "size_of",
]

_Format = Callable[[Mapping[str, object], dict[str, object]], Message | None]

#: client -> what reads a line of its transcripts
FORMATS: dict[str, _Format] = {
    "claude-code": claude_code.message_in,
    "codex": codex.message_in,
    "gemini-cli": gemini_cli.message_in,
    "copilot-cli": copilot_cli.message_in,
}

#: The client whose conversations lie in a database.
_DATABASE = "opencode"
#: Clients whose conversations can be read.
CLIENTS = (*FORMATS, _DATABASE)

#: Clients that write a message anew under its id; the last one counts.
_REWRITES = ("gemini-cli",)
#: The client that names a file by the start of a session's id, and how much of it.
_SHORTENS, _SHORT = "gemini-cli", 8
#: How many messages wait for being written anew, and how many ids are remembered.
_HELD = 16
_REMEMBERED = 4_096
#: Lines at the start that tell which form a file has.
_PRIMED = 100


class Transcript:
    """The messages of one transcript from an offset on.

    Raises `ValueError` for a client whose transcripts are not known. A file that is not
    there, or is no plain file of the user's own, holds none; so does one outside of `roots`,
    where they are given, or one that a link leads to from there.

    Attributes:
        offset: where reading goes on next time, once the messages were all taken.
    """

    def __init__(
        self,
        client: str,
        path: str,
        *,
        offset: int = 0,
        roots: Sequence[str] | None = None,
        session: str = "",
    ) -> None:
        """`session` is the client's id of it, needed where one file holds several."""
        if client not in CLIENTS:
            raise ValueError(client)
        self._client = client
        self._path = path
        self._roots = roots
        self._lines = JsonLines(path, offset, roots=roots)
        self._kept: opencode.Conversation | None = None
        if client == _DATABASE:
            self._kept = opencode.Conversation(path, session, offset, roots=roots)

    @property
    def offset(self) -> int:
        """Where reading goes on next time."""
        return self._lines.offset if self._kept is None else self._kept.offset

    @property
    def damaged(self) -> int:
        """Lines that could not be read or were too long, so far."""
        if self._kept is not None:
            return self._kept.damaged
        return self._lines.damaged + self._lines.too_long

    def __iter__(self) -> Iterator[Message]:
        """Messages in the order of the file, each once."""
        rewrites = self._client in _REWRITES
        found = _last_of_each(self._all()) if rewrites else self._all()
        seen: OrderedDict[str, None] = OrderedDict()
        before: Message | None = None
        for message in found:
            if message.id:
                if message.id in seen:
                    continue
                seen[message.id] = None
                if len(seen) > _REMEMBERED:
                    seen.popitem(last=False)
            elif before is not None and _repeats(before, message):
                continue
            if message.text or message.role == COMPACTION:
                before = message
                yield message

    def _all(self) -> Iterator[Message]:
        if self._kept is not None:
            yield from map(storable, self._kept)
            return
        read, state = FORMATS[self._client], dict[str, object]()
        # which form a file has shows at its start, wherever reading goes on
        for _, (_, line) in zip(
            range(_PRIMED), JsonLines(self._path, roots=self._roots), strict=False
        ):
            read(line, state)
        for start, line in self._lines:
            message = read(line, state)
            if message is not None:
                yield replace(storable(message), offset=start)


def readable(client: str, path: str, roots: Sequence[str] | None = None) -> bool:
    """Whether there is a file of the user's own that a conversation may be read from."""
    if client == _DATABASE:
        return bool(opencode.real_path(path, roots))
    file = opened(path, roots)
    if file is not None:
        file.close()
    return file is not None


def is_of(client: str, path: str, session: str) -> bool:
    """Whether a file's place says that it holds that session's conversation.

    Every client names the file, or its folder, by the session's own id; what a hook tells may
    name any other. Where one file holds several conversations, the reader looks by the id.
    """
    if client == _DATABASE:
        return True
    told = session[:_SHORT] if client == _SHORTENS else session
    return bool(told) and any(told in part for part in path.split("/")[-2:])


def size_of(client: str, path: str, session: str, roots: Sequence[str] | None = None) -> int:
    """Where reading of a conversation would end; it grows with it, 0 where there is none."""
    if client == _DATABASE:
        return opencode.size(path, session, roots)
    file = opened(path, roots)
    if file is None:
        return 0
    with file:
        return file.seek(0, 2)


def _repeats(before: Message, message: Message) -> bool:
    """Whether a message without an id is the line before once more."""
    return (before.role, before.text, before.at) == (message.role, message.text, message.at)


def _last_of_each(messages: Iterator[Message]) -> Iterator[Message]:
    """Messages in order of their first line, each as its last line says."""
    held: OrderedDict[str, Message] = OrderedDict()
    for message in messages:
        if message.id in held:
            held[message.id] = replace(message, offset=held[message.id].offset)
            continue
        held[message.id or f"{message.offset}"] = message
        if len(held) > _HELD:
            yield held.popitem(last=False)[1]
    yield from held.values()
