"""A forced oscillator that hits a wall: x'' + 2 zeta x' + x = amplitude cos(phase), phase' = omega, x <= gap.

At the wall the speed v becomes -restitution v. Once a period of the force the boundary `period` sets the phase back by
2 pi; it changes nothing else, and is the section of the stroboscopic map. While the force holds the mass against the
wall, infinitely many impacts bring it to rest there in finite time (chattering). It then stays, in the chart `stuck`,
until amplitude cos(phase) falls below gap, the force of the spring. There the forces balance but for rounding, which
may push the mass, at rest, into the wall by less than a float. So it can hit the wall again only after it has left it,
faster and faster, and slows down (`leaving`, `slowing`). Where it leaves, the net force is zero, too, but falls at the
rate of the applied one; the speed is zero with all its rates up to rounding, and no sign of it says what comes next.

Grazing. The steady oscillation that does not hit the wall reaches as far as x = amplitude / sqrt((1 - omega^2)^2 +
(2 zeta omega)^2). So it just touches the wall at amplitude = gap sqrt((1 - omega^2)^2 + (2 zeta omega)^2).

One impact in n periods, for zeta = 0 (S. W. Shaw and P. J. Holmes, J. Sound Vib. 90, 1983). The impacts are T =
2 pi n / omega apart; with A = amplitude / (1 - omega^2), the speed V > 0 into the wall and the phase P at an impact,
the motion after it is x = c cos(t) + s sin(t) + A cos(omega t + P). Because x is gap at t = 0 and at T, s = c tan(T/2);
because v is -e V at 0 and V at T,

    c = -k V,  s = -(1 + e) V / 2,  A cos(P) = gap + k V,  A omega sin(P) = -(1 - e) V / 2,  k = (1 + e) / (2 tan(T/2))

The sum of squares, A^2 = (gap + k V)^2 + ((1 - e) V / (2 omega))^2, is quadratic in V. The map from impact to impact
has the determinant e^2 and the trace

    ((1 + e) / V) (amplitude cos(P) - gap) sin(T) - 2 e cos(T),    amplitude cos(P) = (1 - omega^2) (gap + k V)

A multiplier is -1, and the orbit doubles its period, where the trace is -(1 + e^2); a multiplier is 1, and two orbits
meet, where it is 1 + e^2. Both are linear in 1/V. The period doubles where

    omega^2 gap / V = (1 - omega^2) k + (1 + e^2 - 2 e cos(T)) / ((1 + e) sin(T))

All this holds as long as x < gap between the impacts.
"""

import math

from hybridsim import Boundary, Chart, Model, Output, Parameter, Records, State
from hybridsim.scene import Arrow, Body, Box, Camera, Ground, Scene, Spring, between, placed

FULL_TURN = 2.0 * math.pi
STATES = Records(
    State("x", 0.0, "", "displacement"),
    State("v", 0.0, "", "speed"),
    State("phase", 0.0, "rad", "of the force; set back by 2 pi each period", lower=0.0, upper=FULL_TURN),
)
PARAMETERS = Records(
    Parameter("omega", 2.2, "", "frequency of the force / natural frequency", lower=0.0),
    Parameter("amplitude", 0.6, "", "of the force"),
    Parameter("zeta", 0.0, "", "damping ratio", lower=0.0),
    Parameter("gap", 0.1, "", "where the wall is"),
    Parameter("restitution", 0.8, "", "speed after an impact / before", lower=0.0, upper=1.0),
)
CHARTS = Records(
    Chart("free"),
    Chart("stuck", "held against the wall by the force"),
    Chart("leaving", "is driven off the wall, and cannot hit it before it slows down"),
)
BOUNDARIES = Records(
    Boundary("impact", "the mass hits the wall", degree=1, rest="stuck"),
    Boundary("release", "the force no longer holds the mass against the wall"),
    Boundary("slowing", "the mass that has left the wall slows down", armed="when_positive"),
    Boundary("period", "a period of the force is over", "rad", degree=1),
)
OUTPUTS = Records(
    Output("time"),
    Output("x", "", "displacement"),
    Output("v", "", "speed"),
    Output("phase", "rad", "of the force"),
    Output("force", "", "amplitude cos(phase)"),
    Output("energy", "", "v^2 / 2 + x^2 / 2"),
)
SIDE, REACH = 0.5, 3.5  # of the mass; length of the spring at x = 0
SCENE = Scene(
    bodies=Records(
        Body("mass", Box((SIDE, SIDE, SIDE)), "#3f5f7f"),
        Body("spring", Spring(0.12, coils=14), "#d9a441"),
        Body("anchor", Box((0.1, 1.0, 0.9)), "#7d8a97"),
        Body("wall", Box((0.15, 1.0, 0.9)), "#b5403a"),
        Body("force", Arrow(0.035), "#2b7a4b", kind="force"),
    ),
    ground=Ground(checker=0.5),
    camera=Camera(at=(-1.0, 0.0, 0.3), distance=8.0, view=(0.2, 1.0, -0.3)),
    outputs=("x", "v"),
)
S = STATES.indices
P = PARAMETERS.indices
C = CHARTS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
BODY = SCENE.bodies.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.phase] = p[P.omega]
    if chart != C.stuck:
        xdot[S.x] = x[S.v]
        xdot[S.v] = net_force(x, p)


def boundaries(g, t, x, p, chart):
    g[B.period] = FULL_TURN - x[S.phase]
    if chart == C.free:
        g[B.impact] = p[P.gap] - x[S.x]
    elif chart == C.stuck:
        g[B.release] = force(x, p) - p[P.gap]
    else:
        g[B.slowing] = -net_force(x, p)


def transition(x_new, t, x, p, chart, crossed):
    if crossed[B.period]:
        x_new[S.phase] = x[S.phase] - FULL_TURN
    if crossed[B.release]:
        x_new[S.x] = p[P.gap]
        x_new[S.v] = 0.0
        return C.leaving
    if crossed[B.slowing]:
        return C.free
    if crossed[B.impact]:
        x_new[S.v] = -p[P.restitution] * x[S.v]
        return chart_at_the_wall(x_new, p)
    return chart


def initial_chart(x_new, t, x, p):
    return chart_at_the_wall(x, p) if x[S.x] == p[P.gap] else C.free


def chart_at_the_wall(x, p):
    return C.stuck if x[S.v] == 0.0 and force(x, p) > p[P.gap] else C.free


def force(x, p):
    return p[P.amplitude] * math.cos(x[S.phase])


def net_force(x, p):
    return force(x, p) - x[S.x] - 2.0 * p[P.zeta] * x[S.v]


def outputs(y, t, x, p, chart):
    y[Y.time] = t
    y[Y.x], y[Y.v], y[Y.phase] = x[S.x], x[S.v], x[S.phase]
    y[Y.force] = force(x, p)
    y[Y.energy] = 0.5 * (x[S.v] * x[S.v] + x[S.x] * x[S.x])


def poses(T, t, x, p, chart):
    """The right side of the mass is at x, the wall's left side at the gap."""
    z = 0.5 * SIDE
    centre = x[S.x] - z
    T[BODY.mass] = placed((centre, 0.0, z))
    T[BODY.spring] = between((-REACH, 0.0, z), (x[S.x] - SIDE, 0.0, z))
    T[BODY.anchor] = placed((-REACH - 0.05, 0.0, 0.45))
    T[BODY.wall] = placed((p[P.gap] + 0.075, 0.0, 0.45))
    T[BODY.force] = between((centre, 0.0, 1.4 * SIDE), (centre + force(x, p), 0.0, 1.4 * SIDE))


MODEL = Model(
    "impact_oscillator",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    poses=poses,
    parameters=PARAMETERS,
    charts=CHARTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    scene=SCENE,
    doc="A forced oscillator that hits a wall: grazing, period doubling, chattering, sticking (Shaw and Holmes 1983)",
)
