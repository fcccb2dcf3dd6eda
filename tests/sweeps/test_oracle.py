"""The compiled batch against one run at a time: the same bits, whatever the model, the axes and the metrics."""

from pathlib import Path

import numpy as np
import pytest
from oracle import OracleWorker

from hybridsim.config import sweep_from_keywords
from hybridsim.sweeps.batch import Worker
from hybridsim.sweeps.plan import Plan

EXTRA = """
import math

def clearance(t, x, p, chart):
    return x[1] - 0.3 * math.cos(x[0]) + 0.1 * t

def in_stance(t, x, p, chart):
    return 1.0 if chart >= 2 else 0.0
"""
SWEEPS = {
    "slip": {
        "axes": {"k": "linspace(0, 4e4, 5)", "touchdown_angle": "linspace(-40 deg, -12 deg, 4)"},
        "parameters": {"hold_touchdown_angle": 1},
        "final_time": 6.0,
        "stop": [("touchdown", 6)],
        "metrics": [
            *("status", "count(apex)", "count(touchdown)", "time(liftoff, 2)", "time(touchdown)"),
            *("final(t)", "final(x)", "final(leg_force)", "min(y)", "max(y)", "max(leg_force)", "min(leg_length)"),
            *("mean(y)", "mean(leg_force)", "max(t)", "mean(t)"),
            *("steps", "rejected", "vector_field_calls", "boundary_calls", "transitions"),
        ],
    },
    "bouncing_ball": {
        "axes": {"restitution": [0.0, 0.4, 0.9], "y": [0.01, 1.0], "final_time": [0.3, 2.0]},
        "final_time": 1.0,
        "metrics": ["status", "count(floor)", "time(floor, 3)", "final(t)", "max(v)", "min(y)", "mean(y)", "mean(v)"],
    },
    "dry_friction": {
        "axes": {"rtol": [1e-5, 1e-9], "method": ["dp5", "tsit5", "dop853"]},
        "final_time": 10.0,
        "metrics": ["status", "final(t)", "steps", "transitions"],
    },
    "two_walls": {
        "axes": {"initial_time": [-1.0, 0.0, 3.0], "max_transitions": [1, 5, 1000]},
        "final_time": 5.0,
        "metrics": ["status", "final(t)", "transitions", "steps"],
    },
}


def config_of(model):
    return sweep_from_keywords(model, **SWEEPS[model])


def both(config):
    plan = Plan(config)
    values, stop = plan.values(0, plan.n_rows), np.zeros(1, np.int64)
    return Worker(config).run(values, stop), OracleWorker(config).run(values, stop)


def assert_same(config):
    compiled, one_by_one = both(config)
    assert list(compiled) == [metric.name for metric in config.metrics]
    for metric in config.metrics:
        ours, theirs = compiled[metric.name], one_by_one[metric.name]
        assert ours.dtype.kind in ("OU" if metric.kind == "status" else theirs.dtype.kind)
        if metric.kind == "mean":  # the oracle's quadrature has more nodes
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9, err_msg=metric.name)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=metric.name)


@pytest.mark.parametrize("model", SWEEPS)
def test_runs_in_a_row_have_the_bits_of_runs_one_by_one(model):
    assert_same(config_of(model))


def test_extra_outputs_are_those_of_their_python_functions(tmp_path):
    file = Path(tmp_path, "clearance.py")
    file.write_text(EXTRA)
    metrics = ["min(clearance)", "final(clearance)", "mean(in_stance)", "max(in_stance)"]
    config = sweep_from_keywords(
        "slip", axes={"k": [1.5e4, 2e4, 3e4]}, metrics=metrics, extra_outputs=file, final_time=2.0
    )
    compiled, one_by_one = both(config)
    for name in metrics:
        np.testing.assert_allclose(compiled[name], one_by_one[name], rtol=1e-6, err_msg=name)


def test_a_block_is_the_same_in_any_company(balls):
    config = balls()
    plan, stop = Plan(config), np.zeros(1, np.int64)
    worker = Worker(config)
    whole = worker.run(plan.values(0, plan.n_rows), stop)
    for block in reversed(list(plan)):
        part = worker.run(plan.values(block.first, block.end), stop)
        for name in whole:
            np.testing.assert_array_equal(part[name], whole[name][block.first : block.end])
