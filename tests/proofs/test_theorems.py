"""Theorems about orbits, beside formulas, and numbers that others have computed."""

import dataclasses
import math
from fractions import Fraction

import mpmath
import pytest

import hybridsim
from hybridsim.errors import ConfigError
from hybridsim.model import Records
from hybridsim.proofs.check import check

ENERGY = 1739.9865396613814
"""Of y = 0.9433756503515938 and xdot = 4.999063235410837 at an apex [J]."""


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(60):
        yield


def contains(enclosure, value):
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (enclosure.low, enclosure.high))
    return low <= value <= high


def test_the_wheel_rolls_as_the_formula_says(theorem):
    found = theorem("wheel")
    alpha, slope, g = mpmath.mpf(math.pi) / 8, mpmath.mpf(0.08), mpmath.mpf(9.81)
    eta = mpmath.cos(2 * alpha)
    rate = mpmath.sqrt(eta**2 / (1 - eta**2) * 4 * g * mpmath.sin(alpha) * mpmath.sin(slope))
    assert contains(found.box["thetadot"], rate)
    assert contains(found.box["theta"], slope - alpha)
    # theta'' = g sin(theta) from slope - alpha to slope + alpha, with the energy that it begins with
    energy = rate**2 / 2 + g * mpmath.cos(slope - alpha)
    period = mpmath.quad(lambda a: 1 / mpmath.sqrt(2 * (energy - g * mpmath.cos(a))), [slope - alpha, 0, slope + alpha])
    assert contains(found.period, period)
    assert found.period.radius < 1e-15
    (first, last), both = found.multipliers, (eta**2, 0)
    assert all(
        abs(disc.centre - complex(value)) <= disc.radius < 1e-12
        for disc, value in zip((first, last), both, strict=True)
    )
    assert (found.inside, found.outside, found.stable) == (2, 0, True)
    assert found.events == (("strike_forward", "rolling", "rolling"),)
    assert found.ignored == ("walked",)


def shaw_holmes(amplitude=0.6):
    """State x, v where the force begins its period, and the trace and determinant of the map (the model's text)."""
    omega, amplitude, gap, e = (mpmath.mpf(value) for value in (2.2, amplitude, 0.1, 0.8))
    period = 2 * mpmath.mpf(math.pi) / omega
    a, k = amplitude / (1 - omega**2), (1 + e) / (2 * mpmath.tan(period / 2))
    # A^2 = (gap + k V)^2 + ((1 - e) V / (2 omega))^2
    q = k**2 + ((1 - e) / (2 * omega)) ** 2
    speed = (-gap * k + mpmath.sqrt((gap * k) ** 2 - q * (gap**2 - a**2))) / q
    cosine, sine = (gap + k * speed) / a, -(1 - e) * speed / (2 * a * omega)
    phase = mpmath.atan2(sine, cosine) % (2 * mpmath.pi)
    c, s = -k * speed, -(1 + e) * speed / 2
    return omega, a, c, s, phase, period


def test_the_impact_oscillator_moves_as_shaw_and_holmes_say(theorem):
    found = theorem("impact")
    omega, a, c, s, phase, period = shaw_holmes()
    # The model's turn and ours, the double and the number, differ by 2.4e-16, and so do the states.
    t = (2 * mpmath.mpf(math.pi) - phase) / omega
    x = c * mpmath.cos(t) + s * mpmath.sin(t) + a * mpmath.cos(omega * t + phase)
    v = -c * mpmath.sin(t) + s * mpmath.cos(t) - a * omega * mpmath.sin(omega * t + phase)
    assert float(found.box["x"]) == pytest.approx(float(x), abs=2e-15)
    assert float(found.box["v"]) == pytest.approx(float(v), abs=2e-15)
    assert contains(found.period, period)
    assert contains(found.box["phase"], 0)
    for disc in found.multipliers[:2]:
        assert abs(abs(disc.centre) - 0.8) <= disc.radius  # the determinant is e^2
    assert found.stable


def landing():
    """Rate after an impact and phase there, of the model over the reals, whose turn is a double."""
    turn, g, push, e = mpmath.mpf(2.0 * math.pi), mpmath.mpf(9.81), mpmath.mpf(1.3), mpmath.mpf(0.5)
    w = turn * 5

    def fall(gap, rate, phase, t):
        later = phase + w * t
        swing = mpmath.cos(phase) * t - (mpmath.sin(later) - mpmath.sin(phase)) / w
        lift = g * push / w
        return gap + rate * t - g * t**2 / 2 + lift * swing, rate - g * t + lift * (
            mpmath.cos(phase) - mpmath.cos(later)
        )

    def miss(rate, phase):
        gap, landing_rate = fall(*fall(mpmath.mpf(0), rate, phase, (turn - phase) / w), mpmath.mpf(0), phase / w)
        return gap, -e * landing_rate - rate

    return mpmath.findroot(miss, (mpmath.mpf("0.654"), mpmath.mpf("0.6342158689257")))


def test_the_ball_lands_where_the_formula_says(theorem):
    found, (rate, phase) = theorem("ball"), landing()
    cosine = mpmath.mpf(math.pi) * (1 - mpmath.mpf(0.5)) / (1 + mpmath.mpf(0.5)) / mpmath.mpf(1.3)
    assert abs(phase - mpmath.acos(cosine)) < 1e-15  # the double 2 pi is not the number
    assert contains(found.box["phase"], phase)
    assert contains(found.box["rate"], rate)
    assert contains(found.period, mpmath.mpf(1) / 5)
    assert contains(found.box["gap"], 0)
    trace = 1 + mpmath.mpf(0.25) - mpmath.mpf(1.5) ** 2 * mpmath.mpf(1.3) * mpmath.sqrt(1 - cosine**2)
    exact = trace / 2 + mpmath.sqrt(mpmath.mpc(trace**2 / 4 - mpmath.mpf(0.25)))
    assert any(abs(disc.centre - complex(exact)) <= disc.radius for disc in found.multipliers)


GAITS = {
    "simplest": {
        "box": {
            "theta": "0.20031090054425",
            "phi": "0.4006218010885",
            "thetadot": "-0.19983247300495",
            "phidot": "-0.01582299994831",
        },
        "period": "3.88246375285137",
        "multipliers": (-0.19009984 + 0.5575988j, -0.19009984 - 0.5575988j),
        "outside": 0,
    },
    "short": {"box": {}, "period": "3.09610586807816", "multipliers": (4.003864, 0.45959), "outside": 1},
    "other": {"box": {}, "period": "0.560799312608067", "multipliers": (5.8828083,), "outside": 1},
    "two strides": {
        "box": {},
        "period": "1.50413143979",
        "multipliers": (0.13745 + 0.23659j, 0.13745 - 0.23659j, 0.01333),
        "outside": 0,
    },
    "compass": {
        "box": {
            "theta_sw": "0.27102868049882",
            "thetadot_st": "1.0923835898836",
            "thetadot_sw": "0.3773739489072",
        },
        "period": "0.734346391158719",
        "multipliers": (-0.19972613 + 0.54447606j, -0.19972613 - 0.54447606j, 0.1315726),
        "outside": 0,
    },
}


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "name",
    ["simplest", "short", "compass", "other", "two strides"],
)
def test_gaits_of_walkers_have_the_numbers_of_other_proofs(theorem, name):
    """The numbers are those of a proof with other code; each is right to one unit of its last digit."""
    found, known = theorem(name), GAITS[name]
    for state, text in {**known["box"], "period": known["period"]}.items():
        enclosure = found.period if state == "period" else found.box[state]
        unit = Fraction(10) ** -len(text.partition(".")[2])
        assert enclosure.low >= Fraction(text) - unit
        assert enclosure.high <= Fraction(text) + unit
    for disc, value in zip(found.multipliers, known["multipliers"], strict=False):
        assert disc.centre == pytest.approx(value, abs=1e-5)
        assert disc.radius < 1e-8
    assert found.outside == known["outside"]
    assert found.stable is (known["outside"] == 0)
    assert found.undecided == 0
    assert [boundary for boundary, _, _ in found.events] == ["passing", "heelstrike"] * (
        2 if name == "two strides" else 1
    )


def test_a_runner_is_the_only_one_on_its_level_of_energy(theorem):
    """The numbers are those of a proof with other code, right to one unit of the last digit."""
    found, energy = theorem("runner"), mpmath.mpf(ENERGY)
    (first, section), y, speed = found.multipliers, found.box["y"], found.box["xdot"]
    assert abs(first.centre - 0.031196342) <= 1e-9
    assert first.radius < 1e-10
    assert abs(section.centre) <= section.radius
    assert abs(found.period.low - Fraction("0.26788556585794")) < Fraction(1, 10**14)
    # The energy of the box contains that of the level: g is the double 9.81
    low, high = (40 * Fraction(v) ** 2 + 80 * Fraction(9.81) * h for v, h in ((speed.low, y.low), (speed.high, y.high)))
    assert mpmath.mpf(low.numerator) / low.denominator <= energy <= mpmath.mpf(high.numerator) / high.denominator
    assert found.fixed == {"energy": ENERGY}
    assert (found.inside, found.outside, found.undecided) == (2, 0, 0)
    text = " ".join(str(found).split())
    assert f"and the energy {ENERGY!r}" in text
    assert "Flows and events keep the energy" in text
    assert "exponentially stable among motions with the same energy" in text


@pytest.mark.exhaustive
def test_a_walker_made_of_bodies_has_a_gait(orbit, theorem):
    """Its equations are those of the general mechanism; the pivots of its elimination are no branches."""
    found, computed = theorem("straight legs"), orbit("straight legs")
    assert found.stable
    assert [event[0] for event in found.events] == ["passing", "heelstrike"]
    assert float(found.period) == pytest.approx(computed.period, abs=1e-9)
    known = sorted(computed.multipliers, key=lambda z: (-abs(z), z.imag))
    for disc, value in zip(
        sorted(found.multipliers, key=lambda d: (-abs(d.centre), d.centre.imag)), known, strict=False
    ):
        assert abs(disc.centre - value) < 1e-6
    assert found.ignored == ("impulse_x", "impulse_z", "walked")


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_the_kneed_walker_has_a_gait(orbit, theorem):
    """It takes minutes: its expressions are long. A boundary sinks from zero, and an event sets a state again."""
    found, computed = theorem("knees"), orbit("knees")
    assert found.stable
    assert [event[0] for event in found.events] == ["lowest", "kneestrike", "heelstrike"]
    assert found.given == {"lowest_clearance": 0.0}
    assert float(found.period) == pytest.approx(computed.period, abs=1e-9)


@pytest.mark.exhaustive
def test_more_digits_are_proven_if_asked_for(orbit, theorem):
    found = hybridsim.prove(orbit("wheel"), digits=30)
    assert found.period.radius < 1e-30
    assert theorem("wheel").period.low <= found.period.low <= found.period.high <= theorem("wheel").period.high


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("name", "share"),
    [("wheel", 1e-3), ("simplest", 1e-4), pytest.param("compass", 1e-3, marks=pytest.mark.exhaustive)],
)
def test_boxes_are_as_large_as_the_page_says_and_the_checker_agrees(orbit, theorem, name, share, tmp_path):
    """Each side, in the largest size of its state on the orbit."""
    rows, states = orbit(name).found.strides[0].rows.x, orbit(name).model.states
    for state, (_, reach) in theorem(name).unique_in.items():
        assert reach >= share * abs(rows[:, states.index(state)]).max()
    check(theorem(name).save(tmp_path / "it.json"))


def test_a_theorem_holds_for_all_values_of_an_interval(orbit):
    found = hybridsim.prove(orbit("wheel"), parameters={"slope": (0.07998, 0.08002)})
    assert found.stable
    assert found.interval == (0.07998, 0.08002)
    alpha, g = math.pi / 8, 9.81
    for slope in (0.07998, 0.08, 0.08001, 0.08002):
        rate = math.sqrt(4 * g * math.sin(alpha) * math.sin(slope))  # eta^2 / (1 - eta^2) is 1 for eight spokes
        assert Fraction(rate) in found.box["thetadot"]
        middle, reach = found.unique_in["thetadot"]
        assert abs(rate - middle - found.tilt["thetadot"] * (slope - 0.08)) < reach


@pytest.mark.exhaustive  # other intervals are proven in the ordinary run
@pytest.mark.parametrize("share", [0.001, pytest.param(0.0003, marks=pytest.mark.exhaustive)])
def test_amplitudes_of_an_interval_have_one_orbit_each(orbit, share, tmp_path):
    """The formulas of Shaw and Holmes for other amplitudes than that of the orbit; and the certificate holds."""
    found = hybridsim.prove(orbit("impact"), parameters={"amplitude": (0.6 - share, 0.6 + share)})
    assert check(found.save(tmp_path / "all.json")).startswith("impact_oscillator: checked")
    for amplitude in (0.6 - share, 0.6 + 0.3 * share, 0.6 + share):
        omega, a, c, s, phase, period = shaw_holmes(mpmath.mpf(amplitude))
        t = (2 * mpmath.mpf(math.pi) - phase) / omega
        x = c * mpmath.cos(t) + s * mpmath.sin(t) + a * mpmath.cos(omega * t + phase)
        assert contains(found.box["x"], x)
        assert contains(found.period, period)
        middle, reach = found.unique_in["x"]
        assert abs(x - middle - found.tilt["x"] * (amplitude - 0.6)) < reach


def test_the_sentence_says_what_is_assumed_and_what_is_proven(theorem):
    text = " ".join(str(theorem("impact")).split())
    assert all(digest in text for digest in theorem("impact").sources.values())
    for piece in (
        "read over the real numbers",
        f"restitution = 0.8 ({(0.8).hex()})",
        "there is exactly one from which the motion returns to itself",
        "It crosses impact (free -> free), period (free -> free)",
        "Its period is 2.8559933214452",
        "3 smaller than 1 in size, 0 larger: the orbit is exponentially stable",
    ):
        assert piece in text


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"digits": 0}, "digits: expected a whole number from 1 to 100, found 0"),
        ({"parameters": {"slop": (0.0, 1.0)}}, "no real parameter 'slop'"),
        ({"parameters": {"n": (7.0, 9.0)}}, "no real parameter 'n'"),
        ({"parameters": {"slope": (0.1, 0.07)}}, "the lower end first"),
        ({"parameters": {"slope": (0.1, 0.2)}}, "the orbit has 0.08"),
        ({"parameters": {"slope": (0.0, 1.0), "l": (0.9, 1.1)}}, "one can have an interval"),
    ],
)
def test_wrong_arguments_are_refused_with_a_sentence(orbit, given, message):
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        hybridsim.prove(orbit("wheel"), **given)


@pytest.mark.parametrize(("lower", "beyond"), [(-1.0, ()), (-0.3, ("x",))])
def test_a_state_beyond_the_limits_of_initial_values_is_named(orbit, theorem, lower, beyond):
    """A run does not watch them, and so the theorem does not."""
    impact = orbit("impact")
    x, *others = impact.model.states
    model = dataclasses.replace(impact.model, states=Records(dataclasses.replace(x, lower=lower), *others))
    limited = dataclasses.replace(impact, config=dataclasses.replace(impact.config, model=model))
    found = hybridsim.prove(limited)  # x = -0.542
    assert found.beyond == beyond
    assert ("No run may begin there: x is beyond the limits" in " ".join(str(found).split())) == bool(beyond)
    assert found.box["x"].low == theorem("impact").box["x"].low
