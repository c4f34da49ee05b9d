"""The same few sentences as each tool would keep them, one memory a sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import apsw

from foreign_files import SCHEMAS, conversation, listed, lore, remembered, written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Sayings = Callable[[Path, Sequence[str]], Path]


def _list(texts: Sequence[str]) -> str:
    return "".join(f"- {text}\n" for text in texts)


def markdown(folder: Path, texts: Sequence[str]) -> Path:
    """Bullets under a heading."""
    return written(folder / "CLAUDE.md", f"# Kiosk\n\n{_list(texts)}")


def topic_files(folder: Path, texts: Sequence[str]) -> Path:
    """A file each, described by its fields."""
    for n, text in enumerate(texts):
        fields = f"---\nname: topic-{n}\ndescription: About the kiosk {n}\ntype: project\n---\n"
        written(folder / "memory" / f"topic-{n}.md", f"{fields}\n{text}\n")
    return folder / "memory"


def jsonl(folder: Path, texts: Sequence[str]) -> Path:
    """What `onrecord export` writes."""
    lines: list[object] = [{"onrecord": "export", "version": 1}]
    lines += [{"title": text, "kind": "fact"} for text in texts]
    return written(folder / "out.jsonl", "".join(f"{json.dumps(line)}\n" for line in lines))


def mirror(folder: Path, texts: Sequence[str]) -> Path:
    """What `onrecord mirror` writes."""
    for n, text in enumerate(texts):
        fields = "---\nonrecord: 1\nkind: fact\nscope: global\n---\n"
        written(folder / "mirror" / f"{n}.md", f"{fields}# {text}\n")
    return folder / "mirror"


def server_memory(folder: Path, texts: Sequence[str]) -> Path:
    """Observations about one entity."""
    entity = {"type": "entity", "name": "Kiosk", "entityType": "place", "observations": [*texts]}
    return written(folder / "memory.jsonl", json.dumps(entity) + "\n")


def mem0(folder: Path, texts: Sequence[str]) -> Path:
    """What the client answers."""
    rows = [{"id": f"m{n}", "memory": text} for n, text in enumerate(texts)]
    return written(folder / "mem0.json", json.dumps({"results": rows}))


def lorekit(folder: Path, texts: Sequence[str]) -> Path:
    """An entry a file."""
    for n, text in enumerate(texts):
        words = lore(scope="repo::acme/shop", key=f"kiosk-{n}", value=text)
        written(folder / ".lorekit" / "repo" / "acme" / "shop" / f"kiosk-{n}.md", words)
    return folder / ".lorekit"


def claude_mem(folder: Path, texts: Sequence[str]) -> Path:
    """An observation each, its sentence in the narrative."""
    path = folder / "claude-mem.db"
    db = apsw.Connection(str(path))
    for _ in db.execute(SCHEMAS["claude-mem"]):
        pass
    for n, text in enumerate(texts):
        db.execute(
            "INSERT INTO observations (memory_session_id, project, type, title, narrative,"
            " content_hash, created_at, created_at_epoch) VALUES"
            " ('s1', 'shop', 'discovery', ?, ?, ?, '2026-04-02T09:00:00.000Z', 1775120400000)",
            (f"Kiosk note {n}", text, f"h{n}"),
        )
    db.close()
    return path


def basic_memory(folder: Path, texts: Sequence[str]) -> Path:
    """Observations of one note."""
    observed = "".join(f"- [fact] {text} #kiosk\n" for text in texts)
    note = f"---\ntitle: Kiosk\npermalink: kiosk\n---\n\n# Kiosk\n\n## Observations\n{observed}"
    return written(folder / "notes" / "kiosk.md", note).parent


def engram(folder: Path, texts: Sequence[str]) -> Path:
    """An observation each, its sentence below a title."""
    path = folder / "engram.db"
    with apsw.Connection(str(path)) as db:
        for _ in db.execute(SCHEMAS["engram"]):
            pass
        for n, text in enumerate(texts):
            db.execute(
                "INSERT INTO observations (sync_id, session_id, type, title, content, project)"
                " VALUES (?, 's1', 'discovery', ?, ?, 'shop')",
                (f"o{n}", f"Kiosk note {n}", text),
            )
    db.close()
    return path


def codex_memories(folder: Path, texts: Sequence[str]) -> Path:
    """Bullets of the handbook, each with the task that it comes of."""
    bullets = _list([f"{text} [Task 1]" for text in texts])
    group = f"# Task Group: kiosk\n\nscope: the kiosk\n\n## Reusable knowledge\n\n{bullets}"
    return written(folder / "memories" / "MEMORY.md", group).parent


def chatgpt(folder: Path, texts: Sequence[str]) -> Path:
    """The list of what is remembered, and the last one by a call."""
    rows = [conversation(1, listed(*texts[:-1])), conversation(2, remembered(texts[-1]))]
    return written(folder / "export" / "conversations.json", json.dumps(rows)).parent


#: format, and form where it has several -> its writer
SAYINGS: Final[dict[str, Sayings]] = {
    "markdown": markdown,
    "markdown topic files": topic_files,
    "jsonl": jsonl,
    "mirror": mirror,
    "server-memory": server_memory,
    "mem0": mem0,
    "lorekit": lorekit,
    "claude-mem": claude_mem,
    "basic-memory": basic_memory,
    "engram": engram,
    "codex-memories": codex_memories,
    "chatgpt": chatgpt,
}
