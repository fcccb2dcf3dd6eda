"""Orbits at far values of parameters: what is found there belongs to the same family, however coarse the way."""

import numpy as np
import pytest

import hybridsim
from hybridsim.analysis.moving import Follower

GAITS = {
    "compass_gait": {"slope": (0.01, 0.1), "m": (2.0, 6.0), "m_H": (4.0, 40.0)},
    "simplest_walker": {"slope": (0.002, 0.014)},
    "straight_legs": {"slope": (0.005, 0.02), "R": (0.2, 0.35)},
    "kneed_walker": {"slope": (0.02, 0.08)},
}


def gait(model):
    return hybridsim.find_orbit(model, section="heelstrike")


def in_small_parts(orbit, values, n=24):
    """Go straight to other values in n equal parts."""
    follower, names = Follower.of(orbit, tuple(values)), tuple(values)
    here = np.array([orbit.config.parameters.get(name, orbit.x.get(name)) for name in names])
    place = follower.begin(here, orbit.found.x0)
    for share in np.linspace(0.0, 1.0, n + 1)[1:]:
        place = follower.reach(place, here + share * (np.array([*values.values()]) - here))
    return follower.orbit(place)


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "model", [*list(GAITS)[:2], *(pytest.param(name, marks=pytest.mark.exhaustive) for name in list(GAITS)[2:])]
)
def test_a_row_does_not_depend_on_the_rows_beside_it(model):
    orbit, rng, n = gait(model), np.random.default_rng(3), 5
    rows = {name: rng.uniform(*limits, n) for name, limits in GAITS[model].items()}
    table = hybridsim.orbit_table(orbit, rows, ["period", "growth"])
    for i in range(n):
        row = {name: values[i] for name, values in rows.items()}
        alone = hybridsim.orbit_table(orbit, {name: [value] for name, value in row.items()}, ["period", "growth"])
        assert table["period"][i] == pytest.approx(alone["period"][0], rel=1e-9, nan_ok=True)
        try:
            slowly = in_small_parts(orbit, row)
        except hybridsim.NoOrbitError:
            assert np.isnan(table["period"][i])
            continue
        assert table["period"][i] == pytest.approx(slowly.period, rel=1e-9)
        assert table["growth"][i] == pytest.approx(slowly.characteristics["growth"], rel=1e-6)


FRAMES = {"here": {}, "late": {"initial_time": 1e6}, "dp5": {"method": "dp5", "rtol": 1e-10, "atol": 1e-11}}


@pytest.mark.exhaustive  # a row does not depend on the rows beside it
@pytest.mark.members(1)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_coarse_map_has_the_orbits_of_a_fine_one(frame):
    exact = 1e-10 if frame == "here" else 1e-7
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike", tolerance=exact, **FRAMES[frame])
    slopes, masses = np.linspace(0.01, 0.1, 13), np.linspace(5.0, 40.0, 13)
    asked = {"workers": 1, "tolerance": exact}
    fine = hybridsim.stability_map(orbit, {"slope": slopes, "m_H": masses}, **asked)
    assert np.isfinite(fine.largest).all()
    for every in (2, 4, 6, 12):
        coarse = hybridsim.stability_map(orbit, {"slope": slopes[::every], "m_H": masses[::every]}, **asked)
        np.testing.assert_allclose(coarse.period, fine.period[::every, ::every], rtol=exact)
        np.testing.assert_allclose(coarse.largest, fine.largest[::every, ::every], rtol=1e4 * exact)


def test_the_short_gait_of_the_compass_walker_is_not_taken_for_the_long_one():
    orbit = gait("compass_gait")
    table = hybridsim.orbit_table(orbit, {"m": [4.0, 3.0], "m_H": [12.0, 14.0]}, ["growth"])
    assert (table["growth"] < 1.0).all()  # the short gait is unstable
