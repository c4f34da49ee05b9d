"""TOML that a person keeps is edited in place, and an edit can be taken back to the byte."""

from __future__ import annotations

import tomllib

import pytest

from onrecord.capture import config_toml
from onrecord.domain.errors import ConfigInvalid

PATH = ("mcp_servers", "onrecord")
VALUES = {
    "command": '/opt/a "b"/onrecord',
    "args": ["mcp", "--client", "codex"],
    "default_tools_approval_mode": "approve",
}

TEXTS = {
    "no_file": None,
    "empty_file": "",
    "blank_line": "\n",
    "blank_lines": "\n\n",
    "spaces": "  ",
    "mark_only": "\ufeff",
    "one": "a = 1\n",
    "no_line_end": "a = 1",
    "ends_blank": "a = 1\n\n",
    "windows": "a = 1\r\n[b]\r\nc = 2\r\n",
    "windows_no_line_end": "a = 1\r\n[b]\r\nc = 2",
    "mark": "\ufeffa = 1\n",
    "comment": "# mine\n",
    "comment_no_line_end": "a = 1 # mine",
    "others": '[mcp_servers.b]\ncommand = "y"\n',
    "table": "[mcp_servers]\n",
    "dotted": 'mcp_servers.b.command = "y"\n',
    "inline": 'mcp_servers = { b = { command = "y" } } # mine\nz = 1\n',
    "inline_empty": "mcp_servers = {}",
    "text_like_a_table": 'a = """\n[mcp_servers.onrecord]\ncommand = 1\n"""\n',
    "quotes_at_the_end": 'a = """x""""\nb = \'\'\'y\'\'\'\'\nc = "]"\n',
    "array_over_lines": "a = [\n  1, # ]\n  [2],\n]\n",
    "array_of_tables": '[[x]]\na = 1\n[[x]]\n["q]"]\n',
    "quoted_keys": '"a.b" = 1\n["c d"."e"]\n\'f\' = 2\n',
    "dates": "a = 2026-01-01T00:00:00Z\nb = 1_000\nc = inf\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_table_goes_in_and_out_without_a_trace(name: str) -> None:
    """Whatever the file's form, or without one, taking out gives the same bytes back."""
    before = TEXTS[name]
    after = config_toml.put_table(before, PATH, VALUES)

    assert config_toml.table(after, PATH) == VALUES
    assert config_toml.take_table(after, PATH) == before
    assert (
        config_toml.read(before).items() <= config_toml.read(after).items() or before is not None
    )


@pytest.mark.parametrize("name", TEXTS)
def test_everything_else_stays_as_it_was(name: str) -> None:
    """Beside the new table, the settings say the same."""
    before = config_toml.read(TEXTS[name])
    after = config_toml.read(config_toml.put_table(TEXTS[name], PATH, VALUES))
    del after["mcp_servers"]["onrecord"]
    before.setdefault("mcp_servers", {})

    assert after == before


def test_a_table_is_written_as_the_client_would() -> None:
    """A header, one key a line, after a blank line."""
    after = config_toml.put_table("a = 1\n", PATH, VALUES)

    assert after == (
        'a = 1\n\n[mcp_servers.onrecord]\ncommand = "/opt/a \\"b\\"/onrecord"\n'
        'args = ["mcp", "--client", "codex"]\ndefault_tools_approval_mode = "approve"\n'
    )


def test_an_empty_file_is_told_from_none() -> None:
    """A blank line shows that the file was there; both end with a line end."""
    made, filled = (config_toml.put_table(text, ("a",), {"b": 1}) for text in (None, ""))

    assert (made, filled) == ("[a]\nb = 1\n", "\n[a]\nb = 1\n")


def test_what_others_add_in_between_survives() -> None:
    """Tables after ours stay with their comments; what Codex keeps below ours goes with it."""
    made = config_toml.put_table("a = 1\n", PATH, VALUES)
    edited = (
        "# top\n"
        + made
        + "\n# mine\n[mcp_servers.onrecord.tools.recall]\napproval_mode = 'approve'\n"
        + "# trust\n\n[projects.'/home/ada']\ntrust_level = 'trusted'\n"
    )

    assert config_toml.take_table(edited, PATH) == (
        "# top\na = 1\n\n# mine\n# trust\n\n[projects.'/home/ada']\ntrust_level = 'trusted'\n"
    )


def test_a_file_that_was_made_and_then_used_stays() -> None:
    """What was written behind our table keeps the file."""
    made = config_toml.put_table(None, PATH, VALUES)

    assert config_toml.take_table(made + "\n[tui]\nx = 1\n", PATH) == "\n[tui]\nx = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers]\na = 1\nonrecord = {command = 'x'}\nb = 2\n",
        "mcp_servers.onrecord.command = 'x'\nmcp_servers.onrecord.args = [\n1]\nb = 2\n",
        "[mcp_servers]\nonrecord.command = 'x'\n'onrecord'.args = []\n[b]\n",
        'mcp_servers = { a = 1, onrecord = { command = "x" } }\n',
    ],
)
def test_a_table_in_another_form_is_taken_out_as_well(text: str) -> None:
    """Inline, dotted and nested forms of one table are the same table."""
    rest = config_toml.read(text)
    del rest["mcp_servers"]["onrecord"]
    gone = config_toml.take_table(text, PATH)
    left = config_toml.read(gone)
    left.setdefault("mcp_servers", {})

    assert left == rest


def test_a_value_is_replaced_in_place() -> None:
    """Only the value changes: comments, order and a byte order mark stay."""
    text = "\ufeff# a\n[mcp_servers.onrecord] # b\ncommand = 'x' # c\nargs = [] # d\n"

    assert config_toml.set_value(text, PATH, "command", "/y") == text.replace("'x'", '"/y"')


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("a =", {"line": 1}),
        ("a = 1\na = 2\n", {"line": 2}),
        ("mcp_servers = 1\n", {"member": "mcp_servers"}),
        ("[[mcp_servers]]\na = 1\n", {"member": "mcp_servers"}),
        ("a = " + "[" * 5_000, {"line": 1}),
    ],
)
def test_what_cannot_hold_the_table_is_refused(text: str, details: dict[str, object]) -> None:
    """A broken or differently used file gives a coded error and none of its text."""
    with pytest.raises(ConfigInvalid) as caught:
        config_toml.put_table(text, PATH, VALUES)

    assert caught.value.code == "config.invalid"
    assert caught.value.details == details


def test_a_table_below_something_else_is_refused() -> None:
    """Where a number stands, there is no table to look into."""
    with pytest.raises(ConfigInvalid) as caught:
        config_toml.table("mcp_servers = 1\n", PATH)

    assert caught.value.details == {"member": "onrecord"}


def test_the_written_table_is_toml() -> None:
    """Any program path can be written and read back."""
    for path in ("C:\\x\\onrecord.exe", "/o'p/\u00e9 \t\"", "/\N{GRINNING FACE}"):
        made = config_toml.put_table(None, PATH, {"command": path})

        assert tomllib.loads(made)["mcp_servers"]["onrecord"]["command"] == path
