"""Reading JSON with SQLite's own functions, at no import's cost (light)."""

from __future__ import annotations

import apsw

_CHANGE = """
WITH p(j) AS (SELECT jsonb(?1)),
r(j) AS (
  SELECT CASE json_type(j, '$.tool_response')
    WHEN 'object' THEN json_extract(j, '$.tool_response.structuredContent')
    WHEN 'text' THEN iif(
      json_valid(json_extract(j, '$.tool_response')), json_extract(j, '$.tool_response'), NULL
    )
  END FROM p
)
SELECT json_extract(r.j, '$.outcome'), json_extract(r.j, '$.say'), json_extract(r.j, '$.undo'),
  json_extract(p.j, '$.tool_input.title')
FROM p, r
"""


class LightJson:
    """Reads JSON texts through one connection to an empty database in memory."""

    __slots__ = ("connection",)

    def __init__(self) -> None:
        self.connection = apsw.Connection(":memory:")

    def delivered(self, record: str) -> tuple[str, str, list[tuple[str, int]]]:
        """(session, source, (item, version)s) of a spooled record; empty for anything else."""
        session = source = ""
        items: list[tuple[str, int]] = []
        for row in self._rows(
            "select json_extract(?1, '$.session'), json_extract(?1, '$.source'),"
            " r.value ->> 0, r.value ->> 1"
            " from (select 1) left join json_each(?1, '$.shown') as r",
            record,
        ):
            session = row[0] if isinstance(row[0], str) else ""
            source = row[1] if isinstance(row[1], str) else ""
            if isinstance(row[2], str) and isinstance(row[3], int):
                items.append((row[2], row[3]))
        return session, source, items

    def process(self, record: str) -> tuple[int, int]:
        """(process, its start) of a spooled record; zeros where it names none."""
        query = "SELECT json_extract(?1, '$.pid'), json_extract(?1, '$.pid_started')"
        for pid, started in self._rows(query, record):
            if isinstance(pid, int) and isinstance(started, int):
                return pid, started
        return 0, 0

    def observed(self, record: str) -> tuple[str, str, str, str]:
        """(session, event, reason, prompt) of a spooled record; empty strings for what is not."""
        fields = ("session", "event", "reason", "prompt")
        columns = ", ".join(f"json_extract(?1, '$.{name}')" for name in fields)
        for row in self._rows(f"SELECT {columns}", record):
            session, event, reason, prompt = (
                value if isinstance(value, str) else "" for value in row
            )
            return session, event, reason, prompt
        return "", "", "", ""

    def change(self, payload: str) -> tuple[str, str, int, str]:
        """(outcome, sentence, undo, title asked for) of a call of one of our changing tools.

        `payload` is a hook's; the answer stands in it as an object, or as the text of one.
        Empty strings and 0 for what is not there.
        """
        for outcome, say, undo, title in self._rows(_CHANGE, payload):
            return (
                outcome if isinstance(outcome, str) else "",
                say if isinstance(say, str) else "",
                undo if isinstance(undo, int) else 0,
                title if isinstance(title, str) else "",
            )
        return "", "", 0, ""

    def _rows(self, query: str, text: str) -> list[tuple[object, ...]]:
        try:
            return list(self.connection.execute(query, (text,)))  # pyright: ignore[reportUnknownMemberType]
        except (apsw.Error, UnicodeError):  # the latter for half of a character pair
            return []
