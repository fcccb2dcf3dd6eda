"""Each thing on an orbit of which nothing can be proven is refused in a sentence that says where and when."""

import dataclasses
import math

import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, Section, State
from hybridsim.config.run_config import with_values
from hybridsim.model import DECLINED
from hybridsim.proofs import NotProvenError
from hybridsim_models.basics import impact_oscillator as oscillator
from hybridsim_models.basics.impact_oscillator import transition as own_transition
from hybridsim_models.basics.impact_oscillator import vector_field as own_field

PERIOD = 2.0 * math.pi / 2.2
STUCK = oscillator.C.stuck


def changed(field=own_field, **given):
    """The impact oscillator with a parameter `limit`, p[5], and another field."""
    base = oscillator.MODEL
    parameters = Records(*base.parameters, Parameter("limit", 10.0))
    return dataclasses.replace(base, name="changed", parameters=parameters, vector_field=field, source="", **given)


def orbit_of(model):
    return hybridsim.find_orbit(model, section="period", initial={"x": -0.542445, "v": 0.0218037})


def of_square(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 0.0 * math.sqrt(x[0] * x[0])


def at_zero(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    if x[0] == 0.0:
        xdot[1] = 0.0


def at_rest(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    if x[3] == 0.0:
        xdot[1] = xdot[1] + 0.0


def with_erf(xdot, t, x, p, chart):
    own_field(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 1e-3 * math.erf(x[0])


@pytest.mark.exhaustive  # slow; other refusals are in `test_refusals`
@pytest.mark.parametrize(
    ("field", "message"),
    [
        (at_zero, r"in free, 1\.\d+ .* s after the section: .*test_refused_events\.py:\d+ may fall to zero"),
        pytest.param(
            of_square,
            r"in free, 1\.\d+ .* s after the section: the field is not defined on the discs about the states",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(with_erf, r"test_refused_events\.py:\d+: .*erf", marks=pytest.mark.exhaustive),
    ],
)
def test_what_is_not_defined_or_not_smooth_on_the_orbit_is_refused(field, message):
    with pytest.raises(NotProvenError, match=message):
        hybridsim.prove(orbit_of(changed(field)))


def test_a_branch_that_is_an_equality_of_a_state_is_refused():
    model = changed(at_rest, states=Records(*oscillator.MODEL.states, State("still", 0.0)))
    with pytest.raises(NotProvenError, match=r"test_refused_events\.py:\d+: in free, a branch rests on an equality"):
        hybridsim.prove(orbit_of(model))


def rubbed(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0] + math.cos(2.2 * t) + (0.7 if chart else -0.7)


def sides(g, t, x, p, chart):
    g[chart] = -x[1] if chart else x[1]


def to_the_other_side(x_new, t, x, p, chart, crossed):
    return 1 - chart


def driven(field, boundaries, transition, *records, **given):
    """A model of x and v in two charts that reads t."""
    return Model(
        "driven",
        Records(State("x", 0.0), State("v", 0.0)),
        vector_field=field,
        boundaries=boundaries,
        transition=transition,
        charts=Records(Chart("one"), Chart("other")),
        boundary_records=Records(*records),
        **given,
    )


def test_a_slide_is_refused_where_it_begins():
    """Dry friction, 0.7, holds the block while its spring and force do not pull harder: cos(2.2 t) - x."""
    model = driven(rubbed, sides, to_the_other_side, Boundary("slows", degree=1), Boundary("turns", degree=1))
    orbit = hybridsim.find_orbit(
        model, section=Section(time=PERIOD), initial={"x": -0.2, "v": 0.0}, initial_chart="one"
    )
    assert any(event.kind == "entry" for event in orbit.events)
    with pytest.raises(NotProvenError, match=r"\d s after the section: `entry` at slows; only crossings of boundaries"):
        hybridsim.prove(orbit)


def pulled(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0] - 0.1 * x[1] + math.cos(2.2 * t)


def middle(g, t, x, p, chart):
    g[0] = x[0]


def declined(x_new, t, x, p, chart, crossed):
    return DECLINED


@pytest.mark.exhaustive
def test_a_crossing_that_is_declined_is_refused():
    orbit = hybridsim.find_orbit(
        driven(pulled, middle, declined, Boundary("passes", degree=1, armed="when_positive")),
        section=Section(time=PERIOD),
    )
    with pytest.raises(NotProvenError, match=r"\d s after the section: passes is declined"):
        hybridsim.prove(orbit)


def slowed_down(x_new, t, x, p, chart, crossed):
    x_new[1] = 0.9 * x[1]
    return chart


@pytest.mark.exhaustive
def test_a_boundary_that_touches_and_acts_is_refused():
    orbit = hybridsim.find_orbit(
        driven(pulled, middle, slowed_down, Boundary("under", degree=1, touch="trigger", armed="when_positive")),
        section=Section(time=PERIOD),
    )
    with pytest.raises(NotProvenError, match="under has touch='trigger', and a touch has no transition in a theorem"):
        hybridsim.prove(orbit)


def chosen(x_new, t, x, p, chart, crossed):
    answer = own_transition(x_new, t, x, p, chart, crossed)
    return STUCK if crossed[0] and p[5] < 1.0 else answer


def test_another_chain_than_that_of_the_model_is_refused():
    orbit = orbit_of(changed(transition=chosen))
    other = dataclasses.replace(orbit, config=with_values(orbit.config, {"parameters.limit": 0.2}))
    with pytest.raises(
        NotProvenError, match="impact: the transition leads to stuck, and on the computed orbit to free"
    ):
        hybridsim.prove(other)
    farther = dataclasses.replace(orbit, config=with_values(orbit.config, {"parameters.gap": 5.0}))
    with pytest.raises(NotProvenError, match=r"in free, 1\.\d+ .* s after the section: impact is not crossed near"):
        hybridsim.prove(farther)
