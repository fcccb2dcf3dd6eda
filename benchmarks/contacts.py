"""Contacts beside MuJoCo, Drake and Siconos: a rocking block, and a disk that slips until it rolls.

Both motions are known. An impact of the block is where its angle changes its sign, in each tool. Time stepping has no
instant of an impact: angles are interpolated between steps. CPU time is that of a run whose functions are compiled and
whose model is built, the least of several. What is not installed (benchmarks/requirements.txt) is left out. Siconos is
not on PyPI: it takes g++ and Debian's package siconos.

Run it with: python benchmarks/contacts.py
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import math
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim import simulate
from hybridsim.contacts import Disk, Patch, contact_model
from hybridsim.multibody import Body, Mechanism, Planar

WIDTH, HEIGHT, TILT, BLOCK_TIME = 0.2, 0.8, 0.15, 3.0
IMPACTS = {1: 0.379432744186407542, 3: 1.44052224208270378, 6: 2.52593542953913476}
"""Instants of impacts of a block that stands on a corner, tilted by 0.15 rad (Housner 1963) [s]."""

RADIUS, SPIN_INERTIA, FRICTION, DISK_TIME = 0.5, 0.125, 0.2, 2.0
ROLLS = 2 / 3
"""Speed of a uniform disk that began to slip at 1 m/s without turning [m/s]."""

BLOCK_PLACE = (
    -(math.cos(TILT) * WIDTH / 2 - math.sin(TILT) * HEIGHT / 2),
    math.sin(TILT) * WIDTH / 2 + math.cos(TILT) * HEIGHT / 2,
    TILT,
)
"""x, z and angle of the block's centre, its right corner in the origin."""


@dataclass(frozen=True)
class Result:
    """CPU time [s] and errors: of impacts 1, 3 and 6 of the block [s], or of the disk's speed [m/s]."""

    cpu: float
    errors: tuple[float, ...]


def timed(run: Callable[[], Any], times: int) -> tuple[float, Any]:
    """Return the least CPU time of so many runs, and what the last one returns."""
    best, answer = math.inf, None
    for _ in range(times):
        began = time.process_time()
        answer = run()
        best = min(best, time.process_time() - began)
    return best, answer


def impact_errors(t: Any, angle: Any) -> tuple[float, ...]:
    """Return the errors of impacts: where the angle changes its sign."""
    k = np.flatnonzero((angle[:-1] > 0) != (angle[1:] > 0))
    instants = t[k] + (t[k + 1] - t[k]) * angle[k] / (angle[k] - angle[k + 1])
    return tuple(float(instants[n - 1] - exact) if len(k) >= n else math.nan for n, exact in IMPACTS.items())


def with_hybridsim(rtol: float, times: int) -> tuple[Result, Result]:
    """Run both cases at a tolerance."""
    across = (WIDTH**2 + HEIGHT**2) / 12
    block = Body("block", Planar("block", normal="y"), mass=1.0, inertia=(HEIGHT**2 / 12, across, WIDTH**2 / 12))
    corners = ((-WIDTH / 2, 0.0, -HEIGHT / 2), (WIDTH / 2, 0.0, -HEIGHT / 2))
    model = contact_model("block", Mechanism(block), [Patch("base", "block", corners, friction=10.0)])
    initial = dict(zip(("block_x", "block_z", "block_angle"), BLOCK_PLACE, strict=True))
    settings = {"rtol": rtol, "atol": 0.01 * rtol}
    simulate(model, initial=initial, final_time=BLOCK_TIME, **settings)
    cpu, run = timed(lambda: simulate(model, initial=initial, final_time=BLOCK_TIME, **settings), times)
    first = Result(cpu, tuple(float(run.events.t[n - 1] - exact) for n, exact in IMPACTS.items()))
    inertia = (SPIN_INERTIA / 2, SPIN_INERTIA, SPIN_INERTIA / 2)
    wheel = Mechanism(Body("wheel", Planar("wheel", normal="y"), mass=1.0, inertia=inertia))
    model = contact_model("disk", wheel, [Disk("rim", "wheel", RADIUS, friction=FRICTION)])
    initial = {"wheel_z": RADIUS, "wheel_xdot": 1.0}
    simulate(model, initial=initial, final_time=DISK_TIME, **settings)
    cpu, run = timed(lambda: simulate(model, initial=initial, final_time=DISK_TIME, record=True, **settings), times)
    return first, Result(cpu, (float(run["wheel_xdot"][-1] - ROLLS),))


MJCF = """
<mujoco><option timestep="{step}" cone="elliptic" gravity="0 0 -9.81"/>
  <default><geom friction="{friction} 0 0" condim="3" {softness}/></default>
  <worldbody><geom type="plane" size="50 50 1"/>
    <body><inertial pos="0 0 0" mass="1" diaginertia="{inertia}"/>
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>
      <geom {geom}/></body></worldbody></mujoco>
"""


def with_mujoco(step: float, is_stiff: bool, times: int) -> tuple[Result, Result]:
    """Run both cases at a step [s], with the default contact or with one that is as stiff as the step allows."""
    mujoco, rollout = importlib.import_module("mujoco"), importlib.import_module("mujoco.rollout")
    softness = f'solref="{2 * step} 1" solimp="0.99 0.99 0.001 0.5 2"' if is_stiff else ""

    def states(friction: float, inertia: str, geom: str, start: list[float], seconds: float) -> tuple[float, Any]:
        text = MJCF.format(step=step, friction=friction, softness=softness, inertia=inertia, geom=geom)
        model = mujoco.MjModel.from_xml_string(text)
        data, begin = mujoco.MjData(model), np.array([[0.0, *start]])
        steps = round(seconds / step)
        cpu, found = timed(lambda: rollout.rollout(model, data, begin, nstep=steps), times)
        return cpu, np.concatenate([begin, found[0][0]])

    across = f"{HEIGHT**2 / 12} {(WIDTH**2 + HEIGHT**2) / 12} {WIDTH**2 / 12}"
    box = f'type="box" size="{WIDTH / 2} 0.1 {HEIGHT / 2}"'
    cpu, found = states(10.0, across, box, [*BLOCK_PLACE, 0.0, 0.0, 0.0], BLOCK_TIME)
    first = Result(cpu, impact_errors(found[:, 0], found[:, 3]))
    inertia, ball = f"{SPIN_INERTIA} {SPIN_INERTIA} {SPIN_INERTIA}", f'type="sphere" size="{RADIUS}"'
    cpu, found = states(FRICTION, inertia, ball, [0.0, RADIUS, 0.0, 1.0, 0.0, 0.0], DISK_TIME)
    return first, Result(cpu, (float(found[-1, 4] - ROLLS),))


def with_drake(step: float, approximation: str, times: int) -> tuple[Result, Result]:
    """Run both cases at a step [s], with points of contact of 1e9 N/m."""
    drake = importlib.import_module("pydrake.all")
    upright = drake.RigidTransform(drake.RotationMatrix.MakeXRotation(math.pi / 2))  # x, y of the joint are x, z

    def states(friction: float, inertia: tuple[float, ...], balls: Any, start: list[float], seconds: float) -> Any:
        builder = drake.DiagramBuilder()
        plant, _ = drake.AddMultibodyPlantSceneGraph(builder, step)
        plant.set_discrete_contact_approximation(getattr(drake.DiscreteContactApproximation, approximation))
        plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -9.81])
        body = plant.AddRigidBody(
            "body", drake.SpatialInertia(1.0, np.zeros(3), drake.UnitInertia(*inertia), skip_validity_check=True)
        )
        frames = [
            plant.AddFrame(drake.FixedOffsetFrame(f"upright_{name}", frame, upright))
            for name, frame in (("world", plant.world_frame()), ("body", body.body_frame()))
        ]
        joint = plant.AddJoint(drake.PlanarJoint("plane", *frames, np.zeros(3)))
        matter = drake.ProximityProperties()
        drake.AddContactMaterial(0.0, 1e9, drake.CoulombFriction(friction, friction), matter)
        plant.RegisterCollisionGeometry(plant.world_body(), drake.RigidTransform(), drake.HalfSpace(), "ground", matter)
        for k, (place, radius) in enumerate(balls):
            plant.RegisterCollisionGeometry(body, drake.RigidTransform(place), drake.Sphere(radius), f"ball{k}", matter)
        plant.Finalize()
        log = drake.LogVectorOutput(plant.get_state_output_port(), builder, publish_period=step)
        diagram = builder.Build()

        def run() -> Any:
            simulator = drake.Simulator(diagram)
            context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
            x, z, angle, speed = start
            joint.set_translation(context, [x, z])
            joint.set_rotation(context, -angle)
            joint.set_translational_velocity(context, [speed, 0.0])
            simulator.AdvanceTo(seconds)
            return log.FindLog(simulator.get_context())

        cpu, found = timed(run, times)
        return cpu, found.sample_times(), found.data()

    across = (HEIGHT**2 / 12, (WIDTH**2 + HEIGHT**2) / 12, WIDTH**2 / 12)
    tip = 1e-6
    balls = [([side * WIDTH / 2, 0.0, tip - HEIGHT / 2], tip) for side in (-1, 1)]
    cpu, t, x = states(10.0, across, balls, [*BLOCK_PLACE, 0.0], BLOCK_TIME)
    first = Result(cpu, impact_errors(t, -x[2]))
    inertia = (SPIN_INERTIA, SPIN_INERTIA, SPIN_INERTIA)
    cpu, _, x = states(FRICTION, inertia, [([0.0, 0.0, 0.0], RADIUS)], [0.0, RADIUS, 0.0, 1.0], DISK_TIME)
    return first, Result(cpu, (float(x[3, -1] - ROLLS),))


SICONOS = Path("/usr/include/siconos")
"""Where Debian's package puts the headers of Siconos."""


@cache
def siconos_program() -> str:
    """Compile what runs both cases by Siconos; return the program."""
    program = str(Path(tempfile.mkdtemp()) / "siconos")
    source = Path(__file__).parent / "rivals" / "cpp" / "siconos.cpp"
    headers = [f"-I{folder}" for folder in (SICONOS, *SICONOS.rglob("*/"))]
    linked = ["-lsiconos_kernel", "-lsiconos_numerics"]
    subprocess.run(["g++", "-O3", "-std=c++17", *headers, str(source), *linked, "-o", program], check=True)
    return program


def with_siconos(step: float, times: int) -> tuple[Result, Result]:
    """Run both cases at a step [s], by the scheme of Moreau and Jean with theta = 1/2."""
    command = [siconos_program(), str(step), str(times)]
    answers = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    (cpu, *instants), (disk_cpu, speed) = (map(float, line.split()) for line in answers)
    errors = tuple(instants[n - 1] - exact if len(instants) >= n else math.nan for n, exact in IMPACTS.items())
    return Result(cpu, errors), Result(disk_cpu, (speed - ROLLS,))


def rows(quick: bool) -> list[tuple[str, Callable[[], tuple[Result, Result]]]]:
    """Return what is compared: its name, and how it is run."""
    found: list[tuple[str, Callable[[], tuple[Result, Result]]]] = [
        (f"hybridsim, rtol {rtol:g}", lambda rtol=rtol: with_hybridsim(rtol, 5)) for rtol in (1e-6, 1e-10)
    ]
    steps = (2e-3,) if quick else (2e-3, 1e-4, 2e-5)
    if importlib.util.find_spec("mujoco"):
        for is_stiff in (False, True):
            for step in steps:
                name = f"MuJoCo, {'stiff' if is_stiff else 'default'}, {1e3 * step:g} ms"
                found.append((name, lambda step=step, stiff=is_stiff: with_mujoco(step, stiff, 2)))
    if importlib.util.find_spec("pydrake"):
        for name in ("kSap", "kLagged"):
            for step in steps[:2]:
                title = f"Drake, {name[1:].upper() if name == 'kSap' else name[1:]}, {1e3 * step:g} ms"
                found.append((title, lambda step=step, name=name: with_drake(step, name, 1)))
    if SICONOS.exists() and shutil.which("g++"):
        found += [(f"Siconos, {1e3 * step:g} ms", lambda step=step: with_siconos(step, 1)) for step in steps]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the longest steps only, some seconds")
    print("| | block, 3 s: CPU | error of impacts 1 / 3 / 6 [s] | disk, 2 s: CPU | error of its speed [m/s] |")
    print("|---|---|---|---|---|")
    for name, run in rows(parser.parse_args().quick):
        block, disk = run()
        errors = " / ".join(f"{error:.0e}" for error in block.errors)
        print(f"| {name} | {1e3 * block.cpu:.1f} ms | {errors} | {1e3 * disk.cpu:.1f} ms | {disk.errors[0]:.0e} |")


if __name__ == "__main__":
    main()
