"""What is said of an orbit beside its numbers: fewer strides, grazing angles; and its events, as those of a run."""

import math

import numpy as np
import pytest
from map_model import LOGISTIC, MODEL

import hybridsim

GAP, RESTITUTION, OMEGA = 0.1, 0.8, 2.2


def logistic(r, u, strides):
    return hybridsim.find_orbit(
        MODEL, parameters={"map": LOGISTIC, "r": r}, section="tick", initial={"u": u}, strides=strides
    )


@pytest.mark.parametrize(
    ("r", "u", "strides", "own", "words"),
    [
        (2.8, 0.643, 2, 1, "1 stride, found twice"),
        (2.8, 0.643, 6, 1, "1 stride, found 6 times"),
        (3.3, 0.8236, 4, 2, "2 strides, found twice"),
    ],
)
def test_an_orbit_of_fewer_strides_than_asked_for_is_called_so(r, u, strides, own, words, tmp_path):
    orbit, single = logistic(r, u, strides), logistic(r, u, own)
    (warning,) = orbit.warnings
    assert f"an orbit of {words} in a row" in warning
    assert f"{single.period:.9g} s" in warning
    np.testing.assert_allclose(orbit.multipliers, single.multipliers ** (strides // own), atol=1e-9)
    assert hybridsim.load_orbit(orbit.save(tmp_path / "orbit.h5"), MODEL).warnings == orbit.warnings
    assert not single.warnings


def impact_oscillator(speed):
    """The motion with one impact a period at this speed, and its parameters (Shaw and Holmes, 1983)."""
    k = (1.0 + RESTITUTION) / (2.0 * math.tan(math.pi / OMEGA))
    cos, sin = GAP + k * speed, -0.5 * (1.0 - RESTITUTION) * speed / OMEGA
    sign = math.copysign(1.0, 1.0 - OMEGA**2)
    amplitude = abs(1.0 - OMEGA**2) * math.hypot(cos, sin)
    phase = math.atan2(sign * sin, sign * cos) % (2.0 * math.pi)
    return hybridsim.find_orbit(
        "impact_oscillator",
        parameters={"amplitude": amplitude, "omega": OMEGA, "gap": GAP, "restitution": RESTITUTION},
        section="period",
        initial={"x": GAP, "v": -RESTITUTION * speed, "phase": phase},
        initial_chart="free",
    )


@pytest.mark.parametrize("speed", [0.3, 0.1, 1e-5])
def test_an_orbit_that_meets_a_boundary_at_a_grazing_angle_says_so(speed):
    orbit = impact_oscillator(speed)
    (impact,) = [event for event in orbit.events if "impact" in event.boundaries]
    assert impact.x_before[1] == pytest.approx(speed, rel=1e-4)
    assert [("impact is met at a grazing angle" in warning) for warning in orbit.warnings] == [True] * (speed < 1e-3)
    assert hybridsim.sensitivity(orbit.run(1)).warnings != () or speed > 1e-3


@pytest.mark.parametrize(
    ("model", "section"), [("compass_gait", "heelstrike"), ("simplest_walker", "heelstrike"), ("slip", "apex")]
)
def test_the_events_of_an_orbit_are_those_of_a_run_along_it(model, section):
    orbit = hybridsim.find_orbit(model, section=section)
    run = orbit.run(1)
    assert orbit.events.names == run.events.names
    for event, of_run in zip(orbit.events, run.events, strict=True):
        assert (event.kind, event.boundaries, event.declined, event.j) == (
            of_run.kind,
            of_run.boundaries,
            of_run.declined,
            of_run.j,
        )
        assert event.t == pytest.approx(of_run.t, abs=1e-12)
