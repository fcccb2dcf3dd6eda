"""What a call from Python costs: `inputs[...] = ...` and `advance` at 1 kHz, besides the steps themselves.

Run it with: python benchmarks/stepping.py
"""

from __future__ import annotations

import time

import numpy as np

from hybridsim import Input, Model, Parameter, Records, Simulation, State

N_STATES, N_INPUTS, CALLS, BLOCK = 30, 6, 20_000, 1000
STATES = Records(*(State(f"x{i}", 1.0) for i in range(N_STATES)))
INPUTS = Records(*(Input(f"u{i}", lower=-10.0, upper=10.0) for i in range(N_INPUTS)))


def vector_field(xdot, t, x, p, chart):
    for i in range(N_STATES):
        xdot[i] = p[1 + i % N_INPUTS] - p[0] * x[i]


MODEL = Model("followers", STATES, vector_field=vector_field, parameters=[Parameter("rate", 4.0)], inputs=INPUTS)


def seconds_per_call(changes: int, record: bool) -> tuple[float, float]:
    """Python's share and the engine's, the quarter of the quietest blocks of a thousand calls."""
    values = np.random.default_rng(0).uniform(-5.0, 5.0, (CALLS, N_INPUTS)).tolist()
    simulation, names = Simulation(MODEL, record=record, max_step=1e-3), INPUTS.names[:changes]
    inputs, own, engine = simulation.inputs, [], []
    for first in range(0, CALLS, BLOCK):
        began, computed = time.perf_counter(), simulation._drive.wall_time
        for k in range(first, first + BLOCK):
            for name, value in zip(names, values[k], strict=False):
                inputs[name] = value
            simulation.advance((k + 1) * 1e-3)
        engine.append((simulation._drive.wall_time - computed) / BLOCK)
        own.append((time.perf_counter() - began) / BLOCK - engine[-1])
    return float(np.quantile(own, 0.25)), float(np.quantile(engine, 0.25))


def main() -> None:
    seconds_per_call(N_INPUTS, record=True)
    print("inputs set  recording    besides the engine  in the engine   [us per call]")
    for changes in (0, 1, N_INPUTS):
        for record in (False, True):
            own, engine = (1e6 * seconds for seconds in seconds_per_call(changes, record))
            print(f"{changes:10}  {'every step' if record else 'events':10} {own:18.1f} {engine:14.1f}")


if __name__ == "__main__":
    main()
