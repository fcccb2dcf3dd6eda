"""Runs by a Rosenbrock method: judged as any other where the model is not stiff, and not decided where it is."""

import copy
import dataclasses

import numpy as np
import pytest

import hybridsim
from hybridsim.verification import verify

from .test_honest_runs import simulate


@pytest.mark.members(2)
@pytest.mark.parametrize("name", ["relay", "stick_slip", "slider", "projectile"])
def test_an_honest_run_by_the_rosenbrock_method_passes(name):
    for record in (True, 0.05):
        report = verify(simulate(name, record=record, method="rodas5p", rtol=1e-7, atol=1e-9))
        assert report.ok, str(report)


@pytest.mark.members
@pytest.mark.parametrize("acceleration", [1.1, 1.3])
@pytest.mark.parametrize("begin", [0.0, 1e6])
def test_bounces_on_a_table_pass_though_their_errors_are_pure_rounding(acceleration, begin):
    """The error estimate of the gap is 1e-14 m, the sum of increments ten orders of magnitude larger."""
    run = hybridsim.simulate(
        "vibrating_table",
        method="rodas5p",
        rtol=1e-7,
        atol=1e-9,
        initial_time=begin,
        final_time=begin + 1.0,
        parameters={"acceleration": acceleration},
    )
    error = run.events.error.copy()
    assert np.nanmedian(error) < 1e-13
    report = verify(run)
    assert report.ok, str(report)
    error[np.nanargmax(error)] *= 1.001
    events = copy.copy(run.events)
    events.error = error
    assert not verify(dataclasses.replace(run, events=events)).ok


def test_a_wrong_state_in_a_run_by_the_rosenbrock_method_is_rejected():
    run = simulate("relay", method="rodas5p", rtol=1e-7, atol=1e-9)
    x = run.x.copy()
    x[len(x) // 2, 0] += 1e-4
    assert not verify(dataclasses.replace(run, x=x)).ok


X, V = 0, 1


def on_spring(xdot, t, x, p, chart):
    """A mass above a spring that does not pull; the field has a kink at x = 0, where each contact begins and ends."""
    xdot[X] = x[V]
    xdot[V] = -p[0] + p[1] * max(-x[X], 0.0)


def height(g, t, x, p, chart):
    g[0] = x[X] if chart == 0 else -x[X]


def touch(x_new, t, x, p, chart, crossed):
    return 1 - chart


TRAMPOLINE = hybridsim.Model(
    "trampoline",
    hybridsim.Records(hybridsim.State("x"), hybridsim.State("v")),
    vector_field=on_spring,
    boundaries=height,
    transition=touch,
    parameters=hybridsim.Records(hybridsim.Parameter("g", 9.81), hybridsim.Parameter("k", 900.0)),
    charts=hybridsim.Records(hybridsim.Chart("air"), hybridsim.Chart("spring")),
    boundary_records=hybridsim.Records(hybridsim.Boundary("surface")),
)


@pytest.mark.members(1)
@pytest.mark.parametrize("unit", [1.0, 1e-4, 1e3])
@pytest.mark.parametrize("begin", [0.0, 1e4])
def test_steps_that_begin_at_a_kink_of_the_field_pass(unit, begin):
    """The engine's derivatives there are those of one side; differences across the kink are those of neither."""
    run = hybridsim.simulate(
        TRAMPOLINE,
        method="rodas5p",
        rtol=1e-7,
        atol=1e-10 * unit,
        initial={"x": unit, "v": 0.0},
        parameters={"g": 9.81 * unit},
        initial_time=begin,
        final_time=begin + 5.0,
    )
    assert len(run.events) == 10
    report = verify(run, TRAMPOLINE)
    assert report.ok, str(report)
    error = run.events.error.copy()
    error[4] *= 1.001
    events = copy.copy(run.events)
    events.error = error
    assert not verify(dataclasses.replace(run, events=events), TRAMPOLINE).ok


LAWS = [{"friction": f, "damping": d} for f in ("creep", "coulomb") for d in ("linear", "hunt_crossley")]


@pytest.mark.exhaustive  # the ordinary run has smaller models
@pytest.mark.parametrize("law", LAWS)
def test_a_hexapod_whose_toes_come_down_passes(law):
    run = hybridsim.simulate("hexapod", parameters=law, method="rodas5p", rtol=1e-6, atol=1e-9, final_time=0.2)
    report = verify(run)
    assert report.ok, str(report)
    assert report.worst_step.size < 2.0


STIFF = {
    "robertson": {"final_time": 1e8, "rtol": 1e-6, "atol": 1e-14},
    "buck_converter": {"final_time": 3e-4, "rtol": 1e-6, "atol": 1e-6},
}


@pytest.mark.members(1)
@pytest.mark.parametrize("name", STIFF)
def test_of_a_stiff_run_the_report_says_why_it_cannot_be_judged(name):
    report = verify(hybridsim.simulate(name, method="rodas5p", **STIFF[name]))
    assert not report.ok
    assert "not decided" in str(report)
    assert "violation" not in str(report)
    assert "explicit method, which stiff models are too much for" in str(report)


@pytest.mark.members(1)
@pytest.mark.parametrize("name", STIFF)
def test_an_extension_that_leaves_its_row_in_another_direction_is_rejected(name):
    """Also of a stiff run: the first coefficient takes from the second, so that both ends stay."""
    run = hybridsim.simulate(name, method="rodas5p", **STIFF[name])
    extension, row = run.extension.copy(), len(run.t) // 2
    change = 0.01 * abs(run.x).max(axis=0)
    extension[row, 0] += change
    extension[row, 1] -= change
    assert "violation" in str(verify(dataclasses.replace(run, extension=extension)))
