"""The Kane-style 3-D biped of Menga and Ghirardi: seven bodies, 17 speeds, and a controller that can be exchanged.

G. Menga and M. Ghirardi, "Modelling, simulation and control of the walking of biped robotic devices", Inventions 1(1),
6 (2016). `body` is what it is made of, `contacts` what holds it, `dynamics` how it moves, `limits` what ground and
soles can give, `transitions` what happens at events. What drives it is a part: `walking`, `standing`, `passive`, or a
file of the user's.
"""

from hybridsim import Plant, Slot

from .control.commanded import PART as COMMANDED
from .control.passive import PART as PASSIVE
from .control.walking import PART as WALKING
from .outputs import outputs
from .plant import boundaries, slopes_and_boundaries, vector_field
from .records import BIT_NAMES, BOUNDARIES, CHART_FIELDS, INPUTS, MESSAGES, OUTPUTS, PARAMETERS, STATES
from .scene import SCENE, poses
from .sensors import SENSORS
from .transitions import initial_chart, transition, validate

MODEL = Plant(
    "biped",
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
    chart_fields=CHART_FIELDS,
    bit_names=BIT_NAMES,
    boundary_records=BOUNDARIES,
    output_records=OUTPUTS,
    messages=MESSAGES,
    scene=SCENE,
    slots=(
        Slot(
            "control",
            couplings=("torque", "sole_moment", "command", "keeps_flat", "respond", "turning"),
            choices={"walking": WALKING, "commanded": COMMANDED, "passive": PASSIVE},
            default="walking",
            sensors=SENSORS,
            doc="what drives the joints",
        ),
    ),
    plots=("com_vx", "com_y", "fz_right", "fz_left", "knee_right", "knee_left", "foot1", "foot2", "mode"),
    doc="Kane-style 3-D biped of seven bodies (Menga and Ghirardi 2016)",
)
