"""Keeping a folder of Markdown in step: only what changed is written, what is gone is erased."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from onrecord.capture.formats import mirror
from onrecord.capture.formats.documents import Document
from onrecord.capture.formats.foreign import Foreign
from onrecord.capture.mirror_folder import Kept, MirrorFolder, digest_of
from onrecord.domain import time
from onrecord.domain.ports import Transaction
from onrecord.service.exports import Export, Exported

Step = Callable[[int, int], None]

_SLUG = 48
_SHORT_ID = 10
#: Folders of one scope at most, so that a mirror can be read again.
_MAX_FOLDERS = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Mirrored:
    """What became of the files of a mirror."""

    path: str
    #: memories that it shows
    total: int
    written: int
    unchanged: int
    erased: int
    #: names of files that somebody edited: left as they are
    edited: tuple[str, ...]
    #: names of edited files that were erased all the same: their memory was forgotten
    edited_erased: tuple[str, ...]
    #: ids of memories whose content does not fit its digest: left out
    damaged: tuple[str, ...]


def keep_in_step(
    tx: Transaction,
    export: Export,
    folder: MirrorFolder,
    step: Step,
    *,
    overwrite: bool,
    keep: bool = True,
) -> Mirrored:
    """Let a folder show what an export holds.

    A file that somebody edited stays as it is and is named, unless `overwrite` is set, or what
    it says is on record by now: then it is ours again. Where its memory was forgotten it goes,
    and is named too. Without `keep` the folder stays as it is.
    """
    wanted, names = _wanted(export, step)
    index = folder.index
    edited, doomed, unchanged = _judge(tx, folder, wanted, overwrite=overwrite)
    edited -= _taken_in(tx, folder, edited, {names[name]: wanted[name] for name in wanted})
    gone = [name for name in index.files if name not in wanted and name not in edited]
    changed = [name for name in wanted if name not in edited and name not in unchanged]
    if keep:
        folder.tidy()
        _announce(folder, wanted, names)
        for name in gone:
            folder.erase(name)
            index.files.pop(name)
        for number, name in enumerate(changed, 1):
            folder.write(name, wanted[name])
            step(number, len(changed))
        for name in wanted:
            if name not in edited:
                index.files[name] = Kept(item=names[name], digests=(digest_of(wanted[name]),))
        folder.save()
    return Mirrored(
        path=folder.path,
        total=len(wanted),
        written=len(changed),
        unchanged=len(unchanged),
        erased=len(gone),
        edited=tuple(sorted(edited)),
        edited_erased=tuple(sorted(doomed)),
        damaged=tuple(export.damaged),
    )


def _wanted(export: Export, step: Step) -> tuple[dict[str, bytes], dict[str, str]]:
    """File name -> its bytes, and -> the id of its memory."""
    texts: dict[str, bytes] = {}
    ids: dict[str, str] = {}
    for number, one in enumerate(export.items, 1):
        name = name_of(one)
        texts[name] = page(one).encode("utf-8", "backslashreplace")
        ids[name] = one.item.id
        step(number, export.total)
    return texts, ids


def _judge(
    tx: Transaction, folder: MirrorFolder, wanted: dict[str, bytes], *, overwrite: bool
) -> tuple[set[str], set[str], set[str]]:
    """Names of files that were edited and stay, that were and go, and that are as they should."""
    edited: set[str] = set()
    doomed: set[str] = set()
    unchanged: set[str] = set()
    for name, kept in folder.index.files.items():
        digest = digest_of(wanted[name]) if name in wanted else ""
        state = folder.state(name, kept, digest)
        if state == "wanted":
            unchanged.add(name)
        elif state == "edited" and _is_forgotten(tx, kept.item):
            doomed.add(name)
        elif state == "edited" and not overwrite:
            edited.add(name)
    for name in wanted.keys() - folder.index.files.keys():
        state = folder.state(name, Kept(item="", digests=()), digest_of(wanted[name]))
        if state == "wanted":
            unchanged.add(name)
        elif state == "edited" and not overwrite:
            edited.add(name)
    return edited, doomed, unchanged


def _is_forgotten(tx: Transaction, item: str) -> bool:
    found = tx.items.get(item)
    return found is None or found.status == "forgotten"


def _taken_in(
    tx: Transaction, folder: MirrorFolder, edited: set[str], pages: dict[str, bytes]
) -> set[str]:
    """Names of edited files that say what their memory, or what took its place, says by now."""
    taken: set[str] = set()
    for name in edited & folder.index.files.keys():
        file = mirror.memory_of(Document(name=name, text=folder.text(name)))
        now = _after(tx, folder.index.files[name].item)
        page_now = pages.get(now, b"").decode("utf-8")
        shown = mirror.memory_of(Document(name=name, text=page_now))
        if not isinstance(file, Foreign) or not isinstance(shown, Foreign):
            continue
        is_later = (file.shows, file.version) != (shown.shows, shown.version)
        if is_later and mirror.same_words(file, shown):
            taken.add(name)
    return taken


def _after(tx: Transaction, item: str) -> str:
    """The item that stands where another one did: itself, or the last that took its place."""
    seen = {item}
    while links := [one for one in tx.provenance.links_to(item) if one.kind == "supersedes"]:
        item = links[-1].source
        if item in seen:
            break
        seen.add(item)
    return item


def _announce(folder: MirrorFolder, wanted: dict[str, bytes], names: dict[str, str]) -> None:
    """Write down which digests files may have from now on, before any of them changes."""
    for name, raw in wanted.items():
        old = folder.index.files.get(name)
        digests = (*(old.digests if old else ()), digest_of(raw))
        kept = tuple(dict.fromkeys(digests))
        folder.index.files[name] = Kept(item=names[name], digests=kept)
    folder.save()


def name_of(one: Exported) -> str:
    """Where a memory is shown: its scope as folders, its title and the end of its id."""
    kind, _, key = one.item.scope.partition(":")
    parts = [kind, *(_plain(part) for part in key.split("/") if part)][:_MAX_FOLDERS]
    title = _plain(one.item.content.title.lower())[:_SLUG].strip("-.")
    short = one.item.id[-_SHORT_ID:].lower()
    return "/".join([*parts, f"{title}-{short}.md" if title else f"{short}.md"])


def _plain(text: str) -> str:
    """Letters, digits and dots of ASCII; whatever else there is becomes a dash."""
    kept = "".join(
        char if char.isascii() and (char.isalnum() or char in "._") else "-" for char in text
    )
    shown = "-".join(part for part in kept.split("-") if part)[:100].strip(".")
    return shown or "_"


def page(one: Exported) -> str:
    """A memory as a file: its fields, its title, its body as it is."""
    item, content = one.item, one.item.content
    by = item.head.author
    fields: dict[str, object] = {
        mirror.MARK: int(mirror.FORM),
        "id": item.id,
        "scope": item.scope,
        "kind": item.kind,
        "key": item.key,
        "status": item.status,
        "verification": item.verification,
        "version": item.version,
        "tags": list(content.tags),
        "summary": content.summary,
        "prompted_by": content.prompted_by,
        "valid_from": _iso(content.valid_from),
        "valid_to": _iso(content.valid_to),
        "expires_at": _iso(item.expires_at),
        "author": by.agent or by.user,
        "recorded_at": _iso(item.head.recorded_at),
        "links": [link.target for link in one.links if link.kind in ("file", "url")],
        "rests_on": [f"{row.kind} {row.pointer}" for row in one.evidence],
    }
    lines = [f"{name}: {_value(value)}" for name, value in fields.items() if value not in ("", [])]
    head = "\n".join(["---", *lines, "---", f"# {content.title}"])
    return f"{head}\n\n{content.body}\n" if content.body else f"{head}\n"


def _iso(at: int | None) -> str:
    return "" if at is None else time.to_iso(at)


def _value(value: object) -> str:
    """JSON that is YAML too: what one of them takes for the end of a line is written out."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(f"\\u{ord(char):04x}" if _is_odd(char) else char for char in text)


def _is_odd(char: str) -> bool:
    return "\x7f" <= char <= "\x9f" or char in "\u2028\u2029\ufeff\ufffe\uffff"
