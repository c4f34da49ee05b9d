"""The JSON of copies and files of memories is a promise too: one file a shape."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine, stable
from onrecord.service import who

if TYPE_CHECKING:
    from collections.abc import Callable

    from commandline import Answer

YES: Final = [("[y/n]", "y")]
SHAPES: Final = (
    "backup restore-backup rebuild export export-lines import-dry-run import undo-import"
).split()

#: What depends on the form of the file or on the second.
_VARYING: Final = (
    (re.compile(r'("bytes": )\d+'), r"\g<1>0"),
    (re.compile(r"\d{8}T\d{6}Z"), "<stamp>"),
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> tuple[CommandLine, dict[str, Answer]]:
    """One story, told once."""
    lines = CommandLine(tmp_path_factory.mktemp("exchange"))
    wrong = lines.remember("The gate listens on port 5432", "--tag", "gate", "--key", "port")
    lines.remember("Use pnpm in the web folder", "--evidence", "file=package.json")
    out = str(lines.home / "out.jsonl")
    told = {"backup": lines.run("backup", "--json")}
    told["export"] = lines.run("export", "-o", out, "--json")
    told["export-lines"] = lines.run("export")
    lines.run("reject", wrong, "--reason", "wrong")
    told["import-dry-run"] = lines.run("import", "jsonl", out, "--dry-run", "--json")
    told["import"] = lines.run("import", "jsonl", out, "--scope", "global", "--json")
    batch = told["import"].json["batch"]
    told["undo-import"] = lines.run("undo", "--import", batch, "--json", keys=YES)
    told["rebuild"] = lines.run("rebuild", "--json")
    copy = told["backup"].json["path"]
    told["restore-backup"] = lines.run("restore-backup", copy, "--json", keys=YES)
    return lines, told


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape_of_an_answer(
    answers: tuple[CommandLine, dict[str, Answer]], name: str, golden: Callable[[str, str], None]
) -> None:
    """Standard output alone, one value; an export a value a line."""
    lines, told = answers
    answer = told[name]
    values = [json.loads(line) for line in answer.out.splitlines()] if "-lines" in name else None
    shape = json.loads(answer.out) if values is None else values
    text = f"{json.dumps(shape, ensure_ascii=False, indent=2)}\n"
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)

    assert answer.err == ""
    folder = "cli/lines" if values else "cli/json"
    golden(f"{folder}/{name}.json", stable(text, lines, who.user_name()))
