"""The metric `cause` and the summary say why runs of a sweep failed."""

import numpy as np
import pytest

import hybridsim
from hybridsim import DECLINED, Boundary, Chart, Message, Model, Parameter, Records, State, Status
from hybridsim.sweeps.results import load_sweep

GROWS, SINKS, TOPPLES, RISES, BREAKS = range(5)


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0
    xdot[1] = x[0] / 0.0 if p[0] == GROWS and x[0] > 0.5 else 0.0


def boundaries(g, t, x, p, chart):
    g[0] = 0.3 - x[0] if chart == 0 else 1.0
    g[1] = 1.0 if p[0] != BREAKS or x[0] < 0.2 else np.nan
    g[2] = -1.0 if p[0] == SINKS and chart == 1 else 1.0


def transition(x_new, t, x, p, chart, crossed):
    return 1 if crossed[0] else DECLINED


def validate(t, x, p, chart):
    return 1 if p[0] == TOPPLES and x[0] > 0.1 else 0


MODEL = Model(
    "fails",
    Records(State("x"), State("z")),
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    validate=validate,
    parameters=Records(Parameter("how", 3.0)),
    boundary_records=Records(Boundary("gate"), Boundary("gap"), Boundary("wall")),
    charts=Records(Chart("near"), Chart("far")),
    messages=[Message("it topples", severity="error")],
)
EXPECTED = {
    GROWS: ("NON_FINITE_STATE", "state z in chart far"),
    SINKS: ("OUTSIDE_CHART", "boundary wall in chart far"),
    TOPPLES: ("LEFT_CHART", "it topples, in chart near"),
    RISES: ("FINAL_TIME", ""),
    BREAKS: ("NON_FINITE_BOUNDARY", "boundary gap in chart near"),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep") / "fails"
    axes = {"how": [RISES, *EXPECTED, SINKS]}
    hybridsim.sweep(MODEL, axes, ["status", "cause", "final(x)"], final_time=1.0, folder=folder)
    return load_sweep(folder)


def test_each_row_says_what_ended_it(table):
    rows = [EXPECTED[int(how)] for how in table.table["how"].to_pylist()]
    assert list(zip(table.table["status"].to_pylist(), table.table["cause"].to_pylist(), strict=True)) == rows


def test_a_single_run_names_the_same(table):
    for how, (status, cause) in EXPECTED.items():
        run = hybridsim.simulate(MODEL, parameters={"how": how}, final_time=1.0)
        assert run.status is Status[status]
        for word in cause.removeprefix("state ").replace(",", "").split():
            assert word in run.message


def test_failures_are_counted_by_their_causes_with_their_first_rows(table):
    first = {how: 1 + list(EXPECTED).index(how) for how in EXPECTED}
    assert table.causes()[0] == (*EXPECTED[SINKS], 2, first[SINKS])
    assert sorted(table.causes()[1:]) == sorted((*EXPECTED[how], 1, first[how]) for how in (GROWS, TOPPLES, BREAKS))
