"""A biped that stands, is pushed harder than its feet can bear, and catches itself by steps."""

import numpy as np
import pytest

import hybridsim
from hybridsim_models.biped.body import FIRST_JOINT, N_JOINTS, N
from hybridsim_models.biped.control.strength import limit_of, limit_torques, part_within
from hybridsim_models.biped.records import JOINTS

from . import biped_pushes

LOW = {"start_height": 0.93, "walk_height": 0.93}
FREE = {"steps": 0, "recovery": "step", "limits": "people", "on_slip": "slip", "on_lift": "release"} | LOW
ROUNDING = 1.0 + 1e-9


def run_of(final_time=5.0, **parameters):
    record = {"period": 0.01}
    return hybridsim.simulate(
        "biped", parameters=FREE | parameters, final_time=final_time, method="tsit5", record=record
    )


def rest_of(run):
    return max(abs(run[name][-1]) for name in ("com_vx", "com_vy", "com_vz"))


CASES = [
    pytest.param(*given, marks=() if i == 0 else pytest.mark.exhaustive)
    for i, given in enumerate(((500.0, 0.0, 2), (-450.0, 0.0, 1), (0.0, 300.0, 1), (0.0, -300.0, 1)))
]


@pytest.mark.exhaustive  # a push that takes a step is in `tests/models`
@pytest.mark.parametrize(("push_x", "push_y", "steps"), CASES)
def test_it_catches_itself_by_steps_with_no_more_strength_than_people(push_x, push_y, steps):
    """Torques are those of the run; their limits are written here once more."""
    run = run_of(push_x=push_x, push_y=push_y)
    assert run.status.ok, run.message
    assert rest_of(run) < 1e-2
    assert run.events.count("heel2_down") == steps
    assert np.hypot(run["com_x"][-1] - run["com_x"][0], run["com_y"][-1]) > 0.1
    for joint, most, least in (("knee", 250.0, 120.0), ("hip", 230.0, 150.0), ("ankle", 190.0, 50.0)):
        for side in ("right", "left"):
            torque = run[f"{joint}_torque_{side}"]
            assert -least * ROUNDING <= torque.min()
            assert torque.max() <= most * ROUNDING
    assert np.ptp(run["energy_balance"]) < 1e-5
    falls = run_of(push_x=push_x, push_y=push_y, recovery="none")
    assert not falls.status.ok


@pytest.mark.exhaustive
def test_a_mirrored_push_makes_the_mirrored_run():
    """In the left mode the states describe the biped in a mirror: they are the same to the bit."""
    right, left = run_of(2.0, push_x=300.0, push_y=200.0), run_of(2.0, push_x=300.0, push_y=-200.0, start_mode="left")
    np.testing.assert_array_equal(left.x[:, : 2 * N], right.x[:, : 2 * N])
    np.testing.assert_array_equal(left["com_y"], -right["com_y"])


def test_a_light_push_makes_no_step():
    run = run_of(3.0, push_x=250.0)
    assert run.status.ok
    assert run.events.count("heel2_down") == 0


@pytest.mark.parametrize("leg", [1, 2])
def test_a_muscle_that_shortens_gives_less_and_one_that_is_stretched_its_peak(leg):
    """The knee: 250 N m extend it, 120 flex it, and 17 rad/s leave nothing. In leg 2 the signs are the other ones."""
    knee, sign, u = JOINTS.index(f"knee{leg}"), 1.0 if leg == 1 else -1.0, np.zeros(N)
    for rate, extends, flexes in ((0.0, 250.0, 120.0), (8.5, 125.0, 120.0), (-8.5, 250.0, 60.0), (17.0, 0.25, 120.0)):
        u[FIRST_JOINT + knee] = sign * rate
        assert limit_of(knee, sign, u) == pytest.approx(extends)
        assert limit_of(knee, -sign, u) == pytest.approx(flexes)
    torques, u[:] = np.zeros(N_JOINTS + 2), 0.0
    torques[knee] = sign * 300.0
    assert limit_torques(torques, u) == pytest.approx(1.2)
    assert torques[knee] == sign * 250.0


def test_a_swinging_foot_is_late_where_quick_torques_are_too_large():
    slow, quick, u = np.zeros(N_JOINTS), np.zeros(N_JOINTS), np.zeros(N)
    knee = JOINTS.index("knee1")
    for asked, part in ((200.0, 1.0), (500.0, 0.5), (2600.0, 0.0)):
        quick[knee] = asked
        assert part_within(slow, quick, u, 0.1, 0.2) == pytest.approx(part)
    assert part_within(slow, 0.0 * quick, u, 0.1, 1.2) == pytest.approx(0.3)  # uses 0.43; 0.4 would use 0.54


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 100), marks=pytest.mark.exhaustive)], ids=str)
def test_a_push_ends_upright_or_at_a_limit_with_its_energy_and_so_it_does_at_other_tolerances(seeds):
    """No end is one of the numerics, and 95 % are the same at a hundredth of the tolerance."""
    same = 0
    for seed in seeds:
        push = biped_pushes.catching_push(seed)
        runs = [biped_pushes.run_of(push, 6.0, record=True, rtol=rtol) for rtol in (1e-6, 1e-8)]
        assert {run.status for run in runs} <= {hybridsim.Status.FINAL_TIME, hybridsim.Status.LEFT_CHART}, seed
        assert np.ptp(runs[1]["energy_balance"]) < 1e-6, seed  # J, at rtol 1e-8
        same += biped_pushes.end_of(runs[0]) == biped_pushes.end_of(runs[1])
    assert same >= 0.95 * len(seeds)
