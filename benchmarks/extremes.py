"""Runs at the limits of a machine, and processes that disturb each other: `python benchmarks/extremes.py [NAME ...]`.

========= =============================================================================================================
`race`    two processes begin with the same empty cache folder: both compile, and both find the bits of a warm one
`killed`  a process is killed while it compiles the engine; the next one completes the cache
`charts`  1,000 charts, each a branch of the vector field: compiled, run, drawn, verified
`events`  10^7 events in one run that records the events alone, with 4 GB of address space: it ends with a status, and
          what it has found is written
`steps`   10^8 steps with every step recorded, with 3 GB: as above; and with a period, to their end
`configs` 20,000 config files, one after another in one process: time, memory and open files of each thousand
`starts`  processes made by fork, forkserver and spawn from one that has used the engine, and has threads that use it
========= =============================================================================================================

Without names, all of them: about ten minutes on two cores. A failure is an exception; what is printed are measurements.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from hybridsim import Simulation, simulate
from hybridsim.config import load_config

GB = 2**30
BRANCHES = """
from hybridsim import Boundary, Chart, Model, Records, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = 0.0
{branches}

def boundaries(g, t, x, p, chart):
    g[0] = chart + 1.0 - x[0]

def transition(x_new, t, x, p, chart, crossed):
    return chart + 1

MODEL = Model("house", Records(State("x")), vector_field=vector_field, boundaries=boundaries, transition=transition,
              charts=Records(*(Chart(f"room_{{i}}") for i in range({n}))),
              boundary_records=Records(Boundary("door", "", degree=1)))
"""


def digest(final_time: float = 20.0) -> str:
    """The bits of a run of the relay, hashed."""
    run = simulate("relay", final_time=final_time)
    return hashlib.sha256(b"".join(a.tobytes() for a in (run.t, run.x, run.chart, run.events.t))).hexdigest()


def process(function: str, cache: Path | None = None, limit: int = 0) -> subprocess.Popen[str]:
    """Start a function of this file in a process of its own, whose address space may be limited [bytes]."""
    environment = os.environ | ({} if cache is None else {"HYBRIDSIM_CACHE_DIR": str(cache)})
    code = f"import extremes, json, resource; limit = {limit}\n"
    code += "if limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
    code += f"print(json.dumps(extremes.{function}))"
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parent
    )


def answer(started: subprocess.Popen[str]) -> object:
    """What a process has printed; it must have ended well."""
    out, _ = started.communicate(timeout=3600)
    assert started.returncode == 0, started.returncode
    return json.loads(out)


def race(folder: Path) -> str:
    both = [process("digest()", folder / "cache") for _ in range(2)]
    assert {answer(one) for one in both} == {digest()}
    files = [path for path in (folder / "cache").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".bin"}, "a temporary file is left"
    return f"the same bits, {len(files)} files in the cache"


def killed(folder: Path) -> str:
    first = process("digest()", folder / "cache")
    while len([*(folder / "cache").rglob("*.bin")]) < 3:
        time.sleep(0.1)
        assert first.poll() is None
    first.send_signal(signal.SIGKILL)
    first.wait()
    before = len([*(folder / "cache").rglob("*.bin")])
    assert answer(process("digest()", folder / "cache")) == digest()
    return f"killed with {before} files in the cache, complete with {len([*(folder / 'cache').rglob('*.bin')])}"


def charts(folder: Path, n: int = 1000) -> str:
    branches = "\n".join(f"    {'el' * (i > 0)}if chart == {i}:\n        xdot[0] = {1 + i / n}" for i in range(n))
    (folder / "house.py").write_text(BRANCHES.format(branches=branches, n=n))
    (folder / "house.yaml").write_text(f"model: ./house.py\nfinal_time: {n}\nstop: [{{state: x, value: {n - 0.5}}}]\n")
    took = []
    for command in ("run house.yaml", "run house.yaml", "plot house.h5 -o house.png", "verify house.h5"):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "hybridsim", *command.split()], cwd=folder, check=True, stdout=-3)
        took.append(f"{command.split()[0]} {time.perf_counter() - began:.1f} s")
    return ", ".join(took)


def limited_run(model: str, folder: str, **given: object) -> tuple[str, int, int, float]:
    """Run and write a model: status, rows, events, and most memory in use [GB]."""
    run = simulate(model, max_transitions=10**9, **given)
    run.save(folder / "run.h5")
    return run.status.name, len(run.t), len(run.events), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / GB


def events(folder: Path) -> str:
    wave = Path(__file__).parents[1] / "tests" / "scorecard" / "models" / "square_wave.py"
    given = "initial_time=0.25, final_time=5e6 + 0.25, rtol=1e-3, atol=1e-3, record=False"
    found = answer(process(f"limited_run({str(wave)!r}, {str(folder)!r}, {given})", limit=4 * GB))
    assert found[0] == "OUT_OF_MEMORY"
    return str(found)


def steps(folder: Path) -> str:
    given = "final_time=1e5, method='rk4', max_step=1e-3"
    whole = answer(process(f"limited_run('relay', {str(folder)!r}, {given})", limit=3 * GB))
    assert whole[0] == "OUT_OF_MEMORY"
    by_period = answer(process(f"limited_run('relay', {str(folder)!r}, {given}, record=100.0)", limit=3 * GB))
    assert by_period[0] == "FINAL_TIME"
    return f"every step {whole}, every 100 s {by_period}"


def configs(folder: Path, n: int = 20_000) -> str:
    began, lines = time.perf_counter(), []
    for i in range(n):
        path = folder / f"{i}.yaml"
        path.write_text(f"model: bouncing_ball\nfinal_time: 0.5\ninitial: {{y: {1 + i * 1e-5}}}\n")
        assert Simulation.from_config(load_config(path, [])).run().status.ok
        if i % 1000 == 999:
            memory = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / GB
            files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
            lines.append(f"{i + 1}: {time.perf_counter() - began:.0f} s, {memory:.2f} GB, {files} open files")
    return "\n  ".join(["", *lines])


def starts(_: Path) -> str:
    wanted = [digest(5.0 + i) for i in range(4)]
    endless = Simulation("relay", final_time=1e9, max_transitions=10**9, record=False)
    thread = threading.Thread(target=endless.run)
    thread.start()
    try:
        for how in multiprocessing.get_all_start_methods():
            with multiprocessing.get_context(how).Pool(2) as pool:
                assert pool.map_async(digest, [5.0 + i for i in range(4)]).get(600) == wanted, how
    finally:
        endless.interrupt()
        thread.join()
    return "the same bits by " + ", ".join(multiprocessing.get_all_start_methods())


TRIALS = {trial.__name__: trial for trial in (race, killed, charts, events, steps, configs, starts)}


def main() -> None:
    for name in sys.argv[1:] or TRIALS:
        with tempfile.TemporaryDirectory(prefix="hybridsim-extremes-") as folder:
            began = time.perf_counter()
            print(f"{name}: {TRIALS[name](Path(folder))} ({time.perf_counter() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
