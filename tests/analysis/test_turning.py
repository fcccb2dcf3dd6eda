"""Motions of a cart that turn: relative to the cart, or in the world with what turns declared."""

import math

import numpy as np
import pytest

import hybridsim


def cart(xdot, t, x, p, chart):
    """A cart that goes round in a circle and draws a load, all in the world."""
    xdot[0] = math.cos(x[4])
    xdot[1] = math.sin(x[4])
    xdot[2] = x[0] - x[2]
    xdot[3] = x[1] - x[3]
    xdot[4] = p[0]


CART = hybridsim.Model(
    "cart",
    [hybridsim.State(name) for name in ("x", "y", "lx", "ly", "heading")],
    vector_field=cart,
    parameters=hybridsim.Records(hybridsim.Parameter("turn", 0.0)),
)


def test_a_load_follows_its_cart_at_the_distance_at_which_both_are_equally_fast():
    heading = 0.3
    orbit = hybridsim.find_orbit(CART, section=hybridsim.Section(time=1.0), initial={"heading": heading, "lx": -0.8})
    assert orbit.kept == ("heading",)
    assert orbit.displacement == {
        "x + lx": pytest.approx(math.cos(heading)),
        "y + ly": pytest.approx(math.sin(heading)),
    }
    assert orbit.x["x"] - orbit.x["lx"] == pytest.approx(math.cos(heading), abs=1e-10)
    assert orbit.x["y"] - orbit.x["ly"] == pytest.approx(math.sin(heading), abs=1e-10)
    np.testing.assert_allclose(orbit.multipliers, [math.exp(-1.0)] * 2, atol=1e-10)


def test_a_motion_that_turns_is_refused_with_what_turns():
    with pytest.raises(
        hybridsim.NoOrbitError, match=r"returns but for heading by 0\.4, .* or turned, let states be relative"
    ):
        hybridsim.find_orbit(CART, section=hybridsim.Section(time=1.0), parameters={"turn": 0.4})


TURNED = {"angles": ["heading"], "positions": [("x", "y"), ("lx", "ly")]}


@pytest.mark.parametrize("heading", [0.0, 1.2, -2.5])
@pytest.mark.parametrize("strides", [1, 3])
def test_a_motion_that_turns_returns_but_for_its_turn(heading, strides):
    """The load seen from the cart decays by exp(-(1 + 0.4 i) t) to where ahead = -1/(1 + 0.4^2), left = -0.4 ahead."""
    orbit = hybridsim.find_orbit(
        CART,
        section=hybridsim.Section(time=1.0),
        parameters={"turn": 0.4},
        initial={"heading": heading, "lx": -0.8, "x": 10.0},
        turned=TURNED,
        strides=strides,
    )
    rotation = np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]])
    load = rotation @ np.array([-1.0, 0.4]) / 1.16
    np.testing.assert_allclose([orbit.x["lx"] - orbit.x["x"], orbit.x["ly"] - orbit.x["y"]], load, atol=1e-8)
    values = sorted(orbit.multipliers, key=np.imag)
    expected = sorted(np.exp(strides * np.array([-1.0 - 0.4j, -1.0 + 0.4j])), key=np.imag)
    np.testing.assert_allclose(values, expected, atol=1e-8)
    turn = 0.4 * strides
    way = rotation @ np.array([np.sin(turn), 1.0 - np.cos(turn)]) / 0.4
    assert orbit.displacement["heading"] == pytest.approx(turn, abs=1e-10)
    np.testing.assert_allclose([orbit.displacement["x + lx"], orbit.displacement["y + ly"]], way, atol=1e-8)


def test_a_motion_that_turns_is_followed_and_comes_back_from_its_file(tmp_path):
    section = hybridsim.Section(time=1.0)
    initial, parameters = {"lx": -0.8}, {"turn": 0.4}
    orbit = hybridsim.find_orbit(CART, section=section, parameters=parameters, initial=initial, turned=TURNED)
    branch = hybridsim.continue_orbit(orbit, "turn", to=1.5)
    apart = np.hypot(branch.points["lx"] - branch.points["x"], branch.points["ly"] - branch.points["y"])
    np.testing.assert_allclose(apart, 1.0 / np.sqrt(1.0 + branch.points["turn"] ** 2), atol=1e-8)
    orbit.save(tmp_path / "cart.h5")
    assert hybridsim.load_orbit(tmp_path / "cart.h5", model=CART).displacement == orbit.displacement


@pytest.mark.parametrize(
    ("turned", "message"),
    [
        ({"angles": ["headin"]}, "no state 'headin'"),
        ({"angles": ["heading"], "positions": [("x", "heading")]}, "named twice"),
        ({"angles": ["heading"], "positions": [("x", "y", "lx")]}, "positions"),
        ({"positions": [("x", "y")]}, "angles"),
    ],
)
def test_a_wrong_turn_is_refused(turned, message):
    with pytest.raises(hybridsim.ConfigError, match=message):
        hybridsim.find_orbit(CART, section=hybridsim.Section(time=1.0), parameters={"turn": 0.4}, turned=turned)


def test_a_turn_that_changes_the_motion_is_refused():
    turned = {"angles": ["heading"], "positions": [("lx", "y"), ("x", "ly")]}
    with pytest.raises(hybridsim.NoOrbitError):
        hybridsim.find_orbit(CART, section=hybridsim.Section(time=1.0), parameters={"turn": 0.4}, turned=turned)


def cart_ahead(xdot, t, x, p, chart):
    """The same cart, and its load as seen from it, which also steers."""
    rate = 0.4 + 0.1 * x[4]
    xdot[0] = math.cos(x[2])
    xdot[1] = math.sin(x[2])
    xdot[2] = rate
    xdot[3] = -1.0 - x[3] + rate * x[4]
    xdot[4] = -x[4] - rate * x[3]


def test_a_motion_that_turns_is_found_where_its_parts_are_seen_from_one_of_them():
    names = ("x", "y", "heading", "ahead", "left")
    model = hybridsim.Model("cart", [hybridsim.State(name) for name in names], vector_field=cart_ahead)
    orbit = hybridsim.find_orbit(model, section=hybridsim.Section(time=1.0), initial={"ahead": -0.8, "left": 0.3})
    ahead, left = orbit.x["ahead"], orbit.x["left"]
    rate = 0.4 + 0.1 * left
    assert 1.0 + ahead == pytest.approx(rate * left, abs=1e-10)
    assert left == pytest.approx(-rate * ahead, abs=1e-10)
    assert orbit.displacement["heading"] == pytest.approx(rate, abs=1e-9)
    assert orbit.displacement["x"] == pytest.approx(math.sin(rate) / rate, abs=1e-9)
    matrix = np.array([[-1.0, 0.4 + 0.2 * left], [-rate, -1.0 - 0.1 * ahead]])
    multipliers = np.exp(np.linalg.eigvals(matrix))
    for multiplier in orbit.multipliers:
        assert np.abs(multipliers - multiplier).min() < 1e-9
