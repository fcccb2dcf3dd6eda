"""A mechanism with contacts in a config, without a line of code."""

import inspect
import math

import numpy as np
import pytest
from contacts import linkages
from typer.testing import CliRunner

import hybridsim
from hybridsim import ConfigError, Status, load_config
from hybridsim.cli.main import app
from hybridsim.contacts import Patch, contact_model
from hybridsim.multibody import load_mechanism

BOX = """<robot name="box"><link name="box"><inertial><mass value="2"/>
<inertia ixx="0.01" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
CORNERS = ((-0.1, 0.0, -0.2), (0.1, 0.0, -0.2))
CONFIG = """model:
  mechanism: box.urdf
  base: planar
  contacts:
    base: {body: box, points: [[-0.1, 0, -0.2], [0.1, 0, -0.2]], friction: {static: 0.8, kinetic: 0.6}}
initial: {base_angle: 0.2, base_z: touching}
final_time: 2
record: {steps: true}
"""
G = 9.81


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("mujoco")
    (tmp_path / "box.urdf").write_text(BOX)
    (tmp_path / "box.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def in_python():
    mechanism = load_mechanism("box.urdf", base="planar")
    patch = Patch("base", "box", CORNERS, friction={"static": 0.8, "kinetic": 0.6})
    return contact_model("box", mechanism, [patch])


def test_a_described_model_runs_as_that_of_python(folder):
    height = max(0.1 * math.sin(0.2) * sign + 0.2 * math.cos(0.2) for sign in (-1, 1))
    run = hybridsim.Simulation.from_config(load_config("box.yaml")).run()
    assert run["base_z"][0] == pytest.approx(height, abs=1e-15)
    other = hybridsim.simulate(
        in_python(), initial={"base_angle": 0.2, "base_z": run["base_z"][0]}, final_time=2.0, record={"steps": True}
    )
    np.testing.assert_array_equal(run.x, other.x)
    assert run.status is Status.FINAL_TIME
    assert run["base_normal"][-1] == pytest.approx(2 * G, rel=1e-9)
    assert hybridsim.verify(run).ok


PAD = (
    "{body: box, points: [[-0.1, 0, -0.2], [0.1, 0, -0.2]], stiffness: 2e4, damping: 150,"
    " tangential: {stiffness: 1e4, damping: 80}, friction: 0.6}"
)


def test_soft_contacts_of_a_config_are_those_of_python(folder):
    text = CONFIG.replace(CONFIG[CONFIG.index("{body") : CONFIG.index("\ninitial")], PAD)
    (folder / "soft.yaml").write_text(text.replace("final_time", "parameters: {base_stiffness: 3e4}\nfinal_time"))
    run = hybridsim.Simulation.from_config(load_config("soft.yaml")).run()
    along = {"stiffness": 1e4, "damping": 80.0}
    patch = Patch("base", "box", CORNERS, stiffness=3e4, damping=150.0, tangential=along, friction=0.6)
    model = contact_model("box", load_mechanism("box.urdf", base="planar"), [patch])
    initial = {"base_angle": 0.2, "base_z": run["base_z"][0]}
    other = hybridsim.simulate(model, initial=initial, final_time=2.0, record={"steps": True})
    np.testing.assert_array_equal(run.x, other.x)
    assert run["base0_normal"][-1] + run["base1_normal"][-1] == pytest.approx(2 * G, rel=1e-4)
    (folder / "soft.yaml").write_text(text.replace("damping: 150", "dampign: 150"))
    with pytest.raises(ConfigError, match="there is no such key; did you mean `damping`"):
        load_config("soft.yaml")


def test_an_edit_of_the_robots_file_changes_the_model(folder):
    before = load_config("box.yaml").model
    (folder / "box.urdf").write_text(BOX.replace('value="2"', 'value="3"'))
    after = load_config("box.yaml").model
    assert before.source != after.source
    run = hybridsim.simulate(after, initial={"base_z": 0.2}, final_time=0.1)
    assert run["base_normal"][-1] == pytest.approx(3 * G, rel=1e-9)


def test_a_mechanism_of_a_python_file(folder):
    (folder / "plant.py").write_text(
        "from hybridsim.multibody import load_mechanism\nPLANT = load_mechanism('box.urdf', base='planar')\n"
    )
    (folder / "box.yaml").write_text(
        CONFIG.replace("mechanism: box.urdf", "mechanism: plant.py:PLANT").replace("  base: planar\n", "")
    )
    assert load_config("box.yaml").model.states.names == in_python().states.names


def test_numbers_of_contacts_are_swept(folder):
    table = hybridsim.sweep(
        load_config("box.yaml").model,
        {"parameters.ground_slope": [0.0, 0.2]},
        {"force": "final(base_normal)"},
        initial={"base_z": 0.3},
        final_time=2.0,
    )
    assert table["force"].to_pylist() == pytest.approx([2 * G, 2 * G * math.cos(0.2)], rel=1e-2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("body: box", "body: bx", r"box.yaml:5:\d+: model.contacts.base.body: .*did you mean `box`"),
        ("friction", "frction", r"box.yaml:5:\d+: model.contacts.base.frction: .*did you mean `friction`"),
        ("static: 0.8", "static: 0.5", r"box.yaml:5:\d+: model.contacts.base: .*0 <= kinetic <= static"),
        ("base: planar", "base: plane", r"base is one of fixed, planar, floating, not 'plane'; did you mean `planar`"),
        ("base: planar", "bse: planar", r"box.yaml:3:\d+: model.bse: there is no such key; did you mean `base`"),
        ("box.urdf", "bix.urdf", r"box.yaml:2:\d+: model.mechanism: there is no file .*bix.urdf"),
        ("[[-0.1, 0, -0.2], [0.1, 0, -0.2]]", "3", r"box.yaml:5:\d+: model.contacts.base: .*list of points, found 3"),
        ("friction:", "on: box, friction:", r"box.yaml:5:\d+: model.contacts.base.on: it is the same body, 'box'"),
        (
            "friction:",
            "plane: wal, friction:",
            r"model.contacts.base.plane: there is no plane 'wal'; choose from: ground",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(folder, old, new, message):
    (folder / "box.yaml").write_text(CONFIG.replace(old, new))
    with pytest.raises(ConfigError, match=message):
        load_config("box.yaml")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("loops: {tip: 3}", r"model.loops.tip: expected a mapping, found 3"),
        ("loops: {tip: {bdy: box}}", r"model.loops.tip.bdy: .*did you mean `body`"),
        ("loops: {tip: {body: box, on: bix}}", r"model.loops.tip.on: there is no body 'bix'; did you mean `box`"),
        (
            "loops: {tip: {body: box, to: 5}}",
            r"model.loops.tip: loop 'tip': to: expected three finite numbers, found 5",
        ),
        (
            "loops: {rod: {body: box, length: 0}}",
            r"model.loops.rod: .*length must be greater than 0, not 0; or give a Pin",
        ),
        ("stops: 3", r"model.stops: expected a mapping or the word from_file, found 3"),
        ("stops: {base_angl: {lower: 0}}", r"model.stops.base_angl: there is no joint .*did you mean `base_angle`"),
        ("stops: {base_angle: {lowr: 0}}", r"model.stops.base_angle.lowr: .*did you mean `lower`"),
        (
            "stops: {base_angle: {lower: low}}",
            r"model.stops.base_angle: stop: lower: expected a finite number, found 'low'",
        ),
        ("stops: {base_angle: {lower: 1, upper: 0}}", r"model.stops.base_angle: .*lower < upper, not 1 and 0"),
        (
            "stops: {base_angle: {lower: 1, restitution: 2}}",
            r"model.stops.base_angle: .*restitution must be 0..1, not 2",
        ),
        ("dry_friction: {base_x: high}", r"model.dry_friction.base_x: expected a DryFriction or a mapping, not 'high'"),
        ("dry_friction: {base_x: {static: 1, kinetic: 2}}", r"model.dry_friction.base_x: .*0 <= kinetic <= static"),
        (
            "motors: {base_x: {target: far}}",
            r"model.motors.base_x: motor: target: expected a finite number, found 'far'",
        ),
        ("impacts: in_trn", r"model.impacts: there is no law of impacts 'in_trn'; did you mean `in_turn`"),
        ("stabilise: fast", r"model.stabilise: .*expected a finite number, found 'fast'"),
        ("planes: {wall: {slop: 1}}", r"model.planes.wall.slop: .*did you mean `slope`"),
        ("planes: {wall: {z: high}}", r"model.planes.wall: plane 'wall': z: expected a finite number, found 'high'"),
    ],
)
def test_what_is_wrong_with_loops_and_joints_is_said_with_its_line(folder, line, message):
    (folder / "box.yaml").write_text(CONFIG.replace("  base: planar", f"  base: planar\n  {line}"))
    with pytest.raises(ConfigError, match=rf"box.yaml:4:\d+: {message}"):
        load_config("box.yaml")


def test_a_description_needs_something_that_touches_closes_or_drives(folder):
    (folder / "box.yaml").write_text("model: {mechanism: box.urdf, base: planar}\n")
    with pytest.raises(ConfigError, match="expected `contacts`, `loops`, `stops`, `dry_friction` or `motors`"):
        load_config("box.yaml")


LINKAGE = """model:
  mechanism: linkages.py:LINKAGE
  loops: {tip: {body: link2, point: [0, 0, -1], to: [-1, 0, 0]}}
  stops: {q0: {lower: -0.2, restitution: 0.4}}
  dry_friction: {q0: {static: 0.4, kinetic: 0.3}, q1: 0.1}
  motors: {q1: {stiffness: 2, damping: 0.1, target: 1}}
  impacts: in_turn
  stabilise: 8
initial: {q0: 0.8, q1: 0.77, q2: 2.37}
final_time: 2
record: {steps: true}
"""


def test_loops_stops_dry_friction_and_motors_of_a_config_are_those_of_python(folder):
    text = inspect.getsource(linkages).replace("def four_bar", "LINKAGE = chain(3)\n\n\ndef four_bar")
    (folder / "linkages.py").write_text(text)
    (folder / "linkage.yaml").write_text(LINKAGE)
    run = hybridsim.Simulation.from_config(load_config("linkage.yaml")).run()
    model = linkages.four_bar(
        stops={"q0": {"lower": -0.2, "restitution": 0.4}},
        dry_friction={"q0": {"static": 0.4, "kinetic": 0.3}, "q1": 0.1},
        motors={"q1": {"stiffness": 2.0, "damping": 0.1, "target": 1.0}},
        impacts="in_turn",
        stabilise=8.0,
    )
    initial = {"q0": 0.8, "q1": 0.77, "q2": 2.37}
    other = hybridsim.simulate(model, initial=initial, final_time=2.0, record={"steps": True})
    np.testing.assert_array_equal(run.x, other.x)
    assert any("q0_lower_gap" in event.boundaries for event in run.events)


def test_a_rod_of_a_config_keeps_two_pendulums_together(folder):
    (folder / "arms.py").write_text(
        "from hybridsim.multibody import Body, Mechanism, Revolute\n"
        "def arm(name, x):\n"
        "    joint = Revolute(name, 'y', place=(x, 0, 0))\n"
        "    return Body(name, joint, mass=1.0, centre=(0, 0, -0.5), inertia=(1 / 12, 1 / 12, 0.0))\n"
        "MECHANISM = Mechanism(arm('a', 0.0), arm('b', 0.7))\n"
    )
    (folder / "rods.yaml").write_text(
        "model:\n  mechanism: arms.py\n"
        "  loops: {rod: {body: a, point: [0, 0, -1], on: b, to: [0, 0, -1], length: 0.7}}\n"
        "initial: {a: 0.5, b: 0.5}\nfinal_time: 1\n"
    )
    run = hybridsim.Simulation.from_config(load_config("rods.yaml")).run()
    np.testing.assert_allclose(run["a"], run["b"], atol=1e-9)
    np.testing.assert_allclose(run["rod_force"], 0.0, atol=1e-6)


RIDER = """model:
  mechanism: rider.py
  contacts:
    {contact}
  planes: {{floor: {{z: 0.1}}}}
initial: {{plank: 0.5, rider_z: touching}}
final_time: 0.5
"""


@pytest.mark.exhaustive  # the box is lifted with its body in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize(("radius", "share"), [(None, 0.0), (0.2, 1.0 / 3.0)])
def test_a_plane_on_a_body_carries_a_box_or_a_disk_of_a_config(folder, radius, share):
    """The table is heavy and hardly moves: on it a box stops, and a disk that slid at 1 m/s rolls at 2/3 of it."""
    (folder / "rider.py").write_text(
        "from hybridsim.multibody import Body, Mechanism, Planar, Prismatic\n"
        "MECHANISM = Mechanism(\n"
        "    Body('table', Prismatic('plank', 'x', stiffness=1e6, rest=0.5), mass=1e6),\n"
        "    Body('rider', Planar('rider', normal='y'), mass=1.0, inertia=(0.02, 0.02, 0.02)),\n"
        ")\n"
    )
    shape = "points: [[-0.1, 0, -0.2], [0.1, 0, -0.2]]" if radius is None else f"radius: {radius}"
    contact = f"sole: {{body: rider, {shape}, on: table, plane: floor, friction: 0.4}}"
    (folder / "rider.yaml").write_text(RIDER.format(contact=contact))
    config = load_config("rider.yaml", ["initial.rider_xdot=1"])
    run = hybridsim.Simulation.from_config(config).run()
    assert run["rider_z"][0] == pytest.approx(0.3, abs=1e-15)
    assert run["rider_xdot"][-1] == pytest.approx(2.0 * share, abs=1e-5)


def test_what_touches_a_plane_on_a_body_is_lifted_with_the_body(folder):
    """The table is raised by 0.25 m, and turned by 0.1 rad; the disk's centre is 0.2 m above its top."""
    (folder / "rider.py").write_text(
        "from hybridsim.multibody import Body, Mechanism, Planar\n"
        "TABLE = Body('table', Planar('table', normal='y'), mass=1.0, inertia=(1, 1, 1))\n"
        "MECHANISM = Mechanism(TABLE, Body('rider', Planar('rider', normal='y'), mass=1.0, inertia=(1, 1, 1)))\n"
    )
    text = RIDER.format(contact="rim: {body: rider, radius: 0.2, on: table, plane: floor}")
    text = text.replace("plank: 0.5", "table_z: 0.25, table_angle: -0.1, rider_x: 0.3")
    (folder / "rider.yaml").write_text(text)
    height = 0.25 + 0.3 * math.tan(0.1) + 0.3 / math.cos(0.1)
    run = hybridsim.Simulation.from_config(load_config("rider.yaml")).run()
    assert run["rider_z"][0] == pytest.approx(height, abs=1e-15)
    assert run["rim_gap"][0] == pytest.approx(0.0, abs=1e-15)
    (folder / "rider.yaml").write_text(text.replace("rider_z", "rider_x").replace("rider_x: 0.3, ", ""))
    with pytest.raises(ConfigError, match="rider_x: it lifts no contact from its plane; write a number"):
        load_config("rider.yaml", ["initial.table_angle=0"])


def test_what_touches_a_slope_that_is_a_parameter_begins_on_it(folder):
    (folder / "box.yaml").write_text(
        CONFIG.replace("base_angle: 0.2", "base_x: 1") + "parameters: {ground_slope: 0.3}\n"
    )
    config = load_config("box.yaml")
    run = hybridsim.Simulation.from_config(config).run()
    assert run["base_z"][0] == pytest.approx(0.2 + 1.1 * math.tan(0.3), abs=1e-14)
    assert run["base1_gap"][0] == pytest.approx(0.0, abs=1e-14)


def test_commands_take_a_described_model(folder):
    for words in (
        ["check", "box.yaml"],
        ["models", "box.yaml"],
        ["run", "box.yaml", "model.contacts.base.friction=0.9"],
    ):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, result.output
    assert "base_normal" in CliRunner().invoke(app, ["models", "box.yaml"]).output


def test_a_config_is_written_for_a_robot_with_the_soles_of_its_boxes(folder):
    box = '<collision><origin xyz="0 0 0.05"/><geometry><box size="0.2 0.1 0.5"/></geometry></collision></link>'
    (folder / "robot.urdf").write_text(BOX.replace("</link>", box))
    result = CliRunner().invoke(app, ["new", "walker", "--from", "robot.urdf"])
    assert result.exit_code == 0, result.output
    config = load_config("walker.yaml")
    run = hybridsim.Simulation.from_config(config).run()
    assert run["base_z"][0] == pytest.approx(0.2, abs=1e-15)
    assert run["box_normal"][-1] == pytest.approx(2 * G, rel=1e-9)
    assert CliRunner().invoke(app, ["new", "walker", "--from", "robot.urdf"]).exit_code != 0
    assert CliRunner().invoke(app, ["new", "other", "--from", "box.urdf"]).exit_code != 0
