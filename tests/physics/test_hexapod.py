"""The hexapod: its equations against independent ones, conservation laws, contact, and what it does when it runs."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hybridsim import Simulation, compose, load_model, simulate
from hybridsim.model.parameters import pack_parameters

Reference = runpy.run_path(str(Path(__file__).with_name("hexapod_reference.py")))["Reference"]
LEGS = range(6)
HILLS = {"terrain": "sinusoid", "terrain_arg1": 0.03, "terrain_arg2": 3.0, "terrain_arg3": 3.0}
ON_A_HILL = {"r_x": 0.5, "r_z": 0.2}  # for x = 0 the sinusoid is flat
CREEP, COULOMB, WEAK = {"friction": "creep"}, {"friction": "coulomb"}, {"damping": "hunt_crossley"}
SETTINGS = {  # t_c [s], duty, phi_s [rad], phi_o [rad], speed [m/s] of the third-party simulation without slipping
    "0": (0.9, 0.6875, 0.6, -0.15, 0.307),
    "1": (0.8, 0.69, 0.6109, -0.15, 0.419),
    "2": (0.53, 0.6226, 0.6981, -0.175, 0.576),
    "3": (0.53, 0.56, 0.6981, -0.15, 0.589),
}


def defaults(**changed):
    return {p.name: p.default for p in load_model("hexapod").parameters} | changed


def drive(t_c, duty, phi_s, phi_o, **more):
    return {"t_c": t_c, "t_s": duty * t_c, "phi_s": phi_s, "phi_o": phi_o, **more}


def walk(final_time, *, rtol=1e-6, period=0.005, initial=None, inputs=None, **parameters):
    return simulate(
        "hexapod",
        final_time=final_time,
        rtol=rtol,
        max_transitions=10**6,
        record={"period": period},
        initial=initial or {},
        inputs=inputs or {},
        parameters=parameters,
    )


def free_fall(final_time, *, period=0.005, rtol=1e-9, initial=None, **parameters):
    """Hips with no torque but friction."""
    return simulate(
        "hexapod",
        final_time=final_time,
        rtol=rtol,
        atol=rtol * 1e-3,
        record={"period": period},
        initial=initial or {},
        parameters={"control_type": "held", "command": "torque", **parameters},
    )


def mean_speed(run):
    late = run.t > 0.5 * run.t[-1]
    return np.hypot(np.ptp(run["r_x"][late]), np.ptp(run["r_y"][late])) / np.ptp(run.t[late])


@pytest.fixture(scope="module")
def gait():
    return walk(8.0, period=0.002, friction="coulomb")


@pytest.mark.parametrize("reaction", [0, 1])
def test_a_fall_onto_the_legs_agrees_with_independent_equations_and_scipy(reaction):
    # Legs stand from the start, so the chart does not change while they are compressed.
    start = {"r_z": 0.16, "v_z": -0.2, "v_y": 0.1, "omega_x": 0.5, "omega_z": -0.3, "roll": 0.02}
    changes = {"flight_reaction": reaction, "friction_coeff": 50.0, **{f"theta{i}_r0": 0.0 for i in LEGS}}
    run = free_fall(0.03, initial=start, **changes, posture4=2.5, rtol=1e-10)
    stance = [run["stance" + str(i)][0] > 0 for i in LEGS]
    assert stance == [True] * 4 + [False, True]
    assert not len(run.events)
    first = [run[name][0] for name in load_model("hexapod").states.names[:49]]
    reference = Reference(defaults(**changes), lambda leg, phi, phidot: 0.0)
    solution = solve_ivp(reference.derivative, (0, 0.03), first, "DOP853", args=(stance,), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(run.x[-1][:49], solution.y[:, -1], atol=2e-8)


def test_body_momentum_is_conserved_when_it_floats():
    run = walk(1.0, g=0.0, initial={"v_x": 0.3, "v_z": 0.1, "omega_x": 1.0, "omega_y": 0.4, "r_z": 1.0})
    inertia = np.diag([0.09917, 0.02917, 0.11700])
    for row in (0, -1):
        q = [run[f"q_{a}"][row] for a in "wxyz"]
        rotation = Reference({}, None).rotation(q)
        omega = np.array([run[f"omega_{a}"][row] for a in "xyz"])
        turning = rotation @ inertia @ rotation.T @ omega
        if row == 0:
            first = turning
    np.testing.assert_allclose(turning, first, atol=2e-6)
    np.testing.assert_allclose([run[f"momentum_{a}"][-1] for a in "xyz"], [2.1, 0.0, 0.7], atol=1e-12)


def test_total_momentum_is_conserved_in_flight_when_swinging_legs_react():
    run = walk(0.9, rtol=1e-9, g=0.0, flight_reaction=1, initial={"v_x": 0.3, "r_z": 1.0})
    assert np.ptp(run["v_y"]) > 1e-3  # the body is shaken by its legs
    for axis in "xyz":
        assert np.ptp(run[f"momentum_{axis}"]) < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        CREEP,
        COULOMB,
        COULOMB | WEAK,
        {"terrain": "sloped", "terrain_arg1": 0.05, "terrain_arg2": 0.1},
        COULOMB | {"terrain": "sloped", "terrain_arg2": -0.1},
        WEAK | HILLS,
    ],
    ids=str,
)
def test_the_work_of_the_motors_is_the_change_of_energy_and_the_losses(changes):
    run = walk(3.0, rtol=1e-9, flight_reaction=1, initial=ON_A_HILL, **changes)
    assert run.status.ok, run.message
    assert run["friction_loss"][-1] > 1.0
    spent = run["energy"] + sum(run[f"{kind}_loss"] for kind in ("damper", "friction", "impact"))
    closure = spent - run["motor_work"]
    assert np.ptp(closure) < 1e-6 * run["motor_work"][-1]


def test_the_ground_pushes_and_holds_within_the_cone_of_friction(gait):
    assert gait.status.ok, gait.message
    for leg in LEGS:
        assert gait[f"push{leg}"].min() > -1e-9
        assert np.all(gait[f"drag{leg}"] <= 0.5 * gait[f"push{leg}"] + 1e-9)
        slips = (gait[f"slipping{leg}"] > 0) & (gait[f"push{leg}"] > 1.0)
        assert slips.any()
        np.testing.assert_allclose(gait[f"drag{leg}"][slips], 0.5 * gait[f"push{leg}"][slips], atol=1e-8)


def slipping_rows(run, leg, least_push=1.0):
    return np.flatnonzero((run[f"slipping{leg}"] > 0) & (run[f"push{leg}"] > least_push))


def slip_velocity(run, row, leg, **changed):
    """Of the toe in this row [m/s], in W."""
    model = load_model("hexapod")
    rates = np.zeros(run.x.shape[1])
    model.functions["vector_field"](rates, run.t[row], run.x[row], packed(defaults(**changed)), int(run.chart[row]))
    toe = model.states.index(f"f{leg}_x")
    return rates[toe : toe + 3]


def test_a_slipping_toe_is_held_back(gait):
    for leg in LEGS:
        row = int(slipping_rows(gait, leg)[0])
        velocity = slip_velocity(gait, row, leg, friction="coulomb")
        power = sum(velocity[k] * gait[f"ground{leg}_{a}"][row] for k, a in enumerate("xyz"))
        assert power == pytest.approx(-np.linalg.norm(velocity) * gait[f"drag{leg}"][row], rel=1e-9)


@pytest.mark.slow
def test_the_excess_over_the_cone_is_what_drives_the_creep():
    run = walk(1.5, friction="creep")
    law = defaults()
    for leg in LEGS:
        rows = slipping_rows(run, leg)[::5]
        assert len(rows) > 3
        for row in rows:
            push = run[f"push{leg}"][row]
            creep = law["creep_damping"] * np.linalg.norm(slip_velocity(run, row, leg))
            excess = creep / (1 + creep / (law["creep_limit"] * law["friction_coeff"] * push))
            assert run[f"excess{leg}"][row] == pytest.approx(excess, abs=1e-8)
            assert run[f"drag{leg}"][row] == pytest.approx(0.5 * push + excess, abs=1e-8)
        stuck = (run[f"stance{leg}"] > 0) & (run[f"slipping{leg}"] == 0)
        assert run[f"excess{leg}"][stuck].max() < 1e-9


@pytest.mark.parametrize("law", ["creep", "coulomb"])
def test_on_ice_it_stays_where_it_is(law):
    run = walk(5.0, friction=law, friction_coeff=0.0)
    assert run.status.ok, run.message
    assert np.hypot(np.ptp(run["r_x"]), np.ptp(run["r_y"])) < 1e-3


@pytest.mark.parametrize("law", ["creep", "coulomb"])
def test_it_starts_no_faster_than_friction_allows(law):
    coefficient, time = 0.01, 2.0
    run = walk(time, friction=law, friction_coeff=coefficient)
    hold = coefficient * (1.0 + (defaults()["creep_limit"] if law == "creep" else 0.0))
    pushed = np.trapezoid(run["ground_force"], run.t) / 7.0  # [m/s]: 7 kg
    assert 0.0 < run["v_y"][-1] < 1.02 * hold * pushed


def packed(values):
    model = load_model("hexapod")
    return pack_parameters(model, {**values, **{i.name: i.default for i in model.inputs}})


def test_motors_stay_within_their_line_of_torque_over_speed(gait):
    no_load = 10000 * 2 * math.pi / 60 / 33.0625
    for leg in LEGS:
        torque, power = gait[f"torque{leg}"], gait[f"power{leg}"]
        assert np.abs(torque).max() <= 4.0
        drives = power > 1e-6
        speed = np.abs(power[drives] / torque[drives])
        assert np.all(np.abs(torque[drives]) <= 4.0 * (1 - speed / no_load) + 1e-9)


def test_it_stands_as_high_as_its_springs_balance_its_weight():
    upright = {f"theta{i}_r0": 0.0 for i in LEGS}
    run = free_fall(1.5, initial={"r_z": 0.165}, rtol=1e-8, **upright)
    stiffness = 4 * 1200.0 + 2 * 1600.0
    assert run["r_z"][-1] == pytest.approx(0.17 - 7.0 * 9.81 / stiffness, abs=1e-5)
    assert run["ground_force"][-1] == pytest.approx(7.0 * 9.81, rel=1e-3)


def test_a_mirrored_run_mirrors():
    start = {"r_z": 0.2, "v_x": 0.2, "roll": 0.1, "omega_z": 0.3, "omega_x": 0.2}
    mirrored = {"r_z": 0.2, "v_x": -0.2, "roll": -0.1, "omega_z": -0.3, "omega_x": 0.2}
    one, other = (free_fall(0.3, initial=initial) for initial in (start, mirrored))
    assert len(one.events) > 5
    np.testing.assert_allclose(one["r_x"][-1], -other["r_x"][-1], atol=1e-8)
    np.testing.assert_allclose(one["body_roll"][-1], -other["body_roll"][-1], atol=1e-8)
    np.testing.assert_allclose(one["push1"][-1], other["push4"][-1], atol=1e-6)


def mirrored_legs(values, per_leg=1):
    """Of legs 3-5 for those of 0-2, and the other way around: [6 per_leg]."""
    return np.roll(values, 3 * per_leg)


def mirrored_state(model, x):
    """X, or its rates, seen in a mirror at x = 0 of W: legs change sides, rotations about y and z turn around."""
    mirror, at = np.array(x), model.states.index
    for name in ("r_x", "v_x", "q_y", "q_z", "omega_y", "omega_z"):
        mirror[at(name)] *= -1.0
    for name in ("f0_x", "fdot0_x"):
        toes = slice(at(name), at(name) + 18)
        mirror[toes] = mirrored_legs(x[toes], 3) * np.tile([-1.0, 1.0, 1.0], 6)
    references = slice(at("phi_ref0"), at("phi_ref0") + 6)
    mirror[references] = mirrored_legs(x[references])
    for name in ("used_t_s", "used_phi_o", "used_turn"):
        left, right = at(f"{name}_left"), at(f"{name}_right")
        mirror[[left, right]] = x[[right, left]]
    return mirror


def mirrored_chart(chart):
    """Three fields with the bits of six legs, around the bit of the battery: stance, slip, phase."""
    stance, slip, rest, phase = chart & 63, chart >> 6 & 63, chart & 1 << 12, chart >> 13

    def swap(field, bits):
        return field >> 3 * bits | (field & (1 << 3 * bits) - 1) << 3 * bits

    return swap(stance, 1) | swap(slip, 1) << 6 | rest | swap(phase, 2) << 13


@pytest.mark.parametrize("changes", [CREEP, COULOMB, COULOMB | WEAK, COULOMB | {"gait": "turn_left"}], ids=str)
def test_a_mirrored_gait_mirrors(changes):
    run = walk(1.2, inputs={"dphi_o": 0.06}, **changes)
    model, p = load_model("hexapod"), packed(defaults(**changes))
    field, boundaries = model.functions["vector_field"], model.functions["boundaries"]
    tripod, rows = model.states.index("tripod"), range(3, len(run.t), 5)
    slips = {leg for leg in LEGS for row in rows if run[f"slipping{leg}"][row]}
    assert slips == set(LEGS)
    for row in rows:
        t, x, chart = run.t[row], run.x[row], int(run.chart[row])
        mirror = mirrored_state(model, x)
        mirror[tripod] = 1.0 - x[tripod]
        rates, other, g, g_other = np.zeros(len(x)), np.zeros(len(x)), *np.zeros((2, len(model.boundary_records)))
        field(rates, t, x, p, chart)
        field(other, t, mirror, p, mirrored_chart(chart))
        np.testing.assert_allclose(other, mirrored_state(model, rates), rtol=1e-9, atol=1e-9)
        boundaries(g, t, x, p, chart)
        boundaries(g_other, t, mirror, p, mirrored_chart(chart))
        for kind in ("liftoff", "touchdown", "slip", "stick", "tick"):
            places = [model.boundary_records.index(f"{kind}{leg}") for leg in LEGS]
            np.testing.assert_allclose(g_other[places], mirrored_legs(g[places]), rtol=1e-9, atol=1e-9)


def test_place_and_heading_do_not_matter():
    here = walk(1.0, rtol=1e-10)
    there = walk(1.0, rtol=1e-10, initial={"r_x": 7.0, "r_y": -3.0, "yaw": 1.0})
    assert len(here.events) == len(there.events)
    along = [here["r_x"][-1] - 0.0, here["r_y"][-1] + 0.5]
    turned = [
        math.cos(1.0) * along[0] - math.sin(1.0) * along[1],
        math.sin(1.0) * along[0] + math.cos(1.0) * along[1],
    ]
    np.testing.assert_allclose([there["r_x"][-1] - 7.0, there["r_y"][-1] + 3.0], turned, atol=1e-6)
    np.testing.assert_allclose(here["body_pitch"][-1], there["body_pitch"][-1], atol=1e-6)


def test_event_times_converge_with_the_tolerance():
    def times(rtol):
        return walk(0.5, rtol=rtol).events.t[:20]

    exact = times(1e-11)
    errors = [np.abs(times(rtol) - exact).max() for rtol in (1e-5, 1e-7, 1e-9)]
    assert errors[0] > 3 * errors[1] > 9 * errors[2]
    assert errors[2] < 1e-7


@pytest.fixture(scope="module", params=["creep", "coulomb"])
def speeds(request):
    """By setting, under both laws of friction: (law, speeds)."""
    found = {}
    for name, (*numbers, _) in SETTINGS.items():
        run = walk(16 * numbers[0], inputs=drive(*numbers), friction=request.param)
        assert run.status.ok, run.message
        found[name] = mean_speed(run)
    return request.param, found


@pytest.mark.slow
def test_the_four_settings_are_as_fast_as_elsewhere(speeds):
    law, found = speeds
    for name in SETTINGS if law == "creep" else "23":  # under Coulomb's law the slow settings slip: see the docs
        assert found[name] == pytest.approx(SETTINGS[name][4], rel=0.15)
    assert found["2"] == pytest.approx(0.55, rel=0.15)  # Saranli, Buehler, Koditschek 2001, table 1


def test_the_longer_the_period_the_slower_it_is(speeds):
    _, found = speeds
    assert found["0"] < found["1"] < min(found["2"], found["3"])


@pytest.mark.parametrize("law", ["creep", "coulomb"])
def test_backward_runs_backward(law):
    run = walk(5.0, gait="backward", inputs={"phi_o": 0.15}, friction=law)
    assert np.mean(run["speed"]) < -0.3


@pytest.mark.parametrize(("gait", "sign"), [("turn_right", -1), ("turn_left", 1)])
def test_turning_in_place_turns_in_place(gait, sign):
    run = walk(4.0, gait=gait, inputs={"phi_o": 0.0}, friction="coulomb")
    assert sign * np.unwrap(run["body_yaw"])[-1] > 1.0
    assert np.hypot(run["r_x"] - 0.0, run["r_y"] + 0.5).max() < 0.05


@pytest.mark.parametrize("law", ["creep", "coulomb"])
def test_an_offset_between_the_sides_turns_the_more_the_larger_it_is(law):
    runs = [walk(6.0, inputs={"dphi_o": offset}, friction=law) for offset in (0.0, 0.06, 0.113)]
    turns = [np.unwrap(run["body_yaw"])[-1] for run in runs]
    assert turns[0] > turns[1] + 0.2
    assert turns[1] > turns[2] + 0.2


def test_it_crosses_a_ditch_that_is_shorter_than_its_stride():
    wide, walls = 0.02, 2 * (0.03 / 4.0)
    run = walk(6.0, terrain="ditchedflat", terrain_arg1=0.5, terrain_arg2=wide, terrain_arg3=0.03)
    assert run.status.ok, run.message
    assert mean_speed(run) * 0.53 > wide + walls
    assert run["r_y"][-1] > 1.0
    assert run["clearance"].min() > 0.1


def test_a_fall_into_a_wide_ditch_is_reported_in_words():
    run = walk(10.0, terrain="ditchedflat", terrain_arg1=0.0, terrain_arg2=0.5, terrain_arg3=0.2)
    assert not run.status.ok
    assert "body toppled over: its centre is below the ground" in run.message


@pytest.mark.parametrize(
    ("terrain", "least_rise"),
    [
        (HILLS, 0.03),
        ({"terrain": "sloped", "terrain_arg2": 0.1}, 0.1),
        ({"terrain": "height_map", "height_map": [0.01 * math.sin(7.0 * k) for k in range(441)]}, 0.01),
    ],
    ids=lambda given: given["terrain"] if isinstance(given, dict) else "",
)
def test_it_runs_over_uneven_ground(terrain, least_rise):
    run = walk(5.0, initial=ON_A_HILL, **terrain)
    assert run.status.ok, run.message
    assert run["r_y"][-1] > 1.0
    assert np.ptp(run["r_z"] - run["clearance"]) > least_rise  # of the ground under the body
    assert min(run[f"push{leg}"].min() for leg in LEGS) > -1e-9


@pytest.mark.parametrize("changes", [WEAK, COULOMB, COULOMB | WEAK], ids=str)
def test_other_laws_of_contact_run_as_well(changes):
    run = walk(5.0, **changes)
    assert run.status.ok, run.message
    assert mean_speed(run) == pytest.approx(0.576, rel=0.15)
    assert min(run[f"push{leg}"].min() for leg in LEGS) > -1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        COULOMB | WEAK,
        CREEP | {"terrain": "sloped", "terrain_arg2": 0.1},
        COULOMB | HILLS,
        CREEP | WEAK | {"terrain": "ditchedflat", "terrain_arg1": 1.0, "terrain_arg2": 0.02, "terrain_arg3": 0.03},
    ],
    ids=str,
)
def test_it_runs_for_a_minute(changes):
    run = walk(60.0, period=0.01, initial=ON_A_HILL, **changes)
    assert run.status.ok, run.message
    if changes.get("terrain") == "ditchedflat":  # there some legs reach their end stops
        assert max((run[f"rho{leg}"] * run[f"stance{leg}"]).max() for leg in LEGS) < 0.18
    else:
        assert not [name for name, count in run.statistics.items() if name.startswith("warning") and count]
    assert run.t[-1] == 60.0
    assert np.hypot(run["r_x"][-1] - 0.5, run["r_y"][-1] + 0.5) > 10.0
    assert min(run[f"push{leg}"].min() for leg in LEGS) > -1e-8
    # Each leg begins a stance and a swing per period of 0.53 s, and has four ticks: 68 events per second at least.
    assert np.histogram(run.events.t, np.arange(61.0))[0].max() < 300


def test_strong_friction_sticks_and_slips_without_chatter_where_dampers_are_weak():
    run = walk(2.2, friction="coulomb", friction_coeff=2.0, damping="hunt_crossley")
    assert run.status.ok, run.message
    for leg in LEGS:
        assert (run[f"drag{leg}"] - 2.0 * run[f"push{leg}"]).max() < 1e-8
        slips = [event.t for event in run.events if f"slip{leg}" in event.boundaries]
        assert np.diff(slips).min(initial=1.0) > 1e-6


def test_the_clock_changes_its_period_where_the_phases_meet():
    simulation = Simulation("hexapod", max_transitions=10**6)
    simulation.advance(0.3)
    simulation.inputs["t_c"] = 0.6
    simulation.inputs["t_s"] = 0.4
    simulation.advance(0.5)
    assert simulation["used_t_c"] == 0.53
    simulation.advance(1.2)
    assert simulation["used_t_c"] == 0.6
    run = simulation.result()
    halves = sorted({event.t for event in run.events if len([b for b in event.boundaries if "tick" in b]) == 6})
    np.testing.assert_allclose(halves, [0.265, 0.53, 0.83, 1.13], rtol=1e-14)


def test_an_empty_battery_stops_the_motors():
    run = walk(1.0, battery_capacity=1e-3)
    assert run.events.count("battery_empty") == 1
    empty = run["charge"] == 0.0
    assert empty.any()
    assert np.abs(run["torque0"][empty]).max() < 1e-12  # friction of the gear has been added and subtracted


def test_hunt_and_crossleys_damper_takes_no_force_where_the_leg_is_not_deflected():
    changes = {f"theta{i}_r0": 0.0 for i in LEGS} | {"damping": "hunt_crossley"}
    model = compose(load_model("hexapod").plant, {"control_type": "held"})
    run = simulate(model, final_time=0.05, initial={"r_z": 0.1700001, "v_z": -0.5}, parameters=changes)
    landed = np.flatnonzero(run["stance0"] > 0)[0]
    deflection = 0.17 - run["rho0"][landed]
    assert 0.0 < deflection < 2e-4
    # With the linear damper it would be 12 N s/m 0.5 m/s = 6 N and the spring's.
    push = deflection * (1200.0 + 12.0 / 0.01 * 0.5)
    assert run["push0"][landed] == pytest.approx(push, rel=1e-2)
