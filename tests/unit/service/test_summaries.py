"""Summaries by real commands: what is sent, what comes back, and what becomes of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import REPO, SECRETS
from onrecord.domain.errors import (
    Clash,
    Denied,
    NeedsPerson,
    NotFound,
    TranscriptRefused,
    UsageError,
)
from onrecord.domain.principal import Principal
from onrecord.service.caller import Caller
from onrecord.service.commands import Approve, Reject, Set, Undo
from onrecord.service.summary_answer import BadAnswer, read
from onrecord.service.summary_settings import settings_of
from studio import GOOD, TOKEN, Studio

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk


@pytest.fixture
def studio(desk: Desk, tmp_path: Path) -> Studio:
    """A session that was talked in."""
    return Studio(desk, tmp_path)


def test_everything_is_proposed_and_tainted_with_its_messages(studio: Studio) -> None:
    """The session and message of each stand with it, whoever ran the command."""
    done = studio.run()

    assert [(one.state, one.outcomes) for one in done.parts] == [("kept", {"proposed": 2})]
    items = studio.items()
    assert set(items) == {"summary", "lesson"}
    for item in items.values():
        assert (item.status, item.tainted, item.verification) == ("proposed", True, "unverified")
        author = item.head.author
        assert (author.writer, author.channel) == ("summariser", "summariser")
        assert (author.session, item.scope) == (studio.session.id, REPO)
        with studio.desk.store.read() as tx:
            evidence = tx.provenance.evidence(item.id)
            reached = [link.source for link in tx.provenance.links_to(studio.session.id)]
        assert item.id in reached
        assert evidence[-1].kind == "message"
        assert evidence[-1].pointer.startswith("claude-code:5eed-0001#u")
        assert evidence[-1].session == studio.session.id
        assert "Days are dropped" in evidence[-1].quote


def test_what_is_sent_is_the_conversation_alone(studio: Studio) -> None:
    """Without secrets and our own text, exactly as it is shown; a dry run sends nothing."""
    looked = studio.run(send=False)
    assert studio.sent() == []
    assert studio.items() == {}

    done = studio.run()

    (sent,) = studio.sent()
    assert [sent] == done.parts[0].prompts
    assert TOKEN not in sent
    assert "[redacted:" in sent
    assert "Ada likes tabs" not in sent
    assert "[1] user:\nWhy does the horn drift?" in sent
    assert "[2] assistant:\nDays are dropped" in sent
    shown = looked.parts[0].prompts[0]
    assert _without_nonce(shown) == _without_nonce(sent)


def _without_nonce(prompt: str) -> str:
    nonce = prompt.partition("--- ")[2].partition("\n")[0]
    assert len(nonce) == 32
    return prompt.replace(nonce, "")


def test_a_session_goes_on_where_it_ended(studio: Studio) -> None:
    """What was sent is not sent again; `again` begins anew."""
    studio.run()
    assert studio.run().parts == ()
    studio.say(("user", "Now rebuild the charts."))
    studio.answers({"summary": None, "items": []})

    done = studio.run()

    assert [one.messages for one in done.parts] == [1]
    assert "horn" not in studio.sent()[-1].partition("---")[2]
    assert studio.run(again=True).parts[0].messages == 3


def test_parts_end_at_compactions_and_caps(studio: Studio) -> None:
    """Each is within its tokens; what is over the run's parts waits for the next."""
    studio.say(("compact", ""), *[("user", f"Step {n}: " + "word " * 300) for n in range(6)])
    studio.answers({"summary": None, "items": []})

    first = studio.run(max_tokens=700, max_parts=2)
    second = studio.run(max_tokens=700, max_parts=9)

    assert [one.messages for one in first.parts] == [2, 2]
    assert first.more
    assert [one.messages for one in second.parts] == [2, 2]
    assert not second.more
    assert all(one.tokens < 700 + 600 for one in (*first.parts, *second.parts))


BAD: list[tuple[object, str]] = [
    ("Sure! Here you go.", "not JSON"),
    ("```json\n{}\n```", "not JSON"),
    ('{"summary": null, "items": [], "items": []}', "not JSON"),
    ("[" * 100_000, "not JSON"),
    ({"items": []}, "the answer has other fields"),
    ({"summary": None, "items": [], "approve": True}, "the answer has other fields"),
    ({"summary": None, "items": [{"kind": "rule"}]}, "an item has other fields"),
    ({"summary": None, "items": [{**GOOD["items"][0], "kind": "rule"}]}, "an unknown kind"),
    (
        {"summary": None, "items": [{**GOOD["items"][0], "messages": [3]}]},
        "a message that was not sent",
    ),
    (
        {"summary": None, "items": [{**GOOD["items"][0], "messages": []}]},
        "messages has not 1 to 8 numbers",
    ),
    ({"summary": None, "items": GOOD["items"] * 13}, "too many items"),
]


@pytest.mark.parametrize(("answer", "why"), BAD)
def test_a_bad_answer_is_set_aside(studio: Studio, answer: object, why: str) -> None:
    """After so many tries, told why each time; nothing of it is kept as a memory."""
    studio.answers(answer)

    done = studio.run(retries=2)

    assert [(one.state, one.bad) for one in done.parts] == [("bad", [why] * 3)]
    assert studio.items() == {}
    assert (len(studio.sent()), done.batch) == (3, "")
    assert f"could not be used ({why})" in studio.sent()[1]
    aside = studio.opened().set_aside()
    assert [(row["session"], row["why"]) for row in aside] == [(studio.session.id, why)] * 3
    assert studio.opened().clear() == 3
    assert studio.opened().set_aside() == []


def test_secrets_in_answers_are_kept_nowhere(studio: Studio) -> None:
    """Neither in an item nor in what is set aside, which only the user can read."""
    long = f"The mirror of the north wants the token {TOKEN} on every request that it gets."
    studio.answers({"summary": {**GOOD["summary"], "body": long}, "items": []})
    studio.run()
    studio.answers(f"not JSON, but {long}")
    studio.run(again=True, retries=0)

    assert "[redacted:" in studio.items()["summary"].content.body
    (row,) = studio.opened().set_aside()
    assert "[redacted:" in row["answer"]
    folder = studio.folder / "memory.db.summaries"
    assert folder.stat().st_mode & 0o777 == 0o700
    for file in folder.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
        assert TOKEN not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import time; time.sleep(60)", "slow"),
        ("while True: print('a' * 1000)", "too_big"),
        ("import sys; sys.exit(1)", "failed"),
    ],
)
def test_a_command_that_fails_stops_the_run(studio: Studio, program: str, why: str) -> None:
    """Nothing is kept or lost: the next run sends the same."""
    stopped = studio.opened(program, timeout_s=1 if why == "slow" else 30).run(studio.desk.ada)

    assert (stopped.stopped, stopped.parts, stopped.batch) == (why, (), "")
    assert studio.run().parts[0].outcomes == {"proposed": 2}


def test_only_repositories_on_the_list_are_sent(studio: Studio) -> None:
    """Nothing is, where none is named, and a name that only resembles one is another."""
    for patterns in ([], ["github.com/acm/*"], ["gitlab.com/*/*"], ["shop"]):
        with pytest.raises(Denied, match="not on your list"):
            studio.run(repositories=patterns)
    studio.put(replace(studio.session, repo=""))
    with pytest.raises(Denied, match="not on your list"):
        studio.opened(repositories=["*"]).run(studio.desk.ada, studio.session.id[-6:])
    assert studio.sent() == []


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("saving", "global"),
        ("capture", REPO),
        ("capture", "agent:claude-code"),
        ("capture", "session:claude-code:5eed-0001"),
    ],
)
def test_nothing_is_sent_while_it_is_off(studio: Studio, name: str, scope: str) -> None:
    """Neither saving nor the capture of that repository, agent or session; on, it is."""
    studio.desk.do(Set(name=name, value="off", scope=scope), studio.desk.ada)
    with pytest.raises(Denied, match="is off"):
        studio.run()
    assert studio.sent() == []
    studio.desk.do(Set(name=name, value="on", scope=scope), studio.desk.ada)
    assert studio.run().parts[0].state == "kept"


def test_agents_have_nothing_summarised(studio: Studio) -> None:
    """A person may, and a script that they set up."""
    script = Caller(
        principal=Principal.for_agent("script", channel="terminal"), place=studio.desk.ada.place
    )

    with pytest.raises(NeedsPerson):
        studio.opened().run(studio.desk.agent())
    assert studio.opened().run(script).parts[0].outcomes == {"proposed": 2}


def test_a_run_is_undone_whole(studio: Studio) -> None:
    """By the batch that it names."""
    batch = studio.run().batch
    with studio.desk.store.read() as tx:
        (summary,) = [e for e in tx.events.of(batch) if e.action == "imported"]

    studio.desk.do(Undo(event=summary.seq), studio.desk.ada_typed)

    assert studio.items("proposed", "active") == {}


def test_a_rejected_value_does_not_come_back(studio: Studio) -> None:
    """It is refused, and the rest of the answer arrives."""
    studio.run()
    item = studio.items()["lesson"]
    studio.desk.do(Reject(item=item.id, reason="wrong"), studio.desk.ada_typed)
    studio.desk.do(
        Reject(item=studio.items()["summary"].id, reason="not_useful"), studio.desk.ada_typed
    )
    studio.answers({**GOOD, "summary": {**GOOD["summary"], "title": "Another day at the horn"}})

    done = studio.run(again=True)

    assert done.parts[0].outcomes == {"refused": 1, "proposed": 1}


def test_approving_counts_as_the_persons_word(studio: Studio) -> None:
    """What a model wrote is believed once a person says so, not before."""
    studio.run()
    item = studio.items()["lesson"]

    studio.desk.do(Approve(item=item.id), studio.desk.ada_typed)

    assert studio.desk.stored(item.id).verification == "verified"


def test_sessions_are_found_by_their_ids(studio: Studio) -> None:
    """Ours or the client's; unknown ones and unreadable clients are told."""
    for part in (studio.session.id, studio.session.id[-6:], "5eed-0001"):
        assert (
            studio.opened().run(studio.desk.ada, part, send=False).session.id == studio.session.id
        )
    for part in ("nope", "5e"):
        with pytest.raises(NotFound):
            studio.opened().run(studio.desk.ada, part, send=False)
    studio.put(replace(studio.session, agent="aider"))
    with pytest.raises(UsageError, match="cannot be read"):
        studio.opened().run(studio.desk.ada, studio.session.id)


@pytest.mark.parametrize(
    "table",
    [
        {"command": "rm -rf"},
        {"command": [1]},
        {"repositories": "github.com/*"},
        {"max_tokens": 10},
        {"retries": True},
        {"automatic": "yes"},
        {"timeout_s": "1"},
    ],
)
def test_settings_that_make_no_sense_are_told(table: dict[str, object]) -> None:
    """Each by its name."""
    with pytest.raises(UsageError) as told:
        settings_of(table)
    assert told.value.details["field"] == next(iter(table))


def test_by_itself_only_a_whole_path_is_run() -> None:
    """What an agent or a repository puts into PATH chooses no program."""
    for words in (["my-summariser"], ["./my-summariser"], []):
        with pytest.raises(UsageError, match="whole path"):
            settings_of({"command": words, "automatic": True})
    assert settings_of({"command": ["/bin/cat"], "automatic": True}).automatic
    assert not settings_of({"command": ["/bin/cat"]}).automatic


@pytest.mark.parametrize("how", ["elsewhere", "dots", "link", "linked folder", "other ending"])
def test_only_a_clients_own_conversations_are_opened(studio: Studio, how: str) -> None:
    """A hook can name any file; one that is not where its agent keeps them is not looked at."""
    assert studio.run(send=False).parts[0].messages == 2
    outside = studio.folder.parent / f"{studio.folder.name}-outside"
    outside.mkdir()
    other = outside / "5eed-0001.jsonl"
    other.write_bytes(studio.transcript.read_bytes())
    (studio.folder / "5eed-0001-link.jsonl").symlink_to(other)
    (studio.folder / "below").symlink_to(outside)
    (studio.folder / "notes.txt").write_bytes(studio.transcript.read_bytes())
    told = {
        "elsewhere": other,
        "dots": f"{studio.folder}/../{outside.name}/5eed-0001.jsonl",
        "link": studio.folder / "5eed-0001-link.jsonl",
        "linked folder": studio.folder / "below" / "5eed-0001.jsonl",
        "other ending": studio.folder / "notes.txt",
    }
    studio.put(replace(studio.session, transcript=str(told[how])))

    for send in (False, True):
        with pytest.raises(TranscriptRefused) as refused:
            studio.run(send=send)
        assert refused.value.code == "denied.transcript"
    assert studio.sent() == []


def test_what_was_sent_can_be_looked_at(studio: Studio) -> None:
    """Made anew from the transcript, and not at all where that says something else."""
    studio.run()
    studio.say(("user", "And the bell?"))

    (row,) = studio.opened().sent()

    assert (row.session, row.messages) == (studio.session.id, 2)
    assert _without_nonce(row.text) == _without_nonce(studio.sent()[0])
    raw = (studio.folder / "memory.db.summaries" / "sent").read_text(encoding="utf-8")
    assert "horn" not in raw
    text = studio.transcript.read_text(encoding="utf-8")
    studio.transcript.write_text(text.replace("horn", "bell"), encoding="utf-8")
    assert [one.text for one in studio.opened().sent(studio.session.id[-6:])] == [""]
    assert studio.opened().sent("nobody") == []


def test_what_was_sent_can_be_looked_at_after_a_new_key(studio: Studio) -> None:
    """Keys that were in use before are known still; one that never was tells nothing."""
    studio.run()
    new = replace(SECRETS, key_id="k2", key=b"n" * 32, older=((SECRETS.key_id, SECRETS.key),))

    (row,) = studio.opened(secrets=new).sent()

    assert _without_nonce(row.text) == _without_nonce(studio.sent()[0])
    assert [one.text for one in studio.opened(secrets=replace(new, older=())).sent()] == [""]


def test_two_do_not_work_at_once(studio: Studio) -> None:
    """The second one says so and sends nothing."""
    with studio.kept.turn() as is_ours:
        assert is_ours
        with pytest.raises(Clash, match="just now"):
            studio.run()
    assert studio.sent() == []
    assert studio.run().parts[0].state == "kept"


def test_no_command_sends_nothing(studio: Studio) -> None:
    """Summaries are off until a command is named; looking is free."""
    with pytest.raises(UsageError, match="No command"):
        studio.run(command=[])
    assert studio.run(send=False, command=[]).parts[0].state == "looked"


def test_an_answer_is_read_as_documented() -> None:
    """The whole form, and a summary that is not there."""
    raw = json.dumps(GOOD).encode()

    assert [(one.kind, one.messages) for one in read(raw, messages=2)] == [
        ("summary", (1, 2)),
        ("lesson", (2,)),
    ]
    assert read(b'{"summary": null, "items": []}', messages=1) == []
    with pytest.raises(BadAnswer):
        read(raw, messages=1)


def test_no_half_of_a_secret_is_sent_or_set_aside(studio: Studio) -> None:
    """Where a message or an answer is cut, what stands across the cut is redacted before."""
    half = TOKEN[:-6]
    for before in (4_000, 32_000):
        studio.say(("user", "The gate. ".ljust(before - len(half)) + TOKEN + " and so on"))
    secrets = "\n".join([TOKEN] * 700)
    studio.say(("user", f"{secrets[:31_980]} {TOKEN} and so on"))
    studio.answers("No. ".ljust(64_000 - len(half)) + TOKEN + " and so on")

    studio.run(retries=0)

    sent = "".join(studio.sent())
    assert TOKEN[4:12] not in sent
    assert sent.count("more characters]") == 2
    (row,) = studio.opened().set_aside()
    assert TOKEN[4:12] not in row["answer"]
    assert row["answer"].startswith("No. ")


@pytest.mark.parametrize("elsewhere", ["repo:github.com/private/pay", "global"])
def test_a_session_that_was_elsewhere_too_is_not_sent(studio: Studio, elsewhere: str) -> None:
    """Every repository that it was in has to be on the list, and so a folder of none is not."""
    studio.put(replace(studio.session, scopes=(REPO, elsewhere)))

    with pytest.raises(Denied, match="not on your list"):
        studio.run()

    studio.end(scopes=(REPO, elsewhere))
    assert studio.opened(automatic=True).owed(str(studio.config)) == []
    assert studio.catch_up() == []
    assert studio.sent() == []
    studio.end(scopes=(REPO,))
    assert len(studio.catch_up()) == 1
