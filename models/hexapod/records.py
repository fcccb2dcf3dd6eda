"""What the hexapod's states, parameters, boundaries and outputs are called, and where they lie.

Frames: W, the world, x right, y forward, z up; B, the body, the same when it stands level. Legs 0-2 are on the right
(rear, middle, front), 3-5 on the left. Names and values are those of SimSect's own rc file.
"""

from hybridsim import Boundary, Input, Message, Output, Parameter, Records, State

N_LEGS = 6
LEGS = range(N_LEGS)
N_CORNERS = 8
CORNERS = range(N_CORNERS)
XYZ = "xyz"

STATES = Records(
    *(State(f"r_{a}", d, "m", "body, in W") for a, d in zip(XYZ, (0.0, -0.5, 0.18), strict=True)),
    State("q_w", 1.0, "", "attitude, a quaternion that turns B to W; its length does not matter"),
    *(State(f"q_{a}", 0.0, "", "attitude, a quaternion that turns B to W") for a in XYZ),
    *(State(f"v_{a}", 0.0, "m/s", "body, in W") for a in XYZ),
    *(State(f"omega_{a}", 0.0, "rad/s", "body, angular velocity in W") for a in XYZ),
    *(State(f"f{i}_{a}", 0.0, "m", "toe, in W; put down or in posture when a run begins") for i in LEGS for a in XYZ),
    *(State(f"fdot{i}_{a}", 0.0, "m/s", "toe in flight, in W; 0 in stance or if massless") for i in LEGS for a in XYZ),
    *(
        State(f"release{i}", 0.0, "", "of a toe that slips: 0 at rest, 1 sliding freely; else 0", lower=0.0)
        for i in LEGS
    ),
    State("charge", 1.0, "", "of the battery, 1 = full", lower=0.0, upper=1.0),
    State("motor_work", 0.0, "J", "done since the start by the motors of legs that load the body, and by pushes"),
    State("damper_loss", 0.0, "J", "in the dampers of these legs and their hips, and where the body hits the ground"),
    State("friction_loss", 0.0, "J", "by toes that slip, and corners of the body"),
    State("impact_loss", 0.0, "J", "of toes that are stopped by the ground", continuous=False),
    State("roll", 0.0, "rad", "turns the initial attitude about B's y; then 0: see body_roll", continuous=False),
    State("pitch", 0.0, "rad", "turns the initial attitude about B's x, nose up; then 0", continuous=False),
    State("yaw", 0.0, "rad", "turns the initial attitude about z, to the left; then 0", continuous=False),
    State(
        "posed", 0.0, "", "0: the toes are put in posture when the run begins", continuous=False, lower=0.0, upper=1.0
    ),
)

TERRAINS = ("flat", "sinusoid", "sloped", "ditchedflat", "height_map", "stairs", "rough")
FRICTIONS = ("coulomb", "creep")
DAMPINGS = ("linear", "hunt_crossley")

MIDDLE_LEGS = (1, 4)
HIP_PLACES = ((0.1, -0.2), (0.15, 0.0), (0.1, 0.2), (-0.1, -0.2), (-0.15, 0.0), (-0.1, 0.2))
PARAMETERS_PER_LEG = (
    ("rho{}_k", [1600.0 if i in MIDDLE_LEGS else 1200.0 for i in LEGS], "N/m", "radial stiffness", 0.0),
    ("rho{}_d", [16.0 if i in MIDDLE_LEGS else 12.0 for i in LEGS], "N s/m", "radial damping", 1e-3),
    ("rho{}_r0", [0.17] * 6, "m", "radial rest length", 1e-6),
    ("theta{}_k", [400.0 if i in MIDDLE_LEGS else 300.0 for i in LEGS], "N m/rad", "sideways stiffness", 0.0),
    ("theta{}_d", [0.16 if i in MIDDLE_LEGS else 0.12 for i in LEGS], "N m s/rad", "sideways damping", 1e-6),
    ("theta{}_r0", [0.05] * 3 + [-0.05] * 3, "rad", "sideways rest angle, toe outward", -1.5),
    ("attach{}_x", [a[0] for a in HIP_PLACES], "m", "hip in B, to the right", None),
    ("attach{}_y", [a[1] for a in HIP_PLACES], "m", "hip in B, forward", None),
    ("attach{}_z", [0.0] * 6, "m", "hip in B, up", None),
)


def _leg_parameters():
    for pattern, values, unit, doc, lower in PARAMETERS_PER_LEG:
        bounds = {} if lower is None else {"lower": lower}
        for leg, value in enumerate(values):
            yield Parameter(pattern.format(leg), value, unit, f"leg {leg}: {doc}", **bounds)


PARAMETERS = Records(
    Parameter("body_mass", 7.0, "kg", "mass of the body", lower=1e-6),
    Parameter(
        "body_width",
        0.2,
        "m",
        "size of its box in B along x; its default and the next two make J_11 ... those of an even box",
        lower=1e-6,
    ),
    Parameter("body_length", 0.4, "m", "of the box, along y", lower=1e-6),
    Parameter("body_height", 0.1, "m", "of the box, along z", lower=1e-6),
    Parameter("body_stiffness", 5e4, "N/m", "of a corner of the box on the ground; 0: a fall ends the run", lower=0.0),
    Parameter("body_damping", 2.0, "s/m", "of that corner: force per speed, as a share of its spring's", lower=0.0),
    Parameter("body_friction", 0.5, "", "of that corner and the ground", lower=0.0),
    Parameter("body_creep_damping", 2000.0, "N s/m", "drag per speed of a corner that creeps in its cone", lower=0.0),
    Parameter("leg_mass", 0.01, "kg", "mass of each toe in flight; 0: its leg is at rest on its springs", lower=0.0),
    Parameter("g", 9.81, "m/s^2", "gravity, on the body"),
    Parameter("friction_coeff", 0.5, "", "of toes and ground", lower=0.0),
    Parameter(
        "friction", "creep", "", "law of friction: SimSect's creep beyond the cone, or the cone", choices=FRICTIONS
    ),
    Parameter("creep_damping", 400.0, "N s/m", "excess over the cone per speed of creep", lower=0.0),
    Parameter("creep_limit", 6.0, "", "the excess tends to this times the cone where a toe is fast", lower=1e-9),
    Parameter(
        "takeoff_speed", 0.01, "m/s", "with which a toe leaves the ground, along its normal, at least", lower=0.0
    ),
    Parameter("slip_lag", 5e-4, "s", "the speed of a toe that slips follows its drag no faster", lower=1e-6),
    Parameter("damping", "linear", "", "radial damper of a leg in stance", choices=DAMPINGS),
    Parameter("damping_depth", 0.01, "m", "Hunt-Crossley: where it damps as the linear one does", lower=1e-9),
    Parameter("flight_reaction", 0, "", "1: legs in flight load the body, too", lower=0, upper=1, integer=True),
    Parameter("q_rt", 0.17, "m", "leg length at touchdown; sets nothing, see rho0_r0 ...", lower=0.0),
    Parameter("q_rl", 0.175, "m", "leg length at liftoff: where the end stop begins", lower=0.0),
    Parameter("stop_force", 6.0, "N", "end stop: stop_force (exp((rho - q_rl)/stop_length) - 1)", lower=0.0),
    Parameter("stop_length", 0.001, "m", "length in which the end stop grows e-fold", lower=1e-6),
    Parameter("max_torque", 4.0, "N m", "stall torque of a motor, at the leg", lower=0.0),
    Parameter("max_speed", 10000.0, "rpm", "no-load speed of a motor", lower=1e-6),
    Parameter("gear", 33.0625, "", "turns of the motor per turn of the leg", lower=1e-6),
    Parameter("speed_constant", 61.261056, "rad/(V s)", "speed of the motor per back-EMF", lower=1e-9),
    Parameter("torque_constant", 0.0161, "N m/A", "torque of the motor per current", lower=1e-9),
    Parameter("armature_resistance", 1.34, "ohm", "of the motor", lower=0.0),
    Parameter("hip_damping", 0.001, "N m s/rad", "friction of gear and bearing, at the leg", lower=0.0),
    Parameter("battery_capacity", 2.2, "A h", "charge at the rated discharge time", lower=1e-9),
    Parameter("battery_hours", 20.0, "h", "rated discharge time", lower=1e-9),
    Parameter("battery_exponent", 1.2, "", "Peukert's: 1, an ideal battery", lower=1.0),
    *(
        Parameter(
            f"J_{i}{j}", {"11": 0.09917, "22": 0.02917, "33": 0.117}.get(f"{i}{j}", 0.0), "kg m^2", "inertia, in B"
        )
        for i in (1, 2, 3)
        for j in (1, 2, 3)
    ),
    *_leg_parameters(),
    Parameter("terrain", "flat", "", "shape of the ground", choices=TERRAINS, aliases=("terrain_type",)),
    Parameter(
        *("terrain_arg1", 0.0, ""),
        "sinusoid, rough: height [m]; sloped: slope along x; ditchedflat, stairs: begins at y [m]",
    ),
    Parameter(
        *("terrain_arg2", 0.0, ""),
        "sinusoid: [rad/m] along x; sloped: slope along y; ditchedflat: width [m]; stairs: depth of a tread [m]; "
        "rough: length of a bump [m]",
    ),
    Parameter(
        *("terrain_arg3", 0.0, ""),
        "sinusoid: [rad/m] along y; sloped: height [m]; ditchedflat: depth [m]; stairs: height of a step [m]; "
        "rough: seed",
    ),
    Parameter("wall_slope", 4.0, "", "of the walls of a ditch and of stairs, height per length", lower=1e-3),
    Parameter("edge", 0.01, "m", "half the length in which an edge of the ground is rounded", lower=1e-6),
    Parameter("map_x", -2.5, "m", "height map: x of its first column"),
    Parameter("map_y", -1.0, "m", "height map: y of its first row"),
    Parameter("map_step", 0.25, "m", "height map: between columns, and between rows", lower=1e-9),
    Parameter("map_height", 1.0, "m", "height map: the height for the number 1, which is white in a picture"),
    Parameter(
        "height_map", (1, 1, 0.0), "", "height map: rows of numbers; beyond its edges it goes on", is_matrix=True
    ),
    *(
        Parameter(
            name, 50, "", "of SimSect's drawn ground; the viewer chooses its own", 1, integer=True, aliases=(alias,)
        )
        for name, alias in (("grid_xsteps", "frame_width"), ("grid_ysteps", "frame_height"))
    ),
    Parameter("framerate", 60.0, "1/s", "of SimSect's view; the viewer chooses its own, see --fps", lower=0.0),
)

INPUTS = Records(
    Input("force_x", 0.0, "N", "on the body's centre, in W, to the right"),
    Input("force_y", 0.0, "N", "forward"),
    Input("force_z", 0.0, "N", "up"),
)

BOUNDARIES = Records(
    *(
        record
        for i in LEGS
        for record in (
            Boundary(f"liftoff{i}", f"leg {i} does not push on the ground any more", "N", touch="ignore"),
            Boundary(f"touchdown{i}", f"toe {i} reaches the ground", "m", touch="ignore"),
        )
    ),
    *(Boundary(f"slip{i}", f"toe {i}, stuck, leaves the cone of friction", "N", touch="ignore") for i in LEGS),
    *(Boundary(f"stick{i}", f"toe {i}, slipping, comes to rest and is held", touch="ignore") for i in LEGS),
    Boundary("body_down", "the first corner of the body reaches the ground", "m", touch="ignore"),
    *(
        Boundary(f"corner{j}", f"corner {j} of the body reaches the ground, or leaves it", "m", touch="ignore")
        for j in CORNERS
    ),
    Boundary("battery_empty", "the battery has no charge left", "", degree=1, touch="ignore"),
)
CHART_FIELDS = {"stance": 6, "slip": 6, "empty": 1, "corner": 8}
MESSAGES = (
    Message("body toppled over: its centre is below the ground, and body_stiffness is 0"),
    Message("a leg in stance pulls at the ground"),
    Message("a toe in flight is under the ground"),
    Message("a leg in stance is longer than its liftoff length q_rl", "warning"),
    Message("the initial quaternion is zero"),
    Message("leg_mass=0 needs damping=linear: Hunt and Crossley's damper does not hold a massless toe at rest length"),
    Message("leg_mass is so small that steps would be of microseconds; write 0, or at least 1e-5"),
    Message("terrain = height_map needs heights: give height_map a list of rows or a file, or choose another terrain"),
    Message("terrain = stairs needs the depth of a tread [m]: set terrain_arg2 above 0"),
    Message("height_map is not used; set terrain = height_map", "warning"),
    Message("the body's centre is below the ground, which came up between its corners", "warning"),
)
TOPPLED, PULLING, UNDERGROUND, TOO_LONG, NO_ATTITUDE, NO_FLIGHT, TOO_LIGHT, NO_MAP, NO_TREAD, UNUSED_MAP, SUNK = range(
    1, 12
)

_LEG_OUTPUTS = (
    ("rho{}", "m", "length of leg {}"),
    ("theta{}", "rad", "sideways bend of leg {}"),
    ("phi{}", "rad", "hip angle of leg {}, 0 = down, positive: toe forward"),
    ("stance{}", "", "1: toe {} is on the ground"),
    ("slipping{}", "", "1: toe {} slips"),
    ("push{}", "N", "normal push of toe {} on the ground"),
    ("drag{}", "N", "tangential push of toe {} on the ground"),
    ("excess{}", "N", "drag of toe {} beyond the cone of friction"),
    ("ground{}_x", "N", "of the ground on the body by toe {}, in W"),
    ("ground{}_y", "N", "of the ground on the body by toe {}, in W"),
    ("ground{}_z", "N", "of the ground on the body by toe {}, in W"),
    ("contact{}_x", "N", "of the ground on the body by toe {}, in B"),
    ("contact{}_y", "N", "of the ground on the body by toe {}, in B"),
    ("contact{}_z", "N", "of the ground on the body by toe {}, in B"),
    *((f"inertia{{}}_{a}", "N", "that the inertia of toe {} takes where it slips, in W") for a in XYZ),
    ("rhodot{}", "m/s", "rate of rho{}"),
    ("thetadot{}", "rad/s", "rate of theta{}"),
    ("phidot{}", "rad/s", "rate of phi{}, the speed of the hip"),
    ("torque{}", "N m", "of motor {}, at the hip"),
    ("power{}", "W", "of motor {} at the hip"),
    ("current{}", "A", "of motor {}"),
    ("terminal_voltage{}", "V", "of motor {}"),
    ("back_emf{}", "V", "of motor {}"),
    ("electrical_power{}", "W", "that motor {} draws at its terminals"),
)
OUTPUTS = Records(
    Output("time", "s"),
    *(Output(f"r_{a}", "m", "body, in W") for a in XYZ),
    *(Output(f"v_{a}", "m/s", "body, in W") for a in XYZ),
    *(Output(f"body_{a}", "rad", "attitude") for a in ("roll", "pitch", "yaw")),
    *(Output(f"omega_{a}", "rad/s", "body, in W") for a in XYZ),
    *(Output(f"gyro_{a}", "rad/s", "body, angular velocity in B") for a in XYZ),
    *(Output(f"accelerometer_{a}", "m/s^2", "body, acceleration less gravity, in B") for a in XYZ),
    Output("speed", "m/s", "of the body, along its heading"),
    Output("ground_speed", "m/s", "of the body, horizontal, whatever its heading"),
    Output("clearance", "m", "of the body's centre above the ground"),
    *(Output(pattern.format(i), unit, doc.format(i)) for pattern, unit, doc in _LEG_OUTPUTS for i in LEGS),
    *(Output(f"corner_push{j}", "N", f"normal push of corner {j} of the body on the ground") for j in CORNERS),
    *(Output(f"corner_drag{j}", "N", f"tangential push of corner {j} on the ground") for j in CORNERS),
    *(Output(f"body_ground_{a}", "N", "of the ground on the body's corners, in W") for a in XYZ),
    Output("ground_force", "N", "normal push of all toes"),
    Output("hip_power", "W", "of all motors"),
    Output("positive_power", "W", "of the motors that drive"),
    Output("specific_resistance", "", "positive power / (m g speed)"),
    Output("electrical_power", "W", "of the motors that draw, at their terminals"),
    Output("electrical_resistance", "", "specific resistance of electrical power / (m g speed)"),
    Output("battery_current", "A", "of all motors"),
    Output("charge", "", "of the battery"),
    Output("range", "km", "that the charge left would take it, at the present current and ground speed"),
    Output("kinetic_energy", "J", "of the body"),
    Output("toe_energy", "J", "kinetic, of toes in flight"),
    Output("spring_energy", "J", "of the legs in stance, and with flight_reaction = 1 of all"),
    Output("corner_energy", "J", "elastic, of the body's corners on the ground"),
    Output("energy", "J", "of body, springs and corners, with flight_reaction = 1 also of toes"),
    *(Output(f"momentum_{a}", "kg m/s", "of the body, with flight_reaction = 1 also of toes") for a in XYZ),
)


S, P, B, Y = STATES.indices, (PARAMETERS + INPUTS).indices, BOUNDARIES.indices, OUTPUTS.indices
"""Indices of states, of parameters and inputs, of boundaries and outputs. Those of six legs follow each other:
`S.f0_x + 3 * i`, `P.rho0_k + i`, `B.slip0 + i`, `Y.push0 + i`; the boundaries liftoff and touchdown alternate, as in
SimSect: `B.liftoff0 + 2 * i`, `B.touchdown0 + 2 * i`."""
FLAT, SINUSOID, SLOPED, DITCHED, MAPPED, STAIRS, ROUGH = range(len(TERRAINS))
CREEP, HUNT_CROSSLEY = FRICTIONS.index("creep"), DAMPINGS.index("hunt_crossley")

SLIP_BITS, EMPTY_BIT, CORNER_BITS = 6, 12, 13
"""In a chart number: the first bit of slipping toes, the bit of the empty battery, the first bit of corners."""
ALL_CORNERS = (1 << N_CORNERS) - 1
FLIGHT, STUCK, SLIPPING = range(3)
"""Contacts of a leg."""


def in_stance(chart, i):
    """Return 1 if toe i is on the ground, else 0."""
    return chart >> i & 1


def is_slipping(chart, i):
    """Return 1 if toe i slips, else 0."""
    return chart >> (SLIP_BITS + i) & chart >> i & 1


def contact_of(chart, i):
    """Return whether leg i is in FLIGHT, STUCK or SLIPPING."""
    if not in_stance(chart, i):
        return FLIGHT
    return SLIPPING if is_slipping(chart, i) else STUCK


def is_empty(chart):
    """Return 1 if the battery is empty, else 0."""
    return chart >> EMPTY_BIT & 1


def corners_of(chart):
    """Return the bits of the body's corners that are on the ground, 0 if none is."""
    return chart >> CORNER_BITS & ALL_CORNERS


def has_corner(chart, j):
    """Return 1 if corner j of the body is on the ground, else 0."""
    return chart >> (CORNER_BITS + j) & 1


def with_leg(chart, i, contact):
    """Return the chart with leg i in FLIGHT, STUCK or SLIPPING."""
    chart &= ~((1 << i) | (1 << (SLIP_BITS + i)))
    if contact >= STUCK:
        chart |= 1 << i
    return chart | (1 << (SLIP_BITS + i)) if contact == SLIPPING else chart
