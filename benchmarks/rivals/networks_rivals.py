"""Chains of phase-coupled Hopf oscillators by Brian2 and by JiTCODE: run by networks.py, prints JSON.

    python networks_rivals.py TIME       # with a Python that has brian2, or jitcode, or both

For each tool and setting: name, CPU time of the run [s], time to build [s], and the phases at TIME. What is not
installed is left out.
"""

import json
import math
import sys
import time

import numpy as np

PHASES = (0.1, -2.0, 2.5, 1.2, -0.7)
BIAS = 0.4 * math.pi
N = len(PHASES)


def jitcode_runs(end):
    """Run JiTCODE's dopri5 and dop853, which compile C for the network."""
    from jitcode import jitcode, y  # noqa: PLC0415
    from symengine import pi, sin  # noqa: PLC0415

    slopes = []
    for i in range(N):
        pull = sum(
            y(2 * j + 1) * sin(y(2 * j) - y(2 * i) - bias) for j, bias in ((i - 1, -BIAS), (i + 1, BIAS)) if 0 <= j < N
        )
        slopes += [2 * pi + pull, 5 * (1 - y(2 * i + 1) ** 2) * y(2 * i + 1)]
    begin = np.column_stack([PHASES, np.full(N, 1e-3)]).ravel()
    began = time.process_time()
    system = jitcode(slopes, verbose=False)
    system.compile_C()
    built = time.process_time() - began
    for method, rtol in (("dopri5", 1e-6), ("dopri5", 1e-9), ("dop853", 1e-12)):
        system.set_integrator(method, rtol=rtol, atol=rtol, nsteps=100_000)
        best = math.inf
        for _ in range(20):
            system.set_initial_value(begin, 0.0)
            began = time.process_time()
            found = system.integrate(end)
            best = min(best, time.process_time() - began)
        yield f"JiTCODE {method} {rtol:g}", best, built, found[::2].tolist()


def brian_runs(end):
    """Run Brian2's rk4, whose sums over edges hold for a step."""
    import brian2 as b  # noqa: PLC0415

    b.prefs.codegen.target = "numpy"
    for dt in (1e-3, 1e-4):
        b.start_scope()
        b.defaultclock.dt = dt * b.second
        nodes = b.NeuronGroup(
            N,
            "dphi/dt = (2*pi + pull)/second : 1\ndr/dt = 5*(1 - r**2)*r/second : 1\npull : 1",
            method="rk4",
        )
        edges = b.Synapses(nodes, nodes, "bias : 1\npull_post = r_pre*sin(phi_pre - phi_post - bias) : 1 (summed)")
        edges.connect(i=[*range(N - 1), *range(1, N)], j=[*range(1, N), *range(N - 1)])
        edges.bias = [-BIAS] * (N - 1) + [BIAS] * (N - 1)
        nodes.phi, nodes.r = PHASES, 1e-3
        began = time.process_time()
        net = b.Network(nodes, edges)
        net.run(0 * b.second)
        built = time.process_time() - began
        began = time.process_time()
        net.run(end * b.second)
        yield f"Brian2 rk4 {dt:g} s", time.process_time() - began, built, np.array(nodes.phi).tolist()


def main():
    end, rows = float(sys.argv[1]), []
    for runs in (jitcode_runs, brian_runs):
        try:
            rows += runs(end)
        except ImportError as problem:
            print(problem, file=sys.stderr)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
