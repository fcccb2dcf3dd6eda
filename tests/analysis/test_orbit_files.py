"""Orbits as runs and as files; branches that are interrupted, saved, read and followed to their ends."""

import dataclasses
from pathlib import Path

import h5py
import map_model
import numpy as np
import pytest

import hybridsim
from hybridsim.analysis import search
from hybridsim.analysis.finding import find_orbit_of
from hybridsim.analysis.orbit import run_config
from hybridsim.config.loading import load_orbit_config
from hybridsim.errors import ConfigError
from hybridsim.model.plugin_import import UnrecordedFileError

FOLDER = Path(__file__).parent
PLUGIN = Path(__file__).with_name("relay_oscillator.py")
WALKERS = Path(__file__).parents[2] / "configs" / "walkers" / "orbits"


def relay(tmp_path, **options):
    plugin = tmp_path / "relay.py"
    plugin.write_text(PLUGIN.read_text())
    return hybridsim.find_orbit(plugin, section="top", **options)


def walker(slope=0.014):
    guess = {"theta": 0.2, "phi": 0.4, "thetadot": -0.2, "phidot": -0.016}
    return hybridsim.find_orbit("simplest_walker", parameters={"slope": slope}, section="heelstrike", initial=guess)


def same(first, second):
    """Whether two orbits agree in every field, bit by bit; their strides may be computed again."""
    pairs = [
        (field.name, getattr(first, field.name), getattr(second, field.name)) for field in dataclasses.fields(first)
    ]
    differing = [
        name
        for name, a, b in pairs
        if name not in ("found", "config") and not (np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b)
    ]
    keys = ("parameters", "inputs", "initial", "initial_chart", "engine", "orbit")
    return differing + [key for key in keys if getattr(first.config, key) != getattr(second.config, key)]


def test_a_run_along_an_orbit_begins_in_its_chart_and_ends_on_its_section(tmp_path):
    orbit = relay(tmp_path)
    assert orbit.chart == 1  # falling, in which no run of this model begins by itself
    run = orbit.run(strides=3)
    assert run.chart[0] == 1
    assert run.events.count("top") == 3
    np.testing.assert_allclose(run.t[-1], 3 * orbit.period, rtol=1e-13)
    np.testing.assert_allclose(run.x[-1], run.x[0], atol=1e-11)
    for strides in (0, 10**13):
        with pytest.raises(ConfigError, match="whole number from 1 to 1,000,000,000,000"):
            orbit.run(strides=strides)


def test_an_orbit_comes_back_from_its_file(tmp_path):
    orbit = relay(tmp_path, parameters={"width": 0.7}, fixed={})
    assert orbit.save(str(tmp_path / "gait.h5")) == tmp_path / "gait.h5"
    again = hybridsim.load_orbit(tmp_path / "gait.h5")
    assert same(orbit, again) == []
    assert hybridsim.verify(tmp_path / "gait.h5").ok
    assert hybridsim.load_run(tmp_path / "gait.h5").t[-1] == pytest.approx(1.4, rel=1e-12)


def test_an_orbit_of_two_strides_at_a_time_comes_back_too(tmp_path):
    for section in (hybridsim.Section("top", when="before"), hybridsim.Section("bottom", chart="fall")):
        orbit = relay(tmp_path, parameters={"width": 0.7})
        orbit = hybridsim.find_orbit(orbit.model, parameters={"width": 0.7}, section=section, strides=2)
        orbit.save(tmp_path / "gait.h5")
        assert same(orbit, hybridsim.load_orbit(tmp_path / "gait.h5")) == []


def test_a_changed_plug_in_is_not_executed(tmp_path):
    relay(tmp_path).save(tmp_path / "gait.h5")
    (tmp_path / "relay.py").write_text(PLUGIN.read_text() + "\n")
    with pytest.raises(UnrecordedFileError, match="has changed"):
        hybridsim.load_orbit(tmp_path / "gait.h5")


def test_an_orbit_that_is_none_any_more_is_refused(tmp_path):
    relay(tmp_path).save(tmp_path / "gait.h5")
    (tmp_path / "other.py").write_text(PLUGIN.read_text().replace("u - x[1]", "0.5 * u - x[1]"))
    with pytest.raises(ConfigError, match="has this orbit no longer: a period misses its beginning by"):
        hybridsim.load_orbit(tmp_path / "gait.h5", tmp_path / "other.py")


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (lambda file: file["orbit"].attrs.__delitem__("family"), "the attribute family of /orbit"),
        (lambda file: file["orbit"].__delitem__("multipliers"), "/orbit/multipliers"),
        (lambda file: file.__delitem__("orbit"), "the file of a run, not of an orbit"),
    ],
)
def test_damage_is_named_by_its_place(tmp_path, damage, place):
    relay(tmp_path).save(tmp_path / "gait.h5")
    with h5py.File(tmp_path / "gait.h5", "a") as file:
        damage(file)
    with pytest.raises(ConfigError, match=place):
        hybridsim.load_orbit(tmp_path / "gait.h5")


class Interruption:
    """A progress callback that presses Ctrl-C after some points."""

    def __init__(self, points):
        self.left = points

    def __call__(self, value, strides):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def assert_same_bits(done, whole):
    """Two branches have the same orbits, bifurcations and notes, bit by bit."""
    assert done.complete
    assert [*done.points.columns] == [*whole.points.columns]
    for name, column in whole.points.columns.items():
        np.testing.assert_array_equal(done.points[name], column)
    np.testing.assert_array_equal(done.points.visits, whole.points.visits)
    assert done.notes == whole.notes
    for here, there in zip(done.bifurcations, whole.bifurcations, strict=True):
        assert (here.kind, here.value, here.type, here.side) == (there.kind, there.value, there.type, there.side)


def walkers_branch(**options):
    return hybridsim.continue_orbit(walker(), "slope", to=0.0155, max_strides=2, **options)


def lorenz_branch(**options):
    orbit = hybridsim.find_orbit(
        FOLDER / "lorenz.py",
        parameters={"r": 330.0},
        section=hybridsim.Section(state="x", value=0.0),
        initial={"x": 0.0, "y": 58.0, "z": 262.0},
    )
    return hybridsim.continue_orbit(orbit, "r", to=290.0, back_to=335.0, **options)


@pytest.mark.members(2)
@pytest.mark.parametrize(
    ("branch", "points"),
    [*((walkers_branch, n) for n in (1, 2, 3, 5, 9, 15, 22, 30)), *((lorenz_branch, n) for n in (1, 4, 12, 20, 30))],
)
def test_an_interrupted_branch_is_followed_to_its_end_to_the_same_bits(tmp_path, branch, points):
    whole = branch()
    part = branch(progress=Interruption(points))
    assert not part.complete
    assert len(part.points) < len(whole.points)
    part.save(tmp_path / "branch.h5")
    assert_same_bits(hybridsim.resume_branch(hybridsim.load_branch(tmp_path / "branch.h5")), whole)


def test_a_branch_that_is_killed_goes_on_from_what_it_has_saved(tmp_path, monkeypatch):
    whole = walkers_branch()
    monkeypatch.setattr(search, "SECONDS_BETWEEN_SAVES", -1.0)

    class Killed(BaseException):
        pass

    def kill(value, strides):
        kill.left -= 1
        if not kill.left:
            raise Killed

    kill.left = 20
    with pytest.raises(Killed):
        walkers_branch(file=tmp_path / "branch.h5", progress=kill)
    saved = hybridsim.load_branch(tmp_path / "branch.h5")
    assert not saved.complete
    assert len(saved.points) >= 18  # all but the last few
    assert_same_bits(hybridsim.resume_branch(saved), whole)


def test_a_whole_branch_comes_back_from_its_file(tmp_path):
    branch = hybridsim.continue_orbit(walker(), "slope", to=0.0155, max_strides=2)
    assert branch.save(str(tmp_path / "branch.h5")) == tmp_path / "branch.h5"
    again = hybridsim.load_branch(tmp_path / "branch.h5")
    assert again.complete
    assert hybridsim.resume_branch(again) is again
    assert [*again.points.columns] == [*branch.points.columns]
    np.testing.assert_array_equal(again.points.visits, branch.points.visits)
    for here, there in zip(again.bifurcations, branch.bifurcations, strict=True):
        assert (here.kind, here.value, here.curve) == (there.kind, there.value, there.curve)
        assert same(here.orbit, there.orbit) == []
    walker().save(tmp_path / "gait.h5")
    with pytest.raises(ConfigError, match="not the file of a branch"):
        hybridsim.load_branch(tmp_path / "gait.h5")
    with h5py.File(tmp_path / "branch.h5", "a") as file:
        del file["points/slope"]
    with pytest.raises(ConfigError, match="/points: expected a column slope, found none; continue the orbit again"):
        hybridsim.load_branch(tmp_path / "branch.h5")


def test_a_file_keeps_the_notes_and_computes_the_orbits_at_bifurcations_only_when_they_are_asked_for(tmp_path):
    model = map_model.MODEL
    orbit = hybridsim.find_orbit(
        map_model.__file__, parameters={"map": map_model.FOLD, "r": 0.4}, section="tick", initial={"u": 0.6}
    )
    part = hybridsim.continue_orbit(orbit, "r", to=0.6, back_to=-0.3, progress=Interruption(30))
    part = dataclasses.replace(part, notes=("curve 0 ends somewhere",))
    part.save(tmp_path / "branch.h5")
    again = hybridsim.load_branch(tmp_path / "branch.h5")
    assert (again.notes, again.back_to) == (part.notes, -0.3)
    done = hybridsim.resume_branch(again)
    assert done.complete
    assert done.notes[0] == "curve 0 ends somewhere"
    assert done.points["r"].max() >= 0.6
    done.save(tmp_path / "branch.h5")
    with h5py.File(tmp_path / "branch.h5", "a") as file:
        file["bifurcations/x"][0, model.states.index("u")] = 0.1  # an orbit that this machine does not have
    (fold,) = hybridsim.load_branch(tmp_path / "branch.h5").bifurcations
    assert (fold.kind, fold.strides) == ("fold", 1)
    with pytest.raises(ConfigError, match="has this orbit no longer"):
        _ = fold.orbit


def test_the_strides_of_a_cascade_are_in_its_table():
    branch = hybridsim.continue_orbit(walker(), "slope", to=0.0155, max_strides=2)
    twice = branch.points["strides"] == 2
    np.testing.assert_array_equal(branch.points.visits[:, 0, 0], branch.points["theta"])
    assert np.isnan(branch.points.visits[~twice, 1]).all()
    assert (np.abs(branch.points.visits[twice, 1, 0] - branch.points["theta"][twice]) > 1e-4).all()


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.stem, marks=[pytest.mark.exhaustive] * (file.stem == "table_2_1"))  # slow to compile
        for file in sorted(WALKERS.glob("*.yaml"))
    ],
)
def test_the_configs_of_orbits_have_the_gaits_that_they_say(file):
    periods = {"simplest_walker": 3.88246375285137, "compass_gait": 0.734346391158719, "table_2_1": 0.757317831971}
    orbit = find_orbit_of(load_orbit_config(file))  # the periods are those of docs/walkers.md
    assert orbit.stable
    assert orbit.period == pytest.approx(periods[file.stem], abs=1e-9)


def test_a_run_goes_on_where_a_symmetry_looks_at_images(tmp_path):
    mirror = hybridsim.Symmetry(
        negate=["y"], charts={"on": "off", "off": "on"}, boundaries={"hot": "cold", "cold": "hot"}
    )
    orbit = hybridsim.find_orbit("relay", section="hot", initial={"y": 0.1}, symmetry=mirror)
    for strides in range(1, 8):  # the first stride goes to `cold`, the second back to `hot`, ...
        stop = run_config(orbit, strides).stop[0]
        assert (stop.boundary, stop.count) == (("cold", (strides + 1) // 2) if strides % 2 else ("hot", strides // 2))
    assert run_config(orbit, 10**12).stop[0].count == 5 * 10**11  # without a step for each
    run = orbit.run(strides=5)
    assert [name for event in run.events for name in event.boundaries] == ["cold", "hot", "cold", "hot", "cold"]
    assert run.t[-1] == pytest.approx(5 * orbit.period, rel=1e-12)
    orbit.save(tmp_path / "gait.h5")
    assert same(orbit, hybridsim.load_orbit(tmp_path / "gait.h5")) == []
