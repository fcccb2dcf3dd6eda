"""What a page holds of a run, read back: poses, events, charts and outputs are those of the run."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from hybridsim import ConfigError, simulate
from hybridsim.results.colours import family_labels
from hybridsim.viewer import Replay, ViewOptions, write_html
from hybridsim.viewer.browser import sampling
from hybridsim.viewer.browser.carried import Carriers
from hybridsim.viewer.browser.html import PAGE, page
from hybridsim.viewer.browser.html import read as read_text
from hybridsim.viewer.browser.keys import poses_as_numbers
from hybridsim.viewer.browser.sampling import TOLERANCE
from hybridsim.viewer.browser.thinning import needed
from hybridsim.viewer.export_checks import refuse_unwritable_page

from .page_reader import matrix_of, read_page

ROOT = Path(__file__).parents[2]

RUNS = {
    "slip": {"final_time": 2.0},  # the foot jumps ahead, a spring is stretched
    "compass_gait": {"final_time": 4.0},  # the legs exchange their names at a jump
    "bouncing_ball": {"final_time": 2.0},
    "stick_slip": {"final_time": 3.0},  # it slides
}


@pytest.fixture(scope="module", params=RUNS)
def written(request, tmp_path_factory):
    """A run, and what its page says of it."""
    source = Replay(simulate(request.param, **RUNS[request.param]))
    header, runs = read_page(write_html(source, tmp_path_factory.mktemp("page") / "run.html"))
    return source, header["runs"][0], runs[0]


def misplaced(source, read, t, before=False):
    """The largest distance [camera distances] of a corner of a solid body's frame from where it is in the run."""
    poses, worst = source.frame(t, before).poses, 0.0
    for number, body in enumerate(source.scene.bodies):
        if body.kind != "body":
            continue
        shown = read.pose(number, t, before)
        assert (shown is not None) == bool(poses[number, 3, 3]), (body.name, t, before)
        if shown is not None:
            worst = max(worst, np.abs(shown[:3, 3] - poses[number, :3, 3]).max())
    return worst / source.scene.camera.distance


@pytest.mark.members(2)
def test_bodies_are_where_they_are_in_the_run_at_any_time(written):
    source, _, read = written
    times = np.random.default_rng(7).uniform(source.begin, source.end, 100)
    near = [min(abs(t - event) for event in read.events["t"]) if len(read.events["t"]) else 1.0 for t in times]
    # A key stands for the middle of its interval; within it a body may be misplaced by a little more than there.
    assert max(misplaced(source, read, t) for t, away in zip(times, near, strict=True) if away > 1e-4) < 2 * TOLERANCE


def test_both_sides_of_each_jump_are_there(written):
    source, _, read = written
    for t in sorted({event.t for event in source.events})[:40]:
        for before in (True, False):
            assert misplaced(source, read, t, before) < 2 * TOLERANCE, (t, before)


def test_charts_and_jumps_are_exact_at_any_time(written):
    source, _, read = written
    times = np.random.default_rng(8).uniform(source.begin, source.end, 200)
    for t in [*times, *sorted({event.t for event in source.events})[:60]]:
        n, frame = int(np.searchsorted(read.events["t"], t, side="right")), source.frame(float(t))
        chart, j = (read.events["chart"][n - 1], read.events["j"][n - 1]) if n else (read.head["chart"], read.head["j"])
        assert (read.head["charts"][chart], j) == (frame.chart, frame.j)
        assert (read.head["texts"][read.events["text"][n - 1]] if n else "") == frame.last_event


def test_each_event_has_its_time_and_its_kind(written):
    source, head, read = written
    label = {name: label for label, names in family_labels(source.model.boundary_records.names) for name in names}
    expected = [
        (event.t, kind) for event in source.events for kind in sorted({label[name] for name in event.boundaries})
    ]
    found = [(t, head["kinds"][k]["name"]) for t, k in zip(read.events["t"], read.events["kind"], strict=True)]
    assert sorted(found) == sorted(expected)


def test_a_page_between_two_times_has_only_these(tmp_path):
    source = Replay(simulate("slip", final_time=2.0))
    options = ViewOptions(begin=0.5, end=1.0)
    (read,) = read_page(write_html(source, tmp_path / "part.html", options))[1]
    assert (read.t[0], read.t[-1]) == (0.5, 1.0)
    assert misplaced(source, read, 0.5) < TOLERANCE
    within = [event.t for event in source.events if 0.5 <= event.t <= 1.0]
    assert 0 < len(within) < len(source.events)
    assert {*read.events["t"]} == {*within}
    assert source.message
    assert read.head["message"] == ""  # the run has not ended there


def test_a_page_has_the_licence_of_what_it_contains():
    assert read_text("three.LICENSE") in page({"title": "", "live": False})


def test_a_page_that_cannot_be_written_is_refused_beforehand(tmp_path):
    (tmp_path / "file").write_text("")
    for name, words in (("a.mp4", "ends in .html"), ("file/a.html", "cannot be written")):
        with pytest.raises(ConfigError, match=words):
            refuse_unwritable_page(tmp_path / name)


def test_a_long_run_has_longer_intervals_which_are_divided_where_bodies_move_fast(tmp_path, monkeypatch):
    monkeypatch.setattr(sampling, "MOST_INTERVALS", 8)
    source = Replay(simulate("bouncing_ball", final_time=2.0))
    (read,) = read_page(write_html(source, tmp_path / "long.html"))[1]
    assert max(misplaced(source, read, t) for t in (0.1, 0.3, 0.5, 0.9, 1.3)) < 2 * TOLERANCE


def test_several_runs_are_in_one_page(tmp_path):
    runs = [simulate("slip", final_time=0.5, parameters={"k": k}) for k in (20e3, 16e3)]
    header, read = read_page(write_html(runs, tmp_path / "both.html", ViewOptions(layout="ghosts")))
    assert [run.head["run"] for run in read] == [0, 1]
    assert header["view"]["layout"] == "ghosts"


def test_a_run_writes_its_own_page(tmp_path):
    path = simulate("projectile", final_time=0.3).html(tmp_path / "throw.html", speed=0.5)
    assert read_page(path)[0]["view"]["speed"] == 0.5


def test_names_in_a_run_cannot_end_the_script_that_holds_them(tmp_path):
    source = Replay(simulate("projectile", final_time=0.1), name="</script><script>alert(1)</script>")
    path = write_html(source, tmp_path / "run.html")
    text = path.read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert read_page(path)[0]["runs"][0]["name"] == source.name


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"--html: .*ends in \.html"):
        write_html(simulate("projectile", final_time=0.1), tmp_path / "run.txt")


def test_three_js_is_the_bundle_that_its_lock_file_gives():
    package = json.loads((ROOT / "packaging" / "three" / "package.json").read_text())
    assert hashlib.sha256((PAGE / "three.js").read_bytes()).hexdigest() == package["config"]["sha256"]
    assert "MIT License" in (PAGE / "three.LICENSE").read_text()


def test_rotations_of_all_kinds_are_kept_as_quaternions():
    rng = np.random.default_rng(3)
    q = rng.normal(size=(50, 4))
    q = np.concatenate([q, np.eye(4), np.roll(np.eye(4), 1)[:, [1, 0, 3, 2]] + np.eye(4)])
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    scale = rng.uniform(0.1, 3.0, (len(q), 3))
    given = np.concatenate([rng.normal(size=(len(q), 3)), q, scale], axis=1)
    found = poses_as_numbers(np.array([matrix_of(each) for each in given]))
    sign = np.sign((found[:, 3:7] * q).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(
        np.concatenate([found[:, :3], sign * found[:, 3:7], found[:, 7:]], axis=1), given, atol=1e-12
    )


def test_keys_that_are_dropped_lie_between_those_that_are_kept():
    t = np.linspace(0.0, 4.0, 801)
    poses = np.zeros((801, 3, 10))
    poses[:, :, 3], poses[:, :, 7:] = 1.0, 1.0
    poses[:, 0, 0] = np.where(t < 2.0, np.sin(t), 3.0)
    poses[600:650, 0, 7:] = 0.0  # hidden for a while
    poses[:, 2, 1] = np.abs(t - 3.0)  # the one between stays where it is
    kept, still, bent = (np.flatnonzero(body) for body in needed(t, poses, np.full((3, 10), 1e-3)))
    interpolated = np.interp(t, t[kept], poses[kept, 0, 0])
    assert np.abs(interpolated - poses[:, 0, 0]).max() <= 1e-3
    assert {400 - 1, 400, 599, 600, 649, 650} <= set(kept.tolist())
    # An arc of curvature 1 needs a key each sqrt(8 tolerance / curvature) s; merging by halves takes up to twice that.
    assert len(kept) < 2 * 2.0 / np.sqrt(8e-3) + 12
    assert still.tolist() == [0]
    assert np.abs(np.interp(t, t[bent], poses[bent, 2, 1]) - poses[:, 2, 1]).max() <= 1e-3
    assert len(bent) < 8


def test_what_is_carried_is_found_and_given_up_when_it_moves_by_itself():
    carriers, still = (
        Carriers(np.array([1.0, 0.1, 0.1])),
        np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (5, 3, 1)),
    )
    along, tolerances = still.copy(), np.full((3, 10), 1e-3)
    along[:, :, 0] = np.linspace(0.0, 1.0, 5)[:, None]
    along[:, 1, 1], along[:, 2, 1] = 0.5, 3.0  # the last one is too far away
    assert {body: carrier for body, (carrier, _) in carriers.find(along, tolerances).items()} == {1: 0}
    alone = along.copy()
    alone[2, 1, 2] = 0.1
    assert carriers.find(alone, tolerances) == {}
    found = carriers.find(along, tolerances)
    np.testing.assert_allclose(found[1][1], [0.0, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0], atol=1e-12)
    assert carriers.find(still, tolerances) == {}


def test_the_header_is_data_that_json_can_read_everywhere(written):
    source, head, _ = written
    assert json.loads(json.dumps(head, allow_nan=False))["model"] == source.model.name


@pytest.mark.parametrize(("runs", "found"), [([], "none"), (None, "None"), ([3], "3")])
def test_what_is_no_run_is_refused_before_anything_is_written(tmp_path, runs, found):
    with pytest.raises(ConfigError, match=f"expected a run.*; found {found}$"):
        write_html(runs, tmp_path / "run.html")
    assert not [*tmp_path.iterdir()]


def test_a_jump_of_any_size_keeps_both_sides_without_a_warning(recwarn):
    poses = np.zeros((4, 1, 10))
    poses[:, :, 3] = poses[:, :, 7:] = 1.0
    poses[2:, 0, 0] = 1e20
    assert needed(np.array([0.0, 1.0, 1.0, 2.0]), poses, np.full((1, 10), 1e-4)).all()
    assert not [*recwarn]
