"""Frames of a finished run: exact at any time, on both sides of jumps, in slides, from memory and from its file."""

import dataclasses

import h5py
import numpy as np
import pytest

from hybridsim import ConfigError, Input, Model, ModelError, Output, Simulation, State, load_model, simulate
from hybridsim.scene import Body, Scene, Sphere
from hybridsim.testing import check_model
from hybridsim.viewer import Replay

from gallery import clock, rolling, stand_still

BALL = """
from hybridsim import Boundary, Model, State
from hybridsim.scene import Body, Scene, Sphere, placed

STATES = (State("y", 1.0), State("v"))


def vector_field(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -9.81


def boundaries(g, t, x, p, chart):
    g[0] = x[0]


def transition(x_new, t, x, p, chart, crossed):
    x_new[1] = -0.5 * x[1]
    return 0


def poses(T, t, x, p, chart):
    T[0] = placed((0.0, 0.0, x[0]))


MODEL = Model(
    "ball",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    poses=poses,
    boundary_records=[Boundary("floor", degree=1)],
    scene=Scene([Body("ball", Sphere(0.1))]),
)
"""


@pytest.fixture
def plugin(tmp_path):
    path = tmp_path / "ball.py"
    path.write_text(BALL)
    return path


@pytest.fixture(scope="module")
def runner():
    return simulate("slip", final_time=2.0, rtol=1e-8)


def test_the_flight_of_a_projectile_is_its_parabola_at_any_time():
    replay = Replay(simulate("projectile", final_time=2.0))
    for t in np.linspace(0.0, 2.0, 101):
        height = 10.0 * t - 0.5 * 9.81 * t * t
        frame = replay.frame(t)
        assert frame.t == t
        assert frame.outputs == {"y": pytest.approx(height, abs=1e-12), "v": pytest.approx(10.0 - 9.81 * t, abs=1e-12)}
        np.testing.assert_allclose(frame.poses[0][:3, 3], [0.0, 0.0, height], atol=1e-12)


def test_many_moments_at_once_show_what_each_shows_alone(runner):
    replay = Replay(runner)
    moments = [(event.t, before) for event in runner.events for before in (True, False)] + [(0.3, False), (9.0, True)]
    poses, outputs = replay.shown(moments)
    for (t, before), placed, values in zip(moments, poses, outputs, strict=True):
        frame = replay.frame(t, before)
        np.testing.assert_array_equal(placed, frame.poses)
        assert values.tolist() == [*frame.outputs.values()]


def test_at_recorded_rows_it_shows_what_was_recorded_to_the_last_bit(runner):
    replay = Replay(runner)
    for side, before in ((slice(None, None, -1), True), (slice(None), False)):
        rows = {runner.t[k]: k for k in range(len(runner.t))[side]}  # at a jump, the row before it, or the one after
        for t, k in rows.items():
            frame = replay.frame(t, before)
            np.testing.assert_array_equal(frame.x, runner.x[k])
            assert [*frame.outputs.values()] == runner.y[k].tolist()
            assert (frame.j, frame.chart) == (runner.j[k], runner.charts[runner.chart[k]])


def test_between_rows_it_is_the_run_stepped_to_that_time(runner):
    replay, stepped = Replay(runner), Simulation("slip", final_time=2.0, rtol=1e-8)
    for t in np.linspace(0.0, 2.0, 57):
        stepped.advance(t)
        frame = replay.frame(t)
        np.testing.assert_allclose(frame.x, stepped.x, rtol=1e-13, atol=1e-15)
        assert frame.j == stepped.j
        for name in ("leg_length", "leg_force", "energy"):
            assert frame.outputs[name] == pytest.approx(stepped[name], rel=1e-12, abs=1e-9)


def test_a_jump_has_two_sides(runner):
    replay, event = Replay(runner), [event for event in runner.events if event.boundaries == ("touchdown",)][1]
    before, after = replay.frame(event.t, before=True), replay.frame(event.t)
    assert (before.chart, after.chart) == ("descent", "compression")
    assert (before.j, after.j) == (event.j, event.j + 1)
    assert (before.last_event, after.last_event) == ("apex", "touchdown")
    np.testing.assert_array_equal(before.x, event.x_before)
    np.testing.assert_array_equal(after.x, event.x_after)


def test_nothing_has_happened_before_the_first_event(runner):
    assert Replay(runner).frame(0.5 * runner.events[0].t).last_event == ""


def test_outside_the_run_it_stays_at_the_nearer_end(runner):
    replay = Replay(runner)
    assert replay.frame(-1.0).t == replay.begin == 0.0
    np.testing.assert_array_equal(replay.frame(7.0).x, runner.x[-1])
    assert (replay.finished, replay.message) == (True, runner.message)


def test_outputs_that_were_not_recorded_are_there_too(runner):
    few = Replay(simulate("slip", final_time=2.0, rtol=1e-8, record={"outputs": ["y"]}))
    assert few.frame(0.3).outputs == Replay(runner).frame(0.3).outputs


def test_a_slide_has_both_charts_and_outputs_by_their_weights():
    # From rest at 1 m, friction of 0.3 stops the block at t = pi at -0.4 m and at t = 2 pi at -0.2 m for good, where
    # it balances the spring: -stiffness x.
    run = simulate("dry_friction", final_time=9.0, rtol=1e-10, atol=1e-12)
    replay = Replay(run)
    frame = replay.frame(8.0)
    assert frame.chart in ("faster|slower", "slower|faster")
    assert frame.last_event.endswith("(entry)")
    assert frame.outputs["x"] == pytest.approx(-0.2, abs=1e-8)
    assert frame.outputs["friction_force"] == pytest.approx(frame.outputs["x"], abs=1e-9)
    rows = np.flatnonzero(run.adjacent_chart >= 0)
    for row in rows[1:]:
        assert replay.frame(run.t[row]).outputs["friction_force"] == pytest.approx(run["friction_force"][row], abs=1e-9)


def test_between_sampled_rows_it_is_a_cubic_with_a_note(runner):
    sampled = simulate("slip", final_time=2.0, rtol=1e-8, record={"period": 0.01})
    replay, exact = Replay(sampled), Replay(runner)
    assert "not every step" in " ".join(replay.notes)
    assert exact.notes == ()
    times = np.linspace(0.0, 2.0, 101)
    worst = max(np.abs(replay.frame(t).x - exact.frame(t).x).max() for t in times)
    # A cubic through slopes is off by h^4/384 of the fourth derivative: here of some speed x (16 rad/s)^4.
    assert worst < 0.01**4 / 384 * 5.0 * 20.0**4 * 10.0
    assert [replay.frame(t).chart for t in times] == [exact.frame(t).chart for t in times]


def test_the_file_of_a_run_shows_what_the_run_shows(runner, tmp_path):
    files = runner.save(tmp_path / "strides.h5")
    replay = Replay(files[0])
    assert (replay.name, Replay(runner).name, Replay(runner, name="a").name) == ("strides", "slip", "a")
    for t in np.linspace(0.0, 2.0, 13):
        there, here = replay.frame(t), Replay(runner).frame(t)
        np.testing.assert_array_equal(there.poses, here.poses)
        assert there.outputs == here.outputs


def test_a_file_cut_short_is_refused(runner, tmp_path):
    (file,) = runner.save(tmp_path / "slip.h5")
    file.write_bytes(file.read_bytes()[:-2000])
    with pytest.raises(ConfigError, match="damaged or incomplete"):
        Replay(file)


def test_a_file_of_another_format_is_refused(runner, tmp_path):
    (file,) = runner.save(tmp_path / "slip.h5")
    with h5py.File(file, "r+") as content:
        content.attrs["format_version"] = 1
    with pytest.raises(ConfigError, match=r"in format 1 by hybridsim .*run the simulation again"):
        Replay(file)


def test_a_plugin_that_is_gone_is_reported(plugin):
    run = simulate(plugin, final_time=1.0)
    moved = plugin.rename(plugin.with_name("moved.py"))
    with pytest.raises(ConfigError, match=r"ball\.py.* is not here .*say where it is"):
        Replay(run)
    assert Replay(run, model=moved).frame(0.1).outputs["y"] == pytest.approx(1.0 - 0.5 * 9.81 * 0.01)


def test_a_plugin_that_has_changed_is_noted(plugin):
    run = simulate(plugin, final_time=1.0)
    assert Replay(run).notes == ()
    plugin.write_text(BALL + "\n# another colour\n")
    with pytest.raises(ConfigError, match=r"has changed since the run, .*--model"):
        Replay(run)
    (note,) = Replay(run, plugin).notes
    assert note.endswith("has changed since the run; what is shown is the model as it is now")


def test_another_file_is_not_reported_as_changed(plugin):
    run = simulate(plugin, final_time=1.0)
    other = plugin.with_name("other.py")
    other.write_text(BALL + "\n# another colour\n")
    (note,) = Replay(run, model=other).notes
    assert f"another model file, {plugin}" in note
    assert note.endswith(f"what is shown is the model of {other}")


def test_a_plugin_with_other_states_is_refused(plugin):
    run = simulate(plugin, final_time=1.0)
    plugin.write_text(BALL.replace('State("v")', 'State("speed")'))
    with pytest.raises(ConfigError) as problem:
        Replay(run, plugin)
    assert "initial.v: the model has no such state; it has y, speed" in str(problem.value)
    assert "has changed since the run; what is shown" in str(problem.value)


def test_a_model_with_more_states_or_fewer_charts_is_not_the_runs_model(runner):
    slip = load_model("slip")
    with pytest.raises(ConfigError, match=r"the run has the states .* and model 'slip' has .*spare"):
        Replay(runner, model=dataclasses.replace(slip, states=(*slip.states, State("spare"))))
    with pytest.raises(ConfigError, match="has been in chart 3, and model 'slip' has charts 0 to 2"):
        Replay(runner, model=dataclasses.replace(slip, charts=("ascent", "descent", "compression")))


def replay_of(poses):
    model = rolling(poses=poses)
    return Replay(simulate(model, final_time=1.0), model=model)


def test_a_model_without_a_scene_is_refused_with_a_remedy():
    model = clock()
    with pytest.raises(ConfigError, match=r"no scene, so there is nothing to show; expected `scene=.*write-a-model"):
        Replay(simulate(model, final_time=1.0), model=model)


def test_poses_that_are_not_transforms_are_refused_before_anything_is_shown():
    def poses(T, t, x, p, chart):
        T[0] = 2.0

    with pytest.raises(ModelError, match=r"test_replay\.py:\d+: `poses`: the pose of ball is no transform"):
        replay_of(poses)


def test_poses_that_fail_later_are_reported_with_their_line_and_time():
    def poses(T, t, x, p, chart):
        if x[0] > 0.5:
            raise ValueError("too far")

    replay = replay_of(poses)
    replay.frame(0.25)
    with pytest.raises(ModelError, match=r"test_replay\.py:\d+: in `poses`: ValueError: too far \(at t = 0\.75 s"):
        replay.frame(0.75)


def test_a_body_whose_pose_becomes_infinite_is_not_drawn():
    def poses(T, t, x, p, chart):
        T[0, 2, 3] = 1.0 if x[0] < 0.5 else np.inf

    replay = replay_of(poses)
    assert replay.frame(0.25).poses[0, 2, 3] == 1.0
    assert not replay.frame(0.75).poses.any()


def test_poses_cannot_change_the_state_or_the_parameters():
    for write in (lambda x, p: x.fill(0.0), lambda x, p: p.fill(0.0)):

        def poses(T, t, x, p, chart, write=write):
            if t > 0.5:
                write(x, p)

        replay = replay_of(poses)
        with pytest.raises(ModelError, match="read-only"):
            replay.frame(0.75)


def show_pushes(y, t, x, p, chart):
    y[0] = p[0]


def show_pusher(T, t, x, p, chart):
    T[0, 2, 3] = p[0]


def show_output(T, t, x, p, chart, y):
    T[0, 2, 3] = y[0]


def test_poses_may_take_the_outputs():
    model = rolling(poses=show_output, outputs=show_half, output_records=[Output("half")])
    assert "poses in 1 chart" in check_model(model)
    replay = Replay(simulate(model, final_time=1.0), model=model)
    for t in (0.0, 0.25, 1.0):
        assert replay.frame(t).poses[0, 2, 3] == replay.frame(t).outputs["half"] == pytest.approx(0.5 * t)


def show_half(y, t, x, p, chart):
    y[0] = 0.5 * x[0]


def test_the_past_is_shown_with_the_inputs_that_were_held_then():
    model = Model(
        "pushed",
        [State("x")],
        vector_field=stand_still,
        outputs=show_pushes,
        poses=show_pusher,
        output_records=[Output("pushed")],
        inputs=[Input("push", 1.0)],
        scene=Scene([Body("pusher", Sphere(0.1))]),
    )
    simulation = Simulation(model)
    for t, push in ((1.0, 2.0), (2.0, 3.0)):
        simulation.advance(t)
        simulation.inputs["push"] = push
    simulation.advance(3.0)
    replay = Replay(simulation.result(), model)
    for t, push in ((0.5, 1.0), (1.5, 2.0), (2.5, 3.0), (3.0, 3.0)):
        frame = replay.frame(t)
        assert (frame.outputs["pushed"], frame.poses[0, 2, 3]) == (push, push)
    assert replay.frame(2.0, before=True).poses[0, 2, 3] == 2.0
    assert replay.frame(2.0).poses[0, 2, 3] == 3.0
