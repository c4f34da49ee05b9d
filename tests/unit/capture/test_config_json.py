"""JSON that a person keeps is edited in place, and an edit can be taken back to the byte."""

from __future__ import annotations

import json

import pytest

from onrecord.capture import config_json, jsonc
from onrecord.domain.errors import ConfigInvalid

SERVER: jsonc.Json = {"type": "stdio", "command": "/opt/x", "args": ["mcp"]}

TEXTS = {
    "no_file": None,
    "empty_file": "",
    "blank_file": "\n\n",
    "mark_only": "\ufeff",
    "empty": "{}",
    "empty_spaced": "{ }",
    "empty_lines": "{\n}\n",
    "comment_inside": "{ // nothing yet\n}\n",
    "one_line": '{"a":1}',
    "one_line_spaced": '{"a": 1, "b": [1, 2]}',
    "two_spaces": '{\n  "a": 1\n}\n',
    "no_line_end": '{\n  "a": 1\n}',
    "four_spaces": '{\n    "a": {\n        "b": 1\n    }\n}\n',
    "tabs": '{\n\t"a": 1\n}\n',
    "no_indent": '{\n"a": 1\n}\n',
    "odd_indent": '{\n   "a": 1,\n "b": 2\n     }\n',
    "windows": '{\r\n  "a": 1\r\n}\r\n',
    "mark": '\ufeff{\n  "a": 1\n}\n',
    "trailing_comma": '{\n  "a": 1,\n}\n',
    "trailing_comma_one_line": '{"a":1 ,}',
    "comments": '// top\n{\n  "a": 1 // one\n  /* after */\n}\n// end',
    "comment_after_comma": '{\n  "a": 1, // one\n  // two\n}\n',
    "comment_without_line": '{"a":1 /* x */}',
    "container_empty": '{\n  "mcpServers": {}\n}\n',
    "container_spaced": '{\n  "mcpServers": {\n  }\n}\n',
    "container_comment": '{"mcpServers":{/* none */}}',
    "container_full": '{\n  "mcpServers": {\n    "b": {"command": "y"}\n  },\n  "z": 0\n}\n',
    "container_one_line": '{\n  "mcpServers": {"b": {"command": "y"}}\n}\n',
    "escaped_key": '{"mcp\\u0053ervers": {"b": 1}}',
    "key_twice": '{"mcpServers": {"a": 1}, "mcpServers": {"b": 1}}',
}


def trail_of(text: str, *names: str) -> list[int]:
    """Where the members of these names stand, each the last of its name."""
    node, trail = jsonc.read(text), []
    for name in names:
        assert node is not None
        trail.append([entry.key for entry in node.entries].index(name))
        if [entry.key for entry in node.entries].count(name) > 1:
            trail[-1] = len(node.entries) - 1
        node = node.entries[trail[-1]].value
    return trail


@pytest.mark.parametrize("name", TEXTS)
def test_a_member_goes_in_and_out_without_a_trace(name: str) -> None:
    """Whatever the file's form, or without one, taking out gives the same bytes back."""
    before = TEXTS[name]
    after = config_json.put_member(before, ["mcpServers"], "ours", SERVER)
    gone = config_json.take_out(after, trail_of(after, "mcpServers", "ours"))

    assert gone == before
    node = jsonc.follow(jsonc.read(after), ["mcpServers", "ours"])
    assert node is not None
    assert jsonc.value_of(after, node) == SERVER


@pytest.mark.parametrize("name", TEXTS)
def test_an_element_goes_in_and_out_without_a_trace(name: str) -> None:
    """The same for an array some containers down, filled twice and emptied in either order."""
    before = TEXTS[name]
    after = config_json.put_element(before, ["hooks", "Stop"], {"hooks": [1]})
    after = config_json.put_element(after, ["hooks", "Stop"], "second")
    trail = trail_of(after, "hooks", "Stop")
    last = config_json.take_out(after, [*trail, 1])
    assert last is not None

    assert config_json.take_out(last, [*trail, 0]) == before
    first = config_json.take_out(after, [*trail, 0])
    assert first is not None
    assert config_json.take_out(first, [*trail, 0]) == before


PLAIN = [text for name, text in TEXTS.items() if text and "comm" not in name and "{" in text]


@pytest.mark.parametrize("before", PLAIN)
def test_plain_json_stays_plain_json(before: str) -> None:
    """A file without comments can still be read by a strict reader after an edit."""
    after = config_json.put_member(before, ["mcpServers"], "ours", SERVER)

    assert json.loads(after.removeprefix("\ufeff"))["mcpServers"]["ours"] == SERVER


def test_a_new_file_looks_as_the_client_would_write_it() -> None:
    """Two spaces, one entry a line, a line end."""
    made = config_json.put_member(None, ["mcpServers"], "ours", SERVER)

    assert made == json.dumps({"mcpServers": {"ours": SERVER}}, indent=2) + "\n"


def test_an_entry_takes_the_files_own_layout() -> None:
    """Indentation and line ends are those of the file."""
    before = '{\r\n\t"mcpServers": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n'
    after = config_json.put_member(before, ["mcpServers"], "ours", {"x": 1})

    assert after == (
        '{\r\n\t"mcpServers": {\r\n\t\t"b": 1,\r\n\t\t"ours": {\r\n\t\t\t"x": 1\r\n\t\t}'
        "\r\n\t}\r\n}\r\n"
    )


def test_a_comment_stays_with_the_entry_that_it_stands_behind() -> None:
    """The comma goes before the comment, the new entry below it."""
    after = config_json.put_member('{\n  "a": 1 // one\n}', [], "b", 2)

    assert after == '{\n  "a": 1, // one\n  "b": 2\n}'


def test_what_a_person_adds_in_between_survives() -> None:
    """Entries and comments that came after ours stay when ours goes."""
    made = config_json.put_member(None, ["mcpServers"], "ours", 1)
    edited = made.replace('"ours": 1', '"ours": 1, // theirs below\n    "theirs": 2 // mine')
    gone = config_json.take_out(edited, trail_of(edited, "mcpServers", "ours"))

    assert gone == ('{\n  "mcpServers": { // theirs below\n    "theirs": 2 // mine\n  }\n}\n')


def test_a_comment_of_a_persons_keeps_its_container() -> None:
    """A container that was made stays where a person wrote something into it."""
    made = config_json.put_member(None, ["mcpServers"], "ours", 1)
    edited = made.replace('"ours": 1', '"ours": 1 // mine')
    gone = config_json.take_out(edited, trail_of(edited, "mcpServers", "ours"))

    assert gone == '{\n  "mcpServers": { // mine\n  }\n}\n'


def test_a_comment_beside_the_object_keeps_the_file() -> None:
    """A file that was made stays where a person wrote beside the object."""
    made = config_json.put_member(None, ["mcpServers"], "ours", 1)
    gone = config_json.take_out("// mine\n" + made, trail_of(made, "mcpServers", "ours"))

    assert gone == "// mine\n{\n}\n"


def test_a_value_is_replaced_in_place() -> None:
    """Only the value changes; quotes and letters outside ASCII are written as they are."""
    text = '{"a": {"command" : "/old" , "b":1}} // c'
    node = jsonc.follow(jsonc.read(text), ["a", "command"])
    assert node is not None

    assert config_json.replace(text, node, '/n\u00e9w "x"') == (
        '{"a": {"command" : "/n\u00e9w \\"x\\"" , "b":1}} // c'
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", 1),
        ("[]", 1),
        ('"text"', 1),
        ("{}\n{}", 2),
        ("{'a': 1}", 1),
        ("{a: 1}", 1),
        ('{"a" 1}', 1),
        ('{"a": 1\n "b": 2}', 2),
        ('{"a": 01}', 1),
        ('{"a": tru}', 1),
        ('{"a": NaN}', 1),
        ('{"a": "x\ny"}', 1),
        ('{"a": "\\x"}', 1),
        ("{,}", 1),
        ('{"a": 1,,}', 1),
        ('{"a": 1} /* open', 1),
        ("// only a comment", 1),
        ('{"a": ' + "[" * 300 + "]" * 300 + "}", 1),
        ('{"a": ' + "[" * 100_000, 1),
    ],
)
def test_what_is_no_json_object_is_refused_with_its_line(text: str, line: int) -> None:
    """A broken file gives a coded error that names the line and none of the text."""
    with pytest.raises(ConfigInvalid) as caught:
        config_json.put_member(text, ["mcpServers"], "ours", 1)

    assert caught.value.code == "config.invalid"
    assert caught.value.details["line"] == line


@pytest.mark.parametrize(
    "text", ['{"mcpServers": []}', '{"mcpServers": null}', '{"mcpServers": "x"}']
)
def test_another_kind_of_value_in_the_way_is_refused(text: str) -> None:
    """Where an object belongs, nothing else is replaced."""
    with pytest.raises(ConfigInvalid) as caught:
        config_json.put_member(text, ["mcpServers"], "ours", 1)

    assert caught.value.details["member"] == "mcpServers"


def test_a_large_file_is_edited_in_reasonable_time() -> None:
    """State files of a few megabytes are read whole without recursion or quadratic steps."""
    history = {f"/home/ada/{n}": {"history": [{"display": "x" * 40}] * 10} for n in range(2_000)}
    before = json.dumps({"projects": history}, indent=2)
    after = config_json.put_member(before, ["mcpServers"], "ours", 1)

    assert len(before) > 1_000_000
    assert config_json.take_out(after, trail_of(after, "mcpServers", "ours")) == before
