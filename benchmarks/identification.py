"""Identification beside opty and CasADi: gains of a link on a cart from its motion, and a gait of least torque.

    python benchmarks/identification.py                       # with opty and casadi in this environment
    python benchmarks/identification.py --rivals PYTHON       # in another one, whose interpreter this is
    python benchmarks/identification.py --quick               # 1,001 nodes only

The problem of Moore and van den Bogert (2014), n = 1: four gains, guessed 0, from exact states at 100 Hz. Times are
seconds of CPU, those of compilers included. Prepared is what comes before the solver: reading, building, compiling; of
hybridsim in a process whose machine code is in the cache. Checked is what hybridsim does after it: a simulation, and
standard errors. opty needs cyipopt and Ipopt's headers; it has no Hermite-Simpson rule.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import hybridsim
from hybridsim.config.identification import load_identification_config
from hybridsim.identification.confirmation import confirm, misfits_of
from hybridsim.identification.guess import motion_of
from hybridsim.identification.ipopt import solve
from hybridsim.identification.problem import problem_of
from hybridsim.identification.statistics import statistics_of

FOLDER = Path(__file__).parent
GAIT = FOLDER.parent / "configs" / "identification" / "powered_compass.yaml"
TRUE = -4.717643500, 19.67083670, -3.694021600, 5.571148100
OMEGAS = 2 * np.pi * np.array([7, 11, 16, 25, 38, 61, 103, 131, 151, 181, 313, 523]) / 240
FORCE = "+".join(f"{8 / math.sqrt(12)!r}*sin({omega!r}*t)" for omega in OMEGAS.tolist())
CONFIG = """
model: {model}
data: {{file: trial.csv}}
measured: {{q0: q0, q1: q1, u0: u0, u1: u1}}
inputs: {{force: {force}}}
free: {{k0: 0, k1: 0, k2: 0, k3: 0}}
collocation: {{scheme: {scheme}}}
"""
SIMULATION = """
model: {model}
final_time: {end}
parameters: {{k0: {0!r}, k1: {1!r}, k2: {2!r}, k3: {3!r}}}
initial: {{q1: 5 deg}}
inputs: {{force: "{force}"}}
engine: {{rtol: 1e-12, atol: 1e-12, method: dop853}}
output: {{formats: [hdf5]}}
"""
KNOWN = {"midpoint": "{column: force, between: linear}", "hermite-simpson": f'"{FORCE}"'}
"""The force between nodes: opty's midpoint rule takes the mean of both ends."""

SIZES, MOST = (1001, 10_001, 36_001), 10_001
COLUMNS = "{:17} {:16} {:>7} {:>10} {:>10} {:>10} {:>12} {:>14}"
RIVALS = {"casadi": "collocation.py", "opty": "opty_collocation.py"}
SOLVED = "0", "1", "Solve_Succeeded", "Solved_To_Acceptable_Level"
TRUST = 1e-6
"""Relative difference of optima that are the same."""


def make_data(folder, n):
    """Simulate the link for n samples at 100 Hz, and write them as a table and as arrays."""
    end = (n - 1) / 100
    config = folder / "cart.yaml"
    config.write_text(SIMULATION.format(*TRUE, model=FOLDER / "one_link.py", end=end, force=FORCE))
    run = hybridsim.Simulation.from_config(hybridsim.load_config(config)).run()
    t = np.arange(n) / 100
    x, force = run.at(np.minimum(t, run.t[-1])), (8 / np.sqrt(12)) * np.sin(np.outer(t, OMEGAS)).sum(axis=1)
    rows = np.column_stack([t, x, force])
    np.savetxt(folder / "trial.csv", rows, "%.17g", ",", header="t,q0,q1,u0,u1,force", comments="")
    halfway = (8 / np.sqrt(12)) * np.sin(np.outer(t[:-1] + 0.005, OMEGAS)).sum(axis=1)
    np.savez(folder / "trial.npz", x=x, force=force, halfway=halfway, h=0.01)


def prepare(path):
    """Return the problem of a config, and its program, ready to be solved."""
    config = load_identification_config(path)
    problem = problem_of(config, [motion_of(config, trial) for trial in config.trials])
    program = problem.program(problem.z)
    program.jacobian(problem.z)
    return problem, program


def of_config(path, *, exact):
    """Return seconds of hybridsim to prepare, to solve and to check, the gains and the objective."""
    times = [time.process_time()]
    problem, program = prepare(path)
    config = problem.config
    times.append(time.process_time())
    answer = solve(program, problem.z, exact=exact, tolerance=1e-10, max_iterations=300, report=lambda *_: True)
    times.append(time.process_time())
    assert answer.solved, answer.reason
    assert confirm(problem, answer.z).confirmed
    if config.measured:
        statistics_of(problem, program, answer.z, [misfits_of(problem, path, answer.z) for path in problem.paths])
    times.append(time.process_time())
    return *np.diff(times).tolist(), [*problem.parameters_at(answer.z).values()], program.objective(answer.z)


def of_rival(python, tool, task, file):
    """Return the same of another tool, in a process of its own, or None where it is not installed."""
    command = [python, str(FOLDER / "rivals" / RIVALS[tool]), task, str(file)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    if ended.returncode:
        print(f"{tool} {task}: not run: {ended.stderr.strip().splitlines()[-1]}")
        return None
    found = json.loads(ended.stdout.strip().splitlines()[-1])
    if found["status"] not in SOLVED:
        print(f"{tool} {task}: not solved: {found['status']}")
    return found["prepare"], found["solve"], None, found["gains"], found["objective"]


def show(tool, scheme, n, found):
    if found is not None:
        *times, gains, objective = found
        error = f"{np.abs(np.subtract(gains, TRUE)).max() / max(TRUE):.1e}" if gains else ""
        shown = [f"{each:.3f}" if each is not None else "" for each in times]
        print(COLUMNS.format(tool, scheme, n, *shown, error, f"{objective:.9g}"), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--rivals", default=sys.executable, metavar="PYTHON", help="interpreter that has casadi and opty"
    )
    parser.add_argument("--quick", action="store_true", help="1,001 nodes only")
    options = parser.parse_args()
    print(COLUMNS.format("", "", "nodes", "prepared s", "solved s", "checked s", "error of K", "objective"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n in SIZES[: 1 if options.quick else None]:
            make_data(folder, n)
            for scheme, force in KNOWN.items():
                config = folder / f"{scheme}.yaml"
                config.write_text(CONFIG.format(model=FOLDER / "one_link.py", scheme=scheme, force=force))
                begin = time.process_time()
                prepare(config)  # compiles the model with its table, if the cache has nothing
                print(f"the first preparation takes {time.process_time() - begin:.1f} s")
                show("hybridsim", scheme, n, of_config(config, exact=False))
                for tool in ("casadi", "opty") if n <= MOST else ():
                    if (tool, scheme) != ("opty", "hermite-simpson"):
                        show(tool, scheme, n, of_rival(options.rivals, tool, scheme, folder / "trial.npz"))
        of_config(GAIT, exact=True)
        own, other = of_config(GAIT, exact=True), of_rival(options.rivals, "casadi", "gait", folder)
    show("hybridsim", "compass gait", 62, own)
    show("casadi", "compass gait", 62, other)
    assert other is None or abs(own[-1] - other[-1]) <= TRUST * other[-1]


if __name__ == "__main__":
    main()
