"""Derive ballistic walking with sympy, and write it as a plug-in, ballistic_walking.py beside this file.

S. Mochon and T. A. McMahon, "Ballistic walking", J. Biomech. 13, 49-57 (1980): from toe-off to heelstrike no muscle
acts. The stance leg is straight and turns about its foot; the swing leg has a knee, which locks when it is straight.

`function` and `solution` know nothing of this model: copy them for your own.
"""

from pathlib import Path

import sympy
from sympy.physics import mechanics

PLUGIN = Path(__file__).with_name("ballistic_walking.py")
ANGLES, SPEEDS = ("stance", "thigh", "knee"), ("stancedot", "thighdot", "kneedot")
LENGTHS = ("thigh_length", "shank_length", "thigh_centre", "shank_centre")
PARAMETERS = ("gravity", "trunk_mass", "thigh_mass", "shank_mass", "thigh_inertia", "shank_inertia", *LENGTHS)
PLACES = {name: f"x[S.{name}]" for name in (*ANGLES, *SPEEDS)} | {name: f"p[P.{name}]" for name in PARAMETERS}
PLACES |= {f"{name}dot": f"xdot[S.{name}]" for name in SPEEDS}

TEXT = '''"""Ballistic walking, from toe-off to heelstrike (Mochon and McMahon 1980).

write_ballistic_walking.py wrote this file, with sympy {version}: change that one, and run it.

The stance leg is straight and turns about its foot. The swing leg bends in the knee until the shank has caught up with
the thigh; then the knee locks, in a plastic collision. The run should stop at heelstrike, which the model declines. The
numbers are those of a man of 73 kg and 1.75 m, after the tables of D. A. Winter (2009).
"""

import math

import numpy as np

from hybridsim import DECLINED, Boundary, Chart, Model, Output, Parameter, Records, State, scratch
from hybridsim.scene import Body, Camera, Cylinder, Scene, Sphere, between, placed

STATES = Records(
    State("stance", -0.3, "rad", "stance leg from the vertical; positive: hip ahead of the foot"),
    State("thigh", -0.1, "rad", "swing thigh from the vertical; positive: knee ahead of the hip"),
    State("knee", 0.6, "rad", "of the swing leg; 0 is straight, positive is bent"),
    State("stancedot", 1.5, "rad/s"),
    State("thighdot", 2.5, "rad/s"),
    State("kneedot", 4.0, "rad/s"),
)
PARAMETERS = Records(
    Parameter("gravity", 9.81, "m/s^2"),
    Parameter("trunk_mass", 49.5, "kg", "head, arms and trunk, in the hip"),
    Parameter("thigh_mass", 7.3, "kg", lower=0.0),
    Parameter("shank_mass", 4.45, "kg", "with the foot", lower=0.0),
    Parameter("thigh_inertia", 0.140, "kg m^2", "about the mass centre", lower=0.0),
    Parameter("shank_inertia", 0.143, "kg m^2", "about the mass centre", lower=0.0),
    Parameter("thigh_length", 0.429, "m", "from hip to knee", lower=0.0),
    Parameter("shank_length", 0.499, "m", "from knee to sole", lower=0.0),
    Parameter("thigh_centre", 0.186, "m", "mass centre below the hip"),
    Parameter("shank_centre", 0.261, "m", "mass centre below the knee"),
)
CHARTS = Records(Chart("bent"), Chart("straight", "the knee is locked"))
BOUNDARIES = Records(
    Boundary("knee_stop", "the knee is straight", "rad", degree=1),
    Boundary("heelstrike", "the swing foot comes down to the ground", "m", armed="when_positive"),
)
OUTPUTS = Records(
    Output("foot_height", "m", "of the swing foot"),
    Output("energy", "J"),
    Output("knee_torque", "N m", "of the lock; positive: against stretching beyond the straight knee"),
)
SCENE = Scene(
    bodies=Records(
        Body("trunk", Sphere(0.08), "#7a6a55"),
        Body("stance_leg", Cylinder(0.03), "#3f6fa8"),
        Body("swing_thigh", Cylinder(0.03), "#c8553d"),
        Body("swing_shank", Cylinder(0.02), "#c8553d"),
    ),
    camera=Camera("trunk", at=(0.0, 0.0, 0.5), distance=3.5, view=(0.0, 1.0, 0.0)),
    outputs=("foot_height", "energy"),
)
S, P, BODY = STATES.indices, PARAMETERS.indices, SCENE.bodies.indices
C, B, Y = CHARTS.indices, BOUNDARIES.indices, OUTPUTS.indices
N = len(STATES)


def vector_field(xdot, t, x, p, chart):
    xdot[S.stance], xdot[S.thigh], xdot[S.knee] = x[S.stancedot], x[S.thighdot], x[S.kneedot]
    if chart == C.bent:
        swing_bent(xdot, x, p)
    else:
        swing_straight(xdot, x, p)


def boundaries(g, t, x, p, chart):
    g[B.heelstrike] = foot_height(x, p)
    if chart == C.bent:
        g[B.knee_stop] = x[S.knee]


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.knee_stop]:
        stop_knee(x_new, x, p)
        return C.straight
    return DECLINED


def outputs(y, t, x, p, chart):
    xdot = scratch(N)
    vector_field(xdot, t, x, p, chart)
    y[Y.foot_height] = foot_height(x, p)
    y[Y.energy] = energy(x, p)
    y[Y.knee_torque] = knee_torque(xdot, x, p)


def poses(T, t, x, p, chart):
    hip = (p[P.thigh_length] + p[P.shank_length]) * along(x[S.stance])
    knee = hip - p[P.thigh_length] * along(-x[S.thigh])
    foot = knee - p[P.shank_length] * along(x[S.knee] - x[S.thigh])
    T[BODY.trunk] = placed(hip)
    T[BODY.stance_leg] = between((0.0, 0.0, 0.0), hip)
    T[BODY.swing_thigh] = between(knee, hip)
    T[BODY.swing_shank] = between(foot, knee)


def along(angle):
    """Return the direction of a leg that points upwards and leans forwards by an angle."""
    return np.array([math.sin(angle), 0.0, math.cos(angle)])


{functions}


MODEL = Model(
    "ballistic_walking",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    poses=poses,
    scene=SCENE,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
)
'''


def function(head, *stages):
    """Return a function whose stages assign expressions to targets; a stage may use the targets of those before it."""
    z, lines, used = sympy.numbered_symbols("z"), [], set()
    for stage in stages:
        shared, results = sympy.cse(list(stage.values()), z)
        for target, each in [*((f"{symbol} =", each) for symbol, each in shared), *zip(stage, results, strict=True)]:
            lines.append(f"{target} {sympy.pycode(each)}")
            used |= {symbol.name for symbol in each.free_symbols}
    given = [f"{name} = {place}" for name, place in PLACES.items() if name in used]
    return "\n    ".join([head, *given, *lines])


def solution(matrix, right, targets):
    """Return two stages that solve matrix * targets = right, with a name for every entry that is not a number."""
    names = {}

    def name(entry, symbol):
        return entry if entry.is_number else names.setdefault(entry, sympy.Symbol(symbol))

    a = sympy.Matrix(*matrix.shape, lambda i, j: name(matrix[i, j], f"a{i}{j}"))
    b = sympy.Matrix(*right.shape, lambda i, _: name(right[i], f"b{i}"))
    unknowns = a.LUsolve(b)
    needed = {f"{symbol} =": entry for entry, symbol in names.items() if symbol in unknowns.free_symbols}
    return needed, dict(zip(targets, unknowns, strict=True))


def bodies_and_foot(q, u):
    """Return the world's frame, the bodies, their weights, and the height of the swing foot."""
    g, m_trunk, m_thigh, m_shank, i_thigh, i_shank, l_thigh, l_shank, c_thigh, c_shank = sympy.symbols(PARAMETERS)
    world, pivot = mechanics.ReferenceFrame("world"), mechanics.Point("pivot")  # x forward, y left, z up
    pivot.set_vel(world, 0)

    def link(name, angle, rate):
        frame = world.orientnew(name, "Axis", (angle, world.y))
        frame.set_ang_vel(world, rate * world.y)
        return frame

    def above(start, frame, height):
        point = start.locatenew(f"{frame}_{height}", height * frame.z)
        point.v2pt_theory(start, world, frame)
        return point

    leg, thigh, shank = link("leg", q[0], u[0]), link("thigh", -q[1], -u[1]), link("shank", q[2] - q[1], u[2] - u[1])
    hip = above(pivot, leg, l_shank + l_thigh)
    knee = above(hip, thigh, -l_thigh)
    bodies = [mechanics.Particle("trunk", hip, m_trunk)]
    for name, frame, centre, mass, inertia in (
        ("stance_shank", leg, above(pivot, leg, l_shank - c_shank), m_shank, i_shank),
        ("stance_thigh", leg, above(hip, leg, -c_thigh), m_thigh, i_thigh),
        ("swing_thigh", thigh, above(hip, thigh, -c_thigh), m_thigh, i_thigh),
        ("swing_shank", shank, above(knee, shank, -c_shank), m_shank, i_shank),
    ):
        bodies.append(mechanics.RigidBody(name, centre, frame, mass, (mechanics.inertia(frame, 0, inertia, 0), centre)))
    for body in bodies:
        body.potential_energy = body.mass * g * body.masscenter.pos_from(pivot).dot(world.z)
    weights = [(body.masscenter, -body.mass * g * world.z) for body in bodies]
    return world, bodies, weights, above(knee, shank, -l_shank).pos_from(pivot).dot(world.z)


def equations():
    """Return Kane's equations of both charts as matrices and forces, the energy, and the foot's height."""
    q, u = mechanics.dynamicsymbols(ANGLES), mechanics.dynamicsymbols(SPEEDS)
    world, bodies, weights, foot_height = bodies_and_foot(q, u)
    rates = [angle.diff() - speed for angle, speed in zip(q, u, strict=True)]
    bent = mechanics.KanesMethod(world, q, u, rates)
    straight = mechanics.KanesMethod(world, q, u[:2], rates, u_dependent=u[2:], velocity_constraints=u[2:])
    for method in (bent, straight):
        method.kanes_equations(bodies, weights)
    energy = mechanics.kinetic_energy(world, *bodies) + mechanics.potential_energy(*bodies)
    derived = (bent.mass_matrix, bent.forcing, straight.mass_matrix, straight.forcing, energy, foot_height)
    plain = {each: sympy.Symbol(each.name) for each in (*q, *u)}
    return [each.xreplace(plain) for each in derived]


def plugin():
    """Return the text of the plug-in."""
    bent, bent_force, straight, straight_force, energy, foot_height = equations()
    before = sympy.Matrix(sympy.symbols(SPEEDS))
    kept = sympy.Matrix([*(straight * before)[:2], 0])  # momenta along the speeds that stay free; the knee stops
    udot = sympy.Matrix(sympy.symbols([f"{name}dot" for name in SPEEDS]))
    torque = (bent * udot - bent_force)[2]
    slopes, speeds = ([f"{array}[S.{name}] =" for name in SPEEDS] for array in ("xdot", "x_new"))
    functions = (
        function("def swing_bent(xdot, x, p):", *solution(bent, bent_force, slopes)),
        function("def swing_straight(xdot, x, p):", *solution(straight, straight_force, slopes)),
        function("def stop_knee(x_new, x, p):", *solution(straight, kept, speeds)),
        function("def foot_height(x, p):", {"return": foot_height}),
        function("def energy(x, p):", {"return": energy}),
        function("def knee_torque(xdot, x, p):", {"return": torque}),
    )
    return TEXT.format(version=sympy.__version__, functions="\n\n\n".join(functions))


if __name__ == "__main__":
    PLUGIN.write_text(plugin(), encoding="utf-8")
