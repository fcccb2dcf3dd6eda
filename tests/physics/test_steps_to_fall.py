"""How many steps a spring-mass runner makes before it falls: sweeps, against scipy and the equations alone."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import hybridsim
from hybridsim_models.slip import model as slip

MAP = [(k, angle) for k in np.linspace(5e3, 50e3, 8) for angle in np.linspace(41.0, 79.0, 12)]


def steps_to_fall(k, angle_of_attack, most=24):
    """How many steps a runner makes, by scipy and the equations alone: down to the touchdown height, while the leg is
    shorter than its rest length, up and down again; a body that does not get above the touchdown height falls."""
    angle = math.radians(angle_of_attack - 90.0)
    height, ahead = math.cos(angle), -math.sin(angle)
    x, y, xdot, ydot = 0.0, 1.0, 5.0, 0.0
    for step in range(most):
        top = y + 0.5 * max(ydot, 0.0) ** 2 / 9.81
        if top <= height or (ydot <= 0.0 and y <= height):
            return step
        ydot = -math.sqrt(ydot**2 + 2.0 * 9.81 * (y - height))
        foot = x + ahead  # the fall changes x by no more than an offset
        if (x - foot) * xdot + height * ydot >= 0.0:
            y = height
            return step + 1  # the leg does not shorten: no stance, and below the touchdown height for good

        def slope(t, z, foot=foot):
            leg = math.hypot(z[0] - foot, z[1])
            push = k * (1.0 - leg) / (80.0 * leg)
            return [z[2], z[3], push * (z[0] - foot), push * z[1] - 9.81]

        def length(t, z, foot=foot):
            return math.hypot(z[0] - foot, z[1]) - 1.0 + 1e-12 * (t == 0.0)

        def ground(t, z):
            return z[1]

        length.terminal, length.direction = True, 1.0
        ground.terminal = True
        stance = solve_ivp(slope, (0.0, 10.0), [x, height, xdot, ydot], events=[length, ground], rtol=1e-9, atol=1e-11)
        if len(stance.t_events[1]):
            return step + 1
        x, y, xdot, ydot = stance.y[:, -1]
    return most


@pytest.mark.exhaustive  # slow; `tests/optimisation/test_slip.py` has the apex map
def test_steps_to_a_fall_are_those_of_the_equations():
    table = hybridsim.sweep(
        "slip",
        {},
        ["count(touchdown)"],
        zip={"k": [k for k, _ in MAP], "touchdown_angle": [math.radians(angle - 90.0) for _, angle in MAP]},
        parameters={"hold_touchdown_angle": 1},
        stop=[("touchdown", 24)],
        final_time=100.0,
    )
    assert table["count(touchdown)"].to_pylist() == [steps_to_fall(k, angle) for k, angle in MAP]


@pytest.mark.parametrize(("k", "angle_of_attack"), [(36363.63, 56.1616), (7070.7, 49.697), (45959.6, 56.97)])
def test_a_leg_that_touches_down_lengthening_does_so_once(k, angle_of_attack):
    run = hybridsim.simulate(
        "slip",
        parameters={"hold_touchdown_angle": 1, "k": k},
        initial={"touchdown_angle": math.radians(angle_of_attack - 90.0)},
        stop=[("touchdown", 24)],
        final_time=100.0,
    )
    assert run.status is hybridsim.Status.LEFT_CHART
    assert run.events.count("touchdown") == steps_to_fall(k, angle_of_attack)
    last = run.events[-1]
    assert last.boundaries == ("liftoff",)
    assert last.x_before[slip.S.xdot] < 0.0
