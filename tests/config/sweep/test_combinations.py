"""The combination that is refused is found by its extremes: here every combination goes through the schema."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.schema import Settings
from hybridsim.config.sweep.axis_values import Axis
from hybridsim.config.sweep.combinations import invalid_combinations

NUMBERS = st.sampled_from([0.5, 1.0, 2.0, 3.0])
VALUES = {
    "initial_time": NUMBERS,
    "final_time": NUMBERS,
    "engine.first_step": NUMBERS,
    "engine.max_step": NUMBERS | st.just(float("inf")),
    "engine.min_step": NUMBERS,
    "engine.method": st.sampled_from(["dp5", "rk4"]),
    "engine.rtol": st.just(1e-3),
}


@st.composite
def factors(draw):
    """Some of the keys, in groups of one to three that vary together over one to three rows."""
    keys = draw(st.permutations(list(VALUES)))[: draw(st.integers(1, len(VALUES)))]
    groups = []
    while keys:
        size, rows = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        group, keys = keys[:size], keys[size:]
        columns = [draw(st.lists(VALUES[key], min_size=rows, max_size=rows)) for key in group]
        groups.append(
            tuple(
                Axis(key, key.rpartition(".")[2], "", np.array(column))
                for key, column in zip(group, columns, strict=True)
            )
        )
    return groups


@st.composite
def bases(draw):
    engine = {}
    for name in ("method", "first_step", "max_step", "min_step"):
        if draw(st.booleans()):
            engine[name] = draw(VALUES[f"engine.{name}"])
    start = draw(NUMBERS)
    return {"model": "leg", "initial_time": start, "final_time": start + draw(NUMBERS), "engine": engine}


def accepted(base: Settings, values: dict) -> bool:
    data = {"model": "leg", "initial_time": base.initial_time, "final_time": base.final_time}
    engine = base.engine.model_dump()
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        (engine if section else data)[name] = value
    try:
        Settings.model_validate({**data, "engine": engine})
    except ValidationError:
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(bases(), factors())
def test_a_sweep_is_refused_if_and_only_if_the_schema_refuses_a_combination(data, groups):
    try:
        base = Settings.model_validate(data)
    except ValidationError:
        return
    rows = itertools.product(*(range(len(group[0].values)) for group in groups))
    combinations = [
        {axis.key: axis.values[row].item() for group, row in zip(groups, places, strict=True) for axis in group}
        for places in rows
    ]
    refused = list(invalid_combinations(base, groups))
    assert bool(refused) == (not all(accepted(base, values) for values in combinations))
    keys = {axis.key for group in groups for axis in group}
    assert all(key in keys for key, _ in refused)


def test_a_million_values_on_each_of_two_axes_are_checked_quickly():
    base = Settings(model="leg", final_time=1.0, engine=EngineSettings())
    small, large = np.linspace(0.0, 1.0, 10**6), np.linspace(1.0, 2.0, 10**6)

    def axes(low, high):
        return [(Axis("engine.min_step", "min_step", "s", low),), (Axis("engine.max_step", "max_step", "s", high),)]

    assert list(invalid_combinations(base, axes(small, large))) == []
    ((key, problem),) = invalid_combinations(base, axes(small + 0.5, large))
    assert key == "engine.min_step"
    assert problem.startswith(
        "with engine.min_step = 1.5, engine.max_step = 1.0: engine.min_step: expected at most max_"
    )
