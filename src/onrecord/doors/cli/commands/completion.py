"""Print what makes a shell complete commands, options and their values.

bash: eval "$(onrecord completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit.
fish: onrecord completion fish > ~/.config/fish/completions/onrecord.fish
"""

from __future__ import annotations

import argparse

from onrecord.doors.cli import streams
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.shells import SHELLS, script

EXAMPLES = """examples:
  eval "$(onrecord completion bash)"
  onrecord completion fish > ~/.config/fish/completions/onrecord.fish
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("shell", choices=SHELLS, help=", ".join(SHELLS))


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Do it."""
    made = script(args.shell)
    if desk.as_json:
        desk.data({"shell": args.shell, "script": made})
    else:
        streams.write(made)
    return 0
