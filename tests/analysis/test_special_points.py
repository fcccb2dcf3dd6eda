"""Curves of bifurcations and their special points against closed forms.

The generalised Henon map u' = v, v' = p - q u - v^2 + R u v (Kuznetsov 2004, section 9.9) has its fixed points where
p = x + q x + x^2 - R x^2, with the determinant q - R x and the trace R x - 2 x.
"""

import dataclasses
import math

import numpy as np
import pytest
from map_model import LOGISTIC, MODEL, PITCHFORK

import hybridsim
from hybridsim import Parameter, Records, State
from hybridsim.analysis.bifurcation_curve import BifurcationCurve, bialternate
from hybridsim.analysis.return_map import ReturnMap
from hybridsim.errors import ConfigError

TWO = Records(Parameter("p", 0.0, lower=-20.0, upper=20.0), Parameter("q", 1.0, lower=-3.0, upper=3.0))
R = -0.1


def henon(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[0] = x[1]
    x_new[1] = p[0] - p[1] * x[0] - x[1] * x[1] - 0.1 * x[0] * x[1]
    return chart


def henon_reversed(x_new, t, x, p, chart, crossed):
    """The same map: the states in another order, and v a thousand times larger."""
    x_new[0] = x[0] - 1.0
    u, v = x[2], x[1] / 1000.0
    x_new[2] = v
    x_new[1] = 1000.0 * (p[0] - p[1] * u - v * v - 0.1 * u * v)
    return chart


def clock_first(xdot, t, x, p, chart):
    xdot[0] = 1.0


def strikes_first(g, t, x, p, chart):
    g[0] = 1.0 - x[0]


def on_cusp(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[1] = 0.5 * x[1]
    x_new[0] = x[0] + p[0] + p[1] * x[0] - x[0] * x[0] * x[0]
    return chart


def flips(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[1] = 0.5 * x[1]
    x_new[0] = -(1.0 + p[0]) * x[0] + p[1] * x[0] * x[0] - x[0] * x[0] * x[0]
    return chart


def turns(x_new, t, x, p, chart, crossed):
    r2 = x[0] * x[0] + x[1] * x[1]
    factor = 1.0 + p[0] + p[1] * r2 - r2 * r2
    x_new[2] = x[2] - 1.0
    x_new[0] = factor * (math.cos(1.0) * x[0] - math.sin(1.0) * x[1])
    x_new[1] = factor * (math.sin(1.0) * x[0] + math.cos(1.0) * x[1])
    return chart


def circles(x_new, t, x, p, chart, crossed):
    """A flip on a circle: the multiplier is -1 where p^2 + q^2 = 1."""
    x_new[2] = x[2] - 1.0
    x_new[1] = 0.5 * x[1]
    x_new[0] = -(p[0] * p[0] + p[1] * p[1]) * x[0] + x[0] * x[0] * x[0]
    return chart


def model_of(transition):
    return dataclasses.replace(MODEL, name=transition.__name__, transition=transition, parameters=TWO)


HENON, CUSP, FLIPS, TURNS, CIRCLES = map(model_of, (henon, on_cusp, flips, turns, circles))
REVERSED = dataclasses.replace(
    model_of(henon_reversed),
    states=Records(State("phase"), State("v"), State("u")),
    vector_field=clock_first,
    boundaries=strikes_first,
)
UNIT = {HENON: 1.0, REVERSED: 1000.0}


def bifurcation(model, kind, first, to, u, v=0.0, **parameters):
    """The first bifurcation of this kind on the curve of fixed points."""
    orbit = hybridsim.find_orbit(model, parameters=parameters, section="tick", initial={"u": u, "v": v})
    branch = hybridsim.continue_orbit(orbit, first, to=to)
    return next(each for each in branch.bifurcations if each.kind == kind)


def p_of(x, q):
    return x + q * x + (1.0 - R) * x * x


def x_with_multiplier(m, q):
    """Where m^2 - (R - 2) x m + q - R x = 0."""
    return (m * m + q) / ((R - 2.0) * m + R)


RESONANCES = {
    name: (p_of(trace / (R - 2.0), 1.0 + R * trace / (R - 2.0)), 1.0 + R * trace / (R - 2.0))
    for name, trace in (("1:1", 2.0), ("1:2", -2.0), ("1:3", -1.0), ("1:4", 0.0))
}
FOLD_FLIP = 0.0, -1.0
EXPECTED = {
    "fold": {"1:1": RESONANCES["1:1"], "fold-flip": FOLD_FLIP},
    "flip": {"1:2": RESONANCES["1:2"], "fold-flip": FOLD_FLIP},
    "torus": RESONANCES,
}


def begin_of(model, kind, q):
    """A bifurcation of the generalised Henon map, located along p."""
    x = {"fold": x_with_multiplier(1.0, q), "flip": x_with_multiplier(-1.0, q), "torus": (q - 1.0) / R}[kind]
    beside = x + (0.3 if kind == "fold" else -0.05)
    to = p_of(x, q) - 0.2 if kind == "fold" else p_of(x + 0.1, q)
    return bifurcation(model, kind, "p", to, beside, beside * UNIT[model], p=p_of(beside, q), q=q)


@pytest.mark.members(1)
@pytest.mark.parametrize("kind", ["fold", "flip", pytest.param("torus", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("model", [HENON, REVERSED])
@pytest.mark.parametrize("turned", [False, True])
def test_the_curves_of_the_generalised_henon_map_have_their_special_points(model, kind, turned):
    begin = begin_of(model, kind, 1.02 if kind == "torus" else 0.5)
    names = ("q", "p") if turned else ("p", "q")
    ends = {"to": 4.0, "back_to": -2.0} if turned else {"to": 1.2, "back_to": -1.4 if kind != "torus" else 0.8}
    curve = hybridsim.continue_bifurcation(begin, names, **ends)
    expected = {name: value for name, value in EXPECTED[kind].items() if not turned or -2.0 < value[0] < 4.0}
    assert sorted(point.kind for point in curve.special) == sorted(expected)
    for point in curve.special:
        assert [point.parameters["p"], point.parameters["q"]] == pytest.approx(expected[point.kind], abs=2e-9)
    x = (curve["q"] - 1.0) / R if kind == "torus" else x_with_multiplier({"fold": 1.0, "flip": -1.0}[kind], curve["q"])
    np.testing.assert_allclose(curve["p"], p_of(x, curve["q"]), atol=1e-10)
    np.testing.assert_allclose(curve["u"], x, atol=1e-10)
    for row in (0, -1):
        assert curve[names[1]][row] in ends.values() or abs(curve["q"][row]) == 3.0
    assert len(curve.notes) == sum(curve[names[1]][row] not in ends.values() for row in (0, -1))


@pytest.mark.exhaustive  # curves of Henon's map have their special points
def test_two_curves_of_folds_meet_in_a_cusp():
    # x' = x + p + q x - x^3 is folded where 27 p^2 = 4 q^3.
    fold = bifurcation(CUSP, "fold", "p", 0.5, -1.0, p=-0.6, q=0.5)
    curve = hybridsim.continue_bifurcation(fold, ("p", "q"), to=-1.0)
    np.testing.assert_allclose(27.0 * curve["p"] ** 2, 4.0 * curve["q"] ** 3, atol=1e-12)
    (cusp,) = curve.special
    assert (cusp.kind, [*cusp.parameters]) == ("cusp", ["p", "q"])
    np.testing.assert_allclose([*cusp.parameters.values()], 0.0, atol=1e-12)
    assert curve["q"][0] == curve["q"][-1] == 0.5  # it turns round there, and ends where its range began
    assert curve["p"][0] == pytest.approx(-curve["p"][-1], rel=1e-12)


def test_a_flip_becomes_subcritical_at_a_generalised_flip():
    # x' = -(1 + p) x + q x^2 - x^3: c = q^2 - 1.
    flip = bifurcation(FLIPS, "flip", "p", 0.2, 0.0, p=-0.2, q=0.3)
    assert flip.type == "subcritical"
    curve = hybridsim.continue_bifurcation(flip, ("p", "q"), to=2.0, back_to=-2.0)
    assert [point.kind for point in curve.special] == ["generalised flip"] * 2
    np.testing.assert_allclose([point.parameters["q"] for point in curve.special], [-1.0, 1.0], rtol=1e-8)
    np.testing.assert_allclose(curve["p"], 0.0, atol=1e-12)


@pytest.mark.exhaustive  # the flip does so in the ordinary run
def test_a_torus_becomes_subcritical_at_a_chenciner_point():
    # In polar coordinates r' = (1 + p + q r^2 - r^4) r: the real part of d has the sign of q.
    torus = bifurcation(TURNS, "torus", "p", 0.2, 0.0, p=-0.2, q=0.3)
    assert torus.type == "subcritical"
    curve = hybridsim.continue_bifurcation(torus, ("p", "q"), to=1.0, back_to=-1.0)
    (point,) = curve.special
    assert point.kind == "Chenciner"
    np.testing.assert_allclose([*point.parameters.values()], 0.0, atol=1e-9)


@pytest.mark.exhaustive  # slow, and special points are found on curves with ends
@pytest.mark.members(1)
@pytest.mark.parametrize("begin", [0.0, 0.6, -0.8])
def test_a_closed_curve_ends_where_it_began(begin):
    p = math.sqrt(1.0 - begin**2)
    flip = bifurcation(CIRCLES, "flip", "p", p + 0.3, 0.0, p=p - 0.15, q=begin)
    curve = hybridsim.continue_bifurcation(flip, ("p", "q"), to=2.0, back_to=-2.0)
    np.testing.assert_allclose(curve["p"] ** 2 + curve["q"] ** 2, 1.0, atol=1e-10)
    angles = np.unwrap(np.arctan2(curve["q"], curve["p"]))
    assert 2.0 * math.pi <= abs(angles[-1] - angles[0]) < 2.2 * math.pi
    assert curve.notes == ("the curve is closed: it has come back to its first orbit",)


def test_no_point_is_beyond_the_bounds_of_the_first_parameter():
    bounds = Records(Parameter("p", 0.0, lower=-20.0, upper=0.9), Parameter("q", 1.0))
    model = dataclasses.replace(CIRCLES, parameters=bounds)
    flip = bifurcation(model, "flip", "p", 0.9, 0.0, p=0.5, q=0.8)
    curve = hybridsim.continue_bifurcation(flip, ("p", "q"), to=0.0, back_to=2.0)
    assert curve["p"].max() == 0.9
    assert curve["p"][-1] == 0.9 or curve["p"][0] == 0.9
    assert curve.notes[0] == "the curve ends at p = 0.9, the bound of this parameter"
    np.testing.assert_allclose(curve["p"] ** 2 + curve["q"] ** 2, 1.0, atol=1e-10)


@pytest.mark.members(1)
@pytest.mark.parametrize(("kind", "u"), [(LOGISTIC, 0.0), (PITCHFORK, 0.0), (PITCHFORK, math.sqrt(0.2))])
def test_a_crossing_of_curves_is_followed(kind, u):
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": kind, "r": 1.2}, section="tick", initial={"u": u})
    (crossing,) = hybridsim.continue_orbit(orbit, "r", to=0.8).bifurcations
    curve = hybridsim.continue_bifurcation(crossing, ("r", "s"), to=0.9)
    np.testing.assert_allclose(curve["r"], 1.0, atol=1e-9)
    np.testing.assert_allclose(curve["u"], 0.0, atol=1e-9)
    assert curve["s"][-1] == 0.9


@pytest.mark.members(1)
@pytest.mark.parametrize(("kind", "maps"), [("fold", 3), ("flip", 3), ("torus", 5)])
def test_a_step_of_newton_takes_three_maps_or_five_at_a_torus(kind, maps, monkeypatch):
    begin = begin_of(HENON, kind, 1.02 if kind == "torus" else 0.5)
    counts, made = [], []
    evaluate, make = BifurcationCurve.evaluate, ReturnMap.__call__

    def counted(self, z):
        before = len(made)
        found = evaluate(self, z)
        counts.append(len(made) - before)
        return found

    monkeypatch.setattr(BifurcationCurve, "evaluate", counted)
    monkeypatch.setattr(ReturnMap, "__call__", lambda self, *x: (made.append(1), make(self, *x))[1])
    curve = hybridsim.continue_bifurcation(begin, ("p", "q"), to=1.1)
    assert {*counts} == {maps}
    assert len(counts) < 6 * len(curve) + 60 * len(curve.special)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_bialternate_product_has_the_products_of_pairs(n):
    matrix = np.random.default_rng(n).normal(size=(n, n))
    values = np.linalg.eigvals(matrix)
    products = [values[i] * values[j] for i in range(n) for j in range(i)]
    np.testing.assert_allclose(np.poly(bialternate(matrix)), np.poly(products).real, atol=1e-10)


def test_what_cannot_be_followed_through_two_parameters_is_refused():
    flip = bifurcation(FLIPS, "flip", "p", 0.2, 0.0, p=-0.2, q=0.3)
    with pytest.raises(ConfigError, match="expected two different ones, found p and p"):
        hybridsim.continue_bifurcation(flip, ("p", "p"), to=1.0)
    with pytest.raises(ConfigError, match="q is between -3 and 3, found 5"):
        hybridsim.continue_bifurcation(flip, ("p", "q"), to=5.0)
    with pytest.raises(ConfigError, match="are on the same side"):
        hybridsim.continue_bifurcation(flip, ("p", "q"), to=1.0, back_to=0.5)
    with pytest.raises(ConfigError, match="not a grazing"):
        hybridsim.continue_bifurcation(dataclasses.replace(flip, kind="grazing"), ("p", "q"), to=1.0)


FOLD, FLIP, TORUS, SADDLE = range(4)


def with_pairs(x_new, t, x, p, chart, crossed):
    """A fold, a flip or a torus at p = 0, and beside it a pair of multipliers of size 1 + q."""
    first = 1.0 + p[0] if p[2] == TORUS else 0.5
    second = 1.0 + p[1]
    x_new[5] = x[5] - 1.0
    if p[2] == FOLD:
        x_new[0] = x[0] + p[0] - x[0] * x[0]
    elif p[2] == TORUS:
        x_new[0] = 0.3 * x[0]
    else:
        x_new[0] = -(1.0 + p[0]) * x[0] + x[0] * x[0] * x[0]
    x_new[1] = first * (math.cos(1.0) * x[1] - math.sin(1.0) * x[2])
    x_new[2] = first * (math.sin(1.0) * x[1] + math.cos(1.0) * x[2])
    if p[2] == SADDLE:
        x_new[3] = 2.0 * second * x[3]
        x_new[4] = 0.5 * x[4]
    else:
        x_new[3] = second * (math.cos(0.7) * x[3] - math.sin(0.7) * x[4])
        x_new[4] = second * (math.sin(0.7) * x[3] + math.cos(0.7) * x[4])
    return chart


def clock_last(xdot, t, x, p, chart):
    xdot[5] = 1.0


def strikes_last(g, t, x, p, chart):
    g[0] = 1.0 - x[5]


PAIRS = dataclasses.replace(
    MODEL,
    name="with_pairs",
    states=Records(*map(State, ("x", "u", "v", "a", "b", "phase"))),
    parameters=Records(Parameter("p", 0.0), Parameter("q", 0.2), Parameter("map", 0, integer=True)),
    vector_field=clock_last,
    boundaries=strikes_last,
    transition=with_pairs,
)


@pytest.mark.members(1)
@pytest.mark.parametrize(("number", "kind"), [(FOLD, "fold"), (FLIP, "flip"), (TORUS, "torus"), (SADDLE, "flip")])
def test_another_pair_on_the_circle_is_found_and_a_neutral_saddle_is_none(number, kind):
    begin, to, x = (0.2, -0.1, math.sqrt(0.2)) if number == FOLD else (-0.2, 0.2, 0.0)
    orbit = hybridsim.find_orbit(
        PAIRS, parameters={"p": begin, "q": -0.3, "map": number}, section="tick", initial={"x": x}
    )
    (found,) = (each for each in hybridsim.continue_orbit(orbit, "p", to=to).bifurcations if each.kind == kind)
    curve = hybridsim.continue_bifurcation(found, ("p", "q"), to=0.3)
    np.testing.assert_allclose(curve["p"], 0.0, atol=1e-10)
    assert [point.kind for point in curve.special] == ([] if number == SADDLE else [f"{kind}-torus"])
    for point in curve.special:
        np.testing.assert_allclose([*point.parameters.values()], 0.0, atol=1e-10)
        assert np.sum(np.abs(np.abs(point.orbit.multipliers) - 1.0) < 1e-9) == (4 if kind == "torus" else 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "first", "start", "to", "end"),
    [("flip", "r", 0.4, 0.45, -0.012), ("fold", "w", math.sqrt(0.05), -0.01, 0.6)],
)
def test_a_walker_has_one_fold_flip_on_both_of_its_curves(kind, first, start, to, end):
    # Two different curves lead to the same point; its digits are those of a prototype with other equations.
    parameters = {"l": 0.75, "R": 0.25, "c": 0.35, "m": 0.6, "m_H": 0.8, "g": 1.0, "w": 0.0, "slope": 0.015}
    orbit = hybridsim.find_orbit(
        "straight_legs",
        parameters={**parameters, "r": start},
        section="heelstrike",
        initial={"theta_st": -0.28, "theta_sw": 0.28, "thetadot_st": 0.31, "thetadot_sw": 0.28},
    )
    found = next(each for each in hybridsim.continue_orbit(orbit, first, to=to).bifurcations if each.kind == kind)
    expected = {"flip": 0.42803453962864, "fold": -0.00167847990594}[kind]
    assert found.value == pytest.approx(expected, rel=1e-9)
    curve = hybridsim.continue_bifurcation(found, (first, "w" if first == "r" else "r"), to=end)
    (point,) = curve.special
    assert point.kind == "fold-flip"
    assert point.parameters["r"] == pytest.approx(0.56460906057352, rel=1e-10)
    assert point.parameters["w"] == pytest.approx(-0.00953399707313, rel=1e-9)
    np.testing.assert_allclose(np.sort(point.orbit.multipliers.real), [-1.0, -0.0090796, 1.0], atol=1e-6)
