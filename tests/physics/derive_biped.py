"""Derive the free biped with sympy, and write biped_by_sympy.json. It takes 12 minutes.

M and h of Kane's equations, M udot + h = Q, come from sympy's `KanesMethod`, which shares nothing with
`hybridsim.multibody`. They are computed with 30 digits at random states and stored as the nearest doubles.
Q is without gravity; h holds it. All lengths are in m, masses in kg, inertias about mass centres in kg m^2.
"""

import json
import re
from pathlib import Path

import mpmath
import numpy as np
import sympy
from sympy.physics import mechanics

FIXTURE = Path(__file__).with_name("biped_by_sympy.json")
N_STATES, SEED, DIGITS = 12, 1980, 30
GRAVITY = "9.81"
FOOT = {"mass": "1.0001", "inertia": ("0.00104", "0.00404", "0.00445")}
SHANK = {"mass": "3.1609", "inertia": ("0.0390", "0.0375", "0.00644")}
THIGH = {"mass": "10.3368", "inertia": ("0.2015", "0.2015", "0.0413")}
HAT = {"mass": "44.0044", "inertia": ("2.5848", "2.1562", "0.6260")}
FOOT1 = {**FOOT, "place": ("0", "0", "0"), "centre": ("-0.0749", "0", "0.0341")}
SHANK1 = {**SHANK, "place": ("-0.1271", "0", "0.0683"), "centre": ("0", "0", "0.2481")}
THIGH1 = {**THIGH, "place": ("0", "0", "0.4426"), "centre": ("0", "0", "0.2506")}
TRUNK = {**HAT, "place": ("0", "0", "0.4244"), "centre": ("0", "0.085", "0.3272")}
THIGH2 = {**THIGH, "place": ("0", "0.17", "0"), "centre": ("0", "0", "-0.1738")}
SHANK2 = {**SHANK, "place": ("0", "0", "-0.4244"), "centre": ("0", "0", "-0.1945")}
FOOT2 = {**FOOT, "place": ("0", "0", "-0.4426"), "centre": ("0.0522", "0", "-0.0342")}
BODIES = [
    {"name": "foot1", "joints": ("slide x", "slide y", "slide z", "turn x", "turn y"), **FOOT1},
    {"name": "shank1", "joints": ("turn x", "turn y", "turn z"), **SHANK1},
    {"name": "thigh1", "joints": ("turn y",), **THIGH1},
    {"name": "hat", "joints": ("turn x", "turn y"), **TRUNK},
    {"name": "thigh2", "joints": ("turn y", "turn x"), **THIGH2},
    {"name": "shank2", "joints": ("turn y",), **SHANK2},
    {"name": "foot2", "joints": ("turn z", "turn y", "turn x"), **FOOT2},
]
"""A chain from the ground to foot 2: each body's joints, the place of its frame on the body before, its mass centre.

Where all coordinates are 0, the axes of all bodies are those of the world: x forward, y left, z up.
"""


def vector(frame, components):
    """Return a vector with exact components along the axes of a frame."""
    axes = (frame.x, frame.y, frame.z)
    return sum((sympy.Rational(c) * axis for c, axis in zip(components, axes, strict=True)), mechanics.Vector(0))


def equations(bodies):
    """Return q, u, M and h of a chain of bodies, as sympy's expressions."""
    names = [joint for body in bodies for joint in body["joints"]]
    q, u = (mechanics.dynamicsymbols(f"{letter}:{len(names)}") for letter in "qu")
    world, point = mechanics.ReferenceFrame("N"), mechanics.Point("O")
    point.set_vel(world, 0)
    frame, rigid, weights, coordinates = world, [], [], iter(zip(q, u, strict=True))
    for body in bodies:
        name = body["name"]
        origin = point.locatenew(f"{name}_origin", vector(frame, body["place"]))
        origin.v2pt_theory(point, world, frame)
        for joint in body["joints"]:
            coordinate, speed = next(coordinates)
            kind, letter = joint.split()
            axis = getattr(frame, letter)
            if kind == "turn":
                turned = frame.orientnew(f"{name}_{letter}", "Axis", (coordinate, axis))
                turned.set_ang_vel(frame, speed * axis)
                frame = turned
            else:  # along the axes of the world, at the beginning of the chain
                slid = origin.locatenew(f"{name}_{letter}", coordinate * axis)
                slid.set_vel(world, origin.vel(world) + speed * axis)
                origin = slid
        centre = origin.locatenew(f"{name}_centre", vector(frame, body["centre"]))
        centre.v2pt_theory(origin, world, frame)
        mass, inertia = sympy.Rational(body["mass"]), mechanics.inertia(frame, *map(sympy.Rational, body["inertia"]))
        rigid.append(mechanics.RigidBody(name, centre, frame, mass, (inertia, centre)))
        weights.append((centre, -mass * sympy.Rational(GRAVITY) * world.z))
        point = origin
    rates = [a.diff(mechanics.dynamicsymbols._t) - b for a, b in zip(q, u, strict=True)]
    method = mechanics.KanesMethod(world, q, u, rates)
    method.kanes_equations(rigid, weights)
    return q, u, method.mass_matrix, -method.forcing


def random_states(count):
    """Return coordinates within 1 m or 0.6 rad and speeds within 2, with 4 decimals; the first state is 0."""
    rng = np.random.default_rng(SEED)
    reach = np.array([1.0] * 3 + [0.6] * (count - 3))
    q, u = ((size * rng.uniform(-1.0, 1.0, (N_STATES, count))).round(4) for size in (reach, 2.0))
    q[0] = u[0] = 0.0
    return [(a.tolist(), b.tolist()) for a, b in zip(q, u, strict=True)]


def numbers(body):
    """Return a body with floats for decimal numbers."""
    vectors = {key: [float(each) for each in body[key]] for key in ("place", "centre", "inertia")}
    return {**body, **vectors, "mass": float(body["mass"])}


def one_line(row):
    return f"[{' '.join(row[0][1:-1].split())}]"


def main():
    q, u, mass_matrix, h = equations(BODIES)
    mpmath.mp.dps = DIGITS
    evaluate = sympy.lambdify([q, u], [mass_matrix, h], modules="mpmath", cse=True)
    states = []
    for q_values, u_values in random_states(len(q)):
        mass, forces = evaluate([mpmath.mpf(each) for each in q_values], [mpmath.mpf(each) for each in u_values])
        rows = [[float(each) for each in row] for row in mass.tolist()]
        states.append({"q": q_values, "u": u_values, "M": rows, "h": [float(each) for each in forces]})
    fixture = {"gravity": float(GRAVITY), "bodies": [numbers(body) for body in BODIES], "states": states}
    text = re.sub(r"\[[^][{}]*\]", one_line, json.dumps(fixture, indent=1))
    FIXTURE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
