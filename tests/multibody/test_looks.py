"""What bodies look like in scenes: shapes and meshes of robot files, by geometry; what is drawn where there is none."""

import math

import numpy as np
import pytest

from hybridsim.multibody import Body, Look, Mechanism, Revolute, load_mechanism, scene_of
from hybridsim.scene import Box, Capsule, Cylinder, Mesh, Sphere, between

pytest.importorskip("mujoco")

TETRAHEDRON = "\n".join(["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1", "f 1 3 2", "f 1 2 4", "f 2 3 4", "f 1 4 3"])
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
URDF = f"""<robot name="arm">
  <material name="red"><color rgba="1 0 0 0.5"/></material>
  <link name="arm">{INERTIAL}
    <visual><origin xyz="0 0 0.5" rpy="0.3 0 0"/><geometry><cylinder radius="0.1" length="1"/></geometry></visual>
    <visual><origin xyz="1 0 0" rpy="0 0.2 0"/><geometry><mesh filename="package://arm/meshes/part.obj" scale="1 2 3"/>
      </geometry><material name="red"/></visual>
    <collision><geometry><box size="3 3 3"/></geometry></collision>
  </link>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="arm_link"/><axis xyz="0 1 0"/></joint>
  <link name="arm_link">{INERTIAL}
    <visual><geometry><mesh filename="meshes/missing.stl"/></geometry></visual>
    <collision><geometry><sphere radius="3"/></geometry></collision>
  </link>
</robot>"""
MJCF = """<mujoco><default><geom rgba="0 1 0 1"/></default><worldbody><body name="leg" euler="0 0 90"><freejoint/>
  <geom type="capsule" fromto="0 0 0 0 0 -2" size="0.1"/>
  <geom type="ellipsoid" size="0.1 0.2 0.3" pos="1 0 0" group="2"/>
  <geom type="box" size="0.1 0.2 0.3" group="3"/></body></worldbody></mujoco>"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "urdf").mkdir()
    (tmp_path / "meshes" / "part.obj").write_text(TETRAHEDRON)
    (tmp_path / "urdf" / "arm.urdf").write_text(URDF)
    return load_mechanism(tmp_path / "urdf" / "arm.urdf")


def drawn(mechanism, q):
    """Bodies of a scene, with their poses."""
    scene, poses = scene_of(mechanism)
    T = np.tile(np.eye(4), (len(scene.bodies), 1, 1))
    poses(T, 0.0, [*q, *np.zeros(mechanism.tree.n_speeds)], [], 0)
    return {body.name: (body, pose) for body, pose in zip(scene.bodies, T, strict=True)}


def test_a_link_looks_like_its_visual_elements_and_not_like_what_collides(arm):
    found = drawn(arm, [0.4])
    body, pose = found["arm"]
    assert body.shape == Cylinder(0.1)
    middle, half = np.array([0.0, 0.0, 0.5]), 0.5 * np.array([0.0, -math.sin(0.3), math.cos(0.3)])
    np.testing.assert_allclose(pose[:3, 3], middle - half, atol=1e-12)
    np.testing.assert_allclose(pose[:3, 2], 2.0 * half, atol=1e-12)
    assert not any(body.shape in (Box((3.0, 3.0, 3.0)), Sphere(3.0)) for body, _ in found.values())


def test_a_mesh_of_a_package_is_found_beside_the_file_and_stretched_along_its_own_axes(arm):
    body, pose = drawn(arm, [0.4])["arm_1"]
    assert isinstance(body.shape, Mesh)
    assert body.shape.file.name == "part.obj"
    assert (body.colour, body.opacity) == ("#ff0000", 0.5)
    cosine, sine = math.cos(0.2), math.sin(0.2)
    corner = pose @ [0.0, 0.0, 1.0, 1.0]  # of the file: 3 m away along its z axis, which the pitch turns towards x
    np.testing.assert_allclose(corner[:3], (1.0 + 3.0 * sine, 0.0, 3.0 * cosine), atol=1e-12)


def test_without_its_mesh_a_link_is_the_box_of_its_inertia_and_names_that_meet_are_told_apart(arm):
    """The links are called `arm` and `arm_link`, as the link to a joint of `arm` would be."""
    found = drawn(arm, [0.4])
    body, _ = found["arm_link"]
    np.testing.assert_allclose(body.shape.size, math.sqrt(6.0), rtol=1e-12)  # (a^2 + a^2) / 12 = 1 kg m^2 / 1 kg


def test_links_are_drawn_of_bodies_without_a_look_only():
    rod = {"mass": 1.0, "centre": (0.0, 0.0, -0.5), "inertia": (1 / 12, 1 / 12, 0.0)}
    look = Look(Cylinder(0.02), between((0.0, 0.0, 0.0), (0.0, 0.0, -1.0)), "#123456", 0.5)
    place = (0.0, 0.0, -1.0)
    mechanism = Mechanism(
        Body("upper", Revolute("hip"), **rod, looks=[look]),
        Body("lower", Revolute("knee", place=place), "upper", **rod),
        Body("last", Revolute("ankle", place=place), "lower", **rod),
    )
    found = drawn(mechanism, [0.3, 0.0, 0.0])
    assert "lower_link" not in found
    assert isinstance(found["last_link"][0].shape, Capsule)
    body, pose = found["upper"]
    assert (body.colour, body.opacity) == ("#123456", 0.5)
    np.testing.assert_allclose(pose[:3, 2], mechanism.position({"hip": 0.3}, "lower"), atol=1e-12)


def test_shapes_of_mjcf_are_drawn_but_for_those_that_mujoco_does_not_show_either(tmp_path):
    (tmp_path / "leg.xml").write_text(MJCF)
    found = drawn(load_mechanism(tmp_path / "leg.xml"), [0, 0, 1, 1, 0, 0, 0])
    capsule, pose = found["leg"]
    assert (capsule.shape.radius, capsule.shape.length) == pytest.approx((0.1, 2.0), abs=1e-12)
    assert capsule.colour == "#00ff00"
    np.testing.assert_allclose(pose[:3, 3], (0.0, 0.0, 0.0), atol=1e-12)
    ball, pose = found["leg_1"]
    assert ball.shape == Sphere(1.0)
    np.testing.assert_allclose(np.linalg.norm(pose[:3, :3], axis=0), (0.1, 0.2, 0.3), atol=1e-12)
    assert "leg_2" not in found


def test_a_mirrored_mesh_is_left_out(tmp_path, arm):
    file = tmp_path / "urdf" / "arm.urdf"
    file.write_text(URDF.replace('scale="1 2 3"', 'scale="1 -2 3"'))
    assert "arm_1" not in drawn(load_mechanism(file), [0.0])
