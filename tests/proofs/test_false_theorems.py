"""Models of which a careless prover would prove what is not true."""

import math

import pytest
from mpmath import mp, mpf

import hybridsim
from hybridsim import Boundary, Chart, Model, NotProvenError, Parameter, Records, State
from hybridsim.model.parameters import pack_parameters
from hybridsim.proofs.balls import ball, working
from hybridsim.proofs.enclosure import Accuracy
from hybridsim.proofs.legs import Chain
from hybridsim.proofs.refusals import TooWideError
from hybridsim.proofs.shooting import Box, period


def falling(xdot, t, x, p, chart):
    """Slower above zero than below: the branch of the target's own sign."""
    xdot[0] = x[1]
    xdot[1] = -1.0 if x[0] >= 0.0 else -p[0]


def kicked(xdot, t, x, p, chart):
    """With a kick where the clock is before zero, where no image of the transition is that the orbit passes."""
    xdot[0], xdot[1], xdot[2] = x[1], -1.0 - 1e-3 * x[2], 1.0
    if x[2] < 0.0:
        xdot[1] = p[0]


def turned(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -1.0 - math.radians(p[0])


def tabled(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -p[int(p[0])]


def height(g, t, x, p, chart):
    g[0] = x[0]


def thrown_from_below(x_new, t, x, p, chart, crossed):
    x_new[0], x_new[1] = -0.5, 2.0 - 0.3 * (x[1] + 1.7)
    return 0


def thrown(x_new, t, x, p, chart, crossed):
    x_new[0], x_new[1] = 0.0, 2.0 - 0.3 * (x[1] + 1.7)
    return 0


def thrown_with_a_clock(x_new, t, x, p, chart, crossed):
    x_new[0] = 0.0
    if x[1] < -5.0:
        x_new[1], x_new[2] = 2.1298, -1e-4
    else:
        x_new[1], x_new[2] = 2.0 - 0.3 * (x[1] + 1.7), x[0]
    return 0


def counting_below(xdot, t, x, p, chart):
    """s counts the time below zero, whose sign is that of the boundary that is crossed."""
    xdot[0], xdot[1] = x[1], -1.0
    xdot[2] = 0.0 if x[0] >= 0.0 else p[0]


def thrown_by_the_count(x_new, t, x, p, chart, crossed):
    if x[2] > 1e-5:
        x_new[0], x_new[1] = -1e-4, 2.1286
    else:
        x_new[0], x_new[1] = 0.0, 2.0 - 0.3 * (x[1] + 1.7)
    x_new[2] = 0.0
    return 0


def swinging(xdot, t, x, p, chart):
    xdot[0], xdot[1], xdot[2] = x[1], -p[0] * x[0] - 0.01 * x[0] ** 2 - 0.02 * x[1], 1.0


def thrown_down(x_new, t, x, p, chart, crossed):
    """After less than a second it begins a little above zero, where the boundary fires at once."""
    if x[2] < 1.0:
        x_new[0], x_new[1] = 1e-4, -1.0
    else:
        x_new[0], x_new[1] = x[0], -1.0 - 0.3 * (x[1] + 0.9)
    x_new[2] = 0.0
    return 0


def pulled_to_a_side(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -1.0 - 1e-3 * math.copysign(1.0, p[0])


def orbit_of(field, transition, start, parameter, **boundary):
    states = Records(*(State(name, value) for name, value in start.items()))
    model = Model(
        "false",
        states,
        vector_field=field,
        boundaries=height,
        transition=transition,
        parameters=Records(parameter),
        charts=Records(Chart("only")),
        boundary_records=Records(Boundary("back", degree=1, **boundary)),
    )
    return hybridsim.find_orbit(model, section="back", initial=start)


@pytest.mark.parametrize("pull", [1.05, 1.5])
def test_a_branch_by_the_sign_of_the_boundary_that_is_crossed_is_watched(pull):
    """It begins below zero, where the other branch holds."""
    start = {"x": -0.5, "v": 2.0}
    orbit = orbit_of(falling, thrown_from_below, start, Parameter("pull", pull), armed="when_positive")
    with pytest.raises(NotProvenError):
        hybridsim.prove(orbit)


def test_no_orbit_is_the_only_one_where_a_branch_begins_at_its_edge():
    """A second one begins at a clock of -1e-4."""
    orbit = orbit_of(kicked, thrown_with_a_clock, {"x": 0.0, "v": 2.1286, "s": 0.0}, Parameter("kick", 4e4))
    with pytest.raises(NotProvenError):
        hybridsim.prove(orbit)


def test_degrees_are_those_of_the_real_numbers():
    orbit = orbit_of(turned, thrown, {"x": 0.0, "v": 2.0}, Parameter("angle", 3.0))
    mp.dps = 40
    # v = 2 - 0.3 (1.7 - v), and the period is 2 v / (1 + angle)
    speed = (mpf(2.0) - mpf(0.3) * mpf(1.7)) / (1 - mpf(0.3))
    period = 2 * speed / (1 + 3 * mp.pi / 180)
    found = hybridsim.prove(orbit, digits=30).period
    low, high = (mpf(end.numerator) / end.denominator for end in (found.low, found.high))
    assert low <= period <= high
    assert high - low < mpf("1e-29")


def test_an_array_is_no_hypothesis():
    orbit = orbit_of(tabled, thrown, {"x": 0.0, "v": 2.0}, Parameter("pulls", (1.0, 2.0)))
    with pytest.raises(NotProvenError, match="pulls is an array; give its entries as parameters"):
        hybridsim.prove(orbit)


def test_no_orbit_is_the_only_one_where_the_box_has_motions_of_another_branch():
    """A second one begins at -1e-4: a boundary that waits to be positive lets it pass."""
    start = {"x": 0.0, "v": 2.1286, "s": 0.0}
    orbit = orbit_of(counting_below, thrown_by_the_count, start, Parameter("rate", 1.0), armed="when_positive")
    other = orbit_of(
        counting_below, thrown_by_the_count, start | {"x": -1e-4}, Parameter("rate", 1.0), armed="when_positive"
    )
    assert orbit.period != pytest.approx(other.period, abs=1e-6)
    with pytest.raises(NotProvenError):
        hybridsim.prove(orbit)


def test_no_orbit_is_the_only_one_where_the_box_has_motions_that_cross_at_once():
    """From 1e-4 the boundary is armed, and crossed after 1e-4 s; from below zero it waits for a whole swing."""
    start = {"x": -1e-4, "v": -1.0, "s": 0.0}
    orbit = orbit_of(swinging, thrown_down, start, Parameter("k", 1.0), armed="when_positive")
    assert orbit.found.x0[0] == pytest.approx(1e-4)
    middle, reach = hybridsim.prove(orbit).unique_in["x"]
    assert middle - reach > 0.0
    chain = Chain(orbit, pack_parameters(orbit.model, dict(orbit.config.parameters)))
    with working(80, 20):
        box = Box([ball(value) for value in orbit.found.x0], (0, 1), [ball(1.1e-4), ball(1e-6)], [])
        with pytest.raises(TooWideError, match="back may fall to zero"):
            period(chain, box, Accuracy(80, 20, 1e-12))


@pytest.mark.parametrize(("side", "sign"), [(0.0, 1.0), (-0.0, -1.0), (2.0, 1.0), (-2.0, -1.0)])
def test_the_side_of_a_zero_is_that_of_its_sign(side, sign):
    orbit = orbit_of(pulled_to_a_side, thrown, {"x": 0.0, "v": 2.1286}, Parameter("side", side))
    speed = (2.0 - 0.3 * 1.7) / 0.7  # v = 2 - 0.3 (1.7 - v)
    found = hybridsim.prove(orbit).period
    assert float(found.low) == pytest.approx(2.0 * speed / (1.0 + 1e-3 * sign), rel=1e-12)
