"""What docs/sweeps.md shows is true: its configs are sweeps, and its Python runs."""

import re
from pathlib import Path

import pytest

import hybridsim
from hybridsim.config.sweep import load_sweep_config
from hybridsim.config.sweep.metrics import METRIC_FORMS
from hybridsim.config.sweep_settings import SampleSettings, SweepSettings
from hybridsim.sweeps import load_sweep

PAGE = (Path(__file__).parents[1] / "docs" / "sweeps.md").read_text()
CONFIGS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
CLEARANCE = next(code for code in PYTHON if code.startswith('"""Extra outputs'))
SLURM = next(code for code in PYTHON if code.startswith("# slurm"))
READERS = [code for code in PYTHON if "read_parquet" in code or "load_sweep" in code]
SESSION = next(code for code in PYTHON if "hybridsim.sweep(" in code and code != SLURM)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the examples name."""
    (tmp_path / "clearance.py").write_text(CLEARANCE)
    (tmp_path / "runs.csv").write_text(re.findall(r"```csv\n(.*?)```", PAGE, re.DOTALL)[0])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("number", "rows"), [*enumerate([100 * 100, 3 * 13, 200 * 10, 3, 5, 11, 601])])
def test_its_configs_are_sweeps(folder, number, rows):
    (folder / "example.yaml").write_text(CONFIGS[number])
    sweep = load_sweep_config(folder / "example.yaml")
    n_rows = 1
    for factor in sweep.factors:
        n_rows *= len(factor[0].values)
    assert n_rows == rows


def test_all_of_its_configs_are_tested():
    assert len(CONFIGS) == 7


def test_every_key_and_every_metric_is_explained():
    keys = [*SweepSettings.model_fields, *SampleSettings.model_fields]
    assert [key for key in keys if f"`{key}`" not in PAGE and f"{key}: " not in PAGE] == []
    assert [form for form in METRIC_FORMS if f"`{form.replace('QUANTITY', 'Q')}`" not in PAGE] == []


def test_the_session_gives_the_table_that_the_page_shows(folder):
    names = {}
    exec(SESSION, names)
    assert len(names["frame"]) == 400
    assert names["table"].column_names[:3] == ["row", "k", "touchdown_angle"]


def test_the_extra_output_of_its_example_is_measured(folder):
    """In flight the body comes down to the height of touchdown, and below it in stance."""
    (folder / "example.yaml").write_text(CONFIGS[5])
    hybridsim.sweeps.run_sweep(load_sweep_config(folder / "example.yaml"), folder / "results")
    lowest = load_sweep(folder / "results").table["lowest"].to_pylist()
    assert len(lowest) == 11
    assert max(lowest) < 0.0


def test_the_ways_to_read_a_folder_work(folder):
    (folder / "map.yaml").write_text(CONFIGS[0])
    small = ["sweep.axes.k=[15e3, 20e3]", "sweep.axes.touchdown_angle=[-24 deg, -22 deg, -20 deg]"]
    hybridsim.sweeps.run_sweep(load_sweep_config(folder / "map.yaml", small), folder / "slip-steps-to-fall")
    names = {}
    for code in READERS:
        exec(code, names)
    assert len(READERS) == 2
    assert names["steps"].shape == (2, 3)
    assert names["sweep"].n_rows == 6
    unit = names["sweep"].table.schema.field("k").metadata[b"unit"].decode()
    assert f'{{b"unit": b"{unit}"}}' in PAGE


def test_the_example_for_slurm_is_python():
    compile(SLURM, "slurm.py", "exec")
