"""Mechanisms that move in the x-z plane: their own equations against those of mechanisms in space."""

import math

import numpy as np
import pytest
from multibody.trees import random_inertia

from hybridsim.multibody import Body, Compound, Fixed, Free, Mechanism, Planar, Prismatic, Revolute, Spherical
from hybridsim.multibody.dynamics import inertia_forces, mass_matrix
from hybridsim.multibody.motion import arm_of, kinematics
from hybridsim.multibody.planar import (
    Flat,
    Rim,
    flat_at,
    is_planar,
    planar_equations,
    planar_kinematics,
    put_planar_rows,
)
from hybridsim.multibody.rows import Wrench, add_wrench, clear_row
from hybridsim.multibody.tree import sums_of
from hybridsim.multibody.vectors import ZERO, Vector, cross, times


def about_y(angle):
    cosine, sine = math.cos(angle), math.sin(angle)
    return [[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]]


def random_planar(seed):
    """A tree whose joints slide along the plane or turn about y, either way; bodies lie beside the plane and lean."""
    rng = np.random.default_rng(seed)
    bodies = []
    for i in range(int(rng.integers(2, 9))):
        place = rng.uniform(-0.5, 0.5, 3)
        turn = about_y(rng.uniform(-3.0, 3.0)) if rng.random() < 0.4 else None
        slide = rng.normal(size=3) * (1.0, 0.0, 1.0)
        joint = {
            0: lambda i=i, place=place, turn=turn: Revolute(f"q{i}", "y", place=place, turn=turn, armature=0.1),
            1: lambda i=i, place=place, turn=turn: Revolute(f"q{i}", "-y", place=place, turn=turn),
            2: lambda i=i, place=place, turn=turn, slide=slide: Prismatic(f"q{i}", slide, place=place, turn=turn),
            3: lambda i=i, place=place, turn=turn: Planar(f"q{i}", "y", place=place, turn=turn),
            4: lambda i=i, place=place, turn=turn: Fixed(place=place, turn=turn),
            5: lambda i=i: Compound((Prismatic(f"q{i}", "x"), Revolute(f"r{i}", "-y", place=(0.1, 0.2, 0.3)))),
        }[0 if i == 0 else int(rng.integers(6))]()
        parent = f"body{rng.integers(i)}" if i > 0 and rng.random() < 0.8 else "world"
        mass = float(rng.uniform(0.1, 5.0))
        centre = rng.uniform(-0.3, 0.3, 3)
        bodies.append(Body(f"body{i}", joint, parent, mass=mass, centre=centre, inertia=random_inertia(rng, mass)))
    return Mechanism(*bodies, gravity=(0.5, 2.0, -9.81)), rng


@pytest.mark.parametrize("seed", range(20))
def test_motion_masses_and_forces_are_those_of_a_mechanism_in_space(seed):
    system, rng = random_planar(seed)
    tree, data, n = system.tree, system.data, system.tree.n_speeds
    assert is_planar(tree, data)
    q, u = rng.uniform(-3.0, 3.0, tree.n_coordinates), rng.uniform(-5.0, 5.0, n)
    motion, flat = np.zeros(system.motion_size), np.full(system.motion_size, np.nan)
    mass, own_mass = np.zeros(n * n), np.full(n * n, np.nan)
    forces, own_forces = np.zeros(n), np.full(n, np.nan)
    kinematics(motion, tree, data, q, u)
    mass_matrix(mass, motion, tree, data)
    inertia_forces(forces, motion, tree, data, system.gravity)
    planar_kinematics(flat, tree, data, q, u)
    planar_equations(own_mass, own_forces, flat, tree, data, system.gravity)
    known = sums_of(tree)
    np.testing.assert_allclose(flat[:known], motion[:known], rtol=1e-12, atol=1e-12 * abs(motion[:known]).max())
    np.testing.assert_allclose(own_mass, mass, rtol=1e-12, atol=1e-12 * abs(mass).max())
    np.testing.assert_allclose(own_forces, forces, rtol=1e-12, atol=1e-12 * abs(forces).max())
    frame, place, radius = int(rng.integers(1, tree.n_frames)), Vector(*rng.uniform(-1.0, 1.0, 3)), 0.3
    slope = rng.uniform(-1.0, 1.0)
    normal, along = Vector(-math.sin(slope), 0.0, math.cos(slope)), Vector(math.cos(slope), 0.0, math.sin(slope))
    rows, own = np.zeros(2 * (n + 1)), np.full(2 * (n + 1), np.nan)
    arm = arm_of(motion, frame, place)
    for row, (axis, torque) in enumerate(((normal, ZERO), (along, times(-radius, cross(normal, along))))):
        clear_row(rows, tree, row)
        add_wrench(rows, motion, tree, row, frame, Wrench(arm, axis, torque))
    axes = Flat(normal.x, normal.z), Flat(along.x, along.z)
    put_planar_rows(own, flat, tree, 0, Rim(frame, flat_at(np.array(arm), 0), radius), axes)
    np.testing.assert_allclose(own, rows, rtol=1e-12, atol=1e-12 * abs(rows).max())


@pytest.mark.parametrize(
    "joint",
    [
        Revolute("q", "x"),
        Revolute("q", (0.0, 1.0, 1e-9)),
        Prismatic("q", (1.0, 1e-9, 0.0)),
        Spherical("q"),
        Free("q"),
        Planar("q", "z"),
        Revolute("q", "y", turn=[[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
        Fixed(turn=[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]),
    ],
)
def test_what_may_leave_the_plane_by_however_little_is_not_planar(joint):
    system = Mechanism(
        Body("base", Planar("base", "y"), mass=1.0), Body("part", joint, "base", mass=1.0, inertia=(1.0, 1.0, 1.0))
    )
    assert not is_planar(system.tree, system.data)
