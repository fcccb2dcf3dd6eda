"""The limit of an accumulation, as the jumps suggest it."""

import numpy as np
import pytest

import hybridsim
from hybridsim.verification.accumulations import JumpSequence


def sequence(t, moved=None, shift=0.0):
    t = np.asarray(t, float)
    x = np.linspace(1.0, 0.0, len(t))[:, None] ** 2
    moved = np.linspace(1.0, 0.0, len(t)) if moved is None else moved
    return JumpSequence(t, x, moved, False, np.full(len(t), 1e-15), np.full((2, len(t)), shift), 0.0, 1e-6)


@pytest.mark.parametrize("q", [0.3, 0.7, 0.95])
def test_intervals_that_shrink_by_a_ratio_suggest_the_sum_of_their_series(q):
    n = int(np.log(1e-9) / np.log(q))
    limits, error, fault = sequence(np.cumsum(q ** np.arange(n))).limits(1.0)
    assert not fault
    assert limits[-1] == pytest.approx(1.0 / (1.0 - q), abs=1e-12 / (1.0 - q) ** 2)
    assert (error[0] <= error[1]).all()


def test_shifts_count_from_where_each_interval_moves_the_state_less_far():
    q, n, shift = 0.5, 30, 1e-4
    falls = np.linspace(1.0, 0.5, n)
    rises_first = np.concatenate([np.linspace(0.0, 1.0, n - 6), falls[-6:]])
    (one, _), (other, _) = (
        sequence(np.cumsum(q ** np.arange(n)), each, shift).limits(1.0)[1] for each in (falls, rises_first)
    )
    assert one[-1] - other[-1] == pytest.approx((n - 7) * shift * (1.0 + q) / (1.0 - q), rel=0.1)


@pytest.mark.parametrize("t", [np.arange(10.0), np.cumsum(np.linspace(1.0, 2.0, 12)), np.cumsum([1.0, 2.0] * 8)])
def test_intervals_that_do_not_shrink_suggest_none(t):
    limits, _, fault = sequence(t).limits(1.0)
    assert "do not shrink" in fault
    assert not len(limits)


@pytest.mark.parametrize("restitution", [0.975, 0.982, 0.99, 0.993, 0.996])
def test_a_ball_that_comes_to_rest_slowly_is_accepted(restitution):
    run = hybridsim.simulate("bouncing_ball", final_time=1e4, parameters={"restitution": restitution})
    assert run.statistics["accumulations"] == 1
    assert hybridsim.verify(run).ok


@pytest.mark.parametrize(("omega", "amplitude", "restitution"), [(0.05, 1.0, 0.6), (0.1, 0.6, 0.8)])
def test_a_mass_that_chatters_against_a_wall_is_accepted_at_a_coarse_tolerance(omega, amplitude, restitution):
    values = {"omega": omega, "amplitude": amplitude, "restitution": restitution, "zeta": 0.05}
    run = hybridsim.simulate("impact_oscillator", parameters=values, final_time=100.0, rtol=1e-4, atol=1e-4)
    assert run.statistics["accumulations"] >= 1
    assert hybridsim.verify(run).ok
