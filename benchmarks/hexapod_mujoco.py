"""The compliant hexapod in MuJoCo: the robot of models/hexapod with another's contact, as a check and for scale.

A free body, and per leg two hinges (phi, the hip, and theta, the bend) and a slide (rho), with a toe at the end: the
polar coordinates of models/hexapod, so that springs, dampers and motors act on the same. Differences: contact and
friction are MuJoCo's, soft and regularised; a toe keeps its mass in stance; legs in flight load the body. Toes have no
weight, as ours. Needs `mujoco` (benchmarks/requirements.txt).

Run it with: python benchmarks/hexapod_mujoco.py --help
"""

from __future__ import annotations

import argparse
import importlib
import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

SETTINGS = (
    (0.90, 0.6875, 0.6000, -0.150),
    (0.80, 0.6900, 0.6109, -0.150),
    (0.53, 0.6226, 0.6981, -0.175),
    (0.53, 0.5600, 0.6981, -0.150),
)
"""RHexLib's four speeds: period t_c [s], t_s/t_c, phi_s [rad], phi_o [rad]; docs/hexapod.md has the same."""

HIPS = ((0.1, -0.2), (0.15, 0.0), (0.1, 0.2), (-0.1, -0.2), (-0.15, 0.0), (-0.1, 0.2))
BODY_MASS, INERTIA, TOE_MASS, LENGTH = 7.0, (0.09917, 0.02917, 0.117), 0.01, 0.17
K_P, K_D, MAX_TORQUE, NO_LOAD_SPEED = 24.03, 0.6727, 4.0, 10000.0 * 2.0 * math.pi / 60.0 / 33.0625
HIP_DAMPING, LIFTOFF_LENGTH, STOP_FORCE, STOP_LENGTH = 0.001, 0.175, 6.0, 0.001
TOE_RADIUS, TOE_INERTIA = 1e-4, 1e-8
INSTALL = "install it with `pip install mujoco`, or all of benchmarks/requirements.txt by `make benchmark`"

HIP, ROD = slice(6, 24, 3), slice(8, 24, 3)
"""Of the velocities: the rates of phi, and of rho; in the positions they are one further, as a quaternion has four."""
HIP_ANGLE, STRETCH = slice(7, 25, 3), slice(9, 25, 3)


def engine() -> Any:
    """MuJoCo, where it is wanted: `--help` does without."""
    return importlib.import_module("mujoco")


@dataclass(frozen=True)
class Contact:
    """MuJoCo's numbers of a contact: time constant [s], impedance, and how much harder friction is than the push."""

    time_constant: float
    impedance: float = 0.99
    impratio: float = 10.0


def robot(friction: float, step: float, contact: Contact) -> str:
    """The robot on a plane, as MJCF."""
    softness = (
        f'friction="{friction} 0 0" condim="3" solref="{contact.time_constant} 1" '
        f'solimp="{contact.impedance} {contact.impedance} 0.001 0.5 2"'
    )
    legs, motors = "", ""
    for leg, (x, y) in enumerate(HIPS):
        scale, bend = (4.0 / 3.0 if leg in (1, 4) else 1.0), (0.05 if leg < 3 else -0.05)
        legs += f"""
      <body name="leg{leg}" pos="{x} {y} 0" gravcomp="1">
        <inertial pos="0 0 {-LENGTH}" mass="{TOE_MASS}" diaginertia="{TOE_INERTIA} {TOE_INERTIA} {TOE_INERTIA}"/>
        <joint name="phi{leg}" type="hinge" axis="1 0 0" damping="{HIP_DAMPING}"/>
        <joint name="theta{leg}" type="hinge" axis="0 -1 0" stiffness="{300 * scale}" damping="{0.12 * scale}"
               springref="{math.degrees(bend)}"/>
        <joint name="rho{leg}" type="slide" axis="0 0 -1" stiffness="{1200 * scale}" damping="{12 * scale}"/>
        <geom type="sphere" size="{TOE_RADIUS}" pos="0 0 {-LENGTH}" contype="1" conaffinity="2" {softness}/>
      </body>"""
        motors += f"""
    <general joint="phi{leg}" biastype="affine" gainprm="1" biasprm="0 {-K_P} {-K_D}" forcelimited="true"
             forcerange="{-MAX_TORQUE} {MAX_TORQUE}"/>"""
    return f"""
<mujoco>
  <compiler angle="degree"/>
  <option timestep="{step}" gravity="0 0 -9.81" integrator="implicitfast" cone="elliptic"
          impratio="{contact.impratio}"/>
  <worldbody>
    <geom type="plane" pos="0 0 {-TOE_RADIUS}" size="0 0 1" contype="2" conaffinity="1" {softness}/>
    <body name="body" pos="0 -0.5 0.18">
      <freejoint/>
      <inertial pos="0 0 0" mass="{BODY_MASS}" diaginertia="{INERTIA[0]} {INERTIA[1]} {INERTIA[2]}"/>{legs}
    </body>
  </worldbody>
  <actuator>{motors}
  </actuator>
</mujoco>"""


def clock(times: Any, setting: tuple[float, float, float, float]) -> tuple[Any, Any]:
    """What the clock wants of the six hips at `times` [rad, rad/s]: shape (len(times), 6)."""
    t_c, duty, phi_s, phi_o = setting
    t_s = duty * t_c
    slow, fast = phi_s / t_s, (2.0 * math.pi - phi_s) / (t_c - t_s)
    late = np.array([0.0, 0.5, 0.0, 0.5, 0.0, 0.5]) * t_c
    turns, s = np.divmod(np.asarray(times)[:, None] + late, t_c)
    begun, ended = 0.5 * t_s, t_c - 0.5 * t_s
    angle = (
        slow * np.minimum(s, begun) + fast * np.clip(s - begun, 0.0, ended - begun) + slow * np.maximum(s - ended, 0.0)
    )
    rate = np.where((s < begun) | (s >= ended), slow, fast)
    return phi_o - angle - 2.0 * math.pi * turns, -rate


def start(model: Any, setting: tuple[float, float, float, float]) -> Any:
    """Toes at rest length and rest bend, hips where the clock begins."""
    data = engine().MjData(model)
    data.qpos[HIP_ANGLE] = clock(np.zeros(1), setting)[0][0]
    data.qpos[8:25:3] = [0.05] * 3 + [-0.05] * 3
    return data


@dataclass(frozen=True)
class Walk:
    """What came of a walk, its second half: speed [m/s], pitch peak to peak [deg], mean height [m].

    And the computing time [s]: within `mj_step`, and with the motors and end stops that are computed here.
    """

    speed: float
    pitch: float
    height: float
    stepping: float
    whole: float


def walk(
    setting: tuple[float, float, float, float],
    friction: float,
    step: float,
    seconds: float,
    contact: Contact,
) -> Walk:
    """Walk on level ground, with the motors' line of torque over speed and the end stop of the legs."""
    mujoco = engine()
    model = mujoco.MjModel.from_xml_string(robot(friction, step, contact))
    data, limits = start(model, setting), model.actuator_forcerange
    began, stepping = time.thread_time(), 0.0
    angle, rate = clock(np.arange(round(seconds / step)) * step, setting)
    poses = np.empty((len(angle), 7))
    for k, torque in enumerate(K_P * angle + K_D * rate):
        poses[k] = data.qpos[:7]
        share = data.qvel[HIP] / NO_LOAD_SPEED
        limits[:, 1] = MAX_TORQUE * np.minimum(np.maximum(1.0 - share, 0.0), 1.0)
        limits[:, 0] = -MAX_TORQUE * np.minimum(np.maximum(1.0 + share, 0.0), 1.0)
        over = np.maximum(data.qpos[STRETCH] + (LENGTH - LIFTOFF_LENGTH), 0.0) / STOP_LENGTH
        data.qfrc_applied[ROD] = -STOP_FORCE * np.expm1(np.minimum(over, 30.0))
        data.ctrl[:] = torque
        entered = time.thread_time()
        mujoco.mj_step(model, data)
        stepping += time.thread_time() - entered
    whole = time.thread_time() - began
    later = poses[len(poses) // 2 :]
    way = np.hypot(*(later[-1, :2] - later[0, :2]))
    w, a, b, c = later[:, 3:].T
    pitch = np.degrees(np.arcsin(2.0 * (w * a + b * c)))
    return Walk(
        float(way / ((len(later) - 1) * step)), float(np.ptp(pitch)), float(later[:, 2].mean()), stepping, whole
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--friction", type=float, nargs="+", default=[0.5, 200.0], help="coefficients; 200: no slipping"
    )
    parser.add_argument("--step", type=float, nargs="+", default=[5e-4, 2.5e-4, 1e-4], help="steps of MuJoCo [s]")
    parser.add_argument("--impedance", type=float, default=0.99, help="of contacts; 1 would be hard")
    parser.add_argument("--impratio", type=float, default=10.0, help="how much harder friction is than the push")
    given = parser.parse_args()
    try:
        engine()
    except ImportError as problem:
        parser.exit(1, f"hexapod_mujoco.py: expected the package mujoco, found none ({problem}); {INSTALL}\n")
    print("Mean speed over the second half of 30 periods [m/s]; contacts with a time constant of two steps\n")
    print(
        f"{'friction':>8}{'step, ms':>10}" + "".join(f"{f'setting {i}':>11}" for i in range(4)) + "   pitch p-p [deg]"
    )
    for friction in given.friction:
        for step in given.step:
            contact = Contact(2.0 * step, given.impedance, given.impratio)
            walks = [walk(setting, friction, step, 30.0 * setting[0], contact) for setting in SETTINGS]
            speeds = "".join(f"{one.speed:11.3f}" for one in walks)
            print(
                f"{friction:8g}{1e3 * step:10.2f}{speeds}   " + " ".join(f"{one.pitch:.1f}" for one in walks),
                flush=True,
            )


if __name__ == "__main__":
    main()
