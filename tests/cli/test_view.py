"""`run --view`, `run --record` and `view`, where there is no display; windows and browsers are in tests/viewer."""

import sys

import h5py
import numpy as np
import pytest
from PIL import Image

from hybridsim import ModelError, load_run
from hybridsim.cli import show
from hybridsim.viewer import display, export

from gallery import rolling_plugin

SMALL = ("--size", "160x120")


@pytest.fixture(autouse=True)
def headless(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(display.sys, "platform", "linux")


def written(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix not in (".yaml", ".rc"))


def pixels(path):
    """(height, width, 3)."""
    with Image.open(path) as picture:
        return np.asarray(picture)


def test_a_view_without_a_display_is_refused_before_anything_is_computed(hybridsim, ball):
    outcome = hybridsim("run", "ball.yaml", "--view")
    assert outcome.code == 2
    assert "--record" in outcome.err
    assert "DISPLAY is not set" in outcome.err
    assert written(ball) == []


def test_a_display_that_does_not_answer_counts_as_no_display(hybridsim, ball, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":987")
    outcome = hybridsim("run", "ball.yaml", "--view")
    assert outcome.code == 2
    assert "':987' does not answer" in outcome.err


def test_a_requested_view_never_goes_on_without_a_picture(hybridsim, ball, monkeypatch):
    answers = iter([""])  # a second question would end the iterator
    monkeypatch.setattr(display, "missing_display", lambda: next(answers))
    monkeypatch.setattr(show, "missing_display", lambda: next(answers))
    monkeypatch.setattr(show, "_window", lambda *_: Broken(ModelError("no window")))
    outcome = hybridsim("run", "ball.yaml", "--view")
    assert outcome.code == 2
    assert "no window" in outcome.err
    assert "without a picture" not in outcome.err


def test_a_missing_mesh_is_reported_before_anything_is_computed(hybridsim, tmp_path):
    (tmp_path / "odd.py").write_text(rolling_plugin(scene="Scene([Body('hull', Mesh('/none.stl'))])"))
    (tmp_path / "odd.yaml").write_text("model: ./odd.py\nfinal_time: 1\n")
    outcome = hybridsim("run", "odd.yaml", "--record", "odd.png")
    assert outcome.code == 2
    assert "/none.stl cannot be read" in outcome.err
    assert written(tmp_path) == ["odd.py"]


def test_a_browser_without_aiohttp_is_refused_before_anything_is_computed(hybridsim, ball, monkeypatch):
    monkeypatch.setitem(sys.modules, "aiohttp.web", None)
    outcome = hybridsim("run", "ball.yaml", "--web")
    assert outcome.code == 2
    assert "pip install 'hybridsim[notebook]'" in outcome.err
    assert written(ball) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hop.yaml", "model: bouncing_ball\nfinal_time: 0.1\nview: true\n"),
        ("hop.rc", 'systemName = "bouncing_ball"; finalTime = 0.1;\nuseGeomview = 1;\n'),
    ],
)
def test_a_view_that_only_the_config_wants_is_a_note_and_the_run_goes_on(hybridsim, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    outcome = hybridsim("run", name)
    assert outcome.code == 0
    assert f"note: {name}:{3 if name.endswith('yaml') else 2}:1: " in outcome.err
    assert "--view" in outcome.err
    assert "--record" in outcome.err
    assert "reached the final time" in outcome.out
    assert hybridsim("run", name, "--no-view").err == ""


@pytest.mark.exhaustive  # a finished run is recorded in the ordinary run
def test_a_run_is_recorded_after_it_has_been_computed(hybridsim, ball):
    outcome = hybridsim("run", "ball.yaml", "--record", "drop.png", "--at", "0.25", *SMALL)
    assert outcome.code == 0
    assert "wrote drop.png" in outcome.out
    assert pixels(ball / "drop.png").shape == (120, 160, 3)
    assert load_run(ball / "ball.h5").t[-1] == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--record", "drop.avi"], ".avi"),
        (["--record", "drop%04d.gif"], "f%04d.png"),
        (["--record", "drop.gif", "--at", "0.5"], "--at"),
        (["--record", "drop.png", "--size", "big"], "--size"),
        (["--record", "drop.png", "--size", "1x1"], "--size"),
        (["--record", "drop.png", "--fps", "0"], "--fps"),
        (["--record", "drop.png", "--speed", "-1"], "--speed"),
        (["--record", "drop.png", "--camera", "sid"], "did you mean `side`"),
        (["--record", "drop.png", "--from", "2", "--to", "1"], "--to"),
        (["--record", "/proc/drop.png"], "/proc/drop.png"),
        (["--record", "drop.png", "--at", "100"], "--at: 100 s lies outside the run, which goes from 0 s to 1 s"),
        (["--record", "drop.gif", "--from", "-1"], "--from: -1 s lies outside"),
        (["--record", "drop.gif", "--to", "2"], "--to: 2 s lies outside"),
        (["--record", "drop.gif", "--fps", "0.001"], "give --fps 0.01 or more"),
    ],
)
def test_what_cannot_be_recorded_is_not_computed(hybridsim, ball, arguments, message):
    outcome = hybridsim("run", "ball.yaml", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert written(ball) == []


def test_a_model_without_a_scene_is_refused_before_anything_is_computed(hybridsim, tmp_path):
    (tmp_path / "bare.py").write_text(
        "from hybridsim import Model, State\n"
        "def vector_field(xdot, t, x, p, chart):\n    xdot[0] = 1.0\n"
        "MODEL = Model('bare', [State('x')], vector_field=vector_field)\n"
    )
    (tmp_path / "bare.yaml").write_text("model: ./bare.py\nfinal_time: 1\n")
    outcome = hybridsim("run", "bare.yaml", "--record", "bare.png")
    assert outcome.code == 2
    assert "no scene" in outcome.err
    assert written(tmp_path) == ["bare.py"]


def test_a_finished_run_is_recorded_exported_and_compared(hybridsim, ball):
    hybridsim("run", "ball.yaml")
    hybridsim("run", "ball.yaml", "parameters.gravity=1.62", "output.base=moon")
    outcome = hybridsim("view", "ball.h5", "--record", "f%03d.png", "--export", "drop.gltf", "--fps", "4", *SMALL)
    assert outcome.code == 0
    # One picture at 0, 1/4, ... 1 s.
    assert [f"f{number:03d}.png" in written(ball) for number in range(6)] == [True] * 5 + [False]
    assert "wrote 5 files, f000.png to f004.png" in outcome.out
    assert "drop.gltf" in written(ball)
    for layout in ("ghosts", "side-by-side"):
        both = hybridsim("view", "ball.h5", "moon.h5", f"--{layout}", "--record", f"{layout}.png", *SMALL)
        assert both.code == 0
    assert (pixels(ball / "ghosts.png") != pixels(ball / "side-by-side.png")).any()


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ((), "--fps, --at: without effect on a run that is not shown"),
        (("--record", "a.png"), "--fps: without effect on a single picture"),
    ],
)
def test_options_that_change_nothing_are_noted(hybridsim, ball, arguments, note):
    size = SMALL if arguments else ()
    outcome = hybridsim("run", "ball.yaml", "--fps", "4", "--at", "0.5", *size, *arguments)
    assert outcome.code == 0
    assert note in outcome.err


def test_options_that_change_nothing_of_an_exported_scene_are_noted(hybridsim, ball):
    hybridsim("run", "ball.yaml")
    outcome = hybridsim("view", "ball.h5", "--export", "drop.gltf", "--at", "0.5", "--to", "1", "--speed", "2")
    assert outcome.code == 0
    assert "note: --speed, --to: without effect on an exported scene" in outcome.err


def test_a_window_without_a_display_is_refused(hybridsim, ball):
    outcome = hybridsim("view", "ball.h5")
    assert outcome.code == 2
    assert "view: there is no display" in outcome.err
    assert "--record" in outcome.err


def test_a_truncated_file_and_one_of_another_version_are_refused(hybridsim, ball):
    hybridsim("run", "ball.yaml")
    whole = (ball / "ball.h5").read_bytes()
    (ball / "cut.h5").write_bytes(whole[: len(whole) // 2])
    (ball / "newer.h5").write_bytes(whole)
    with h5py.File(ball / "newer.h5", "r+") as file:
        file.attrs["format_version"] = 99
    for name, message in (
        ("cut.h5", "damaged or incomplete"),
        ("newer.h5", "run the simulation again"),
        ("no.h5", "no such"),
    ):
        outcome = hybridsim("view", name, "--record", "a.png")
        assert outcome.code == 2
        assert name in outcome.err
        assert message in outcome.err


def test_a_run_that_is_interrupted_while_it_is_recorded_is_kept_and_exits_with_130(hybridsim, ball, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "record", interrupted)
    outcome = hybridsim("run", "ball.yaml", "--record", "drop.png")
    assert outcome.code == 130
    assert "drop.png is not written" in outcome.err
    assert load_run(ball / "ball.h5").t[-1] == 1.0


class Broken:
    """A viewer that fails as soon as it is shown."""

    def __init__(self, failure):
        self._failure = failure

    def show(self):
        raise self._failure

    def close(self):
        pass


def test_a_viewer_that_fails_loses_no_data(hybridsim, ball, monkeypatch):
    monkeypatch.setattr(show, "_page", lambda *_: Broken(ModelError("ball.py:7: in `poses`: it broke")))
    outcome = hybridsim("run", "ball.yaml", "--web")
    assert outcome.code == 2
    assert "it broke" in outcome.err
    assert "reached the final time" in outcome.out
    assert load_run(ball / "ball.h5").t[-1] == 1.0
