"""Constraints that are held by given generalised forces, against the whole system of equations."""

import numpy as np
import pytest
from multibody.constraints import RowsOf, random_rows, smallest, with_multipliers
from multibody.trees import assert_close, random_motion, random_twin

from hybridsim.multibody import Body, Mechanism, Partition, Revolute, Vector, rows, solve_constrained, solve_held
from hybridsim.multibody.reduced import work_size

NONE, ALL = np.zeros(0, int), np.arange(100)


def random_efforts(mass, constraints, partition, rng):
    """Return efforts: some rows are ideal, a motor holds others, or a force that drives all speeds."""
    n, efforts = len(mass), constraints.copy()
    ideal = np.linalg.cond(holding(mass, constraints, constraints))
    for row in rng.permutation(3 * len(constraints)) % len(constraints):
        tried = efforts.copy()
        tried[row, :-1] = np.eye(n)[rng.integers(n)] if rng.random() < 0.7 else rng.normal(size=n)
        if smallest(tried[:, partition.dependent]) > 0.02:  # the motors can hold the rows, and without great efforts
            efforts = tried if np.linalg.cond(holding(mass, constraints, tried)) < 10.0 * ideal else efforts
    efforts[:, -1] = np.nan  # no function may read it
    return efforts


def holding(mass, constraints, efforts):
    """Return A M^-1 E: what the efforts do to the rows."""
    return constraints[:, :-1] @ np.linalg.solve(mass, efforts[:, :-1].T)


def solve(mass, force, constraints, efforts, partition):
    """Return rates, reactions, and the smallest pivot."""
    n = len(mass)
    x, reactions, work = np.full(n, np.nan), np.full(len(constraints), np.nan), np.full(work_size(n), np.nan)
    both = np.vstack((constraints, efforts)).ravel()
    pivot = solve_held(x, reactions, mass.ravel(), force, both, partition, work)
    return x, reactions, pivot


@pytest.fixture(scope="module", params=range(30))
def held(request):
    """Mass matrix, forces, rows, efforts and partition of a random tree."""
    seed = request.param
    twin, rng = random_twin(seed, 4 + seed), np.random.default_rng(seed + 500)
    q, u = random_motion(twin, seed)
    constraints, mass = random_rows(twin.mechanism, q, u, rng), twin.mechanism.mass_matrix(q)
    partition = twin.mechanism.partition(constraints)
    return mass, rng.normal(size=len(u)), constraints, random_efforts(mass, constraints, partition, rng), partition


@pytest.mark.members(14)
def test_the_projected_solution_is_that_of_the_whole_system(held):
    mass, force, constraints, efforts, partition = held
    assert not np.array_equal(efforts[:, :-1], constraints[:, :-1])
    x, reactions, pivot = solve(mass, force, constraints, efforts, partition)
    expected_x, expected_reactions = with_multipliers(mass, force, constraints, efforts)
    assert_close(x, expected_x, 1e-11)
    assert_close(reactions, expected_reactions, 1e-11)
    assert 0.0 < pivot <= 1.0


@pytest.mark.members(8)
def test_rows_that_hold_themselves_are_ideal(held):
    mass, force, constraints, _, partition = held
    n = len(mass)
    expected, expected_reactions, work = np.zeros(n), np.zeros(len(constraints)), np.zeros(work_size(n))
    expected_pivot = solve_constrained(
        expected, expected_reactions, mass.ravel(), force, constraints.ravel(), partition, work
    )
    x, reactions, pivot = solve(mass, force, constraints, constraints, partition)
    assert_close(x, expected, 1e-11)
    assert_close(reactions, expected_reactions, 1e-11)
    assert pivot == expected_pivot


@pytest.mark.members(8)
def test_neither_the_order_of_rows_nor_their_units_change_the_motion(held):
    mass, force, constraints, efforts, partition = held
    rng, n_rows = np.random.default_rng(len(mass)), len(constraints)
    x, reactions, pivot = solve(mass, force, constraints, efforts, partition)
    order = rng.permutation(n_rows)
    other_x, other_reactions, _ = solve(mass, force, constraints[order], efforts[order], partition)
    assert_close(other_x, x, 1e-11)
    assert_close(other_reactions, reactions[order], 1e-11)
    units, of_efforts = 2.0 ** rng.integers(-50, 50, (2, n_rows))  # powers of two: nothing is rounded
    others = units[:, None] * constraints, of_efforts[:, None] * efforts
    other_x, other_reactions, other_pivot = solve(mass, force, *others, partition)
    assert np.array_equal(other_x, x)
    assert np.array_equal(of_efforts * other_reactions, reactions)
    assert other_pivot == pivot


def test_without_rows_the_motion_is_free(held):
    mass, force, constraints, *_ = held
    x, reactions, pivot = solve(mass, force, constraints[:0], constraints[:0], Partition(0, len(mass), NONE, ALL))
    assert_close(x, np.linalg.solve(mass, force), 1e-11)
    assert len(reactions) == 0
    assert pivot == 1.0


ONE, LOST, TWICE = [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [2.0, 2.0, 1.0]


@pytest.mark.parametrize("independent", [[ONE, [1.0, -1.0, 2.0]], [[0.0, 1.0, 3.0], ONE]])
@pytest.mark.parametrize("singular", [[ONE, LOST], [LOST, ONE], [ONE, TWICE], [ONE, [0.0, 0.0, 0.0]]])
@pytest.mark.parametrize("rows_are_singular", [True, False])
def test_the_pivot_is_zero_where_rows_or_efforts_depend_on_each_other(independent, singular, rows_are_singular):
    """The first two speeds are dependent."""
    by_first = Partition(2, 1, np.array([0, 1]), np.array([2]))
    matrices = (singular, independent) if rows_are_singular else (independent, singular)
    constraints, efforts = (np.column_stack((matrix, np.ones(2))) for matrix in matrices)
    with np.errstate(all="ignore"):
        x, _, pivot = solve(np.eye(3), np.ones(3), constraints, efforts, by_first)
    assert pivot == 0.0
    assert not np.isfinite(x).all()


@pytest.mark.parametrize("angle", [1e-2, 1e-4, 1e-9])
def test_the_pivot_is_that_of_the_rows_or_the_efforts_whichever_is_nearer_to_singular(angle):
    steep, flat = np.array([[2.0, 3.0, 0.0]]), np.array([[-5.0 * np.sin(angle), 5.0, 0.0]])
    by_first = Partition(1, 1, np.array([0]), np.array([1]))
    for constraints, efforts in ((steep, flat), (flat, steep)):
        _, _, pivot = solve(np.diag([1.0, 2.0]), np.ones(2), constraints, efforts, by_first)
        assert pivot == pytest.approx(np.sin(angle), rel=1e-12)


def test_where_a_motor_cannot_hold_its_row_there_is_no_solution():
    """It drives two equal masses apart, and the row holds their sum."""
    by_first = Partition(1, 1, np.array([0]), np.array([1]))
    constraints, efforts = np.array([[1.0, 1.0, 0.5]]), np.array([[1.0, -1.0, 0.0]])
    with np.errstate(all="ignore"):
        x, reactions, pivot = solve(np.eye(2), np.ones(2), constraints, efforts, by_first)
    assert pivot == 1.0
    assert np.isnan(x).all()
    assert np.isnan(reactions).all()


LEG = {"mass": 12.0, "centre": (0.0, 0.0, 0.5), "inertia": (1.1, 1.1, 0.1)}
TRUNK = {"mass": 40.0, "centre": (0.0, 0.0, 0.3), "inertia": (2.0, 2.0, 0.5)}
LENGTH, GRAVITY = 0.9, 9.81


@pytest.mark.parametrize("by_motor", [True, False], ids=["by the hip", "by the world"])
def test_a_trunk_that_does_not_turn_is_held_by_a_torque_whose_counterpart_the_leg_feels(by_motor):
    """Euler's equations of leg and trunk, with the force and the torque between them."""
    hip = Revolute("hip", "y", place=(0.0, 0.0, LENGTH))
    walker = Mechanism(Body("leg", Revolute("leg", "y"), **LEG), Body("trunk", hip, "leg", **TRUNK))
    angle, rate, lean = 0.3, -1.7, 0.2  # from the vertical, of the leg, of its change, and of the trunk
    q, u = np.array([angle, lean - angle]), np.array([rate, -rate])
    found = RowsOf(walker, q, u)
    found.add(1, rows.spin_row, walker.frames.trunk, Vector(0.0, 1.0, 0.0))
    efforts = found.array.copy()
    if by_motor:
        rows.lock_row(efforts.ravel(), walker.tree, 0, walker.u.hipdot)
    force = -walker.inertia_forces(q, u)
    x, reactions, _ = solve(walker.mass_matrix(q), force, found.array, efforts, walker.dependent("hipdot"))

    def torque(acceleration):
        """Return the torque that keeps the trunk from turning, and the moment about the foot that turns the leg."""
        sine, cosine = np.sin(angle), np.cos(angle)
        along_x = TRUNK["mass"] * LENGTH * (cosine * acceleration - sine * rate**2)
        along_z = TRUNK["mass"] * (GRAVITY - LENGTH * (sine * acceleration + cosine * rate**2))
        on_trunk = TRUNK["centre"][2] * (np.cos(lean) * along_x - np.sin(lean) * along_z)
        on_leg = LEG["mass"] * GRAVITY * LEG["centre"][2] * sine + LENGTH * (sine * along_z - cosine * along_x)
        return on_trunk, on_leg - (on_trunk if by_motor else 0.0)

    holding_torque, moment = torque(x[0])
    about_foot = LEG["inertia"][1] + LEG["mass"] * LEG["centre"][2] ** 2
    assert about_foot * x[0] == pytest.approx(moment, rel=1e-12)
    assert x[1] == pytest.approx(-x[0], rel=1e-12)
    assert reactions[0] == pytest.approx(holding_torque, rel=1e-12)
