"""Small runs with few rows that together have every array and every kind of event."""

from pathlib import Path

import hybridsim

SLIDER, TABLE, TIDES, HEATER = (
    Path(__file__).parent / "models" / f"{name}.py" for name in ("slider", "table", "tides", "heater")
)
CHANGES = [
    (0.5, "target", 21.0),
    (0.5, "outside", 2.0),
    (1.1, "target", 14.0),
    (1.1001, "target", 23.0),
    (2.0, "outside", -7.0),
]
RUNNER = {
    "parameters": {"hold_touchdown_angle": 1},
    "initial": {"touchdown_angle": -0.38397243543875251},
    "stop": [("apex", 3)],
    "final_time": 20.0,
}
RUNS = {
    "runner, every step": ("slip", RUNNER),
    "runner, sampled": ("slip", RUNNER | {"record": 0.02, "rtol": 1e-12, "atol": 1e-13}),
    "runner, events only": ("slip", RUNNER | {"record": False}),
    "ball, every step": ("bouncing_ball", {"final_time": 1.2}),
    "belt, sampled": ("stick_slip", {"final_time": 9.0, "method": "rk4_adaptive", "rtol": 1e-12, "record": 0.1}),
    "thermostat, every step of another method": ("relay", {"final_time": 2.0, "method": "dop853"}),
    "slide, every step": (SLIDER, {"final_time": 2.0}),
    "slide, sampled": (SLIDER, {"final_time": 2.0, "record": 0.1, "rtol": 1e-12, "atol": 1e-13}),
    "slide, late": ("dry_friction", {"initial_time": 1e6, "final_time": 1e6 + 8.0, "rtol": 1e-10, "atol": 1e-12}),
    "rest, every step": (TABLE, {"final_time": 2.5, "method": "dop853"}),
    "rest, events only": (TABLE, {"final_time": 2.5, "record": False}),
    "tides, every step": (TIDES, {"final_time": 7.0, "touch_precision": 1e-3, "rtol": 1e-10, "atol": 1e-12}),
    "changing inputs, every step": (HEATER, {"final_time": 3.0, "changes": CHANGES}),
    "changing inputs, events only": (HEATER, {"final_time": 3.0, "changes": CHANGES, "record": False}),
    "walls, events only": ("two_walls", {"final_time": 15.0, "initial": {"xdot": 2.0}, "record": False}),
}


def make_run(name):
    """The model of a run, and the run."""
    model, keywords = RUNS[name]
    model = hybridsim.load_model(model)
    return model, run_with(model, **keywords)


def run_with(model, changes=(), **keywords):
    """A run whose inputs change at some times."""
    simulation = hybridsim.Simulation(model, **keywords)
    for t, name, value in changes:
        simulation.advance(t)
        simulation.inputs[name] = value
    return simulation.run()
