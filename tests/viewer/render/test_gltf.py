"""Exported scenes, read again."""

import base64
import json

import numpy as np
import pytest
import pyvista as pv

from hybridsim import simulate
from hybridsim.errors import ConfigError, ModelError
from hybridsim.viewer import Replay
from hybridsim.viewer.export import export_scene
from hybridsim.viewer.render.gltf import Surface, write_gltf

Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # from glTF's axes (y up) to the world's (z up)


@pytest.fixture(scope="module")
def runner():
    return Replay(simulate("slip", final_time=1.5), name="runner")


def surfaces(block):
    for part in block:
        if isinstance(part, pv.MultiBlock):
            yield from surfaces(part)
        else:
            yield part


def test_bodies_are_where_they_are_in_the_run_when_another_reader_reads_the_file(runner, tmp_path):
    file = export_scene([runner], tmp_path / "stance.gltf", at=1.0)
    frame = runner.frame(1.0)
    hopper, spring, rod, _, foot, *_ = surfaces(pv.read(file))
    middle = [Z_UP @ np.reshape(part.bounds, (3, 2)).mean(axis=1) for part in (hopper, foot)]
    assert middle[0] == pytest.approx(frame.poses[0, :3, 3], abs=1e-4)
    assert middle[1] == pytest.approx(frame.poses[4, :3, 3], abs=1e-4)
    length = frame.outputs["leg_length"]
    for part in (spring, rod):
        ends = np.array(part.points, float) @ Z_UP.T
        leg = frame.poses[0, :3, 3] - frame.poses[1, :3, 3]
        assert np.ptp(ends @ leg / np.linalg.norm(leg)) == pytest.approx(length, abs=2e-3)


def test_names_colours_and_shapes_are_in_the_file(runner, tmp_path):
    content = json.loads(export_scene([runner], tmp_path / "stance.gltf", at=1.0).read_text())
    names = [node["name"] for node in content["nodes"]]
    bodies = [name for name in names if not name.startswith("ground/")][:-1]
    assert [*dict.fromkeys(name.partition("/")[0] for name in bodies)] == [*runner.scene.bodies.names]  # in stance
    assert {"leg_force/shaft", "leg_force/head"} < set(bodies)
    assert names[-3:] == ["ground/light", "ground/dark", "world"]
    assert len(set(names)) == len(names)
    red, green, blue, opacity = content["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"]
    assert opacity == 1.0
    assert red == pytest.approx((0xB5 / 255 + 0.055) ** 2.4 / 1.055**2.4, rel=1e-6)  # sRGB, IEC 61966-2-1
    assert red > green > 0.0 < blue
    assert content["asset"]["version"] == "2.0"


def test_every_index_of_the_file_is_that_of_a_point(runner, tmp_path):
    content = json.loads(export_scene([runner], tmp_path / "stance.gltf", at=0.2).read_text())
    (buffer,) = content["buffers"]
    data = base64.b64decode(buffer["uri"].partition(",")[2])
    assert len(data) == buffer["byteLength"]
    for mesh in content["meshes"]:
        (primitive,) = mesh["primitives"]
        faces, points = (
            content["accessors"][primitive["indices"]],
            content["accessors"][primitive["attributes"]["POSITION"]],
        )
        at = content["bufferViews"][faces["bufferView"]]
        indices = np.frombuffer(data, "<u4", faces["count"], at["byteOffset"])
        assert indices.max() < points["count"]
        assert faces["count"] % 3 == 0


def test_a_force_that_is_not_there_is_not_exported(runner, tmp_path):
    flight = next(t for t in np.linspace(0.0, 1.5, 50) if runner.frame(t).outputs["leg_force"] == 0.0)
    content = json.loads(export_scene([runner], tmp_path / "flight.gltf", at=flight).read_text())
    assert not [node for node in content["nodes"] if node["name"].startswith("leg_force")]


def test_several_runs_are_distinguished_by_their_names(runner, tmp_path):
    other = Replay(simulate("slip", final_time=1.5, parameters={"k": 25000.0}), name="stiff")
    content = json.loads(export_scene([runner, other], tmp_path / "both.gltf", at=0.2).read_text())
    names = [node["name"] for node in content["nodes"]]
    assert {"runner/hopper", "stiff/hopper"} <= set(names)


@pytest.mark.parametrize(
    ("name", "at", "words"),
    [("scene.obj", 0.5, r"no scene ends in '\.obj'; name it \.gltf"), ("scene.gltf", 7.0, "--at: 7 s lies outside")],
)
def test_what_cannot_be_exported_is_refused(runner, tmp_path, name, at, words):
    with pytest.raises(ConfigError, match=words):
        export_scene([runner], tmp_path / name, at=at)
    assert not [*tmp_path.iterdir()]


def test_a_surface_with_a_point_that_is_not_finite_is_refused(tmp_path):
    surface = Surface("hull", np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, np.nan, 0.0]]), [[0, 1, 2]], "#ff0000")
    with pytest.raises(ModelError, match="body 'hull': a point of its surface is not finite"):
        write_gltf(tmp_path / "hull.gltf", [surface])
    assert not [*tmp_path.iterdir()]
