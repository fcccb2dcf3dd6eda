"""Orbits that end in their image by a symmetry: theorems beside formulas, and changed certificates."""

import json
import math

import mpmath
import pytest
from mpmath import mpf

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, Section, State, Symmetry
from hybridsim.proofs.beside import is_about
from hybridsim.proofs.check import check
from hybridsim.proofs.check_numbers import RefusedError

MIRROR = Symmetry(negate=["y"], charts={"on": "off", "off": "on"}, boundaries={"hot": "cold", "cold": "hot"})


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(40):
        yield


def contains(enclosure, value):
    low, high = (mpf(end.numerator) / end.denominator for end in (enclosure.low, enclosure.high))
    return low <= value <= high


@pytest.fixture(scope="module")
def switched():
    return hybridsim.prove(hybridsim.find_orbit("relay", section="hot", initial={"y": 0.1}, symmetry=MIRROR))


def test_half_a_period_ends_in_its_image(switched, tmp_path):
    """The relay cools from h to -h in log((1 + h) / (1 - h)), h = 0.1 and the time constant 1 s."""
    assert contains(switched.period, mpmath.log((1 + mpf(0.1)) / (1 - mpf(0.1))))
    assert contains(switched.box["y"], mpf(0.1))
    assert switched.events == (("cold", "off", "on"),)
    assert (switched.section, switched.image) == ("after hot", "y becomes -y, on becomes off, off becomes on")
    text = " ".join(str(switched).split())
    assert "followed by its image, in which y becomes -y" in text
    assert "which is seen from the expressions: so this one closes after 2 periods" in text
    assert "cold; its motion closes after 2 periods" in check(switched.save(tmp_path / "relay.json"))


MUTATIONS_OF_AN_IMAGE = {
    "no image": lambda c: c.update(image=[[0, 1]]),
    "an image of another size": lambda c: c.update(image=[[0, -2]]),
    "an image of no state": lambda c: c.update(image=[[1, -1]]),
    "no end of the stride": lambda c: c["legs"][0].update(ends_stride=False),
    "another chart": lambda c: c["legs"][0].update(next_chart="on"),
    "another field in the image": lambda c: c["mirrored"][0]["field"].update(results=[0]),
    "another boundary in the image": lambda c: c["mirrored"][0]["boundaries"].update(results=[2]),
    "another transition in the image": lambda c: (
        c["mirrored"][0]["transition"]["lines"].append(["neg", 0]) or c["mirrored"][0]["transition"].update(results=[1])
    ),
    "no field in the image": lambda c: c["mirrored"][0]["field"].update(results=[]),
    "no boundary in the image": lambda c: (
        c["mirrored"][0]["boundaries"].update(results=[]) or c["mirrored"][0].update(names=[])
    ),
    "no functions in the image": lambda c: c.update(mirrored=[]),
    "it closes later": lambda c: c.update(closes_after=7),
    "a branch of the image alone": lambda c: (
        c["mirrored"][0]["guards"].update(lines=[["input", "y"]], results=[0])
        or c["mirrored"][0].update(kinds=["positive"])
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS_OF_AN_IMAGE)
def test_a_certificate_with_a_changed_image_does_not_hold(switched, mutation, tmp_path):
    file = switched.save(tmp_path / "relay.json")
    certificate = json.loads(file.read_text())
    MUTATIONS_OF_AN_IMAGE[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError):
        check(file)


def charging(xdot, t, x, p, chart):
    """One of two charges grows towards 1, or p[1] that of the other; the other fades."""
    xdot[0], xdot[1] = -x[0], -x[1]
    xdot[chart] = (p[1] if chart else 1.0) - x[chart]


def full(g, t, x, p, chart):
    g[chart] = p[0] - x[chart]


def in_turn(x_new, t, x, p, chart, crossed):
    return 1 - chart


def charging_by_a_quotient(xdot, t, x, p, chart):
    """The same towards 1, as a quotient."""
    xdot[0], xdot[1] = -x[0], -x[1]
    xdot[chart] = (1.0 - x[chart] * x[chart]) / (1.0 + x[chart])


def charges(field, goal=1.0):
    model = Model(
        "charges",
        Records(State("a", 0.4), State("b", 0.6)),
        vector_field=field,
        boundaries=full,
        transition=in_turn,
        parameters=Records(Parameter("h", 0.6), Parameter("goal", goal)),
        charts=Records(Chart("first"), Chart("second")),
        boundary_records=Records(Boundary("first_full"), Boundary("second_full")),
    )
    symmetry = Symmetry(
        swap=[("a", "b")],
        charts={"first": "second", "second": "first"},
        boundaries={"first_full": "second_full", "second_full": "first_full"},
    )
    return hybridsim.find_orbit(model, section="second_full", initial={"a": 0.39, "b": 0.6}, symmetry=symmetry)


def append(program, *lines):
    """Append lines to a program, in which -1 and -2 are the lines before; return the last one."""
    for word, *others in lines:
        n = len(program["lines"])
        program["lines"].append([word, *(n + k if type(k) is int and k < 0 else k for k in others)])
    return len(program["lines"]) - 1


def times_and_over(c):
    """Write the slope of the image that is that of a, times b over b."""
    field = c["mirrored"][0]["field"]
    append(field, ["input", "b"], ["mul", field["results"][0], -1])
    field["results"][0] = append(field, ["div", -1, -2])


MUTATIONS_OF_WHAT_IS_DEFINED = {
    "nothing said of it": lambda c: c["mirrored"][0].pop("required"),
    "a root in the image alone": lambda c: c["mirrored"][0]["required"]["results"].append(
        append(c["mirrored"][0]["required"], ["input", "b"], ["sqrt", -1])
    ),
    "a quotient in the image alone": times_and_over,
}


@pytest.mark.members(2)
@pytest.mark.parametrize("mutation", [*MUTATIONS_OF_WHAT_IS_DEFINED, ""])
def test_what_is_defined_along_a_motion_is_so_along_its_image(mutation, tmp_path):
    found = hybridsim.prove(charges(charging_by_a_quotient))
    assert found.closes_after == 2
    file = found.save(tmp_path / "charges.json")
    if not mutation:
        assert "closes after 2 periods" in check(file)
        return
    certificate = json.loads(file.read_text())
    MUTATIONS_OF_WHAT_IS_DEFINED[mutation](certificate)
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError, match=r"not seen to be defined|required"):
        check(file)


@pytest.mark.parametrize(("goal", "closes_after"), [(1.0, 2), (1.1, 0)])
def test_the_image_of_a_motion_is_seen_to_be_one_or_not(goal, closes_after, tmp_path):
    """A charge goes from h q to h = 1 - (1 - h q) q, while the other fades from h to h q: q = (1 - h) / h, h = 0.6."""
    orbit = charges(charging, goal)
    found, q = hybridsim.prove(orbit), (1 - mpf(0.6)) / mpf(0.6)
    assert contains(found.period, -mpmath.log(q))
    assert contains(found.box["a"], mpf(0.6) * q)
    assert found.events == (("first_full", "first", "second"),)
    assert found.image.startswith("a becomes b, b becomes a, first becomes second")
    assert found.closes_after == closes_after
    assert ("no part of this theorem" in " ".join(str(found).split())) == (not closes_after)
    slope = mpf(0.6) * (1 - mpf(0.6)) / (1 - mpf(0.6) * q) ** 2  # of h (1 - h) / (1 - a)
    assert abs(found.multipliers[0].centre - complex(slope)) <= found.multipliers[0].radius
    check(found.save(tmp_path / "charges.json"))


def pushed_alike(xdot, t, x, p, chart):
    push = math.cos(2.0 * math.pi * t)
    xdot[0], xdot[1] = push - x[0] + 0.1 * x[1], push - x[1] + 0.1 * x[0]


def test_time_and_an_image_go_together_in_a_model_without_boundaries(tmp_path):
    """a = b of a' = cos(w t) - c a with c = 0.9 is (c cos(w t) + w sin(w t)) / (c^2 + w^2); w is the double 2 pi."""
    model = Model("alike", Records(State("a"), State("b")), vector_field=pushed_alike)
    swapped = Symmetry(swap=[("a", "b")])
    orbit = hybridsim.find_orbit(model, section=Section(time=1.0), symmetry=swapped)
    found, w, c = hybridsim.prove(orbit), mpf(2.0 * math.pi), 1 - mpf(0.1)
    assert contains(found.box["a"], c / (c**2 + w**2))
    assert contains(found.period, 2 * mpmath.pi / w)
    assert (found.events, found.closes_after) == ((), 2)
    assert "It crosses no boundary" in str(found)
    for rate in (-mpmath.exp(-(1 + mpf(0.1))), mpmath.exp(-c)):  # of a - b, which the image turns round, and of a + b
        assert any(abs(disc.centre - complex(rate)) <= disc.radius for disc in found.multipliers)
    check(found.save(tmp_path / "alike.json"))


def test_an_orbit_knows_the_certificate_of_its_strides(switched, tmp_path):
    file = switched.save(tmp_path / "relay.json")
    given = {"section": "hot", "initial": {"y": 0.1}}
    assert is_about(file, hybridsim.find_orbit("relay", **given, symmetry=MIRROR))
    assert not is_about(file, hybridsim.find_orbit("relay", **given))
