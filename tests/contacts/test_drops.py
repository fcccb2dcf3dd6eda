"""A thousand random drops and pushes: each run ends at its final time, or by a cause that its message names."""

import re

import numpy as np
import pytest
from contacts.random_drops import KINDS, lift, random_case, random_start
from contacts.random_mechanisms import breaches_of

from hybridsim import ConfigError, Status, load_run, simulate, verify

TOLERANCE = 1e-8
SETTINGS = {"rtol": TOLERANCE, "atol": 0.01 * TOLERANCE, "record": True, "max_transitions": 20000}
MODELS, STARTS = 125, 8
EACH_KIND = len(KINDS)


NO_MODE = Status.LEFT_CHART, "no mode is consistent"
FLAWS = {
    (16, 0): (Status.TOO_MANY_TRANSITIONS, "a sole rattles; without this limit it ends after 42,504 jumps"),
    **dict.fromkeys([(17, 5), (69, 3)], NO_MODE),
}
"""Models and starts of runs that do not reach their final time, how they end, and why, of all thousand."""

SEEDS = [pytest.param(seed, marks=[pytest.mark.exhaustive] if seed >= EACH_KIND else []) for seed in range(MODELS)]
"""The first models, which are of all kinds, as these take turns, are in the short suite."""

NO_STATE = r"contacts? foot\d.* no consistent state"
"""What the message says where a run ends because no mode is consistent; it names the contacts."""


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_drop_or_a_push_ends_at_its_final_time_or_by_a_named_cause(seed):
    """No contact pulls, friction is in its cone, no gap is negative, energy never rises; `verify` accepts a sample."""
    case = random_case(seed)
    for k in range(STARTS):
        is_pushed = k % 2 == 1
        initial, parameters = random_start(np.random.default_rng([seed, k]), case, is_pushed)
        run = simulate(case.model, initial=initial, parameters=parameters, final_time=2.0, **SETTINGS)
        status, _ = FLAWS.get((seed, k), (Status.FINAL_TIME, ""))
        assert run.status == status, (k, run.message)
        if status == Status.LEFT_CHART:
            assert re.search(NO_STATE, run.message)
        pull, cone, gap = breaches_of(run)
        assert pull < 1e-12
        assert cone < 1e-7
        assert gap < 2e-8
        energy = run["energy"]
        rises = np.diff(energy)[np.diff(run.t) == 0.0] if is_pushed else np.diff(energy)
        assert rises.max(initial=0.0) < 10.0 * TOLERANCE * np.abs(energy).max()
        if k == 0 and len(run.events) < 500:
            assert verify(run, model=case.model).ok


JAMMED = {
    "a joint whose row follows from what slips": (17, 1),
    "a foot that comes to its plane beside what stops": (17, 7),
    "joints of a loop that carry what they can": (19, 7),
    "a slip that the friction of another foot keeps from moving": (33, 3),
    "a normal force that grows without bound": (45, 4),
    "a slip that turns round at a dead centre": (57, 4),
    "rows that follow from others near a dead centre": (108, 0),
    "what two feet at rest share, at both limits to the tolerance of the steps": (32, 5),
    "an end of a sole that turns to the ground as the other is brought to rest": (61, 1),
    "a slip that an impulse stops, where none at all would do for an impact": (36, 1),
    "a foot that others keep from moving, and that moves within the tolerance of the steps": (75, 1),
    "joints that others keep from moving, and that move within the tolerance of the steps": (99, 2),
    "what a foot at its limit leaves to another that keeps it from moving": (113, 3),
}
"""Drops and pushes that had ended where a mode was not found, by what was missed: model and start."""


@pytest.mark.exhaustive  # slow; a drop or a push of the family is in the ordinary run
@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.exhaustive if n > 1 else ()) for n, what in enumerate(JAMMED)]
)
def test_what_once_had_no_consistent_state_goes_on(what):
    seed, k = JAMMED[what]
    case = random_case(seed)
    initial, parameters = random_start(np.random.default_rng([seed, k]), case, k % 2 == 1)
    run = simulate(case.model, initial=initial, parameters=parameters, final_time=2.0, **SETTINGS)
    assert run.status == Status.FINAL_TIME
    pull, cone, gap = breaches_of(run)
    assert pull < 1e-12
    assert cone < 1e-7
    assert gap < 2e-8


RESTS = {
    "a sequence that begins as the state settles": 94,
    "slips that end where bounces do": 97,
    "a slip that ends right behind the limit of bounces": 112,
    "two feet in turn, whose intervals change their ratio": 119,
}
"""Drops whose limits of impacts `verify` had not accepted, by what was missed."""


@pytest.mark.exhaustive  # `test_a_drop_or_a_push` calls `verify`, too
@pytest.mark.members(1)
@pytest.mark.parametrize("what", RESTS)
def test_verify_accepts_the_limits_of_impacts(what):
    case = random_case(RESTS[what])
    initial, parameters = random_start(np.random.default_rng([RESTS[what], 0]), case, False)
    run = simulate(case.model, initial=initial, parameters=parameters, final_time=2.0, **SETTINGS)
    assert verify(run, model=case.model).ok


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_a_point_a_millimetre_below_the_ground_ends_the_run_with_its_name(seed):
    """Where it begins, and where a chart is given in which it is open, as a transition might give it."""
    case = random_case(seed)
    initial, _ = random_start(np.random.default_rng([seed, 1]), case, True)
    slope = np.cos(case.model.parameters["ground_slope"].default)
    below = {**initial, "base_z": lift(case, {**initial, "base_z": 0.0}) - 1e-3 / slope}
    with pytest.raises(ConfigError, match=r"contact foot\d+ is below its plane where the run begins"):
        simulate(case.model, initial=below, final_time=1.0)
    with pytest.raises(ConfigError, match=r"foot\d+_gap"):
        simulate(case.model, initial=below, initial_chart=0, final_time=1.0)


def test_a_run_that_rested_resumes_from_its_file_to_the_same_bits(tmp_path):
    """After a limit of impacts, a run from the state and the chart of the file is the rest of the whole run."""
    case = random_case(0)
    initial, parameters = random_start(np.random.default_rng([0, 1]), case, True)
    settings = {"parameters": parameters, "final_time": 2.0, **SETTINGS}
    simulate(case.model, initial=initial, **settings).save(tmp_path / "whole.h5")
    whole = load_run(tmp_path / "whole.h5")
    *_, last = (event for event in whole.events if event.kind == "zeno")
    state = dict(zip(whole.states.names, last.x_after, strict=True))
    later = simulate(case.model, initial=state, initial_time=last.t, initial_chart=last.chart_after, **settings)
    after = whole.events.t > last.t
    np.testing.assert_array_equal(later.events.t, whole.events.t[after])
    np.testing.assert_array_equal(later.x[-1], whole.x[-1])
