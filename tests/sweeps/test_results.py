import numpy as np
import pandas
import pyarrow as pa
import pytest
from oracle import OracleRunner

import hybridsim
from hybridsim.errors import ConfigError
from hybridsim.sweeps import load_sweep, run_sweep
from hybridsim.sweeps.columns import words_of
from hybridsim.sweeps.event_table import words_column
from hybridsim.sweeps.part_file import read_part, to_parquet_bytes
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.results import TableLayout, complete

G = 9.81


@pytest.fixture
def folder(balls, tmp_path):
    run_sweep(balls(), tmp_path / "balls")
    return tmp_path / "balls"


def second_bounce(restitution, y):
    """Dropped from y, a ball touches the floor at t1 = sqrt(2 y / g), and again 2 e t1 later."""
    return np.sqrt(2 * y / G) * (1 + 2 * restitution)


def test_the_columns_are_row_axes_status_metrics(folder):
    table = load_sweep(folder).table
    assert table.column_names == ["row", "restitution", "y", "status", "bounces", "second", "end", "top"]
    assert [str(kind) for kind in table.schema.types] == [
        *("int64", "double", "double", "string", "int64", "double", "double", "double")
    ]
    assert table["row"].to_pylist() == list(range(30))


def test_units_are_in_the_metadata_and_nothing_of_time_thread_or_machine(folder):
    schema = load_sweep(folder).table.schema
    assert {field.name: field.metadata[b"unit"].decode() for field in schema} == {
        "row": "",
        "restitution": "",
        "y": "m",
        "status": "",
        "bounces": "",
        "second": "s",
        "end": "s",
        "top": "m",
    }
    assert schema.metadata == {b"model": b"bouncing_ball", b"hybridsim": hybridsim.__version__.encode()}


def test_a_time_that_did_not_come_is_null_and_the_others_are_right(folder):
    table = load_sweep(folder).table.to_pydict()
    for restitution, y, found in zip(table["restitution"], table["y"], table["second"], strict=True):
        expected = second_bounce(restitution, y)
        assert found == (None if expected > 1.0 else pytest.approx(expected, rel=1e-8))


def test_pandas_reads_the_parts_alone(folder):
    frame = pandas.read_parquet(folder)
    assert frame.equals(load_sweep(folder).table.to_pandas())
    assert any(path.name.startswith("_") for path in folder.iterdir())


def test_the_description_explains_the_columns(folder):
    sweep = load_sweep(folder)
    assert sweep.n_rows == 30
    assert sweep.model == "bouncing_ball"
    assert [(axis["name"], axis["key"], axis["unit"], axis["n"], axis["factor"]) for axis in sweep.axes] == [
        ("restitution", "parameters.restitution", "", 6, 0),
        ("y", "initial.y", "m", 5, 1),
    ]
    assert [(metric["name"], metric["kind"], metric["of"]) for metric in sweep.metrics] == [
        *(("status", "status", ""), ("bounces", "count", "floor"), ("second", "time", "floor")),
        *(("end", "final", "t"), ("top", "max", "y")),
    ]


def test_the_config_in_the_folder_is_one_of_the_same_sweep(folder, tmp_path, content):
    config = hybridsim.load_sweep_config(folder / "_config.yaml")
    run_sweep(config, tmp_path / "again")
    assert content(tmp_path / "again") == content(folder)


def test_the_status_is_always_a_column(balls):
    names = [metric.name for metric in complete(balls(metrics=["final(t)"])).metrics]
    assert names == ["status", "final(t)"]
    given = balls(metrics={"how": "status", "end": "final(t)"})
    assert complete(given) is given
    names = [metric.name for metric in complete(balls(metrics={"status": "final(t)"})).metrics]
    assert names == ["run_status", "status"]


def test_words_and_whole_numbers_keep_their_types(tmp_path):
    table = hybridsim.sweep(
        "slip", {"method": ["dp5", "tsit5"], "spri": [1, 2]}, ["steps"], final_time=0.1, folder=tmp_path
    )
    assert table["method"].to_pylist() == ["dp5", "dp5", "tsit5", "tsit5"]
    assert table["spri"].type == pa.int64()


def test_equal_rows_are_equal_bytes(balls):
    config = complete(balls())
    columns = TableLayout.of(config)
    values = columns.plan.values(4, 8)
    results = OracleRunner(config).run(values, np.zeros(1, np.int64))
    one, other = (to_parquet_bytes(columns.table(Block(4, 8), results)) for _ in range(2))
    assert one.to_pybytes() == other.to_pybytes()


def test_columns_of_words_are_those_words(tmp_path):
    words = np.array(["dp5", "tsit5", "dp5", "ä", "", "tsit5"])
    for values in (words, words.astype(object), words[:0]):
        array = words_column(values)
        array.validate(full=True)
        assert array.type == pa.string()
        assert array.null_count == 0
        assert array.to_pylist() == values.tolist()
        assert words_of(pa.table({"word": array}), "word").tolist() == values.tolist()


def test_any_damage_to_a_part_is_noticed(folder):
    part = next(part for part in sorted(folder.glob("part-*")) if b"FINAL_TIME" in part.read_bytes())
    whole = part.read_bytes()
    assert read_part(part).num_rows == 4
    for place in range(0, len(whole) - 1, 97):
        part.write_bytes(whole[:place])
        assert read_part(part) is None
    pages = whole.index(b"FINAL_TIME")  # a value in a page, for which the checksums are
    part.write_bytes(whole[:pages] + b"E" + whole[pages + 1 :])
    assert read_part(part) is None
    with pytest.raises(ConfigError, match=r"damaged, .* compute it again with --resume"):
        load_sweep(folder)


def test_a_folder_without_a_sweep_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="holds no results of a sweep"):
        load_sweep(tmp_path)


def test_parts_without_a_plan_are_distinguished_from_a_folder_of_something_else(balls, tmp_path):
    run_sweep(balls(), tmp_path)
    (tmp_path / "_plan.yaml").unlink()
    with pytest.raises(ConfigError, match=r"_plan\.yaml: there is no such file with the parts"):
        load_sweep(tmp_path)
