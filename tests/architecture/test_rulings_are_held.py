"""Each ruling of the model is held by a named test: where steps meet, somebody decided once.

A statement is in words of ours; the tests are those that go red when it stops holding.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Final

import pytest

from corpora import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

#: Where tests stand: our own, and the suites that every store passes.
PLACES: Final = (ROOT / "tests", ROOT / "src" / "onrecord")

WRITING: Final = {
    "an agent's write that clashes is kept waiting, linked, and answered as a conflict": (
        "unit/service/test_likeness.py::test_a_conflict_never_loses_text",
    ),
    "nobody has to try again for a clashing text to survive": (
        "unit/service/test_gateway_steps.py::test_step_9_a_stale_write_is_kept_as_a_conflict",
        "acceptance/test_gateway_nothing_swallowed.py::test_gateway_nothing_swallowed_by_a_key",
    ),
    "what looks like a contradiction or a likeness is flagged and linked": (
        "acceptance/test_gateway_nothing_swallowed_of_another_time.py::test_gateway_nothing_swallowed_of_what_is_alike",
    ),
    "neither of the two ever refuses": (
        "properties/test_nothing_swallowed.py::test_no_statement_is_swallowed",
    ),
    "a key is one active item's": (
        "unit/service/test_likeness.py::test_keys_are_unique_among_active_items_and_proposals_may_share_one",
    ),
    "several proposals may share a key": (
        "unit/service/test_likeness.py::test_keys_are_unique_among_active_items_and_proposals_may_share_one",
    ),
    "a blind write to one's own unreviewed item updates it": (
        "unit/service/test_likeness.py::test_a_blind_upsert_of_ones_own_note_updates_it",
        "unit/service/test_review_policy.py::test_policy_none_updates_an_agents_own_unreviewed_item",
    ),
    "one to another agent's shared item is proposed in its place": (
        "unit/service/test_review_policy.py::test_policy_none_never_lets_an_agent_displace_another",
    ),
    "one to a person's item is proposed whatever the policy": (
        "unit/service/test_gateway_steps.py::test_step_9_an_agent_never_displaces_a_person",
        "unit/service/test_review_policy.py::test_policy_none_never_lets_an_agent_displace_a_person",
    ),
    "who read nothing counts as having read when the session began": (
        "unit/service/test_likeness.py::test_not_read_counts_as_read_at_session_start",
    ),
    "distinct skips the search for the same and nothing else": (
        "unit/service/test_gateway_steps.py::test_step_8_distinct_skips_it_alone",
        "unit/service/test_gateway_steps.py::test_step_8_distinct_skips_no_other_step",
        "unit/service/test_likeness.py::test_a_replaced_text_is_proposed_with_the_day_and_never_corroborated",
    ),
    "an agent's distinct acts on its own private items": (
        "unit/service/test_gateway_steps.py::test_step_8_distinct_skips_it_alone",
    ),
    "an agent's distinct elsewhere is proposed": (
        "unit/service/test_review_policy.py::test_policy_none_keeps_distinct_in_shared_scopes_proposed",
    ),
    "saving off stops what non-persons would learn": (
        "unit/service/test_lifecycle.py::test_saving_off_stops_every_learning_verb_of_an_agent",
        "unit/service/test_project_files.py::test_saving_off_stops_the_files_too",
        "unit/service/test_transfer.py::test_an_agent_may_bring_a_file_and_only_proposes_too",
        "acceptance/test_gateway_saving_switch_live.py::test_gateway_saving_switch_live_over_mcp",
    ),
    "saving off stops capture in the hook, before the spool": (
        "unit/doors/test_hook_answers.py::test_switched_off_keeps_no_text",
    ),
    "saving off leaves forget, undo, reject, archive and a person's writes": (
        "unit/service/test_lifecycle.py::test_saving_off_leaves_forget_undo_reject_and_archive",
        "unit/service/test_gateway_steps.py::test_step_2_saving_switch_stops_agents_and_not_persons",
    ),
    "no agent turns saving on": (
        "unit/service/test_gateway_steps.py::test_step_2_agents_cannot_turn_saving_on",
        "acceptance/test_gateway_saving_switch_live.py::test_gateway_saving_switch_live_is_a_persons",
    ),
    "a verb on the whole store is a person's": (
        "unit/service/test_copies.py::test_only_a_person_with_a_key_typed_restores",
        "unit/service/test_upkeep.py::test_only_a_person_rebuilds",
    ),
    "a verb on the whole store leaves belief as it was": (
        "unit/service/test_upkeep.py::test_belief_and_everything_else_stays",
        "unit/service/test_copies.py::test_what_was_erased_after_the_copy_stays_erased",
    ),
    "a verb on the whole store is one event": (
        "unit/service/test_copies.py::test_the_log_says_once_that_a_copy_was_restored",
        "unit/service/test_upkeep.py::test_belief_and_everything_else_stays",
        "acceptance/test_audit_every_change_has_its_event_whole_store.py::test_audit_every_change_has_its_event_on_the_whole_store",
    ),
    "refusals of one party, rule and minute share a line with a count": (
        "unit/service/test_gateway_steps.py::test_refusals_are_on_record_and_equal_ones_share_a_line",
        "unit/service/test_refusals.py::test_refusals_of_two_processes_share_a_line",
    ),
}

WHO_IS_WHO: Final = {
    "a person has a terminal of their own and no agent above": (
        "unit/capture/test_process.py::test_a_person_at_a_terminal",
        "unit/service/test_who.py::test_a_person_at_a_terminal_is_the_user",
    ),
    "an editor's terminal is a person's": (
        "unit/capture/test_process.py::test_a_person_in_an_editors_terminal",
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_but_a_person_can",
    ),
    "what decides for others wants a typed key": (
        "unit/policy/test_authority.py::test_the_actions_that_want_a_typed_key_are_those_of_the_model",
        "unit/policy/test_authority.py::test_a_rule_is_a_persons_with_a_typed_key",
        "unit/service/test_forgetting.py::test_forgetting_what_another_wrote_wants_a_typed_key",
    ),
    "scripts, cron and CI act as the script agent": (
        "unit/service/test_who.py::test_anything_else_is_an_agent_that_only_proposes",
        "acceptance/test_gateway_model_cannot_claim_human_authority.py::test_gateway_model_cannot_claim_human_authority_as_a_script",
    ),
    "no flag makes a person": (
        "acceptance/test_gateway_model_cannot_claim_human_authority.py::test_gateway_model_cannot_claim_human_authority_on_the_command_line",
    ),
    "no variable makes a person": (
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_by_its_environment",
        "unit/service/test_who.py::test_variables_do_not_name_the_user",
    ),
    "no payload makes a person": (
        "acceptance/test_gateway_model_cannot_claim_human_authority.py::test_gateway_model_cannot_claim_human_authority_over_mcp",
        "unit/policy/test_authority.py::test_no_channel_makes_an_agent_a_person",
    ),
    "no configuration makes a person": (
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_by_another_configuration",
    ),
    "policy is not read from the environment": (
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_by_its_environment",
    ),
    "a program below an agent acts for no person": (
        "unit/service/test_who.py::test_a_program_under_an_agent_cannot_act_for_a_person",
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_by_the_library",
    ),
    "ancestors, variables and the terminal are weighed by one table": (
        "unit/policy/test_person.py::test_each_evidence_has_its_verdict",
        "unit/policy/test_person.py::test_the_table_is_whole",
    ),
    "an agent above is refused": (
        "unit/policy/test_person.py::test_each_evidence_has_its_verdict",
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_by_its_shell_tool",
    ),
    "a terminal with an agent's variables is asked for a code": (
        "doors/test_cli_person.py::test_a_terminal_with_an_agents_variables_asks_for_a_code",
        "unit/service/test_who.py::test_a_typed_code_settles_ask_and_nothing_else",
    ),
    "without a terminal it is a script": (
        "unit/policy/test_person.py::test_each_evidence_has_its_verdict",
        "unit/service/test_who.py::test_anything_else_is_an_agent_that_only_proposes",
    ),
    "how an approval came in is on record": (
        "testing/continuity_suite.py::test_approvals_tell_how_they_came_in",
    ),
    "how approvals came in is told at the next start": (
        "unit/doors/test_hook_answers.py::test_the_person_is_told_how_approvals_came_in",
    ),
    "what gets past is written down": (
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_list_is_whole",
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_but_by_what_is_listed",
    ),
    "an answer from a client's dialog counts as nobody's": (
        "acceptance/test_gateway_model_cannot_claim_human_authority.py::test_gateway_model_cannot_claim_human_authority_by_elicitation",
    ),
    "the program has no door for tests": (
        "architecture/test_no_back_door.py::test_no_door_knows_of_tests",
        "architecture/test_no_back_door.py::test_who_acts_is_decided_without_a_variable_of_ours",
    ),
    "a test's person is at a real terminal below no test runner": (
        "unit/harness/test_terminal.py::test_a_person_has_a_terminal_and_no_test_runner_above",
    ),
    "a user is another party than their agent": (
        "unit/domain/test_principal.py::test_a_user_is_not_their_agent",
        "unit/service/test_forgetting.py::test_forgetting_what_another_wrote_wants_a_typed_key",
    ),
    "an approval is of the text that was seen": (
        "unit/service/test_lifecycle.py::test_approval_binds_to_the_digest_that_was_seen",
    ),
    "an approval with edits records both texts": (
        "unit/service/test_lifecycle.py::test_approve_with_edits_records_both_digests",
    ),
    "connecting writes the client's name into the server's command": (
        "unit/capture/test_connection.py::test_claude_code_runs_what_was_connected",
        "unit/capture/test_connection.py::test_codex_runs_what_was_connected",
    ),
    "what a client says of itself decides nothing": (
        "acceptance/test_gateway_model_cannot_claim_human_authority.py::test_gateway_model_cannot_claim_human_authority_over_mcp",
    ),
    "the session is found anew for each call": (
        "acceptance/test_session_attribution.py::test_session_attribution_two_windows_in_one_repository",
        "acceptance/test_session_attribution.py::test_session_attribution_of_a_server_started_before_the_session",
    ),
    "Codex's calls name their session and thread": (
        "unit/capture/test_agents.py::test_codex_calls_name_their_session",
        "acceptance/test_session_attribution.py::test_session_attribution_in_a_shared_codex_daemon",
    ),
    "Claude Code's call is looked up in what its hook recorded": (
        "unit/service/test_identity.py::test_calls_in_a_row_share_a_stand_in_and_later_ones_do_not",
        "acceptance/test_session_attribution.py::test_session_attribution_two_windows_in_one_repository",
    ),
    "a call that no hook recorded is looked up in the transcript": (
        "unit/service/test_identity.py::test_the_transcript_places_a_call_that_no_hook_told_of",
        "acceptance/test_session_attribution.py::test_session_attribution_without_hooks_by_transcript",
    ),
    "failing both, the client's newest event of any kind decides": (
        "unit/service/test_intake.py::test_an_event_of_any_kind_says_which_session_a_process_is_in",
        "acceptance/test_session_attribution.py::test_session_attribution_two_windows_in_one_repository",
    ),
    "the first client up the ancestors is the server's own": (
        "unit/capture/test_process.py::test_the_first_client_up_is_the_own_one",
        "unit/capture/test_process.py::test_a_client_is_found_past_the_shell_of_its_hook",
        "acceptance/test_session_attribution.py::test_session_attribution_stops_at_the_first_client",
    ),
    "a process is known by its id and its start": (
        "testing/joins_suite.py::test_a_process_belongs_to_the_newest_session_seen_from_it",
    ),
    "a process of many sessions is no session's own": (
        "unit/capture/test_process.py::test_a_process_of_many_sessions_is_no_ones_own",
        "acceptance/test_session_attribution.py::test_session_attribution_in_one_codex_process_with_many_threads",
    ),
    "a stranger above is walked past for nobody": (
        "unit/capture/test_process.py::test_a_stranger_in_between_ends_the_search",
    ),
    "a session id in the server's environment is not read": (
        "acceptance/test_session_attribution.py::test_session_attribution_ignores_the_servers_environment",
    ),
    "where nothing is found a stand-in says what it is": (
        "unit/service/test_identity.py::test_a_stand_in_says_what_it_is",
        "acceptance/test_session_attribution.py::test_session_attribution_without_hooks_or_transcript",
    ),
    "a stand-in is joined once its calls are known": (
        "acceptance/test_session_attribution.py::test_session_attribution_joins_a_stand_in_once_its_calls_are_known",
    ),
    "clearing begins a session with a parent": (
        "unit/service/test_intake.py::test_clear_starts_a_session_with_a_parent",
        "acceptance/test_session_attribution.py::test_session_attribution_after_clear",
    ),
    "a fork begins a session with a parent": (
        "unit/service/test_intake.py::test_an_older_fork_tells_the_old_id_first",
        "acceptance/test_session_attribution.py::test_session_attribution_after_fork",
    ),
    "a resumed session is the same": (
        "unit/service/test_intake.py::test_resume_continues_the_row",
        "acceptance/test_session_attribution.py::test_session_attribution_after_resume_in_the_same_process",
    ),
    "a compacted session is the same": (
        "unit/service/test_intake.py::test_compaction_makes_what_was_shown_count_anew",
        "acceptance/test_session_attribution.py::test_session_attribution_after_compaction",
    ),
    "the place comes from the working folder, then from the client's roots": (
        "doors/test_mcp_revisions.py::test_roots_say_where_a_client_works_that_has_no_folder",
    ),
    "without any place there is reading alone": (
        "doors/test_mcp_revisions.py::test_without_any_place_nothing_can_be_saved",
    ),
    "a record holds an observation, redacted before it is written": (
        "security/test_hook_hostile.py::test_no_secret_of_a_prompt_reaches_the_spool",
    ),
    "whoever drains, the record acts as its agent's hook": (
        "unit/service/test_intake.py::test_a_record_makes_no_memory_and_decides_nothing",
    ),
    "a record has at most the authority that it was captured with": (
        "unit/service/test_intake.py::test_headless_is_what_the_latest_event_says",
        "unit/service/test_closing.py::test_saving_off_hands_nothing_over",
    ),
    "records make sessions and handoffs, and never approvals or rules": (
        "unit/service/test_intake.py::test_a_session_from_start_to_end",
        "unit/service/test_intake.py::test_a_record_makes_no_memory_and_decides_nothing",
        "acceptance/test_gateway_agent_cannot_approve.py::test_gateway_agent_cannot_approve_by_a_spool_line",
    ),
    "the spool is bounded": (
        "unit/capture/test_spool.py::test_a_full_spool_takes_no_more",
        "unit/service/test_intake.py::test_hostile_files_are_set_aside_and_harm_nothing",
    ),
    "records are validated": (
        "properties/test_spool.py::test_no_record_is_believed_beyond_its_bounds",
        "unit/service/test_intake.py::test_records_of_nobody_are_set_aside",
    ),
    "a record that is taken in twice counts once": (
        "unit/service/test_intake.py::test_what_is_taken_in_twice_counts_once",
    ),
    "the channel taints": (
        "properties/test_taint.py::test_taint_is_never_dropped",
        "unit/service/test_project_files.py::test_sections_become_active_tainted_memories_in_place",
        "unit/service/test_summaries.py::test_everything_is_proposed_and_tainted_with_its_messages",
    ),
    "a page or a comment as evidence taints": (
        "unit/service/test_gateway_steps.py::test_step_5_outside_evidence_taints",
        "unit/service/test_mentioned.py::test_what_an_agent_says_to_rest_on_an_address_is_tainted",
    ),
    "no argument sets or clears taint": (
        "acceptance/test_gateway_model_cannot_claim_human_authority.py::test_gateway_model_cannot_claim_human_authority_over_mcp",
    ),
    "taint is inherited": (
        "properties/test_taint.py::test_each_change_by_itself_keeps_it",
        "unit/service/test_deriving.py::test_an_agents_copy_of_outside_text_is_marked",
    ),
}

BELIEF: Final = {
    "a session that was given the item is no witness": (
        "unit/service/test_corroborate.py::test_a_session_that_was_given_the_item_does_not_count",
    ),
    "a session that recalled it is no witness": (
        "unit/service/test_corroborate.py::test_a_session_that_recalled_it_does_not_count",
    ),
    "a session that goes on by resume is one witness": (
        "unit/service/test_intake.py::test_resume_continues_the_row",
        "unit/service/test_corroborate.py::test_one_session_counts_once",
    ),
    "a fork of one that knew it is no witness": (
        "unit/service/test_corroborate.py::test_a_session_that_descends_from_one_that_knew_it_does_not_count",
    ),
    "who took over by handoff from one that knew it is no witness": (
        "unit/service/test_corroborate.py::test_a_session_that_took_over_by_handoff_does_not_count",
    ),
    "a session that no hook saw is no witness": (
        "unit/service/test_corroborate.py::test_a_session_that_no_hook_saw_does_not_count",
    ),
    "three independent sightings raise a proposal in the queue": (
        "unit/service/test_corroborate.py::test_what_several_sessions_said_stands_first_in_the_queue",
    ),
    "no number of sightings makes a proposal active": (
        "unit/service/test_corroborate.py::test_three_independent_sessions_raise_belief_and_never_status",
        "acceptance/test_belief_copying_never_raises_carried.py::test_belief_copying_never_raises_to_active",
    ),
}

TOMBSTONES_AND_UNDO: Final = {
    "wrong and unwanted leave a tombstone, other reasons none": (
        "unit/service/test_lifecycle.py::test_only_wrong_and_unwanted_leave_a_tombstone",
    ),
    "prints are of redacted text with markers made one": (
        "unit/service/test_stones.py::test_prints_are_of_redacted_text_with_one_marker",
        "unit/policy/test_fingerprint.py::test_redaction_markers_count_for_nothing_and_are_one",
    ),
    "prints are taken before and after dates are put beside words": (
        "unit/service/test_stones.py::test_a_dated_claim_is_known_again_on_another_day",
    ),
    "text of fewer than four words is never matched": (
        "unit/service/test_stones.py::test_four_words_are_the_fewest",
        "unit/policy/test_fingerprint.py::test_fewer_than_four_words_leave_no_prints",
    ),
    "the whole text refuses": (
        "unit/policy/test_fingerprint.py::test_the_rejected_claim_is_refused",
    ),
    "a sentence of six words that was the claim refuses": (
        "unit/service/test_stones.py::test_a_sentence_that_was_the_rejected_claim_refuses_inside_other_text",
        "unit/service/test_stones.py::test_six_words_are_the_fewest_of_a_sentence",
    ),
    "another shared sentence flags at most": (
        "unit/service/test_stones.py::test_another_shared_sentence_only_flags",
    ),
    "a tombstone refuses in its scope and narrower ones": (
        "unit/service/test_stones.py::test_its_scope_and_narrower_ones_are_refused",
    ),
    "elsewhere the value waits, in private scopes too": (
        "unit/service/test_stones.py::test_elsewhere_it_is_at_best_proposed_in_private_scopes_too",
        "unit/service/test_review_policy.py::test_policy_none_keeps_a_value_that_is_turned_down_elsewhere_proposed",
    ),
    "who cannot read that scope gets a code that tells nothing": (
        "unit/service/test_stones.py::test_who_cannot_read_that_scope_gets_a_generic_code",
    ),
    "a person's override lifts it there, on record": (
        "unit/service/test_stones.py::test_an_override_lifts_it_for_its_scope_alone",
        "unit/service/test_stones.py::test_an_overrides_reason_is_kept_and_the_lifting_is_on_record",
        "unit/service/test_tombstone_lift.py::test_a_global_tombstone_stays_in_force_elsewhere",
    ),
    "a tombstone is never deleted": (
        "unit/service/test_stones.py::test_an_overrides_reason_is_kept_and_the_lifting_is_on_record",
        "unit/service/test_stones.py::test_undoing_an_override_puts_the_tombstone_back",
    ),
    "a replaced text is proposed with the day that it was replaced": (
        "unit/service/test_likeness.py::test_a_replaced_text_is_proposed_with_the_day_and_never_corroborated",
    ),
    "a replaced text is never active by itself": (
        "unit/service/test_review_policy.py::test_policy_none_keeps_a_replaced_text_proposed",
    ),
    "a replaced text is never corroborated": (
        "unit/service/test_likeness.py::test_a_replaced_text_is_proposed_with_the_day_and_never_corroborated",
    ),
    "an agent undoes its own latest private change": (
        "unit/service/test_undo_clashes.py::test_an_agent_undoes_its_own_latest_private_change",
    ),
    "an agent undoes nothing else": (
        "unit/service/test_undo_clashes.py::test_not_an_earlier_one",
        "unit/service/test_undo_clashes.py::test_not_one_in_a_shared_scope",
        "unit/service/test_undo_clashes.py::test_not_another_sessions_or_a_persons",
    ),
    "undoing a rejection lifts its tombstone": (
        "unit/service/test_undo.py::test_undo_of_a_rejection_needs_a_typed_key_and_lifts_the_tombstone",
    ),
    "undoing a rejection needs a person": (
        "doors/test_cli_person.py::test_undoing_a_rejection_wants_a_key",
        "unit/policy/test_authority.py::test_undo_is_for_persons_and_for_an_agents_own_private_change",
    ),
    "undo after an erasure is a coded conflict": (
        "unit/service/test_undo_clashes.py::test_undo_after_an_erasure_is_a_coded_conflict",
    ),
    "undo onto a key that was taken again is a coded conflict": (
        "unit/service/test_undo_clashes.py::test_undo_onto_a_key_that_was_taken_again_is_a_coded_conflict",
    ),
    "without the key of fingerprints writing is refused and reading goes on": (
        "doors/test_cli_stores.py::test_a_store_without_its_key_is_read_and_not_written",
        "acceptance/test_tombstone_survives_a_new_key.py::test_a_lost_key_stops_writing_and_not_reading",
    ),
    "copies hold the keys apart": (
        "unit/storage/test_restoring.py::test_a_copy_itself_holds_no_key",
    ),
    "the keys of a copy can be closed": (
        "unit/storage/test_wrapping.py::test_another_passphrase_does_not_open_it",
        "doors/test_cli_closed_keys.py::test_a_closed_copy_is_restored_elsewhere_with_its_passphrase",
    ),
}

ERASURE_AND_EXPIRY: Final = {
    "erasing blanks what stands beside the text": (
        "unit/service/test_erasure_ruling.py::test_erasing_also_blanks_what_stands_beside_the_text",
        "unit/service/test_idempotency.py::test_erasing_blanks_the_answer_and_a_retry_does_not_write_again",
    ),
    "events name ids alone": ("unit/service/test_erasure_ruling.py::test_events_name_ids_only",),
    "forgotten differs from never written": (
        "unit/service/test_erasure_ruling.py::test_forgotten_differs_from_never_written",
        "unit/service/test_forgetting_reach.py::test_a_forgotten_key_differs_from_one_never_written",
    ),
    "the past counts what was erased and shows none of it": (
        "unit/service/test_erasure_ruling.py::test_as_of_answers_count_what_was_erased",
        "acceptance/test_time_as_of_stable.py::test_time_as_of_stable_but_for_what_was_erased",
    ),
    "tasks expire after fourteen days unless updated": (
        "unit/service/test_erasure_ruling.py::test_tasks_expire_after_fourteen_days_unless_updated",
        "unit/service/test_lifecycle.py::test_tasks_expire_after_14_days_unless_updated",
    ),
    "proposals lapse to the archive after sixty days": (
        "unit/service/test_lifecycle.py::test_proposals_lapse_to_the_archive_after_60_days_reversibly",
    ),
    "a lapsed proposal can be brought back": (
        "unit/service/test_lifecycle.py::test_proposals_lapse_to_the_archive_after_60_days_reversibly",
    ),
    "purging erases the text": (
        "unit/service/test_tidying.py::test_purge_erases_what_was_put_away_and_nothing_else",
    ),
    "purging leaves no tombstone but those that were": (
        "unit/service/test_erasure_ruling.py::test_purge_leaves_no_tombstone_unless_one_existed",
    ),
}

DELIVERY_AND_HANDOFFS: Final = {
    "what onrecord saw itself is given": (
        "unit/service/test_packs.py::test_observed_sessions_are_given_as_facts",
        "unit/service/test_closing.py::test_what_was_committed_and_what_lies_open_is_handed_over",
    ),
    "an agent's words are given marked unverified": (
        "unit/service/test_packs.py::test_entries_carry_who_when_scope_and_belief",
        "unit/service/test_handing.py::test_an_agents_words_are_ready_at_once_in_their_repository",
    ),
    "an agent's words are given within their scope alone": (
        "unit/service/test_packs.py::test_only_live_items_of_this_place_are_given",
        "unit/service/test_packs.py::test_a_handoff_for_another_agent_stays_with_it",
    ),
    "flagged words are not given": (
        "unit/service/test_handing.py::test_flagged_words_wait_for_a_person",
        "unit/service/test_gateway_steps.py::test_step_5_screening_holds_flagged_text",
    ),
    "tainted words are not given": (
        "unit/service/test_packs.py::test_tainted_text_is_never_given_unreviewed",
        "unit/service/test_packs.py::test_a_lapsed_or_tainted_handoff_is_not_given",
    ),
    "an empty pack writes no delivery": (
        "unit/service/test_packs.py::test_an_empty_store_gives_no_text",
        "acceptance/test_delivery_is_logged.py::test_delivery_is_logged_only_where_something_was_given",
    ),
    "being given a handoff claims nothing": (
        "unit/service/test_claims.py::test_being_given_it_claims_nothing",
    ),
    "the first prompt of a person claims it": (
        "unit/service/test_claims.py::test_the_first_prompt_claims_it_for_half_an_hour",
    ),
    "a run that nobody sits at never claims by itself": (
        "unit/service/test_claims.py::test_a_run_that_nobody_sits_at_claims_nothing",
    ),
    "a newer automatic handoff replaces the older of its branch and line": (
        "unit/service/test_closing.py::test_a_newer_automatic_one_replaces_the_older_of_its_branch",
        "unit/service/test_closing.py::test_what_it_took_over_gives_way_to_what_it_hands_over",
        "unit/service/test_closing.py::test_a_run_without_a_person_does_not_displace_a_persons_session",
    ),
    "an open handoff lapses after fourteen days": (
        "unit/service/test_closing.py::test_an_open_handoff_lapses_after_two_weeks",
        "unit/service/test_claims.py::test_an_agents_own_handoff_lapses_after_two_weeks_as_well",
    ),
}

RULINGS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "writing": WRITING,
    "who is who": WHO_IS_WHO,
    "belief": BELIEF,
    "tombstones and undo": TOMBSTONES_AND_UNDO,
    "erasure and expiry": ERASURE_AND_EXPIRY,
    "delivery and handoffs": DELIVERY_AND_HANDOFFS,
}
STATEMENTS: Final = [
    (section, statement, tests)
    for section, rows in RULINGS.items()
    for statement, tests in rows.items()
]


@cache
def named_in(path: Path) -> frozenset[str]:
    """Names of the tests of a file, those of its classes among them, without running any.

    One that asserts nothing, and expects no error, holds nothing.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and any(asserts(part) for part in ast.walk(node))
    )


def asserts(node: ast.AST) -> bool:
    """Whether it is an assertion, or the expectation of an error."""
    expects = isinstance(node, ast.Attribute) and node.attr == "raises"
    return expects or isinstance(node, ast.Assert)


def missing(tests: Iterable[str]) -> Iterator[str]:
    """Those of `path::name` that are not there."""
    for test in tests:
        file, _, name = test.partition("::")
        paths = [place / file for place in PLACES if (place / file).is_file()]
        if not any(name in named_in(path) for path in paths):
            yield test


@pytest.mark.parametrize(("section", "statement", "tests"), STATEMENTS)
def test_each_ruling_has_a_test_that_holds_it(
    section: str, statement: str, tests: tuple[str, ...]
) -> None:
    """A test that was renamed or removed is red here, with what nobody holds any more."""
    assert tests, (section, statement)
    assert not list(missing(tests)), (section, statement)


def test_no_statement_stands_twice() -> None:
    """Each has one row, in one section."""
    statements = [statement for _, statement, _ in STATEMENTS]

    assert len(statements) == len(set(statements))


def test_a_test_that_is_not_there_is_told() -> None:
    """By its file and by its name; one that is there is not."""
    here = "architecture/test_rulings_are_held.py"
    there = f"{here}::test_no_statement_stands_twice"
    gone = [f"{here}::test_of_nothing", "architecture/test_of_nothing.py::test_of_nothing"]

    assert list(missing([there, *gone])) == gone
