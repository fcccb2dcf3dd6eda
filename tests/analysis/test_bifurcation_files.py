"""Curves of bifurcations over two parameters are read as they were written, and drawn."""

from pathlib import Path

import h5py
import numpy as np
import pytest

import hybridsim
from hybridsim import ConfigError

MODEL, R = Path(__file__).with_name("generalised_henon.py"), -0.1
TRACES = {"1:1": 2.0, "1:2": -2.0, "1:3": -1.0, "1:4": 0.0}
"""Of the Jacobian at strong resonances. At a torus u = (q - 1) / R and the trace is (R - 2) u."""


@pytest.fixture(scope="module")
def curve():
    orbit = hybridsim.find_orbit(MODEL, section="tick")
    branch = hybridsim.continue_orbit(orbit, "p", to=-0.2)
    torus = next(each for each in branch.bifurcations if each.kind == "torus")
    assert torus.orbit.x["u"] == pytest.approx(-0.2, abs=1e-9)
    return hybridsim.continue_bifurcation(torus, ("p", "q"), to=1.11, back_to=0.89)


@pytest.fixture
def file(curve, tmp_path):
    return curve.save(tmp_path / "tori.h5")


def test_a_curve_is_read_as_it_was_written(curve, file, tmp_path):
    again = hybridsim.load_bifurcations(file)
    assert (again.parameters, again.notes, again.orbit.x) == (("p", "q"), curve.notes, curve.orbit.x)
    assert [*again.columns] == [*curve.columns]
    for name, column in curve.columns.items():
        np.testing.assert_array_equal(again[name], column)
        assert again[name].dtype.kind == column.dtype.kind
    assert len(curve.special) == 4
    for before, after in zip(curve.special, again.special, strict=True):
        assert (after.kind, after.parameters) == (before.kind, before.parameters)
        assert after.orbit.x == before.orbit.x
        np.testing.assert_allclose(after.orbit.multipliers, before.orbit.multipliers, atol=1e-6)
    assert repr(again) == repr(curve)
    again.save(tmp_path / "again.h5")
    assert (tmp_path / "again.h5").read_bytes() == file.read_bytes()


def test_a_curve_of_tori_goes_on_as_neutral_saddles_beyond_the_strong_resonances(curve):
    for point in curve.special:
        u = TRACES[point.kind] / (R - 2.0)
        q = 1.0 + R * u
        assert point.parameters == pytest.approx({"p": u + q * u + u * u - R * u * u, "q": q}, abs=2e-9)
    assert sorted(point.kind for point in curve.special) == sorted(TRACES)
    trace = (R - 2.0) * (curve["q"] - 1.0) / R
    resonant = np.isin(curve["kind"], [*TRACES])
    np.testing.assert_array_equal(curve["kind"][~resonant] == "torus", np.abs(trace[~resonant]) < 2.0)
    saddles = curve["kind"] == "neutral saddle"
    assert saddles.any()
    assert not curve["multiplier_0"][saddles].imag.any()
    np.testing.assert_allclose(curve["multiplier_0"] * curve["multiplier_1"], 1.0, atol=1e-9)


def test_the_picture_shows_special_points_and_what_is_no_bifurcation(curve, tmp_path):
    curve.plot(tmp_path / "tori.svg")
    text = (tmp_path / "tori.svg").read_text()
    for words in ("torus", "neutral saddle", "1:1", "1:2", "1:3", "1:4"):
        assert f"<!-- {words} -->" in text
    with pytest.raises(ConfigError, match="no known picture format"):
        curve.plot(tmp_path / "tori.xyz")


@pytest.mark.parametrize("place", ["points/kind", "points/p", "points/q", "points/u", "points/multipliers", "config"])
def test_a_damaged_file_names_the_place(file, place):
    with h5py.File(file, "a") as damaged:
        del damaged[place]
    with pytest.raises(ConfigError, match=rf"(tori\.h5|the table of bifurcations).*{place.rpartition('/')[2]}"):
        hybridsim.load_bifurcations(file)


def test_without_its_orbit_a_file_is_damaged(file):
    with h5py.File(file, "a") as damaged:
        del damaged["orbit"]
    with pytest.raises(ConfigError, match=r"tori\.h5: the file is damaged: /orbit missing in the file"):
        hybridsim.load_bifurcations(file)


def test_the_readers_of_other_files_say_what_it_is(file):
    with pytest.raises(
        ConfigError, match=r"found a curve of bifurcations over two parameters; .* load_bifurcations reads"
    ):
        hybridsim.load_branch(file)
    with pytest.raises(ConfigError, match="a table of bifurcations, not a run"):
        hybridsim.load_run(file)
