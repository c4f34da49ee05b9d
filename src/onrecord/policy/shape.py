"""Step 3 of the gateway: sizes and forms; an answer names field, limit and size, never text."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import combining

from onrecord.domain import item as limits
from onrecord.domain.item import Content
from onrecord.domain.provenance import EVIDENCE_KINDS
from onrecord.domain.status import KINDS
from onrecord.domain.time import DAY, SECOND

#: Combining marks on one letter: bringing them into order takes the square of their number.
MAX_MARKS = 100
#: C0 and C1, with tab and every line break among them, and the separators of Unicode.
_CONTROLS = frozenset(map(chr, (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029)))
MIN_TTL_S = 1
MAX_TTL_S = 365 * (DAY // SECOND)

#: The years 1 to 9999, in microseconds from 1970: what a calendar can show.
EARLIEST = -62_135_596_800 * SECOND
LATEST = 253_402_300_800 * SECOND - 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One field outside its limit."""

    field: str
    #: stable code, `shape.<field>` or finer
    code: str
    say: str
    limit: str = ""
    given: str = ""


def problem_in(content: Content) -> Problem | None:
    """The first thing wrong with what a version would say."""
    return (
        _text_problem(content)
        or _title_problem(content.title)
        or _size_problem(content)
        or _tags_problem(content.tags)
        or _interval_problem(content)
    )


def _text_problem(content: Content) -> Problem | None:
    fields = {
        "title": content.title,
        "body": content.body,
        "summary": content.summary,
        "prompted_by": content.prompted_by,
        "tags": "".join(content.tags),
    }
    for field, text in fields.items():
        problem = text_problem(field, text)
        if problem:
            return problem
    return None


def text_problem(field: str, text: str) -> Problem | None:
    """Lone surrogates are no UTF-8, NUL ends text in too many programs, marks can pile up."""
    if "\x00" in text:
        return Problem(field=field, code="shape.nul", say=f"The {field} holds a NUL character.")
    try:
        text.encode()
    except UnicodeEncodeError:
        return Problem(
            field=field, code="shape.utf8", say=f"The {field} is not valid UTF-8.", limit="UTF-8"
        )
    if not text.isascii() and _longest_run_of_marks(text) > MAX_MARKS:
        return Problem(
            field=field,
            code="shape.marks",
            say=f"The {field} stacks more marks on one letter than any writing does.",
            limit=f"{MAX_MARKS} marks",
        )
    return None


def _longest_run_of_marks(text: str) -> int:
    longest = run = 0
    for mark in map(combining, text):
        run = run + 1 if mark else 0
        longest = max(longest, run)
    return longest


def _title_problem(title: str) -> Problem | None:
    if not title.strip():
        return Problem(
            field="title",
            code="shape.title_missing",
            say="A memory needs a one-line title.",
            limit=f"1 to {limits.MAX_TITLE} characters",
            given="0",
        )
    if len(title) > limits.MAX_TITLE:
        return over("title", limits.MAX_TITLE, len(title), "characters")
    if "\n" in title or "\r" in title:
        return Problem(
            field="title", code="shape.title_lines", say="A title is one line.", limit="1 line"
        )
    return None


def _size_problem(content: Content) -> Problem | None:
    size = len(content.body.encode())
    if size > limits.MAX_BODY_BYTES:
        return over("body", limits.MAX_BODY_BYTES, size, "bytes")
    if len(content.summary) > limits.MAX_SUMMARY:
        return over("summary", limits.MAX_SUMMARY, len(content.summary), "characters")
    if len(content.prompted_by) > limits.MAX_QUOTE:
        return over("prompted_by", limits.MAX_QUOTE, len(content.prompted_by), "characters")
    if _has_controls(content.prompted_by.replace("\t", " ")):  # error lines are pasted with tabs
        return Problem(
            field="prompted_by",
            code="shape.prompted_by",
            say="What prompted it is one line of plain text.",
            limit="1 line",
        )
    return None


def _tags_problem(tags: tuple[str, ...]) -> Problem | None:
    if len(tags) > limits.MAX_TAGS:
        return over("tags", limits.MAX_TAGS, len(tags), "tags")
    for tag in tags:
        if not tag.strip():
            return Problem(field="tags", code="shape.tags", say="A tag cannot be empty.")
        if len(tag) > limits.MAX_TAG:
            return over("tags", limits.MAX_TAG, len(tag), "characters in one tag")
        if _has_controls(tag):
            return Problem(field="tags", code="shape.tags", say="A tag is one line of plain text.")
    return None


def _interval_problem(content: Content) -> Problem | None:
    start, end = content.valid_from, content.valid_to
    for field, at in (("valid_from", start), ("valid_to", end)):
        if at is not None and not EARLIEST <= at <= LATEST:
            return Problem(
                field=field, code="shape.interval", say=f"`{field}` is beyond the calendar."
            )
    if start is not None and end is not None and end <= start:
        return Problem(
            field="valid_to",
            code="shape.interval",
            say="`valid_to` must lie after `valid_from`.",
        )
    return None


def kind_change_problem(before: str, after: str) -> Problem | None:
    """A kind that a memory cannot be given; `before` is empty for a new statement.

    A handoff is made whole, with a state of its own beside it, which nothing else has.
    """
    if before == after or "handoff" not in (before, after):
        return None
    return Problem(
        field="kind",
        code="shape.kind",
        say="A handoff is written with `onrecord handoff`, or by an agent with the tool `handoff`;"
        " it stays one, and nothing else becomes one.",
    )


def kind_problem(kind: str) -> Problem | None:
    """A kind that is none."""
    if kind in KINDS:
        return None
    return Problem(
        field="kind", code="shape.kind", say="That kind is not known.", limit=", ".join(KINDS)
    )


def key_problem(key: str) -> Problem | None:
    """An address that is too long or not one line."""
    if len(key) > limits.MAX_KEY:
        return over("key", limits.MAX_KEY, len(key), "characters")
    if _bytes(key) > limits.MAX_KEY_BYTES:
        return over("key", limits.MAX_KEY_BYTES, _bytes(key), "bytes")
    if _has_controls(key):
        return Problem(field="key", code="shape.key", say="A key is one line of plain text.")
    return text_problem("key", key)


def _has_controls(text: str) -> bool:
    """Whether it holds a control character, or what ends a line for some reader of it."""
    return not text.isprintable() and any(map(_CONTROLS.__contains__, text))


def ttl_problem(ttl: int | None) -> Problem | None:
    """A time to live outside 1 s to 365 days."""
    if ttl is None or MIN_TTL_S <= ttl <= MAX_TTL_S:
        return None
    return Problem(
        field="ttl",
        code="shape.ttl",
        say=f"A time to live is {MIN_TTL_S} s to {MAX_TTL_S // 86_400} days.",
        limit=f"{MIN_TTL_S} s to {MAX_TTL_S // 86_400} days",
        given=str(ttl),
    )


def expiry_problem(expires_at: int | None, now: int) -> Problem | None:
    """An expiry that is past already, or beyond what a calendar holds."""
    if expires_at is None or now < expires_at <= LATEST:
        return None
    return Problem(
        field="expires_at", code="shape.expires_at", say="An expiry lies in the future."
    )


def links_problem(links: tuple[str, ...]) -> Problem | None:
    """Too many links, an empty one, or one that is no short line."""
    if len(links) > limits.MAX_LINKS:
        return over("links", limits.MAX_LINKS, len(links), "links")
    for link in links:
        if not link.strip() or _has_controls(link):
            return Problem(field="links", code="shape.links", say="A link is one line of text.")
        if _bytes(link) > limits.MAX_LINK_BYTES:
            return over("links", limits.MAX_LINK_BYTES, _bytes(link), "bytes in one link")
        problem = text_problem("links", link)
        if problem:
            return problem
    return None


def _bytes(text: str) -> int:
    """Its size in a store; half of a character pair counts too and is told apart later."""
    return len(text.encode(errors="surrogatepass"))


def note_problem(field: str, text: str) -> Problem | None:
    """A reason or note that is too long or cannot be stored."""
    if len(text) > limits.MAX_REASON:
        return over(field, limits.MAX_REASON, len(text), "characters")
    return text_problem(field, text)


def author_problem(author: str) -> Problem | None:
    """Whoever is said to have written it, as a name of one line."""
    if _has_controls(author):
        return Problem(
            field="author", code="shape.author", say="An author is one line of plain text."
        )
    return text_problem("author", author)


def evidence_problem(kind: str, pointer: str, quote: str, author: str = "") -> Problem | None:
    """Evidence of an unknown kind, without a pointer or too long."""
    if kind not in EVIDENCE_KINDS:
        return Problem(
            field="evidence",
            code="shape.evidence",
            say="That kind of evidence is not known.",
            limit=", ".join(EVIDENCE_KINDS),
        )
    if not pointer.strip():
        return Problem(field="evidence", code="shape.evidence", say="Evidence needs a pointer.")
    if len(quote) > limits.MAX_QUOTE:
        return over("evidence", limits.MAX_QUOTE, len(quote), "characters of quote")
    if len(pointer) > limits.MAX_QUOTE:
        return over("evidence", limits.MAX_QUOTE, len(pointer), "characters of pointer")
    if len(author) > limits.MAX_KEY:
        return over("evidence", limits.MAX_KEY, len(author), "characters of author")
    return _lines_problem(pointer, author) or text_problem("evidence", pointer + quote + author)


def _lines_problem(pointer: str, author: str) -> Problem | None:
    for name, text in (("pointer", pointer), ("author", author)):
        if _has_controls(text):
            return Problem(
                field="evidence",
                code="shape.evidence",
                say=f"The {name} of evidence is one line of plain text.",
            )
    return None


def over(field: str, limit: int, given: int, unit: str) -> Problem:
    """A field over its limit, with both figures."""
    return Problem(
        field=field,
        code=f"shape.{field}_too_long",
        say=f"The {field} is over its limit: {given} of at most {limit} {unit}.",
        limit=f"{limit} {unit}",
        given=str(given),
    )
