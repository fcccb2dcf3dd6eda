"""What docs/identification.md and docs/optimal-control.md show is true: examples run, and give what is printed."""

import re
from pathlib import Path

import numpy as np
import pytest

import hybridsim
from hybridsim.config.identification_settings import IdentificationSettings

pytest.importorskip("ipyopt")
DOCS = Path(__file__).parents[2] / "docs"
IDENTIFICATION, CONTROL = ((DOCS / f"{name}.md").read_text() for name in ("identification", "optimal-control"))
PENDULUM, MEASURE, SESSION = re.findall(r"```python\n(.*?)```", IDENTIFICATION, re.DOTALL)
FIT, SEVERAL, COLUMN, BALL = re.findall(r"```yaml\n(.*?)```", IDENTIFICATION, re.DOTALL)
(BLOCK,) = re.findall(r"```python\n(.*?)```", CONTROL, re.DOTALL)
LEAST, REPLAY, FASTEST, GAIT = re.findall(r"```yaml\n(.*?)```", CONTROL, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the examples name."""
    for name, text in {"pendulum.py": PENDULUM, "block.py": BLOCK, "fit.yaml": FIT}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path.write_text(text)
    return path


def test_the_first_example_finds_what_the_page_prints(folder):
    names = {}
    exec(MEASURE + SESSION, names)
    found = names["found"]
    assert found.objective == pytest.approx(float(re.search(r"objective +(\S+)", IDENTIFICATION)[1]), rel=1e-7)
    for name, value in found.parameters.items():
        guess, printed, error = re.search(rf"{name} +(\S+) +(\S+) +(\S+)  1/s", IDENTIFICATION).groups()
        assert value == pytest.approx(float(printed), rel=1e-7)
        assert found.standard_errors[name] == pytest.approx(float(error), rel=0.05)
        assert f"{name}: {guess}" in FIT
    assert (folder / "fit-identified.h5").exists()


def test_two_trials_divide_the_standard_errors_by_the_square_root_of_two(folder):
    exec(MEASURE, {})
    for name in ("small.csv", "large.csv"):
        (folder / name).write_text((folder / "trial.csv").read_text())
    one, two = hybridsim.identify("fit.yaml"), hybridsim.identify(write(folder / "several.yaml", SEVERAL))
    assert two.parameters == pytest.approx(one.parameters, rel=1e-8)
    for name, error in one.standard_errors.items():
        assert two.standard_errors[name] == pytest.approx(error / np.sqrt(2.0), rel=1e-3)


def test_an_input_follows_its_column(folder):
    config = "model: ./pendulum.py\nfinal_time: 10\ninputs: {torque: 2*sin(3*t)}\nengine: {rtol: 1e-10}\n"
    run = hybridsim.Simulation.from_config(hybridsim.load_config(write(folder / "run.yaml", config))).run()
    t = np.linspace(0.0, 10.0, 201)
    rows = np.column_stack([t, run.at(t)[:, 0], 2 * np.sin(3 * t)])
    np.savetxt("trial.csv", rows, "%.17g", ",", header="t,angle,torque", comments="")
    found = hybridsim.identify(write(folder / "column.yaml", COLUMN))
    assert found.parameters == pytest.approx({"stiffness": 10.0, "damping": 0.1}, rel=1e-3)


def test_the_ball_bounces_as_it_was_measured(folder):
    run = hybridsim.simulate(
        "bouncing_ball", parameters={"restitution": 0.8}, initial={"y": 1.0, "v": 0.0}, final_time=2.2, rtol=1e-10
    )
    t = np.arange(0.0, 2.2, 0.01)
    np.savetxt("ball.csv", np.column_stack([t, run.at(t)[:, 0]]), delimiter=",", header="t,height", comments="")
    found = hybridsim.identify(write(folder / "ball.yaml", BALL))
    assert found.confirmed
    assert found.parameters == pytest.approx({"gravity": 9.81, "restitution": 0.8}, rel=1e-8)


def test_the_block_costs_twelve_and_a_run_replays_it(folder):
    found = hybridsim.identify(write(folder / "block.yaml", LEAST))
    assert found.confirmed
    assert found.objective == pytest.approx(12.0, rel=1e-9)
    assert found.motions[0].inputs[:, 0] == pytest.approx(6.0 - 12.0 * found.motions[0].t, abs=1e-6)
    found.save_inputs("force.csv")
    replay = "model: ./block.py\n" + REPLAY.partition("\n")[2]
    run = hybridsim.Simulation.from_config(hybridsim.load_config(write(folder / "replay.yaml", replay))).run()
    assert run.x[-1] == pytest.approx([1.0, 0.0], abs=1e-8)


@pytest.mark.members(1)
@pytest.mark.parametrize(("nodes", "printed"), [(51, "1.00027"), (501, "1.0000027")])
def test_the_least_time_is_one_second_but_for_the_switch(folder, nodes, printed):
    found = hybridsim.identify(write(folder / "fastest.yaml", FASTEST), [f"collocation.nodes={nodes}"])
    assert f"{found.objective:.{len(printed) - 1}g}" == printed
    assert printed in CONTROL


def test_the_gait_is_the_one_of_the_configs():
    lines = (DOCS.parent / "configs" / "identification" / "powered_compass.yaml").read_text().splitlines()
    assert [line for line in GAIT.splitlines() if line not in lines] == []


def test_every_key_is_explained():
    pages = IDENTIFICATION + CONTROL
    assert [key for key in IdentificationSettings.model_fields if f"`{key}`" not in pages] == []


def test_a_trial_with_twice_the_noise_counts_a_quarter(folder):
    exec(MEASURE, {})
    for name in ("small.csv", "large.csv"):
        (folder / name).write_text((folder / "trial.csv").read_text())
    other = SEVERAL.replace("{file: large.csv}", "{file: large.csv, noise: {angle: 0.02}}")
    one, two = hybridsim.identify("fit.yaml"), hybridsim.identify(write(folder / "several.yaml", other))
    for name, error in one.standard_errors.items():
        assert two.standard_errors[name] == pytest.approx(error / np.sqrt(1.25), rel=1e-3)
