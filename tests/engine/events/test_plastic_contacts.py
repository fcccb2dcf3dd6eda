"""A contact that takes all the speed is at rest at once: jumps that give back their state are not made without end."""

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State, Status

GRAVITY = 10.0
FIRST_BOUNCE = np.sqrt(2.0 / GRAVITY)  # of a fall from 1


def moving_floor(g, t, x, p, chart):
    """The floor begins at the first parameter, and moves at the second from the third on, a time."""
    if chart == 0:
        g[0] = x[0] - p[0] - p[1] * (t - p[2])


def plastic_contact(x_new, t, x, p, chart, crossed):
    """The body goes on with the floor."""
    x_new[1] = p[1]
    return chart


def fall_or_ride(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -p[3] if chart == 0 else 0.0


@pytest.mark.parametrize("rtol", [1e-4, 1e-10])
@pytest.mark.parametrize("declared", [{"degree": 1}, {"second_derivative_bound": 1e4}, {}])
@pytest.mark.members(2)
@pytest.mark.parametrize("begin", [0.0, 1e6, 1.7e9])
@pytest.mark.parametrize("method", ["dp5", "tsit5", "dop853", "rk4_adaptive", "rodas5p"])
def test_a_plastic_contact_is_at_rest_once_a_jump_gives_back_the_state_it_began_with(begin, method, declared, rtol):
    model = Model(
        "plastic",
        Records(State("y"), State("v")),
        vector_field=fall_or_ride,
        boundaries=moving_floor,
        transition=plastic_contact,
        parameters=Records(*map(Parameter, ("height", "speed", "begin", "gravity"))),
        boundary_records=Records(Boundary("floor", rest="rest", **declared)),
        charts=Records(Chart("flight"), Chart("rest")),
    )
    for height, speed, unit in ((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 0.3, 1.0), (0.0, 0.0, 1e3)):
        run = hybridsim.simulate(
            model,
            parameters={"height": height, "speed": speed, "begin": begin, "gravity": GRAVITY * unit},
            initial={"y": height + unit, "v": speed},
            initial_time=begin,
            final_time=begin + 1.0,
            method=method,
            rtol=rtol,
        )
        assert run.status is Status.FINAL_TIME
        # The first jump takes the speed; the next find nothing to take, or what a fall from a rounding above gives.
        assert len(run.events) <= 6, run.events.kind
        assert run.events.kind[-1] == "zeno"
        # The time is known up to that of a fall by as much as the floor is rounded.
        rounded = 8.0 * (np.spacing(begin + 1.0) * speed + np.spacing(height + 1.0))
        unsure = 4.0 * np.sqrt(rounded / GRAVITY)
        allowed = unsure + 4.0 * np.spacing(begin + 1.0)
        assert run.events.t[-1] - begin == pytest.approx(FIRST_BOUNCE, abs=allowed)
        assert run["v"][-1] == pytest.approx(speed, rel=0.0, abs=GRAVITY * unsure)
        assert hybridsim.verify(run, model=model).checks["accumulations"].violations == 0
