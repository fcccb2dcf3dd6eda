"""Toes with mass and without: how fast the hexapod runs, and what the mass changes in its speed.

    python benchmarks/hexapod_toes.py [--quick]

Two tables. A run of setting 2 under the creep law: simulated time over computing time on one core, toes of 10 g and
massless ones (`leg_mass: 0`), those also with a longer `slip_lag`, in turn, round after round. The four speed settings
under three laws of friction: the displacement over the second half of 30 periods, by its time. docs/hexapod.md explains
them.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import hybridsim

TOES = {
    "10 g": {"leg_mass": 0.01},
    "massless": {"leg_mass": 0.0},
    "massless, lag 1 ms": {"leg_mass": 0.0, "slip_lag": 1e-3},
}
RTOL, SECONDS = 1e-6, 10.0
TRIED = (("dp5", 1e-8), ("dp5", 1e-6), ("tsit5", 1e-6))
"""Methods, the first of which is the default, and atol."""
PERIODS = 30
SETTINGS = (
    (0.9, 0.6875, 0.6, -0.15),
    (0.8, 0.69, 0.6109, -0.15),
    (0.53, 0.6226, 0.6981, -0.175),
    (0.53, 0.56, 0.6981, -0.15),
)
"""t_c [s], t_s / t_c, phi_s and phi_o [rad]."""
LAWS: dict[str, dict[str, Any]] = {"creep": {"friction": "creep"}, "Coulomb, 0.5": {"friction": "coulomb"}}
LAWS |= {"Coulomb, 200": {"friction": "coulomb", "friction_coeff": 200.0}}


def simulation_of(toes: str, method: str, atol: float) -> hybridsim.Simulation:
    record = {"period": SECONDS}
    parameters = TOES[toes]
    return hybridsim.Simulation(
        "hexapod", parameters=parameters, final_time=SECONDS, rtol=RTOL, atol=atol, method=method, record=record
    )


def time_run(toes: str, method: str, atol: float) -> float:
    """[s]"""
    simulation = simulation_of(toes, method, atol)
    began = time.thread_time()
    simulation.advance(SECONDS)
    return time.thread_time() - began


def print_runs(rounds: int) -> None:
    print(f"\nSetting 2, creep, {SECONDS:g} s at rtol {RTOL:g}; counts per simulated second\n")
    print(f"{'toes':20}{'method':7}{'atol':>6}{'x clock':>9}{'steps':>7}{'fields':>8}{'boundaries':>12}{'events':>8}")
    cases = [(toes, *how) for how in TRIED for toes in TOES]
    rows = [[time_run(*case) for case in cases] for _ in range(rounds)]
    for (toes, method, atol), seconds in zip(cases, np.min(rows, axis=0), strict=True):
        counts = simulation_of(toes, method, atol).run().statistics
        names = (("steps", 7), ("vector_field_calls", 8), ("boundary_calls", 12), ("events", 8))
        cells = "".join(f"{counts[name] / SECONDS:{width}.0f}" for name, width in names)
        print(f"{toes:20}{method:7}{atol:6g}{SECONDS / seconds:9.1f}{cells}")


def mean_speed(toes: str, law: str, setting: tuple[float, ...]) -> float:
    """[m/s]"""
    t_c, duty, phi_s, phi_o = setting
    run = hybridsim.simulate(
        "hexapod",
        parameters={**TOES[toes], **LAWS[law]},
        inputs={"t_c": t_c, "t_s": duty * t_c, "phi_s": phi_s, "phi_o": phi_o},
        final_time=PERIODS * t_c,
        rtol=RTOL,
        max_transitions=10**6,
        record={"period": t_c},
    )
    late = run.t >= 0.5 * run.t[-1]
    way = np.hypot(np.ptp(run["r_x"][late]), np.ptp(run["r_y"][late]))
    return float(way / np.ptp(run.t[late]))


def print_speeds() -> None:
    print("\nSpeeds m/s of the settings 0 to 3\n")
    for law in LAWS:
        for toes in TOES:
            speeds = (f"{mean_speed(toes, law, setting):8.3f}" for setting in SETTINGS)
            print(f"{law:14}{toes:20}" + "".join(speeds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rounds")
    print_runs(3 if parser.parse_args().quick else 15)
    print_speeds()


if __name__ == "__main__":
    main()
