"""Each step of the gateway is held by a named test: without the step, that test goes red."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desk import Desk
from onrecord.service import gateway, handing, rewording
from onrecord.storage.inmemory import InMemoryStore

if TYPE_CHECKING:
    from types import ModuleType

SERVICE = Path(__file__).parent.parent / "unit" / "service"

#: (where the steps stand, step) -> test module and test that needs it
HELD_BY = {
    ("gateway", "decide_authority"): (
        "test_gateway_steps",
        "test_step_1_authority_holds_an_agents_shared_memory_for_review",
    ),
    ("gateway", "obey_saving_switch"): (
        "test_gateway_steps",
        "test_step_2_saving_switch_stops_agents_and_not_persons",
    ),
    ("gateway", "check_shape"): (
        "test_gateway_steps",
        "test_step_3_shape_names_the_field_and_never_the_text",
    ),
    ("gateway", "redact_secrets"): (
        "test_gateway_steps",
        "test_step_4_redaction_keeps_secrets_out_of_every_field",
    ),
    ("gateway", "screen_instructions"): (
        "test_gateway_steps",
        "test_step_5_screening_holds_flagged_text",
    ),
    ("gateway", "settle_dates"): (
        "test_gateway_steps",
        "test_step_6_dates_get_the_absolute_date_beside_the_words",
    ),
    ("gateway", "inherit_taint"): (
        "test_deriving",
        "test_an_agents_copy_of_outside_text_is_marked",
    ),
    ("gateway", "keep_tombstones"): (
        "test_gateway_steps",
        "test_step_7_a_rejected_value_does_not_come_back",
    ),
    ("gateway", "apply_review_policy"): (
        "test_review_policy",
        "test_a_policy_is_set_per_scope_and_the_narrower_one_wins",
    ),
    ("gateway", "find_same"): (
        "test_gateway_steps",
        "test_step_8_the_same_statement_is_never_stored_twice",
    ),
    ("gateway", "find_contradiction"): (
        "test_gateway_steps",
        "test_step_9_an_agent_never_displaces_a_person",
    ),
    ("gateway", "bound"): (
        "test_bounding",
        "test_a_day_that_is_named_as_the_last_counts_to_its_end",
    ),
    ("rewording", "bound"): ("test_bounding", "test_other_words_set_another_end"),
    ("rewording", "check_shape"): (
        "test_texts_pass_the_steps",
        "test_a_revision_is_held_to_its_shape",
    ),
    ("rewording", "redact_secrets"): ("test_texts_pass_the_steps", "test_a_revision_is_redacted"),
    ("rewording", "screen_instructions"): (
        "test_texts_pass_the_steps",
        "test_a_revision_is_screened",
    ),
    ("rewording", "settle_dates"): ("test_texts_pass_the_steps", "test_a_revision_gets_its_dates"),
    ("rewording", "inherit_taint"): (
        "test_deriving",
        "test_a_revision_that_rests_on_outside_text_is_marked",
    ),
    ("rewording", "keep_tombstones"): (
        "test_texts_pass_the_steps",
        "test_a_revision_does_not_bring_back_what_was_turned_down",
    ),
    ("handing", "obey_saving_switch"): (
        "test_texts_pass_the_steps",
        "test_a_handoff_obeys_the_saving_switch",
    ),
    ("handing", "check_shape"): (
        "test_texts_pass_the_steps",
        "test_a_handoff_is_held_to_its_shape",
    ),
    ("handing", "redact_secrets"): ("test_texts_pass_the_steps", "test_a_handoff_is_redacted"),
    ("handing", "screen_instructions"): (
        "test_texts_pass_the_steps",
        "test_a_handoff_is_screened",
    ),
    ("handing", "inherit_taint"): (
        "test_deriving",
        "test_a_handoff_that_repeats_outside_text_is_marked",
    ),
    ("handing", "keep_tombstones"): (
        "test_texts_pass_the_steps",
        "test_a_handoff_does_not_bring_back_what_was_turned_down",
    ),
}

#: What a parametrised test is called with here, beside its desk.
GIVEN: dict[str, dict[str, Any]] = {
    "test_step_3_shape_names_the_field_and_never_the_text": {
        "title": "x" * 201,
        "fields": {},
        "code": "shape.title_too_long",
    }
}

#: where the steps stand -> (module, name)
PLACES = {
    "gateway": (gateway, "STEPS"),
    "rewording": (rewording, "CONTENT_STEPS"),
    "handing": (handing, "_STEPS"),
}


def steps_of(place: str) -> tuple[Any, ...]:
    """The steps in a place, in order."""
    module, name = PLACES[place]
    steps: tuple[Any, ...] = getattr(module, name)
    return steps


def load(name: str) -> ModuleType:
    """A test module, without collecting it."""
    spec = importlib.util.spec_from_file_location(f"held_{name}", SERVICE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(place: str, step: str) -> None:
    """Run the test that holds a step, once, on a fresh store."""
    module, test = HELD_BY[place, step]
    getattr(load(module), test)(Desk(InMemoryStore()), **GIVEN.get(test, {}))


def test_every_step_has_a_test_that_holds_it() -> None:
    """A new step is named here, or this is red."""
    there = {(place, step.__name__) for place in PLACES for step in steps_of(place)}

    assert there == set(HELD_BY)


@pytest.mark.parametrize(("place", "step"), sorted(HELD_BY))
def test_without_the_step_its_test_goes_red(
    monkeypatch: pytest.MonkeyPatch, place: str, step: str
) -> None:
    """Green with all steps, red without this one."""
    run(place, step)
    module, name = PLACES[place]
    rest = tuple(one for one in steps_of(place) if one.__name__ != step)
    monkeypatch.setattr(module, name, rest)

    with pytest.raises(AssertionError):
        run(place, step)
