"""The limit of an accumulation, as the jumps suggest it."""

import copy
from dataclasses import replace

import numpy as np
import pytest

import hybridsim
from hybridsim.contacts import Plane, Sphere, contact_model
from hybridsim.multibody import Body, Free, Mechanism, Planar
from hybridsim.verification.accumulations import JumpSequence


def sequence(t, moved=None, shift=0.0):
    t = np.asarray(t, float)
    x = np.linspace(1.0, 0.0, len(t))[:, None] ** 2
    moved = np.linspace(1.0, 0.0, len(t)) if moved is None else moved
    return JumpSequence(t, x, moved, np.zeros(0), np.full(len(t), 1e-15), np.full((2, len(t)), shift), 0.0, 1e-6)


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


@pytest.mark.members(1)
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


def ball_on_a_slope(begin=0.0, rtol=1e-10, method="dp5", kind=Planar, **settings):
    """A ball that bounces down a slope until it rests on it: what its two coordinates change in the gap cancels."""
    body = Body("ball", Free("ball") if kind is Free else kind("ball", normal="y"), mass=1.0, inertia=(0.004,) * 3)
    rim = Sphere("rim", "ball", 0.1, plane=Plane(slope=0.5), friction=0.2, restitution=0.5)
    model = contact_model("ball", Mechanism(body), [rim], initial={"ball_z": 0.4, "ball_xdot": 0.3})
    settings = {"rtol": rtol, "atol": 1e-2 * rtol, "method": method, "record": True, **settings}
    return model, hybridsim.simulate(model, initial_time=begin, final_time=begin + 0.72, **settings)


TOLERANCES, BEGINS = (1e-3, 1e-6, 1e-10, 1e-12), (0.0, 1e6, 1e9)
METHODS = ("dp5", "dop853", "tsit5", pytest.param("rodas5p", marks=pytest.mark.exhaustive))
"""For the last one, derivatives of contacts are compiled for most of a minute."""


@pytest.mark.members
@pytest.mark.parametrize("rtol", TOLERANCES)
@pytest.mark.parametrize("begin", BEGINS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [Free, Planar])
def test_a_ball_that_comes_to_rest_on_a_slope_is_accepted(rtol, begin, method, kind):
    model, run = ball_on_a_slope(begin, rtol, method, kind)
    assert begin == 1e9 or run.statistics["accumulations"] == 1  # in the plane, gaps below their rounding end at once
    report = hybridsim.verify(run, model=model)
    assert report.ok, str(report)


@pytest.mark.members(1)
@pytest.mark.parametrize("precision", [1e-3, 1e-5, 1e-6])
@pytest.mark.parametrize("kind", [Free, Planar])
def test_a_rest_that_came_bounces_too_early_is_refused(precision, kind):
    """As with a coarser `zeno_precision` than the config says: at the right time, but before rounding hides bounces."""
    model, run = ball_on_a_slope(kind=kind, zeno_precision=precision)
    assert hybridsim.verify(run, model=model).ok
    config = run.provenance["config"]
    altered = {**config, "engine": {**config["engine"], "zeno_precision": 1e-9}}
    report = hybridsim.verify(replace(run, provenance={**run.provenance, "config": altered}), model=model)
    assert any("have not come near their limit" in each.what for each in report.violations), str(report)


@pytest.mark.members(1)
@pytest.mark.parametrize("off", [-1e-8, 1e-8, 1e-5])
def test_a_rest_at_another_instant_is_refused(off):
    model, run = ball_on_a_slope()
    events, t = copy.copy(run.events), run.t.copy()
    (limit,) = np.flatnonzero(np.array(events.kind) == "zeno")
    moved, events.t = t == events.t[limit], events.t.copy()
    events.t[limit] += off
    t[moved] += off
    statistics = {**run.statistics, "accumulation_time": float(events.t[limit])}
    report = hybridsim.verify(replace(run, t=t, events=events, statistics=statistics), model=model)
    assert report.checks["accumulations"].violations > 0, str(report)
