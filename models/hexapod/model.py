"""The compliant hexapod of SimSect: RHex, a rigid body on six sprung legs, each driven at its hip.

The plant is divided into `body`, `legs`, `contact`, `terrain`, `motor` and `battery`; `plant` puts them together. What
turns the hips is a part: `open_loop`, `held`, or a file of one's own.
"""

from hybridsim import Plant, Slot

from .held import PART as HELD
from .open_loop import PART as OPEN_LOOP
from .outputs import outputs
from .plant import boundaries, initial_chart, validate, vector_field
from .records import BOUNDARIES, FIELDS, MESSAGES, OUTPUTS, PARAMETERS, STATES
from .scene import BITS, PLOTS, SCENE, poses
from .sensors import SENSORS
from .transitions import transition

MODEL = Plant(
    "hexapod",
    STATES,
    (vector_field, boundaries, transition, outputs, initial_chart, validate, poses),
    PARAMETERS,
    boundaries=BOUNDARIES,
    outputs=OUTPUTS,
    messages=MESSAGES,
    fields=FIELDS,
    scene=SCENE,
    bits=BITS,
    plots=PLOTS,
    doc="Compliant hexapod: a rigid body on six sprung, hip-driven legs (SimSect's RHex)",
    slots=(
        Slot(
            "control_type",
            ("torque", "hip_angle"),
            {"open_loop": OPEN_LOOP, "held": HELD},
            "open_loop",
            "what turns the hips",
            SENSORS,
        ),
    ),
)
