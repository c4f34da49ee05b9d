"""Index work that is owed, and answers that were given to idempotency keys."""

from __future__ import annotations

from onrecord.domain.ports import Store
from onrecord.testing.builders import digest


class OutboxSuite:
    """What the outbox keeps."""

    def test_owed_work_comes_oldest_first_until_it_is_done(self, store: Store) -> None:
        """Kinds are apart, the limit is an upper bound, and done work is gone."""
        with store.write() as tx:
            for kind, item, version in (
                ("vector", "b", 1),
                ("mirror", "a", 1),
                ("vector", "a", 2),
                ("vector", "b", 1),
            ):
                tx.outbox.add(kind, item, version, 9)

        with store.write() as tx:
            due = tx.outbox.due("vector")
            assert [entry[1:] for entry in due] == [("b", 1), ("a", 2), ("b", 1)]
            assert tx.outbox.due("vector", limit=2) == due[:2]
            assert tx.outbox.due("vector", limit=0) == []
            assert tx.outbox.due("sync") == []
            tx.outbox.done([due[0][0], due[2][0]])
            tx.outbox.done([])

        with store.read() as tx:
            assert tx.outbox.due("vector") == [due[1]]
            assert [entry[1:] for entry in tx.outbox.due("mirror")] == [("a", 1)]

    def test_the_number_of_done_work_is_not_given_again(self, store: Store) -> None:
        """A late report of work done cannot take off work that was added since."""
        with store.write() as tx:
            tx.outbox.add("vector", "a", 1, 1)
            ((first, _, _),) = tx.outbox.due("vector")
            tx.outbox.done([first])
            tx.outbox.add("vector", "b", 1, 2)
        with store.write() as tx:
            tx.outbox.done([first])

        with store.read() as tx:
            assert [entry[1:] for entry in tx.outbox.due("vector")] == [("b", 1)]


class AnswersSuite:
    """What the answers port keeps."""

    def test_an_answer_is_found_by_party_and_key(self, store: Store) -> None:
        """Request and answer come back as they were given."""
        answer = '{"code": "created", "say": "é"}'
        with store.write() as tx:
            tx.answers.put("codex", "key-1", digest("request"), answer, "item", 5)
            tx.answers.put("claude-code", "key-1", b"", "{}", "", 6)

        with store.read() as tx:
            assert tx.answers.get("codex", "key-1") == (digest("request"), answer)
            assert tx.answers.get("claude-code", "key-1") == (b"", "{}")
            assert tx.answers.get("codex", "key-2") is None
            assert tx.answers.get("codex", "KEY-1") is None
            assert tx.answers.get("cursor", "key-1") is None
