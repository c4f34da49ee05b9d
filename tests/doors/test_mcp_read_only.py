"""A store that can only be read: recall goes on as if nothing were, writing says why not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness import needs
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def obeying_modes() -> Sequence[str]:
    """What runs a command as someone whom a file's mode stops, even where root runs the tests."""
    if os.geteuid() != 0:
        return ()
    setpriv = needs.program("setpriv", "install util-linux, or run the tests as a user")
    return (setpriv, "--bounding-set", "-dac_override,-dac_read_search,-fowner")


def test_reading_goes_on_where_nothing_can_be_written(tmp_path: Path) -> None:
    """Known session or none: what is on record is found, read and packed; a write is refused."""
    store = tmp_path / "data" / "memory.db"
    env = environment(tmp_path, store)
    meta = {"sessionId": "s-1", "callId": "c-1"}
    with start_server(tmp_path, env, "--client", "codex") as server:
        saved = server.call("remember", meta, title="The gate opens at six", scope="agent")
        assert saved["structuredContent"]["outcome"] == "created"
        server.end()
    for path in store.parent.iterdir():
        path.chmod(0o400)
    store.parent.chmod(0o500)
    item = saved["structuredContent"]["id"]
    with start_server(tmp_path, env, "--client", "codex", before=obeying_modes()) as server:
        for about in (meta, {"sessionId": "s-2", "callId": "c-2"}, {}):
            found = server.call("recall", about, query="gate opens")
            whole = server.call("get", about, id=item)
            packed = server.call("context", about)
            refused = server.call("remember", about, title="It closes at ten", scope="agent")
            for result in (found, whole, packed):
                assert "isError" not in result, result
                assert "The gate opens at six" in result["content"][0]["text"]
            assert refused["isError"] is True
            assert refused["content"][0]["text"].endswith("(store.read_only)")
        assert server.end() == (0, [], "")
    store.parent.chmod(0o700)
