"""The linearised biped: its matrices against differences of the motion, and against the potential energy."""

import numpy as np
import pytest

import hybridsim
from hybridsim_models.biped.body import FIRST_JOINT, N_JOINTS, N, Q
from hybridsim_models.biped.contacts import partition_of
from hybridsim_models.biped.linear import INPUTS, Stance, linear_model, linearize_stance
from hybridsim_models.biped.records import FLAT, HEEL, TOE, P, chart_of

from .biped_states import accelerate, equations_of, feet_in, outputs_of, parameters, random_moving, stance_name

STANCES = [(TOE, 0), (FLAT, 0), (TOE, HEEL), (TOE, FLAT), (FLAT, FLAT)]


def stance_of(moving):
    return Stance(moving.q, moving.u, moving.p, moving.chart, np.array([*moving.torques, *moving.soles]))


def with_torque(moving, name, change):
    """Return the biped with another torque of a motor or a sole."""
    values = np.array([*moving.torques, *moving.soles])
    names = [*(f"torque_{each}" for each in Q._fields[FIRST_JOINT:N]), "sole1", "sole2"]
    values[names.index(name)] += change
    return moving._replace(torques=values[:12], soles=values[12:])


def some(family):
    """Every stance with one member of a family, all of which take their turns; with the others in exhaustive tests."""
    return [
        pytest.param(
            stance,
            *each,
            marks=() if (number - k) % len(family) == 0 else pytest.mark.exhaustive,
            id="-".join([stance_name(stance), *map(str, each)]),
        )
        for number, stance in enumerate(STANCES)
        for k, each in enumerate(family)
    ]


@pytest.mark.members(1)
@pytest.mark.parametrize(("stance", "mode", "held"), some([(0, "joints"), (1, "ideal"), (1, "joints"), (0, "ideal")]))
def test_torques_change_motion_and_reactions_as_the_matrices_say(stance, mode, held):
    """Both depend on torques linearly, so that differences are exact: IM dudot + B dtorque = 0."""
    moving = random_moving(11, stance, mode, held)
    found, free = linearize_stance(stance_of(moving)), partition_of(moving.chart).independent
    answers = -np.linalg.solve(np.asarray(found.IM), np.asarray(found.B))
    assert len(found.B.rows) == N - len(found.J_force_torque.rows)
    for column, name in enumerate(found.B.columns):
        ends = [accelerate(with_torque(moving, name, sign)) for sign in (-5.0, 5.0)]
        udot = (ends[1][0] - ends[0][0]) / 10.0
        np.testing.assert_allclose(answers[:, column], udot[free], rtol=0, atol=1e-9 * np.abs(udot).max())
        pushed = (ends[1][1] - ends[0][1]) / 10.0
        if name in ("sole1", "sole2"):
            pushed[4 if name == "sole1" else 9] = 0.0  # the moment itself, which is no answer
        rows = [*range(5 if stance[0] == FLAT else 4), *range(5, 5 + {FLAT: 5, HEEL: 4, 0: 0}[stance[1]])]
        rows += range(10, 12 if stance[1] else 13)
        size = 1e-9 * np.abs(pushed).max()
        np.testing.assert_allclose(found.J_force_torque[:, name], pushed[rows], rtol=0, atol=size)


def null_space(rows, partition):
    found = np.zeros((N, partition.n_free))
    found[partition.independent] = np.eye(partition.n_free)
    found[partition.dependent] = -np.linalg.solve(rows[:, partition.dependent], rows[:, partition.independent])
    return found


def forces_at(moving, q):
    """Return F + F* where speeds and their rates are 0."""
    found = equations_of(moving._replace(x=np.concatenate([q, moving.x[N:]])))
    return null_space(found.efforts, partition_of(moving.chart)).T @ (found.applied - found.bias)


@pytest.mark.members(1)
@pytest.mark.parametrize(("stance", "held", "loaded"), some([("joints", True), ("ideal", True), ("ideal", False)]))
def test_the_stiffness_is_the_slope_of_the_forces_at_rest(stance, held, loaded):
    """Of F + F* where u = 0, along each motion that the stance allows."""
    moving = random_moving(12, stance, 0, held)
    moving.x[N : 2 * N] = 0.0
    moving.p[P.push_x : P.push_z + 1], moving.p[P.force_x : P.force_z + 1] = 0.0, 0.0
    if not loaded:
        moving = moving._replace(torques=np.zeros(12), soles=np.zeros(2))
    found = np.asarray(linearize_stance(stance_of(moving)).K)
    for column, along in enumerate(null_space(equations_of(moving).rows, partition_of(moving.chart)).T):
        values = [forces_at(moving, moving.q + step * along) for step in (-2e-4, -1e-4, 1e-4, 2e-4)]
        slope = (values[0] - 8.0 * values[1] + 8.0 * values[2] - values[3]) / 12e-4
        np.testing.assert_allclose(found[:, column], slope, rtol=0, atol=1e-8 * np.abs(found).max())


@pytest.mark.members(3)
@pytest.mark.parametrize("stance", STANCES, ids=stance_name)
def test_with_ideal_constraints_matrices_are_those_of_the_energies(stance):
    moving = random_moving(13, stance, 0, "ideal")
    found, free = linearize_stance(stance_of(moving)), partition_of(moving.chart).independent
    inertia = np.asarray(found.IM)
    np.testing.assert_allclose(inertia, inertia.T, rtol=0, atol=1e-13 * np.abs(inertia).max())
    assert np.linalg.eigvalsh(inertia).max() < 0.0
    independent = moving.u[free]
    y = outputs_of(moving)
    assert -0.5 * independent @ inertia @ independent == pytest.approx(y["kinetic"], rel=1e-12)
    assert 0.5 * independent @ found.P[:, "momentum"] == pytest.approx(y["kinetic"], rel=1e-12)
    np.testing.assert_allclose(found.J_cog.values @ independent, [y[f"com_v{axis}"] for axis in "xyz"], atol=1e-12)
    if stance[1]:
        np.testing.assert_allclose(found.V.values, 0.0, atol=1e-13)  # heel 2 is held


@pytest.fixture(scope="module")
def standing():
    return hybridsim.simulate("biped", parameters={"steps": 0}, final_time=0.02, record=0.002, method="tsit5")


def modes_of(found):
    """Return the squares of the growth rates: IM udot + K dq = 0."""
    return np.sort_complex(np.linalg.eigvals(-np.linalg.solve(np.asarray(found.IM), np.asarray(found.K))))


def test_standing_on_both_feet_with_constant_torques_it_falls_like_inverted_pendulums(standing):
    found = linear_model(standing, 0.0, loaded=True)
    modes = modes_of(found)
    assert np.abs(modes.imag).max() < 1e-9
    rates = np.sqrt(modes.real)
    pendulum = np.sqrt(9.81 / standing["com_z"][0])
    np.testing.assert_allclose(rates[:2], pendulum, rtol=0.1)  # the whole body, forward and aside
    assert rates.min() > 2.9  # and knees that bend under it


def test_where_the_torques_balance_the_weight_the_stiffness_of_ideal_constraints_is_symmetric(standing):
    """Minus the second derivatives of the potential energy: then nothing is left to the rows of yaw.

    These rows are not holonomic. Where they bear a moment, as on one foot without torques, K has no such symmetry.
    """
    x, p = standing.x[0], parameters(held="ideal")
    torques = [standing[name][0] for name in (*INPUTS[:N_JOINTS], "ty1", "ty2")]
    at_rest = Stance(x[:N], np.zeros(N), p, chart_of(feet_in(0, (FLAT, FLAT)), 0), np.array(torques))
    stiffness = np.asarray(linearize_stance(at_rest).K)
    np.testing.assert_allclose(stiffness, stiffness.T, rtol=0, atol=1e-12 * np.abs(stiffness).max())
    on_one = np.asarray(linearize_stance(single(at_rest, FLAT)).K)
    assert np.abs(on_one - on_one.T).max() > 0.01 * np.abs(on_one).max()


def single(stance, contact):
    chart = chart_of(feet_in(0, (contact, 0)), 0)
    return stance._replace(chart=chart, torques=np.zeros(N_JOINTS + 2))


@pytest.mark.parametrize(("contact", "falling"), [(FLAT, 5), (TOE, 6)])
def test_on_one_foot_the_free_leg_hangs_and_all_else_falls(standing, contact, falling):
    """The free leg has four stable modes: hip about x and y, knee, ankle. On a hinge the foot pitches, too."""
    at_rest = Stance(standing.x[0, :N], np.zeros(N), parameters(), 0, np.zeros(N_JOINTS + 2))
    modes = modes_of(linearize_stance(single(at_rest, contact))).real
    assert (modes < 0.0).sum() == 4
    assert (modes > 0.0).sum() == falling
    assert -modes.min() < 9.81 / 0.1
