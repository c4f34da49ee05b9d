"""Secrets through every door: in no byte that is kept, nor in what is answered.

Each secret has a neighbour, an ordinary word in the same text, which must be found: a scan that
finds nothing at all proves nothing. Files are read whole, whatever they hold: the database, its
log, the spool, faults, keys, a backup and exports. A secret is looked for as it is, in the
letters that the index folds, in UTF-16 and in base64 at each of its three offsets.
"""

from __future__ import annotations

import base64
import json
import random
import string
import subprocess
from typing import TYPE_CHECKING, Any, Final

import pytest

from corpora import corpus
from harness.agents import repository
from harness.swept import canary
from harness.terminal import Person
from hooked import Hooked
from mcp_client import ONRECORD, environment, start_server
from onrecord.doors.mcp.tools import SCHEMAS
from onrecord.policy.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ALNUM: Final = string.ascii_letters + string.digits
#: Shorter ones stand in any large file by chance.
LEAST: Final = 8

#: What a hook's payload may hold that is a name or a text.
FIELDS: Final = (
    *("transcript_path", "model", "reason", "source", "trigger", "permission_mode", "agent_id"),
    *("tool_name", "tool_use_id", "tool_response", "error", "prompt"),
)
EVENTS: Final = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd")

#: What a tool needs beside the argument that holds the secret.
NEEDED: Final[dict[str, dict[str, Any]]] = {
    "remember": {"kind": "note"},
    "recall": {"query": "which one"},
    "get": {"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
    "forget": {"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
    "feedback": {"id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "verdict": "wrong"},
}


class Canaries:
    """Tokens that occur nowhere else, and the words beside them."""

    def __init__(self) -> None:
        self._chance = random.Random(20_261_130)  # noqa: S311 - repeatable
        self.secrets: dict[str, str] = {}
        self.neighbours: dict[str, str] = {}

    def token(self, where: str) -> str:
        """A token of our own shape, planted there."""
        made = canary("".join(self._chance.choices(ALNUM, k=24)))
        self.secrets[where] = made
        return made

    def neighbour(self, where: str) -> str:
        """An ordinary word, which must be found again."""
        made = "zq" + "".join(self._chance.choices(string.ascii_lowercase, k=10))
        self.neighbours[where] = made
        return made


def forms(secret: str) -> Iterator[bytes]:
    """How its bytes may stand in a file."""
    raw = secret.encode()
    yield raw
    yield raw.lower()
    yield secret.encode("utf-16-le")
    yield secret.encode("utf-16-be")
    for shift in range(3):
        # the characters at both ends depend on what stands beside them
        yield base64.b64encode(b"\0" * shift + raw)[4:-4]


def files(folder: Path) -> list[Path]:
    """Every file below a folder."""
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def found_in(folder: Path, secrets: dict[str, str]) -> list[str]:
    """Where a secret was planted that stands in some file of a folder, or in a file's name."""
    hits: list[str] = []
    for path in files(folder):
        try:
            whole = path.read_bytes()
        except FileNotFoundError:
            continue  # taken in meanwhile
        data = [whole, whole.lower()] if whole.lower() != whole else [whole]
        for where, secret in secrets.items():
            in_name = secret in str(path)
            if in_name or any(form in part for form in forms(secret) for part in data):
                hits.append(f"{where} in {path.name}")
    return hits


def copies(hooked: Hooked) -> None:
    """A backup and both exports beside the store, which only a person can make."""
    person = Person(hooked.home, cwd=hooked.repo)
    for words in (
        ("backup", str(hooked.home / "copy.db")),
        ("export", "--format", "jsonl", "--output", str(hooked.home / "out.jsonl")),
        ("export", "--format", "markdown", "--output", str(hooked.home / "out.md")),
    ):
        done = person.run([str(ONRECORD), *words])
        assert done.exit_code == 0, done.text
        assert (hooked.home / words[-1]).stat().st_size > 0


def run(cwd: Path, env: dict[str, str], *words: str, given: str = "") -> str:
    """What a command says, on both streams."""
    done = subprocess.run(
        [ONRECORD, *words],
        input=given,
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


def planted_rows() -> list[tuple[str, str, list[str]]]:
    """(id, text, secrets) of the corpus, as far as redaction knows the secret at all."""
    rows: list[tuple[str, str, list[str]]] = []
    known = missed = 0
    for line in corpus("safety/secrets.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = "".join(row["parts"])
        clean = redact(text).text
        long = [text[start:end] for start, end, _ in row["spans"] if end - start >= LEAST]
        known += sum(one not in clean for one in long)
        missed += sum(one in clean for one in long)
        if long:
            rows.append((row["id"], text, [one for one in long if one not in clean]))
    assert missed <= known / 100, (known, missed)  # what is not known is measured elsewhere
    return rows


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home with a store, in which one ordinary thing is known."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm", "npm breaks the lock file.")
    return made


def test_safety_secrets_end_to_end_names(hooked: Hooked, tmp_path: Path) -> None:
    """Every field of a hook's payload, every argument of every tool, folder, branch and origin."""
    canaries = Canaries()
    env = environment(hooked.home, hooked.store)
    answers: list[str] = []
    folder = tmp_path / canaries.token("folder") / "shop"
    folder.parent.mkdir()
    repo = repository(folder)
    for words in (
        ("checkout", "-q", "-b", f"fix/{canaries.token('branch')}"),
        ("remote", "add", "origin", f"https://github.com/acme/{canaries.token('origin')}"),
    ):
        subprocess.run(["git", "-C", str(repo), *words], check=True, timeout=30)

    for client in ("claude-code", "codex"):
        for event in EVENTS:
            where = f"{client} {event}"
            told: dict[str, Any] = {name: canaries.token(f"{where} {name}") for name in FIELDS}
            word = "look"
            if event == "UserPromptSubmit":
                word = canaries.neighbour(where)
                del told["agent_id"]  # a subagent's prompt is no person's
            told["prompt"] = f"{word} at {told['prompt']} and tell me what it is for"
            answer = hooked.call(event, client=client, cwd=repo, cwd_told=repo, **told)
            answers.append(answer.raw.decode() + answer.errors.decode())
            hooked.call(event, client=client, session=canaries.token(f"{where} session"))
    assert found_in(hooked.home, canaries.secrets) == []  # the spool, before it is taken in
    hooked.drain()

    with start_server(repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        for tool, schema in SCHEMAS.items():
            for name, kind in schema["properties"].items():
                where = f"{tool} {name}"
                token, word = canaries.token(where), "zqplain"
                given: Any = f"{token} {word}" if kind.get("type") == "string" else [token]
                if name == "evidence":
                    given = [{"kind": "message", "pointer": token, "quote": token}]
                wanted = {**NEEDED.get(tool, {}), name: given}
                if tool == "remember" and name != "title":
                    wanted["title"] = f"The {name} beside {canaries.neighbour(where)} is plain"
                meta = {
                    "claudecode/toolUseId": canaries.token(f"{where} call"),
                    "progressToken": canaries.token(f"{where} progress"),
                }
                answers.append(json.dumps(server.call(tool, meta, **wanted)))
        server.end()
    copies(hooked)

    kept = {
        where: word
        for where, word in canaries.neighbours.items()
        if "UserPromptSubmit" in where or where in ("remember body", "remember tags")
    }
    assert len(found_in(hooked.home, kept)) >= len(kept)
    assert {hit.rpartition(" in ")[0] for hit in found_in(hooked.home, kept)} == set(kept)
    assert found_in(hooked.home, canaries.secrets) == []
    said = "".join(answers)
    assert [where for where, token in canaries.secrets.items() if token in said] == []


def test_safety_secrets_end_to_end_commands(hooked: Hooked, tmp_path: Path) -> None:
    """Arguments, standard input and a file of memories from elsewhere."""
    canaries = Canaries()
    env = environment(hooked.home, hooked.store)
    said: list[str] = []
    text = "Deploys go through the blue pipeline"
    for option in (
        *("--scope", "--key", "--tag", "--link", "--summary", "--prompted-by", "--evidence"),
        *("--idempotency-key", "--replaces", "--kind", "--expires", "--override"),
    ):
        token = canaries.token(option)
        forms_of = {"--scope": f"project:{token}", "--evidence": f"message={token}"}
        words = [f"{text} {option[2:]}", option, forms_of.get(option, token)]
        if option != "--scope":
            words += ["--scope", "repo"]
        said.append(run(hooked.repo, env, "remember", *words))
    told = f"The {canaries.neighbour('stdin')} job signs in with {canaries.token('stdin')} now"
    said.append(run(hooked.repo, env, "remember", "--scope", "repo", given=told))
    asked = (["recall"], ["show"], ["list", "--scope"], ["forget", "--yes"], ["why"])
    said += [run(hooked.repo, env, *ask, canaries.token(" ".join(ask))) for ask in asked]

    lines: list[dict[str, Any]] = [
        {
            "title": f"The {canaries.neighbour('import')} job uses {canaries.token('title')}",
            "body": f"It signs in with {canaries.token('body')} and mails a report to everyone.",
            "tags": [canaries.token("tags")],
            "author": {"agent": canaries.token("author")},
            "evidence": [{"kind": "message", "pointer": canaries.token("pointer")}],
            "links": [{"target": canaries.token("links"), "kind": "file"}],
        },
        {"title": "A key of its own", "key": canaries.token("key"), "scope": "repo"},
        {"title": "A scope of its own", "scope": f"project:{canaries.token('scope')}"},
        {"title": "An id of its own", "id": canaries.token("id"), "scope": "repo"},
    ]
    for number, line in enumerate(lines):
        source = tmp_path / f"in-{number}.jsonl"
        both: tuple[dict[str, Any], ...] = (
            {"onrecord": "export", "version": 1},
            {"scope": "repo", **line},
        )
        source.write_text("".join(f"{json.dumps(one)}\n" for one in both), encoding="utf-8")
        said.append(run(hooked.repo, env, "import", "jsonl", str(source)))
    copies(hooked)

    seen = {hit.rpartition(" in ")[0] for hit in found_in(hooked.home, canaries.neighbours)}
    assert seen == set(canaries.neighbours)
    assert found_in(hooked.home, canaries.secrets) == []
    everything = "".join(said)
    assert [where for where, token in canaries.secrets.items() if token in everything] == []


def test_safety_secrets_end_to_end_corpus(hooked: Hooked) -> None:
    """Every known secret of the corpus, as a memory, a prompt and a handoff."""
    rows = planted_rows()
    env = environment(hooked.home, hooked.store)
    canaries = Canaries()
    secrets = {f"{name} {n}": one for name, _, found in rows for n, one in enumerate(found)}
    with start_server(hooked.repo, env, "--client", "codex") as server:
        server.shake_hands()
        for name, text, _ in rows:
            body = f"{text}\n\nBeside it stands {canaries.neighbour(name)} for the nightly build."
            title = f"What the {name} notes of the build say"
            server.call("remember", title=title, body=body, kind="note", scope="agent")
            server.call("handoff", done=f"Step {name}", next=text)
        server.end()
    for name, text, _ in rows[::6]:
        hooked.prompt(f"Have a look at {name}: {text}", session=name)
    assert found_in(hooked.home, secrets) == []
    hooked.drain()
    copies(hooked)

    seen = {hit.rpartition(" in ")[0] for hit in found_in(hooked.home, canaries.neighbours)}
    assert len(seen) >= 0.9 * len(canaries.neighbours)  # some are mostly secret, and refused
    assert len(secrets) > 60
    assert found_in(hooked.home, secrets) == []
