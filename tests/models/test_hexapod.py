"""The hexapod's files: terrain, SimSect's own rc file, and commands from outside."""

import math
from pathlib import Path

import numpy as np
import pytest

from hybridsim import ConfigError, Simulation, load_config, load_model
from hybridsim.model.parameters import pack_parameters
from hybridsim.model.registry import load_part
from hybridsim_models.hexapod.terrain import gradient, height

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs" / "hexapod"


def terrain(**changed):
    model = load_model("hexapod")
    values = {parameter.name: parameter.default for parameter in model.parameters} | changed
    return pack_parameters(model, {**values, **{i.name: i.default for i in model.inputs}})


@pytest.mark.members(3)
@pytest.mark.parametrize(
    "p",
    [
        terrain(terrain="sinusoid", terrain_arg1=0.2, terrain_arg2=3.0, terrain_arg3=2.0),
        terrain(terrain="sloped", terrain_arg1=0.1, terrain_arg2=0.2, terrain_arg3=0.3),
        terrain(terrain="ditchedflat", terrain_arg1=0.1, terrain_arg2=0.3, terrain_arg3=0.2),
        terrain(terrain="height_map", height_map=[21, 21, *(math.sin(5.0 * k) for k in range(441))], map_height=0.3),
        terrain(terrain="stairs", terrain_arg1=-0.1, terrain_arg2=0.13, terrain_arg3=-0.05),
        terrain(terrain="rough", terrain_arg1=0.1, terrain_arg2=0.2, terrain_arg3=3),
    ],
    ids=["sinusoid", "sloped", "ditch", "map", "stairs", "rough"],
)
def test_the_slopes_of_a_terrain_are_those_of_its_height_and_jump_nowhere(p):
    step = 1e-6
    for x, y in np.random.default_rng(3).uniform(-0.5, 0.5, (200, 2)):
        slopes = gradient(x, y, p)
        differences = [
            (height(x + step, y, p) - height(x - step, y, p)) / (2 * step),
            (height(x, y + step, p) - height(x, y - step, p)) / (2 * step),
        ]
        np.testing.assert_allclose(slopes, differences, atol=2e-3)
        np.testing.assert_allclose(gradient(x + 1e-6, y + 1e-6, p), slopes, atol=2e-3)


def test_a_ditch_is_as_deep_and_as_wide_as_its_parameters():
    p = terrain(terrain="ditchedflat", terrain_arg1=0.1, terrain_arg2=0.3, terrain_arg3=0.2)
    assert height(0.0, 0.25, p) == pytest.approx(-0.2)
    assert height(0.0, 0.12, p) == pytest.approx(-0.2)
    assert [height(0.0, y, p) for y in (0.0, 0.5)] == pytest.approx([0.0, 0.0])


def test_stairs_have_the_treads_and_steps_of_their_parameters():
    p = terrain(terrain="stairs", terrain_arg1=0.5, terrain_arg2=0.3, terrain_arg3=0.05, wall_slope=5.0, edge=0.01)
    middles = 0.5 + 0.3 * np.arange(4) + 0.15
    assert [height(0.0, y, p) for y in middles.tolist()] == pytest.approx([0.05, 0.1, 0.15, 0.2])
    assert [height(0.0, y, p) for y in (-3.0, 0.48)] == [0.0, 0.0]


def test_a_height_map_has_its_heights_at_its_nodes_and_reproduces_a_slope():
    heights = np.random.default_rng(4).random((5, 9))
    p = terrain(
        terrain="height_map", height_map=[5, 9, *heights.ravel()], map_x=1.0, map_y=-2.0, map_step=0.5, map_height=0.1
    )
    for (row, column), level in np.ndenumerate(heights):
        assert height(1.0 + 0.5 * column, -2.0 + 0.5 * row, p) == pytest.approx(0.1 * level)
    slope = np.add.outer(0.02 * np.arange(7), 0.03 * np.arange(8))
    p = terrain(terrain="height_map", height_map=[7, 8, *slope.ravel()], map_x=0.0, map_y=0.0, map_step=0.5)
    for x, y in np.random.default_rng(5).uniform(0.5, 2.5, (50, 2)):  # Catmull's and Rom's cubics are exact for planes
        assert height(x, y, p) == pytest.approx(0.06 * x + 0.04 * y)
        assert gradient(x, y, p) == pytest.approx((0.06, 0.04))


def test_rough_ground_fills_its_range_and_depends_on_its_seed():
    def levels(seed):
        p = terrain(terrain="rough", terrain_arg1=0.1, terrain_arg2=0.2, terrain_arg3=seed)
        return np.array([[height(0.2 * i, 0.2 * j, p) for i in range(-25, 25)] for j in range(-25, 25)])

    first, second = levels(1), levels(2)
    assert (first == levels(1)).all()
    # 2,500 independent numbers, uniform from -1 to 1: the mean is 0 and the variance 1/3, within five standard errors
    for each in (first / 0.1, second / 0.1):
        assert abs(each).max() <= 1.0
        assert abs(each.mean()) < 5.0 * np.sqrt(1.0 / 3.0 / each.size)
        assert each.var() == pytest.approx(1.0 / 3.0, abs=5.0 * np.sqrt(4.0 / 45.0 / each.size))
        for shifted in (each[1:] * each[:-1], each[:, 1:] * each[:, :-1], first * second / 0.01):
            assert abs(shifted.mean()) < 5.0 / 3.0 / np.sqrt(shifted.size)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"terrain": "height_map"}, "needs heights: give height_map a list of rows or a file"),
        ({"terrain": "stairs", "terrain_arg3": 0.05}, r"needs the depth of a tread \[m\]: set terrain_arg2 above 0"),
    ],
    ids=["no map", "no tread"],
)
def test_a_terrain_whose_shape_is_not_given_is_refused(parameters, message):
    with pytest.raises(ConfigError, match=message):
        Simulation("hexapod", parameters=parameters)


@pytest.mark.parametrize(("terrain", "counts"), [("flat", True), ("height_map", False)])
def test_a_height_map_that_is_not_used_is_counted_as_a_warning(terrain, counts):
    parameters = {"terrain": terrain, "height_map": [[0.01, 0.01], [0.01, 0.01]]}
    run = Simulation("hexapod", final_time=0.1, parameters=parameters).run()
    assert run.status.ok
    assert (run.statistics["warning: height_map is not used; set terrain = height_map"] > 0) == counts


def test_simsects_own_rc_file_floats_as_it_has_no_gravity():
    run = Simulation.from_config(load_config(CONFIGS / "SimSect.rc")).run()
    assert run.status.ok
    assert run.t[-1] == 1.0
    assert {name[:4] for event in run.events for name in event.boundaries} == {"tick"}
    np.testing.assert_array_equal([run["r_x"][-1], run["r_y"][-1], run["r_z"][-1]], [0.0, -0.5, 0.18])


def test_a_held_voltage_turns_a_free_hip_at_the_speed_of_its_motor():
    simulation = Simulation(
        "hexapod", parameters={"control_type": "held", "g": 0.0, "hip_damping": 0.0}, initial={"r_z": 1.0}
    )
    simulation.inputs["voltage2"] = 6.0
    simulation.advance(0.5)
    before = simulation["phi2"]
    simulation.advance(0.501)
    speed = (simulation["phi2"] - before) / 0.001
    assert speed == pytest.approx(6.0 * 61.261056 / 33.0625, rel=1e-3)
    assert simulation["phi0"] == pytest.approx(0.0, abs=1e-6)


def test_a_torque_that_tears_a_toe_loose_makes_it_slip_at_once():
    simulation = Simulation("hexapod", parameters={"control_type": "held", "command": "torque"}, initial={"r_z": 0.16})
    simulation.advance(0.05)
    assert [simulation[f"slipping{leg}"] for leg in (0, 1, 2)] == [0.0] * 3
    simulation.inputs["drive1"] = -4.0
    simulation.advance(0.051)
    assert simulation["stance1"] == 1.0
    assert simulation["slipping1"] == 1.0


def test_a_run_goes_on_from_its_initial_file_to_the_same_bits(tmp_path):
    first = Simulation("hexapod", final_time=0.3, initial={"roll": 0.1, "yaw": 0.3}).run()
    again = Simulation(
        "hexapod",
        final_time=0.3,
        initial=dict(zip(load_model("hexapod").states.names, first.x[0].tolist(), strict=True)),
    ).run()
    np.testing.assert_array_equal(first.x[-1], again.x[-1])


LEVELLER = """
from hybridsim import Boundary, Output, Part, State


def torque(t, x, p, chart, leg, phi, phidot):
    return x[leg] - 20.0 * phi - 0.3 * phidot


def boundaries(g, t, x, p, chart):
    g[0] = 0.01 * (x[6] + 1.0) - t


def transition(x_new, t, x, p, chart, crossed, attitude, on_ground):
    # A sampled law: every 10 ms, legs that stand push against the pitch.
    if crossed[0]:
        x_new[6] += 1.0
        for leg in range(6):
            x_new[leg] = -2.0 * attitude(t, 1) * on_ground(t, leg)
    return chart


def hip_angle(t, x, p, chart, leg):
    return 0.0


def outputs(y, t, x, p, chart, hip, leg_length, on_ground, attitude, gyro):
    for leg in range(6):
        y[leg], y[6 + leg], y[12 + leg] = hip(t, leg), leg_length(t, leg), on_ground(t, leg)
    for axis in range(3):
        y[18 + axis], y[21 + axis] = attitude(t, axis), gyro(t, axis)


SEEN = [f"{name}{i}" for name in ("hip", "length", "ground") for i in range(6)]
SEEN += [f"{name}{axis}" for name in ("seen_angle", "seen_rate") for axis in range(3)]
PART = Part(
    "leveller",
    tuple(State(f"offset{leg}", 0.0, "N m", continuous=False) for leg in range(6))
    + (State("ticks", 0.0, continuous=False),),
    couplings=(
        torque,
        hip_angle,
    ),
    outputs=outputs,
    boundaries=boundaries,
    transition=transition,
    boundary_records=(Boundary("sample", unit="s", time=True),),
    output_records=tuple(Output(name) for name in SEEN),
    slot="hexapod.control_type",
)
"""


@pytest.mark.exhaustive  # it compiles the hexapod for parts of users; below is what it sees in plain Python
def test_a_controller_of_ones_own_sees_hips_toes_and_body(tmp_path):
    file = tmp_path / "leveller.py"
    file.write_text(LEVELLER)
    run = Simulation(
        "hexapod",
        final_time=0.4,
        parameters={"control_type": str(file)},
        initial={"r_z": 0.2, "pitch": 0.05, "roll": 0.1, "yaw": 0.4, "omega_x": 0.5, "omega_z": -0.2},
    ).run()
    assert run.status.ok, run.message
    for leg in range(6):
        np.testing.assert_allclose(run[f"hip{leg}"], run[f"phi{leg}"], atol=1e-14)
        np.testing.assert_allclose(run[f"length{leg}"], run[f"rho{leg}"], atol=1e-14)
        np.testing.assert_array_equal(run[f"ground{leg}"], run[f"stance{leg}"])
        assert set(run[f"ground{leg}"]) == {0.0, 1.0}
    for axis, name in enumerate(("roll", "pitch", "yaw")):
        np.testing.assert_allclose(run[f"seen_angle{axis}"], run[f"body_{name}"], atol=1e-14)
    ticks = [row for row in range(1, len(run.t)) if run["ticks"][row] > run["ticks"][row - 1]]
    assert len(ticks) == 39 or len(ticks) == 40
    for row in ticks:
        assert run["offset1"][row] == pytest.approx(-2.0 * run["body_pitch"][row] * run["stance1"][row - 1], abs=1e-14)
    in_world = np.array([run[f"omega_{axis}"] for axis in "xyz"])
    in_body = np.array([run[f"seen_rate{axis}"] for axis in range(3)])
    np.testing.assert_allclose(np.linalg.norm(in_body, axis=0), np.linalg.norm(in_world, axis=0), rtol=1e-12)


def test_in_plain_python_a_controller_of_ones_own_sees_them_too(tmp_path):
    file = tmp_path / "leveller.py"
    file.write_text(LEVELLER)
    model = load_model("hexapod").with_parts({"control_type": load_part(file)})
    begin = {"r_z": 0.165, "pitch": 0.05, "roll": 0.1, "yaw": 0.4, "omega_x": 0.5, "omega_z": -0.2}
    x = np.array([begin.get(state.name, state.default) for state in model.states])
    p = pack_parameters(model, {each.name: each.default for each in (*model.parameters, *model.inputs)})
    chart = model.functions["initial_chart"](x, 0.0, x.copy(), p)
    y = np.zeros(len(model.output_records))
    model.functions["outputs"](y, 0.0, x, p, chart)
    seen = dict(zip(model.output_records.names, y, strict=True))
    for leg in range(6):
        assert [seen[f"{name}{leg}"] for name in ("hip", "length", "ground")] == [
            pytest.approx(seen[f"{name}{leg}"], abs=1e-14) for name in ("phi", "rho", "stance")
        ]
    assert {seen[f"ground{leg}"] for leg in range(6)} == {0.0, 1.0}
    for axis, name in enumerate(("roll", "pitch", "yaw")):
        assert seen[f"seen_angle{axis}"] == pytest.approx(seen[f"body_{name}"], abs=1e-14)
        assert seen[f"seen_angle{axis}"] == pytest.approx(begin[name], abs=1e-14)
    in_body = np.linalg.norm([seen[f"seen_rate{axis}"] for axis in range(3)])
    assert in_body == pytest.approx(math.hypot(begin["omega_x"], begin["omega_z"]), rel=1e-12)
