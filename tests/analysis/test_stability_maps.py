"""Stability maps against closed forms: the same from one process, several and a cluster, and after Ctrl-C."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from map_model import DIAGONAL, FOLD, LOGISTIC, MODEL

import hybridsim
from hybridsim.errors import ConfigError

PULLED_SPRING = Path(__file__).with_name("pulled_spring.py")


def fixed_point(kind=LOGISTIC, r=2.5, s=0.5, u=0.5):
    return hybridsim.find_orbit(MODEL, parameters={"map": kind, "r": r, "s": s}, section="tick", initial={"u": u})


def same(first, second):
    return [
        name
        for name in ("largest", "period", "x")
        if not np.array_equal(getattr(first, name), getattr(second, name), equal_nan=True)
    ]


def test_the_stability_map_of_the_logistic_map_has_its_closed_form(tmp_path):
    r, s = np.linspace(1.2, 3.8, 14), np.linspace(-0.9, 0.9, 7)
    found = hybridsim.stability_map(fixed_point(), {"r": r, "s": s})
    expected = np.maximum(np.abs(2.0 - r)[:, None], np.abs(s)[None, :])
    np.testing.assert_allclose(found.largest, expected, atol=1e-9)
    np.testing.assert_allclose(found.x[:, :, 0], np.broadcast_to((1.0 - 1.0 / r)[:, None], (14, 7)), atol=1e-10)
    np.testing.assert_allclose(found.period, 1.0, rtol=1e-12)
    assert f"98 of 98 orbits found, {(expected < 1.0 - 1e-9).sum()} of them stable" in repr(found)
    table = pq.read_table(found.save(tmp_path / "map.parquet"))
    assert table.column_names == ["r", "s", "orbit.largest", "orbit.period", "orbit.x.u", "orbit.x.v", "orbit.x.phase"]
    np.testing.assert_array_equal(table["orbit.largest"].to_numpy(), found.largest.ravel())


@pytest.mark.exhaustive  # a matter of an empty map
def test_where_there_is_no_orbit_a_stability_map_is_empty():
    r = np.linspace(-0.5, 0.5, 11)
    found = hybridsim.stability_map(fixed_point(kind=FOLD, r=0.5, u=0.7), {"r": r, "s": [0.2, 0.4]})
    assert np.isnan(found.largest[r < -1e-9]).all()
    assert np.isfinite(found.largest[r > 1e-9]).all()


@pytest.mark.exhaustive  # slow; another map has its closed form in the ordinary run
def test_a_map_goes_round_the_place_where_the_orbit_ends():
    r, s = np.linspace(0.3, 1.5, 5), np.linspace(-0.2, 0.9, 4)  # an orbit where r > s, from the corner r = 0.3
    orbit = fixed_point(kind=DIAGONAL, r=0.3, s=0.0, u=0.5)
    found = hybridsim.stability_map(orbit, {"r": r, "s": s})
    left = r[:, None] - s[None, :]
    assert (np.isfinite(found.largest) == (left > 1e-9))[np.abs(left) > 1e-9].all()
    there = left > 1e-9
    np.testing.assert_allclose(found.x[..., 0][there], np.sqrt(left[there]), atol=1e-9)


@pytest.mark.exhaustive  # `test_following` tests coarse maps
@pytest.mark.members(1)
@pytest.mark.parametrize(("damping", "gains"), [((0.02, 0.5, 1.5), (0.1, 0.9, 3.0)), ((0.01, 0.02, 0.03), (0.9, 0.95))])
def test_a_coarse_map_reaches_every_orbit_that_there_is(damping, gains):
    section = hybridsim.Section(state="v", value=0.0)
    orbit = hybridsim.find_orbit(PULLED_SPRING, parameters={"d": 0.1}, section=section, initial={"y": -1.0})
    found = hybridsim.stability_map(orbit, {"d": damping, "gain": gains}, workers=1).largest
    d, gain = np.array(damping)[:, None], np.array(gains)
    expected = gain * np.exp(-np.pi * d / np.sqrt(1.0 - 0.25 * d * d))  # below 1 where there is an orbit
    np.testing.assert_allclose(found, np.where(expected < 1.0, expected, np.nan), rtol=1e-7)


@pytest.mark.exhaustive  # `test_an_orbit_one_rounding_beyond` uses processes; `tests/sweeps` tests the rest
@pytest.mark.slow
@pytest.mark.timeout(240)  # the limit of the waits for processes and for a scheduler and its worker
def test_rows_are_the_same_from_processes_a_cluster_and_after_ctrl_c(tmp_path):
    pytest.importorskip("distributed")
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike")
    axes = {"slope": np.linspace(0.06, 0.1, 4), "m_H": np.linspace(5.0, 15.0, 6)}
    here = hybridsim.stability_map(orbit, axes, workers=1)

    def interrupt(finished, statuses):
        if finished:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hybridsim.stability_map(orbit, axes, workers=2, folder=tmp_path / "rows", progress=interrupt)
    _, *others = (tmp_path / "rows").glob("part-*")
    for part in others:  # however late the interruption came, there is something left to do
        part.unlink()
    with pytest.raises(ConfigError, match="holds results of a sweep; continue it with --resume"):
        hybridsim.stability_map(orbit, axes, folder=tmp_path / "rows")
    counts = []
    options = {
        "folder": tmp_path / "rows",
        "resume": True,
        "progress": lambda n, statuses: counts.append((n, statuses)),
    }
    assert same(here, hybridsim.stability_map(orbit, axes, cluster="local:1", **options)) == []
    assert counts[0][0] == 4
    assert counts[-1] == (24, {"STABLE": here.stable.sum(), "UNSTABLE": 24 - here.stable.sum()})
    assert 0 < here.stable.sum() < 24
    with pytest.raises(ConfigError, match=r"another orbit\.tolerance"):
        hybridsim.stability_map(orbit, axes, tolerance=1e-9, **options)
    with pytest.raises(ConfigError, match="axis m_H: last value"):
        hybridsim.stability_map(orbit, axes | {"m_H": np.linspace(5.0, 16.0, 6)}, **options)


@pytest.mark.parametrize(
    ("axes", "options", "message"),
    [
        ({"r": [2.0]}, {}, "expected two parameters with their values, found 1"),
        ({"r": [2.0], "t": [2.0]}, {}, "maps has no parameter 't'"),
        ({"r": [2.0], "map": [0.0]}, {}, "map is no real number"),
        ({"r": [2.0, np.nan], "s": [0.1]}, {}, "r: expected finite numbers"),
        ({"r": [2.0], "s": [0.1]}, {"workers": 0}, "workers: expected a whole number"),
        ({"r": [2.0], "s": [0.1]}, {"workers": 2}, "load the model 'maps' from its file, and this Model has none"),
        ({"r": [2.0], "s": [0.1]}, {"workers": 2, "cluster": "local:2"}, "leave out workers or cluster"),
        ({"r": [2.0], "s": [0.1]}, {"resume": True}, "give folder=..."),
    ],
)
def test_what_makes_no_map_is_refused(axes, options, message):
    with pytest.raises(ConfigError, match=message):
        hybridsim.stability_map(fixed_point(), axes, **options)


BOUNDED_MAP = """
from hybridsim import Boundary, Model, Parameter, Records, State

STATES = Records(
    State("u", {default!r}, lower={lower!r}, upper={upper!r}), State("load", 0.0, lower=0.0), State("phase", 0.0)
)


def vector_field(xdot, t, x, p, chart):
    xdot[2] = 1.0


def boundaries(g, t, x, p, chart):
    g[0] = 1.0 - x[2]


def transition(x_new, t, x, p, chart, crossed):
    x_new[0] = {target!r} + p[0] * (x[0] - {target!r}) + 0.1 * x[1]
    x_new[2] = 0.0
    return chart


MODEL = Model(
    "bounded",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    parameters=Records(Parameter("gain", 0.5), Parameter("unused", 0.0)),
    boundary_records=Records(Boundary("tick")),
)
"""


def orbit_beyond_a_bound(path, bound, off):
    """An orbit of a map whose state u is beyond a bound by so much: below it if `off` is negative."""
    lower, upper = (bound, bound + 2.0) if off < 0.0 else (bound - 2.0, bound)
    path.write_text(BOUNDED_MAP.format(default=0.5 * (lower + upper), lower=lower, upper=upper, target=bound + off))
    orbit = hybridsim.find_orbit(path, section="tick")
    assert not lower <= orbit.x["u"] <= upper
    return orbit


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("bound", "off", "second"), [(0.0, -2.95e-18, "unused"), (1.0, 2.0**-51, "load"), (-3.0, -(2.0**-50), "unused")]
)
def test_an_orbit_one_rounding_beyond_a_bound_is_followed_by_processes_verified_and_loaded(
    tmp_path, bound, off, second
):
    orbit = orbit_beyond_a_bound(tmp_path / "bounded.py", bound, off)
    axes = {"gain": [0.25, 0.5, 0.75], second: [-1e-18, 0.5]}
    one, two = (hybridsim.stability_map(orbit, axes, workers=workers) for workers in (1, 2))
    assert same(one, two) == []
    np.testing.assert_allclose(one.largest, np.broadcast_to([[0.25], [0.5], [0.75]], (3, 2)), rtol=1e-9)
    assert hybridsim.verify(orbit.run()).ok
    assert hybridsim.load_orbit(orbit.save(tmp_path / "orbit.h5")).x == orbit.x


def test_a_state_that_is_typed_beyond_a_bound_is_refused(tmp_path):
    orbit = orbit_beyond_a_bound(tmp_path / "bounded.py", 0.0, -2.95e-18)
    with pytest.raises(ConfigError, match=r"expected a number from 0 to 2, found -2\.95e-18"):
        hybridsim.simulate(tmp_path / "bounded.py", initial={"u": -2.95e-18}, final_time=1.0)
    assert orbit.x["u"] == pytest.approx(-2.95e-18, rel=1e-6)
