"""The compliant hexapod in MuJoCo: the robot of models/hexapod with another engine's contact, as a check and for scale.

Free body, and per leg a hinge at the hip (phi), a hinge for the bend (theta) and a slide (rho), with the toe at its end:
the polar coordinates of models/hexapod, so that springs, dampers and motors act on the same. Differences: contact and
friction are MuJoCo's, soft and regularised; a toe keeps its mass in stance; legs in flight load the body. Toes have no
weight, as ours. Needs `mujoco` (benchmarks/requirements.txt).

Run it with: python benchmarks/hexapod_mujoco.py --help
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import mujoco
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

HIP, ROD = slice(6, 24, 3), slice(8, 24, 3)
"""Of the velocities: the rates of phi, and of rho; in the positions they are one further, as a quaternion has four."""
HIP_ANGLE, STRETCH = slice(7, 25, 3), slice(9, 25, 3)


@dataclass(frozen=True)
class Contact:
    """MuJoCo's numbers of a contact: time constant [s], impedance (of 1), and how much stiffer friction is than the push."""

    time_constant: float = 0.001
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
  <option timestep="{step}" gravity="0 0 -9.81" integrator="implicitfast" cone="elliptic" impratio="{contact.impratio}"
          tolerance="1e-12" iterations="100"/>
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
    data = mujoco.MjData(model)
    data.qpos[HIP_ANGLE] = clock(np.zeros(1), setting)[0][0]
    data.qpos[8:25:3] = [0.05] * 3 + [-0.05] * 3
    return data


def run(model: Any, setting: tuple[float, float, float, float], seconds: float) -> tuple[Any, Any]:
    """Times and positions of the body, a row a step, with the motors' line of torque over speed and the end stop."""
    data, step = start(model, setting), model.opt.timestep
    angle, rate = clock(np.arange(round(seconds / step)) * step, setting)
    wanted, rows = K_P * angle + K_D * rate, np.empty((len(angle), 7))
    limits, applied = model.actuator_forcerange, data.qfrc_applied
    for k, torque in enumerate(wanted):
        rows[k] = data.qpos[:7]
        share = data.qvel[HIP] / NO_LOAD_SPEED
        limits[:, 1] = MAX_TORQUE * np.minimum(np.maximum(1.0 - share, 0.0), 1.0)
        limits[:, 0] = -MAX_TORQUE * np.minimum(np.maximum(1.0 + share, 0.0), 1.0)
        over = np.maximum(data.qpos[STRETCH] + (LENGTH - LIFTOFF_LENGTH), 0.0) / STOP_LENGTH
        applied[ROD] = -STOP_FORCE * np.expm1(np.minimum(over, 30.0))
        data.ctrl[:] = torque
        mujoco.mj_step(model, data)
    return np.arange(len(rows)) * step, rows


def speed(
    setting: tuple[float, float, float, float], friction: float, step: float, contact: Contact
) -> tuple[float, ...]:
    """Over the second half of 30 periods [m/s]: along the path, along y; heading at the end [deg]; pitch p-p [deg]."""
    model = mujoco.MjModel.from_xml_string(robot(friction, step, contact))
    times, rows = run(model, setting, 30 * setting[0])
    half = len(rows) // 2
    path, seconds = rows[-1, :2] - rows[half, :2], times[-1] - times[half]
    w, a, b, c = rows[half:, 3:7].T
    yaw = np.degrees(np.arctan2(2 * (w * c + a * b), 1 - 2 * (b * b + c * c)))
    pitch = np.degrees(np.arcsin(2 * (w * a + b * c)))
    return (
        float(np.hypot(*path) / seconds),
        float(path[1] / seconds),
        float(yaw[-1]),
        float(np.ptp(pitch)),
        float(rows[half:, 2].mean()),
    )
