import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hybridsim.config import row_files
from hybridsim.config.sweep import load_sweep_config
from hybridsim.errors import ConfigError

CONFIG = "model: leg.py\nfinal_time: 10\nsweep: {rows: %s}"


@pytest.fixture
def table(folder):
    """The values of the rows in a CSV file of that text, by name."""

    def values_in(text, name="runs.csv", config="run.yaml"):
        if text is not None:
            Path(name).write_text(text, encoding="utf-8", newline="")
        Path(config).write_text(CONFIG % name)
        sweep = load_sweep_config(config)
        assert len(sweep.factors) == 1
        return {axis.name: axis.values.tolist() for axis in sweep.axes}

    return values_in


@pytest.fixture
def problems(table, folder):
    """The problems in rows of that text, without the folder."""

    def problems_in(text, name="runs.csv"):
        with pytest.raises(ConfigError) as caught:
            table(text, name)
        return tuple(problem.replace(f"{folder}/", "") for problem in caught.value.problems)

    return problems_in


@pytest.mark.parametrize(
    "text",
    [
        "k,angle [deg],terrain\n1,10,flat\n2.5,20,sloped\n",
        "parameters.k,initial.angle [deg],parameters.terrain\n1,10,flat\n2.5,20,sloped",
        "k;angle[deg];terrain\n1;10;flat\n2.5;20;sloped\n",
        "k\tangle [deg]\tterrain\n1\t10\tflat\n2.5\t20\tsloped\n",
        "k , angle [deg], terrain\r\n1 , 10, flat\r\n\r\n2.5, 20 ,sloped\r\n\r\n",
        '"k","angle [deg]","terrain"\n"1",10,"flat"\n2.5,"20",sloped\n',
        "\ufeffk,angle [deg],terrain\n1e0,1e1,flat\n25e-1,20.0,sloped\n",
        "k,angle,terrain\n1,10 deg,flat\n2.5,20 deg,sloped\n",
        "# made up\n\nk,angle [deg],terrain # header\n1,10,flat#\n  # no row\n2.5,20,sloped\n",
    ],
)
def test_a_table_has_a_column_for_each_axis(table, text):
    assert table(text) == {
        "k": [1.0, 2.5],
        "angle": [math.radians(10), math.radians(20)],
        "terrain": ["flat", "sloped"],
    }


def test_units_in_the_header_are_those_of_the_model_or_degrees(table, problems):
    assert table("k [N/m],slope [deg]\n1,10\n") == {"k": [1.0], "slope": [10.0]}
    (problem,) = problems("k [kN/m]\n1\n")
    assert "column 'k [kN/m]': expected the unit [N/m], found [kN/m]; convert the column and its header" in problem


def test_whole_numbers_and_infinity_are_read(table):
    assert table("spring,max_step\n3,inf\n4.0,1\n") == {"spring": [3, 4], "max_step": [math.inf, 1.0]}


def test_a_path_starts_from_the_file_it_stands_in(table, folder):
    inside = folder / "tables"
    inside.mkdir()
    (inside / "runs.csv").write_text("k\n1\n")
    (inside / "part.yaml").write_text("sweep: {rows: runs.csv}")
    Path("run.yaml").write_text("include: tables/part.yaml\nmodel: leg.py\nfinal_time: 1\n")
    config = load_sweep_config("run.yaml")
    assert config.axes[0].values.tolist() == [1.0]
    assert config.data["sweep"] == {"rows": str(inside / "runs.csv")}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("k,kk\n1,2\n", "run.yaml:3:9: sweep.rows: there is no 'kk' to vary; did you mean `k`?"),
        ("k,parameters.k\n1,2\n", "run.yaml:3:9: sweep.rows: parameters.k varies already (run.yaml:3:9: sweep.rows)"),
        ("k,k\n1,2\n", "run.yaml:3:9: sweep.rows: runs.csv:1: expected every column once, found 'k' twice"),
        ("k,y\n", "run.yaml:3:9: sweep.rows: runs.csv: expected at least one row below the header, found none"),
        ("k,y\n\n \n", "run.yaml:3:9: sweep.rows: runs.csv: expected at least one row below the header, found none"),
        ("", "run.yaml:3:9: sweep.rows: runs.csv: the file is empty; begin it with a line of keys, such as k,y"),
        ("k,y\n1,2\n3\n", "run.yaml:3:9: sweep.rows: runs.csv:3: expected 2 cells, as in the header, found 1"),
        ("k,y\n1,2\n3,4,5\n", "run.yaml:3:9: sweep.rows: runs.csv:3: expected 2 cells, as in the header, found 3"),
        ("k,y\n1,2\n\n3,x\n", "runs.csv:4: y: expected a number [m], found 'x'; write for example 1.0"),
        ("k,y\n1,2\n3,\n", "runs.csv:3: y: expected a number [m], found nothing"),
        ("k,y\n1,2\n3,nan\n", "runs.csv:3: y: value [1] of the column: expected a finite number [m], found nan"),
        ("k,y\n1,2\n\n3,-4\n", "runs.csv:4: y: value [1] of the column: expected a number from 0 to inf [m], found -4"),
        ("k,y\n1,2\n3,true\n", "runs.csv:3: y: expected a number [m], found 'true'"),
        ("k,y\n1,2\n3,2020-01-01\n", "runs.csv:3: y: expected a number [m], found '2020-01-01'"),
        ("k,y\n1,2\n1_000,2\n", "runs.csv:3: k: expected a number [N/m], found '1_000'"),
        ("terrain\nflat\nsteep\n", "runs.csv:3: terrain: expected one of flat, sloped, found 'steep'"),
        ("terrain\n1\n2\n", "run.yaml:3:9: sweep.rows: runs.csv: column 'terrain': expected words out of flat, sloped"),
        ("# made up\n\nspring\n1\n2.5\n", "runs.csv:5: spring: value [1] of the column: expected a whole number"),
        ("k\n1\n#\n2,3\n", "run.yaml:3:9: sweep.rows: runs.csv:4: expected 1 cells, as in the header, found 2"),
        ("# k\n", "run.yaml:3:9: sweep.rows: runs.csv: there are comments only; begin it with a line of keys"),
        (
            "spring\n1\n2.5\n",
            "runs.csv:3: spring: value [1] of the column: expected a whole number, found 2.5; round it",
        ),
        ("k\n5 deg\n", "runs.csv:2: k: expected a number [N/m], found the angle '5 deg'"),
    ],
)
def test_a_bad_table_is_refused_with_its_line(problems, text, problem):
    reported = problems(text)
    assert reported[0].startswith(problem)
    assert len(reported) == 1


def test_a_missing_file_and_a_column_of_another_type_are_reported_briefly(problems):
    assert problems(None)[0].startswith("run.yaml:3:9: sweep.rows: runs.csv: there is no such file")
    reported = problems("k\n" + "x\n" * 1000)
    assert len(reported) == 6
    assert "995 more of its values are not right" in reported[-1]


cells = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["flat", "1_0", "", " ", "nan", "inf", "true", "5 deg", "1e5", ".5", "5.", "+3", "007"]),
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_the_quick_way_and_line_by_line_read_the_same(tmp_path, rows):
    path = tmp_path / "runs.csv"
    lines = "\n".join(",".join(row) for row in rows)
    quick = row_files._quick_columns(lines, ["a", "b"], ",")
    if quick is None:
        return  # line by line it is
    path.write_text(f'a,"b"\n{lines}')  # a quotation mark: line by line
    slow = row_files.read_table(path).columns
    for name in ("a", "b"):
        assert [repr(_number(cell)) for cell in quick[name]] == [repr(_number(cell)) for cell in slow[name]]


def _number(cell):
    return float(cell) if isinstance(cell, int | float | np.number) else float("nan") if cell == "nan" else cell


def test_parquet_is_read_as_well(table, problems):
    def write(**columns):
        pq.write_table(pa.table(columns), "runs.parquet")

    write(k=[1.0, 2.0], **{"angle [deg]": [10, 20]}, terrain=pa.array(["flat", "sloped"]).dictionary_encode())
    assert table(None, "runs.parquet") == {
        "k": [1.0, 2.0],
        "angle": [math.radians(10), math.radians(20)],
        "terrain": ["flat", "sloped"],
    }
    write(k=[1.0, 2.0], __index_level_0__=[5, 7])  # of pandas
    assert table(None, "runs.parquet") == {"k": [1.0, 2.0]}
    write(k=[1.0, None])
    assert problems(None, "runs.parquet")[0].startswith(
        "runs.parquet: row 1: k: expected a number [N/m], found nothing"
    )
    write(k=[1.0, -2.0])
    assert problems(None, "runs.parquet")[0].startswith(
        "runs.parquet: row 1: k: value [1] of the column: expected a num"
    )
    write(kk=[1.0])
    assert "there is no 'kk' to vary; did you mean `k`?" in problems(None, "runs.parquet")[0]
    write(k=pa.array([], pa.float64()))
    assert "runs.parquet: expected at least one row, found none" in problems(None, "runs.parquet")[0]
    Path("runs.parquet").write_text("no parquet")
    assert "runs.parquet: the Parquet file cannot be read: " in problems(None, "runs.parquet")[0]
    Path("runs.parquet").unlink()
    assert "runs.parquet: the Parquet file cannot be read: " in problems(None, "runs.parquet")[0]
