"""Scripts that use a former attribute get its present name."""

import copy
import pickle

import pytest

from hybridsim import Simulation, simulate


@pytest.fixture(scope="module")
def run():
    return simulate("bouncing_ball", final_time=1.0)


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("other", "adjacent_chart"),
        ("weight", "sliding_weight"),
        ("stays", "chart_intervals"),
        ("fields", "chart_fields"),
        ("save", r"hybridsim\.save_run\(run, folder\)"),
    ],
)
def test_a_former_attribute_of_a_run_is_answered_with_the_present_one(run, former, present):
    with pytest.raises(
        AttributeError, match=f"'Trajectory' object has no attribute '{former}'; write `{present}` instead"
    ):
        getattr(run, former)


def test_events_and_simulations_answer_too(run):
    simulation = Simulation("bouncing_ball", final_time=1.0)
    for owner in (run.events, run.events[0], simulation):
        with pytest.raises(AttributeError, match="write `adjacent_chart` instead"):
            _ = owner.other


def test_an_attribute_that_never_was_is_refused_without_a_hint(run):
    with pytest.raises(AttributeError) as refusal:
        _ = run.wieght
    assert "instead" not in str(refusal.value)
    assert not hasattr(run, "stays")


def test_runs_and_events_are_copied_and_pickled_as_before(run):
    event = run.events[0]
    assert copy.copy(event).t == event.t
    assert pickle.loads(pickle.dumps(event)).boundaries == event.boundaries
    assert copy.copy(run).model_name == run.model_name
