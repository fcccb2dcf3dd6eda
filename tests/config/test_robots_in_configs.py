"""What a config asks of a robot's file: contacts from its shapes, limits, dry friction, motors and closures."""

import math

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import hybridsim
from hybridsim import ConfigError, Status, load_config
from hybridsim.cli.main import app
from hybridsim.multibody import load_mechanism

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'hybridsim[robots]'")
G = 9.81
SHAPES = {
    "bone": "<geom type='cylinder' size='.02 .15' pos='0 0 -.15' mass='1' friction='.5'/>",
    "ball": "<geom type='sphere' size='.04' pos='0 0 -.3' mass='.2' friction='.7'/>",
    "tilted": "<geom type='box' size='.05 .03 .02' pos='.1 0 -.3' euler='0 20 0' mass='.2'/>",
    "wheel": "<geom type='cylinder' size='.03 .01' pos='-.1 0 -.3' euler='90 0 0' mass='.2'/>",
    "bar": "<geom type='capsule' fromto='-.2 0 0 .2 0 0' size='.05' mass='5'/>",
    "askew": "<geom type='box' size='.05 .03 .02' euler='20 20 0' mass='.2'/>",
    "ghost": "<geom type='sphere' size='.03' mass='.3' contype='0' conaffinity='0'/>",
}
LEG = """<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
<body name='trunk'><joint name='x' type='slide' axis='1 0 0'/><joint name='z' type='slide' axis='0 0 1'/>
<joint name='pitch' axis='0 1 0'/>{trunk}<body name='leg' pos='0 0 -.1'>
<joint name='hip' axis='0 1 0' range='-60 60' {hip}/>{leg}</body></body></worldbody>{rest}</mujoco>"""


AIR = "<option density='1.2'/>"
"""What a mechanism has no place for."""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a leg of these shapes, and a config of it."""
    monkeypatch.chdir(tmp_path)

    def write(model, trunk="bar", leg="ball", hip="", rest=""):
        shapes = ("".join(SHAPES[each] for each in names.split()) for names in (trunk, leg))
        text = LEG.format(trunk=next(shapes), leg=next(shapes), hip=hip, rest=rest)
        (tmp_path / "leg.xml").write_text(text)
        (tmp_path / "leg.yaml").write_text(f"model:\n  mechanism: leg.xml\n{model}final_time: 1e-3\n")
        return load_config("leg.yaml")

    return write


def corners_of(shape):
    """The corners of a box as MuJoCo places them."""
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody><body>{SHAPES[shape]}</body></worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1)
    return data.geom_xpos[0] + (data.geom_xmat[0].reshape(3, 3) @ (model.geom_size[0][:, None] * signs)).T


def test_shapes_become_soles_and_disks(written):
    config = written("  contacts: from_geometry\n", trunk="bar ghost askew", leg="bone ball tilted wheel")
    p = dict(zip(config.model.parameters.names, (each.default for each in config.model.parameters), strict=True))
    assert {name for name in p if name.endswith("_radius")} == {
        "trunk_1_radius",
        "trunk_2_radius",
        "leg_2_radius",
        "leg_4_radius",
    }
    assert [p[f"{name}_radius"] for name in ("trunk_1", "leg_2", "leg_4")] == [0.05, 0.04, 0.03]
    assert [p[f"leg_{i}_static"] for i in (1, 2, 3)] == [0.5, 0.7, 1.0]  # MuJoCo's own is 1


@pytest.mark.exhaustive  # slow; shapes of robots are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(("shape", "gaps"), [("ball", [-0.34]), ("wheel", [-0.33]), ("bone", [-0.3, -0.3])])
def test_gaps_of_shapes_are_those_of_their_lowest_points(written, shape, gaps):
    config = written("  contacts: from_geometry\ninitial: {z: 0.9}\n", leg=shape)
    run = hybridsim.Simulation.from_config(config).run()
    found = [run[f"leg{i}_gap" if len(gaps) > 1 else "leg_gap"][0] for i in range(len(gaps))]
    assert found == pytest.approx([0.9 - 0.1 + gap for gap in gaps], abs=1e-12)


@pytest.mark.exhaustive  # gaps of turned shapes are tested by themselves
def test_a_turned_box_stands_on_its_lower_edge(written):
    """The two lowest of its eight corners as MuJoCo places them, in front and behind."""
    config = written("  contacts: from_geometry\ninitial: {z: 0.9}\n", leg="tilted")
    run = hybridsim.Simulation.from_config(config).run()
    corners = corners_of("tilted")[:, 2]
    below = sorted(set(np.round(corners, 12)))[:2]
    assert sorted(run[f"leg{i}_gap"][0] for i in (0, 1)) == pytest.approx([0.8 + each for each in below], abs=1e-6)


def test_what_holds_for_all_contacts_is_said_once_and_one_of_them_is_replaced(written):
    config = written(
        "  contacts:\n    from_geometry: {restitution: 0.2, friction: 0.4}\n"
        "    leg: {body: leg, points: [[0, 0, -0.5]], friction: 0.9}\n"
    )
    p = dict(zip(config.model.parameters.names, (each.default for each in config.model.parameters), strict=True))
    assert (p["trunk_1_restitution"], p["trunk_2_static"], p["leg_static"], p["leg_restitution"]) == (0.2, 0.4, 0.9, 0)


def test_limits_dry_friction_and_actuators_are_read_on_request(written):
    """A servo with gear 2 drives its joint with 2 (kp (0 - 2 q) - kv 2 u)."""
    rest = "<actuator><position joint='hip' kp='50' kv='2' gear='2'/><motor joint='pitch'/></actuator>"
    config = written(
        "  stops: {from_file: {restitution: 0.3}}\n  dry_friction: from_file\n  motors: from_file\n",
        hip="frictionloss='0.4'",
        rest=rest,
    )
    p = dict(zip(config.model.parameters.names, (each.default for each in config.model.parameters), strict=True))
    assert (p["hip_lower"], p["hip_upper"]) == pytest.approx((-math.pi / 3, math.pi / 3), rel=1e-12)
    assert (p["hip_restitution"], p["hip_dry_static"], p["hip_dry_kinetic"]) == (0.3, 0.4, 0.4)
    assert (p["hip_stiffness"], p["hip_damping"], p["hip_target"]) == (200.0, 8.0, 0.0)
    assert (p["pitch_stiffness"], p["pitch_damping"]) == (0.0, 0.0)


def test_a_closure_of_mjcf_becomes_a_pin(tmp_path, monkeypatch):
    """Two arms of a parallelogram, joined by a bar that the file closes: it swings as one pendulum."""
    monkeypatch.chdir(tmp_path)
    arm = "<joint name='{}' axis='0 1 0'/><inertial pos='0 0 -.5' mass='1' diaginertia='.08 .08 .001'/>"
    (tmp_path / "bars.xml").write_text(
        "<mujoco><worldbody><body name='a'>" + arm.format("qa") + "<body name='bar' pos='0 0 -1'>"
        "<joint name='qb' axis='0 1 0'/><inertial pos='.3 0 0' mass='1' diaginertia='.001 .03 .03'/></body></body>"
        "<body name='b' pos='.6 0 0'>" + arm.format("qc") + "</body></worldbody>"
        "<equality><connect name='tip' body1='bar' body2='b' anchor='.6 0 0'/></equality></mujoco>"
    )
    (tmp_path / "bars.yaml").write_text(
        "model: {mechanism: bars.xml, loops: from_file}\ninitial: {qa: 1e-3, qb: -1e-3, qc: 1e-3}\n"
        "final_time: 1\nengine: {rtol: 1e-10, atol: 1e-12}\n"
    )
    run = hybridsim.Simulation.from_config(load_config("bars.yaml")).run()
    rate = math.sqrt((2 * 0.5 * G + G) / (2 * (0.08 + 0.25) + 1.0))
    assert run["loop_error"].max() < 1e-12
    assert run["qa"][-1] == pytest.approx(1e-3 * math.cos(rate), abs=2e-9)


URDF = """<robot name="hopper"><link name="body"><inertial><mass value="2"/>
<inertia ixx="0.01" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 0.05"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision></link>
<link name="foot"><inertial><mass value="0.5"/><origin xyz="0 0 -0.2"/>
<inertia ixx="0.002" iyy="0.002" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 -0.3"/><geometry><sphere radius="0.03"/></geometry></collision></link>
<joint name="hip" type="revolute"><axis xyz="0 1 0"/><parent link="body"/><child link="foot"/>
<limit lower="0.2" upper="1" effort="1" velocity="1"/><dynamics damping="0.1" friction="0.3"/></joint></robot>"""


def test_a_urdf_says_the_same_but_for_friction_of_contacts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hopper.urdf").write_text(URDF)
    text = "model:\n  mechanism: hopper.urdf\n  base: planar\n  contacts: {}\n  stops: from_file\n"
    text += "  dry_friction: from_file\nfinal_time: 1\n"
    (tmp_path / "hopper.yaml").write_text(text.replace("{}", "{from_geometry: {friction: 0.6}}"))
    model = load_config("hopper.yaml").model
    p = dict(zip(model.parameters.names, (each.default for each in model.parameters), strict=True))
    assert (p["foot_radius"], p["foot_static"], p["hip_lower"], p["hip_dry_static"]) == (0.03, 0.6, 0.2, 0.3)
    (tmp_path / "hopper.yaml").write_text(text.replace("{}", "from_geometry"))
    with pytest.raises(ConfigError, match=r"hopper.yaml:4:\d+: model.contacts: a URDF says nothing of friction; write"):
        load_config("hopper.yaml")


@pytest.mark.parametrize(
    ("model", "parts", "message"),
    [
        (
            "contacts: from_geometry",
            {"trunk": "askew", "leg": "ghost"},
            "no shape that suggests a contact; the box of",
        ),
        ("motors: from_file", {}, "leg.xml has no motors; write `motors` yourself"),
        ("dry_friction: from_file", {}, "leg.xml has no dry friction; write `dry_friction` yourself"),
        ("loops: from_file", {}, "leg.xml has no <connect>; write `loops` yourself"),
        ("stops: from_fil", {}, "model.stops: expected a mapping or the word from_file, found 'from_fil'"),
        ("stops: {from_file: 3}", {}, "from_file: expected a mapping of what holds for all that is found, not 3"),
        (
            "loops: from_file",
            {"rest": "<equality><weld name='glue' body1='leg'/></equality>"},
            "equality 'glue': loops are made of `connect` alone",
        ),
        (
            "motors: from_file",
            {"rest": "<actuator><muscle name='calf' joint='hip'/></actuator>"},
            "actuator 'calf': motors are torques, positions and velocities of joints",
        ),
        (
            "stops: from_file",
            {"hip": "frictionloss='1'"},
            r"write ignore: \[...\] under `model`; `dry_friction: from_f",
        ),
        (
            "ignore: frictionloss\n  stops: from_file",
            {},
            "model.ignore: expected a list of words, found 'frictionloss'",
        ),
        ("ignore: [armatur]\n  stops: from_file", {}, "'armatur' is unknown; did you mean `armature`"),
    ],
)
def test_what_a_file_does_not_say_is_said(written, model, parts, message):
    with pytest.raises(ConfigError, match=message):
        written(f"  {model}\n", **parts)


def test_what_is_ignored_is_left_out(written):
    config = written("  ignore: [frictionloss, fluid]\n  stops: from_file\n", hip="frictionloss='1'", rest=AIR)
    assert "hip_dry_static" not in config.model.parameters.names


def test_limits_of_a_python_file_become_stops_and_the_rest_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.py").write_text(
        "from hybridsim.multibody import Body, Mechanism, Revolute\n"
        "MECHANISM = Mechanism(Body('arm', Revolute('q', 'y', lower=-0.5), mass=1.0, centre=(0, 0, -1)))\n"
    )
    (tmp_path / "arm.yaml").write_text(
        "model: {mechanism: arm.py, stops: from_file}\ninitial: {q: -0.5}\nfinal_time: 1\n"
    )
    run = hybridsim.Simulation.from_config(load_config("arm.yaml")).run()
    assert run["q_lower_gap"].min() > -1e-12
    (tmp_path / "arm.yaml").write_text("model: {mechanism: arm.py, motors: from_file}\n")
    with pytest.raises(ConfigError, match=r"from_file reads a URDF or MJCF file, and arm\.py is a Python file"):
        load_config("arm.yaml")


def test_a_config_is_written_for_a_robot_with_soles_spheres_and_limits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hopper.urdf").write_text(URDF.replace(' friction="0.3"', ""))
    result = CliRunner().invoke(app, ["new", "hopper", "--from", "hopper.urdf"])
    assert result.exit_code == 0, result.output
    found = yaml.safe_load((tmp_path / "hopper.yaml").read_text())
    assert found["model"]["contacts"] == {
        "body": {"body": "body", "points": [[-0.1, 0, 0], [0.1, 0, 0]], "friction": 0.8},
        "foot": {"body": "foot", "radius": 0.03, "centre": [0, 0, -0.3], "friction": 0.8},
    }
    assert found["model"]["stops"] == {"hip": {"lower": 0.2, "upper": 1}}
    assert found["initial"] == {"base_z": "touching", "hip": 0.6}
    run = hybridsim.Simulation.from_config(load_config("hopper.yaml")).run()
    assert run.status is Status.FINAL_TIME
    assert run["base_z"][0] == pytest.approx(0.03 + 0.3 * math.cos(0.6), abs=1e-14)
    assert hybridsim.verify(run).ok


def test_a_config_is_written_for_an_mjcf_robot(written, tmp_path):
    written("  ignore: [fluid]\n  stops: from_file\n", trunk="bar askew", leg="bone", rest=AIR)
    result = CliRunner().invoke(app, ["new", "walker", "--from", "leg.xml"])
    assert result.exit_code == 0, result.output
    text = (tmp_path / "walker.yaml").read_text()
    found = yaml.safe_load(text)
    assert (list(found["model"]["contacts"]), found["model"]["ignore"]) == (["trunk_1", "trunk_2", "leg"], ["fluid"])
    assert "# left out: the box of 'trunk', which is turned" in text
    run = hybridsim.Simulation.from_config(load_config("walker.yaml")).run()
    assert (run.status, run["z"][0]) == (Status.FINAL_TIME, pytest.approx(0.4, abs=1e-14))


@pytest.mark.exhaustive  # a robot with soles and spheres is in the ordinary run
def test_a_robot_with_too_many_shapes_stands_on_the_last_ones(written, tmp_path):
    written("  stops: from_file\n", trunk=" ".join(["bar"] * 12), leg="bone")
    assert CliRunner().invoke(app, ["new", "walker", "--from", "leg.xml"]).exit_code == 0
    text = (tmp_path / "walker.yaml").read_text()
    assert "leg" in yaml.safe_load(text)["model"]["contacts"]
    assert "too many at once: {body: trunk, radius: 0.05" in text
    assert load_config("walker.yaml").model.name == "leg"
    assert load_mechanism("leg.xml").coordinates.names[0] == "x"
