"""The surfaces of shapes have the sizes of the shapes, also when a pose stretches them."""

import numpy as np
import pytest
import pyvista as pv

from hybridsim import ModelError
from hybridsim.scene import Arrow, Box, Capsule, Cylinder, Mesh, Sphere, Spring, between, placed
from hybridsim.viewer.render.shapes import coil, pieces


def extent(shape, pose=None):
    """The box around all pieces in the world: (2, 3)."""
    points = []
    for piece in pieces(shape):
        matrix = np.eye(4) if pose is None else np.array(pose)
        if piece.transform is not None:
            matrix = piece.transform(matrix)
        points.append(np.asarray(piece.surface.points, float) @ matrix[:3, :3].T + matrix[:3, 3])
    points = np.concatenate(points)
    return np.array([points.min(axis=0), points.max(axis=0)])


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (Sphere(0.3), (-0.3, -0.3, -0.3), (0.3, 0.3, 0.3)),
        (Box((1.0, 2.0, 3.0)), (-0.5, -1.0, -1.5), (0.5, 1.0, 1.5)),
        (Capsule(0.1, 0.6), (-0.1, -0.1, -0.4), (0.1, 0.1, 0.4)),
        (Cylinder(0.2), (-0.2, -0.2, 0.0), (0.2, 0.2, 1.0)),
        (Spring(0.2, wire=0.02), (-0.22, -0.22, 0.0), (0.22, 0.22, 1.0)),
        (Arrow(0.05), (-0.12, -0.12, 0.0), (0.12, 0.12, 1.0)),
    ],
)
def test_the_surface_of_a_shape_has_its_size(shape, low, high):
    assert extent(shape) == pytest.approx(np.array([low, high]), abs=0.006)


@pytest.mark.parametrize("shape", [Sphere(0.3), Box((1.0, 2.0, 3.0)), Capsule(0.1, 0.6), Cylinder(0.2), Spring(0.2)])
def test_surfaces_face_outwards_with_normals_of_length_1(shape):
    (piece,) = pieces(shape)
    normals = np.asarray(piece.surface.point_data.active_normals, float)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(np.ones(len(normals)), abs=1e-3)
    if not isinstance(shape, Spring):  # convex: outwards is away from the middle
        middle = piece.surface.points.mean(axis=0)
        assert (((piece.surface.points - middle) * normals).sum(axis=1) > 0).all()


@pytest.mark.parametrize("length", [0.2, 1.0, 3.0])
def test_the_wire_of_a_spring_is_round_at_the_length_it_is_made_for(length):
    radius, wire = 0.1, 0.015
    points = np.array(coil(radius, 6, wire, length).points, float) * [1.0, 1.0, length]
    turns = 2 * np.pi * 6 * np.linspace(1.5 / 6, 4.5 / 6, 4000)  # away from the ends
    ends = 0.06
    path = np.stack(
        [radius * np.cos(turns), radius * np.sin(turns), length * (ends + (1 - 2 * ends) * turns / (2 * np.pi * 6))],
        axis=1,
    )
    inner = points[(points[:, 2] > 0.4 * length) & (points[:, 2] < 0.6 * length)]
    away = np.sqrt(((inner[:, None] - path[None]) ** 2).sum(axis=2)).min(axis=1)
    assert away == pytest.approx(np.full(len(inner), wire), rel=0.08)


def test_the_head_of_an_arrow_keeps_its_length_and_a_short_arrow_has_a_small_one():
    _, head = pieces(Arrow(0.05))
    along = [np.linalg.norm(head.transform(between((0, 0, 0), (0, 0, length)))[:3, 2]) for length in (1.0, 2.0, 0.1)]
    assert along == pytest.approx([0.35, 0.35, 0.06])
    for length in (0.1, 1.0, 2.0):
        low, high = extent(Arrow(0.05), between((1, 0, 2), (1, 0, 2 + length)))
        assert (low[2], high[2]) == pytest.approx((2.0, 2.0 + length))


def test_a_mesh_file_is_read_in_its_unit(tmp_path):
    file = tmp_path / "part.stl"
    pv.Cube(x_length=200.0, y_length=100.0, z_length=50.0).triangulate().save(file)
    assert extent(Mesh(file, scale=0.001)) == pytest.approx(
        np.array([[-0.1, -0.05, -0.025], [0.1, 0.05, 0.025]]), abs=1e-6
    )


def test_a_mesh_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ModelError, match=r"missing\.stl cannot be read"):
        pieces(Mesh(tmp_path / "missing.stl"))


def test_a_mesh_file_that_is_none_is_named(tmp_path):
    file = tmp_path / "text.xyz"
    file.write_text("nothing")
    with pytest.raises(ModelError, match=r"text\.xyz cannot be read"):
        pieces(Mesh(file))


def test_turned_and_moved_boxes_are_where_their_pose_says():
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    low, high = extent(Box((2.0, 1.0, 1.0)), placed((5.0, 0.0, 0.0), quarter))
    assert (low, high) == (pytest.approx([4.5, -1.0, -0.5]), pytest.approx([5.5, 1.0, 0.5]))
