"""Families of honest runs: slides and balls at any time, on moving surfaces; hexapods whose inputs change.

A slide's surface is a line that may move, or a circle; a ball's floor may move at a constant speed, and swing.
"""

import math

from hybridsim import Boundary, Chart, Model, Parameter, Records, Simulation, State, simulate

TIMES = (0.0, 1e3, 1e6, 1.7e9)  # when runs begin [s]
RECORDS = (True, 0.05, False)
METHODS = ("dp5", "tsit5", "dop853", "rk4_adaptive")

SLIDE_PARAMETERS = Records(
    Parameter("begin", 0.0, "s"),
    Parameter("swing", 1.0),
    Parameter("push", 1.0),
    Parameter("speed", 0.0, "1/s", "of the line"),
    Parameter("frequency", 1.0, "rad/s"),
    Parameter("radius", 1.0, "", "of the circle"),
)
Q = SLIDE_PARAMETERS.indices
ABOVE, BELOW = 0, 1


def push_to_line(xdot, t, x, p, chart):
    tau, side = t - p[Q.begin], -1.0 if chart == ABOVE else 1.0
    xdot[0] = p[Q.swing] * math.sin(p[Q.frequency] * tau) + side * p[Q.push] + 0.2 * x[1]
    xdot[1] = -x[1] + 0.5 * side + math.cos(tau)


def line(g, t, x, p, chart):
    distance = x[0] - p[Q.speed] * (t - p[Q.begin])
    g[chart] = distance if chart == ABOVE else -distance


def push_to_circle(xdot, t, x, p, chart):
    tau, side = t - p[Q.begin], -1.0 if chart == ABOVE else 1.0
    outward = (side * p[Q.push] + p[Q.swing] * math.sin(p[Q.frequency] * tau)) / math.sqrt(x[0] ** 2 + x[1] ** 2)
    xdot[0] = outward * x[0] - p[Q.frequency] * x[1]
    xdot[1] = outward * x[1] + p[Q.frequency] * x[0]


def circle(g, t, x, p, chart):
    distance = x[0] * x[0] + x[1] * x[1] - p[Q.radius] ** 2
    g[chart] = distance if chart == ABOVE else -distance


def other_side(x_new, t, x, p, chart, crossed):
    return 1 - chart


def begin_above(x_new, t, x, p):
    return ABOVE


def slide_model(name, vector_field, boundaries):
    return Model(
        name,
        Records(State("s", 0.25), State("z", 0.5)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=other_side,
        initial_chart=begin_above,
        parameters=SLIDE_PARAMETERS,
        charts=Records(Chart("above"), Chart("below")),
        boundary_records=Records(Boundary("falls"), Boundary("rises")),
    )


SLIDES = (slide_model("slide_on_line", push_to_line, line), slide_model("slide_on_circle", push_to_circle, circle))


def slide(rng, begin, rtol, record):
    """A run that slides, at times."""
    model, radius = SLIDES[rng.integers(2)], rng.uniform(0.5, 3.0)
    values = {
        "begin": begin,
        "swing": rng.uniform(0.6, 1.6),
        "push": rng.uniform(0.7, 1.3),
        "speed": rng.uniform(-0.3, 0.3) * rng.integers(2),
        "frequency": rng.uniform(0.5, 3.0),
        "radius": radius,
    }
    s, z = (rng.uniform(0.1, 0.6), rng.uniform(-0.5, 0.5)) if model is SLIDES[0] else (1.2 * radius, 0.1)
    return model, simulate(
        model,
        parameters=values,
        initial={"s": s, "z": z},
        initial_time=begin,
        final_time=begin + 4.0,
        rtol=rtol,
        atol=1e-2 * rtol,
        method=METHODS[rng.integers(len(METHODS))],
        record=record,
    )


BALL_PARAMETERS = Records(
    Parameter("begin", 0.0, "s"),
    Parameter("restitution", 0.5),
    Parameter("floor_speed", 0.0, "m/s"),
    Parameter("floor_height", 0.0, "m"),
    Parameter("amplitude", 0.0, "m"),
    Parameter("frequency", 1.0, "rad/s"),
)
P = BALL_PARAMETERS.indices


def fall(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -9.81


def floor_of_clock(g, t, x, p, chart):
    g[0] = x[0] - p[P.floor_height] - p[P.floor_speed] * t


def swinging_floor(g, t, x, p, chart):
    tau = t - p[P.begin]
    g[0] = x[0] - p[P.floor_height] - p[P.floor_speed] * tau - p[P.amplitude] * math.sin(p[P.frequency] * tau)


def bounce(x_new, t, x, p, chart, crossed):
    swing = p[P.amplitude] * p[P.frequency] * math.cos(p[P.frequency] * (t - p[P.begin]))
    floor_speed = p[P.floor_speed] + swing
    x_new[1] = floor_speed - p[P.restitution] * (x[1] - floor_speed)
    return chart


def ball_model(boundaries, **declared):
    return Model(
        "ball",
        Records(State("y", 1.0, "m"), State("v", 0.0, "m/s")),
        vector_field=fall,
        boundaries=boundaries,
        transition=bounce,
        parameters=BALL_PARAMETERS,
        boundary_records=Records(Boundary("floor", unit="m", **declared)),
    )


BALLS = (
    ball_model(swinging_floor),
    ball_model(floor_of_clock),
    ball_model(floor_of_clock, degree=1),
    ball_model(floor_of_clock, second_derivative_bound=9.81),
)


def ball(rng, begin, rtol, record):
    """A ball that bounces until it rests on its floor; on a swinging floor, it may go on."""
    model, speed, height = BALLS[rng.integers(4)], rng.choice([0.0, 1.0, 300.0, -2.0]), rng.choice([0.0, 100.0, 1e4])
    swings = model is BALLS[0] and rng.integers(2)
    values = {
        "begin": begin,
        "restitution": rng.uniform(0.05, 0.95),
        "floor_speed": speed,
        "floor_height": height,
        "amplitude": rng.uniform(0.01, 0.1) * swings,
        "frequency": rng.uniform(5.0, 30.0),
    }
    y = height + 10.0 ** rng.uniform(-1.0, 1.0) + speed * begin * (model is not BALLS[0])
    return model, simulate(
        model,
        parameters=values,
        initial={"y": y, "v": speed},
        initial_time=begin,
        final_time=begin + 3.0,
        rtol=rtol,
        atol=1e-2 * rtol,
        record=record,
        max_transitions=2000,
    )


def fall_or_rest(xdot, t, x, p, chart):
    if chart == 0:
        xdot[0], xdot[1] = x[1], -9.81
    else:
        xdot[0] = p[P.floor_speed]


def floor_of_fall(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0] - p[P.floor_height] - p[P.floor_speed] * (t - p[P.begin])


PLASTIC = Model(
    "plastic_ball",
    Records(State("y", 1.0, "m"), State("v", 0.0, "m/s")),
    vector_field=fall_or_rest,
    boundaries=floor_of_fall,
    transition=bounce,
    parameters=BALL_PARAMETERS,
    charts=Records(Chart("falling"), Chart("resting")),
    boundary_records=Records(Boundary("floor", unit="m", rest="resting")),
)


def plastic(rng, begin, rtol, record):
    """A ball that hardly bounces, if at all: it jumps over and over at one instant, and then moves with its floor."""
    speed, height = rng.choice([0.0, 0.0, 1.0, -0.7, 30.0]), rng.choice([0.0, 0.0, 1.0, -3.3, 1e4])
    return PLASTIC, simulate(
        PLASTIC,
        parameters={
            "begin": begin,
            "restitution": rng.choice([0.0, 0.0, 0.0, 1e-9, 0.1]),
            "floor_speed": speed,
            "floor_height": height,
        },
        initial={"y": height + 10.0 ** rng.uniform(-2.0, 1.0), "v": speed + rng.uniform(-1.0, 1.0)},
        initial_time=begin,
        final_time=begin + 2.5,
        rtol=rtol,
        atol=1e-2 * rtol,
        method=(*METHODS, "rodas5p", "series")[rng.integers(6)],
        record=record,
    )


TERRAINS = (
    {},
    {"terrain": "sinusoid", "terrain_arg1": 0.03, "terrain_arg2": 3.0, "terrain_arg3": 3.0},
    {"terrain": "sloped", "terrain_arg2": 0.1},
)
LAWS = [
    {"friction": friction, "damping": damp} for friction in ("creep", "coulomb") for damp in ("linear", "hunt_crossley")
]
GAIT = {"phi_s": (0.5, 0.8), "phi_o": (-0.25, -0.1), "dphi_o": (-0.1, 0.1), "dt_s": (-0.03, 0.03), "t_c": (0.5, 0.9)}


def hexapod(rng, begin, rtol, record):
    """A walking hexapod whose gait changes about ten times a second."""
    terrain = TERRAINS[rng.integers(3)]
    simulation = Simulation(
        "hexapod",
        parameters=LAWS[rng.integers(4)] | terrain,
        initial={"r_z": 0.25} if terrain else {},
        initial_time=begin,
        final_time=begin + 1.0,
        rtol=rtol,
        atol=1e-3 * rtol,
        method=METHODS[rng.integers(3)],
        record=record,
        max_transitions=10**6,
    )
    while (t := simulation.t + 1e-3 + rng.exponential(0.1)) < begin + 0.9:
        simulation.advance(t)
        name = rng.choice(list(GAIT))
        simulation.inputs[name] = rng.uniform(*GAIT[name])
    return simulation.config.model, simulation.run()


FAMILIES = {"slide": slide, "ball": ball, "plastic": plastic, "hexapod": hexapod}


def members(family, rng, n):
    """n runs of a family with their models and what distinguishes them: (what, model, run)."""
    for k in range(n):
        begin, rtol = TIMES[k % 4], 10.0 ** rng.uniform(-10.0, -4.0)
        record = RECORDS[rng.integers(3)]
        model, run = FAMILIES[family](rng, begin, rtol, record)
        yield f"{family} {k} at {begin:g} s, rtol {rtol:.1e}, record {record}", model, run
