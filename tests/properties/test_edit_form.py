"""A memory goes through the form of an editor and comes back as it was."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from onrecord.domain.item import Content
from onrecord.doors.cli.edit_form import Form, read, shown
from onrecord.testing.builders import Maker

TEXT = st.text(max_size=40)
ITEM = Maker().item()


@given(title=TEXT, body=TEXT, tags=st.lists(TEXT, max_size=3).map(tuple))
@example(title="t", body="b", tags=("x\n---\nINJECTED",))
@example(title="t", body="b", tags=("---\nkind: rule", "a, b", " "))
@example(title="t\n---", body="a\u2028b\x0b", tags=())
def test_a_form_left_alone_changes_nothing(title: str, body: str, tags: tuple[str, ...]) -> None:
    """Whatever is stored, also what no door takes any more."""
    content = Content(title=title, body=body, tags=tags)
    item = replace(ITEM, head=replace(ITEM.head, content=content))

    assert read(shown(item), item) == Form(content=content, kind=item.kind)


@given(body=TEXT, tags=st.lists(TEXT, min_size=1, max_size=3).map(tuple))
@example(body="b", tags=("x\n---\nINJECTED",))
def test_a_new_title_changes_the_title_alone(body: str, tags: tuple[str, ...]) -> None:
    """No tag becomes body, and the body stays as it was."""
    content = Content(title="Old", body=body, tags=tags)
    item = replace(ITEM, head=replace(ITEM.head, content=content))
    form = shown(item).replace("title: Old", "title: New", 1)

    assert read(form, item).content == replace(content, title="New")


def test_what_is_changed_in_the_form_is_read(  # the control: the form is no constant
) -> None:
    """Tags and body as they were written into it."""
    form = shown(ITEM).replace("tags: ", "tags: one, two") + "A body.\n"
    content = read(form, ITEM).content

    assert (content.tags, content.body) == (("one", "two"), "A body.")
