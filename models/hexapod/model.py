"""The compliant hexapod of SimSect: RHex, a rigid body on six sprung legs, each driven at its hip."""

from hybridsim import Model, Records

from . import open_loop, outputs as outputs_page, plant, records
from .open_loop import boundaries as clock_boundaries
from .open_loop import hip_angle, torque
from .open_loop import initial_chart as clock_initial_chart
from .open_loop import outputs as clock_outputs
from .open_loop import transition as clock_transition
from .open_loop import vector_field as clock_vector_field
from .outputs import outputs as plant_outputs
from .plant import boundaries as plant_boundaries
from .plant import initial_chart as plant_initial_chart
from .plant import transition as plant_transition
from .plant import validate as plant_validate
from .plant import vector_field as plant_vector_field


def vector_field(xdot, t, x, p, chart):
    plant_vector_field(xdot, t, x, p, chart, torque)
    clock_vector_field(xdot, t, x, p, chart)


def boundaries(g, t, x, p, chart):
    plant_boundaries(g, t, x, p, chart, torque)
    clock_boundaries(g, t, x, p, chart)


def transition(x_new, t, x, p, chart, crossed):
    chart = clock_transition(x_new, t, x, p, chart, crossed)
    return plant_transition(x_new, t, x, p, chart, crossed, torque)


def initial_chart(x_new, t, x, p):
    chart = clock_initial_chart(x_new, t, x, p)
    return chart | plant_initial_chart(x_new, t, x, p, torque, hip_angle)


def outputs(y, t, x, p, chart):
    plant_outputs(y, t, x, p, chart, torque)
    clock_outputs(y, t, x, p, chart)


def validate(t, x, p, chart):
    return plant_validate(t, x, p, chart, torque)


MODEL = Model(
    "hexapod",
    Records(*records.STATES, *open_loop.STATES),
    (vector_field, boundaries, transition, outputs, initial_chart, validate),
    Records(*records.PARAMETERS, *open_loop.PARAMETERS),
    boundaries=Records(*records.BOUNDARIES, *open_loop.BOUNDARIES),
    outputs=Records(*records.OUTPUTS, *open_loop.OUTPUTS),
    messages=records.MESSAGES,
    fields={**records.FIELDS, **open_loop.FIELDS},
    doc="Compliant hexapod: a rigid body on six sprung, hip-driven legs (SimSect's RHex)",
)
