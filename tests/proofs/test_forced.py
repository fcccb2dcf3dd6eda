"""Models that read t: theorems beside formulas, refusals, and changed certificates."""

import dataclasses
import json
import math

import mpmath
import pytest
from mpmath import mpf

import hybridsim
from hybridsim import Boundary, Chart, Model, NotProvenError, Parameter, Records, Section, State
from hybridsim.proofs.beside import is_about
from hybridsim.proofs.check import check
from hybridsim.proofs.check_numbers import RefusedError

STATES = Records(State("x", 0.0, "m"), State("v", 0.0, "m/s"))
PARAMETERS = Records(
    Parameter("amplitude", 0.6, "m/s^2"),
    Parameter("omega", 2.2, "1/s"),
    Parameter("gap", 0.1, "m"),
    Parameter("restitution", 0.8),
)


def swings(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0] + p[0] * math.cos(p[1] * t)


def stop(g, t, x, p, chart):
    g[0] = p[2] - x[0]


def bounces(x_new, t, x, p, chart, crossed):
    x_new[1] = -p[3] * x[1]
    return chart


MODEL = Model(
    "forced_oscillator",
    STATES,
    vector_field=swings,
    boundaries=stop,
    transition=bounces,
    parameters=PARAMETERS,
    charts=Records(Chart("free")),
    boundary_records=Records(Boundary("impact")),
)


START = {"x": -0.542445, "v": 0.0218037}


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(40):
        yield


def contains(enclosure, value):
    low, high = (mpf(end.numerator) / end.denominator for end in (enclosure.low, enclosure.high))
    return low <= value <= high


def changed(field=swings, **given):
    return dataclasses.replace(MODEL, name="changed", vector_field=field, source="", **given)


def orbit_of(model=MODEL, omega=2.2, turns=1, start=START, **given):
    return hybridsim.find_orbit(model, section=Section(time=2.0 * math.pi * turns / omega), initial=start, **given)


def shaw_holmes(omega, amplitude, gap, e, begins=0.0):
    """State at a time of the orbit of one impact in a period, by the formulas in the text of `impact_oscillator`."""
    omega, amplitude, gap, e = map(mpf, (omega, amplitude, gap, e))
    period = 2 * mpmath.pi / omega
    a, k, h = amplitude / (1 - omega**2), (1 + e) / (2 * mpmath.tan(period / 2)), (1 - e) / (2 * omega)
    q = k**2 + h**2
    speed = (-gap * k + mpmath.sqrt((gap * k) ** 2 - q * (gap**2 - a**2))) / q
    phase = mpmath.atan2(-h * speed / a, (gap + k * speed) / a)
    c, s = -k * speed, -(1 + e) * speed / 2
    t = (begins - phase / omega) % period  # since the impact
    x = c * mpmath.cos(t) + s * mpmath.sin(t) + a * mpmath.cos(omega * t + phase)
    return x, -c * mpmath.sin(t) + s * mpmath.cos(t) - a * omega * mpmath.sin(omega * t + phase), period


@pytest.fixture(scope="module")
def theorem():
    return hybridsim.prove(orbit_of())


def test_a_force_that_reads_t_moves_the_oscillator_as_shaw_and_holmes_say(theorem, tmp_path):
    x, v, period = shaw_holmes(2.2, 0.6, 0.1, 0.8)
    assert contains(theorem.box["x"], x)
    assert contains(theorem.box["v"], v)
    assert contains(theorem.period, period)  # that of the cosine, which no float is
    assert theorem.period.radius < 1e-15
    assert theorem.events == (("impact", "free", "free"),)
    assert all(abs(abs(disc.centre) - 0.8) <= disc.radius for disc in theorem.multipliers)  # the determinant is e^2
    assert (theorem.inside, theorem.outside, theorem.given) == (2, 0, {})
    text = " ".join(str(theorem).split())
    assert "Among the states at t = 0.0 with" in text
    assert "After this time the model's functions repeat, which is seen from the expressions that read t." in text
    assert "exactly one state returns after impact" in check(theorem.save(tmp_path / "forced.json"))


@pytest.mark.exhaustive
def test_strides_may_begin_at_another_time_and_last_more_than_a_period(tmp_path):
    x, v, period = shaw_holmes(2.2, 0.6, 0.1, 0.8, begins=mpf(0.3))
    later = hybridsim.prove(orbit_of(start={"x": float(x), "v": float(v)}, initial_time=0.3))
    assert contains(later.box["x"], x)
    assert contains(later.box["v"], v)
    twice = hybridsim.prove(orbit_of(turns=2))
    assert contains(twice.period, 2 * period)
    in_two = hybridsim.prove(orbit_of(strides=2))
    assert contains(in_two.period, 2 * period)
    for found in (later, twice, in_two):
        check(found.save(tmp_path / "it.json"))


@pytest.mark.exhaustive  # one frequency is proven in the ordinary run
def test_all_frequencies_of_an_interval_have_one_orbit_each(tmp_path):
    """The period is that of the force, for each of them."""
    found = hybridsim.prove(orbit_of(), parameters={"omega": (2.19995, 2.20005)})
    check(found.save(tmp_path / "all.json"))
    for omega in (2.19995, 2.2, 2.20001, 2.20005):
        x, _, period = shaw_holmes(omega, 0.6, 0.1, 0.8)
        assert contains(found.box["x"], x)
        assert contains(found.period, period)
        middle, reach = found.unique_in["x"]
        assert abs(x - middle - found.tilt["x"] * (omega - 2.2)) < reach


def bounced_on_a_table(g, t, x, p, chart):
    g[0] = x[0] - 0.011 * math.sin(p[1] * t)


def thrown(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -9.81


def by_the_table(x_new, t, x, p, chart, crossed):
    x_new[1] = (1.0 + p[3]) * 0.011 * p[1] * math.cos(p[1] * t) - p[3] * x[1]
    return chart


@pytest.mark.exhaustive  # an oscillator reads t in the ordinary run
def test_a_ball_on_a_table_whose_place_reads_t_lands_where_the_formula_says(tmp_path):
    """It lands once a period P, at v = -g P / 2, and A omega cos(omega t) = (g P / 2) (1 - e) / (1 + e)."""
    omega, e = 31.0, 0.5
    period = 2 * mpmath.pi / omega
    rise = mpf(9.81) * period / 2
    phase = mpmath.acos(rise * (1 - mpf(e)) / (1 + mpf(e)) / (mpf(0.011) * omega))
    height, since = mpf(0.011) * mpmath.sin(phase), period - phase / omega
    at_zero = height + rise * since - mpf(9.81) * since**2 / 2, rise - mpf(9.81) * since
    model = changed(thrown, boundaries=bounced_on_a_table, transition=by_the_table)
    orbit = orbit_of(
        model,
        omega,
        parameters={"omega": omega, "restitution": e},
        start={name: round(float(value), 4) for name, value in zip("xv", at_zero, strict=True)},
    )
    found = hybridsim.prove(orbit)
    assert contains(found.box["x"], at_zero[0])
    assert contains(found.box["v"], at_zero[1])
    assert contains(found.period, period)
    check(found.save(tmp_path / "ball.json"))


def two_waves(xdot, t, x, p, chart):
    swings(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 0.01 * math.sin(3.0 * (p[1] * t)) ** 2


def beating(xdot, t, x, p, chart):
    """3 omega, as a float: it is no multiple of omega."""
    xdot[0], xdot[1] = x[1], -x[0] + p[0] * math.cos(2.1 * t) + 1e-3 * math.cos(6.300000000000001 * t)


def fading(xdot, t, x, p, chart):
    swings(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 1e-15 * math.exp(-t)


def ringing(xdot, t, x, p, chart):
    swings(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 1e-15 * math.cos(x[0] * t)


def sawing(xdot, t, x, p, chart):
    swings(xdot, t, x, p, chart)
    xdot[1] = xdot[1] + 1e-15 * (t % 2.8)


@pytest.mark.exhaustive
def test_waves_whose_frequencies_have_a_ratio_of_whole_numbers_repeat():
    assert hybridsim.prove(orbit_of(changed(two_waves))).stable


NOT_REPEATED = r"in free: it reads t, and is not seen to repeat after 2\.\d+ s"


@pytest.mark.parametrize(
    ("field", "omega", "message"),
    [
        (beating, 2.1, NOT_REPEATED),
        *(pytest.param(field, 2.2, NOT_REPEATED, marks=pytest.mark.exhaustive) for field in (fading, ringing, sawing)),
        (swings, 2.2000001, r"the section's time is 2\.85599319\d+ s, and .* repeats after 2\.85599332"),
    ],
)
def test_what_is_not_seen_to_repeat_is_refused(field, omega, message):
    """Orbits are found within 1e-10, or with a looser tolerance, and not repeated by the real functions."""
    orbit = orbit_of(changed(field), omega, tolerance=1e-5)
    with pytest.raises(NotProvenError, match=message):
        hybridsim.prove(orbit)


def turned(c):
    """Return a wave that does not repeat in the place of a cosine of time."""
    for leg in c["legs"]:
        for line in leg["field"]["lines"]:
            if line[0] == "cos":
                line[0] = "cosh"


MUTATIONS = {
    "a wave that does not repeat": turned,
    "another period": lambda c: (
        c["clock"]["period"]["lines"].append(["const", (2.9).hex()])
        or c["clock"]["period"].update(results=[len(c["clock"]["period"]["lines"]) - 1])
    ),
    "no clock": lambda c: c.update(clock=None),
    "another beginning": lambda c: c["clock"].update(begins=(0.5).hex()),
    "time among the parameters": lambda c: c["parameters"].update(t=(0.0).hex()),
    "time that stands still": lambda c: c["legs"][0]["field"]["results"].__setitem__(
        2, c["legs"][0]["field"]["results"][0]
    ),
    "an impact that sets time": lambda c: c["legs"][0]["transition"]["results"].__setitem__(
        2, c["legs"][0]["transition"]["results"][0]
    ),
    "a jump at the end": lambda c: c["legs"][1]["transition"]["results"].__setitem__(
        0, c["legs"][1]["transition"]["results"][1]
    ),
    "an end that is an impact": lambda c: (
        [leg.update(boundary="impact") for leg in c["legs"]] and c["legs"][1]["watches"][0].update(name="impact")
    ),
    "an image of time": lambda c: c["image"].__setitem__(2, [2, -1]),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_certificate_with_a_changed_clock_does_not_hold(theorem, mutation, tmp_path):
    file = theorem.save(tmp_path / "forced.json")
    certificate = json.loads(file.read_text())
    assert certificate["variables"] == ["x", "v", "t"]
    MUTATIONS[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)


def test_an_orbit_knows_the_certificate_of_its_strides(theorem, tmp_path):
    file = theorem.save(tmp_path / "forced.json")
    assert is_about(file, orbit_of())
    assert not is_about(file, orbit_of(strides=2))


def ringing_at_the_end(g, t, x, p, chart):
    g[0] = -math.sin(p[1] * t)


def test_a_boundary_that_crosses_where_a_stride_begins_and_ends_is_refused():
    waits = Records(Boundary("impact", armed="when_positive"))
    orbit = orbit_of(changed(boundaries=ringing_at_the_end, boundary_records=waits))
    with pytest.raises(NotProvenError, match=r"0 s after the section: impact comes in the instant of .* the section;"):
        hybridsim.prove(orbit)
