"""Summaries without being asked: what is owed, once, whatever happens in between."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from onrecord.service.commands import Set
from onrecord.service.summary_owed import TRIES, WAIT
from studio import GOOD, Studio

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk

FAILS = "import sys; sys.exit(1)"


@pytest.fixture
def studio(desk: Desk, tmp_path: Path) -> Studio:
    """A session that was talked in."""
    return Studio(desk, tmp_path)


def states(studio: Studio) -> list[str]:
    """What is owed."""
    return [one.state for one in studio.opened(automatic=True).owed(str(studio.config))]


def test_a_session_is_owed_once_it_has_ended(studio: Studio) -> None:
    """Not while it goes on, and not again; what is said after it was taken up again is."""
    assert studio.catch_up() == []
    studio.end()
    assert states(studio) == ["owed"]

    (done,) = studio.catch_up()

    assert done.parts[0].outcomes == {"proposed": 2}
    assert states(studio) == []
    assert studio.catch_up() == []
    assert len(studio.sent()) == 1
    studio.say(("user", "Now the bell."))
    assert [part.messages for one in studio.catch_up() for part in one.parts] == [1]
    items = studio.items()
    assert {item.status for item in items.values()} == {"proposed"}
    assert all(item.tainted for item in items.values())


def test_it_is_off_until_it_is_wanted(studio: Studio) -> None:
    """A command alone runs nothing by itself."""
    studio.end()

    assert studio.opened().catch_up(str(studio.config)) == []
    assert studio.opened().owed(str(studio.config)) == []
    assert studio.sent() == []
    assert len(studio.catch_up()) == 1


def test_a_compaction_owes_the_part_before_it(studio: Studio) -> None:
    """The rest follows with the end, and nothing of it is sent twice."""
    studio.end(ended_at=None, compactions=1)
    assert studio.catch_up() == []
    assert states(studio) == ["owed"]
    studio.say(("compact", ""), ("user", "Now the bell."))

    (part,) = studio.catch_up()

    assert [one.messages for one in part.parts] == [2]
    assert states(studio) == []
    assert "bell" not in studio.sent()[0]
    studio.end()
    (rest,) = studio.catch_up()
    assert [one.messages for one in rest.parts] == [1]
    assert "horn" not in studio.sent()[1].partition("---")[2]
    assert studio.catch_up() == []


def test_a_part_that_was_kept_is_not_kept_again(studio: Studio) -> None:
    """Where a crash lost how far it was, another answer to the same part adds nothing."""
    studio.end()
    studio.catch_up()
    for name in ("progress", "owed"):
        (studio.folder / "memory.db.summaries" / name).unlink()
    studio.answers({**GOOD, "summary": {**GOOD["summary"], "title": "The horn, told otherwise"}})

    (done,) = studio.catch_up()

    assert [(one.state, one.outcomes) for one in done.parts] == [("known", {})]
    assert studio.items()["summary"].content.title == "The horn drifted"
    assert states(studio) == []


def test_a_crash_before_anything_was_kept_leaves_it_owed(studio: Studio) -> None:
    """It is sent again, and its answer kept."""
    studio.end()
    killed = studio.catch_up("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert killed[0].stopped == "failed"
    assert studio.items() == {}
    studio.desk.clock.advance(WAIT)

    assert studio.catch_up()[0].parts[0].outcomes == {"proposed": 2}


def test_a_command_that_fails_is_tried_a_few_times(studio: Studio) -> None:
    """Ever later, then no more by itself; a person can still have it done."""
    studio.end()
    for tries in range(TRIES):
        assert [one.stopped for one in studio.catch_up(FAILS)] == ["failed"]
        assert studio.catch_up(FAILS) == []
        assert states(studio) == ["waits" if tries < TRIES - 1 else "given_up"]
        studio.desk.clock.advance(WAIT * 2**tries)

    (row,) = studio.opened(automatic=True).owed(str(studio.config))
    assert (row.state, row.tries, row.why) == ("given_up", TRIES, "failed")
    assert studio.run().parts[0].outcomes == {"proposed": 2}
    assert states(studio) == []
    assert studio.catch_up() == []
    studio.say(("user", "Now the bell."))
    assert states(studio) == ["owed"]


@pytest.mark.parametrize(
    ("name", "scope"), [("saving", "global"), ("capture", "agent:claude-code")]
)
def test_nothing_is_sent_while_it_is_off(studio: Studio, name: str, scope: str) -> None:
    """It stays owed, and is no try."""
    studio.end()
    studio.desk.do(Set(name=name, value="off", scope=scope), studio.desk.ada)
    assert studio.catch_up() == []
    assert (studio.sent(), states(studio)) == ([], ["owed"])
    studio.desk.do(Set(name=name, value="on", scope=scope), studio.desk.ada)

    assert len(studio.catch_up()) == 1


def test_only_what_was_said_since_it_was_wanted(studio: Studio) -> None:
    """A session that was over by then is left alone."""
    studio.end()
    later = studio.session.last_event_at / 1_000_000 + 10
    os.utime(studio.config, (later, later))
    studio.desk.clock.advance(60 * 1_000_000)

    assert states(studio) == []  # looking notes nothing
    assert studio.catch_up() == []
    assert studio.sent() == []
    studio.end()
    assert len(studio.catch_up()) == 1


def test_settings_that_others_could_have_written_do_nothing(studio: Studio) -> None:
    """Neither a file that others may write or put there nor one in the folder worked in."""
    studio.end()
    where = studio.folder / "real"
    where.mkdir(mode=0o700)
    studio.config = studio.config.rename(where / "config.toml")
    for path, mode, as_it_was in (
        (studio.config, 0o602, 0o600),
        (studio.config, 0o620, 0o600),
        (where, 0o770, 0o700),
        (where, 0o1777, 0o700),
    ):
        path.chmod(mode)
        assert studio.catch_up() == []
        path.chmod(as_it_was)
    real, link = studio.config, studio.folder / "linked" / "config.toml"
    link.parent.mkdir(mode=0o700)
    link.symlink_to(real)
    studio.config = link
    for folder in (where, link.parent):
        folder.chmod(0o770)
        assert studio.catch_up() == []
        folder.chmod(0o700)
    assert states(studio) == ["owed"]
    studio.put(replace(studio.session, cwd=str(studio.folder)))
    assert studio.catch_up() == []
    assert studio.sent() == []
    studio.put(studio.session)

    assert len(studio.catch_up()) == 1


def test_a_run_has_so_many_parts_and_no_more(studio: Studio) -> None:
    """What is over them waits for the next."""
    studio.say(*[("user", f"Step {n}: " + "word " * 300) for n in range(6)])
    studio.answers({"summary": None, "items": []})
    studio.end()

    counts = [
        len(one.parts) for _ in range(3) for one in studio.catch_up(max_tokens=700, max_parts=2)
    ]

    assert counts == [2, 1]
    assert states(studio) == []
    assert all(len(prompt) < 8_000 for prompt in studio.sent())


def test_a_command_that_fails_is_asked_once_a_time(studio: Studio) -> None:
    """However many sessions are owed: the others wait, and none of them counts it as a try."""
    studio.end()
    for number in range(11):
        studio.another(f"5eed-1{number:03}", later=number)
    assert states(studio) == ["owed"] * 12
    asked = "import sys; open({!r}, 'a').write('x'); sys.exit(1)"
    ran = studio.folder / "ran"

    for times in range(1, 3):
        assert len(studio.catch_up(asked.format(str(ran)), max_parts=8)) == 1
        assert len(ran.read_text(encoding="utf-8")) == times

    assert sorted(states(studio)) == ["owed"] * 10 + ["waits"] * 2
    assert len(studio.catch_up(max_parts=1)) == 1


def test_parts_of_a_session_that_was_cut_off_count(studio: Studio) -> None:
    """What was handed over before capture went off is taken from the run's parts as well."""
    studio.say(*[("user", f"Step {n}: " + "word " * 300) for n in range(6)])
    studio.end()
    later = studio.another("5eed-0002").id
    asked: list[str] = []

    class SwitchesOff:
        """Answers, and the user switches the first session off meanwhile."""

        def ask(self, prompt: str) -> bytes:
            asked.append(prompt)
            off = Set(name="capture", value="off", scope="session:claude-code:5eed-0001")
            studio.desk.do(off, studio.desk.ada)
            return b'{"summary": null, "items": []}'

    opened = studio.opened(summariser=SwitchesOff(), automatic=True, max_tokens=700, max_parts=2)
    opened.catch_up(str(studio.config))

    assert len(asked) == 2
    assert [row.session for row in studio.opened().sent()] == [studio.session.id, later]
