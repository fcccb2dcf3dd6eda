"""Soft contacts that become stiffer and stiffer, beside the hard contacts that they tend to.

Three motions, each with its exact value for a hard contact: the third landing of a ball whose springs and dampers give
it the same restitution, the instant at which a disk rolls that has slipped, and that at which the foot of a falling
rod begins to slip. Damping is 0.3 of the critical one for 1 kg. CPU time is the least of several runs, compiled.

Run it with: python benchmarks/soft_contacts.py
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from hybridsim import simulate
from hybridsim.contacts import Contact, Disk, Patch, contact_model
from hybridsim.multibody import Body, Mechanism, Planar, Prismatic

G, RATIO, TIMES = 9.81, 0.3, 5
STIFFNESSES = (1e4, 1e5, 1e6, 1e7, 1e8)
WIDE = math.sqrt(1.0 - RATIO**2)
RESTITUTION = math.exp(-RATIO / WIDE * (math.pi - math.atan2(2.0 * RATIO * WIDE, 1.0 - 2.0 * RATIO**2)))
"""Speed after / before of a mass on a spring with a damper that leaves where their force is 0, without weight."""

HEIGHT, SLOPE_OF_ROD, ROD_SLIPS = 0.3, math.radians(30.0), 0.344762762232364636
THIRD_LANDING = math.sqrt(2.0 * HEIGHT / G) * (1.0 + 2.0 * RESTITUTION + 2.0 * RESTITUTION**2)
ROLLS = 1.0 / (3.0 * 0.2 * G)


def springs(stiffness: float, friction: float, ratio: float = RATIO) -> dict[str, Any]:
    """Return the springs of a contact, none if the stiffness is infinite."""
    if math.isinf(stiffness):
        return {"friction": friction}
    both = {"stiffness": stiffness, "damping": 2.0 * ratio * math.sqrt(stiffness)}
    return {**both, "friction": friction, "tangential": both} if friction else both


def timed(
    mechanism: Mechanism, contact: Contact, initial: Mapping[str, float], final_time: float, **settings: Any
) -> tuple[float, Any]:
    """Return CPU time of a run, and the run."""
    settings = {"rtol": 1e-10, "atol": 1e-12, **settings}
    model = contact_model("soft_or_hard", mechanism, [contact])

    def run() -> Any:
        return simulate(model, initial=initial, final_time=final_time, **settings)

    run()
    best = math.inf
    for _ in range(TIMES):
        began = time.process_time()
        found = run()
        best = min(best, time.process_time() - began)
    return best, found


def instant(events: Any, *boundaries: str, number: int = 0) -> float:
    """Return the instant of an event of one of these boundaries."""
    return float([each.t for each in events if set(each.boundaries) & set(boundaries)][number])


def ball(stiffness: float) -> tuple[float, float]:
    """Return CPU time and the error of the third landing [s]."""
    restitution = RESTITUTION if math.isinf(stiffness) else 0.0
    contact = Patch("foot", "ball", restitution=restitution, **springs(stiffness, 0.0))
    cpu, run = timed(Mechanism(Body("ball", Prismatic("z", "z"), mass=1.0)), contact, {"z": HEIGHT}, 0.9)
    return cpu, instant(run.events, "foot_gap", number=2) - THIRD_LANDING


def disk(stiffness: float) -> tuple[float, float]:
    """Return CPU time and the error of the instant at which it rolls [s]."""
    wheel = Body("wheel", Planar("wheel", normal="y"), mass=1.0, inertia=(0.0625, 0.125, 0.0625))
    contact = Disk("rim", "wheel", 0.5, **springs(stiffness, 0.2))
    initial = {"wheel_z": 0.5 - G / stiffness, "wheel_xdot": 1.0}
    cpu, run = timed(Mechanism(wheel), contact, initial, 0.3)
    return cpu, instant(run.events, "rim_stop") - ROLLS


def fallen_rod(stiffness: float, ratio: float = RATIO, **settings: Any) -> tuple[float, Any]:
    """Return CPU time and run of a rod that falls, and begins at rest on its springs."""
    sine, cosine = math.sin(SLOPE_OF_ROD), math.cos(SLOPE_OF_ROD)
    body = Body("rod", Planar("rod", normal="y"), mass=1.0, inertia=(1 / 12, 1 / 12, 0.0))
    contact = Patch("foot", "rod", [(0.0, 0.0, -0.5)], **springs(stiffness, 0.5, ratio))
    pressed, pulled = G * (1.0 - 0.75 * sine**2), 0.75 * G * sine * cosine
    initial = {"rod_angle": SLOPE_OF_ROD, "rod_z": 0.5 * cosine - pressed / stiffness}
    if math.isfinite(stiffness):
        initial["foot_spring"] = -pulled / stiffness
    return timed(Mechanism(body), contact, initial, 0.4, **settings)


def rod(stiffness: float) -> tuple[float, float]:
    """Return CPU time and the error of the instant at which its foot slips [s]."""
    cpu, run = fallen_rod(stiffness)
    return cpu, instant(run.events, "foot_hold", "foot_hold_forward", "foot_hold_backward") - ROD_SLIPS


def main() -> None:
    cases: tuple[Callable[[float], tuple[float, float]], ...] = (ball, disk, rod)
    print("| stiffness [N/m] | ball lands: error [s], CPU | disk rolls | rod slips |")
    print("|---|---|---|---|")
    for stiffness in (*STIFFNESSES, math.inf):
        cells = [f"{error:.0e}, {1e3 * cpu:.1f} ms" for cpu, error in (case(stiffness) for case in cases)]
        print(f"| {'hard' if math.isinf(stiffness) else f'{stiffness:.0e}'} | {' | '.join(cells)} |")
    print(f"\nThe rod on {STIFFNESSES[-1]:.0e} N/m with 0.9 of the critical damping, at rtol 1e-6:")
    for method in ("dp5", "rodas5p"):
        cpu, run = fallen_rod(STIFFNESSES[-1], 0.9, rtol=1e-6, atol=1e-9, method=method)
        print(f"{method}: {run.statistics['steps']:,} steps, {1e3 * cpu:.1f} ms")


if __name__ == "__main__":
    main()
