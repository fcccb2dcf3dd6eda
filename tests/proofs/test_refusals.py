"""What cannot be proven is refused in a sentence: why, where in the motion, and what to try."""

import dataclasses
import math
import sys
from pathlib import Path

import mpmath
import pytest

import hybridsim
from hybridsim.config.run_config import with_values
from hybridsim.model import Boundary, Parameter, Records
from hybridsim.proofs import NotProvenError
from hybridsim_models.basics import impact_oscillator as oscillator
from hybridsim_models.basics.impact_oscillator import boundaries as own_boundaries
from hybridsim_models.basics.impact_oscillator import vector_field as own_field
from hybridsim_models.slip import model as runner
from hybridsim_models.slip.model import vector_field as runner_field


def changed(name="watched", boundaries=None, field=None, limit=10.0, validate=None, messages=()):
    """The impact oscillator with a parameter `limit`, and other functions."""
    base = oscillator.MODEL
    return dataclasses.replace(
        base,
        name=name,
        parameters=Records(*base.parameters, Parameter("limit", limit)),
        boundary_records=Records(*base.boundary_records, Boundary("dip", touch="ignore"))
        if boundaries
        else base.boundary_records,
        boundaries=boundaries or base.boundaries,
        vector_field=field or base.vector_field,
        validate=validate,
        messages=messages,
        source="",
    )


def with_dip(g, t, x, p, chart):
    own_boundaries(g, t, x, p, chart)
    g[4] = p[5] - x[1]


def orbit_of(model, **given):
    return hybridsim.find_orbit(model, section="period", initial={"x": -0.542445, "v": 0.0218037}, **given)


def highest_speed():
    """The largest v of the orbit of one impact, by the formulas of Shaw and Holmes."""
    with mpmath.workdps(40):
        omega, amplitude, gap, e = (mpmath.mpf(value) for value in (2.2, 0.6, 0.1, 0.8))
        period = 2 * mpmath.mpf(math.pi) / omega
        a, k = amplitude / (1 - omega**2), (1 + e) / (2 * mpmath.tan(period / 2))
        q = k**2 + ((1 - e) / (2 * omega)) ** 2
        speed = (-gap * k + mpmath.sqrt((gap * k) ** 2 - q * (gap**2 - a**2))) / q
        phase = mpmath.atan2(-(1 - e) * speed / (2 * a * omega), (gap + k * speed) / a)
        c, s = -k * speed, -(1 + e) * speed / 2

        def v(t):
            return -c * mpmath.sin(t) + s * mpmath.cos(t) - a * omega * mpmath.sin(omega * t + phase)

        times = [period * k / 400 for k in range(401)]
        at = mpmath.findroot(lambda t: mpmath.diff(v, t), max(times[1:-1], key=v))
        assert 0 < at < period
        return v(at)


@pytest.mark.exhaustive
def test_a_boundary_beside_the_orbit_is_seen_to_be_clear_or_not():
    top, orbit = highest_speed(), orbit_of(changed(boundaries=with_dip))
    close = dataclasses.replace(
        orbit, config=with_values(orbit.config, {"parameters.limit": float(top + mpmath.mpf("1e-12"))})
    )
    assert hybridsim.prove(close).stable
    beyond = dataclasses.replace(
        orbit, config=with_values(orbit.config, {"parameters.limit": float(top - mpmath.mpf("1e-14"))})
    )
    with pytest.raises(NotProvenError, match=r"in free, .* s after the section: dip"):
        hybridsim.prove(beyond)


def test_a_boundary_that_the_motion_passes_is_named():
    orbit = orbit_of(changed(boundaries=with_dip))
    beyond = dataclasses.replace(orbit, config=with_values(orbit.config, {"parameters.limit": 0.2}))
    with pytest.raises(NotProvenError, match=r"in free, .* s after the section: dip"):
        hybridsim.prove(beyond)


def kinked(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    if x[0] < -0.3:
        xdot[1] = xdot[1] + 0.0 * p[5]


def resting(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    if math.sin(x[0]) - math.sin(x[0] + 0.0 * x[1]) * p[5] / p[5] == 0.0:
        xdot[1] = xdot[1] + 0.0


def timed(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 1e-30 * t


def rooted(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 0.0 * math.sqrt(max(x[0] + 0.3, 0.0))


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (kinked, r"in free, .* s after the section: .*test_refusals\.py:\d+ "),
        (resting, r"test_refusals\.py:\d+: in free, a branch rests on an equality"),
        (timed, r"the model reads t; find the orbit with the period of what drives it as its section"),
        (rooted, r"in free, .* s after the section: .*test_refusals\.py:\d+ "),
    ],
)
def test_a_branch_that_changes_on_the_way_is_refused_with_its_line(field, message):
    with pytest.raises(NotProvenError, match=message):
        hybridsim.prove(orbit_of(changed(field=field)))


def test_a_validity_that_is_lost_on_the_way_is_refused_with_its_line():
    def validate(t, x, p, chart):
        return 1 if x[1] > p[5] else 0

    orbit = orbit_of(changed(validate=validate, messages=("too fast",)))
    fast = dataclasses.replace(orbit, config=with_values(orbit.config, {"parameters.limit": 0.2}))
    with pytest.raises(NotProvenError, match="in free: validate reports: too fast"):
        hybridsim.prove(fast)


RUNNER = {"section": "apex", "parameters": {"hold_touchdown_angle": 1.0}, "initial": {"y": 0.943, "xdot": 4.999}}


def test_a_family_is_refused():
    orbit = hybridsim.find_orbit("slip", **RUNNER)
    with pytest.raises(NotProvenError, match="the orbit belongs to a family of dimension 1, as one of each energy"):
        hybridsim.prove(orbit)


def slowed(xdot, t, x, p, chart):
    runner_field(xdot, t, x, p, chart)
    xdot[2] = xdot[2] - 1e-14 * x[2]


def test_a_quantity_that_is_kept_but_for_rounding_is_refused():
    model = dataclasses.replace(runner.MODEL, name="slowed", vector_field=slowed, source="")
    orbit = hybridsim.find_orbit(model, **RUNNER, fixed={"energy": 1740.0})
    with pytest.raises(NotProvenError, match="energy is not seen to be kept in descent: its slope is no expression"):
        hybridsim.prove(orbit)


WIDTH = 0.1 * (2.2**2 - 1.0)
"""The amplitude at which the oscillator, x = -0.1 cos(phase), just reaches its stop at 0.1."""


@pytest.mark.parametrize("share", [1.0, pytest.param(1.0 - 1e-9, marks=pytest.mark.exhaustive)])
def test_a_graze_is_refused_and_what_is_clear_of_it_proven(share):
    orbit = hybridsim.find_orbit(
        "impact_oscillator",
        section="period",
        parameters={"amplitude": WIDTH * share},
        initial={"x": -0.1 * share, "v": 0.0},
    )
    if share < 1.0:
        assert [event[0] for event in hybridsim.prove(orbit).events] == ["period"]
        return
    with pytest.raises(NotProvenError, match=r"in free, .* s after the section: impact may fall to zero"):
        hybridsim.prove(orbit)


def test_infinitely_many_jumps_are_refused():
    orbit = hybridsim.find_orbit(
        "vibrating_table",
        section="period",
        parameters={"acceleration": 1.2, "restitution": 0.1},
        initial={"gap": 0.02, "rate": 0.2, "phase": 0.0},
    )
    with pytest.raises(NotProvenError, match="`zeno` at table; only crossings of boundaries are proven"):
        hybridsim.prove(orbit)


def test_boundaries_that_cross_together_are_refused():
    orbit = hybridsim.find_orbit(
        Path(__file__).parents[1] / "analysis" / "landing.py",
        parameters={"a": 0.3, "c": 0.1, "b": -0.4, "g": 0.2, "h": 0.0, "k": 0.5},
        section="cycle",
        initial={"d": 0.0, "e": 0.0},
    )
    with pytest.raises(NotProvenError, match="cross together; give parameters where they do not"):
        hybridsim.prove(orbit)


def test_another_level_than_that_of_a_kept_output_is_refused():
    orbit = hybridsim.find_orbit("slip", **RUNNER, fixed={"xdot": 5.0})
    with pytest.raises(NotProvenError, match="xdot is not seen to be kept in compression"):
        hybridsim.prove(orbit)


def test_a_section_that_is_no_boundary_is_refused():
    orbit = hybridsim.find_orbit(
        "impact_oscillator",
        section=hybridsim.Section(time=2.0 * math.pi / 2.2),
        initial={"x": -0.542445, "v": 0.0218037},
    )
    with pytest.raises(NotProvenError, match="find it again with a boundary as its section"):
        hybridsim.prove(orbit)


def test_without_the_package_the_extra_is_named(orbit, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("hybridsim.proofs.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "flint", None)
    with pytest.raises(hybridsim.ConfigError, match=r"pip install 'hybridsim\[prove\]'"):
        hybridsim.prove(orbit("wheel"))
