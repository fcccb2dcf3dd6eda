"""The biped's own mechanism: mass matrix and forces against sympy and pinocchio, reactions against multipliers."""

import json
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from hybridsim.multibody import Vector, external_wrench, point_of, set_body, set_constants, set_place
from hybridsim_models.biped import anthropometry as table
from hybridsim_models.biped.body import ANKLE1, ANKLE2, CONSTANTS, DATA, HIP1, HIP2, ORIGIN, TREE, F, N
from hybridsim_models.biped.contacts import (
    FX,
    FZ,
    N_GROUND,
    N_WRENCH,
    TX,
    TY,
    contact1,
    contact2,
    ground_rows,
    heel2,
    partition_of,
)
from hybridsim_models.biped.dynamics import hidden_yaw_moment, motor_power, push_force, trunk_centre
from hybridsim_models.biped.plant import dot, velocity_of
from hybridsim_models.biped.records import FLAT, P, mirror_of, on_ground

from .biped_states import (
    STANCES,
    accelerate,
    data_of,
    equations_of,
    mass_and_bias,
    outputs_of,
    parameters,
    random_moving,
    solved,
    some_body,
    stance_name,
)

FIXTURE = json.loads(Path(__file__).with_name("biped_by_sympy.json").read_text(encoding="utf-8"))
PLACED = {"shank1": ANKLE1, "thigh1": F.thigh1, "hat": HIP1, "thigh2": HIP2, "shank2": F.shank2, "foot2": ANKLE2}
PRINTED = (
    *(73, 73, 73, 86.550733, 86.546714, 76.875007, 75.712140, 1.465667, 29.103522, 10.608374),
    *(9.447046, 2.580687, 2.576487, 0.391101, 0.007179, 0.007938, 0.0022),
)
GRAVITY = 9.81


def fixture_data():
    """The constants of the model's mechanism, with the bodies of the fixture."""
    data = np.zeros(DATA)
    set_constants(data, CONSTANTS, DATA)
    for given in FIXTURE["bodies"]:
        name = given["name"]
        set_body(data, F[F._fields.index(name)], given["mass"], Vector(*given["centre"]), Vector(*given["inertia"]))
        if name in PLACED:
            set_place(data, PLACED[name], Vector(*given["place"]))
    return data


def assert_equations(found, expected, tolerance=1e-12):
    """Compare M and h in the units in which the diagonal of M is 1, so that light feet count, too."""
    scale = 1.0 / np.sqrt(np.diag(expected[0]))
    assert np.abs(scale[:, None] * (found[0] - expected[0]) * scale).max() <= tolerance
    error = np.linalg.norm(scale * (found[1] - expected[1]))
    assert error <= tolerance * np.linalg.norm(scale * expected[1])


@pytest.mark.parametrize("state", FIXTURE["states"], ids=lambda state: f"q0={state['q'][0]}")
def test_its_mechanism_has_the_equations_that_sympy_derives(state):
    q, u = np.array(state["q"]), np.array(state["u"])
    found = mass_and_bias(fixture_data(), q, u, FIXTURE["gravity"])
    assert_equations(found, (np.array(state["M"]), np.array(state["h"])))


def test_where_all_angles_are_zero_the_mass_matrix_has_the_printed_diagonal():
    """Lengths of the prototype were rounded to 0.1 mm, which is 2e-4 of the shortest limb's inertia arm."""
    mass, _ = mass_and_bias(data_of(parameters()), np.zeros(N), np.zeros(N), GRAVITY)
    np.testing.assert_allclose(np.diag(mass), PRINTED, rtol=2e-4)


def by_pinocchio(p):
    """The same body as 17 joints of one axis each."""
    m, h = p[P.mass], p[P.stature]
    model, joint = pin.Model(), 0
    hip, foot_place = h * table.HIP_DISTANCE, h * (table.HEEL_TO_ANKLE - table.HEEL_TO_TOE)
    ankle = h * table.ANKLE_HEIGHT
    foot, shank, thigh = table.FOOT, table.SHANK, table.THIGH
    trunk = table.Segment(table.HAT_MASS * p[P.hat_factor], 0.0, 0.0, table.HAT_INERTIA)
    foot_up = table.FOOT_CENTRE_HEIGHT * h
    pieces = (
        (foot, ("PX", "PY", "PZ", "RX", "RY"), (0, 0, 0), ((foot.centre - table.HEEL_TO_TOE) * h, 0, foot_up)),
        (shank, ("RX", "RY", "RZ"), (foot_place, 0, ankle), (0, 0, (shank.length - shank.centre) * h)),
        (thigh, ("RY",), (0, 0, shank.length * h), (0, 0, (thigh.length - thigh.centre) * h)),
        (trunk, ("RX", "RY"), (0, 0, thigh.length * h), (0, hip / 2, table.HAT_CENTRE * h + p[P.hat_shift])),
        (thigh, ("RY", "RX"), (0, hip, 0), (0, 0, -thigh.centre * h)),
        (shank, ("RY",), (0, 0, -thigh.length * h), (0, 0, -shank.centre * h)),
        (
            foot,
            ("RZ", "RY", "RX"),
            (0, 0, -shank.length * h),
            ((foot.centre - table.HEEL_TO_ANKLE) * h, 0, foot_up - ankle),
        ),
    )
    for segment, kinds, place, centre in pieces:
        for i, kind in enumerate(kinds):
            at = pin.SE3(np.eye(3), np.array(place, float) if i == 0 else np.zeros(3))
            joint = model.addJoint(joint, getattr(pin, f"JointModel{kind}")(), at, f"{joint}{kind}")
        inertia = np.diag(segment.inertia) * m * h * h * p[P.inertia_factor]
        body = pin.Inertia(m * segment.mass, np.array(centre, float), inertia)
        model.appendBodyToJoint(joint, body, pin.SE3.Identity())
    model.gravity.linear = np.array([0.0, 0.0, -p[P.g]])
    return model


@pytest.mark.parametrize("seed", range(8))
def test_any_body_has_the_equations_of_pinocchio(seed):
    rng = np.random.default_rng(seed)
    p = some_body(rng, g=rng.uniform(1.0, 20.0)) if seed else parameters()
    q, u = rng.uniform(-1.2, 1.2, N), rng.uniform(-3.0, 3.0, N)
    model = by_pinocchio(p)
    data = model.createData()
    bias = pin.rnea(model, data, q, u, np.zeros(N))
    mass = pin.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    assert_equations(mass_and_bias(data_of(p), q, u, p[P.g]), (mass, bias))


def wrenches(reactions, moving, motion):
    """The five reactions of each foot where the model reports them: about toe 1 and heel 2, with the soles' moments."""
    found, p, at = np.zeros(2 * N_WRENCH), moving.p, 0
    contacts, points = (moving.chart >> 1 & 3, moving.chart >> 3 & 3), (contact1, contact2)
    reported = (point_of(motion, F.foot1, ORIGIN), point_of(motion, F.foot2, heel2(p[P.stature])))
    for foot, contact in enumerate(contacts):
        if not on_ground(contact):
            continue
        count = N_WRENCH if contact == FLAT else N_WRENCH - 1
        own = found[N_WRENCH * foot : N_WRENCH * (foot + 1)]
        own[:count] = reactions[at : at + count]
        point = points[foot](moving.chart, p[P.stature])
        arm = np.subtract(point_of(motion, point.frame, point.place), reported[foot])
        own[TX : TY + 1] += np.cross(arm, own[FX : FZ + 1])[:2]
        own[TY] += moving.soles[foot] if contact != FLAT else 0.0
        at += count
    return found


@pytest.mark.members
@pytest.mark.parametrize("held", ["joints", "ideal"])
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", STANCES, ids=stance_name)
def test_reactions_of_the_projection_are_the_multipliers_of_the_whole_system(stance, mode, held):
    moving = random_moving(1, stance, mode, held)
    mass, bias, applied, rows, drifts, efforts = equations_of(moving)
    count = len(rows)
    system = np.block([[mass, -efforts.T], [rows, np.zeros((count, count))]])
    solution = solved(system, np.concatenate([applied - bias, -drifts]))
    udot, forces, motion = accelerate(moving)
    # Rounding grows where the dependent speeds are badly determined (in one of these attitudes by 200). In flight the
    # light foot is a small difference in M: foot 1 carries the whole body in these coordinates.
    growth = np.abs(np.linalg.inv(rows[:, partition_of(moving.chart).dependent])).max()
    tolerance = 1e-13 * max(growth, 100.0 if any(stance) else 1000.0)
    np.testing.assert_allclose(udot, solution[:N], rtol=0, atol=tolerance * np.abs(solution[:N]).max())
    size = tolerance * np.abs(solution[N:]).max()
    np.testing.assert_allclose(forces[: 2 * N_WRENCH], wrenches(solution[N:], moving, motion), rtol=0, atol=size)
    of_held = solution[N + ground_rows(moving.chart) :]
    np.testing.assert_allclose(forces[N_GROUND : N_GROUND + len(of_held)], of_held, rtol=0, atol=size)


@pytest.mark.members
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", [each for each in STANCES if any(each)], ids=stance_name)
def test_the_centre_of_pressure_is_that_of_the_rate_of_momentum_if_joints_hold(stance, mode):
    """Ideal rows hold trunk and foot 2 with moments from nowhere, which the ground does not know of."""
    apart = {}
    for held in ("joints", "ideal"):
        moving = random_moving(2, stance, mode, held)
        udot, forces, motion = accelerate(moving)
        force, moment = external_wrench(motion, TREE, udot, ORIGIN)
        push, arm = push_force(moving.instant), point_of(motion, F.hat, trunk_centre(moving.p))
        ground = np.subtract(force, push)
        about = np.subtract(moment, np.cross(arm, push))
        np.testing.assert_allclose(
            forces[FX : FZ + 1] + forces[N_WRENCH + FX : N_WRENCH + FZ + 1],
            ground,
            rtol=0,
            atol=1e-9 * np.abs(ground).max(),
        )
        y = outputs_of(moving)
        toe, heel = point_of(motion, F.foot1, ORIGIN), point_of(motion, F.foot2, heel2(moving.p[P.stature]))
        heights = np.array([toe.z, heel.z])
        sideways = np.array([[forces[k], forces[N_WRENCH + k]] for k in (0, 1)])
        # The points of contact of a random state are not at the height 0, to which the moments belong.
        level = (about[0] + heights @ sideways[1], about[1] - heights @ sideways[0])
        zmp = np.array([-level[1] / ground[2], mirror_of(moving.chart) * level[0] / ground[2]])
        apart[held] = np.abs(zmp - (y["cop_x"], y["cop_y"])).max() * abs(ground[2]) / (moving.p[P.mass] * moving.p[P.g])
        if held == "joints":
            free = hidden_yaw_moment(udot, forces, motion, moving.instant)
            held1, held2 = (
                point_of(motion, each.frame, each.place)
                for each in (contact1(moving.chart, moving.p[P.stature]), contact2(moving.chart, moving.p[P.stature]))
            )
            of_forces = np.cross(held1, forces[FX : FZ + 1]) + np.cross(held2, forces[N_WRENCH : N_WRENCH + 3])
            assert free == pytest.approx(about[2] - of_forces[2], abs=1e-9 * np.abs(about).max())
    assert apart["joints"] < 1e-10
    if not on_ground(stance[1]):
        assert apart["ideal"] > 1e-6


@pytest.mark.members
@pytest.mark.parametrize("turned", [0, 1])
@pytest.mark.parametrize("held", ["joints", "ideal"])
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("stance", STANCES, ids=stance_name)
def test_energy_changes_with_the_power_of_motors_and_pushes(stance, mode, held, turned):
    moving = random_moving(3, stance, mode, held, turned=turned)
    udot, forces, motion = accelerate(moving)
    mass, bias = mass_and_bias(data_of(moving.p), moving.q, moving.u, moving.p[P.g])
    # d/dt (kinetic + potential) = u . (M udot + h), with the weights in h
    rate = moving.u @ (mass @ udot + bias)
    power = motor_power(forces, motion, moving.instant)
    pushed = dot(push_force(moving.instant), velocity_of(motion, F.hat, trunk_centre(moving.p)))
    size = np.abs(moving.u * (mass @ udot + bias)).sum()
    assert power + pushed == pytest.approx(rate, abs=1e-12 * size)
    energies = []
    for step in (-2e-5, -1e-5, 1e-5, 2e-5):
        x = moving.x.copy()
        x[:N] += step * moving.u + 0.5 * step**2 * udot
        x[N : 2 * N] += step * udot
        y = outputs_of(moving._replace(x=x))
        energies.append(y["kinetic"] + y["potential"])
    by_differences = (energies[0] - 8 * energies[1] + 8 * energies[2] - energies[3]) / 12e-5
    assert by_differences == pytest.approx(rate, abs=1e-6 * size)
