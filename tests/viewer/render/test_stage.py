"""Pictures are rendered off-screen and compared with what the geometry predicts."""

import math

import numpy as np
import pytest

from hybridsim.errors import ConfigError
from hybridsim.model.table import Records
from hybridsim.scene import HIDDEN, Arrow, Body, Box, Camera, Ground, Scene, Sphere, Spring, between, placed, turn
from hybridsim.viewer.render import shadows
from hybridsim.viewer.render.ground import moved_to
from hybridsim.viewer.render.stage import GHOST_OPACITY, Stage, StagedRun

SIZE = (480, 320)
ANGLE = math.radians(30.0)  # from the lower edge of a picture to the upper one
N_HISTORY_SAMPLES = 200
RED, BLUE, GREEN = "#ff0000", "#0000ff", "#00ff00"


@pytest.fixture
def staged():
    """Makes stages without texts in front of them, unless `texts` is True."""
    stages = []

    def stage(*scenes, p=(), texts=False, **options):
        runs = [StagedRun(f"run{number}", scene, np.array(p, float)) for number, scene in enumerate(scenes)]
        stages.append(Stage(runs, N_HISTORY_SAMPLES, off_screen=True, size=SIZE, **options))
        if not texts:
            stages[-1].canvas._renderer.DrawOff()
        return stages[-1]

    yield stage
    for each in stages:
        each.close()


def ball(radius=0.1, colour=RED, **camera):
    """A ball before a camera that looks along y, with x to the right and z up."""
    camera = {"distance": 4.0, "view": (0.0, 1.0, 0.0), **camera}
    return Scene(Records(Body("ball", Sphere(radius), colour)), ground=None, camera=Camera(**camera))


def seen(picture, colour):
    """Where this is the strongest colour by far: (rows, columns)."""
    channel = {RED: 0, GREEN: 1, BLUE: 2}[colour]
    others = np.delete(picture.astype(int), channel, axis=2).max(axis=2)
    return (picture[..., channel].astype(int) > 60 + others).nonzero()


def pinhole(point, distance=4.0, focus=(0.0, 0.0, 0.0)):
    """Row and column of a point for an eye at (0, -distance, 0) from the focus, looking along y: similar triangles."""
    x, y, z = np.asarray(point) - focus
    scale = SIZE[1] / (2.0 * math.tan(ANGLE / 2.0) * (distance + y))
    return SIZE[1] / 2.0 - scale * z, SIZE[0] / 2.0 + scale * x


@pytest.mark.parametrize("position", [(0.0, 0.0, 0.0), (0.7, 0.0, 0.4), (-0.9, 1.0, -0.6), (0.3, -1.0, 0.2)])
def test_a_body_is_where_its_pose_puts_it(staged, position):
    stage = staged(ball())
    stage.set_poses([np.array([placed(position)])])
    rows, columns = seen(stage.screenshot(), RED)
    middle = rows.mean() + 0.5, columns.mean() + 0.5
    assert middle == pytest.approx(pinhole(position), abs=1.5)


def pixel_of(point, stage):
    """Column and row of the pixel at which a point of the world appears, as the renderer of the stage projects it."""
    renderer = stage.cameras[0].renderer
    renderer.SetWorldPoint(*point, 1.0)
    renderer.WorldToDisplay()
    x, y, _ = renderer.GetDisplayPoint()
    return x, SIZE[1] - 1 - y


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
    stage.show_forces(False)
    picture = stage.screenshot()
    assert not seen(picture, GREEN)[0].size
    assert seen(picture, RED)[0].size > 50
    stage.show_forces(True)
    assert seen(stage.screenshot(), GREEN)[0].size > 50


def hills(x, y, p):
    return p[0] * np.sin(1.3 * x) * np.cos(0.8 * y)


def on_hills(radius, **camera):
    return Scene(
        Records(Body("foot", Sphere(radius), RED)),
        ground=Ground(height=hills, checker=0.5, colours=("#e0e0e0", "#a0a0a0")),
        camera=Camera(follow="foot", along="x", distance=4.0, view=(0.0, 1.0, -0.6), **camera),
    )


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


def test_a_body_that_rises_keeps_a_shadow_below_it_which_fades(staged):
    scene = Scene(
        Records(Body("ball", Sphere(0.2), RED)),
        ground=Ground(colours=("#ffffff", "#ffffff")),
        camera=Camera(distance=4.0, view=(0.0, 1.0, -1.0)),
    )
    stage = staged(scene)
    darkest = []
    for height in (0.3, 0.8, 1.6):
        stage.set_poses([np.array([placed((0.0, 0.0, height))])])
        column, row = pixel_of((0.0, -0.12, 0.0), stage)
        picture = stage.screenshot().astype(int)
        darkest.append(picture[round(row) - 4 : round(row) + 5, round(column)].max(axis=1).min())
    assert darkest[0] < darkest[1] < darkest[2] < 250


def stairs(x, y, p):
    """Steps of 0.1 m, 0.5 m deep, whose walls are 0.01 m thick."""
    return 0.1 * (np.floor(y / 0.5) + np.clip(y / 0.5 % 1.0 * 50.0, 0.0, 1.0) - 1.0)


def walls(begin, end, p):
    foot = 0.5 * np.arange(math.ceil(begin / 0.5), math.floor(end / 0.5))
    return np.sort(np.concatenate([foot, foot + 0.01]))


@pytest.mark.parametrize("camera", [(0.0, 1.0, -1.0), (0.0, 0.05, -1.0), (1.0, 0.3, -0.4)])
def test_a_shadow_lies_on_both_sides_of_a_step(staged, camera):
    x, y, radius, z = 0.1, 0.53, 0.3, 1.0
    scene = Scene(
        Records(Body("ball", Sphere(radius), RED, opacity=0.0)),
        ground=Ground(stairs, colours=("#a0a0a0", "#a0a0a0"), edges=walls),
        camera=Camera(distance=3.0, view=camera, at=(0.0, 0.5, 0.1)),
    )
    stage = staged(scene)
    pictures = {}
    for name, pose in (("with", placed((x, y, z))), ("without", HIDDEN)):
        stage.set_poses([np.array([pose])])
        pictures[name] = stage.screenshot().astype(float)
    darkness = shadows.MAX_OPACITY / (1.0 + (z - radius - stairs(x, y, ())) / (shadows.FADING_RISE * radius))
    for dx, dy in ((0.0, -0.06), (0.0, -0.15), (0.1, 0.04), (-0.15, -0.1), (0.0, 0.2), (0.1, 0.25), (0.0, -0.37)):
        place = x + dx, y + dy
        column, row = pixel_of((*place, float(stairs(*place, ()))), stage)
        seen_with, seen_without = (pictures[name][round(row), round(column), 1] for name in ("with", "without"))
        inside = max(1.0 - math.hypot(dx, dy) ** 2 / (shadows.REACH * radius) ** 2, 0.0)
        assert seen_with / seen_without == pytest.approx(1.0 - darkness * inside**2, abs=0.015), (dx, dy)


def test_a_long_body_that_is_turned_has_a_long_shadow_that_is_turned(staged):
    scene = Scene(
        Records(Body("plank", Box((2.0, 0.2, 0.1)), RED, opacity=0.0)),
        ground=Ground(colours=("#a0a0a0", "#a0a0a0")),
        camera=Camera(distance=4.0, view=(0.0, 0.001, -1.0)),
    )
    stage = staged(scene)
    stage.set_poses([np.array([placed((0.0, 0.0, 0.3), turn((0.0, 0.0, 1.0), 0.25 * math.pi))])])
    picture = stage.screenshot().astype(float)[..., 1]
    along, across = (pixel_of((0.6, side * 0.6, 0.0), stage) for side in (1.0, -1.0))
    bright = picture[round(across[1]), round(across[0])]
    assert picture[round(along[1]), round(along[0])] < 0.95 * bright
    assert bright == pytest.approx(picture[0, 0], abs=3.0)


def test_the_shadows_of_ghosts_fall_on_the_ground_of_the_first_run(staged):
    scene = Scene(
        Records(Body("ball", Sphere(0.3), RED, opacity=0.0)),
        ground=Ground(colours=("#a0a0a0", "#a0a0a0")),
        camera=Camera(distance=4.0, view=(0.0, 1.0, -1.0)),
    )
    stage = staged(scene, scene, scene)
    places = [(-0.7, 0.0, 0.3), (0.0, 0.0, 0.3), (0.7, 0.0, 0.3)]
    stage.set_poses([np.array([placed(place)]) for place in places])
    picture = stage.screenshot().astype(float)[..., 1]
    darkness = []
    for x, _, _ in places:
        column, row = pixel_of((x, 0.0, 0.0), stage)
        darkness.append(1.0 - picture[round(row), round(column)] / picture[round(row), 10])
    ghost = GHOST_OPACITY * shadows.MAX_OPACITY
    assert darkness == pytest.approx([shadows.MAX_OPACITY, ghost, ghost], abs=0.015)


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
    with pytest.raises(ConfigError, match="there is no 'ghost'; did you mean `ghosts`"):
        Stage([StagedRun("one", ball(), np.zeros(1))], N_HISTORY_SAMPLES, layout="ghost", off_screen=True)


@pytest.mark.parametrize("seed", range(5))
def test_lines_of_the_ground_lie_on_edges_and_stay_in_order(seed):
    random = np.random.default_rng(seed)
    line = np.concatenate([[-9.0, -5.0], np.arange(-3.0, 3.0, 0.06), [4.0, 6.0, 9.0]])
    edges = np.sort(np.concatenate([random.uniform(-2.9, 2.9, 12), random.uniform(-9.0, 9.0, 20)]))
    stairs = np.add.outer(random.uniform(0.0, 0.4) + 0.4 * np.arange(-20, 20), [0.0, 0.0075]).ravel()
    for given in (edges, stairs):
        moved = moved_to(given, line)
        assert (np.diff(moved) > 0.0).all()
        assert (moved[[0, -1]] == line[[0, -1]]).all()
    fine = (stairs > -2.9) & (stairs < 2.9)
    assert np.isin(stairs[fine], moved_to(stairs, line)).all()
