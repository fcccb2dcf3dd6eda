"""What Kane's equations of a biped cost, beside pinocchio's C++ on the same bodies.

    python benchmarks/mechanisms.py            # pip install pin; g++, and the headers of Eigen (libeigen3-dev)
    python benchmarks/mechanisms.py --alone    # without pinocchio

A biped with 17 speeds: mass matrix M and forces h, and the forward dynamics under ten constraint rows; also with two of
them held by motors, which pinocchio does not have. Both sides are called from a compiled loop, in turn, round after
round. The values must agree. mechanisms.cpp is compiled once, in some minutes, into benchmarks/results. The limits:
2.5 us for M and h, 5 us with the ten rows, and ahead of pinocchio.
"""

import ctypes
import hashlib
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numba
import numpy as np

from hybridsim import scratch, subarray
from hybridsim.engine.compiler.compilation import compile_functions
from hybridsim.engine.compiler.signatures import VECTOR_FIELD
from hybridsim.multibody import (
    Body,
    Mechanism,
    Point,
    Prismatic,
    Revolute,
    Vector,
    inertia_forces,
    kinematics,
    lock_row,
    mass_matrix,
    point_rows,
    solve_constrained,
    solve_held,
    spin_row,
)

FOLDER = Path(__file__).parent
EIGEN = Path("/usr/include/eigen3")
POINTER = ctypes.POINTER(ctypes.c_double)
FLAGS = (
    *("-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared", "-w"),
    *("-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"),
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)
"""Optimised for this processor; the definitions are those of pinocchio's own build."""

ROUNDS, REPETITIONS = 500, 50
AGREEMENT = 1e-11
"""Largest difference from pinocchio, over the largest value; the rows amplify rounding."""
MOST_MICROSECONDS = {"M and h": 2.5, "ten rows": 5.0}

# name, parent, axis, turns or slides, place [m], mass [kg], centre of mass [m], moments of inertia [kg m^2]
FOOT, SHANK, THIGH = (0.00104, 0.00404, 0.00445), (0.0390, 0.0375, 0.00644), (0.2015, 0.2015, 0.0413)
HEEL = Vector(-0.19, 0.0, 0.0)
TABLE = (
    ("ahead", "world", "x", Prismatic, (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("aside", "ahead", "y", Prismatic, (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("above", "aside", "z", Prismatic, (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("toe1", "above", "x", Revolute, (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("foot1", "toe1", "y", Revolute, (0.0, 0.0, 0.0), 1.0001, (-0.0749, 0.0, 0.0341), FOOT),
    ("ankle1x", "foot1", "x", Revolute, (-0.1271, 0.0, 0.0683), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("ankle1y", "ankle1x", "y", Revolute, (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("shank1", "ankle1y", "z", Revolute, (0.0, 0.0, 0.0), 3.1609, (0.0, 0.0, 0.2481), SHANK),
    ("thigh1", "shank1", "y", Revolute, (0.0, 0.0, 0.4426), 10.3368, (0.0, 0.0, 0.2506), THIGH),
    ("hip1", "thigh1", "x", Revolute, (0.0, 0.0, 0.4244), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("trunk", "hip1", "y", Revolute, (0.0, 0.0, 0.0), 44.0044, (0.0, 0.085, 0.3272), (2.5848, 2.1562, 0.6260)),
    ("hip2", "trunk", "y", Revolute, (0.0, 0.17, 0.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("thigh2", "hip2", "x", Revolute, (0.0, 0.0, 0.0), 10.3368, (0.0, 0.0, -0.1738), THIGH),
    ("shank2", "thigh2", "y", Revolute, (0.0, 0.0, -0.4244), 3.1609, (0.0, 0.0, -0.1945), SHANK),
    ("ankle2z", "shank2", "z", Revolute, (0.0, 0.0, -0.4426), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("ankle2y", "ankle2z", "y", Revolute, (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ("foot2", "ankle2y", "x", Revolute, (0.0, 0.0, 0.0), 1.0001, (0.0522, 0.0, -0.0342), FOOT),
)

MECHANISM = Mechanism(
    *(
        Body(name, joint(f"q_{name}", axis, place=place), parent, mass, centre, inertia)
        for name, parent, axis, joint, place, mass, centre, inertia in TABLE
    )
)
TREE, DATA, GRAVITY, FRAMES = MECHANISM.tree, MECHANISM.data, MECHANISM.gravity, MECHANISM.frames
MOTION, WORK, N, U = MECHANISM.motion_size, MECHANISM.work_size, TREE.n_speeds, MECHANISM.u
SQUARE, NINE, TEN, TWENTY = N * N, 9 * (N + 1), 10 * (N + 1), 20 * (N + 1)
TOE_OF_1, HEEL_OF_2 = Point(FRAMES.foot1, Vector(0.0, 0.0, 0.0)), Point(FRAMES.foot2, HEEL)
FOOT1, FOOT2, TRUNK = FRAMES.foot1, FRAMES.foot2, FRAMES.trunk
X, Y, Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)


def ten_rows(rows, motion):
    """One toe and the other heel stand still, and four directions in which feet and trunk do not turn."""
    point_rows(rows, motion, TREE, 0, TOE_OF_1)
    spin_row(rows, motion, TREE, 3, FOOT1, X)
    spin_row(rows, motion, TREE, 4, FOOT2, X)
    spin_row(rows, motion, TREE, 5, FOOT2, Z)
    spin_row(rows, motion, TREE, 6, TRUNK, Z)
    point_rows(rows, motion, TREE, 7, HEEL_OF_2)


def ten_rows_and_efforts(rows, motion):
    """The ten rows, and the efforts that hold them: motors about two vertical axes for foot and trunk."""
    ten_rows(rows, motion)
    for i in range(TEN):
        rows[TEN + i] = rows[i]
    lock_row(rows, TREE, 15, U.q_ankle2zdot)
    lock_row(rows, TREE, 16, U.q_shank1dot)


def nine_rows(rows, motion):
    """One toe stands still, and the other foot altogether."""
    point_rows(rows, motion, TREE, 0, TOE_OF_1)
    point_rows(rows, motion, TREE, 3, HEEL_OF_2)
    spin_row(rows, motion, TREE, 6, FOOT2, X)
    spin_row(rows, motion, TREE, 7, FOOT2, Y)
    spin_row(rows, motion, TREE, 8, FOOT2, Z)


RNG = np.random.default_rng(1)
COORDINATES, SPEEDS = 0.3 * RNG.normal(size=N), RNG.normal(size=N)


def rows_at(write, count, speeds):
    rows = np.zeros(count * (N + 1))
    write(rows, MECHANISM.motion(COORDINATES, speeds))
    return rows.reshape(count, N + 1)


OF_TEN = MECHANISM.partition(rows_at(ten_rows, 10, SPEEDS))
OF_HELD = MECHANISM.partition(rows_at(ten_rows_and_efforts, 20, SPEEDS)[10:])
OF_NINE = MECHANISM.partition(rows_at(nine_rows, 9, SPEEDS))


# Ours: four functions as they stand in a plug-in. `xdot` receives what they find, and has room for M.


def mass_and_forces(xdot, t, x, p, chart):
    motion = scratch(MOTION)
    kinematics(motion, TREE, DATA, x, subarray(x, N, N))
    mass_matrix(subarray(xdot, N, SQUARE), motion, TREE, DATA)
    inertia_forces(xdot, motion, TREE, DATA, GRAVITY)


def with_ten_rows(xdot, t, x, p, chart):
    motion, mass, force, rows, work = scratch(MOTION), scratch(SQUARE), scratch(N), scratch(TEN), scratch(WORK)
    kinematics(motion, TREE, DATA, x, subarray(x, N, N))
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(force, motion, TREE, DATA, GRAVITY)
    ten_rows(rows, motion)
    for i in range(N):
        force[i] = -force[i]
    solve_constrained(xdot, subarray(xdot, N, 10), mass, force, rows, OF_TEN, work)


def with_held_rows(xdot, t, x, p, chart):
    motion, mass, force, rows, work = scratch(MOTION), scratch(SQUARE), scratch(N), scratch(TWENTY), scratch(WORK)
    kinematics(motion, TREE, DATA, x, subarray(x, N, N))
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(force, motion, TREE, DATA, GRAVITY)
    ten_rows_and_efforts(rows, motion)
    for i in range(N):
        force[i] = -force[i]
    solve_held(xdot, subarray(xdot, N, 10), mass, force, rows, OF_HELD, work)


def with_nine_rows(xdot, t, x, p, chart):
    motion, mass, force, rows, work = scratch(MOTION), scratch(SQUARE), scratch(N), scratch(NINE), scratch(WORK)
    kinematics(motion, TREE, DATA, x, subarray(x, N, N))
    mass_matrix(mass, motion, TREE, DATA)
    inertia_forces(force, motion, TREE, DATA, GRAVITY)
    nine_rows(rows, motion)
    for i in range(N):
        force[i] = -force[i]
    solve_constrained(xdot, subarray(xdot, N, 9), mass, force, rows, OF_NINE, work)


def loop_over(address):
    """Return a compiled loop that calls the vector field at an address n times."""
    field = ctypes.CFUNCTYPE(None, POINTER, ctypes.c_double, POINTER, POINTER, ctypes.c_int64)(address)

    @numba.njit
    def repeat(xdot, x, p, n):
        for _ in range(n):
            field(xdot.ctypes, 0.0, x.ctypes, p.ctypes, 0)

    return repeat


class Ours:
    """A plug-in's function, compiled, and called in a compiled loop."""

    def __init__(self, function, speeds):
        self.compiled = compile_functions("biped", {"vector_field": function})
        self.repeat = loop_over(int(self.compiled.addresses[VECTOR_FIELD]))
        self.found = np.zeros(N + SQUARE)
        self.arguments = self.found, np.concatenate((COORDINATES, speeds)), np.zeros(1)
        self.repeat(*self.arguments, 1)

    def seconds(self):
        start = time.perf_counter()
        self.repeat(*self.arguments, REPETITIONS)
        return (time.perf_counter() - start) / REPETITIONS


class Pinocchio:
    """The functions of mechanisms.cpp."""

    def __init__(self):
        self.library = ctypes.CDLL(str(compile_library()))
        for name in ("mass_and_forces", "all_terms", "rows", "contacts"):
            getattr(self.library, f"time_{name}").restype = ctypes.c_double
        numbers = FRAMES._asdict()
        parents = np.array([numbers[parent] for _, parent, *_ in TABLE], np.int32)
        kinds = np.array(["xyz".index(row[2]) + 3 * (row[3] is Prismatic) for row in TABLE], np.int32)
        bodies = np.array([[*row[4], row[5], *row[6], *row[7]] for row in TABLE])
        marked = np.array([FOOT1, FOOT2, TRUNK], np.int32)
        heel = np.array(HEEL)
        self.library.build(N, *map(pointer, (parents, kinds, bodies, marked, heel)))

    def place(self, speeds):
        self.library.place(pointer(COORDINATES), pointer(speeds))

    def seconds(self, name):
        return getattr(self.library, f"time_{name}")(REPETITIONS)

    def mass_and_forces(self):
        mass, forces = np.zeros(SQUARE), np.zeros(N)
        self.library.read_mass_and_forces(pointer(mass), pointer(forces))
        return np.concatenate((forces, mass))

    def rates(self, of_contacts):
        rates = np.zeros(N)
        self.library.read_rates(int(of_contacts), pointer(rates))
        return rates


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def compile_library():
    """Return mechanisms.cpp as a shared library, compiled now if it has not been."""
    source = FOLDER / "mechanisms.cpp"
    prefix = Path(find_spec("pinocchio").origin).parents[4]  # cmeel.prefix/lib/pythonX/site-packages/pinocchio
    command = ["g++", *FLAGS, "-isystem", str(prefix / "include"), "-isystem", str(EIGEN), str(source)]
    key = hashlib.sha256(source.read_bytes() + " ".join(command).encode()).hexdigest()[:16]
    target = FOLDER / "results" / f"multibody-{key}.so"
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        print("mechanisms.cpp is being compiled, some minutes ...", flush=True)
        subprocess.run([*command, "-o", str(target)], check=True)
    return target


def compare(name, ours, theirs, functions):
    """Time both in turn; print the shortest times, their ratio, and the median of the ratios within a round.

    `functions` are pinocchio's, of which the first is the one whose values are compared.
    """
    times = {each: [] for each in ("ours", *functions)}
    for _ in range(ROUNDS):
        times["ours"].append(ours.seconds())
        for each in reversed(functions):
            times[each].append(theirs.seconds(each))
    expected = theirs.mass_and_forces() if name == "M and h" else theirs.rates(functions[0] == "contacts")
    apart = np.abs(ours.found[: len(expected)] - expected).max() / np.abs(expected).max()
    print_ours(name, min(times["ours"]))
    for each in functions:
        shortest, in_a_round = min(times[each]), np.median(np.array(times[each]) / times["ours"])
        ratio = f"{shortest / min(times['ours']):.2f} times ours, in a round {in_a_round:.2f}"
        print(f"    pinocchio, {each}: {shortest * 1e6:.2f} us = {ratio}")
    print(f"    values {apart:.0e} apart{'' if apart <= AGREEMENT else ': TOO FAR APART'}")
    return apart <= AGREEMENT


def print_ours(name, seconds):
    limit = MOST_MICROSECONDS.get(name)
    verdict = f" (limit {limit} us{'' if seconds * 1e6 <= limit else ': TOO SLOW'})" if limit else ""
    print(f"{name}: {seconds * 1e6:.2f} us{verdict}")


def standing():
    """Return speeds with which the nine points and directions stand still."""
    matrix, speeds = rows_at(nine_rows, 9, SPEEDS)[:, :-1], SPEEDS.copy()
    speeds[OF_NINE.dependent] = np.linalg.solve(
        matrix[:, OF_NINE.dependent], -matrix[:, OF_NINE.independent] @ speeds[OF_NINE.independent]
    )
    return speeds


def main():
    still = standing()  # pinocchio's contacts of six rows take the drift for that of a body that stands still
    cases = {
        "M and h": (mass_and_forces, ("mass_and_forces", "all_terms"), SPEEDS),
        "ten rows": (with_ten_rows, ("rows",), SPEEDS),
        "ten rows, two held by motors": (with_held_rows, (), SPEEDS),
        "nine rows": (with_nine_rows, ("contacts",), still),
    }
    theirs, agree = None if "--alone" in sys.argv else Pinocchio(), []
    for name, (function, functions, speeds) in cases.items():
        ours = Ours(function, speeds)
        if theirs is None or not functions:
            print_ours(name, min(ours.seconds() for _ in range(ROUNDS)))
        else:
            theirs.place(speeds)
            agree.append(compare(name, ours, theirs, functions))
    return all(agree)


if __name__ == "__main__":
    sys.exit(not main())
