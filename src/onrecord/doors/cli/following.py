"""Which configuration file the hooks of this account follow, if any."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.config import config_file
from onrecord.service.summary_owed import written_at
from onrecord.service.who import home_of


def followed_file(store: str, environ: Mapping[str, str]) -> str:
    """The file that hooks take a summariser from; empty where they take none.

    That is the one at its usual place in the account's own home, which nobody but the user may
    write, and which a command run here reads as well.
    """
    home = home_of(store, environ)
    file = config_file({"HOME": home}) if home else ""
    is_usual = "ONRECORD_CONFIG" not in environ and file == config_file(environ)
    return file if file and is_usual and written_at(file) is not None else ""
