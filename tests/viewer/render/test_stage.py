"""Pictures are rendered off-screen and compared with what the geometry predicts."""

import math

import numpy as np
import pytest

from hybridsim.errors import ConfigError
from hybridsim.model.table import Records
from hybridsim.scene import HIDDEN, Arrow, Body, Box, Camera, Cone, Ground, Scene, Sphere, Spring, between, placed
from hybridsim.viewer.render.ground import move_to_edges
from hybridsim.viewer.render.stage import Stage, StagedRun

from .projection import ANGLE, BLUE, GREEN, N_HISTORY_SAMPLES, RED, SIZE, pinhole, pixel_of, seen


def ball(radius=0.1, colour=RED, **camera):
    """A ball before a camera that looks along y, with x to the right and z up."""
    camera = {"distance": 4.0, "view": (0.0, 1.0, 0.0), **camera}
    return Scene(Records(Body("ball", Sphere(radius), colour)), ground=None, camera=Camera(**camera))


@pytest.mark.members(2)
@pytest.mark.parametrize("position", [(0.0, 0.0, 0.0), (0.7, 0.0, 0.4), (-0.9, 1.0, -0.6), (0.3, -1.0, 0.2)])
def test_a_body_is_where_its_pose_puts_it(staged, position):
    stage = staged(ball())
    stage.set_poses([np.array([placed(position)])])
    rows, columns = seen(stage.screenshot(), RED)
    middle = rows.mean() + 0.5, columns.mean() + 0.5
    assert middle == pytest.approx(pinhole(position), abs=1.5)


def test_the_renderer_of_the_stage_projects_points_as_a_pinhole_camera(staged):
    stage = staged(ball())
    column, row = pixel_of((0.7, 0.5, 0.4), stage)
    assert (row + 0.5, column + 0.5) == pytest.approx(pinhole((0.7, 0.5, 0.4)), abs=1.0)


def test_a_ball_is_as_large_as_it_is(staged):
    stage = staged(ball(radius=0.5))
    stage.set_poses([np.array([placed((0.0, 0.0, 0.0))])])
    rows, columns = seen(stage.screenshot(), RED)
    # The outline of a sphere is where rays touch it: at tan(angle) = r / sqrt(d^2 - r^2).
    half = SIZE[1] / (2 * math.tan(ANGLE / 2)) * 0.5 / math.sqrt(16.0 - 0.25)
    assert np.ptp(columns) + 1 == pytest.approx(2 * half, abs=2)
    assert np.ptp(rows) + 1 == pytest.approx(2 * half, abs=2)


def test_nothing_that_the_camera_sees_is_behind_the_head_up_lines_of_a_small_picture():
    """A ball at the upper edge of what is seen stands just below the lines, and stays there as these come and go."""
    scene = ball(radius=0.05)
    stage = Stage([StagedRun("run", scene, np.zeros(0))], N_HISTORY_SAMPLES, off_screen=True, size=SIZE)
    try:
        edge = 4.0 * math.tan(0.5 * ANGLE)
        stage.set_poses([np.array([placed((0.0, 0.0, 0.94 * edge))])])
        rows = {}
        for lines in (["t 1.0 s", "flight  3 jumps"], ["t 1.0 s"]):
            stage.set_lines(lines)
            rows[len(lines)] = seen(stage.screenshot(), RED)[0]
        covered = SIZE[1] * stage.head_up.covered
        assert 0.1 * SIZE[1] < covered < 0.3 * SIZE[1]
        assert covered < rows[2].min() < covered + 0.09 * SIZE[1]
        assert np.array_equal(rows[1], rows[2])
    finally:
        stage.close()


def test_what_the_camera_looks_at_stands_beside_the_strip_charts():
    run = StagedRun("run", ball(), np.zeros(0), outputs=(("height", "m"),))
    stage = Stage([run], N_HISTORY_SAMPLES, off_screen=True, size=(640, 400))
    try:
        stage.canvas._renderer.DrawOff()
        columns = {}
        for charts in (True, False):
            stage.show_strips(charts)
            stage.set_poses([np.array([placed((0.0, 0.0, 0.0))])])
            columns[charts] = seen(stage.screenshot(), RED)[1].mean()
        share = stage.strips.share_left  # of the width; 1 while the charts are hidden
        stage.show_strips(True)
        assert stage.strips.share_left < share == 1.0
        assert columns[False] == pytest.approx(319.5, abs=1.0)
        assert columns[True] == pytest.approx(0.5 * 640 * stage.strips.share_left, abs=1.5)
    finally:
        stage.close()


def test_a_hidden_body_leaves_none_of_its_colour(staged):
    stage = staged(ball())
    stage.set_poses([np.array([placed((0.0, 0.0, 0.0))])])
    assert seen(stage.screenshot(), RED)[0].size > 100
    stage.set_poses([np.array([HIDDEN])])
    assert not seen(stage.screenshot(), RED)[0].size
    stage.set_poses([np.array([placed((0.0, 0.0, 0.0))])])
    assert seen(stage.screenshot(), RED)[0].size > 100


@pytest.mark.members(1)
@pytest.mark.parametrize("shape", [Spring(0.05), Arrow(0.03)])
def test_what_lies_between_two_points_shortens_with_them(staged, shape):
    scene = Scene(
        Records(Body("leg", shape, BLUE)),
        ground=None,
        camera=Camera(distance=4.0, view=(0.0, 1.0, 0.0), at=(0, 0, 0.5)),
    )
    stage = staged(scene)
    scale = SIZE[1] / (2 * math.tan(ANGLE / 2) * 4.0)
    for length in (1.0, 0.8, 0.5, 0.25):
        stage.set_poses([np.array([between((0, 0, 0), (0, 0, length))])])
        rows, _ = seen(stage.screenshot(), BLUE)
        foot, _ = pinhole((0, 0, 0), focus=(0, 0, 0.5))
        assert rows.max() + 1 == pytest.approx(foot, abs=2.5)
        assert np.ptp(rows) + 1 == pytest.approx(scale * length, abs=3.5)


def test_force_arrows_can_be_switched_off_and_on(staged):
    scene = Scene(
        Records(Body("hull", Box((0.2, 0.2, 0.2)), RED), Body("push", Arrow(0.05), GREEN, kind="force")),
        ground=None,
        camera=Camera(distance=4.0, view=(0.0, 1.0, 0.0)),
    )
    stage = staged(scene)
    stage.set_poses([np.array([placed((0, 0, -0.5)), between((0, 0, -0.4), (0, 0, 0.5))])])
    assert seen(stage.screenshot(), GREEN)[0].size > 50
    stage.show_kind("force", False)
    picture = stage.screenshot()
    assert not seen(picture, GREEN)[0].size
    assert seen(picture, RED)[0].size > 50
    stage.show_kind("force", True)
    assert seen(stage.screenshot(), GREEN)[0].size > 50


def test_cones_of_friction_are_hidden_until_they_are_switched_on(staged):
    scene = Scene(
        Records(Body("cone", Cone(0.5), GREEN, kind="cone")),
        ground=None,
        camera=Camera(distance=4.0, view=(0.0, 1.0, 0.0), at=(0.0, 0.0, 0.5)),
    )
    stage = staged(scene)
    stage.set_poses([np.eye(4)[None]])
    assert not seen(stage.screenshot(), GREEN)[0].size
    stage.show_kind("cone", True)
    rows, columns = seen(stage.screenshot(), GREEN)
    tip, _ = pinhole((0, 0, 0), focus=(0, 0, 0.5))
    assert rows.max() + 1 == pytest.approx(tip, abs=6.0)  # its tip is thin
    scale = SIZE[1] / (2 * math.tan(ANGLE / 2))
    assert np.ptp(columns) + 1 == pytest.approx(scale * 2 * 0.5 / 4.0, rel=0.03)
    assert abs(columns[rows == rows.max()].mean() + 0.5 - SIZE[0] / 2) < 2.0


def hills(x, y, p):
    return p[0] * np.sin(1.3 * x) * np.cos(0.8 * y)


def on_hills(radius, **camera):
    return Scene(
        Records(Body("foot", Sphere(radius), RED)),
        ground=Ground(height=hills, checker=0.5, colours=("#e0e0e0", "#a0a0a0")),
        camera=Camera(follow="foot", along="x", distance=4.0, view=(0.0, 1.0, -0.6), **camera),
    )


@pytest.mark.members(1)
@pytest.mark.parametrize("x", [0.0, 1.2, -7.3, 4321.0])
def test_terrain_is_under_the_feet(staged, x):
    radius = 0.05
    stage = staged(on_hills(radius), p=[0.3])
    z = 0.3 * math.sin(1.3 * x)
    stage.set_poses([np.array([placed((x, 0.0, z + radius))])])
    on_top = seen(stage.screenshot(), RED)[0].size
    assert on_top > 30
    stage.set_poses([np.array([placed((x, 0.0, z))])])
    assert 0.3 * on_top < seen(stage.screenshot(), RED)[0].size < 0.9 * on_top  # half sunk
    stage.set_poses([np.array([placed((x, 0.0, z - 1.3 * radius))])])
    assert not seen(stage.screenshot(), RED)[0].size


def test_the_mesh_of_terrain_has_the_heights_of_its_function(staged):
    stage = staged(on_hills(0.05), p=[0.3])
    stage.set_poses([np.array([placed((17.7, 0.0, 1.0))])])
    ground = stage.actors[0].ground
    points = np.asarray(ground.surface.points, float) + np.array(ground.actor.GetPosition())
    assert np.abs(points[:, 2] - hills(points[:, 0], points[:, 1], [0.3])).max() < 1e-5
    assert np.abs(points[:, :2] - [17.7, 0.0]).min(axis=0).max() < 0.5
    assert np.ptp(points[:, 0]) > 40.0


def test_terrain_is_made_anew_only_when_the_focus_has_gone_on_by_whole_squares(staged):
    stage = staged(on_hills(0.05), p=[0.3])
    ground = stage.actors[0].ground
    before = ground.refreshes
    for x in np.linspace(0.01, 4.99, 100):
        stage.set_poses([np.array([placed((x, 0.0, 1.0))])])
    assert ground.refreshes - before <= 5.0 / 0.5


@pytest.mark.members(1)
@pytest.mark.parametrize("height", [0.0, hills])
def test_squares_stay_where_they_are_while_the_camera_goes_by(staged, height):
    colours = ("#ff0000", "#0000ff")
    scene = Scene(
        Records(Body("runner", Sphere(0.01), GREEN)),
        ground=Ground(height=height, checker=0.5, colours=colours),
        camera=Camera(follow="runner", along="x", distance=3.0, view=(0.0, 0.4, -1.0)),
    )
    stage = staged(scene, p=[0.05])
    for focus in (0.0, 0.3, 0.55, 3.8, -2.1):
        stage.set_poses([np.array([placed((focus, 0.0, 1.0))])])
        picture = stage.screenshot()
        for x, y in ((0.25, 0.25), (0.75, 0.25), (0.25, -0.25), (0.75, -0.25), (3.75, 0.25), (-2.25, 0.25)):
            if abs(x - focus) < 0.8:
                z = height(x, y, [0.05]) if callable(height) else height
                column, row = pixel_of((x, y, z), stage)
                red, _, blue = picture[round(row), round(column)].astype(int)
                expected_red = (math.floor(x / 0.5) + math.floor(y / 0.5)) % 2 == 0
                assert (red > blue) == expected_red, (focus, x, y)


def test_the_ground_fades_into_the_background_and_bodies_are_before_it(staged):
    scene = Scene(
        Records(Body("ball", Sphere(0.2), RED)),
        ground=Ground(colours=("#000000", "#000000")),
        camera=Camera(distance=4.0, view=(0.0, 1.0, -0.2), at=(0.0, 0.0, 0.2)),
    )
    stage = staged(scene)
    stage.set_poses([np.array([placed((0.0, 0.0, 0.2))])])
    picture = stage.screenshot().astype(int)
    column = picture[:, 20].sum(axis=1)
    assert column[-1] < 30  # the ground near by is black, the sky above is not, and there is no edge between
    assert column[0] > 600
    assert np.abs(np.diff(column)).max() < 200
    assert seen(picture, RED)[0].size > 100


def test_a_far_away_body_does_not_tremble(staged):
    stage = staged(ball(follow="ball"))
    far = 1e7
    stage.set_poses([np.array([placed((far, 0.0, 0.0))])])
    middle = [seen(stage.screenshot(), RED)[1].mean() + 0.5]
    stage.set_poses([np.array([placed((far + 0.013, 0.0, 0.0))])])
    middle.append(seen(stage.screenshot(), RED)[1].mean() + 0.5)
    assert middle == pytest.approx([SIZE[0] / 2] * 2, abs=0.6)


def test_ghosts_are_seen_through_and_have_another_tint(staged):
    one, other = ball(colour=RED), ball(colour=RED)
    stage = staged(one, other)
    stage.set_poses([np.array([placed((-0.5, 0.0, 0.0))]), np.array([placed((0.5, 0.0, 0.0))])])
    picture = stage.screenshot().astype(int)
    (row, left), (_, right) = pinhole((-0.5, 0, 0)), pinhole((0.5, 0, 0))
    leader, ghost = picture[round(row), round(left)], picture[round(row), round(right)]
    sky = picture[round(row), SIZE[0] // 2]
    assert leader[0] > leader[2] + 100
    assert ghost[2] > ghost[0] - 40  # the second run's tint is blue
    assert np.abs(ghost - sky).max() > 20
    assert ghost.sum() > leader.sum()  # the sky shines through it


def test_side_by_side_each_run_has_its_picture(staged):
    stage = staged(ball(colour=RED), ball(colour=BLUE), layout="side-by-side")
    stage.set_poses([np.array([placed((0.0, 0.0, 0.0))]), np.array([placed((0.0, 0.0, 0.3))])])
    picture = stage.screenshot()
    rows, columns = seen(picture, RED)
    assert (columns.mean(), rows.mean()) == pytest.approx((SIZE[0] / 4, SIZE[1] / 2), abs=2)
    rows, columns = seen(picture, BLUE)
    assert columns.mean() == pytest.approx(3 * SIZE[0] / 4, abs=2)
    assert rows.mean() == pytest.approx(pinhole((0, 0, 0.3))[0], abs=2)


def test_trails_are_where_bodies_have_been(staged):
    stage = staged(ball(radius=0.02))
    path = np.zeros((N_HISTORY_SAMPLES, 1, 3))
    path[:, 0, 0] = np.linspace(-1.0, 0.8, N_HISTORY_SAMPLES)
    path[:20] = np.nan
    stage.set_poses([np.array([HIDDEN])])
    stage.set_paths([path])
    assert not seen(stage.screenshot(), RED)[0].size
    stage.show_trails(True)
    rows, columns = seen(stage.screenshot(), RED)
    assert np.ptp(rows) <= 4
    assert rows.mean() + 0.5 == pytest.approx(SIZE[1] / 2, abs=2)
    assert columns.max() == pytest.approx(pinhole((0.8, 0, 0))[1], abs=2)


@pytest.mark.exhaustive  # slow: many frames
def test_frames_make_no_new_objects_of_vtk(staged):
    stage = staged(on_hills(0.05), p=[0.3], texts=True)
    pieces = stage.actors[0].bodies.pieces
    before = [(piece.actor, piece.matrix, piece.actor.GetUserMatrix(), piece.actor.GetMapper()) for piece in pieces]
    for x in np.linspace(0.0, 3.0, 20):
        stage.set_poses([np.array([placed((x, 0.0, 1.0))])])
        stage.render()
    after = [(piece.actor, piece.matrix, piece.actor.GetUserMatrix(), piece.actor.GetMapper()) for piece in pieces]
    assert before == after
    assert len(stage.plotter.renderer.actors) <= 1 + len(pieces) + 3


def test_the_scene_can_be_exchanged(staged):
    stage = staged(ball(colour=RED), texts=True)
    stage.set_poses([np.array([placed((0.0, 0.0, 0.0))])])
    stage.screenshot()
    stage.replace_runs([StagedRun("other", ball(colour=BLUE), np.zeros(1))])
    stage.set_poses([np.array([placed((0.0, 0.0, 0.0))])])
    picture = stage.screenshot()
    assert not seen(picture, RED)[0].size
    assert seen(picture, BLUE)[0].size > 100


def test_an_unknown_layout_is_named_with_those_there_are():
    with pytest.raises(ConfigError, match="expected one of ghosts, side-by-side, found 'ghost'; did you mean `ghosts`"):
        Stage([StagedRun("one", ball(), np.zeros(1))], N_HISTORY_SAMPLES, layout="ghost", off_screen=True)


@pytest.mark.parametrize("seed", range(5))
def test_lines_of_the_ground_lie_on_edges_and_stay_in_order(seed):
    random = np.random.default_rng(seed)
    line = np.concatenate([[-9.0, -5.0], np.arange(-3.0, 3.0, 0.06), [4.0, 6.0, 9.0]])
    edges = np.sort(np.concatenate([random.uniform(-2.9, 2.9, 12), random.uniform(-9.0, 9.0, 20)]))
    stairs = np.add.outer(random.uniform(0.0, 0.4) + 0.4 * np.arange(-20, 20), [0.0, 0.0075]).ravel()
    for given in (edges, stairs):
        moved = move_to_edges(given, line)
        assert (np.diff(moved) > 0.0).all()
        assert (moved[[0, -1]] == line[[0, -1]]).all()
    fine = (stairs > -2.9) & (stairs < 2.9)
    assert np.isin(stairs[fine], move_to_edges(stairs, line)).all()
