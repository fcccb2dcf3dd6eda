"""The columns of rows and events are declared once; everything that names them agrees with the declaration."""

import dataclasses
import inspect
import typing

import numpy as np
import pytest

from hybridsim import DECLINED, Boundary, Model, State, simulate
from hybridsim.engine.columns import EventTable, StepTable, columns_of, join_tables, shape_of, values_of, zeros
from hybridsim.engine.log import make_log
from hybridsim.errors import ConfigError
from hybridsim.results import hdf5
from hybridsim.results.events import EVENT_COLUMNS, Event, Events
from hybridsim.results.rows import ROW_COLUMNS, SLOPE_COLUMNS, STEP_COLUMNS
from hybridsim.results.trajectory import Trajectory

SIZES = {"n_states": 3, "n_boundaries": 2, "n_outputs": 5, "degree": 4}


def test_every_column_has_a_type_and_a_meaning():
    for column in (*columns_of(StepTable).values(), *columns_of(EventTable).values()):
        assert column.dtype in (np.float64, np.int64, np.uint8)
        assert column.meaning


def test_the_log_has_a_buffer_for_every_column():
    log = make_log(7, 11, 3, 2, 4)
    expected = {name: (7, *shape_of(column, SIZES)) for name, column in columns_of(StepTable).items()}
    expected |= {f"event_{name}": (11, *shape_of(column, SIZES)) for name, column in EVENT_COLUMNS.items()}
    assert {name: buffer.shape for name, buffer in zip(log._fields, log, strict=True)} == expected


def test_events_show_the_columns_of_the_table():
    assert [*typing.get_type_hints(Events)] == [*EVENT_COLUMNS]
    shown = {"boundaries" if name == "crossed" else name for name in EVENT_COLUMNS}
    assert {field.name for field in dataclasses.fields(Event)} == shown


def test_a_trajectory_shows_the_columns_of_the_rows():
    assert ROW_COLUMNS.keys() <= {field.name for field in dataclasses.fields(Trajectory)}
    assert {*STEP_COLUMNS, *SLOPE_COLUMNS} <= ROW_COLUMNS.keys()


@pytest.mark.parametrize(
    ("documented", "names"),
    [(Events, EVENT_COLUMNS), (Trajectory, ROW_COLUMNS), (hdf5, [*hdf5.EVENT_DATASETS.values()])],
    ids=["Events", "Trajectory", "file"],
)
def test_the_documentation_names_every_column(documented, names):
    text = inspect.getdoc(documented)
    missing = [name for name in names if name not in text]
    assert not missing


def test_events_with_a_column_too_few_or_too_many_are_refused(run):
    columns = {name: getattr(run.events, name) for name in EVENT_COLUMNS}
    del columns["surface"]
    with pytest.raises(ConfigError, match=r"Events: other: there is no such keyword.*\nEvents: surface: it is missing"):
        Events(run.boundaries, run.states.names, **columns, other=np.array([-1]))


def test_tables_are_picked_and_joined_by_rows():
    table = zeros(StepTable, 4, SIZES)
    table.t[:] = [0.0, 1.0, 2.0, 3.0]
    both = join_tables([table[2:], table[[0]]])
    assert both.t.tolist() == [2.0, 3.0, 0.0]
    assert len(both) == 3
    assert {name: values.dtype for name, values in values_of(both).items()} == {
        name: np.dtype(column.dtype) for name, column in columns_of(StepTable).items()
    }


def friction():
    """Dry friction holds the second state at 0: a slide between two charts, along the second boundary."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = 1.0
        xdot[1] = 0.4 - x[0] * 0.5 if chart == 0 else 1.6 - x[0] * 0.5

    def boundaries(g, t, x, p, chart):
        g[0] = 1.0 - x[0]
        g[1] = x[1] if chart == 0 else -x[1]

    def transition(x_new, t, x, p, chart, crossed):
        if crossed[1]:
            return 1 - chart
        return DECLINED

    return Model(
        "friction",
        [State("clock"), State("v")],
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=[Boundary("tick", degree=1), Boundary("rest")],
        charts=["forward", "backward"],
    )


@pytest.mark.parametrize("record", [True, False, 0.05])
def test_the_surface_is_the_boundary_that_the_state_slides_along(record):
    run = simulate(friction(), initial={"v": 0.1}, final_time=3.5, record=record)
    entry = next(event for event in run.events if event.kind == "entry")
    assert run.boundaries[entry.surface] == "rest"
    slides = run.adjacent_chart >= 0
    assert slides.any()
    assert set(run.surface[slides].tolist()) == {1}
    assert set(run.surface[~slides].tolist()) == {-1}
    assert [event.surface for event in run.events] == [1 if event.adjacent_chart >= 0 else -1 for event in run.events]
