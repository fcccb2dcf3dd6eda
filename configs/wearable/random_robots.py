"""How rare are robots that let a leg walk? Morphologies drawn at random, without a simulation.

    python configs/wearable/random_robots.py 100

For each topology: how many of so many close in Winter's gait, every 6 % of a stride and 5 degrees around; how many of
these have no bar over 0.7 m; and its best pair of actuators, with how many of them it moves far from singular postures.
"""

import itertools
import sys

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.multibody import Linkage, actuator_pairs
from hybridsim_models.wearable.topologies import TOPOLOGIES
from hybridsim_models.wearable.winter import HIP_ANGLE, KNEE_ANGLE

HIP, KNEE, ANKLE, TORSO_LENGTH = 0.972, 0.522, 0.072, 0.5184
LIMB = {"hip": (0.0, HIP, "-y"), "knee": (0.0, KNEE, "y")}
LONGEST, LEAST, LARGEST = 0.7, 0.2, 5.0
GAIT = np.radians(np.stack([HIP_ANGLE, KNEE_ANGLE], axis=-1)[::3])
AROUND = np.radians([*itertools.product((0.0, -5.0, 5.0), repeat=2)])
POSTURES = (GAIT[:, None] + AROUND).reshape(-1, 2)
"""153 postures: 17 of the gait, each with eight neighbours."""


def random_places(edges, numbers):
    """Return places of joints: on the line of a body of the leg, or anywhere in a box around it."""
    ends = ((HIP, HIP + TORSO_LENGTH), (KNEE, HIP), (ANKLE, KNEE))
    return np.array(
        [
            (0.0, numbers.uniform(*ends[int(body)]))
            if int(body) < len(ends)
            else (numbers.uniform(-0.15, 0.15), numbers.uniform(0.1, 1.3))
            for body, _ in edges.split()
        ]
    )


def longest_bar(linkage):
    """Return the longest distance of two joints of a link [m]."""
    joints = itertools.combinations(range(len(linkage.edges)), 2)
    shared = [(a, b) for a, b in joints if {x for x in linkage.edges[a] if x > 2} & {*linkage.edges[b]}]
    return max(float(np.linalg.norm(linkage.places[a] - linkage.places[b])) for a, b in shared)


def examine(edges, n, numbers):
    """Return how many of n morphologies close, how many of these are small, and how many each pair moves."""
    n_closed, n_small, usable = 0, 0, dict.fromkeys(actuator_pairs(edges), 0)
    for _ in range(n):
        try:
            linkage = Linkage(LIMB, edges, random_places(edges, numbers))
        except ConfigError:
            continue  # singular in upright stance
        if not linkage.close(GAIT, strict=False).closed.all():
            continue
        found = linkage.close(POSTURES, strict=False)
        if not found.closed.all():
            continue
        n_closed, n_small = n_closed + 1, n_small + (longest_bar(linkage) <= LONGEST)
        for pair in usable:
            values = np.linalg.svd(found.transmission[:, [k - 1 for k in pair]], compute_uv=False)
            usable[pair] += bool(values.min() >= LEAST and values.max() <= LARGEST)
    return n_closed, n_small, usable


if __name__ == "__main__":
    if sys.argv[1:] and not sys.argv[1].isdecimal():
        sys.exit("give how many robots to draw of each topology, as in: python random_robots.py 100")
    n_each, drawn = int(sys.argv[1]) if len(sys.argv) > 1 else 100, np.random.default_rng(1)
    without = 0
    for topology, edges in enumerate(TOPOLOGIES, start=1):
        n_closed, n_small, usable = examine(edges, n_each, drawn)
        without += sum(n == 0 for n in usable.values())
        best = max(usable, key=usable.get)
        print(f"{topology:3}  {edges}  closed {n_closed:3}  small {n_small:3}  best pair {best}: {usable[best]:3}")
    print(f"pairs that move none: {without} of 126")
