"""A run that is shown while it is computed: the same bits, a little ahead of the player, and no data lost."""

import threading
import time
from dataclasses import fields

import numpy as np
import pytest

from hybridsim import ConfigError, ModelError, Status, load_config
from hybridsim.config import config_from_keywords
from hybridsim.simulation import Simulation
from hybridsim.viewer.live import LEAD_TIME, STEERED_LEAD_TIME, Live
from hybridsim.viewer.player import Player
from hybridsim.viewer.replay import Replay
from hybridsim.viewer.run_thread import LIVE_CALL_DURATION, next_budget

from .puck import live_puck
from gallery import clock, rolling, rolling_plugin
from waiting import until

NEVER_COMPARED = ("statistics", "provenance", "events")
SLIP = {"model": "slip", "final_time": 2.0}


def played(live, speed=1.0, tick=0.05):
    """Play the whole run tick by tick, independently of the clock."""
    player = Player(live, speed=speed)
    live.follow(player)

    def goes_on():
        player.tick(tick)
        live.frame(player.t)
        return player.at_end

    until(goes_on, every=0.002)
    return player


def same(one, other):
    for field in fields(one):
        if field.name not in NEVER_COMPARED:
            a, b = getattr(one, field.name), getattr(other, field.name)
            assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b, field.name
    for name in ("t", "j", "crossed", "x_before", "x_after"):
        assert np.array_equal(getattr(one.events, name), getattr(other.events, name)), name
    for name in ("steps", "rejected", "vector_field_calls", "events"):
        assert one.statistics[name] == other.statistics[name], name


@pytest.mark.members(3)
@pytest.mark.parametrize(
    "settings",
    [
        SLIP,
        SLIP | {"method": "dop853"},
        SLIP | {"record": False},
        SLIP | {"record": {"period": 0.01}},
        {"model": "bouncing_ball", "final_time": 3.0},
        {"model": "dry_friction", "final_time": 3.0},
        {"model": "slip", "final_time": 2.0, "max_transitions": 7},
    ],
    ids=["steps", "dop853", "events only", "period", "accumulation", "slides", "ends early"],
)
def test_the_result_is_bit_for_bit_that_of_a_run_without_a_viewer(settings):
    settings = dict(settings)
    config = config_from_keywords(settings.pop("model"), **settings)
    alone = Simulation.from_config(config).run()
    live = Live(config)
    played(live, speed=3.0, tick=0.007)
    assert live.message == alone.message
    same(live.finish(), alone)


@pytest.mark.members(2)
@pytest.mark.parametrize("name", ["slip", "bouncing_ball", "dry_friction", "stick_slip"])
@pytest.mark.parametrize("record", [True, False])
def test_every_frame_is_that_of_the_finished_run_with_all_its_steps(name, record):
    live = Live(config_from_keywords(name, final_time=2.0, record=record))
    player = played(live, speed=5.0)
    replay = Replay(Simulation(name, final_time=2.0).run())
    rng = np.random.default_rng(1)
    times = [*rng.uniform(0.0, player.t, 200), *replay.events.t[:50], 0.0, player.t, -1.0, 1e9]
    for t in times:
        for before in (False, True):
            here, there = live.frame(t, before), replay.frame(t, before)
            assert (here.t, here.j, here.chart, here.last_event) == (there.t, there.j, there.chart, there.last_event)
            assert np.array_equal(here.x, there.x)
            assert np.array_equal(here.poses, there.poses)
            assert here.outputs == pytest.approx(there.outputs, rel=1e-12, nan_ok=True)


def test_it_is_computed_as_far_as_the_player_needs_and_waits_there():
    live = Live(config_from_keywords(rolling(), final_time=1e6, max_step=0.01))
    assert live.end == 0.0  # there is no player yet
    player = Player(live, speed=0.5)
    live.follow(player)
    until(lambda: live.end > 0.0)
    until(lambda: live.end == LEAD_TIME * 0.5)
    time.sleep(10 * LIVE_CALL_DURATION)
    assert live.end == LEAD_TIME * 0.5
    player.tick(1.0)
    until(lambda: live.end == 0.5 + LEAD_TIME * 0.5)
    assert not live.finished
    assert live.frame(0.75).x[0] == pytest.approx(0.75, rel=1e-12)
    live.interrupt()
    live.finish()


def test_a_run_with_inputs_is_computed_only_a_little_ahead_so_that_a_change_is_felt_soon():
    live = live_puck()
    live.follow(Player(live, playing=False))
    until(lambda: live.end == STEERED_LEAD_TIME)
    time.sleep(5 * LIVE_CALL_DURATION)
    assert live.end == STEERED_LEAD_TIME
    live.set_inputs({"force_x": 3.0})
    until(lambda: len(live._thread.history) == 1)
    assert live.inputs["force_x"] == 3.0
    live.interrupt()
    run = live.finish()
    assert run.inputs.value.tolist() == [3.0]
    assert STEERED_LEAD_TIME <= run.inputs.t[0] <= STEERED_LEAD_TIME + 0.01  # the end of a step


def test_where_pictures_come_slowly_a_run_with_inputs_is_computed_ahead_of_the_next_one():
    live = live_puck()
    player = Player(live)
    live.follow(player)
    until(lambda: live.end >= STEERED_LEAD_TIME)
    for k in range(3):
        player.scrub(0.05 * (k + 1))
        time.sleep(0.3)
    until(lambda: live.end > player.t + STEERED_LEAD_TIME + 0.25)
    assert live.end <= player.t + LEAD_TIME
    live.interrupt()
    live.finish()


def weary(xdot, t, x, p, chart):
    s = 0.3
    for _ in range(1_000_000):
        s = 3.9 * s * (1.0 - s)
    xdot[0] = 1.0 + 1e-30 * s


def test_a_slow_model_slows_the_picture_and_never_the_viewer():
    live = Live(config_from_keywords(rolling(weary), final_time=100.0, method="rk4", first_step=0.1))
    player = Player(live)
    live.follow(player)
    until(lambda: live.end > 0.0)
    looks, end = 0, live.end

    def step_is_done():
        nonlocal looks
        player.tick(1.0)
        assert player.t <= live.end
        live.frame(player.t)
        looks += 1
        return live.end != end

    until(step_is_done, every=0.0)  # one step of many milliseconds
    assert looks > 20
    assert player.playing
    live.interrupt()
    assert live.finish().status is Status.INTERRUPTED


def test_engine_calls_grow_until_they_take_the_intended_time():
    assert next_budget(16, 0.1 * LIVE_CALL_DURATION) == 32
    assert next_budget(16, LIVE_CALL_DURATION) == 16
    assert next_budget(16, 10.0 * LIVE_CALL_DURATION) == 8
    assert next_budget(1, 10.0 * LIVE_CALL_DURATION) == 1


def test_stopping_the_viewer_early_loses_no_data():
    config = config_from_keywords("slip", final_time=30.0)
    live = Live(config)
    player = Player(live)
    live.follow(player)
    until(lambda: live.end > 0.5)
    assert not live.stop()
    seen = []
    same(live.finish(seen.append), Simulation.from_config(config).run())
    assert seen[-1] == 30.0


def test_an_interrupted_run_ends_where_it_is_and_is_kept():
    kept = []
    live = Live(config_from_keywords("slip", final_time=1e5), on_start=lambda simulation: kept.append)
    live.follow(Player(live))
    until(lambda: live.end > 0.5)
    live.interrupt()
    assert live.stop()
    run = live.finish()
    assert run.status is Status.INTERRUPTED
    assert [result.t[-1] for result in kept] == [run.t[-1]] == [live.end]


def test_a_run_that_has_ended_is_kept_at_once_and_only_once():
    kept = []

    def on_start(simulation):
        assert simulation.t == 0.0
        return lambda run: kept.append((run, threading.current_thread()))

    live = Live(config_from_keywords("slip", final_time=0.5), on_start=on_start)
    played(live)
    (run, thread), message = kept[0], live.message
    assert thread is not threading.current_thread()
    same(live.finish(), run)
    assert len(kept) == 1
    assert message == "reached the final time at t = 0.5 s"


def test_an_error_in_writing_files_is_shown_in_the_window_and_raised_at_the_end():
    def full(run):
        raise ConfigError("slip.h5: no room")

    live = Live(config_from_keywords("slip", final_time=0.5), on_start=lambda simulation: full)
    played(live)
    assert "no room" in live.message
    with pytest.raises(ConfigError, match="no room"):
        live.finish()


def test_a_restart_reads_the_configuration_again_and_an_error_in_it_leaves_the_run(tmp_path):
    file = tmp_path / "run.yaml"
    file.write_text("model: slip\nfinal_time: 1.0\n")
    live = Live(load_config(file), lambda: load_config(file))
    played(live)
    file.write_text("model: slip\nfinal_time: 1.0\nparameters: {k: stiff}\n")
    with pytest.raises(ConfigError, match=r"run.yaml:3.*k"):
        live.restart()
    assert (live.end, live.restart_count) == (1.0, 0)
    file.write_text("model: bouncing_ball\nfinal_time: 0.7\n")
    live.restart()
    assert (live.restart_count, live.model.name, live.frame(0.0).j) == (1, "bouncing_ball", 0)
    played(live)
    run = live.finish()
    assert (run.model_name, run.t[-1]) == ("bouncing_ball", 0.7)


def test_a_restart_reads_an_edited_plug_in_and_refuses_a_broken_one(tmp_path):
    plugin, file = tmp_path / "edited.py", tmp_path / "run.yaml"
    plugin.write_text(rolling_plugin(slope="1.0"))
    file.write_text("model: ./edited.py\nfinal_time: 1.0\n")
    live = Live(load_config(file), lambda: load_config(file))
    played(live)
    assert live.frame(1.0).poses[0, 0, 3] == pytest.approx(1.0, rel=1e-12)
    plugin.write_text(rolling_plugin(slope="2.0 +"))
    with pytest.raises(ConfigError, match=r"edited.py:4"):
        live.restart()
    plugin.write_text(rolling_plugin(slope="x[7]"))
    with pytest.raises(ModelError, match="vector_field"):
        live.restart()
    plugin.write_text(rolling_plugin(slope="3.0"))
    live.restart()
    played(live)
    assert live.frame(1.0).poses[0, 0, 3] == pytest.approx(3.0, rel=1e-12)
    live.finish()


UNBUILDABLE = {
    "a mesh that is not there": ("Scene([Body('ball', Mesh('/none.stl'))])", r"none\.stl cannot be read"),
    "terrain that fails": (
        "Scene([Body('ball', Sphere(0.1))], Ground(lambda x, y, p: p[9] * x))",
        r"edited\.py:\d+: in the height of the ground: IndexError",
    ),
}


@pytest.mark.parametrize("what", UNBUILDABLE)
def test_a_restart_with_a_scene_that_cannot_be_built_leaves_the_run(tmp_path, what):
    plugin, file = tmp_path / "edited.py", tmp_path / "run.yaml"
    plugin.write_text(rolling_plugin())
    file.write_text("model: ./edited.py\nfinal_time: 1.0\n")
    live = Live(load_config(file), lambda: load_config(file))
    scene, message = UNBUILDABLE[what]
    plugin.write_text(rolling_plugin(scene=scene))
    with pytest.raises(ModelError, match=message):
        live.restart()
    assert live.restart_count == 0
    played(live)
    assert live.finish().t[-1] == 1.0


def test_a_restart_shows_the_beginning_and_not_the_time_shown_of_the_last_run():
    live = Live(config_from_keywords(rolling(), final_time=1e6, max_step=0.01))
    player = Player(live)
    live.follow(player)
    for _ in range(3):
        until(lambda: live.end == player.t + LEAD_TIME)
        player.tick(LEAD_TIME)
    live.restart()
    assert player.t == 0.0
    until(lambda: live.end == LEAD_TIME)
    time.sleep(10 * LIVE_CALL_DURATION)
    assert live.end == LEAD_TIME
    live.interrupt()
    live.finish()


def test_ctrl_c_while_a_restart_prepares_ends_the_new_run():
    config = config_from_keywords(rolling(), final_time=1e6, max_step=0.01)

    def reload():
        live.interrupt()
        return config

    live = Live(config, reload)
    live.follow(Player(live))
    live.restart()
    until(lambda: live.finished)
    assert live.restart_count == 1
    assert live.finish().status is Status.INTERRUPTED


def test_a_restart_begins_its_files_after_the_old_run_has_stopped_and_without_them_the_old_run_goes_on():
    config, stopped = config_from_keywords(rolling(), final_time=3.0, max_step=0.01), []
    others = set(threading.enumerate())

    def on_start(simulation):
        stopped.append(not set(threading.enumerate()) - others)
        if len(stopped) == 2:
            raise ConfigError("rolling.initial: no room")
        return lambda run: None

    live = Live(config, on_start=on_start)
    with pytest.raises(ConfigError, match="no room"):
        live.restart()
    assert stopped == [True, True]
    assert live.restart_count == 0
    played(live)
    assert live.finish().t[-1] == 3.0


def test_a_model_without_a_scene_is_refused_before_anything_is_computed():
    began = []
    with pytest.raises(ConfigError, match="no scene"):
        Live(
            config_from_keywords(clock(), final_time=1.0),
            on_start=began.append,
        )
    assert began == []
