"""A mechanism with contacts in a config, without a line of code."""

import inspect
import math

import numpy as np
import pytest
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
        ("  base: planar", "  stops: {}", r"box.yaml:3:\d+: model.stops: it is not there yet"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(folder, old, new, message):
    if "stops" in new:
        pytest.skip("stops are there") if "stops" in inspect.signature(contact_model).parameters else None
    (folder / "box.yaml").write_text(CONFIG.replace(old, new))
    with pytest.raises(ConfigError, match=message):
        load_config("box.yaml")


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
