"""Runs of the hexapod that several tests make, and their parameters."""

import numpy as np

from hybridsim import load_model, simulate
from hybridsim.model.parameters import pack_parameters

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


def packed(values):
    model = load_model("hexapod")
    return pack_parameters(model, {**values, **{i.name: i.default for i in model.inputs}})
