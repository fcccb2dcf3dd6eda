"""What do a step and an event cost? The engine for all models, the one with the runner's sizes as constants, and C.

    python benchmarks/loop.py [--quick]

The runner of `slip.py` at two tolerances, whose strides have the same four events and not as many steps: the difference
is the cost of a step, and the rest that of an event. The table is explained in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

os.environ["HYBRIDSIM_SPECIALISE"] = "1"

import engine
import numpy as np

import hybridsim
from hybridsim.engine import entry
from hybridsim.typing import IntArray

COARSE, FINE = 1e-4, 1e-8
STRIDES, EVENTS_PER_STRIDE = 300, 4
TARGETS = {COARSE: 1.4, FINE: 1.25}
STEP_END_TARGET, EVENT_TARGET = 1.75, 400.0
QUIET = 10
"""Percentile of the rounds that counts: of short ones, on a machine with other programs, steadier than the smallest."""

Contender = Callable[[float], float]


def runner(tolerance: float) -> hybridsim.Simulation:
    return hybridsim.Simulation(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        stop=[("touchdown", STRIDES)],
        max_transitions=10 * STRIDES,
        record=False,
        rtol=tolerance,
        atol=0.01 * tolerance,
    )


def with_routines(addresses: IntArray) -> Contender:
    """A run with the routines at these addresses; it returns the time of the thread [s]."""

    def go(tolerance: float) -> float:
        simulation = runner(tolerance)
        machine = simulation._drive.machine
        machine.awaited.clear()
        machine.use_routines(addresses)
        began = time.thread_time()
        simulation.advance(10.0 * STRIDES)
        return time.thread_time() - began

    return go


def in_c(certified: bool) -> Contender:
    def go(tolerance: float) -> float:
        began = time.thread_time()
        engine.run_c(certified, tolerance, STRIDES)
        return time.thread_time() - began

    return go


def contenders() -> dict[str, Contender]:
    """The contenders by name; the engine is compiled for the runner first, if it is not in the cache."""
    machine = runner(COARSE)._drive.machine
    general = np.array([routine.address for routine in entry._loaded_routines[0]], np.int64)
    constant = machine.problem.functions[-len(general) :].copy()
    for code in machine.awaited:
        assert code.wait(timeout=300.0), "the engine could not be compiled for the runner"
        assert code.addresses is not None
        constant = code.addresses
    return {
        "for all models": with_routines(general),
        "sizes constant": with_routines(constant),
        "C, certified": in_c(certified=True),
        "C, step ends": in_c(certified=False),
    }


def attempts_per_stride(tolerance: float) -> float:
    simulation = runner(tolerance)
    statistics = simulation.run().statistics
    return float(statistics["steps"] + statistics["rejected"]) / STRIDES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rounds")
    rounds = 20 if parser.parse_args().quick else 200
    for tolerance in (COARSE, FINE):
        engine.same_steps_as_c(tolerance)
    race = contenders()
    times = {
        tolerance: np.array([[go(tolerance) for go in race.values()] for _ in range(rounds)]) / STRIDES
        for tolerance in (COARSE, FINE)
    }
    attempts = {tolerance: attempts_per_stride(tolerance) for tolerance in (COARSE, FINE)}
    quiet = {tolerance: np.percentile(found, QUIET, axis=0) for tolerance, found in times.items()}
    step = (quiet[FINE] - quiet[COARSE]) / (attempts[FINE] - attempts[COARSE])
    event = (quiet[COARSE] - attempts[COARSE] * step) / EVENTS_PER_STRIDE
    print(f"{'':16}{'us/stride':>12}{'us/stride':>12}{'ns/step':>10}{'ns/event':>10}")
    print(f"{'rtol':16}{COARSE:12.0e}{FINE:12.0e}")
    for name, coarse, fine, a_step, an_event in zip(race, quiet[COARSE], quiet[FINE], step, event, strict=True):
        print(f"{name:16}{1e6 * coarse:12.2f}{1e6 * fine:12.2f}{1e9 * a_step:10.0f}{1e9 * an_event:10.0f}")
    for tolerance, target in TARGETS.items():
        _, ours, certified, step_ends = quiet[tolerance]
        print(
            f"at {tolerance:g}: sizes constant / C, certified {ours / certified:.2f} (meant to be at most {target}), "
            f"/ C, step ends {ours / step_ends:.2f} ({STEP_END_TARGET})"
        )
    print(f"an event: {1e9 * event[1]:.0f} ns (meant to be at most {EVENT_TARGET:.0f})")


if __name__ == "__main__":
    main()
