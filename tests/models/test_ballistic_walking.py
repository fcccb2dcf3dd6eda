"""The plug-in that sympy writes, against the same bodies in hybridsim.multibody; docs/symbolic-models.md shows it."""

import ast
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
import sympy

from hybridsim import Simulation, Status, load_config, verify
from hybridsim.multibody import Body, Fixed, Mechanism, Revolute
from hybridsim.testing import check_model

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "configs" / "symbolic"
PLUGIN, SCRIPT = FOLDER / "ballistic_walking.py", FOLDER / "write_ballistic_walking.py"
PAGE = (ROOT / "docs" / "symbolic-models.md").read_text(encoding="utf-8")


def imported(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WALK = imported(PLUGIN)
S, P, C, Y = WALK.S, WALK.P, WALK.C, WALK.Y
DEFAULTS = np.array([record.default for record in WALK.PARAMETERS])
RELATIVE = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # stance, hip, knee from stance, thigh, knee
KNEE = np.array([[0.0, 0.0, 1.0]])


def bodies(p):
    """Return the same mechanism, with the angle of the hip for that of the thigh."""
    thigh, shank = p[P.thigh_length], p[P.shank_length]
    thigh_part = {"mass": p[P.thigh_mass], "inertia": (p[P.thigh_inertia],) * 3}
    shank_part = {"mass": p[P.shank_mass], "inertia": (p[P.shank_inertia],) * 3}
    above_knee, below_knee = (0.0, 0.0, thigh - p[P.thigh_centre]), (0.0, 0.0, -p[P.shank_centre])
    above_foot, below_hip = (0.0, 0.0, shank - p[P.shank_centre]), (0.0, 0.0, -p[P.thigh_centre])
    return Mechanism(
        Body("stance_shank", Revolute("stance", "y"), centre=above_foot, **shank_part),
        Body("stance_thigh", Fixed(place=(0.0, 0.0, shank)), "stance_shank", centre=above_knee, **thigh_part),
        Body("trunk", Fixed(place=(0.0, 0.0, thigh)), "stance_thigh", mass=p[P.trunk_mass]),
        Body("thigh", Revolute("hip", "-y"), "trunk", centre=below_hip, **thigh_part),
        Body("shank", Revolute("knee", "y", place=(0.0, 0.0, -thigh)), "thigh", centre=below_knee, **shank_part),
        gravity=(0.0, 0.0, -p[P.gravity]),
    )


def locked(mass, right):
    """Solve mass * a = right + KNEE^T torque with KNEE a = 0; return a and the torque."""
    matrix = np.block([[mass, -KNEE.T], [KNEE, np.zeros((1, 1))]])
    *a, torque = np.linalg.solve(matrix, [*right, 0.0])
    return np.array(a), torque


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0.0, atol=1e-12 * max(np.abs(expected).max(), 1.0))


@pytest.mark.members(1)
@pytest.mark.parametrize("seed", range(5))
def test_the_equations_are_those_of_the_bodies(seed):
    rng = np.random.default_rng(seed)
    p = DEFAULTS * rng.uniform(0.8, 1.2, len(WALK.PARAMETERS))
    x = rng.uniform(-1.5, 1.5, 6)
    mechanism, q, u = bodies(p), RELATIVE @ x[:3], RELATIVE @ x[3:]
    xdot, y, x_new = np.zeros(6), np.zeros(len(WALK.OUTPUTS)), x.copy()
    WALK.vector_field(xdot, 0.0, x, p, C.bent)
    close(xdot[:3], x[3:])
    close(RELATIVE @ xdot[3:], mechanism.forward_dynamics(q, u))
    WALK.outputs(y, 0.0, x, p, C.bent)
    close(y[Y.knee_torque], 0.0)
    close(y[Y.energy], mechanism.kinetic_energy(q, u) + mechanism.potential_energy(q))
    poses = np.tile(np.eye(4), (len(WALK.SCENE.bodies), 1, 1))
    WALK.poses(poses, 0.0, x, p, C.bent)
    close(poses[WALK.BODY.swing_shank][2, 3], y[Y.foot_height])
    close(y[Y.foot_height], mechanism.position(q, "shank", (0.0, 0.0, -p[P.shank_length]))[2])
    mass = mechanism.mass_matrix(q)
    assert WALK.transition(x_new, 0.0, x, p, C.bent, [1, 0]) == C.straight
    close(RELATIVE @ x_new[3:], locked(mass, mass @ u)[0])
    udot, torque = locked(mass, -mechanism.inertia_forces(RELATIVE @ x_new[:3], RELATIVE @ x_new[3:]))
    WALK.vector_field(xdot, 0.0, x_new, p, C.straight)
    close(RELATIVE @ xdot[3:], udot)
    WALK.outputs(y, 0.0, x_new, p, C.straight)
    close(y[Y.knee_torque], torque)


@pytest.mark.exhaustive  # the equations are those of the bodies, and the plug-in keeps the contract
def test_a_swing_keeps_its_energy_except_where_the_knee_stops():
    config = load_config(FOLDER / "ballistic_walking.yaml", ["engine.rtol=1e-11", "engine.atol=1e-13"])
    run = Simulation.from_config(config).run()
    assert run.status == Status.STOPPED
    assert [event.boundaries for event in run.events] == [("knee_stop",), ("heelstrike",)]
    assert [f"{event.t:.2f}" for event in run.events] == re.findall(r" at (\d\.\d\d) s", PAGE)
    stop = run.events[0]
    mass = RELATIVE.T @ bodies(DEFAULTS).mass_matrix(RELATIVE @ stop.x_before[:3]) @ RELATIVE
    change = stop.x_after[3:] - stop.x_before[3:]
    loss = 0.5 * change @ mass @ change
    assert loss > 1.0
    expected = run["energy"][0] - loss * (run.chart == C.straight)
    np.testing.assert_allclose(run["energy"], expected, rtol=1e-10)
    assert run["knee_torque"][run.chart == C.straight].min() > 1.0  # the knee presses against its stop
    assert verify(run).ok


def test_the_plug_in_keeps_the_contract():
    assert check_model(PLUGIN).startswith("ballistic_walking: fine")


@pytest.mark.skipif(
    f"with sympy {sympy.__version__}:" not in PLUGIN.read_text(encoding="utf-8"),
    reason="another version of sympy may name the common sub-expressions otherwise",
)
def test_the_plug_in_is_what_the_script_writes():
    written = imported(SCRIPT).plugin()
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(PLUGIN.read_text(encoding="utf-8")))


def test_the_page_shows_the_files_as_they_are():
    files = SCRIPT.read_text(encoding="utf-8") + PLUGIN.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) > 2
    assert [block for block in blocks if block not in files] == []
