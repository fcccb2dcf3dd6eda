"""A robot on a leg: its links against `Linkage`, its torques against the work of the leg, and what a search refuses."""

import importlib.util
import itertools

import numpy as np
import pytest

from hybridsim import optimize, simulate, verify
from hybridsim.config.optimization import load_optimization_config
from hybridsim.errors import ConfigError, ModelError
from hybridsim.multibody import Linkage
from hybridsim.optimisation import run_optimization
from hybridsim_models.wearable.statics import values_of
from hybridsim_models.wearable.topologies import DESIGNS, TOPOLOGIES
from hybridsim_models.wearable.winter import (
    CYCLE,
    HIP_ANGLE,
    HIP_MOMENT,
    KNEE_ANGLE,
    KNEE_MOMENT,
    harmonics_of,
)

from .config_runs import CONFIGS, run_of

HIP, KNEE, ANKLE, TORSO_LENGTH = 0.972, 0.522, 0.072, 0.5184
LIMB = {"hip": (0.0, HIP, "-y"), "knee": (0.0, KNEE, "y")}
TWO = {"torso": 0.5, "second": 0.15, "thigh": 0.6, "shank": 0.5, "pin1_x": 0.12, "pin1_z": 0.9}
TWO |= {"design": "t2_24", "pin2_x": -0.12, "pin2_z": 0.65}
DEFAULT = {"torso": 0.05, "second": 0.12, "thigh": 0.46, "shank": 0.11, "pin1_x": -0.114, "pin1_z": 1.231}
DEFAULT |= {"design": "t2_24", "pin2_x": -0.136, "pin2_z": 1.039}
TEN = {"torso": 0.37, "thigh": 0.89, "shank": 0.33, "pin1_x": -0.12, "pin1_z": 0.98, "pin2_x": -0.12, "pin2_z": 1.14}
TEN |= {"design": "t10_13", "pin3_x": -0.03, "pin3_z": 1.04}
LOCKING = {"torso": 0.34, "thigh": 0.52, "shank": 0.22, "pin1_x": -0.12, "pin1_z": 0.15, "pin2_x": 0.06, "pin2_z": 0.65}
LOCKING |= {"design": "t10_13", "pin3_x": 0.12, "pin3_z": 1.1}


def walk(setting, **keywords):
    """Return a run of one stride, or of as long as the linkage lets the leg go."""
    return simulate("wearable", parameters=setting, **{"final_time": CYCLE, "rtol": 1e-9, "atol": 1e-11} | keywords)


def linkage_of(setting):
    """Return the same robot as a `Linkage`, by the places of its joints in upright stance."""
    edges = TOPOLOGIES[DESIGNS[setting["design"]][0]]
    starts, lengths = (HIP, HIP, KNEE), (TORSO_LENGTH, KNEE - HIP, ANKLE - KNEE)
    places, seen, free = [], [], 0
    for body in (int(word[0]) for word in edges.split()):
        if body > 2:
            free += 1
            places.append((setting[f"pin{free}_x"], setting[f"pin{free}_z"]))
            continue
        along = setting["second" if body in seen else ("torso", "thigh", "shank")[body]]
        seen.append(body)
        places.append((0.0, starts[body] + along * lengths[body]))
    return Linkage(LIMB, edges, places)


@pytest.fixture(scope="module", params=[TWO, TEN], ids=["topology 2", "topology 10"])
def stride(request):
    run = walk(request.param)
    return request.param, run, linkage_of(request.param).close(np.stack([run["hip"], run["knee"]], axis=-1))


def test_the_curves_are_those_of_the_book():
    percent = np.arange(0, 101, 2)
    for curve, extremes in (
        (HIP_ANGLE, {0: 19.33, 52: -10.95, 88: 21.87}),
        (KNEE_ANGLE, {0: 3.97, 14: 21.67, 40: 7.72, 72: 64.86, 98: 0.54}),
        (HIP_MOMENT, {2: 0.6, 50: -0.404}),
        (KNEE_MOMENT, {2: -0.281, 14: 0.615, 44: -0.27}),
    ):
        values = np.array(curve)
        assert len(values) == 51
        assert {where: values[percent == where][0] for where in extremes} == extremes
        assert {values.min(), values.max()} <= {*extremes.values()}


def curve_at(curve, turns):
    """Return what ten harmonics of a curve are after a number of turns."""
    numbers, angles = harmonics_of(curve), 2.0 * np.pi * np.arange(1, 11) * np.asarray(turns)[:, None]
    return numbers[0] + np.cos(angles) @ numbers[1::2] + np.sin(angles) @ numbers[2::2]


@pytest.mark.parametrize(
    ("curve", "error"), [(HIP_ANGLE, 0.02), (KNEE_ANGLE, 0.08), (HIP_MOMENT, 0.03), (KNEE_MOMENT, 0.016)]
)
def test_ten_harmonics_describe_a_curve(curve, error):
    missed = curve_at(curve, np.linspace(0.0, 1.0, 51)) - np.array(curve)
    assert np.sqrt(np.mean(missed[1:-1] ** 2)) < error  # at its ends the table has two values for one instant


@pytest.mark.members(1)
def test_the_gait_of_a_run_is_the_curve(stride):
    _, run, _ = stride
    at = run["hip"][np.argmax(run.t > 0.52 * CYCLE)]
    assert np.degrees(at) == pytest.approx(-10.95, abs=0.3)
    assert np.degrees(run["knee"].max()) == pytest.approx(64.86, abs=0.3)


def test_the_links_are_where_newton_puts_them(stride):
    _, run, postures = stride
    for link in range(3, 7):
        found = np.stack([run[f"link{link}_{what}"] for what in ("x", "z", "turn")], axis=-1)
        assert found == pytest.approx(postures.bodies[:, link], abs=1e-8)
    assert run["gap"].max() < 1e-8


def test_torques_of_the_actuators_do_what_the_joints_of_the_leg_do(stride):
    setting, run, postures = stride
    transmission = postures.transmission[:, DESIGNS[setting["design"]][1:]]
    torques = np.stack([run["torque_1"], run["torque_2"]], axis=-1)
    moments = -70.0 * np.stack([curve_at(curve, run.t / CYCLE) for curve in (HIP_MOMENT, KNEE_MOMENT)], axis=-1)
    assert np.einsum("nij,ni->nj", transmission, torques) == pytest.approx(moments, abs=1e-5)
    step = 1e-6
    ahead, behind = (
        np.radians([curve_at(curve, run.t / CYCLE + sign * step) for curve in (HIP_ANGLE, KNEE_ANGLE)])
        for sign in (1.0, -1.0)
    )
    expected = np.einsum("nij,jn->ni", transmission, (ahead - behind) / (2.0 * step * CYCLE))
    assert np.stack([run["rate_1"], run["rate_2"]], axis=-1) == pytest.approx(expected, abs=1e-6)
    values = np.linalg.svd(transmission, compute_uv=False)
    assert run["least_value"] == pytest.approx(values[:, 1], abs=1e-7)
    assert run["largest_value"] == pytest.approx(values[:, 0], abs=1e-7)


def test_the_power_of_both_actuators_is_that_of_both_joints(stride):
    _, run, _ = stride
    signed = run["torque_1"] * run["rate_1"] + run["torque_2"] * run["rate_2"]
    angles = np.radians([curve_at(curve, np.linspace(0.0, 1.0, 20_001)) for curve in (HIP_ANGLE, KNEE_ANGLE)])
    moments = -70.0 * np.array([curve_at(curve, np.linspace(0.0, 1.0, 20_001)) for curve in (HIP_MOMENT, KNEE_MOMENT)])
    work = np.sum(0.5 * (moments[:, 1:] + moments[:, :-1]) * np.diff(angles))  # of the stride, with signs
    assert np.trapezoid(signed, run.t) == pytest.approx(work, abs=0.1)
    assert np.all(np.maximum(run["power"], run["leg_power"]) >= np.abs(signed) - 1e-6)
    assert run["work"][-1] == pytest.approx(np.trapezoid(run["power"], run.t), rel=2e-3)


def test_singular_values_are_those_of_numpy_also_where_both_are_equal():
    matrices = np.random.default_rng(3).normal(size=(20, 2, 2))
    matrices[:5] = [((c, -s), (s, c)) for c, s in np.random.default_rng(4).normal(size=(5, 2))]
    for matrix in matrices:
        found = values_of(*matrix.ravel().tolist())
        largest, least = np.linalg.svd(matrix, compute_uv=False)
        assert (found.least, found.largest) == (pytest.approx(least, rel=1e-13), pytest.approx(largest, rel=1e-14))
        assert found.determinant == pytest.approx(np.linalg.det(matrix), rel=1e-12)


def test_the_robot_weighs_what_its_parts_weigh(stride):
    setting, run, _ = stride
    linkage = linkage_of(setting)
    bars = [
        np.linalg.norm(linkage.places[one] - linkage.places[other])
        for one, other in itertools.combinations(range(6), 2)
        if {body for body in linkage.edges[one] if body > 2} & {*linkage.edges[other]}
    ]
    # two actuators of 2 kg and four joints of 0.5 kg on each leg: 12 kg
    assert run["mass"][0] == pytest.approx(12.0 + 2.0 * 0.7 * sum(bars))
    assert run["longest_bar"][0] == pytest.approx(max(bars))
    assert run["shortest_bar"][0] == pytest.approx(min(bars))
    assert 0.9 < run["centre"][0] < 1.1


def test_a_linkage_that_locks_ends_the_run_and_says_when():
    run = walk(LOCKING)
    assert run.status.name == "LEFT_CHART"
    assert "the linkage is locked" in run.message
    assert run.events[-1].boundaries == ("lock",)
    linkage, turns = linkage_of(LOCKING), run.t[-1] / CYCLE
    around = turns + np.array([-0.02, 0.02])
    angles = np.radians([curve_at(curve, around) for curve in (HIP_ANGLE, KNEE_ANGLE)]).T
    postures = linkage.close(angles, strict=False)
    assert postures.closed.tolist() == [True, False]
    with pytest.raises(ModelError, match=f"at t = {around[1] * CYCLE:.6g} s, hip .* the loops do not close"):
        linkage.refuse_singular(around[1:] * CYCLE, angles[1:], (1, 3))


def test_a_singular_posture_that_is_refused_ends_the_run_and_says_when():
    """By the singular values of `Linkage`; and no run begins in one."""
    run = walk(DEFAULT | {"singular_postures": "refused", "least": 0.7})
    assert run.status.name == "LEFT_CHART"
    assert run.events[-1].boundaries == ("singular_posture",)
    assert "the posture is singular: the rates of the actuators" in run.message
    assert f"(at t = {run.t[-1]:.6g}"[:-1] in run.message
    whole = walk(DEFAULT)
    angles = np.stack([whole["hip"], whole["knee"]], axis=-1)
    least, largest = linkage_of(DEFAULT).singular_values(angles, (2, 4))
    assert largest.max() < 5.0
    assert run.t[-1] == pytest.approx(whole.t[np.argmax(least < 0.7)], abs=0.01)
    assert run["least_value"][-1] == pytest.approx(0.7, abs=1e-6)
    assert verify(run).ok
    with pytest.raises(ConfigError, match="initial state: the posture is singular"):
        walk(DEFAULT | {"singular_postures": "refused", "least": 0.9})


def test_a_search_refuses_what_comes_from_a_singular_posture():
    """Optimisers exploit singular postures: actuators that hardly turn seem to do the work of a leg for nothing."""
    stages = [{"minimize": "final(singular)", "until": "final(singular) <= 0"}, {"minimize": "final(work)"}]
    found = optimize(
        "wearable",
        {"shank": (0.32, 0.34)},
        stages,
        structure={"design": ["t10_16", "t10_13"]},
        parameters={key: value for key, value in TEN.items() if key not in ("shank", "design")},
        final_time=CYCLE,
        rtol=1e-5,
        runs=1,
        search={"name": "mmpso", "population": 6, "generations": 3},
    )
    rows = found.table.to_pydict()
    stage = {
        design: {s for d, s in zip(rows["design"], rows["stage"], strict=True) if d == design}
        for design in rows["design"]
    }
    assert stage["t10_16"] == {1}
    assert found.best.setting["design"] == "t10_13"
    assert found.best.stage == 2


def test_a_search_of_all_designs_runs_and_its_best_setting_is_computed_again():
    small = ["optimize.method.population=8", "optimize.method.generations=2", "optimize.runs=1"]
    config = load_optimization_config(CONFIGS / "wearable" / "codesign.yaml", small)
    assert len(config.sweeps) == len(DESIGNS) == 126
    assert {len(config.active(number)) for number in range(126)} == {8, 9}
    assert run_optimization(config).searches[0].checks


@pytest.fixture(scope="module")
def hanging_leg():
    path = CONFIGS / "wearable" / "hanging_leg.py"
    spec = importlib.util.spec_from_file_location("hanging_leg", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return path, module


@pytest.mark.exhaustive  # torques of actuators do what the joints do
def test_actuators_hold_a_leg_with_the_torques_of_virtual_work(hanging_leg):
    """In dynamics with closed loops, at rest: T^T times the torques is the slope of the potential energy."""
    path, leg = hanging_leg
    run = simulate(path, parameters={"cycle": 1e9}, final_time=6.0, rtol=1e-9)
    posture = np.array([run["hip"][-1], run["knee"][-1]])

    def height(bodies, body, place):
        _, z, turn = bodies[body]
        return z - np.sin(turn) * place[0] + np.cos(turn) * place[1]

    def potential(angles):
        bodies = leg.LINKAGE.close(angles).bodies[0]
        robot = sum(mass * height(bodies, link, place) for link in leg.LINKS for mass, place, _ in leg.parts_of(link))
        depths = ((1, leg.HIP, *leg.LEG["thigh"][:2]), (2, leg.KNEE, *leg.LEG["shank"][:2]))
        return 9.81 * (
            robot + sum(mass * height(bodies, body, (0.0, top - depth)) for body, top, mass, depth in depths)
        )

    step = 1e-5 * np.eye(2)
    slope = np.array([potential(posture + d) - potential(posture - d) for d in step]) / 2e-5
    transmission = leg.LINKAGE.close(posture).transmission[0][leg.ACTUATED]
    targets = [numbers[0] + numbers[1::2].sum() for numbers in leg.TARGETS]
    angles = [run[f"joint{joint + 1}"][-1] for joint in leg.ACTUATED]
    torques = 6000.0 * (np.array(targets) - angles)
    assert torques == pytest.approx(np.linalg.solve(transmission.T, slope), abs=1e-3)
    assert np.abs(torques).max() > 10.0


def test_actuators_of_the_hanging_leg_move_it_through_the_gait():
    run = run_of("wearable/hanging_leg.yaml")
    later = run.t > 0.5
    for joint, curve in (("hip", HIP_ANGLE), ("knee", KNEE_ANGLE)):
        missed = np.degrees(run[joint]) - curve_at(curve, run.t / CYCLE)
        assert np.abs(missed[later]).max() < 2.5
    assert run["loop_error"].max() < 1e-9


def test_an_oscillator_learns_the_rhythm_of_its_wearer():
    run = run_of("networks/adaptive_frequency.yaml")
    late = run.t > 50.0
    mean = np.trapezoid(run["robot.omega"][late], run.t[late]) / (run.t[-1] - run.t[late][0])
    assert run["robot.omega"][0] == 4.0
    assert mean == pytest.approx(2.0 * np.pi * 0.8775, rel=2e-3)
    assert abs(CYCLE * 0.8775 - 1.0) < 1e-4


@pytest.mark.exhaustive  # slow: statistics of forty robots
@pytest.mark.slow
def test_morphologies_drawn_at_random_are_as_rare_as_is_said():
    spec = importlib.util.spec_from_file_location("random_robots", CONFIGS / "wearable" / "random_robots.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    n_closed, n_small, usable = module.examine(TOPOLOGIES[1], 40, np.random.default_rng(7))
    assert 0.25 * 40 < n_closed < 0.7 * 40
    assert 0 < n_small < n_closed
    assert usable[2, 4] >= max(usable.values()) - 3
    assert all(n <= n_closed for n in usable.values())


def test_the_robot_that_was_found_is_what_the_page_says():
    run = run_of("wearable/least_work.yaml")
    linkage = linkage_of(dict(run.parameters))
    gait = np.radians(np.stack([HIP_ANGLE, KNEE_ANGLE], axis=-1))
    for offset in itertools.product((-5.0, 0.0, 5.0), repeat=2):
        linkage.refuse_singular(CYCLE * np.linspace(0.0, 1.0, 51), gait + np.radians(offset), (1, 3))
    assert run["singular"][-1] == 0.0
    assert run["work"][-1] == pytest.approx(30.08, abs=0.01)
    own = walk(dict(run.parameters) | {"sway": 0.0})
    leg = np.trapezoid(own["leg_power"], own.t)
    assert leg == pytest.approx(39.2, abs=0.1)  # of actuators in the leg's own joints
    assert 0.05 < run["shortest_bar"][0] < run["longest_bar"][0] < 0.7
