from itertools import product

import numpy as np
import pytest

from hybridsim import ConfigError
from hybridsim.config.sweep import sweep_from_keywords
from hybridsim.sweeps.manifest import part_name
from hybridsim.sweeps.plan import Block, Plan, default_block

K = [1e4, 2e4, 3e4]
Y = [1.0, 1.1]


def plan_of(**keywords):
    return Plan(sweep_from_keywords("slip", final_time=1.0, **{"axes": {"k": K, "y": Y}, **keywords}))


def test_a_grid_is_every_combination_and_the_last_axis_varies_fastest():
    values = plan_of().values(0, 6)
    assert list(zip(values["parameters.k"], values["initial.y"], strict=True)) == list(product(K, Y))


def test_zipped_axes_vary_together_and_faster_than_the_grid():
    plan = plan_of(axes={"k": K}, zip={"rtol": [1e-6, 1e-8], "atol": [1e-8, 1e-10]})
    values = plan.values(0, plan.n_rows)
    rows = list(zip(*values.values(), strict=True))
    assert list(values) == ["parameters.k", "engine.rtol", "engine.atol"]
    assert rows == [(k, *tolerances) for k, tolerances in product(K, [(1e-6, 1e-8), (1e-8, 1e-10)])]


def test_any_stretch_of_rows_is_that_of_the_whole():
    plan = plan_of()
    whole = plan.values(0, plan.n_rows)
    for first in range(plan.n_rows):
        for end in range(first + 1, plan.n_rows + 1):
            assert all(np.array_equal(plan.values(first, end)[key], whole[key][first:end]) for key in whole)


def test_values_of_a_row_are_plain_numbers_and_words():
    plan = plan_of(axes={"spri": [1, 2], "method": ["dp5", "tsit5"]})
    assert plan.row(3) == {"parameters.spri": 2, "engine.method": "tsit5"}
    assert [type(value) for value in plan.row(3).values()] == [int, str]


@pytest.mark.parametrize("block", [1, 4, 5, 6, 100])
def test_blocks_cover_every_row_once(block):
    plan = plan_of(block=block)
    assert [row for part in plan for row in range(part.first, part.end)] == list(range(6))
    assert len(list(plan)) == plan.n_blocks


def test_a_thousand_million_rows_take_no_memory_but_their_axes():
    plan = Plan(
        sweep_from_keywords("slip", final_time=1.0, axes=dict.fromkeys(("k", "y", "xdot"), "linspace(1, 2, 1000)"))
    )
    assert plan.n_rows == 10**9
    assert plan.n_blocks <= 1000
    # row = (i * 1000 + j) * 1000 + l
    values = plan.values(123_456_789, 123_456_790)
    axis = np.linspace(1, 2, 1000)
    assert [column[0] for column in values.values()] == [axis[123], axis[456], axis[789]]


@pytest.mark.parametrize(
    ("rows", "block"),
    [
        (1, 1),
        (32, 1),
        (33, 2),
        (2047, 64),
        (2048, 32),
        (10_000, 157),
        (262_144, 4096),
        (1_000_000, 4096),
        (10**9, 10**6),
    ],
)
def test_the_default_block_gives_32_or_64_parts_or_4096_rows_and_never_more_than_1000_parts(rows, block):
    assert default_block(rows) == block


@pytest.mark.parametrize(("rows", "kept", "block"), [(10**5, 10_000, 104), (10**5, 10, 1563), (10**7, 20_000, 52)])
def test_a_default_block_keeps_at_most_a_million_values_at_events(rows, kept, block):
    assert default_block(rows, kept) == block


def test_a_given_block_that_does_not_fit_into_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr("hybridsim.sweeps.plan.available_memory", lambda: 1e6)
    settings = {"axes": {"k": K}, "metrics": {"x": "last(touchdown, 10000, xdot)"}, "final_time": 1.0}
    with pytest.raises(ConfigError, match=r"sweep\.block: 20,000 values .* take 0\.002 GB.* 0\.001 GB.*fewer rows"):
        Plan(sweep_from_keywords("slip", **settings, block=2))
    assert Plan(sweep_from_keywords("slip", **settings, block=1)).block == 1


def test_names_of_parts_sort_as_their_rows_do():
    assert part_name(Block(0, 4096), 7) == "part-0000000-0004095.parquet"
    plan = Plan(sweep_from_keywords("slip", final_time=1.0, axes={"k": "linspace(1, 2, 20000)", "y": [1.0] * 1000}))
    names = [part_name(block, plan.digits) for block in plan]
    assert names == sorted(names)
    assert len({len(name) for name in names}) == 1


def test_the_description_holds_every_bit_of_every_value_and_the_blocks():
    changed = [{}, {"axes": {"k": K, "y": [1.0, np.nextafter(1.1, 2)]}}, {"axes": {"y": Y, "k": K}}, {"block": 2}]
    assert len({repr(plan_of(**change).description()) for change in changed}) == len(changed)
    assert plan_of().description() == plan_of().description()
