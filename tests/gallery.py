"""Small models that several tests use, each idea with one name.

Functions of models come first, then the models. A model that only one test needs stays in its file.
"""

import math

from hybridsim import DECLINED, Boundary, Input, Model, Output, Parameter, Part, Plant, Records, Slot, State
from hybridsim.scene import Body, Scene, Sphere, placed

GRAVITY = 9.81  # [m/s2]
IMPACT = math.sqrt(2.0 / GRAVITY)  # when a ball dropped from 1 m reaches the floor [s]


# Vector fields.


def unit_slope(xdot, t, x, p, chart):
    """The first state grows by 1 a second."""
    xdot[0] = 1.0


def stand_still(xdot, t, x, p, chart):
    """The first state does not change."""
    xdot[0] = 0.0


def no_slopes(xdot, t, x, p, chart):
    """No state changes between events."""


def free_fall(xdot, t, x, p, chart):
    """The states are a height and its speed, under gravity."""
    xdot[0], xdot[1] = x[1], -GRAVITY


def fall_by_parameter(xdot, t, x, p, chart):
    """The states are a height and its speed; gravity is the first parameter or input."""
    xdot[0], xdot[1] = x[1], -p[0]


def square(xdot, t, x, p, chart):
    """The slope is the square of the state."""
    xdot[0] = x[0] * x[0]


# Boundaries.


def floor(g, t, x, p, chart):
    """The first state is a height above the floor."""
    g[0] = x[0]


# Transitions.


def decline(x_new, t, x, p, chart, crossed):
    """Each event is declined."""
    return DECLINED


def keep_chart(x_new, t, x, p, chart, crossed):
    """The state and the chart stay as they are."""
    return chart


def switch_chart(x_new, t, x, p, chart, crossed):
    """Of two charts, the other one begins."""
    return 1 - chart


# Outputs and poses.


def first_state(y, t, x, p, chart):
    """The only output is the first state."""
    y[0] = x[0]


def along_x(T, t, x, p, chart):
    """The only body is where the first state is on the x axis, 0.1 m above the ground."""
    T[0] = placed((x[0], 0.0, 0.1))


# Models without inputs.


def clock(boundaries=None, *records, transition=keep_chart, **more):
    """Build a model whose state x grows by 1 a second, with these boundaries."""
    functions = {"vector_field": unit_slope}
    if boundaries is not None:
        functions |= {"boundaries": boundaries, "transition": transition}
    return Model("clock", [State("x")], **functions, boundary_records=records, **more)


def falling(transition=keep_chart, **more):
    """Build a model of a ball that falls from 1 m on a floor, with this transition."""
    functions = {"vector_field": free_fall, "boundaries": floor, "transition": transition, **more.pop("functions", {})}
    records = [Boundary("floor", degree=1)]
    return Model("falling", [State("y", 1.0), State("v")], **functions, boundary_records=records, **more)


EXPLOSION = Model("explosion", [State("x", 1.0)], vector_field=square)
"""A model that diverges: x = 1 / (1 - t)."""


# Models with a scene.


def rolling(vector_field=unit_slope, poses=along_x, **more):
    """Build a model of a ball that rolls along the x axis, at 1 m/s unless another vector field is given."""
    scene = Scene(Records(Body("ball", Sphere(0.1))))
    return Model("rolling", [State("x")], vector_field=vector_field, poses=poses, scene=scene, **more)


def rolling_plugin(slope="1.0", position="x[0]", scene="Scene([Body('ball', Sphere(0.1))])"):
    """Return the text of a plug-in file with a model such as `rolling`; lines 4 and 6 hold its slope and its pose."""
    return (
        "from hybridsim import Model, State\n"
        "from hybridsim.scene import Body, Ground, Mesh, Scene, Sphere, placed\n"
        f"def vector_field(xdot, t, x, p, chart):\n    xdot[0] = {slope}\n"
        f"def poses(T, t, x, p, chart):\n    T[0] = placed(({position}, 0.0, 0.1))\n"
        f"SCENE = {scene}\n"
        "MODEL = Model('rolling', [State('x')], vector_field=vector_field, poses=poses, scene=SCENE)\n"
    )


# Models with inputs.

RATE = 2.0  # of the oscillator [rad/s]


def oscillation(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -p[0] * x[0] + p[1]


def force(y, t, x, p, chart):
    y[0] = p[1] - p[0] * x[0]


OSCILLATOR = Model(
    "oscillator",
    [State("x", 1.0, "m"), State("v", 0.0, "m/s")],
    vector_field=oscillation,
    outputs=force,
    parameters=[Parameter("k", RATE**2, "1/s^2")],
    output_records=[Output("force", "N/kg")],
    inputs=[Input("push", 0.0, "N/kg", "from outside", lower=-50.0, upper=50.0)],
)
"""A mass on a spring, with a push as its input; `moved` is its solution."""


def moved(x, v, push, dt):
    """The oscillator's state after dt under a constant push: a rotation about x = push / k."""
    centre = push / RATE**2
    a, b = x - centre, v / RATE
    c, s = math.cos(RATE * dt), math.sin(RATE * dt)
    return centre + a * c + b * s, RATE * (b * c - a * s)


def drive(simulation, pushes, period):
    """Simulate the oscillator with one push after the other, each for one period."""
    for k, value in enumerate(pushes):
        simulation.inputs["push"] = value
        simulation.advance((k + 1) * period)
    return simulation


def bounce_by_half(x_new, t, x, p, chart, crossed):
    """The ball keeps half of its speed, and the bounces are counted."""
    x_new[1] = -0.5 * x[1]
    x_new[2] = x[2] + 1.0
    return chart


BALL = Model(
    "ball",
    [State("y", 1.0), State("v"), State("bounces", continuous=False)],
    vector_field=fall_by_parameter,
    boundaries=floor,
    transition=bounce_by_half,
    boundary_records=[Boundary("floor", degree=1)],
    inputs=[Input("gravity", 8.0)],
)
"""A ball dropped from 1 m that keeps half of its speed; gravity is an input."""


def heat_or_cool(xdot, t, x, p, chart):
    xdot[0] = (8.0 if chart == 1 else 0.0) - 0.5 * (x[0] - 5.0)


def one_degree_off(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] - p[0] + 1.0
    else:
        g[1] = p[0] + 1.0 - x[0]


THERMOSTAT = Model(
    "thermostat",
    [State("temperature", 18.0, "degC")],
    vector_field=heat_or_cool,
    boundaries=one_degree_off,
    transition=switch_chart,
    charts=("off", "on"),
    boundary_records=[Boundary("cold", degree=1), Boundary("warm", degree=1)],
    inputs=[Input("target", 15.0, "degC")],
)
"""A room of 5 degC whose heater switches one degree below and above the target, an input."""


def rub(xdot, t, x, p, chart):
    xdot[0] = p[0] + (1.0 if chart == 0 else -1.0)


def standstill(g, t, x, p, chart):
    if chart == 0:
        g[0] = -x[0]
    else:
        g[1] = x[0]


def begin_forward(x_new, t, x, p):
    return 1


BLOCK = Model(
    "block",
    [State("v", 1.0)],
    vector_field=rub,
    boundaries=standstill,
    transition=switch_chart,
    initial_chart=begin_forward,
    charts=("backward", "forward"),
    boundary_records=[Boundary("rises", degree=1), Boundary("falls", degree=1)],
    inputs=[Input("force", 0.5)],
)
"""A block on a table, with dry friction of at most 1; the force on it is an input."""


# A plant and its parts.


def flow_in(xdot, t, x, p, chart, push):
    """The level's slope is what the part of the slot gives."""
    xdot[0] = push(t, x[0])


def push(t, x, p, chart, level):
    """The coupling function of the part `steady`: 1 a second."""
    return 1.0


def tank(functions=None, slots=(("push",),), **more):
    """Build a plant with the state `level` and slots for parts with these coupling functions."""
    functions = functions or {"vector_field": flow_in}
    parts = {"steady": Part("steady", couplings=(push,))}
    made = tuple(Slot(f"slot{k}", couplings=names, choices=parts, default="steady") for k, names in enumerate(slots))
    return Plant("tank", [State("level")], **functions, slots=made, **more)
