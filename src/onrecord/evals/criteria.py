"""The acceptance criteria by id, and which tests of a checkout hold each one to its word.

A criterion's tests are found by their names: `scope.typo_is_told` is every function whose name
starts with `test_scope_typo_is_told`. Where tests of another name prove it, they are named here.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SECTIONS: Final = {
    "A": "scope and authority",
    "B": "evidence and belief",
    "C": "correction, tombstones, forgetting",
    "D": "recall and packs",
    "E": "continuity",
    "F": "durability and safety",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Criterion:
    """One thing that must hold."""

    id: str
    #: letter of its section
    section: str
    #: further tests that prove it, as `file::function` or a whole file, below `tests`
    also: tuple[str, ...] = ()
    #: false: what it speaks of is part of the server, which there is none of yet
    built: bool = True

    @property
    def prefix(self) -> str:
        """What names of its tests start with."""
        return f"test_{self.id.replace('.', '_')}"


_A: Final = """
    scope.cross_tenant_absent scope.caller_cannot_widen scope.background_respects_boundary
    scope.by_id_is_scoped scope.typo_is_told gateway.no_bypass_path
    gateway.model_cannot_claim_human_authority gateway.agent_cannot_approve
    gateway.saving_switch_live gateway.nothing_swallowed gateway.stale_write_refused
"""
_B: Final = """
    evidence.claim_resolves_to_source evidence.source_delete_reaches_derived
    evidence.rebuild_from_retained evidence.citation_checked_at_read belief.copying_never_raises
    belief.withheld_states
"""
_C: Final = """
    tombstone.laundering_sequence tombstone.survives_ttl_and_prune
    tombstone.key_normalization_attack tombstone.reextraction_stays_inactive
    tombstone.no_second_memory_unit deletion.absent_after_reindex_and_restart
    deletion.absent_from_shared_copies deletion.no_residue deletion.restore_does_not_resurrect
    correction.survives_reindex correction.retraction_without_replacement
    correction.undo_is_exact time.as_of_stable audit.every_change_has_its_event
    audit.tampering_detected
"""
_D: Final = """
    retrieval.k_is_an_upper_bound retrieval.query_is_text retrieval.finds_what_people_type
    retrieval.abstains prompt.recall_is_fenced_as_data prompt.once_per_session
    delivery.is_logged_with_reasons
"""
_E: Final = """
    session.real_claude_code session.real_codex session.attribution handoff.crash_safe
    handoff.claim_lease_ack connect.is_reversible
"""
_F: Final = """
    durability.kill9 durability.power_loss durability.nth_failure durability.many_processes
    durability.disk_full durability.corrupt_file durability.backup_under_load
    durability.migration_cut durability.version_skew server.postgres_restarts server.overload
    server.rolling_restart safety.secrets safety.poison safety.containment safety.http_hardening
    safety.xss safety.csrf safety.webhook_replay safety.revocation safety.file_modes
    safety.roles_matrix safety.rls_probes safety.path_traversal safety.import_bombs safety.redos
"""

_SERVER: Final = frozenset(
    """
    scope.cross_tenant_absent server.postgres_restarts server.overload server.rolling_restart
    safety.http_hardening safety.xss safety.csrf safety.webhook_replay safety.revocation
    safety.roles_matrix safety.rls_probes
    """.split()
)
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "safety.poison": ("unit/policy/test_screen.py::test_poison_corpus",),
    "safety.containment": (
        "properties/test_taint.py",
        "unit/service/test_packs.py::test_tainted_text_is_never_given_unreviewed",
        "unit/service/test_packs.py::test_tainted_text_that_a_person_approved_is_given",
        "unit/service/test_packs.py::test_a_lapsed_or_tainted_handoff_is_not_given",
    ),
    "safety.redos": ("security/test_redaction_speed.py",),
    "safety.path_traversal": (
        "unit/capture/test_project_files.py::test_links_out_are_neither_found_nor_read",
        "unit/capture/test_citation_digest.py::test_what_lies_outside_is_never_read",
    ),
}

CRITERIA: Final = tuple(
    Criterion(id=name, section=letter, also=_ALSO.get(name, ()), built=name not in _SERVER)
    for letter, names in zip(SECTIONS, (_A, _B, _C, _D, _E, _F), strict=True)
    for name in names.split()
)


def find_tests(tests: Path) -> dict[str, list[tuple[str, str]]]:
    """Criterion -> its tests as (file below the folder, function), read and not run.

    Where two ids start a name, the longer one has it.
    """
    found: dict[str, list[tuple[str, str]]] = {one.id: [] for one in CRITERIA}
    for path in sorted(tests.rglob("test_*.py")):
        file = path.relative_to(tests).as_posix()
        for function in _functions(path):
            for one in CRITERIA:
                if file in one.also or f"{file}::{function}" in one.also:
                    found[one.id].append((file, function))
            named = [one for one in CRITERIA if _is_of(function, one)]
            if named:
                owner = max(named, key=lambda one: len(one.id))
                if (file, function) not in found[owner.id]:
                    found[owner.id].append((file, function))
    return found


def _functions(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def _is_of(function: str, one: Criterion) -> bool:
    return function == one.prefix or function.startswith(f"{one.prefix}_")
