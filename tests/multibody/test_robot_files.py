"""Robots from URDF and MJCF files, beside pinocchio's and MuJoCo's own readings and dynamics of the same files."""

import sys
from pathlib import Path

import numpy as np
import pytest

from hybridsim.errors import ModelError
from hybridsim.multibody import Body, Revolute, load_mechanism

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'hybridsim[robots]'")
GAPS = pytest.importorskip("hybridsim.multibody.robot_gaps").ADVICE_BY_GAP
FOLDER = Path(__file__).parent
URDF, MJCF = FOLDER / "two_legs.urdf", FOLDER / "two_legs.xml"
INERTIAL = (
    "<inertial><origin xyz='.1 .2 .3' rpy='.1 .2 .3'/><mass value='1'/>"
    "<inertia ixx='1' iyy='1.2' izz='1.3' ixy='.1' ixz='0' iyz='0'/></inertial>"
)

PRINCIPAL = "<inertial pos='.1 .2 .3' euler='10 20 30' mass='1' diaginertia='1 1.2 1.3'/>"
OUR_NAMES = {
    "left-hip.roll": "left_hip_roll",
    "left-hip.pitch": "left_hip_pitch",
    "2nd_hip": "joint_2nd_hip",
    "lambda": "joint_lambda",
}
"""What becomes of joint names that are no identifiers."""


def urdf(joint: str = "", child: str = INERTIAL, kind: str = "revolute", root: str = "base") -> str:
    return (
        f"<robot name='r'><link name='{root}'/><link name='arm'>{child}</link>"
        f"<joint name='elbow' type='{kind}'><origin xyz='1 2 3' rpy='.3 .2 .1'/><axis xyz='0 1 1'/>"
        f"<parent link='{root}'/><child link='arm'/>{joint}</joint></robot>"
    )


def mjcf(joint: str = "<joint name='elbow'/>", rest: str = "", body: str = "", inside: str = "") -> str:
    return (
        f"<mujoco><worldbody><body name='arm' {body}>{joint}<geom name='rod' size='.1'/>{inside}</body></worldbody>"
        f"{rest}</mujoco>"
    )


@pytest.fixture
def written(tmp_path):
    """Write a text into a file; its root element says of which kind it is."""

    def write(text: str, name: str = "robot.xml") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


def close(found, expected, relative):
    assert np.abs(found - expected).max() <= relative * np.abs(expected).max()


@pytest.mark.parametrize("floating", [False, True])
def test_a_urdf_robot_moves_as_pinocchio_says(floating):
    pin = pytest.importorskip("pinocchio")
    ours = load_mechanism(URDF, base="floating" if floating else "fixed")
    theirs = pin.buildModelFromUrdf(str(URDF), *([pin.JointModelFreeFlyer()] if floating else []))
    data, generator = theirs.createData(), np.random.default_rng(1)
    q, u = generator.standard_normal((2, ours.tree.n_coordinates))
    u, n = u[: ours.tree.n_speeds], theirs.nv
    # A free-flyer of pinocchio has its velocity along its own axes, and the real part of its quaternion last.
    q_there, rates, change = np.zeros(theirs.nq), np.eye(n), np.zeros(n)
    order = np.arange(n)
    if floating:
        q[3:7] /= np.linalg.norm(q[3:7])
        q_there[:7] = q[[0, 1, 2, 4, 5, 6, 3]]
        turn = ours.rotation(q, "pelvis")
        rates[:3, :3] = turn.T
        change[:3] = -np.cross(u[3:6], turn.T @ u[:3])
    for joint, name in zip(theirs.joints[1 + floating :], list(theirs.names)[1 + floating :], strict=True):
        here = ours.coordinates.names.index(OUR_NAMES.get(name, name))
        order[joint.idx_v] = here - floating
        angle = q[here]
        q_there[joint.idx_q : joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
    rates = rates[:, np.argsort(order)]
    mass = pin.crba(theirs, data, q_there)
    mass = np.triu(mass) + np.triu(mass, 1).T
    forces = pin.rnea(theirs, data, q_there, rates @ u, change)
    close(ours.mass_matrix(q), rates.T @ mass @ rates, 1e-12)
    close(ours.inertia_forces(q, u), rates.T @ forces, 1e-12)


@pytest.mark.parametrize(
    "robot",
    [
        MJCF.read_text(),
        mjcf(inside=PRINCIPAL, rest="<compiler inertiafromgeom='true'/>"),
        urdf(kind="planar"),
        urdf(kind="floating", root="world"),
        urdf(kind="spherical"),
    ],
    ids=["two legs", "inertias from shapes", "planar", "floating", "spherical"],
)
def test_a_robot_stands_and_moves_as_mujoco_says(robot, written):
    file = written(robot)
    ours = load_mechanism(file)
    spec = mujoco.MjSpec.from_file(str(file))
    spec.compiler.fusestatic = False
    for geom in [geom for geom in spec.geoms if geom.type == mujoco.mjtGeom.mjGEOM_MESH]:
        spec.delete(geom)
    for mesh in list(spec.meshes):
        spec.delete(mesh)
    for texture in spec.textures:
        texture.file = ""
        texture.builtin = mujoco.mjtBuiltin.mjBUILTIN_FLAT
        texture.width, texture.height = 1, 6
    theirs = spec.compile()
    data, generator = mujoco.MjData(theirs), np.random.default_rng(2)
    data.qpos, data.qvel = generator.standard_normal(theirs.nq), generator.standard_normal(theirs.nv)
    mujoco.mj_normalizeQuat(theirs, data.qpos)
    mujoco.mj_forward(theirs, data)
    q, u = data.qpos, data.qvel
    mass = np.zeros((theirs.nv, theirs.nv))
    mujoco.mj_fullM(theirs, data, mass)
    close(ours.mass_matrix(q), mass, 1e-10)
    assert ours.kinetic_energy(q, u) == pytest.approx(0.5 * u @ mass @ u, rel=1e-10)
    close(ours.inertia_forces(q, u), data.qfrc_bias, 1e-10)
    close(np.append(ours.joint_forces(q, u), 1.0), np.append(data.qfrc_passive, 1.0), 1e-10)
    for index in range(1, theirs.nbody):
        name = theirs.body(index).name.replace(" ", "_") or f"body_{index}"
        assert np.abs(ours.position(q, name) - data.xpos[index]).max() < 1e-13
        assert np.abs(ours.rotation(q, name).ravel() - data.xmat[index]).max() < 1e-13


def test_names_limits_and_gravity_are_those_of_the_file():
    ours = load_mechanism(URDF, gravity=(0.0, 0.0, -1.62))
    expected = {
        "left_hip_roll": (-0.5, 0.75),
        "left_hip_pitch": (-np.inf, np.inf),
        "left_knee": (0.0, 2.4),
        "left_spring": (-0.01, 0.02),
        "joint_2nd_hip": (-1.0, 1.0),
        "joint_lambda": (-np.inf, np.inf),
    }
    joints = {body.joint.name: body.joint for body in ours.bodies if hasattr(body.joint, "name")}
    assert {name: (joint.lower, joint.upper) for name, joint in joints.items()} == expected
    assert ours.coordinates.names == tuple(expected)
    assert [body.name for body in ours.bodies][:3] == ["pelvis", "left_hip_1", "left_thigh"]
    assert ours.gravity == (0.0, 0.0, -1.62)
    assert load_mechanism(URDF).gravity == (0.0, 0.0, -9.81)

    ours = load_mechanism(MJCF)
    assert ours.gravity == (0.5, -0.25, -9.7)
    assert ours.coordinates.names[:3] == ("torso_x", "torso_y", "torso_z")
    assert ours.coordinates.names[11:] == ("left_knee", "left_foot_1", "left_foot_2", "left_foot_3", "slide", "turn")
    knee = next(body.joint for body in ours.bodies if getattr(body.joint, "name", "") == "left_knee")
    assert (knee.lower, knee.upper, knee.rest) == pytest.approx(np.radians([-5.0, 130.0, 25.0]), abs=1e-15)


def test_a_rotor_is_felt_times_its_gear_ratio_squared(written):
    """On the diagonal of the mass matrix; transmissions of a URDF say it in the elements of Drake."""
    motor = "<drake:rotor_inertia value='{}'/><drake:gear_ratio value='10'/>"
    drive = f"<transmission><joint name='{{}}'/><actuator name='a'>{motor}</actuator></transmission></robot>"
    plain = urdf().replace("<robot", "<robot xmlns:drake='http://drake.mit.edu'")
    masses = [
        load_mechanism(written(text, "robot.urdf")).mass_matrix([0.3])[0, 0]
        for text in (plain, plain.replace("</robot>", drive.format("elbow", 2e-3)))
    ]
    assert np.diff(masses) == pytest.approx(0.2, rel=1e-12)
    for joint, inertia, message in (
        ("elbow", "much", "'elbow': <rotor_inertia value='much'>: expected a number, at least 0"),
        ("wrist", 1.0, "'wrist': there is no such joint that moves; name one that does"),
        ("elbow", -1.0, "<rotor_inertia value='-1.0'>: expected a number, at least 0"),
    ):
        with pytest.raises(ModelError, match=message):
            load_mechanism(written(plain.replace("</robot>", drive.format(joint, inertia)), "robot.urdf"))
    with pytest.raises(ModelError, match=r"body 'arm': the armature -1\.0 of the joint must be at least 0"):
        Body("arm", Revolute("elbow", armature=-1.0))


REFUSED = {
    "mimic": (urdf("<mimic joint='elbow'/>"), "joint 'elbow'"),
    "equality": (mjcf(rest="<equality><connect name='loop' body1='arm' anchor='0 0 0'/></equality>"), "'loop'"),
    "tendon": (mjcf(rest="<tendon><fixed name='rope'><joint joint='elbow' coef='1'/></fixed></tendon>"), "'rope'"),
    "mocap": (mjcf("", body="mocap='true'", rest="", inside=""), "body 'arm'"),
    "gravcomp": (mjcf(body="gravcomp='1'"), "body 'arm'"),
    "armature": (mjcf("<joint name='elbow' type='ball' armature='.1'/>"), "joint 'elbow'"),
    "frictionloss": (urdf("<dynamics friction='.1'/>"), "joint 'elbow'"),
    "stiffness": (mjcf("<joint name='elbow' type='ball' stiffness='1'/>"), "joint 'elbow'"),
    "damping": (mjcf("<joint name='elbow' type='free' damping='1'/>"), "joint 'elbow'"),
    "range": (mjcf("<joint name='elbow' type='ball' range='0 20'/>"), "joint 'elbow'"),
    "fluid": (mjcf(rest="<option viscosity='1'/>"), "option viscosity"),
    "inertia": (urdf(child=INERTIAL.replace("'1.3'", "'9'")), "body 'arm': no body has the principal moments"),
    "compiler": (
        urdf().replace("<link", "<mujoco><compiler inertiafromgeom='true'/></mujoco><link", 1),
        "inertiafromgeom",
    ),
    "warning": (urdf("<limit lower='1' upper='1'/>"), "'elbow' has equal lower and upper limits"),
    "flag": (mjcf(rest="<option><flag spring='disable'/></option>"), "spring disabled"),
    "flex": (
        mjcf(inside="<flexcomp name='cloth' type='grid' count='2 2 1' spacing='1 1 1' mass='1' dim='2'/>"),
        "'cloth'",
    ),
    "plugin": (
        mjcf(rest="<extension><plugin plugin='mujoco.pid'><instance name='servo'/></plugin></extension>"),
        "'servo'",
    ),
}


@pytest.mark.parametrize("word", REFUSED)
def test_what_a_mechanism_does_not_have_is_named_and_can_be_ignored(word, written, capfd):
    text, where = REFUSED[word]
    file = written(text)
    with pytest.raises(ModelError) as refused:
        load_mechanism(file)
    head, *lines = str(refused.value).splitlines()
    assert head.startswith(f"{file}: ")
    assert f"ignore=('{word}',)" in head
    assert len(lines) == 1
    assert lines[0].startswith(f"  {word}: ")
    assert where in lines[0]
    load_mechanism(file, ignore=(word,))
    assert capfd.readouterr() == ("", "")
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_all_that_is_refused_is_named_at_once_and_every_word_has_its_test(written):
    assert set(REFUSED) == set(GAPS)
    with pytest.raises(ModelError, match="range: joint 'elbow' from None to 1"):
        load_mechanism(written(urdf("<limit upper='1'/>")))
    with pytest.raises(ModelError, match=r"(?s)ignore=\('mimic', 'frictionloss', 'inertia'\).*mimic:.*frictionloss:"):
        load_mechanism(written(urdf("<mimic joint='elbow'/><dynamics friction='1'/>", INERTIAL.replace("1.3", "9"))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("robot: none", "is not XML"),
        ("<sdf/>", "the root element is <sdf>; expected a URDF file"),
        ("<mujoco/>", "a mechanism has at least one body"),
        (
            "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:include filename='a'/></robot>",
            "expand them first",
        ),
        (urdf(kind="screw"), "invalid joint type"),
        *(
            (urdf(f"<limit {bounds}/>"), f"joint 'elbow': <limit lower={lower!r}>: expected a number; write it")
            for bounds, lower in (("lower='' upper='1'", ""), ("lower=' '", " "), ("upper='1' lower='1,5'", "1,5"))
        ),
        (urdf().replace("<parent link='base'/>", "<parent link='bse'/>"), "parent or child"),
        (urdf(child=""), "body 'arm' moves, but neither it nor what it carries has a mass; give it an <inertial>"),
        (
            urdf(child=INERTIAL.replace("mass value='1'", "mass value='-1'")),
            "the mass -1.0 must be a finite number, at least 0 kg",
        ),
        (
            mjcf("<joint name='left hip'/><joint name='left-hip' axis='1 0 0'/>"),
            "both become the identifier 'left_hip'",
        ),
        (mjcf("<freejoint/>", inside="<body name='arm_1'><geom size='.1'/></body>"), "body 'arm_1' occurs twice"),
        (mjcf("<joint axis='0 0 0'/>"), "axis"),
        (
            "<mujoco><asset><mesh name='m' file='no.obj'/></asset><worldbody><body><joint/><geom type='mesh' mesh='m'/>"
            "</body></worldbody></mujoco>",
            "no.obj'; a mass or an inertia follows from this file: put it there, or give its body an <inertial>",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_one_message_with_its_name(text, message, written, capfd):
    file = written(text)
    with pytest.raises(ModelError) as error:
        load_mechanism(file)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("kind", ["revolute", "fixed", "planar", "spherical"])
def test_two_joints_of_a_urdf_with_one_name_are_refused_whatever_they_are(kind, floating, written):
    """MuJoCo gives the second no name, or fails once the root is released."""
    second = urdf(kind=kind).split("</link>")[-1].replace("link='arm'", "link='hand'")
    file = written(urdf().replace("</robot>", f"<link name='hand'>{INERTIAL}</link>{second}"))
    with pytest.raises(ModelError, match=rf"^{file}: joint 'elbow': 2 joints have this name; give each its own$"):
        load_mechanism(file, base="floating" if floating else "fixed")


def test_wrong_use_is_one_message(written, monkeypatch, tmp_path):
    with pytest.raises(ModelError, match="cannot be read: No such file"):
        load_mechanism(tmp_path / "none.urdf")
    (tmp_path / "folder.xml").mkdir()
    with pytest.raises(ModelError, match="cannot be read: Is a directory"):
        load_mechanism(tmp_path / "folder.xml")
    with pytest.raises(ModelError, match=r"whose name ends in .urdf or .xml"):
        load_mechanism(written(mjcf(), "robot.mjcf"))
    with pytest.raises(ModelError, match=r"'armatur' is unknown; did you mean `armature`\?"):
        load_mechanism(URDF, ignore=("armatur",))
    with pytest.raises(ModelError, match="gravity: expected three finite numbers"):
        load_mechanism(URDF, gravity=(0.0, 1.0))
    with pytest.raises(ModelError, match="here this is the link 'world'"):
        load_mechanism(written(urdf(root="world")), base="floating")
    with pytest.raises(ModelError, match="<freejoint/>"):
        load_mechanism(MJCF, base="floating")
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ModelError, match=r"pip install 'hybridsim\[robots\]'"):
        load_mechanism(URDF)
