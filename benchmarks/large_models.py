"""How long a ring of 100,000 Hopf oscillators takes to load, to run and to save, and the memory that it takes.

    python benchmarks/large_models.py [NUMBER]

Each oscillator has a phase and a radius and pulls both neighbours; 10 s from random phases, dp5, rtol 1e-6. Its states
are two blocks; the neighbours are constants of the model, as those of any network. A process computes it twice, and the
second time counts: the first one compiles the functions and tries them in plain Python. Limits for 100,000: load 2 s,
run 15 s, memory 1 GB; seconds are of the processor, in one thread.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from hybridsim import Simulation

MODEL = '''
"""A ring of Hopf oscillators."""

import math
import os

import numpy as np

from hybridsim import Constant, Model, Output, Parameter, Records, State, integers

N = int(os.environ["OSCILLATORS"])
BIAS = 0.4 * math.pi
STATES = Records(State("h.phi", unit="rad", shape=N), State("h.r", 1e-3, shape=N))
PARAMETERS = Records(Parameter("f", 1.0, "Hz"), Parameter("gamma", 5.0, "1/s"), Parameter("weight", 1.0))
CONSTANTS = Records(Constant("left", np.roll(np.arange(N), 1)), Constant("right", np.roll(np.arange(N), -1)))
S, P = STATES.indices, (PARAMETERS + CONSTANTS).indices


def vector_field(xdot, t, x, p, chart):
    left, right = integers(p, P.left, N), integers(p, P.right, N)
    for i in range(N):
        a, b = left[i], right[i]
        phi, r = x[S.h_phi + i], x[S.h_r + i]
        pull = x[S.h_r + a] * math.sin(x[S.h_phi + a] - phi + BIAS)
        pull += x[S.h_r + b] * math.sin(x[S.h_phi + b] - phi - BIAS)
        xdot[S.h_phi + i] = 2.0 * math.pi * p[P.f] + p[P.weight] * pull
        xdot[S.h_r + i] = p[P.gamma] * (1.0 - r * r) * r


def outputs(y, t, x, p, chart):
    c, s = 0.0, 0.0
    for i in range(N):
        c += math.cos(x[S.h_phi + i])
        s += math.sin(x[S.h_phi + i])
    y[0] = math.sqrt(c * c + s * s) / N


MODEL = Model(
    "ring", STATES, vector_field=vector_field, outputs=outputs, parameters=PARAMETERS, constants=CONSTANTS,
    output_records=[Output("order")],
)
'''

LIMITS = {"load": 2.0, "run": 15.0, "memory": 1000.0}
"""For 100,000 oscillators [s], [MB]."""


def measure(path, folder):
    """Return what one run takes [s], and the memory of this process [MB]; for the child process."""
    n = int(os.environ["OSCILLATORS"])
    phases = np.random.default_rng(0).uniform(-np.pi, np.pi, n)
    times = [time.thread_time()]
    simulation = Simulation(path, initial={"h.phi": phases}, final_time=10.0)
    times.append(time.thread_time())
    run = simulation.run()
    times.append(time.thread_time())
    run.save(Path(folder, "ring.h5"))
    times.append(time.thread_time())
    names = ("load", "run", "save")
    found = dict(zip(names, np.diff(times).tolist(), strict=True))
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000.0
    return found | {"steps": int(run.statistics["steps"]), "order": run["order"][-1].item()}


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ring.py")
        path.write_text(MODEL)
        command = [sys.executable, __file__, "--child", str(path), folder]
        for _ in range(2):
            environment = {**os.environ, "OSCILLATORS": str(n)}
            answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found = eval(answer.stdout)
    print(f"{n:,} oscillators: " + ", ".join(f"{name} {value:.4g}" for name, value in found.items()))
    if slow := [name for name, limit in LIMITS.items() if n == 100_000 and found[name] > limit]:
        sys.exit(f"beyond the limit: {', '.join(slow)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(measure(*sys.argv[2:]))
    else:
        main()
