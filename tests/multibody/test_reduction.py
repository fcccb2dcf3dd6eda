"""Kane's reduced equations against Lagrange multipliers, and impacts against their laws, on random trees and rows."""

import numpy as np
import pytest
from multibody.constraints import RowsOf, random_rows, with_multipliers
from multibody.trees import assert_close, random_motion, random_twin
from scipy import linalg

from hybridsim.errors import ModelError
from hybridsim.multibody import (
    Body,
    Compound,
    Mechanism,
    Partition,
    Point,
    Revolute,
    Vector,
    complete_speeds,
    impact,
    rows,
    solve_constrained,
)
from hybridsim.multibody.reduced import work_size

SEEDS = range(30)


@pytest.fixture(scope="module", params=SEEDS)
def constrained(request):
    """A random tree, its coordinates and speeds, its mass matrix, and rows."""
    seed = request.param
    mechanism = random_twin(seed, 4 + seed).mechanism
    q, u = random_motion(random_twin(seed, 4 + seed), seed)
    constraints = random_rows(mechanism, q, u, np.random.default_rng(seed + 500))
    return mechanism, q, u, mechanism.mass_matrix(q), constraints


@pytest.mark.members(9)
def test_the_reduced_solution_is_that_with_lagrange_multipliers(constrained):
    mechanism, q, u, mass, constraints = constrained
    applied = np.cos(np.arange(len(u)))
    rates, reactions = mechanism.constrained_dynamics(q, u, applied, constraints, mechanism.partition(constraints))
    force = applied - mechanism.inertia_forces(q, u)
    expected_rates, expected_reactions = with_multipliers(mass, force, constraints)
    assert_close(rates, expected_rates, 1e-11)
    assert_close(reactions, expected_reactions, 1e-11)


@pytest.mark.members(8)
def test_reactions_do_not_depend_on_which_speeds_are_independent(constrained):
    mechanism, q, u, _, constraints = constrained
    chosen = mechanism.partition(constraints)
    weights = np.ones(len(u))
    weights[chosen.dependent] = 0.05  # others are taken wherever they can be
    others = linalg.qr(weights * constraints[:, :-1], mode="r", pivoting=True)[1][: chosen.n_rows]
    names = [mechanism.speeds.names[i] for i in others]
    other = mechanism.partition(constraints, dependent=names)
    ours, theirs = (mechanism.constrained_dynamics(q, u, (), constraints, each) for each in (chosen, other))
    assert_close(theirs.x, ours.x, 1e-9)
    assert_close(theirs.reactions, ours.reactions, 1e-9)


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
def test_impacts_obey_their_laws(constrained, restitution):
    """Newton's restitution, the balance of momentum, and the energy that is lost."""
    mechanism, q, u, mass, constraints = constrained
    matrix = constraints[:, :-1]
    after, impulses = mechanism.impact(q, u, constraints, mechanism.partition(constraints), restitution)
    change = after - u
    approach = matrix @ u
    np.testing.assert_allclose(matrix @ after, -restitution * approach, atol=1e-11 * np.abs(approach).max())
    assert_close(mass @ change, matrix.T @ impulses, 1e-11)
    lost = mechanism.kinetic_energy(q, u) - mechanism.kinetic_energy(q, after)
    largest = mechanism.kinetic_energy(q, u)
    # The impulses do the work of the mean velocity: (1 - e) / (1 + e) of what the change of speeds holds.
    expected = (1.0 - restitution) / (1.0 + restitution) * 0.5 * change @ mass @ change
    assert lost == pytest.approx(expected, rel=1e-10, abs=1e-11 * largest)
    assert lost >= -1e-12 * largest


def test_each_row_may_have_a_restitution_of_its_own(constrained):
    mechanism, _, u, mass, constraints = constrained
    restitutions = np.linspace(0.0, 1.0, len(constraints))
    flat = constraints.ravel().copy()
    for row, restitution in enumerate(restitutions):
        rows.bounce_row(flat, mechanism.tree, row, restitution, u)
    bouncing = flat.reshape(constraints.shape)
    assert np.array_equal(bouncing[:, :-1], constraints[:, :-1])
    after, impulses = np.zeros(len(u)), np.zeros(len(constraints))
    work = np.zeros(work_size(len(u)))
    partition = mechanism.partition(bouncing)
    solve_constrained(after, impulses, mass.ravel(), mass @ u, flat, partition, work)
    approach = constraints[:, :-1] @ u
    np.testing.assert_allclose(
        constraints[:, :-1] @ after, -restitutions * approach, atol=1e-11 * np.abs(approach).max()
    )
    assert_close(mass @ (after - u), constraints[:, :-1].T @ impulses, 1e-11)


def test_the_independent_speeds_determine_the_others(constrained):
    mechanism, _, u, _, constraints = constrained
    partition, values = mechanism.partition(constraints), np.sin(np.arange(len(constraints)))
    completed = u.copy()
    ratio = complete_speeds(completed, constraints.ravel(), values, partition, np.zeros(work_size(len(u))))
    assert 0.0 < ratio <= 1.0
    np.testing.assert_allclose(constraints[:, :-1] @ completed, values, atol=1e-12 * max(1.0, np.abs(completed).max()))
    assert np.array_equal(completed[partition.independent], u[partition.independent])


@pytest.mark.parametrize(
    "matrix",
    [np.zeros((2, 3)), [[0.0, 0.0, 1.0], [1.0, 2.0, 3.0]], [[1.0, 2.0, 0.0], [2.0, 4.0, 1.0]]],
    ids=["no rows at all", "a row without its speeds", "a row twice"],
)
def test_where_the_rows_do_not_determine_the_dependent_speeds_the_ratio_of_pivots_is_zero(matrix):
    """The first two speeds are dependent, and the first two columns singular."""
    partition = Partition(2, 1, np.array([0, 1]), np.array([2]))
    flat, work = np.column_stack((matrix, np.zeros(2))).ravel(), np.zeros(work_size(3))
    x, reactions = np.zeros(3), np.zeros(2)
    with np.errstate(all="ignore"):
        values = np.float64(1.0) * flat  # numpy's division by zero, as in compiled code
        assert solve_constrained(x, reactions, np.eye(3).ravel(), np.ones(3), values, partition, work) == 0.0
        assert complete_speeds(x, values, np.zeros(2), partition, work) == 0.0
    assert not np.isfinite(x).all()


def double_pendulum():
    first = Body("first", Revolute("first", "y"), mass=1.0, centre=(0.0, 0.0, -0.5))
    return Mechanism(
        first, Body("second", Revolute("second", "y", place=(0.0, 0.0, -1.0)), "first", 1.0, (0.0, 0.0, -0.5))
    )


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("angle", [1e-2, 1e-4, 1e-9])
def test_the_smallest_pivot_tells_how_near_one_row_is_to_losing_a_speed_whatever_its_unit(angle, scale):
    """The height of a pendulum's end is held by a row; the lower rod's speed moves it by sin(second) only."""
    mechanism = double_pendulum()
    found = RowsOf(mechanism, {"first": 0.5 * np.pi - angle, "second": -0.5 * np.pi})
    found.add(1, rows.direction_row, Point(mechanism.frames.second, Vector(0.0, 0.0, -1.0)), Vector(0.0, 0.0, scale))
    along_first, along_second = np.abs(found.array[0, :2])
    by_second = mechanism.dependent("seconddot")
    work, u = np.zeros(mechanism.work_size), np.array([1.0, 0.0])
    pivot = complete_speeds(u, found.flat, np.zeros(1), by_second, work)
    assert pivot == pytest.approx(along_second / max(along_first, along_second), rel=1e-9)
    assert pivot == pytest.approx(angle, rel=0.1)


def test_speeds_that_turn_about_one_axis_and_move_no_mass_apart_are_refused():
    """Two parallel axes in one place: rounding leaves a mass of 1e-17, and not 0."""
    axis = np.array([0.3, -0.7, 0.2])
    joints = Compound((Revolute("a", axis), Revolute("b", axis)))
    mechanism = Mechanism(Body("body", joints, mass=1.3, centre=(0.1, 0.4, -0.7), inertia=(0.1, 0.2, 0.25)))
    for a in np.linspace(0.1, 3.0, 20):
        with pytest.raises(ModelError, match="singular"):
            mechanism.forward_dynamics({"a": a, "b": 0.3})


def test_impact_keeps_the_momentum_that_no_row_changes():
    mechanism, rng = double_pendulum(), np.random.default_rng(3)
    q, before = rng.normal(size=2), rng.normal(size=2)
    mass = mechanism.mass_matrix(q)
    row = np.append(rng.normal(size=2), np.nan)
    flat, after, impulses = row.copy(), np.zeros(2), np.zeros(1)
    rows.bounce_row(flat, mechanism.tree, 0, 0.4, before)
    impact(after, impulses, mass.ravel(), before, flat, mechanism.dependent("firstdot"), np.zeros(mechanism.work_size))
    assert_close(mass @ (after - before), row[:2] * impulses[0], 1e-12)
    assert row[:2] @ after == pytest.approx(-0.4 * (row[:2] @ before), abs=1e-13)
