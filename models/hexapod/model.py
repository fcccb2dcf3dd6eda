"""The compliant hexapod of SimSect: RHex, a rigid body on six sprung legs, each driven at its hip.

The plant is divided into `body`, `legs`, `motor`, `terrain`, for toes on the ground `contact` and `slide`, and for a
body that lies there `corners`; `plant` and `transitions` put them together. What turns the hips is a part: `open_loop`,
`held`, or a file of the user's.
"""

from hybridsim import Plant, Slot

from .cpg import PART as CPG
from .held import PART as HELD
from .open_loop import PART as OPEN_LOOP
from .outputs import outputs
from .plant import boundaries, initial_chart, slopes_and_boundaries, validate, vector_field
from .records import BOUNDARIES, CHART_FIELDS, INPUTS, MESSAGES, OUTPUTS, PARAMETERS, STATES
from .scene import BIT_NAMES, PLOTS, SCENE, poses
from .sensors import SENSORS
from .transitions import transition

MODEL = Plant(
    "hexapod",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    initial_chart=initial_chart,
    validate=validate,
    slopes_and_boundaries=slopes_and_boundaries,
    poses=poses,
    parameters=PARAMETERS,
    inputs=INPUTS,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=MESSAGES,
    chart_fields=CHART_FIELDS,
    scene=SCENE,
    bit_names=BIT_NAMES,
    plots=PLOTS,
    doc="Compliant hexapod: a rigid body on six sprung, hip-driven legs (SimSect's RHex)",
    slots=(
        Slot(
            "control_type",
            couplings=("torque", "hip_angle"),
            choices={"open_loop": OPEN_LOOP, "held": HELD, "cpg": CPG},
            default="open_loop",
            doc="what turns the hips",
            sensors=SENSORS,
        ),
    ),
)
