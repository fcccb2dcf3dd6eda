"""Orbits found from a sample of states: from bad guesses (`starts`), and all those in a box (`find_orbits`)."""

import itertools
import math

import henon_model
import numpy as np
import pytest
from map_model import MODEL, PITCHFORK
from scipy.integrate import solve_ivp

import hybridsim
from hybridsim import NoOrbitError
from hybridsim.errors import ConfigError
from hybridsim.model.contract import may_read_time

from gallery import falling, keep_chart, stand_still

WALKERS = {"compass_gait": {}, "simplest_walker": {"slope": 0.009}}
HENON_BOX = {"u": (-1.5, 1.5), "v": (-0.4, 0.4)}


def guesses_off(model, part):
    """Eight guesses, each state of which but the last, `walked`, is off by up to a part of itself, and the gait."""
    gait = hybridsim.find_orbit(model, parameters=WALKERS[model], section="heelstrike")
    factors = 1.0 + part * np.random.default_rng(1).uniform(-1.0, 1.0, (8, 4))
    return gait, [{name: value * f for (name, value), f in zip(gait.x.items(), row, strict=False)} for row in factors]


SHORT_PERIOD = 3.09610586807816
"""Of the other gait of the simplest walker, with short steps, by its equations (the table of the page on walkers)."""


def period_found(model, guess, starts):
    """Return the period of the gait that is found from a guess [s], nan for none."""
    try:
        return hybridsim.find_orbit(
            model, parameters=WALKERS[model], section="heelstrike", initial=guess, starts=starts
        ).period
    except NoOrbitError:
        return np.nan


@pytest.mark.exhaustive  # a cycle that strides leave at once is found in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("part", [0.1, 0.2])
@pytest.mark.parametrize("model", WALKERS)
def test_gaits_are_found_from_guesses_from_which_newton_alone_does_not_find_them(model, part):
    gait, guesses = guesses_off(model, part)
    alone, searched = ([period_found(model, guess, starts) for guess in guesses] for starts in (1, 64))
    others = np.array(searched)[np.abs(np.subtract(searched, gait.period)) > 1e-9]
    assert np.count_nonzero(np.abs(np.subtract(alone, gait.period)) < 1e-9) < 8
    assert len(others) <= (1 if model == "simplest_walker" else 0)
    np.testing.assert_allclose(others, SHORT_PERIOD, rtol=1e-9)


def test_a_search_finds_the_same_again_and_forgets_that_it_was_one():
    rough = {"thetadot_st": 1.4}
    orbits = [hybridsim.find_orbit("compass_gait", section="heelstrike", initial=rough, starts=64) for _ in range(2)]
    assert orbits[0].x == orbits[1].x
    assert orbits[0].config.orbit.starts == 1


@pytest.mark.parametrize("starts", [2, 9])
def test_a_failed_search_says_what_was_tried(starts):
    with pytest.raises(NoOrbitError) as failure:  # a passive walker does not walk uphill
        hybridsim.find_orbit("compass_gait", parameters={"slope": -0.05}, section="heelstrike", starts=starts)
    assert f"of {starts} states within 40 % round the guess" in str(failure.value)


def test_a_search_leaves_what_strides_keep_and_what_is_only_translated():
    asked = {"parameters": {"hold_touchdown_angle": 1}, "section": "apex", "fixed": {"energy": 80.0 * (9.81 + 12.5)}}
    near, far = (
        {"y": y, "xdot": xdot, "touchdown_angle": math.radians(-22.0)} for y, xdot in ((0.94, 5.1), (1.0, 4.7))
    )
    known, orbit = (
        hybridsim.find_orbit("slip", initial=initial, starts=starts, **asked)
        for initial, starts in ((near, 1), (far, 32))
    )
    assert orbit.x["touchdown_angle"] == math.radians(-22.0)
    assert (orbit.kept, [*orbit.displacement]) == (known.kept, [*known.displacement])
    assert (orbit.period, orbit.x["y"]) == pytest.approx((known.period, known.x["y"]), rel=1e-9)


def henon_cycles(strides, a=1.4, b=0.3):
    """All cycles by the method of Biham and Wenzel (Phys. Rev. Lett. 63, 1989): each is where a flow, of its word of
    signs, comes to rest; in the coordinate X = a u, X_next = a - X^2 + b X_before. Of each, the least u.
    """
    cycles = set()
    for signs in itertools.product((-1.0, 1.0), repeat=strides):
        s = np.array(signs)

        def flow(_, x, s=s):
            return s * (-np.roll(x, -1) + a - x * x + b * np.roll(x, 1))

        def escape(_, x):
            return 10.0 - np.abs(x).max()

        escape.terminal = True
        ended = solve_ivp(flow, (0.0, 200.0), s.copy(), rtol=1e-8, atol=1e-10, events=escape)
        x = ended.y[:, -1]
        if ended.status == 1 or np.abs(flow(0.0, x)).max() > 1e-6:
            continue
        if all(np.abs(x - np.roll(x, n)).max() > 1e-4 for n in range(1, strides)):
            cycles.add(round(float(x.min()) / a, 5))
    return cycles


def least(orbit):
    return round(min(float(stride.x[0]) for stride in orbit.found.strides), 5)


@pytest.mark.slow
@pytest.mark.exhaustive
def test_all_cycles_of_henon_up_to_period_seven_are_found():
    orbits = hybridsim.find_orbits(henon_model.MODEL, HENON_BOX, section="tick", strides=range(1, 8), samples=48)
    found = {n: {least(orbit) for orbit in orbits if orbit.strides == n} for n in range(1, 8)}
    assert [len(found[n]) for n in range(1, 8)] == [2, 1, 0, 1, 0, 2, 4]
    assert found == {n: henon_cycles(n) for n in range(1, 8)}
    assert len(orbits) == 10  # each once


@pytest.mark.members(1)
@pytest.mark.parametrize("strides", [(2,), 4, (1, 4)])
def test_cycles_of_other_numbers_of_strides_are_left_out(strides):
    orbits = hybridsim.find_orbits(henon_model.MODEL, HENON_BOX, section="tick", strides=strides, samples=16)
    wanted = (strides,) if isinstance(strides, int) else strides
    assert [orbit.strides for orbit in orbits] == [n for n in wanted for _ in henon_cycles(n)]


@pytest.mark.members(1)
@pytest.mark.parametrize("strides", [(2,), (1, 2)])
def test_a_cycle_that_strides_leave_at_once_is_found_beside_a_stable_point(strides):
    # u -> r u - u^3 has the cycle u = -+ sqrt(r + 1), with the multiplier (2 r + 3)^2, beside the stable sqrt(r - 1).
    asked = {"parameters": {"map": PITCHFORK, "r": 1.3}, "section": "tick", "strides": strides}
    *_, cycle = hybridsim.find_orbits(MODEL, {"u": (-2.0, 2.0)}, samples=128, **asked)
    assert cycle.strides == 2
    assert abs(cycle.x["u"]) == pytest.approx(math.sqrt(2.3), rel=1e-9)
    assert cycle.multipliers[0] == pytest.approx(5.6**2, rel=1e-9)


@pytest.mark.exhaustive  # slow; cycles of several strides are in the ordinary run
def test_the_compass_walker_has_three_gaits_on_a_slope_where_its_period_has_doubled():
    box = {"theta_st": (-0.5, -0.1), "theta_sw": (0.1, 0.5), "thetadot_st": (0.5, 2.0), "thetadot_sw": (-1.0, 1.5)}
    orbits = hybridsim.find_orbits(
        "compass_gait", box, parameters={"slope": math.radians(4.7)}, section="heelstrike", progress=False
    )
    assert [orbit.strides for orbit in orbits] == [1, 1, 2]
    assert [orbit.characteristics["growth"] for orbit in orbits] == pytest.approx([1.2870, 5.9864, 0.26], abs=5e-5)
    assert [orbit.stable for orbit in orbits] == [False, False, True]


def bounce(x_new, t, x, p, chart, crossed):
    x_new[1] = -x[1]
    return chart


def test_of_a_family_one_motion_is_given():
    ball = falling(bounce)
    (orbit,) = hybridsim.find_orbits(ball, {"v": (0.5, 3.0)}, section="floor", strides=1, samples=8)
    assert orbit.family == 1


def test_a_box_without_strides_has_no_orbits_and_progress_is_told():
    done = []
    orbits = hybridsim.find_orbits(
        henon_model.MODEL,
        HENON_BOX,
        section="tick",
        strides=1,
        samples=8,
        progress=lambda n, counts: done.append((n, counts)),
    )
    assert [n for n, _ in done] == [*range(1, 9)]
    assert done[-1][1] == {"orbits": len(orbits)}
    assert hybridsim.find_orbits("compass_gait", {"theta_st": (1.2, 1.4)}, section="heelstrike", samples=4) == ()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"box": {"w": (0.0, 1.0)}}, "box: henon has no state 'w'"),
        ({"box": {"u": (1.0, 0.0)}}, "box: u: expected its lowest and its highest value"),
        ({"box": {"u": (0.0, math.nan)}}, "box: u: expected"),
        ({"box": {"u": 1.0}}, "box: u: expected"),
        ({"strides": ()}, "strides: expected positive whole numbers"),
        ({"strides": (0, 1)}, "strides: expected positive whole numbers"),
        ({"samples": 0}, "samples: expected a positive whole number"),
        ({"max_strides": 3}, "it is called `strides` here"),
        ({"section": "tack"}, "tick"),
    ],
)
def test_what_is_wrong_is_refused_by_name(changed, message):
    with pytest.raises(ConfigError, match="(?s)" + message.replace("(", r"\(")):
        hybridsim.find_orbits(henon_model.MODEL, **{"box": HENON_BOX, "section": "tick"} | changed)


def follow_time(xdot, t, x, p, chart):
    xdot[0] = math.cos(t)


def pass_time_on(xdot, t, x, p, chart):
    follow_time(xdot, t, x, p, chart)


@pytest.mark.parametrize(("vector_field", "reads"), [(stand_still, False), (follow_time, True), (pass_time_on, True)])
def test_a_model_that_never_mentions_the_time_is_known(vector_field, reads):
    assert may_read_time({"vector_field": vector_field, "transition": keep_chart}) == reads
    assert not may_read_time({"outputs": follow_time})
    assert not may_read_time(henon_model.MODEL.functions)
