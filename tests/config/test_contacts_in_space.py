"""Contacts in space in a config: balls, soles, planes that rise sideways, and what the files of robots suggest."""

import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.spatial import ConvexHull
from typer.testing import CliRunner

import hybridsim
from hybridsim import ConfigError, Status, load_config
from hybridsim.cli.main import app
from hybridsim.contacts import Disk, Patch, Plane, Sphere, contact_model
from hybridsim.multibody import load_mechanism

G = 9.81
URDF = """<robot name="stool"><link name="seat"><inertial><mass value="2"/>
<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>{}</link></robot>"""
SHAPE = "<collision><origin xyz='{}' rpy='{}'/><geometry>{}</geometry></collision>"
BOX, BALL = "<box size='0.2 0.3 0.1'/>", "<sphere radius='0.04'/>"
CYLINDER = "<cylinder radius='0.1' length='0.4'/>"
CONFIG = """model:
  mechanism: stool.urdf
  base: floating
  contacts:
{}
  planes: {{hill: {{slope: 0.2, heading: 0.7}}}}
  begin_speed: 1e-5
initial: {{seat_z: touching}}
final_time: 0.5
record: {{steps: true}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("mujoco")
    (tmp_path / "stool.urdf").write_text(URDF.format(""))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_of(text):
    Path("stool.yaml").write_text(text)
    return hybridsim.Simulation.from_config(load_config("stool.yaml")).run()


def test_a_ball_and_a_sole_in_a_config_are_those_of_python(folder):
    knee = "    knee: {body: seat, sphere: [0.01, 0, -0.1, 0.05], restitution: 0.2, friction: 0.3, plane: hill}\n"
    corners = [[0.1, 0.2, -0.1], [-0.1, 0.2, -0.1], [-0.1, -0.2, -0.1]]
    sole = f"    sole: {{body: seat, points: {corners}, lever: 0.07, friction: 0.5, plane: hill}}"
    run = run_of(CONFIG.format(knee + sole))
    hill = Plane("hill", slope=0.2, heading=0.7)
    contacts = [
        Sphere("knee", "seat", 0.05, (0.01, 0.0, -0.1), restitution=0.2, friction=0.3, plane=hill),
        Patch("sole", "seat", corners, lever=0.07, friction=0.5, plane=hill),
    ]
    model = contact_model("stool", load_mechanism("stool.urdf", base="floating"), contacts, begin_speed=1e-5)
    other = hybridsim.simulate(model, initial={"seat_z": run["seat_z"][0]}, final_time=0.5, record={"steps": True})
    np.testing.assert_array_equal(run.x, other.x)
    gaps = [run[f"{each}_gap"][0] for each in ("knee", "sole0", "sole1", "sole2")]
    assert min(gaps) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.exhaustive  # `test_terrain` has balls on such ground
def test_a_ball_of_a_config_begins_where_it_touches_waves_that_rise_sideways(folder):
    ball = "    knee: {body: seat, sphere: [0.01, 0, -0.1, 0.05], friction: 0.3, plane: hill}"
    text = CONFIG.format(ball).replace(
        "slope: 0.2", "terrain: sinusoid, height: 0.05, wave_x: 3, wave_y: 2, slope: 0.2"
    )
    run = run_of(text.replace("seat_z: touching", "seat_z: touching, seat_x: 0.3, seat_y: -0.4"))
    assert run["knee_gap"][0] == pytest.approx(0.0, abs=1e-14)
    assert run["knee_normal"][0] > 0.0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "knee: {body: seat, sphere: [0, 0, 0.1]}",
            r"stool.yaml:5:\d+: model.contacts.knee.sphere: expected \[x, y, z",
        ),
        ("knee: {body: seat, sphere: [0, 0, 0, -0.1]}", r"stool.yaml:5:\d+: model.contacts.knee: .*radius must be gre"),
        ("knee: {body: seat, sphere: [0, 0, 0, 1], centre: [0, 0, 0]}", r"stool.yaml:5.*centre: there is no such key"),
        ("knee: {body: seat, points: [[0, 0, 0]], leaver: 1}", r"stool.yaml:5.*leaver: there is no such key; did you "),
        ("knee: {body: seat, radius: 0.1, tyre: 0.2}", r"stool.yaml:5.*tyre must be between 0 and the radius"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(folder, line, message):
    (folder / "stool.yaml").write_text(CONFIG.format(f"    {line}"))
    with pytest.raises(ConfigError, match=message):
        load_config("stool.yaml")


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("shape", "place", "turn", "found"),
    [
        (BALL, "0 0 -0.2", "0 0 0", {"sphere": [0, 0, -0.2, 0.04]}),
        (BOX, "0 0 0.05", "0 0 0", {"points": [[0.1, 0.15, 0], [-0.1, 0.15, 0], [-0.1, -0.15, 0], [0.1, -0.15, 0]]}),
        (CYLINDER, "0 0 0", "0 0 0", {"points": [[0.1, 0, -0.2], [0, 0.1, -0.2], [-0.1, 0, -0.2], [0, -0.1, -0.2]]}),
    ],
)
def test_shapes_of_a_floating_robot_become_balls_and_soles(folder, shape, place, turn, found):
    (folder / "stool.urdf").write_text(URDF.format(SHAPE.format(place, turn, shape)))
    assert CliRunner().invoke(app, ["new", "walker", "--from", "stool.urdf", "--base", "floating"]).exit_code == 0
    entry = yaml.safe_load((folder / "walker.yaml").read_text())["model"]["contacts"]["seat"]
    (key,) = set(entry) - {"body", "friction"}
    np.testing.assert_allclose(entry[key], found[key], atol=1e-12)
    run = hybridsim.Simulation.from_config(load_config("walker.yaml")).run()
    assert run.status is Status.FINAL_TIME
    assert run["seat_normal"][-1] == pytest.approx(2 * G, rel=1e-6)


@pytest.mark.exhaustive  # boxes of files are in the ordinary run
def test_a_box_that_its_file_turns_stands_on_its_lower_side(folder):
    """The four lowest of its eight corners, in an order around them."""
    (folder / "stool.urdf").write_text(URDF.format(SHAPE.format("0 0 0", "0.3 1.4 0.2", BOX)))
    run = run_of(CONFIG.format("    from_geometry: {friction: 0.5}"))
    r, p, y = 0.3, 1.4, 0.2
    about = [
        np.array(m)
        for m in (
            [[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]],
            [[math.cos(p), 0, math.sin(p)], [0, 1, 0], [-math.sin(p), 0, math.cos(p)]],
            [[1, 0, 0], [0, math.cos(r), -math.sin(r)], [0, math.sin(r), math.cos(r)]],
        )
    ]
    signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1)
    heights = np.sort((about[0] @ about[1] @ about[2] @ (np.array([[0.1], [0.15], [0.05]]) * signs))[2])
    gaps = np.sort([run[f"seat{i}_gap"][0] for i in range(4)])
    np.testing.assert_allclose(gaps, heights[:4] - heights[0], atol=1e-9)


@pytest.mark.exhaustive  # a wheel of a config is in the ordinary run
def test_a_cylinder_that_lies_rolls_on_both_its_rims(folder):
    (folder / "stool.urdf").write_text(URDF.format(SHAPE.format("0 0 0.3", f"{math.pi / 2} 0 0", CYLINDER)))
    run = run_of(CONFIG.format("    from_geometry: {friction: 0.5}"))
    assert run["seat_z"][0] == pytest.approx(0.1 - 0.3, abs=1e-12)
    assert [run[f"seat_{i}_normal"][0] for i in (1, 2)] == pytest.approx([G, G], rel=1e-6)
    assert run.parameters["seat_1_radius"] == 0.1


def test_a_wheel_in_a_config_is_that_of_python(folder):
    wheel = "    rim: {body: seat, radius: 0.3, axis: [0.1, 1, 0], tyre: 0.02, centre: [0, 0.1, 0], friction: 0.4}"
    run = run_of(CONFIG.format(wheel))
    axis = np.array([0.1, 1.0, 0.0]) / math.hypot(0.1, 1.0)
    assert run["seat_z"][0] == pytest.approx(0.28 * math.sqrt(1.0 - axis[2] ** 2) + 0.02, abs=1e-12)
    rim = Disk("rim", "seat", 0.3, (0.0, 0.1, 0.0), axis=(0.1, 1.0, 0.0), tyre=0.02, friction=0.4)
    model = contact_model("stool", load_mechanism("stool.urdf", base="floating"), [rim], begin_speed=1e-5)
    other = hybridsim.simulate(model, initial={"seat_z": run["seat_z"][0]}, final_time=0.5)
    assert run["seat_x"][-1] == pytest.approx(other["seat_x"][-1], abs=1e-9)


def obj_of(points):
    """A mesh file of a convex body with these vertices, and some within."""
    faces = ConvexHull(points).simplices + 1
    inside = 0.5 * (points + points.mean(axis=0))
    lines = [f"v {x} {y} {z}\n" for x, y, z in (*points, *inside)]
    return "".join([*lines, *(f"f {a} {b} {c}\n" for a, b, c in faces)])


MESH = "<mesh filename='package://stool/foot.obj' scale='1 1 2'/>"


@pytest.mark.exhaustive  # slow; balls, soles and wheels of configs are in the ordinary run
def test_a_mesh_stands_on_the_corners_of_its_convex_hull(folder):
    box = np.array([(x, y, z) for x in (-0.1, 0.2) for y in (-0.05, 0.05) for z in (-0.03, 0.02)])
    (folder / "foot.obj").write_text(obj_of(box))
    (folder / "stool.urdf").write_text(URDF.format(SHAPE.format("0 0.01 -0.3", "0 0 0", MESH)))
    run = run_of(CONFIG.format("    from_geometry: {friction: 0.5}"))
    config = load_config("stool.yaml")
    assert config.notes == ()
    found = yaml.safe_load(contacts_of_new(folder))
    corners = sorted(each["points"][0] for each in found["model"]["contacts"].values())
    np.testing.assert_allclose(corners, sorted((box * [1, 1, 2] + [0, 0.01, -0.3]).tolist()), atol=1e-6)
    assert run["seat_z"][0] == pytest.approx(0.36, abs=1e-6)  # float32 in the mesh
    assert sum(run[f"seat_{i}_normal"][-1] for i in range(1, 9)) == pytest.approx(2 * G, rel=1e-6)


def contacts_of_new(folder):
    result = CliRunner().invoke(app, ["new", "other", "--from", "stool.urdf", "--base", "floating"])
    assert result.exit_code == 0, result.output
    return (folder / "other.yaml").read_text()


@pytest.mark.exhaustive  # another mesh is in the ordinary run
def test_a_round_mesh_keeps_as_many_corners_as_one_says_and_a_note_says_what_is_left_out(folder):
    rng = np.random.default_rng(3)
    ball = rng.normal(size=(200, 3))
    ball = 0.1 * ball / np.linalg.norm(ball, axis=1, keepdims=True)
    (folder / "foot.obj").write_text(obj_of(ball))
    shapes = SHAPE.format("0 0 0", "0 0 0", MESH.replace(" scale='1 1 2'", ""))
    (folder / "stool.urdf").write_text(URDF.format(shapes))
    left = {}
    for vertices in (6, 8):
        run = run_of(CONFIG.format(f"    from_geometry: {{friction: 0.5, vertices: {vertices}}}"))
        (note,) = load_config("stool.yaml").notes
        assert f"{vertices} corners of its convex hull are kept, and the others are up to" in note
        left[vertices] = float(note.partition("up to ")[2].split()[0])
        assert run.parameters[f"seat_{vertices}_static"] == 0.5
        assert run["seat_z"][0] == pytest.approx(-ball[:, 2].min(), abs=1e-6)  # the lowest one is kept
    assert 0.0 < left[8] < left[6] < 0.1
    with pytest.raises(ConfigError, match="vertices is how many corners of a mesh are kept at most, not 0"):
        run_of(CONFIG.format("    from_geometry: {friction: 0.5, vertices: 0}"))
    with pytest.raises(ConfigError, match="75 bits are needed, 62 are there"):
        run_of(CONFIG.format("    from_geometry: {friction: 0.5, vertices: 25}"))
    (folder / "foot.obj").unlink()
    with pytest.raises(ConfigError, match=r"meshes that collide cannot be read: there is no file .*foot.obj"):
        run_of(CONFIG.format("    from_geometry: {friction: 0.5}"))


def test_what_shapes_suggest_no_contact_is_said_beside_those_that_do(folder):
    shapes = SHAPE.format("0 0 0", "0 0 0", BALL) + SHAPE.format("0 0 0", "0 0 0", MESH)
    (folder / "stool.urdf").write_text(URDF.format(shapes))
    run_of(CONFIG.format("    from_geometry: {friction: 0.5}"))
    (note,) = load_config("stool.yaml").notes
    assert "model.contacts: from_geometry leaves out: meshes that collide cannot be read" in note
