"""How far rounding moves a boundary of many states: those that it does not depend on are looked at together."""

import numpy as np
import pytest

from hybridsim import Boundary, Model, Parameter, Records, State, Status, simulate

X, Y, Z = 0, 10, 20
"""States of a balance, far from each other among the others."""


def part(xdot, t, x, p, chart):
    """x = y + z for all times, but for rounding; it bends up by the parameter."""
    xdot[0] = 0.3 + p[0] * t
    xdot[10] = 0.1
    xdot[20] = 0.2


def balance(g, t, x, p, chart):
    g[0] = x[0] - x[10] - x[20]


def keep(x_new, t, x, p, chart, crossed):
    return 0


def balanced(n):
    """A difference of three large states among n, of which the others are held."""
    moving = (X, Y, Z)
    states = (State(f"s{i}", 0.5 if i not in moving else 0.0, continuous=i in moving) for i in range(n))
    return Model(
        f"balanced_{n}",
        Records(*states),
        vector_field=part,
        boundaries=balance,
        transition=keep,
        boundary_records=[Boundary("balance")],
        parameters=[Parameter("bend", 1e-3)],
    )


def run_of(n, y, z):
    run = simulate(balanced(n), initial={"s0": y + z, "s10": y, "s20": z}, final_time=1.0)
    assert run.status is Status.FINAL_TIME
    return run


def test_a_boundary_of_states_that_are_far_apart_is_zero_but_for_rounding_and_rests():
    rng, tried = np.random.default_rng(6), 0
    for y, z in rng.uniform(1e6, 9e6, (40, 2)):
        if (y + z) - y - z <= 0.0:  # no positive value is taken for zero
            tried += 1
            assert len(run_of(30, y, z).events) == 0
    assert tried > 10


@pytest.mark.parametrize("n", [40, 56])
def test_states_that_a_boundary_does_not_depend_on_take_one_call_of_it_for_eight(n):
    fewer, more = (run_of(number, 7e6, 5e6) for number in (24, n))
    assert fewer.statistics["steps"] == more.statistics["steps"]
    assert more.statistics["boundary_calls"] - fewer.statistics["boundary_calls"] == (n - 24) // 8
