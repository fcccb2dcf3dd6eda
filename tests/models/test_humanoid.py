"""Humanoids: numbers that point Jacobians in numpy have given, laws, and the walk that another program has found."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import yaml
from scipy.integrate import trapezoid

from hybridsim import ConfigError, Evaluator, ModelError, Parameter, Part, Records, compose, load_model, simulate
from hybridsim.config.optimization import load_optimization_config
from hybridsim.optimisation import run_optimization
from hybridsim_models.humanoid import winter
from hybridsim_models.humanoid.body import coman, human
from hybridsim_models.humanoid.coman import MODEL as COMAN
from hybridsim_models.humanoid.curve import curve_at
from hybridsim_models.humanoid.impedance import CONST, PPOLY, STEP
from hybridsim_models.humanoid.plant import humanoid

from .config_runs import CONFIGS, run_of

CURVES = yaml.safe_load((CONFIGS / "humanoid" / "walk.yaml").read_text())["parameters"]
ROBOT = coman().mechanism()
WEIGHT = 27.33174 * 9.81
A = {
    "base_z": 0.52,
    "base_angle": 0.05,
    **dict(zip(("left_hip", "left_knee", "left_ankle"), (0.4, 0.3, -0.1), strict=True)),
    **dict(zip(("right_hip", "right_knee", "right_ankle"), (-0.2, 0.6, 0.1), strict=True)),
}
CROUCH = {
    f"{leg}_{joint}": angle
    for leg in ("left", "right")
    for joint, angle in (("hip", 0.2), ("knee", 0.4), ("ankle", 0.2))
}
JOINTS = [f"{leg}_{joint}" for leg in ("left", "right") for joint in ("hip", "knee", "ankle")]


def test_the_mass_matrix_and_the_weights_are_those_of_point_jacobians():
    mass = ROBOT.mass_matrix(A)
    diagonal = [27.33174, 27.33174, 1.7618739487, 0.47887754595, 0.085801715173, 0.0032501068677]
    np.testing.assert_allclose(np.diag(mass), [*diagonal, 0.45486252763, 0.085231642217, 0.0032501068677], rtol=1e-10)
    assert np.linalg.det(mass) == pytest.approx(7.005130092e-8, rel=1e-9)
    held = [0, 268.12436940, -1.0095976862, 3.6652228714, -0.28664703032, 0.055597549487]
    np.testing.assert_allclose(
        ROBOT.inertia_forces(A), [*held, -5.4738341279, 3.0793987765, -0.13980703270], rtol=1e-10, atol=1e-12
    )


def test_the_points_of_the_feet_are_where_they_are():
    places = [
        ROBOT.position(A, f"{leg}_foot", (x, 0.0, -0.095))[[0, 2]] for leg in ("left", "right") for x in (-0.03, 0.0825)
    ]
    expected = [(0.0527616091, 0.0137589394), (0.1651210133, 0.0081362829)]
    expected += [(-0.2935775237, 0.1195016831), (-0.2112625260, 0.0428173226)]
    np.testing.assert_allclose(places, expected, atol=1e-10)


def test_centres_of_mass_are_where_they_are():
    upright = ROBOT.centre_of_mass({"base_z": 0.5218})
    np.testing.assert_allclose(upright[[0, 2]], (0.0058449091, 0.5302206417), atol=1e-10)
    crouch = ROBOT.centre_of_mass({"base_z": 0.5132924154, **CROUCH})
    np.testing.assert_allclose(crouch[[0, 2]], (0.0144879769, 0.5237420808), atol=1e-10)
    body = human()
    assert body.mass == pytest.approx(70.0)
    assert body.mechanism().centre_of_mass({"base_z": 0.972})[2] == pytest.approx(1.10, abs=0.01)


HELD = Records(*(Parameter(f"{joint}_held", 0.0, "N m") for joint in ("hip", "knee", "ankle")))


def held_torque(t, x, p, chart, leg, joint, angle, speed):
    return p[joint]


def held_target(t, x, p, chart, leg, joint):
    return 0.0


STATUE = compose(
    COMAN, {"control": Part("held", couplings={"torque": held_torque, "target": held_target}, parameters=HELD)}
)


def fallen(posture, height, friction=50.0):
    """Return the run that begins where the feet touch, with the speed of a fall of 5 mm."""
    feet = {f"{leg}_{kind}": friction for leg in ("left", "right") for kind in ("static", "kinetic")}
    speeds = {"base_xdot": 0.0, "base_zdot": -0.3132091953}
    return simulate(STATUE, initial={**posture, "base_z": height, **speeds}, parameters=feet, final_time=1e-9)


def test_standing_needs_the_forces_that_statics_says():
    torques = dict(zip(HELD.names, (-0.6536095742, -3.3914230862, -1.2120920556), strict=True))
    posture = {**CROUCH, "base_z": 0.5132924154, "base_xdot": 0.0}
    run = simulate(STATUE, initial=posture, parameters=torques, final_time=1e-6)
    for leg in ("left", "right"):
        assert run[f"{leg}0_force"][0] == pytest.approx(86.9187974, abs=1e-5)
        assert run[f"{leg}1_force"][0] == pytest.approx(47.1433873, abs=1e-5)
    accelerations = [(run[f"{joint}dot"][-1] - run[f"{joint}dot"][0]) / 1e-6 for joint in JOINTS]
    np.testing.assert_allclose(accelerations, 0.0, atol=1e-4)


def test_landing_on_both_soles_is_the_impact_of_four_points():
    run = fallen(CROUCH, 0.5132924154)
    leg = [2.8275861692, 4.2027024202, 1.9002831494]
    expected = [-0.1351799542, -0.1791685819, 0.5251668984, *leg, *leg]
    found = [run[f"{name}dot"][0] for name in ("base_x", "base_z", "base_angle", *JOINTS)]
    np.testing.assert_allclose(found, expected, atol=2e-8)
    before = 0.5 * 27.33174 * 0.3132091953**2
    assert before - run["kinetic"][0] == pytest.approx(0.7530082714, abs=1e-7)


def test_straight_legs_whose_rows_say_one_thing_twice_lose_as_much_as_they_do():
    """Rank 5 of 6: the forces are those of least norm, and the loss is unique."""
    run = fallen({}, 0.5218)
    before = 0.5 * 27.33174 * 0.3132091953**2
    assert before - run["kinetic"][0] == pytest.approx(1.3377562268, abs=1e-7)


def test_a_heel_that_sticks_stops_as_the_impact_equations_say():
    u = dict(zip(ROBOT.speeds.names, (0.45, -0.1, 0.2, -0.5, 0.3, 0.1, 1.0, -0.4, 0.2), strict=True))
    heel = (-0.03, 0.0, -0.095)
    rows = ROBOT.point_rows(A, "left_foot", heel, u)[[0, 2]]
    after = ROBOT.impact(A, u, rows, ROBOT.partition(rows))
    expected = [0.4158529466, -0.0775079636, 0.3345801196, 0.0605397266, 0.1304084456, -2.5568693792]
    np.testing.assert_allclose(after.x, [*expected, 1.3062806299, -0.2737237257, 0.1063401129], atol=1e-9)
    np.testing.assert_allclose(after.reactions, (0.2354411886, 0.6702968148), atol=1e-9)


def values_of(shares, values, phases):
    return np.array([curve_at(phase, [*shares, *values], 0, len(shares), len(values)) for phase in phases])


def test_a_curve_goes_through_its_points_and_nowhere_beyond_them():
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(3, 7))
        shares, values = rng.uniform(0.02, 1.0, n + 1), rng.normal(size=n)
        at = np.cumsum(shares)[:n] / shares.sum()
        np.testing.assert_allclose(values_of(shares, values, at), values, atol=1e-12)
        for i in range(n):
            end = at[(i + 1) % n] + (1.0 if i == n - 1 else 0.0)
            between = values_of(shares, values, np.linspace(at[i], end, 40)[1:-1] % 1.0)
            steps = np.diff(between) * np.sign(values[(i + 1) % n] - values[i])
            assert (steps >= -1e-12).all()


def test_a_curve_is_smooth_all_round():
    shares, values = (0.1, 0.3, 0.2, 0.25, 0.15), (0.2, -0.3, 0.1, 0.5)
    for place in (0.0, 0.1, 0.4, 0.6, 0.85):
        left, right = values_of(shares, values, [(place - 1e-6) % 1.0, (place + 1e-6) % 1.0])
        middle = values_of(shares, values, [place])[0]
        assert (right - middle) / 1e-6 == pytest.approx((middle - left) / 1e-6, abs=1e-3)


@pytest.mark.parametrize(("joint", "correlation"), [("hip", 0.9994), ("knee", 0.9984), ("ankle", 0.9871)])
def test_four_points_are_as_near_to_winters_angles_as_is_known(joint, correlation):
    fit = values_of(*winter.FIT[joint], 0.02 * np.arange(51) % 1.0)
    assert np.corrcoef(fit, winter.ANGLES[joint])[0, 1] == pytest.approx(correlation, abs=5e-5)


@pytest.mark.parametrize(("part", "count"), [(CONST, 33), (STEP, 45), (PPOLY, 81)])
def test_an_impedance_has_as_many_numbers_as_the_thesis_says(part, count):
    assert sum(len(each.default) if each.is_array else 1 for each in part.parameters) == count


@pytest.fixture(scope="module")
def walk():
    return run_of("humanoid/walk.yaml")


def test_the_walk_is_where_scipy_comes_to(walk):
    """By plain equations, see `plain_walker`; a prototype has printed 4.0449385."""
    assert walk["base_x"][-1] == pytest.approx(4.0449386292, abs=1e-8)
    period = 1 / CURVES["frequency"]
    assert period == pytest.approx(1.38215286, abs=1e-8)
    strides = [np.asarray(walk.at(k * period))[1:18] for k in range(1, 8)]
    misses = [np.abs(b - a).max() for a, b in pairwise(strides)]
    assert misses[-1] < 1e-5
    assert misses[-1] / misses[-2] == pytest.approx(0.275, abs=0.01)


def test_feet_of_the_walk_stand_half_of_the_time_and_never_pull(walk):
    late = (walk.t > 4 / CURVES["frequency"]) & (walk.t < 7 / CURVES["frequency"])  # whole strides
    for leg in ("left", "right"):
        stance = trapezoid(walk[f"{leg}_stance"][late], walk.t[late]) / trapezoid(np.ones(late.sum()), walk.t[late])
        assert stance == pytest.approx(0.5, abs=0.02)
        for point in "01":
            assert walk[f"{leg}{point}_force"].min() > -1e-9 * WEIGHT
            assert walk[f"{leg}{point}_gap"].min() > -1e-8
        loaded = walk[f"{leg}_normal"] > 1.0
        used = np.abs(walk[f"{leg}_tangential"][loaded & late] / walk[f"{leg}_normal"][loaded & late]).max()
        assert used == pytest.approx(0.311, abs=1e-3)
        assert np.abs(walk[f"{leg}_ankle_torque"]).max() == pytest.approx(27.8, abs=2.0)
    assert np.degrees(walk["base_angle"][late].min()) == pytest.approx(-2.55, abs=0.01)
    assert np.degrees(walk["base_angle"][late].max()) == pytest.approx(4.81, abs=0.01)


WORK = " + ".join(f"{joint}_torque * {joint}dot" for joint in JOINTS)


@pytest.mark.exhaustive  # slow; the walk is where SciPy comes to
def test_energy_of_the_walk_changes_by_work_and_is_lost_at_strikes(walk):
    runs = Evaluator(
        "coman", ["frequency"], {"work": f"integral({WORK})"}, parameters=CURVES, final_time=10.0, rtol=1e-8
    )
    work = runs({"frequency": CURVES["frequency"]})["work"]
    jumps = [i for i in range(1, len(walk.t)) if walk.t[i] == walk.t[i - 1]]
    losses = np.array([walk["energy"][i] - walk["energy"][i - 1] for i in jumps])
    assert losses.max() < 1e-6
    assert walk["energy"][-1] - walk["energy"][0] - losses.sum() == pytest.approx(work, abs=1e-3)


def test_a_mirrored_walk_is_as_long(walk):
    mirrored = run_of("humanoid/walk.yaml", "parameters.phase=0.5")
    assert mirrored["base_x"][-1] == pytest.approx(walk["base_x"][-1], abs=1e-9)
    np.testing.assert_allclose(mirrored["right_knee"][-1], walk["left_knee"][-1], atol=1e-8)


def test_a_walk_of_a_tenth_of_a_millisecond_of_error_is_cheap():
    metrics = {"x": "final(base_x)", "calls": "vector_field_calls"}
    runs = Evaluator(
        "coman", ["frequency"], metrics, parameters=CURVES, final_time=10.0, method="tsit5", rtol=1e-3, atol=1e-5
    )
    found = runs({"frequency": CURVES["frequency"]})
    assert found["x"] == pytest.approx(4.04493863, abs=1e-3)
    assert found["calls"] < 40_000


def test_a_fall_is_seen_once_and_the_run_goes_on_from_there():
    run = simulate("coman", final_time=3.0)
    assert run.t[-1] == 3.0
    falls = [event for event in run.events if "fall" in event.boundaries]
    assert len(falls) == 1
    down = run.t > falls[0].t
    assert min(run["base_z"][down].min() - 0.4, np.pi / 3 - abs(run["base_angle"][down]).max()) < -0.01
    up = run.t < falls[0].t
    assert run["base_z"][up].min() > 0.4
    assert abs(run["base_angle"][up]).max() < np.pi / 3
    assert sum("stride" in event.boundaries for event in run.events) == 2


def test_a_run_that_would_begin_in_a_fall_says_so():
    with pytest.raises(ConfigError, match="begins in a fall: the hips are below fall_height = 5 m"):
        simulate("coman", parameters={"fall_height": 5.0}, final_time=1.0)


@pytest.mark.exhaustive  # slow; pushes of the biped follow from theirs
def test_pushes_follow_from_their_seed():
    known = ("engine.rtol=1e-5", "final_time=4", "parameters.pushes=swing", "parameters.push_size=10")
    one, again, other = (run_of("humanoid/walk.yaml", *known, f"parameters.push_seed={seed}") for seed in (1, 1, 2))
    assert one["base_x"][-1] == again["base_x"][-1] != other["base_x"][-1]
    begins = [event.t for event in one.events if "left_push_changes" in event.boundaries]
    phases = np.array(begins) * CURVES["frequency"] % 1.0
    assert ((phases >= 0.5 - 1e-9) | (phases < 1e-9)).all()


@pytest.mark.exhaustive
def test_two_equal_impedances_are_one(walk):
    """And so are curves of stiffness and damping that are flat."""
    both = {
        f"{joint}_{kind}_2": CURVES[f"{joint}_{kind}"]
        for joint in ("hip", "knee", "ankle")
        for kind in ("stiffness", "damping")
    }
    common = {"final_time": 10.0, "rtol": 1e-8, "atol": 1e-9, "max_steps": 400_000}
    step = simulate("coman", parameters={**CURVES, **both, "control": "step"}, **common)
    assert step["base_x"][-1] == pytest.approx(walk["base_x"][-1], abs=1e-8)


def test_a_human_without_toes_has_two_joints_less_and_the_same_mass():
    bare = humanoid("bare", human(toes=False))
    assert "left_toe" in load_model("human").states.names
    assert "left_toe" not in bare.states.names
    assert human(toes=False).mass == pytest.approx(human().mass)


@pytest.mark.parametrize(
    ("limbs", "message"),
    [
        ({"height": -1.0}, r"human: height: expected a number greater than 0 \[m\], found -1.0; give for example 1.8"),
        ({"mass": 0.0}, r"human: mass: expected a number greater than 0 \[kg\], found 0.0; give"),
        ({"toe_inertia": -1e-3}, "human: toe_inertia: expected a number greater than 0"),
        ({"height": np.inf}, r"human: height: expected a finite number \[m\], found inf; write"),
        ({"mass": "heavy"}, r"human: mass: expected a finite number \[kg\], found 'heavy'; write"),
    ],
)
def test_impossible_limbs_are_refused(limbs, message):
    with pytest.raises(ModelError, match=message):
        human(**limbs)


BODY = human()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heel": 0.2}, "the heel, at 0.2 m, must be behind the ball of the foot"),
        (
            {"shank": BODY.shank._replace(length=0.0)},
            r"shank: length: expected a number greater than 0 \[m\], found 0.0",
        ),
        ({"shank": BODY.shank._replace(length=np.inf)}, r"shank: length: expected a finite number \[m\], found inf"),
        (
            {"thigh": BODY.thigh._replace(mass=-1.0)},
            r"thigh: mass: expected a number greater than 0 \[kg\], found -1.0",
        ),
        ({"foot": BODY.foot._replace(inertia=0.0)}, "foot: inertia: expected a number greater than 0"),
        ({"thigh": BODY.thigh._replace(x=np.nan)}, r"thigh: x of its centre of mass: expected a finite number \[m\]"),
        ({"thigh": (7.0, 0.0, -0.2)}, r"thigh: expected a Segment, found \(7.0, 0.0, -0.2\); give Segment\(mass"),
        ({"ball": np.inf}, r"ball: expected a finite number \[m\], found inf"),
        ({"sole": -0.1}, "sole: length: expected a number greater than 0"),
        ({"toe_stiffness": -100.0}, "toe_stiffness: expected 0 or more .*found -100.0; 0 is no spring"),
    ],
)
def test_a_body_whose_parts_cannot_be_is_refused(changes, message):
    with pytest.raises(ModelError, match=message):
        replace(BODY, **changes)


def test_a_model_that_is_no_figure_or_has_no_such_parameter_is_refused():
    with pytest.raises(ModelError, match="fast: there is no parameter 'speed'; it has frequency"):
        humanoid("fast", BODY, speed=3.0)
    with pytest.raises(ModelError, match=r"tall: expected a Figure, found .*; give coman\(\), human\(height=1.7\)"):
        humanoid("tall", human)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_a_search_from_winters_angles_walks_without_help_in_its_second_generation():
    few = ["optimize.runs=1", "optimize.method.generations=2"]
    config = load_optimization_config(CONFIGS / "humanoid" / "coman-search-const.yaml", few)
    found = run_optimization(config).best
    assert found.stage == 4
    assert found.confirmed
