"""Pictures and films are written and read again; a failure leaves no file behind."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hybridsim import ConfigError, simulate
from hybridsim.viewer import Replay, ViewOptions, encoders
from hybridsim.viewer.export import picture_times
from hybridsim.viewer.export import record as record_with_options

from waiting import PATIENCE, next_line, until

SIZE = (160, 90)


def record(sources, file, size=SIZE, progress=None, **options):
    return record_with_options(sources, file, ViewOptions(size=size, **options), progress)


@pytest.fixture(scope="module")
def runner():
    return Replay(simulate("slip", final_time=1.0), name="runner")


def pixels(file):
    with Image.open(file) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def red(picture):
    """The hopper is the only thing that is clearly red, above the labels of the slider."""
    return (picture[..., 0] > 70 + picture[..., 1:].max(axis=2))[: 7 * len(picture) // 10]


@pytest.mark.exhaustive  # times of pictures are exact in the ordinary run
def test_a_picture_is_taken_in_the_middle_or_at_the_given_time(runner, tmp_path):
    (middle,) = record([runner], tmp_path / "middle.png", SIZE)
    (same,) = record([runner], tmp_path / "same.png", SIZE, at=0.5)
    (other,) = record([runner], tmp_path / "other.png", SIZE, at=0.2)
    assert pixels(middle).shape == (90, 160, 3)
    assert (pixels(middle) == pixels(same)).all()
    assert (pixels(middle) != pixels(other)).any()


@pytest.mark.exhaustive  # a body is where its pose puts it on the stage
def test_the_hopper_is_as_high_in_the_picture_as_in_the_run(runner, tmp_path):
    rows = {}
    for t in (0.0, 0.25):
        (file,) = record([runner], tmp_path / f"at{t}.png", (960, 540), camera="side", at=t, forces=False, strips=False)
        rows[t] = red(pixels(file)).nonzero()[0].mean()
    scale = 540 / (2 * np.tan(np.radians(15)) * runner.scene.camera.distance)
    heights = {t: runner.frame(t).poses[0, 2, 3] for t in rows}
    assert rows[0.25] - rows[0.0] == pytest.approx(-scale * (heights[0.25] - heights[0.0]), abs=1.5)
    assert abs(heights[0.25] - heights[0.0]) > 0.05


@pytest.mark.exhaustive  # a series has its pictures in the ordinary run
def test_a_single_picture_needs_no_times_of_others(runner, tmp_path):
    (file,) = record([runner], tmp_path / "still.png", SIZE, speed=1e-11)
    (other,) = record([runner], tmp_path / "other.png", SIZE)
    assert file.is_file()
    assert other.is_file()


def test_a_series_has_one_file_for_each_picture(runner, tmp_path):
    files = record([runner], tmp_path / "f%04d.png", SIZE, fps=10.0, begin=0.2, end=0.5)
    assert [file.name for file in files] == ["f0000.png", "f0001.png", "f0002.png", "f0003.png"]
    assert sorted(file.name for file in tmp_path.iterdir()) == [file.name for file in files]
    assert len({pixels(file).tobytes() for file in files}) == 4


@pytest.mark.exhaustive  # the other kind of film has its pictures
def test_a_gif_has_its_pictures_its_pace_and_begins_again(runner, tmp_path):
    (file,) = record([runner], tmp_path / "film.gif", SIZE, fps=30.0, speed=0.5, begin=0.0, end=0.25)
    with Image.open(file) as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (16, SIZE, 0)
        durations, pictures = [], []
        for number in range(film.n_frames):
            film.seek(number)
            durations.append(film.info["duration"])
            pictures.append(np.asarray(film.convert("RGB")).astype(int))
    assert sum(durations) == pytest.approx(1000 * 16 / 30, abs=10)
    assert set(durations) <= {30, 40}
    (still,) = record([runner], tmp_path / "still.png", SIZE, speed=0.5, at=0.0 + 12 * 0.5 / 30)
    error = np.abs(pictures[12] - pixels(still))
    assert error.mean() < 5.0  # 256 colours
    assert red(pictures[12]).sum() == pytest.approx(red(pixels(still)).sum(), rel=0.15)


def test_an_mp4_has_its_pictures_and_its_size(runner, tmp_path):
    pytest.importorskip("imageio_ffmpeg", reason="the extra `video` is not installed")
    (file,) = record([runner], tmp_path / "film.mp4", SIZE, fps=20.0, begin=0.1, end=0.6)
    command = [encoders.ffmpeg_program(), "-i", str(file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    decoded = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE)
    assert re.search(rb"h264.*yuv420p.* 160x90.* 20 fps", decoded.stderr)
    frames = np.frombuffer(decoded.stdout, np.uint8).reshape(-1, 90, 160, 3).astype(int)
    assert len(frames) == 11
    (still,) = record([runner], tmp_path / "still.png", SIZE, at=0.1 + 5 / 20)
    assert np.abs(frames[5] - pixels(still)).mean() < 6.0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.mp4", "still.png"]


def test_pictures_are_taken_at_exact_times_up_to_the_end(runner):
    assert picture_times([runner], 30.0, 1.0).tolist() == [k / 30.0 for k in range(31)]
    assert picture_times([runner], 10.0, 0.3, 0.1, 0.22) == pytest.approx([0.1, 0.13, 0.16, 0.19, 0.22], abs=1e-15)
    assert picture_times([runner], 10.0, 1.0, 0.5, 0.55).tolist() == [0.5]


def test_progress_is_called_after_every_picture(runner, tmp_path):
    calls = []
    record([runner], tmp_path / "f%d.png", SIZE, fps=10.0, end=0.3, progress=lambda done, of: calls.append((done, of)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.exhaustive  # the stage has both in the ordinary run
def test_two_runs_are_side_by_side_or_one_is_the_others_ghost(runner, tmp_path):
    stiff = Replay(simulate("slip", final_time=1.0, parameters={"k": 30000.0}), name="stiff")
    (apart,) = record([runner, stiff], tmp_path / "apart.png", (640, 360), layout="side-by-side", strips=False)
    columns = red(pixels(apart)).nonzero()[1]
    assert (columns < 320).any()
    assert (columns > 320).any()
    (together,) = record([runner, stiff], tmp_path / "together.png", (480, 270), strips=False)
    assert 0 < np.ptp(red(pixels(together)).nonzero()[1]) < 100


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("film.avi", {}, r"ends in '\.avi'; name it \.mp4, \.gif, \.png"),
        ("film", {}, r"name it \.mp4"),
        ("f%04d.gif", {}, "one number field, in the name of a .png"),
        ("f%d_%d.png", {}, "one number field"),
        ("f%s.png", {}, "one number field"),
        ("film.gif", {"at": 0.5}, "--at is the time of a single picture"),
        ("film.mp4", {"fps": 1e-9}, "a picture for 1000 s at most, found --fps 1e-09; give --fps 0.001 or more"),
        ("film.gif", {"fps": 60.0}, "at most 50 pictures per second, found 60; give --fps 50"),
        ("film.gif", {"fps": 0.001}, "a picture for 100 s at most, found --fps 0.001; give --fps 0.01 or more"),
        ("f%d.png", {"speed": 1e-11}, r"makes 3e\+12 pictures of 1 s, and a film has at most 1000000"),
        ("f%d.png", {"speed": 1e-320}, r"makes inf pictures"),
        ("film.png", {"at": 3.0}, "--at: 3 s lies outside the run, which goes from 0 s to 1 s"),
        ("film.gif", {"begin": -1.0}, "--from: -1 s lies outside"),
        ("film.gif", {"begin": 0.6, "end": 0.4}, r"--to: 0\.4 s is not after --from 0\.6 s"),
        ("film.png", {"camera": "left"}, "found 'left'"),
    ],
)
def test_what_cannot_be_recorded_is_refused(runner, tmp_path, name, options, words):
    with pytest.raises(ConfigError, match=words):
        record([runner], tmp_path / name, SIZE, **options)
    assert not [*tmp_path.iterdir()]


def test_an_mp4_with_an_odd_side_is_refused_with_the_next_size(runner, tmp_path):
    pytest.importorskip("imageio_ffmpeg", reason="the extra `video` is not installed")
    with pytest.raises(ConfigError, match="even sides, found 161x91; give --size 162x92"):
        record([runner], tmp_path / "film.mp4", (161, 91))


def test_without_ffmpeg_the_message_names_the_extra(runner, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ConfigError, match=r"hybridsim\[video\]"):
        record([runner], tmp_path / "film.mp4", SIZE)
    assert not [*tmp_path.iterdir()]


def test_a_folder_that_cannot_be_written_is_named_before_anything_is_drawn(runner, tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ConfigError, match=r"file.film\.gif: cannot be written"):
        record([runner], tmp_path / "file" / "film.gif", SIZE)


def test_a_folder_that_is_not_there_is_made(runner, tmp_path):
    (file,) = record([runner], tmp_path / "new" / "still.png", SIZE)
    assert file.is_file()


def test_an_interrupted_film_leaves_nothing_and_keeps_what_was_there(runner, tmp_path):
    (tmp_path / "film.gif").write_text("an older one")

    def interrupt(done, of):
        if done == 3:
            raise KeyboardInterrupt

    for name in ("film.gif", "film.mp4")[: 2 if _has_ffmpeg() else 1]:
        with pytest.raises(KeyboardInterrupt):
            record([runner], tmp_path / name, SIZE, progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]
    assert (tmp_path / "film.gif").read_text() == "an older one"


def _has_ffmpeg():
    try:
        encoders.ffmpeg_program()
    except ConfigError:
        return False
    return True


RECORD = """
import resource, signal, sys
from hybridsim import ConfigError, simulate
from hybridsim.viewer import Replay, ViewOptions
from hybridsim.viewer.export import record

*files, final_time, largest_file = sys.argv[1:]
run = Replay(simulate("slip", final_time=float(final_time)))
if int(largest_file):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest_file),) * 2)
print("begins", flush=True)
problems = []
for file in files:
    try:
        record([run], file, ViewOptions(size=(160, 90)), lambda done, of: print(done, flush=True))
    except ConfigError as problem:
        problems.append(str(problem))
print(*sys.modules)
sys.exit("\\n".join(problems) or 0)
"""


def recording(*files, final_time=0.1, largest_file=0):
    """Start a process that records films and pictures of a run, whose files may have so many bytes, or any."""
    return subprocess.Popen(
        [sys.executable, "-c", RECORD, *map(str, (*files, final_time, largest_file))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")},
    )


@pytest.mark.exhaustive  # pictures are made without a display all along
@pytest.mark.slow
def test_no_display_is_needed_no_warning_is_printed_and_pyplot_is_not_waited_for(tmp_path):
    process = recording(tmp_path / "still.png")
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert not {"matplotlib.pyplot", "matplotlib.figure"}.intersection(output.split())
    assert pixels(tmp_path / "still.png").shape == (90, 160, 3)


@pytest.mark.exhaustive  # slow: a process; without ffmpeg there is such a message in the ordinary run
@pytest.mark.slow
def test_where_nothing_can_draw_there_is_a_message(tmp_path):
    names = [f"{folder}{name}.so*" for folder in ("", "*/") for name in ("libEGL", "libOSMesa")]
    libraries = {os.path.realpath(file) for name in names for file in Path("/usr/lib").glob(name)}
    hidden = " && ".join(f"mount --bind /dev/null {file}" for file in libraries)
    unshared = ["unshare", "-m", "sh", "-c"]
    if (
        not shutil.which("unshare")
        or subprocess.run([*unshared, hidden or "true"], check=False, timeout=PATIENCE).returncode
    ):
        pytest.skip("the libraries that draw cannot be hidden here (unshare -m, as root)")
    program = f"{hidden or 'true'} && exec {sys.executable} -c '{RECORD}' {tmp_path / 'still.png'} 0.1 0"
    surroundings = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [*unshared, program], capture_output=True, text=True, env=surroundings, check=False, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert done.stderr.startswith("the viewer: nothing can draw here")
    assert len(done.stderr.splitlines()) == 1
    assert not [*tmp_path.iterdir()]


@pytest.mark.exhaustive  # slow: a process with little room; folders that cannot be written are in the ordinary run
@pytest.mark.slow
def test_where_no_more_fits_there_is_a_message_and_no_half_file(tmp_path):
    names = ["film.gif", "still.png", "f%02d.png", *(["film.mp4"] if _has_ffmpeg() else [])]
    process = recording(*(tmp_path / name for name in names), largest_file=3000)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert re.findall(r"(\S+): cannot be written", errors) == [
        str(tmp_path / name.replace("%02d", "00")) for name in names
    ]
    assert not [*tmp_path.iterdir()]


@pytest.mark.exhaustive  # an interrupted film leaves nothing in the ordinary run
@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param("film.gif", marks=pytest.mark.exhaustive), "film.mp4"])
def test_ctrl_c_leaves_no_half_file(tmp_path, name):
    if name.endswith("mp4") and not _has_ffmpeg():
        pytest.skip("the extra `video` is not installed")
    process = recording(tmp_path / name, final_time=4.0)
    assert process.stdout is not None
    while next_line(process.stdout).strip() != "2":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode
    until(lambda: not [*tmp_path.iterdir()])
