"""How people walk, to compare a walk with: joint angles over the gait cycle, with standard deviations, by speed.

The curves are in people.csv, whose header says where they are from. Speeds are compared without their dimension, as
v / sqrt(g l) with the length l of the leg: what is fast for short legs is slow for long ones. Between two groups of
people curves are interpolated linearly; a walk that is slower than the slowest group is compared with that group.
"""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .anthropometry import HIP_HEIGHT

FILE = Path(__file__).with_name("people.csv")
JOINTS = ("hip", "knee", "ankle")
CYCLE = np.linspace(0.0, 100.0, 51)
"""Where the curves have points [% of the gait cycle, from heel strike]."""


class Group(NamedTuple):
    """People who walk at one speed: means and standard deviations.

    Attributes
    ----------
    speed : tuple of float
        v / sqrt(g l).
    foot_off : tuple of float
        When the foot leaves the ground [% of the gait cycle].
    double_support : tuple of float
        Part of the gait cycle with both feet on the ground [%].
    """

    speed: tuple[float, float]
    foot_off: tuple[float, float]
    double_support: tuple[float, float]


GROUPS = {
    "very slow": Group((0.172, 0.035), (68.0, 5.0), (36.0, 10.0)),
    "slow": Group((0.290, 0.027), (62.0, 2.0), (24.0, 4.0)),
    "free": Group((0.429, 0.026), (59.0, 2.0), (19.0, 2.0)),
    "fast": Group((0.560, 0.031), (58.0, 2.0), (16.0, 3.0)),
    "very fast": Group((0.694, 0.047), (56.0, 2.0), (14.0, 3.0)),
}
"""Typically developing children (Schwartz, Rozumalski and Trost 2008), from the file schwartz2mat.m of biomechZoo."""
ADULTS, ADULTS_SPEED = "adults", 1.2446 / (9.81 * 0.8785) ** 0.5
"""24 young adults at 1.2446 m/s, whose legs are 0.8785 m long, on average (Fukuchi, Fukuchi and Duarte 2018)."""


def relative_speed(speed, stature, gravity=9.81):
    """Return a speed [m/s] of the biped over sqrt(g l), with the length of its legs when they are straight."""
    return speed / (gravity * HIP_HEIGHT * stature) ** 0.5


@cache
def table():
    """Return what people.csv has: for each group and column an array over CYCLE."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    groups = dict.fromkeys(row["group"] for row in rows)
    columns = [name for name in rows[0] if name not in ("group", "cycle")]
    return {
        group: {name: np.array([float(row[name]) for row in rows if row["group"] == group]) for name in columns}
        for group in groups
    }


def angles(speed):
    """Return for hip, knee and ankle the mean and the standard deviation over CYCLE [deg] at a relative speed.

    The trunk of the biped has no pelvis, and stands upright when its hips are at zero. People's hips are measured from
    a pelvis that tilts forward, also where they stand; so its mean tilt is taken from the angle of the hip.
    """
    columns = {
        name: between([table()[group][name] for group in GROUPS], speed) for name in next(iter(table().values()))
    }
    return angles_of(columns)


def angles_of(columns):
    """Return mean and standard deviation by joint, with hips that are seen from an upright pelvis."""
    mean = {joint: columns[joint] for joint in JOINTS}
    mean["hip"] = mean["hip"] - columns["pelvis"][:-1].mean()
    return {joint: (mean[joint], columns[f"{joint}_sd"]) for joint in JOINTS}


def event(name, speed):
    """Return mean and standard deviation of `foot_off` or `double_support` [% of the cycle] at a relative speed."""
    return between([np.array(getattr(group, name)) for group in GROUPS.values()], speed)


def between(values, speed):
    """Return what GROUPS have at a relative speed."""
    speeds = [group.speed[0] for group in GROUPS.values()]
    place = np.interp(speed, speeds, range(len(speeds)))
    first = min(int(place), len(speeds) - 2)
    return values[first] + (place - first) * (values[first + 1] - values[first])


def deviation(values, speed, joint):
    """Return how far a curve over CYCLE is from people, in their standard deviations: all values, rms and largest.

    The cycle ends where it begins, so that the last point counts for nothing in the root mean square.
    """
    mean, sd = angles(speed)[joint]
    apart = (np.asarray(values) - mean) / sd
    return apart, float(np.sqrt(np.mean(apart[:-1] ** 2))), float(np.abs(apart).max())
