"""A state that strides leave as it is, is a parameter everywhere: the runner's angle of attack.

Stiffness and angle are the axes over which A. Seyfarth, H. Geyer, M. Guenther and R. Blickhan (2002) look for stable
running. Here the maps and curves over both are compared with orbits that are found for themselves.
"""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim.errors import ConfigError

ENERGY = 80.0 * (9.81 + 12.5)
GUESS = {"y": 0.95, "xdot": 5.0}
ANGLE = -math.radians(22.0)


def runner(k=20e3, angle=ANGLE, **guess):
    """The orbit of the runner at a stiffness [N/m] and an angle [rad], found for itself."""
    return hybridsim.find_orbit(
        "slip",
        parameters={"hold_touchdown_angle": 1, "k": k},
        section="apex",
        initial={**GUESS, **guess, "touchdown_angle": angle},
        fixed={"energy": ENERGY},
    )


@pytest.fixture(scope="module")
def orbit():
    return runner()


@pytest.mark.exhaustive  # slow; kept states vary in tables in the ordinary run
def test_a_map_over_a_parameter_and_a_kept_state_has_the_orbits_that_are_found_there(orbit, tmp_path):
    k, angle = np.linspace(19e3, 22e3, 3), -np.radians([24.0, 22.5, 21.0])
    first = hybridsim.stability_map(orbit, {"k": k, "touchdown_angle": angle})
    other = hybridsim.stability_map(orbit, {"touchdown_angle": angle, "k": k})
    np.testing.assert_allclose(first.largest, other.largest.T, rtol=1e-6)
    assert 3 <= np.isfinite(first.largest).sum() < first.largest.size
    y, xdot = (first.states.index(name) for name in ("y", "xdot"))
    for i, j in zip(*np.nonzero(np.isfinite(first.largest)), strict=True):
        there = runner(k[i], angle[j], y=first.x[i, j, y] + 1e-4, xdot=first.x[i, j, xdot])
        assert np.abs(there.multipliers).max() == pytest.approx(first.largest[i, j], rel=1e-6)
        assert there.period == pytest.approx(first.period[i, j], rel=1e-9)
        assert there.stable == first.stable[i, j]
        assert first.x[i, j, first.states.index("touchdown_angle")] == angle[j]
    assert first.save(tmp_path / "map.csv") == tmp_path / "map.csv"
    assert (tmp_path / "map.csv").read_text().startswith('"k","touchdown_angle","orbit.largest"')


def growth_less_one(k, angle, known):
    there = runner(k, angle, y=known.x["y"], xdot=known.x["xdot"])
    return float(np.abs(there.multipliers).max()) - 1.0


@pytest.mark.exhaustive  # slow; kept states vary in tables in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("parameters", [("touchdown_angle", "k"), ("k", "touchdown_angle")])
def test_the_runner_doubles_its_period_on_a_curve_that_bisection_finds_too(orbit, parameters):
    first, second = parameters
    to = {"k": 21e3, "touchdown_angle": -math.radians(21.0)}
    (flip,) = hybridsim.continue_orbit(
        orbit, first, to={"touchdown_angle": -math.radians(21.0), "k": 18e3}[first]
    ).bifurcations
    assert flip.kind == "flip"
    values = []
    curve = hybridsim.continue_bifurcation(
        flip, parameters, to=to[second], progress=lambda *point: values.append(point)
    )
    assert len(curve) == len(values) + 1 > 3
    for row in (1, len(curve) - 2):
        k, angle = float(curve["k"][row]), float(curve["touchdown_angle"][row])
        known = runner(k, angle, y=curve["y"][row], xdot=curve["xdot"][row])
        low, high = angle - 2e-4, angle + 2e-4  # stable where the leg is flatter
        assert growth_less_one(k, low, known) < 0.0 < growth_less_one(k, high, known)
        for _ in range(24):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if growth_less_one(k, middle, known) < 0.0 else (low, middle)
        assert angle == pytest.approx(0.5 * (low + high), abs=1e-9)


def test_a_kept_state_varies_in_tables_and_in_the_search_for_the_best(orbit):
    table = hybridsim.orbit_table(orbit, {"k": [20e3, 20.5e3], "touchdown_angle": [-0.384, -0.38]}, ("growth",))
    for k, angle, growth in zip(table["k"], table["touchdown_angle"], table["growth"], strict=True):
        assert np.abs(runner(k, angle).multipliers).max() == pytest.approx(growth, rel=1e-6)
    counts = []
    best = hybridsim.optimize_orbit(
        orbit, "growth", {"touchdown_angle": (-0.39, -0.375)}, tolerance=1e-3, progress=lambda *how: counts.append(how)
    )
    assert counts[-1] == (best.evaluations, {"found": best.evaluations - best.failures, "none": best.failures})
    angle = best.parameters["touchdown_angle"]
    for other in (angle - 2e-3, angle + 2e-3):
        assert np.abs(runner(angle=other).multipliers).max() > best.value


def test_a_state_that_is_not_kept_is_no_parameter(orbit):
    for call in (
        lambda: hybridsim.stability_map(orbit, {"k": [20e3], "y": [0.9]}),
        lambda: hybridsim.orbit_table(orbit, {"y": [0.9]}),
        lambda: hybridsim.optimize_orbit(orbit, "growth", {"y": (0.9, 1.0)}),
    ):
        with pytest.raises(ConfigError, match="slip has no parameter 'y'"):
            call()


@pytest.mark.members(2)
@pytest.mark.parametrize("degrees", [67.0, 67.9, 68.0, 68.1, 68.5])
def test_a_kept_state_that_is_fixed_has_its_value(degrees):
    angle, energy = -math.radians(90.0 - degrees), 80.0 * (9.81 + 12.5)
    orbit = hybridsim.find_orbit(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        section="apex",
        initial={"y": 0.95, "xdot": 5.0, "touchdown_angle": -math.radians(22.0)},
        fixed={"energy": energy, "touchdown_angle": angle},
    )
    assert orbit.x["touchdown_angle"] == angle
    branch = hybridsim.continue_orbit(orbit, "touchdown_angle", to=angle + 0.01)
    assert len(branch.points) > 3
    assert branch.points["touchdown_angle"][-1] == angle + 0.01


def test_a_fixed_kept_state_comes_back_from_a_file(tmp_path):
    angle = -math.radians(21.9)
    orbit = hybridsim.find_orbit(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        section="apex",
        initial={"y": 0.95, "xdot": 5.0},
        fixed={"energy": 80.0 * (9.81 + 12.5), "touchdown_angle": angle},
    )
    again = hybridsim.load_orbit(orbit.save(tmp_path / "runner.h5"))
    assert again.x == orbit.x
    np.testing.assert_array_equal(again.multipliers, orbit.multipliers)
