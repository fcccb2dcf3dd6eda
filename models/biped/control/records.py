"""What the walking controller remembers, how it is set, and what it reports."""

from hybridsim import Boundary, Input, Message, Output, Parameter, Records, State
from hybridsim_models.biped.body import COORDINATE_NAMES, FIRST_JOINT
from hybridsim_models.biped.dynamics import LEG_SIZE
from hybridsim_models.biped.records import SIDES

GOALS = (
    ("xi", "divergent component"),
    ("xi_plan", "divergent component of the plan, or of the cart that follows it"),
    ("cop_plan", "centre of pressure of the plan"),
    ("cop_goal", "centre of pressure that is asked for"),
)
LEG_JOINTS = COORDINATE_NAMES[FIRST_JOINT : FIRST_JOINT + LEG_SIZE]
TURNED = ("trunk", "foot2")
JOINT_NAMES = tuple(name.replace("1", "") for name in LEG_JOINTS)
STATES = Records(
    *(State(f"asked_{j}_{s}", 0.0, "N m", "torque", continuous=False) for s in SIDES for j in JOINT_NAMES),
    *(State(f"asked_sole_{s}", 0.0, "N m", "moment of the toes on the ground", continuous=False) for s in SIDES),
    State("order", 0.0, "", "to the plant: 1, let heel 1 rise; 2, exchange the feet; 3, lift foot 2", continuous=False),
    State("samples", 0.0, "", "periods that have begun in this phase", continuous=False),
    State("seen", -1.0, "", "stance at the last sample; -1: none yet", continuous=False),
    State("phase", 0.0, "", "0 hold, 1 shift, 2 single, 3 double, 4 stopping, 5 standing", continuous=False),
    State("phase_start", 0.0, "s", "when it began: the only instant that is kept", continuous=False),
    State("steps_left", 0.0, "", "steps that have not begun, with the last one", continuous=False),
    State("plan_x", 0.0, "m", "planned centre of pressure where the phase began", continuous=False),
    State("plan_y", 0.0, "m", "planned centre of pressure where the phase began", continuous=False),
    State("share_start", 0.0, "", "load of foot 2 where it became flat", continuous=False),
    State("share_delay", 0.0, "s", "when it became flat, after the phase began", continuous=False),
    *(State(f"{name}_start", 0.0, "", "where the phase began", continuous=False) for name in ("pitch1", "pitch2")),
    *(State(f"{name}_rate", 0.0, "", "where the phase began", continuous=False) for name in ("pitch1", "pitch2")),
    *(State(f"ankle_{axis}_start", 0.0, "m", "ankle 2 where the step began", continuous=False) for axis in "xyz"),
    *(State(f"ankle_{axis}_rate", 0.0, "m/s", "ankle 2 where the step began", continuous=False) for axis in "xyz"),
    *(State(f"{name}_{axis}", 0.0, "m", doc, continuous=False) for name, doc in GOALS for axis in "xy"),
    State("share", 0.0, "", "of the load, that foot 2 bears", continuous=False),
    *(
        State(f"cart_{axis}{of}", 0.0, f"m{unit}", "cart that follows the plan", continuous=False)
        for of, unit in (("", ""), ("_rate", "/s"), ("_rate2", "/s^2"), ("_rate3", "/s^3"))
        for axis in "xy"
    ),
    State("cart_time", 0.0, "s", "when the cart was there", continuous=False),
    State("length", 0.0, "m", "of steps", continuous=False),
    State("turn", 0.0, "rad", "of steps, to the left", continuous=False),
    *(State(f"asked_turn_{each}", 0.0, "rad/s^2", "yaw acceleration", continuous=False) for each in TURNED),
    *(State(f"{each}_yaw_start", 0.0, "rad", "where the phase began", continuous=False) for each in TURNED),
    State("heading_seen", 0.0, "rad", "heading of the biped's own frame at the last sample", continuous=False),
    *(
        State(f"origin_{axis}_seen", 0.0, "m", "origin of that frame at the last sample", continuous=False)
        for axis in "xy"
    ),
    State("ground_left", 0.0, "m", "height of the ground that foot 2 has left", continuous=False),
    State(
        "recovers", 0.0, "", "from a push, by a step: 1, forward; 2, back or to a side; 3, beside it", continuous=False
    ),
    State("motor_use", 0.0, "", "largest part of its limit that is asked of a motor", continuous=False),
)
PREVIEWS = ("divergent", "kajita")
"""What follows the plan of the centre of pressure: its divergent component, or a cart under preview control."""
DIVERGENT, KAJITA = range(2)
WALKS = ("counted", "endless", "driven")
"""How far to walk: the parameter `steps`, without an end, or as the inputs say."""
COUNTED, ENDLESS, DRIVEN = range(3)
RECOVERIES, LIMITS = ("none", "step"), ("none", "people")
STEP, PEOPLE = 1, 1
NO_RECOVERY, FORWARD, SHORT, BESIDE = range(4)
"""Steps of a recovery: none; one forward; a short one, back or to a side, which lands flat; one beside the first."""
PARAMETERS = Records(
    Parameter("steps", 24, "", "before the last one, which brings the feet together; 0: stand", lower=0, integer=True),
    Parameter(
        "slowing", 0, "", "steps before the last one that become shorter to a stop", lower=0, upper=20, integer=True
    ),
    Parameter("step_length", 0.4, "m", "from foothold to foothold"),
    Parameter("single_time", 0.6, "s", "single support", lower=1e-2),
    Parameter("double_time", 0.2, "s", "double support", lower=1e-2),
    Parameter("walk_height", 0.97, "m", "of the mass centre; change start_height with it", lower=1e-3),
    Parameter("bounce", 0.01, "m", "amplitude of this height"),
    Parameter("cop_first", -0.15, "m", "ahead of the toe, where a step begins"),
    Parameter("cop_last", 0.0, "m", "ahead of the toe, where a step ends"),
    Parameter("foot_lines", 0.16, "m", "from foot line to foot line"),
    Parameter("heel_off", 1.0, "", "part of single support after which heel 1 rises", lower=0.01, upper=1.0),
    Parameter("sample_time", 0.002, "s", "period of the controller", lower=1e-5),
    Parameter("hold_time", 0.4, "s", "rest before the walk", lower=0.0),
    Parameter("shift_time", 1.0, "s", "in which the weight moves to the first foot", lower=1e-2),
    Parameter("stop_time", 1.0, "s", "in which it moves to both feet at the end", lower=1e-2),
    Parameter("gain", 3.0, "1/s", "with which an error of the divergent component decays", lower=0.0),
    Parameter("margin", 0.012, "m", "from the edge of the sole that the centre of pressure keeps", lower=0.0),
    Parameter("clearance", 0.08, "m", "lift of the ankle in a step"),
    Parameter("landing_pitch", -0.2, "rad", "of a foot that lands", upper=0.0),
    Parameter("leaving_pitch", 0.35, "rad", "of a foot that leaves", lower=0.0),
    Parameter("leaving_turn", 0.525, "rad", "its pitch rate then, times double support", lower=0.0),
    Parameter("landing_speed", 0.05, "m/s", "down", lower=0.0),
    Parameter(
        "landing_forward", 0.0, "m/s", "speed forward with which a foot in the air comes to its foothold", lower=0.0
    ),
    Parameter(
        "swing_part", 0.95, "", "part of single support after which foot 2 is over its foothold", lower=0.1, upper=1.0
    ),
    Parameter("apex_part", 0.45, "", "part of single support after which the ankle is highest", lower=0.05, upper=0.9),
    Parameter(
        "descent_part", 1.0, "", "part of single support after which it sinks at landing_speed", lower=0.5, upper=1.0
    ),
    Parameter("flat_part", 0.5, "", "part of double support after which foot 2 is flat", lower=0.05, upper=1.0),
    Parameter("least_knee", 0.17, "rad", "flexion below which a guard bends a knee", lower=0.01, upper=0.5),
    Parameter("foothold_gain", 0.5, "", "shift of a foothold per error of the divergent component", lower=0.0),
    Parameter("most_shift_x", 0.15, "m", "largest shift of a foothold, forward or back", lower=0.0),
    Parameter("most_shift_y", 0.08, "m", "largest shift of a foothold, to a side", lower=0.0),
    Parameter("preview", "divergent", "", "what follows the plan of the centre of pressure", choices=PREVIEWS),
    Parameter("anticipation", 0.0, "s", "before foot 2 lands, torques are those of double support", lower=0.0),
    Parameter("walk", "counted", "", "`steps` steps; without an end; or as `go` and `speed` say", choices=WALKS),
    Parameter("recovery", "none", "", "of a biped that stands and is pushed too hard", choices=RECOVERIES),
    Parameter("forward_time", 0.35, "s", "single support of a recovery's step forward", lower=1e-2),
    Parameter("short_time", 0.25, "s", "single support of its step back or to a side", lower=1e-2),
    Parameter("forward_lead", 0.08, "m", "of its toe beyond the divergent component, as its heel lands first"),
    Parameter("side_lead", 0.05, "m", "of a step to a side beyond the divergent component, to the outside"),
    Parameter("limits", "none", "", "of torques: none, or peaks of people, less at speed", choices=LIMITS),
)
INPUTS = Records(
    Input("go", 1.0, "", "walk: driven: above 1/2 it begins or goes on, otherwise it stops", lower=0.0, upper=1.0),
    Input("speed", 0.5, "m/s", "walk: driven: of the steps to come", lower=0.1, upper=0.75),
    Input("turn_rate", 0.0, "rad/s", "of the steps to come, to the left", lower=-1.0, upper=1.0),
)
BOUNDARIES = Records(Boundary("sample", "the controller's next sample", "s", time=True))
OUTPUTS = Records(
    *(Output(f"{name}_{axis}_now", "m", doc) for name, doc in GOALS for axis in "xy"),
    Output("walk_phase", "", "0 hold, 1 shift, 2 single, 3 double, 4 stopping, 5 standing"),
    Output("steps_to_go", "", "that have not begun, with the last one"),
    Output("motor_use_now", "", "limits: people: largest part of its limit that is asked of a motor; above 1, clipped"),
)
MESSAGES = (
    Message("walk_height is above the mass centre of a body that stands straight; lower it, and start_height with it"),
    Message("a step would turn by more than 1.2 rad: lower turn_rate, or the times single_time and double_time"),
    Message(
        "descent_part is not above apex_part: foot 2 would sink before it is highest; raise it, or lower apex_part"
    ),
    Message("the biped turns on level ground only; set the input slope to 0, or turn_rate, and heading, to 0"),
)
S = STATES.indices
P = (PARAMETERS + INPUTS).indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
