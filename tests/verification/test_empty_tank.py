"""A tank that runs empty: no flow leads back from there, and steps into the kink are off by more than they estimate."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim.verification import verify

MODELS = Path(__file__).parent / "models"


def tank_runs(seed, n, **record):
    """Tanks that run empty, with any method and tolerances, at any time, from any level."""
    model, rng = hybridsim.load_model(MODELS / "tank.py"), np.random.default_rng(seed)
    for k in range(n):
        method, t0 = ("dp5", "tsit5", "dop853", "rk4_adaptive")[k % 4], (0.0, 1e3, 1e6)[k % 3]
        rtol = 10.0 ** rng.uniform(-9.0, -3.0)
        engine = {"method": method, "rtol": rtol, "atol": rtol * 10.0 ** rng.uniform(-5.0, 0.0)}
        initial, period = {"level": rng.uniform(0.1, 1.0)}, 10.0 ** rng.uniform(-2.0, 0.0)
        given = {"initial": initial, "initial_time": t0, "final_time": t0 + 3.0} | engine
        yield given, model, hybridsim.simulate(model, record=record.get("record", period), **given)


@pytest.mark.members(1)
@pytest.mark.parametrize("n", [36, pytest.param(60, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("record", [{}, {"record": True}], ids=["sampled", "every_step"])
def test_a_tank_that_runs_empty_passes(record, n):
    """No flow leads back from an empty tank, and steps into the kink are off by more than they estimate."""
    for given, model, run in tank_runs(2, n, **record):
        report = verify(run, model)
        assert report.ok, f"{given}: {report}"


@pytest.mark.exhaustive  # a tank that runs empty passes in the ordinary run
@pytest.mark.parametrize("n", [6, pytest.param(24, marks=pytest.mark.exhaustive)])
def test_an_empty_tank_that_is_not_empty_is_rejected(n):
    """At loose tolerances a step over half a second, across the kink, may well have such slopes."""
    for given, model, run in tank_runs(3, n):
        if given["rtol"] > 1e-5:
            continue
        empty = np.flatnonzero(run.t > run.t[0] + 2.0 * np.sqrt(run["level"][0]) + 0.2)
        for name, change in (("x", 1e3 * (given["rtol"] + given["atol"])), ("xdot", 0.3)):
            altered = getattr(run, name).copy()
            altered[empty[len(empty) // 2], 0] += change
            assert not verify(dataclasses.replace(run, **{name: altered}), model).ok, (given, name)
