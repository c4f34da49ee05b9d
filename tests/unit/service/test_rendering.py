"""How items, sessions and handoffs stand in a fence."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.session import Session
from onrecord.policy.fence import parse
from onrecord.service import rendering
from onrecord.service.rendering import PAGE, SHORT_BODY
from onrecord.testing.builders import START, Maker

NOW = START


def test_marks_say_what_is_not_settled() -> None:
    """Belief below verified, a status that is not active, expiry and pins are shown."""
    make = Maker()
    plain = replace(make.item("plain"), verification="verified")
    other = replace(
        make.item("other", status="proposed"),
        verification="stale",
        expires_at=NOW - 1,
        pinned=True,
    )
    found = parse(rendering.as_data([plain, other], now=NOW))

    assert [entry.marks for entry in found] == [(), ("stale", "proposed", "expired", "pinned")]


def test_names_in_one_block_are_apart() -> None:
    """Six characters of an id, or as many more as it takes."""
    make = Maker()
    one = make.item("one")
    two = replace(make.item("two"), id=f"{'Z' * 18}{one.id[-8:]}")
    three = replace(make.item("three"), id=f"{'Y' * 20}{one.id[-6:]}")
    names = [entry.id for entry in parse(rendering.as_data([one, two, three], now=NOW))]

    assert len(set(names)) == 3
    assert all(name.endswith(one.id[-6:]) for name in names)


def test_a_body_is_cut_at_its_length_and_no_sooner() -> None:
    """One character more than fits, and the cut says so."""
    make = Maker()
    fits = make.item("fits", body="x" * SHORT_BODY)
    not_quite = make.item("not quite", body="x" * (SHORT_BODY + 1))
    short, cut = parse(rendering.as_data([fits, not_quite], now=NOW))

    assert short.body == "x" * SHORT_BODY
    assert cut.body.startswith("x" * SHORT_BODY + "\n[1 of 1201 characters not shown: get ")


def test_pages_are_the_whole_body() -> None:
    """Whatever characters stand at the cut."""
    body = "a\U0001f6a2\n" * PAGE
    item = Maker().item("long", body=body)
    pages = [
        parse(rendering.as_page(item, now=NOW, start=start))[0].body
        for start in range(0, len(body), PAGE)
    ]

    assert "".join(pages) == body
    assert "characters follow" not in rendering.as_page(item, now=NOW, start=PAGE * 2)
    assert "characters follow: get with offset=8000" in rendering.as_page(item, now=NOW, start=0)


def test_a_session_shows_what_was_asked_and_done() -> None:
    """Prompts, commits up to a number, the diff; a synthetic one says what it is."""
    make = Maker()
    done = Session(
        id=make.item("x").id,
        agent="codex",
        agent_session="s1",
        repo="repo:github.com/acme/shop",
        started_at=NOW,
        last_event_at=NOW,
        ended_at=NOW,
        first_prompt="fix the gate",
        last_prompt="and test it",
        prompts=2,
        commits=tuple(f"c{n} step" for n in range(12)),
        diff_stat="2 files, +3 -1",
    )
    unknown = Session(
        id=make.item("y").id, agent="codex", started_at=NOW, last_event_at=NOW, synthetic=True
    )
    joined = replace(unknown, id=make.item("z").id, parent=done.id)
    shown, synthetic, linked = parse(rendering.sessions_as_data([done, unknown, joined]))

    assert shown.body.splitlines()[:2] == [
        "first prompt: fix the gate",
        "last prompt: and test it",
    ]
    assert shown.body.count("commit ") == 10
    assert "[2 more commits]\n2 files, +3 -1" in shown.body
    assert synthetic.marks == ("synthetic: no hook told of it",)
    assert linked.marks[1] == f"joined to {done.id[-6:]}"
