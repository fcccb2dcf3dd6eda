"""A live run in a real window with real keys: what the keys do, and that no way to close the window loses data."""

import signal
import threading
import time

import h5py
import numpy as np
import pytest

from hybridsim import load_config, load_run
from hybridsim.simulation import Simulation
from hybridsim.viewer.live import Live
from hybridsim.viewer.options import ViewOptions
from hybridsim.viewer.window import Window

from gallery import rolling_plugin
from waiting import PATIENCE, next_line, until

BALL = "model: bouncing_ball\nfinal_time: {final_time}\nparameters: {{restitution: {restitution}}}\n"
SIZE = (400, 300)


def shown(window, act):
    """Show the window while another thread calls `act`, and raise what `act` raises."""
    failures = []

    def acts():
        try:
            act()
        except BaseException as failure:
            failures.append(failure)
        window.close()

    thread = threading.Thread(target=acts)
    thread.start()
    window.show()
    thread.join(timeout=PATIENCE)
    assert not thread.is_alive(), "the thread that acts on the window has not ended"
    if failures:
        raise failures[0]


@pytest.fixture
def ball(tmp_path):
    """Writes a config of a bouncing ball, and returns its path."""

    def write(final_time=20.0, restitution=0.5):
        (tmp_path / "ball.yaml").write_text(BALL.format(final_time=final_time, restitution=restitution))
        return tmp_path / "ball.yaml"

    return write


def test_keys_and_mouse_pause_step_scrub_change_the_speed_restart_and_quit(display, ball):
    file = ball()
    live = Live(load_config(file), lambda: load_config(file))
    window = Window([live], ViewOptions(size=SIZE))
    player, stage = window.player, window.stage

    def acts():
        display.move(SIZE[0] / 2, SIZE[1] / 2)
        until(lambda: player.t > 0.3)
        display.press("space")
        until(lambda: not player.playing)
        t = player.t
        time.sleep(0.3)
        assert player.t == t
        display.press("Right", "Right", "Left")
        until(lambda: player.t == pytest.approx(t + 1.0 / player.fps, rel=1e-12))
        display.press("plus")
        until(lambda: player.speed == 2.0)
        display.press("minus", "minus")
        until(lambda: player.speed == 0.5)
        x, y = SIZE[0] / 4, next(y for y in range(100) if stage.timeline.time_at(SIZE[0] / 4, y) is not None)
        display.click(x, SIZE[1] - y - 5)
        until(lambda: player.t == pytest.approx(stage.timeline.time_at(x, y), abs=0.05))
        display.press("Home")
        until(lambda: player.t == 0.0)
        display.press("c")
        until(lambda: stage.camera == "side")

        file.write_text("model: bouncing_ball\nfinal_time: soon\n")
        display.press("r")
        until(lambda: "final_time" in stage.alert.text)
        assert (live.restart_count, live.model.name) == (0, "bouncing_ball")
        file.write_text("model: projectile\nfinal_time: 0.7\n")
        display.press("r")
        until(lambda: live.restart_count == 1)
        until(lambda: stage.alert.text == "")
        assert live.model.name == "projectile"
        display.press("space")
        until(lambda: player.at_end)
        assert player.t == 0.7
        display.press("q")
        until(lambda: not window.open)

    shown(window, acts)
    assert live.stop()
    run, alone = live.finish(), Simulation.from_config(load_config(file)).run()
    assert run.status == alone.status
    assert np.array_equal(run.x, alone.x)


def contents(path):
    """Every data set of a file by its name."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()]} if isinstance(item, h5py.Dataset) else {}))
    return found


def alone(file, name, *overrides):
    run = Simulation.from_config(load_config(file, overrides)).run()
    return run.save(file.parent / name)


@pytest.mark.members(1)
@pytest.mark.parametrize(
    "how",
    ["button of the window", "key", "cut off by X"],
)
def test_when_the_window_is_closed_the_run_goes_on_to_its_end(display, started, ball, how):
    file = ball(final_time=1000.0, restitution=1.0)
    process = started("run", "ball.yaml", "--view", "--size", "400x300")
    display.move(100, 100)
    until((file.parent / "ball.param").exists)
    if how == "key":
        display.press("q")
    elif how == "button of the window":
        display.close()
    else:
        display.do("windowkill", display.window())
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "the run continues" in err
    assert "reached the final time" in out
    alone(file, "alone")
    assert (file.parent / "ball.data").read_bytes() == (file.parent / "alone.data").read_bytes()
    assert (file.parent / "ball.initial").read_bytes() == (file.parent / "alone.initial").read_bytes()
    here, there = contents(file.parent / "ball.h5"), contents(file.parent / "alone.h5")
    assert here.keys() == there.keys()
    different = [name for name in here if name != "config" and not np.array_equal(here[name], there[name])]
    assert [name for name in different if here[name].dtype.kind != "f" or not np.isnan(here[name]).any()] == []


def test_ctrl_c_in_the_terminal_ends_the_run_and_keeps_it(display, started, ball):
    file = ball(final_time=1000.0, restitution=1.0)
    process = started("run", "ball.yaml", "--view", "--size", "200x150")
    display.window()
    until((file.parent / "ball.param").exists)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "interrupted" in out
    run = load_run(file.parent / "ball.h5")
    assert run.status.name == "INTERRUPTED"
    assert 0.0 < run.t[-1] < 1000.0


@pytest.mark.exhaustive  # Ctrl-C with a display is in the ordinary run
def test_ctrl_c_after_the_display_is_lost_ends_the_run_and_keeps_it(display, started, ball):
    file = ball(final_time=1e9, restitution=1.0)
    file.write_text(file.read_text() + "record: false\nengine: {max_transitions: 100000000}\n")
    process = started("run", "ball.yaml", "--view", "--size", "200x150")
    number = display.window()
    until((file.parent / "ball.param").exists)
    time.sleep(0.2)
    display.do("windowkill", number)
    assert "the viewer is closed" in next_line(process.stderr)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    run = load_run(file.parent / "ball.h5")
    assert run.status.name == "INTERRUPTED"
    assert 0.0 < run.t[-1] < 1e9


@pytest.mark.exhaustive  # a closed window is in the ordinary run
def test_poses_that_fail_close_the_window_and_the_run_goes_on_to_its_end(display, started, tmp_path):
    (tmp_path / "odd.py").write_text(rolling_plugin(position="1.0 / (t < 0.5)"))
    (tmp_path / "odd.yaml").write_text("model: ./odd.py\nfinal_time: 7\n")
    out, err = started("run", "odd.yaml", "--view", "--size", "200x150").communicate(timeout=PATIENCE)
    assert "reached the final time at t = 7 s" in out
    assert "odd.py:6: in `poses`: ZeroDivisionError" in err
    assert "Traceback" not in err
    assert load_run(tmp_path / "odd.h5").t[-1] == 7.0
