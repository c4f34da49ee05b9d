"""Reading JSON with SQLite's own functions, at no import's cost (light)."""

from __future__ import annotations

import apsw


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

    def say(self, answer: str) -> str:
        """The `say` of one of our own tools' answers, empty where there is none."""
        for row in self._rows(
            "select json_extract(?1, '$.say'), json_extract(?1, '$.structuredContent.say'),"
            " json_extract(?1, '$[0].text')",
            answer,
        ):
            if isinstance(row[2], str):
                return self.say(row[2])
            return next((part[:500] for part in row if isinstance(part, str)), "")
        return ""

    def _rows(self, query: str, text: str) -> list[tuple[object, ...]]:
        try:
            return list(self.connection.execute(query, (text,)))
        except apsw.Error:
            return []
