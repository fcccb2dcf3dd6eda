"""Runs of all bundled models that begin at any time; at 1.7e9 s, the time of a clock, a spacing of t is 0.24 us."""

import dataclasses

import numpy as np
import pytest

import hybridsim
from hybridsim.results.events import EVENT_COLUMNS, Events
from hybridsim.verification import verify

DURATIONS = {
    "bilinear_oscillator": 3.0,
    "bouncing_ball": 1.2,
    "compass_gait": 1.5,
    "disk_feet": 2.0,
    "dry_friction": 3.0,
    "galperin": 3.0,
    "impact_oscillator": 3.0,
    "kneed_walker": 1.5,
    "projectile": 2.0,
    "relay": 1.5,
    "rimless_wheel": 1.5,
    "simplest_walker": 5.0,
    "slip": 1.0,
    "stick_slip": 4.0,
    "straight_legs": 1.5,
    "table_ball": 1.5,
    "two_walls": 4.0,
    "vibrating_table": 1.0,
    "robertson": 1e-3,
    "hexapod": 0.1,
    "biped": 0.1,
}
"""How long the runs last [s]; `buck_converter` is missing, as it steps by nanoseconds, which t has no room for late."""
METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "series", "rk4_adaptive", "rk4")
BEGINS = (0.0, 1e6, 1.7e9)


def simulate(name, begin, method):
    keywords = {"first_step": 1e-3 * DURATIONS[name]} if method == "rk4" else {}
    return hybridsim.simulate(name, method=method, initial_time=begin, final_time=begin + DURATIONS[name], **keywords)


@pytest.mark.members(1)
@pytest.mark.parametrize(("number", "name"), [*enumerate(DURATIONS)])
def test_a_run_that_begins_at_any_time_passes(number, name):
    """By one method; each model meets another one."""
    passes(name, METHODS[number % len(METHODS)])


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", DURATIONS)
def test_a_run_that_begins_at_any_time_passes_by_any_method(name, method):
    passes(name, method)


def passes(name, method):
    for begin in BEGINS:
        report = verify(simulate(name, begin, method))
        assert report.ok, f"{begin}: {report}"


@pytest.mark.exhaustive  # a declined crossing is the other late one
def test_a_boundary_that_is_only_observed_may_cross_late_by_any_method():
    """Each method leaves it another part of a spacing above zero."""
    for method in METHODS:
        passes("kneed_walker", method)


@pytest.mark.parametrize("begin", BEGINS)
def test_a_declined_crossing_that_is_left_out_late_is_missed(begin):
    """The event is dropped from the run, so the boundary falls below zero without one."""
    run = simulate("kneed_walker", begin, "dp5")
    events = run.events
    for k in np.flatnonzero(events.declined).tolist():
        kept = np.arange(len(events)) != k
        columns = {
            name: tuple(np.array(getattr(events, name))[kept].tolist()) if column.words else getattr(events, name)[kept]
            for name, column in EVENT_COLUMNS.items()
        }
        dropped = Events(events.names, events.states, **columns)
        report = verify(dataclasses.replace(run, events=dropped))
        assert any("falls below zero without an event" in violation.what for violation in report.violations), str(
            report
        )
