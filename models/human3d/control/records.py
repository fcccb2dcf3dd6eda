"""What the walking controller remembers, how it is set, and what it reports."""

from hybridsim import Boundary, Output, Parameter, Records, State
from hybridsim_models.human3d.person import JOINTS, SIDES

GOALS = (
    ("xi", "extrapolated mass centre"),
    ("xi_plan", "extrapolated mass centre of the plan"),
    ("cop_goal", "centre of pressure that is asked for"),
)
RECOVERIES = ("none", "step")
NO_RECOVERY, STEP = range(2)
UNBEGUN = -1.0
"""The phase before the first sample."""
STATES = Records(
    *(State(f"asked_{side}_{joint}", 0.0, "N m", "at rest", continuous=False) for side in SIDES for joint in JOINTS),
    *(State(f"rise_{side}_{joint}", 0.0, "N m/s", "of it", continuous=False) for side in SIDES for joint in JOINTS),
    State("next_sample", 0.0, "s", "when the controller looks again", continuous=False),
    State("phase", UNBEGUN, "", "0 hold, 1 shift, 2 single, 3 double, 4 stopping, 5 standing", continuous=False),
    State("phase_start", 0.0, "s", "when it began", continuous=False),
    State("foot1", 0.0, "", "the foot on which a step is made, or was: 0 left, 1 right", continuous=False),
    State("steps_left", 0.0, "", "steps that have not begun, with the last one", continuous=False),
    State("recovers", 0.0, "", "1 while steps are made to catch the body", continuous=False),
    State("recovery_steps", 0.0, "", "steps that were made to catch the body", continuous=False),
    *(State(f"plan_{axis}", 0.0, "m", "centre of pressure where the phase began", continuous=False) for axis in "xy"),
    *(State(f"sole_{axis}_start", 0.0, "m", "sole of foot 2 where the step began", continuous=False) for axis in "xyz"),
    *(
        State(f"sole_{axis}_rate", 0.0, "m/s", "sole of foot 2 where the step began", continuous=False)
        for axis in "xyz"
    ),
    *(State(f"{name}_{axis}", 0.0, "m", doc, continuous=False) for name, doc in GOALS for axis in "xy"),
    State("height_goal", 0.0, "m", "of the mass centre; 0 before the first sample", continuous=False),
    State("left_share", 0.5, "", "of the load, that the left foot shall bear", continuous=False),
)
PARAMETERS = Records(
    Parameter("steps", 12, "", "before the last one, which brings the feet together; 0: stand", lower=0, integer=True),
    Parameter("step_length", 0.4, "m", "from foothold to foothold"),
    Parameter("single_time", 0.5, "s", "single support", lower=1e-2),
    Parameter("double_time", 0.2, "s", "double support", lower=1e-2),
    Parameter("walk_height", 0.97, "m", "of the mass centre", lower=1e-3),
    Parameter("cop_first", -0.11, "m", "ahead of the tip of the sole, where a step begins"),
    Parameter("cop_last", -0.06, "m", "ahead of the tip of the sole, where a step ends"),
    Parameter("foot_lines", 0.17, "m", "from foot line to foot line"),
    Parameter("sample_time", 0.005, "s", "period of the controller", lower=1e-5),
    Parameter("hold_time", 0.3, "s", "rest before the walk", lower=0.0),
    Parameter("shift_time", 0.8, "s", "in which the weight moves to the first foot", lower=1e-2),
    Parameter("stop_time", 0.8, "s", "in which it moves to both feet at the end", lower=1e-2),
    Parameter("gain", 3.0, "1/s", "with which an error of the extrapolated mass centre decays", lower=0.0),
    Parameter("margin", 0.012, "m", "from the edge of the sole that the centre of pressure keeps", lower=0.0),
    Parameter("clearance", 0.05, "m", "lift of the sole in a step"),
    Parameter("landing_speed", 0.1, "m/s", "down", lower=0.0),
    Parameter("most_shift", 0.6, "m", "largest shift of a foothold, along and across", lower=0.0),
    Parameter("straightest", 0.985, "", "part of its length to which a leg that bears is stretched", upper=1.0),
    Parameter("most_friction", 0.8, "", "part of friction beyond which the trunk turns to spare it", lower=0.0),
    Parameter("steadying", 2.0, "N m s/rad", "damping in each joint between samples", lower=0.0),
    Parameter("recovery", "none", "", "of a person who stands and is pushed too hard", choices=RECOVERIES),
    Parameter("recovery_time", 0.3, "s", "single support of a step that catches", lower=1e-2),
    Parameter("recovery_lead", 0.05, "m", "of its foothold beyond where the extrapolated mass centre will be"),
    Parameter(
        "landing_delay", 0.05, "s", "by which its foot is expected to land late, where it steps to a side", lower=0.0
    ),
    Parameter("tolerated", 0.005, "m", "how far outside the soles this may be while one stands", lower=0.0),
)
BOUNDARIES = Records(Boundary("sample", "the controller's next sample", "s", time=True))
OUTPUTS = Records(
    *(Output(f"{name}_{axis}_now", "m", doc) for name, doc in GOALS for axis in "xy"),
    Output("walk_phase", "", "0 hold, 1 shift, 2 single, 3 double, 4 stopping, 5 standing"),
    Output("steps_to_go", "", "that have not begun, with the last one"),
    Output("steps_to_catch", "", "that were made to catch the body"),
)
S = STATES.indices
P = PARAMETERS.indices
B = BOUNDARIES.indices
Y = OUTPUTS.indices
