"""Boundaries between events: what is found depends neither on groups of the flow nor on where samples lie."""

import dataclasses

import numpy as np
import pytest

from hybridsim.verification import Report, missed_crossings, reference, steps
from hybridsim.verification.api import check_all
from hybridsim.verification.evaluator import make_evaluator
from hybridsim.verification.missed_crossings import CHEBYSHEV_POINTS, check_between_events

from .small_runs import make_run


def report_of(evaluator):
    report = Report("", 0, 0)
    check_all(evaluator, report)
    return report


@pytest.mark.members(1)
@pytest.mark.parametrize("name", ["runner, sampled", "rest, every step", "rest, events only", "slide, sampled"])
def test_groups_of_any_size_lead_to_the_same_report(name, monkeypatch):
    model, run = make_run(name)
    evaluator = make_evaluator(run, model)
    whole = report_of(evaluator)
    monkeypatch.setattr(reference, "BATCH_ROWS", 3)
    monkeypatch.setattr(steps, "BATCH_ROWS", 3)
    in_groups = report_of(evaluator)
    assert in_groups.ok
    assert in_groups.checks["flow"].count == whole.checks["flow"].count


def test_an_armed_boundary_is_armed_in_the_next_group_too(monkeypatch):
    """A ball that has been lowered by a little falls through its floor in the last piece before an event."""
    model, run = make_run("ball, every step")
    monkeypatch.setattr(steps, "BATCH_ROWS", 1)
    lower = run.x - 1e-3 * np.eye(run.x.shape[1])[0]
    evaluator = dataclasses.replace(make_evaluator(run, model), run=dataclasses.replace(run, x=lower))
    report = Report("", 0, 0)
    check_between_events(evaluator, report, steps.check_steps(evaluator, report))
    assert report.checks[missed_crossings.BOUNDARIES_CHECK].violations > 0


@pytest.mark.parametrize("theta", [0.003, 0.2, 0.47, 0.995])
def test_a_dip_between_samples_is_suspected(theta):
    g = (CHEBYSHEV_POINTS - theta) ** 2
    lowest = missed_crossings._lowest_of_parabola(g[None, :, None])
    np.testing.assert_allclose(lowest, 0.0, atol=1e-15)


def test_where_samples_fall_to_the_end_the_last_one_is_the_lowest():
    g = 1.0 - CHEBYSHEV_POINTS
    assert missed_crossings._lowest_of_parabola(g[None, :, None]) == 0.0
