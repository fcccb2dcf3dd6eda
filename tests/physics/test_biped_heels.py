"""Heels of the walking biped: one that is about to strike, and one that rises in single support."""

import numpy as np
import pytest

import hybridsim
from hybridsim_models.biped.control.goals import LIGHTEST
from hybridsim_models.biped.records import FLAT, HEEL, TOE, foot1_of, foot2_of

SAMPLE, ANTICIPATION, HEEL_OFF, SINGLE = 0.002, 0.004, 0.75, 0.6


def walk(final_time, **parameters):
    """Return a walk at every accepted integration step; x has the torques that are held."""
    run = hybridsim.simulate("biped", parameters=parameters, final_time=final_time, method="tsit5", record=True)
    assert run.status.ok, run.message
    return run


def strikes(run):
    """Return the rows after the events at which foot 2 lands on its heel."""
    foot2 = foot2_of(run.chart)
    return np.flatnonzero((foot2[:-1] == 0) & (foot2[1:] == HEEL)) + 1


def jumps(run):
    """Return by how much torques jump where a heel strikes, the largest of all motors [N m]."""
    first = run.states.index("asked_ankle_x_right")
    torques = run.x[:, first : first + 12]
    return [np.abs(torques[row] - torques[row - 1]).max() for row in strikes(run)]


def test_anticipation_switches_to_double_support_before_the_heel_strikes():
    plain, run = walk(3.7), walk(3.7, anticipation=ANTICIPATION)
    assert len(strikes(run)) == len(strikes(plain)) >= 3
    for row in strikes(run):
        in_air = np.flatnonzero(foot2_of(run.chart[:row]) != 0)[-1] + 1
        switched = in_air + np.flatnonzero(run["share"][in_air:row] > 0.0)
        assert (run["share"][switched] == LIGHTEST).all()
        lead = run.t[row] - run.t[switched[0]]
        # the way down takes this long, seen at samples, and a little less as the leg already pushes
        assert ANTICIPATION - SAMPLE - 5e-4 < lead < ANTICIPATION + 1e-4
    assert not plain["share"][foot2_of(plain.chart) == 0].any()
    assert max(jumps(run)) < 0.5 * min(jumps(plain))


@pytest.mark.exhaustive  # slow; walks of configs roll over their toes
@pytest.mark.parametrize(("steps", "final_time"), [(8, 11.0), pytest.param(24, 24.0, marks=pytest.mark.exhaustive)])
def test_a_heel_rises_in_single_support_when_it_is_time(steps, final_time):
    """In a walk from rest to rest, in which no one-sided condition is violated: each of them would end the run."""
    run = walk(final_time, steps=steps, heel_off=HEEL_OFF, cop_first=-0.13)
    assert abs(run["com_vx"][-1]) < 1e-3
    foot1, foot2, phase = foot1_of(run.chart), foot2_of(run.chart), run["walk_phase"]
    assert set(foot1[(phase == 2) & (foot2 == 0)]) == {FLAT, TOE}
    rows = strikes(run)
    assert len(rows) == steps + 1
    for row in rows[:-1]:  # the last step is flat
        begin = np.flatnonzero(phase[:row] != 2)[-1] + 1
        rises = begin + np.flatnonzero(foot1[begin:row] == TOE)[0]
        assert run.t[rises] - run.t[begin] == pytest.approx(HEEL_OFF * SINGLE, abs=SAMPLE)
        side = ("right", "left")[int(run.chart[row - 1]) & 1]
        heights = run[f"heel_{side}_z"][rises:row]
        assert abs(heights[0]) < 1e-9
        assert np.diff(heights).min() > -1e-9
        assert heights[-1] > 0.01
        # the ground gives no moment about the hinge
        along = run["cop_x"][rises:row] - run[f"toe_{side}_x"][rises:row]
        assert np.abs(along).max() < 1e-9
