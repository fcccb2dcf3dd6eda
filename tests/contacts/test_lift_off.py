"""A point that leaves its plane as its force vanishes does not touch it again by rounding."""

import math
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Parameter, Records, Simulation, Status, load_config, simulate, verify
from hybridsim.contacts import Patch, contact_model
from hybridsim.multibody import Body, Mechanism, Planar

WALK = Path(__file__).parents[2] / "configs" / "humanoid" / "walk-orbit.yaml"
METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4")
BEGINS = (0.0, 1e6, 1e9)
LENGTHS = (1.0, 0.02, 1e3)


def lift(force, t, x, p):
    """The second parameter is when it begins, the first one the growth of the force [N/s]."""
    force[1] += p[0] * (t - p[1])


def rod(length):
    """A rod whose lower end slides on the ground without friction, while a force that grows with time lifts it."""
    bar = Body("rod", Planar("rod", normal="y"), mass=1.0, inertia=(length**2 / 12, length**2 / 12, 0.0))
    return contact_model(
        "rod",
        Mechanism(bar),
        [Patch("tip", "rod", [(0.0, 0.0, -0.5 * length)], friction=0.0)],
        forces=lift,
        parameters=Records(Parameter("growth", 0.0, "N/s"), Parameter("begin", 0.0, "s")),
    )


@pytest.mark.members(2)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("begin", BEGINS)
@pytest.mark.parametrize("method", METHODS)
def test_a_sliding_end_that_is_lifted_leaves_the_ground_once(length, begin, method):
    model, rng = rod(length), np.random.default_rng(5)
    second = math.sqrt(length)  # what takes a second of a rod of 1 m
    is_late, begin = begin == BEGINS[-1], begin * second
    for k in range(12):
        angle, speed, turn = rng.uniform((-0.6, -2.0, -1.0), (0.6, 2.0, 1.0))
        run = simulate(
            model,
            parameters={"growth": rng.uniform(50.0, 100.0) / second, "begin": begin},
            initial={
                "rod_z": 0.5 * length * math.cos(angle),
                "rod_angle": angle,
                "rod_xdot": speed * second,
                "rod_angledot": turn / second,
                "rod_zdot": -0.5 * length * math.sin(angle) * turn / second,
            },
            initial_time=begin,
            final_time=begin + 0.5 * second,
            method=method,
            record=True,
            **({"first_step": 1e-3 * second} if method == "rk4" else {"rtol": 1e-8, "atol": 1e-10}),
        )
        assert [event.boundaries for event in run.events] == [("tip_force",)]
        if is_late and run.status is Status.STEP_TOO_SMALL:  # time is rounded to 1e-7 there, the force with it
            assert "begin at an earlier time" in run.message
            continue
        assert run.status is Status.FINAL_TIME, run.message
        assert run["tip_gap"][-1] > 1e-5 * length
        if k == 0:
            assert verify(run, model=model).ok


WALKS = [
    ["engine.rtol=1e-6", "engine.atol=1e-7"],
    [],
    ["engine.rtol=1e-11", "engine.atol=1e-12"],
    ["engine.method=dop853"],
    ["engine.method=rodas5p", "engine.rtol=1e-7"],
    ["engine.method=rk4", "engine.first_step=5e-4"],
    ["initial_time=1e6"],
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "settings", [pytest.param(each, marks=[pytest.mark.exhaustive] if each != WALKS[0] else []) for each in WALKS]
)
def test_each_foot_of_a_walk_strikes_twice_and_leaves_once_a_stride(settings):
    """The toe of a foot leaves in the impact of the other heel."""
    begin = 1e6 if settings == WALKS[-1] else 0.0
    run = Simulation.from_config(load_config(WALK, (f"final_time={begin + 13}", *settings))).run()
    assert run.status is Status.FINAL_TIME, run.message
    one = [(f"{foot}{event}",) for foot in ("left", "right") for event in ("0_gap", "1_gap", "0_force")]
    one = [*one[:3], ("half_stride",), *one[3:], ("stride",)]
    found = [event.boundaries for event in run.events]
    first = found.index(("stride",)) + 1
    assert found[first : first + 8 * 7] == one * 7
