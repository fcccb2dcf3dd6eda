"""Orbits modulo a symmetry: states that are moved together, as a body and its foot, and time with a counter."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

import hybridsim
from hybridsim.errors import ConfigError

FOLDER = Path(__file__).parent
HOPPER = FOLDER / "hopper.py"
G, L, THRUST, K, DAMPING, STANCE, SPEED, GAIN, SWING = 9.81, 1.0, 0.03, 400.0, 2.0, 0.17, 0.5, 0.05, 12.0


def variant(tmp_path, name, **replacements):
    """A plug-in of this folder with other text; `old` is replaced by `new`."""
    text = (FOLDER / f"{name}.py").read_text()
    for old, new in zip(replacements["old"], replacements["new"], strict=True):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / f"{name}.py"
    file.write_text(text)
    return file


def stance(rest):
    """The equations of stance for d = x - foot, y, u, v and the distance."""

    def field(t, z):
        d, y, u, v, _ = z
        r = math.hypot(d, y)
        force = K * (rest - r) - DAMPING * (d * u + y * v) / r
        return [u, v, force * d / r, force * y / r - G, u]

    return field


def flight(t, z):
    return [-SWING * (0.5 * z[2] * STANCE + GAIN * (z[2] - SPEED) + z[0]), z[3], 0.0, -G, z[2]]


def hop(state):
    """The map from touchdown to touchdown of (d, y, u, v), with the duration and the distance, by scipy."""
    z, duration = np.append(state, 0.0), 0.0
    for field, end in (
        (stance(L), lambda t, z: -(z[0] * z[2] + z[1] * z[3])),
        (stance(L + THRUST), lambda t, z: L + THRUST - math.hypot(z[0], z[1])),
        (flight, lambda t, z: math.hypot(z[0], z[1]) - L),
    ):
        end.terminal, end.direction = True, -1.0
        run = solve_ivp(field, (0.0, 5.0), z, "DOP853", rtol=1e-13, atol=1e-14, events=end)
        z, duration = run.y_events[0][0], duration + run.t_events[0][0]
    return z[:4], duration, z[4]


@pytest.fixture(scope="module")
def reference():
    """The hop in coordinates relative to the foot: state, period, distance, multipliers."""
    on_section = lambda w: np.array([w[0], math.sqrt(L**2 - w[0] ** 2), w[1], w[2]])  # noqa: E731
    image = lambda w: hop(on_section(w))[0][[0, 2, 3]]  # noqa: E731
    w, h = fsolve(lambda w: image(w) - w, [-0.03, 0.42, -3.68], xtol=1e-13), 1e-4
    differences = [
        8.0 * (image(w + h * e) - image(w - h * e)) - image(w + 2 * h * e) + image(w - 2 * h * e) for e in np.eye(3)
    ]
    values = np.linalg.eigvals(np.array(differences).T / (12.0 * h))
    _, period, distance = hop(on_section(w))
    return on_section(w), period, distance, values[np.argsort(-np.abs(values))]


@pytest.fixture(scope="module")
def orbit():
    return hybridsim.find_orbit(HOPPER, section="touchdown")


def agrees(orbit, reference, foot="x + fx", tolerance=1e-9):
    _, period, distance, multipliers = reference
    assert orbit.period == pytest.approx(period, abs=tolerance)
    np.testing.assert_allclose(orbit.multipliers, multipliers, atol=max(1e-8, tolerance))
    assert orbit.displacement == {foot: pytest.approx(distance, abs=tolerance)}
    assert orbit.stable
    assert orbit.family == 0


@pytest.mark.exhaustive  # slow; the hop is the same wherever it begins
def test_a_body_and_a_foot_in_the_world_return_but_for_what_both_are_moved(orbit, reference):
    agrees(orbit, reference)
    d, y, u, v = reference[0]
    found = [orbit.x["x"] - orbit.x["fx"], orbit.x["y"], orbit.x["u"], orbit.x["v"]]
    np.testing.assert_allclose(found, [d, y, u, v], atol=1e-9)
    run = orbit.run(strides=5)
    assert run["x"][-1] - run["x"][0] == pytest.approx(5.0 * reference[2], abs=1e-7)
    assert run["fx"][-1] - run["fx"][0] == pytest.approx(5.0 * reference[2], abs=1e-7)


@pytest.mark.members
@pytest.mark.parametrize(
    "section", ["liftoff", "bottom", hybridsim.Section(state="v", value=0.0, direction="falling")], ids=str
)
@pytest.mark.parametrize("place", [0.0, -3.0, 40.0])
def test_the_hop_is_the_same_on_each_section_and_wherever_it_begins(section, place, reference):
    orbit = hybridsim.find_orbit(HOPPER, section=section, initial={"x": place, "fx": place + 0.05})
    agrees(orbit, reference)


@pytest.mark.members
@pytest.mark.parametrize("place", [0.0, 500.0, -500.0, 1e4])
@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e3])
@pytest.mark.parametrize("foot_unit", [1.0, 0.01])
def test_far_away_the_hop_is_the_same_in_metres_millimetres_and_kilometres(place, unit, foot_unit, reference):
    given = {"g": G / unit, "l": L / unit, "thrust": THRUST / unit, "speed": SPEED / unit, "foot_unit": foot_unit}
    initial = {"x": place / unit, "fx": (place + 0.05) / unit / foot_unit, "y": 1.1 / unit, "u": 0.5 / unit}
    far = hybridsim.find_orbit(HOPPER, section="touchdown", parameters=given, initial=initial, atol=1e-13 / unit)
    _, period, distance, multipliers = reference
    tolerance = 1e-9 + 1e-12 * abs(place)  # as rtol is relative to the place
    assert far.period == pytest.approx(period, abs=tolerance)
    np.testing.assert_allclose(far.multipliers, multipliers, atol=100.0 * tolerance)
    assert [*far.displacement.values()] == pytest.approx([distance / unit], rel=100.0 * tolerance)
    assert (far.stable, far.family, far.warnings) == (True, 0, ())


@pytest.mark.members(1)
@pytest.mark.parametrize("declared", [{}, {"translated": [("x", "fx")]}])
@pytest.mark.parametrize("place", [1e6, -1e6, 1e8])
def test_so_far_away_that_steps_are_not_exact_enough_a_sentence_says_so(place, declared, reference):
    """Whether strides there return within the tolerance is rounding's luck; what is found is right but for rtol."""
    message = f"too exact: the guess begins at x = {place:.6g}, where rtol lets x have an error of"
    initial = {"x": place, "fx": place + 0.05}
    said, far = "", None
    try:
        far = hybridsim.find_orbit(HOPPER, section="touchdown", initial=initial, **declared)
    except hybridsim.NoOrbitError as failure:
        said = str(failure)
    if far is None:
        assert message in said
    else:
        assert abs(place) < 1e8
        assert far.period == pytest.approx(reference[1], abs=1e-12 * abs(place))
        np.testing.assert_allclose(far.multipliers, reference[3], atol=1e-10 * abs(place))


def test_with_a_larger_tolerance_the_hop_is_found_far_away(reference):
    far = hybridsim.find_orbit(HOPPER, section="touchdown", initial={"x": 1e6, "fx": 1e6 + 0.05}, tolerance=1e-6)
    assert far.period == pytest.approx(reference[1], abs=1e-6)
    np.testing.assert_allclose(far.multipliers, reference[3], atol=1e-4)


@pytest.mark.parametrize("unit", [1e-3, 0.3048])
def test_the_foot_may_have_another_unit(unit, reference):
    given = {"parameters": {"foot_unit": unit}, "initial": {"fx": 0.05 / unit}}
    orbit = hybridsim.find_orbit(HOPPER, section="touchdown", **given)
    agrees(orbit, reference, f"x + {1.0 / unit:g} fx")
    assert orbit.characteristics["fx.speed"] == pytest.approx(reference[2] / reference[1] / unit, rel=1e-9)
    assert orbit.characteristics["x.speed"] == pytest.approx(reference[2] / reference[1], rel=1e-9)


@pytest.mark.exhaustive  # slow; a matter of one order
def test_the_foot_may_be_declared_first(tmp_path, reference):
    foot, body = '    State("fx", 0.05, "m", "foot, forward"),\n', '    State("x", 0.0, "m", "body, forward"),\n'
    first = variant(tmp_path, "hopper", old=[foot, body], new=["", foot + body])
    agrees(hybridsim.find_orbit(first, section="touchdown"), reference, "fx + x")


@pytest.mark.parametrize(("method", "rtol", "tolerance"), [("dp5", 1e-10, 1e-7), ("tsit5", 1e-9, 1e-6)])
def test_the_steps_may_have_larger_errors(method, rtol, tolerance, reference):
    given = {"method": method, "rtol": rtol, "atol": 0.1 * rtol, "tolerance": 1e-8}
    agrees(hybridsim.find_orbit(HOPPER, section="touchdown", **given), reference, tolerance=tolerance)


def test_from_the_orbit_itself_the_orbit_is_found(orbit, reference):
    for chart in ("compression", None):
        agrees(
            hybridsim.find_orbit(HOPPER, section="touchdown", initial=orbit.x, initial_chart=chart),
            reference,
        )


def test_two_hops_move_twice_as_far(reference):
    twice = hybridsim.find_orbit(HOPPER, section="touchdown", strides=2)
    assert twice.displacement == {"x + fx": pytest.approx(2.0 * reference[2], abs=1e-9)}
    np.testing.assert_allclose(twice.multipliers, reference[3] ** 2, atol=1e-8)


def test_groups_may_be_declared(reference):
    for translated in ([("x", "fx")], [{"x": 1.0, "fx": 1.0}]):
        agrees(hybridsim.find_orbit(HOPPER, section="touchdown", translated=translated), reference)
    with pytest.raises(ConfigError, match="hopper has no state 'xf'"):
        hybridsim.find_orbit(HOPPER, section="touchdown", translated=[("x", "xf")])
    with pytest.raises(hybridsim.NoOrbitError):
        hybridsim.find_orbit(HOPPER, section="touchdown", translated=[("x", "u")])


def test_an_orbit_with_a_displacement_comes_back_from_its_file_and_is_followed(orbit, tmp_path):
    again = hybridsim.load_orbit(orbit.save(tmp_path / "hop.h5"))
    assert again.x == orbit.x
    assert again.displacement == orbit.displacement
    np.testing.assert_array_equal(again.multipliers, orbit.multipliers)
    branch = hybridsim.continue_orbit(again, "speed", to=0.7)
    there = hybridsim.find_orbit(HOPPER, section="touchdown", parameters={"speed": 0.7})
    assert branch.points["period"][-1] == pytest.approx(there.period, abs=1e-9)
    assert (branch.points["x"] == branch.points["x"][0]).all()
    table = hybridsim.orbit_table(again, {"speed": [0.6, 0.7]}, ("x.displacement", "fx.displacement"))
    np.testing.assert_allclose(table["x.displacement"], table["fx.displacement"], rtol=1e-12)
    assert table["x.displacement"][1] == pytest.approx(there.displacement["x + fx"], abs=1e-9)
    values = hybridsim.stability_map(orbit, {"speed": [0.5, 0.6], "gain": [0.05, 0.06]})
    assert values.largest[0, 0] == pytest.approx(np.abs(orbit.multipliers).max(), rel=1e-9)


def test_hops_that_end_elsewhere_belong_to_the_basin(orbit):
    u, v = orbit.x["u"], orbit.x["v"]
    basin = hybridsim.basin(orbit, {"u": [0.9 * u, u, 1.1 * u], "v": [v - 0.05, v, v + 0.05]}, strides=60)
    assert (basin.labels == 0).all()


@pytest.mark.members(1)
@pytest.mark.parametrize("declared", [{}, {"translated": [("x", "fx")]}])
def test_where_the_ground_is_not_the_same_everywhere_a_sentence_says_so(declared, tmp_path):
    tiles = variant(
        tmp_path, "hopper", old=["r - p[P.l]\n"], new=["r - p[P.l] - 0.01 * (math.floor(7.3 * x[S.fx]) % 2.0)\n"]
    )
    message = (
        "returns but for x . fx, which move together, and from there the next period is another one"
        if declared
        else r"x and fx moved .* singular .* translated: \[\[x, fx\]\]"
    )
    with pytest.raises(hybridsim.NoOrbitError, match=message):
        hybridsim.find_orbit(tiles, section="touchdown", **declared)


def spring(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -x[0]
    xdot[2] = 1.0 - x[2]


def test_the_solutions_of_a_linear_system_are_a_family_and_no_translations():
    model = hybridsim.Model(
        "spring", [hybridsim.State("a", 1.0), hybridsim.State("b"), hybridsim.State("c")], vector_field=spring
    )
    orbit = hybridsim.find_orbit(model, section=hybridsim.Section(time=2.0 * math.pi))
    assert orbit.displacement == {}
    assert orbit.family == 2


SECTIONS = ["clock", "closes", hybridsim.Section(state="i", value=0.55)]


def ticking(tmp_path, idiom):
    """The converter of `buck_converter.py` that compares time with a counter of ticks, or with the next tick."""
    since = "t - x[S.ticks] * p[P.T]" if idiom == "ticks" else "t - x[S.next] + p[P.T]"
    state = 'State("ticks", 0.0, "")' if idiom == "ticks" else 'State("next", 400e-6, "s")'
    left = "(x[S.ticks] + 1.0) * p[P.T] - t" if idiom == "ticks" else "x[S.next] - t"
    tick = "x_new[S.ticks] = x[S.ticks] + 1.0" if idiom == "ticks" else "x_new[S.next] = x[S.next] + p[P.T]"
    changes = {
        'State("since", 0.0, "s", "since the ramp began")': state,
        '"the ramp begins anew", degree=1': '"the ramp begins anew", "s", time=True',
        "    xdot[S.since] = 1.0\n": "",
        "1.0 - x[S.since] / p[P.T]": left,
        "excess(x[S.since], ": f"excess({since}, ",
        "x_new[S.since] = 0.0": tick,
    }
    return variant(tmp_path, "buck_converter", old=[*changes], new=[*changes.values()])


def doubled(orbit):
    """The flip of a converter, and the voltages of its doubled orbit at 24.8 V, lowest first."""
    branch = hybridsim.continue_orbit(orbit, "source", to=24.8, max_strides=2)
    (flip,) = branch.bifurcations
    assert flip.kind == "flip"
    row = np.flatnonzero(branch.points["strides"] == 2)[-1]
    return flip, np.sort(branch.points.visits[row, :2, 0])


@pytest.mark.exhaustive  # its period, its speed and what is no clock are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("section", SECTIONS, ids=str)
@pytest.mark.parametrize("idiom", ["ticks", "next"])
def test_a_clock_that_counts_gives_the_orbits_and_doublings_of_a_clock_with_a_phase(section, idiom, tmp_path):
    given = {"section": section, "max_time": 1.0}
    phase = hybridsim.find_orbit(FOLDER / "buck_converter.py", **given)
    clock = hybridsim.find_orbit(ticking(tmp_path, idiom), **given)
    assert clock.period == pytest.approx(phase.period, rel=1e-11)
    assert [clock.x["v"], clock.x["i"]] == pytest.approx([phase.x["v"], phase.x["i"]], rel=1e-9)
    np.testing.assert_allclose(clock.multipliers, phase.multipliers, atol=1e-8)
    (flip, voltages), (expected, there) = doubled(clock), doubled(phase)
    assert flip.value == pytest.approx(expected.value, rel=1e-9)
    assert flip.type == expected.type
    np.testing.assert_allclose(voltages, there, rtol=1e-8)


def test_the_period_of_a_clock_that_counts_may_vary(tmp_path):
    orbit = hybridsim.find_orbit(ticking(tmp_path, "ticks"), section="closes", max_time=1.0)
    branch = hybridsim.continue_orbit(orbit, "T", to=4.3e-4)
    (flip,) = branch.bifurcations
    phase = hybridsim.find_orbit(FOLDER / "buck_converter.py", section="clock", max_time=1.0)
    (expected,) = hybridsim.continue_orbit(phase, "T", to=4.3e-4).bifurcations
    assert flip.value == pytest.approx(expected.value, rel=1e-9)
    again = hybridsim.load_orbit(flip.orbit.save(tmp_path / "flip.h5"))
    np.testing.assert_array_equal(again.multipliers, flip.orbit.multipliers)


@pytest.mark.parametrize("idiom", ["ticks", "next"])
@pytest.mark.parametrize("unit", [1e-6, 1e3])
def test_a_clock_that_counts_may_be_fast_or_slow(unit, idiom, tmp_path):
    circuit = {"C": 47e-6 * unit, "L": 20e-3 * unit, "T": 400e-6 * unit}
    given = {"section": "closes", "max_time": unit, "parameters": circuit}
    initial = {"next": 400e-6 * unit} if idiom == "next" else {}
    orbit = hybridsim.find_orbit(ticking(tmp_path, idiom), initial=initial, **given)
    phase = hybridsim.find_orbit(FOLDER / "buck_converter.py", section="closes", max_time=1.0)
    assert orbit.period == pytest.approx(400e-6 * unit, rel=1e-11)
    assert orbit.x["v"] == pytest.approx(phase.x["v"], rel=1e-9)
    np.testing.assert_allclose(orbit.multipliers, phase.multipliers, atol=1e-8)


def test_a_clock_that_counts_may_begin_later(tmp_path):
    given = {"section": "clock", "max_time": 1.0}
    orbit = hybridsim.find_orbit(ticking(tmp_path, "ticks"), **given)
    later = hybridsim.find_orbit(ticking(tmp_path, "ticks"), initial={"ticks": 5}, initial_time=2.1e-3, **given)
    assert later.x["v"] == pytest.approx(orbit.x["v"], rel=1e-9)
    assert later.x["ticks"] == pytest.approx(2.1e-3 / 400e-6, rel=1e-9)


def test_a_clock_whose_ticks_are_not_alike_is_none(tmp_path):
    """The amplification is larger at odd ticks, so that one tick more is not the same."""
    text = ticking(tmp_path, "ticks").read_text().replace("p[P.gain] * (v", "(p[P.gain] + 0.1 * (ticks % 2.0)) * (v")
    text = text.replace(", degree=1", "").replace("def excess(since, v, p)", "def excess(since, v, p, ticks)")
    (tmp_path / "odd.py").write_text(text.replace("x[S.v], p)", "x[S.v], p, x[S.ticks])"))
    with pytest.raises(hybridsim.NoOrbitError, match="returns but for ticks by 1, and from there the next period is"):
        hybridsim.find_orbit(tmp_path / "odd.py", section="clock", max_time=1.0)


@pytest.mark.parametrize("groups", [[("x", "fx"), ("fx", "x")], [("x", "fx"), ("x", "y")]])
def test_groups_that_overlap_are_refused(groups):
    with pytest.raises(ConfigError, match="first state of each group tells its way"):
        hybridsim.find_orbit(HOPPER, section="touchdown", translated=groups)
