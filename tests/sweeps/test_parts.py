"""Sweeps of composed models: their parts' parameters are axes like any other, here and where a worker rebuilds them."""

from pathlib import Path

import numpy as np

import hybridsim
from hybridsim.config.sweep import sweep_data, sweep_from_data, sweep_from_keywords
from hybridsim.sweeps.batch import BatchRunner
from hybridsim.sweeps.plan import Plan
from hybridsim.sweeps.provenance import provenance
from hybridsim.sweeps.worker import sweep_job

FOLDER = Path(__file__).parents[1] / "composed"
GAINS, PERIODS = [1.0, 3.0, 5.0], [0.2, 0.37]
RUN = {"parameters": {"drive": FOLDER / "pulses.py"}, "initial": {"speed": 2.0}, "final_time": 3.0}
METRICS = ["final(angle)", "count(tick)", "max(applied)"]


def test_rows_are_the_runs_one_by_one_to_the_last_bit():
    axes = {"gain": GAINS, "period": PERIODS}
    table = hybridsim.sweep(FOLDER / "pendulum.py", axes, METRICS, **RUN)
    for row in range(6):
        gain, period = GAINS[row // 2], PERIODS[row % 2]
        own = RUN["parameters"] | {"gain": gain, "period": period}
        run = hybridsim.simulate(FOLDER / "pendulum.py", **RUN | {"parameters": own})
        assert table["final(angle)"][row].as_py() == run["angle"][-1]
        assert table["count(tick)"][row].as_py() == run.events.count("tick")


def test_a_worker_rebuilds_the_composed_model_from_the_config():
    config = sweep_from_keywords(FOLDER / "pendulum.py", {"gain": GAINS}, METRICS, **RUN)
    there = sweep_from_data(sweep_job("key", config).data)
    assert provenance(there) == provenance(config)
    values = Plan(config).values(0, 3)
    first, second = (BatchRunner(c).run(values, np.zeros(1, np.int64)) for c in (config, there))
    assert {name: column.tolist() for name, column in first.items()} == {n: c.tolist() for n, c in second.items()}


def test_what_is_written_down_of_a_sweep_makes_it_again():
    config = sweep_from_keywords(FOLDER / "pendulum.py", {"gain": GAINS}, METRICS, **RUN)
    again = sweep_from_data(sweep_data(config))
    assert sweep_data(again) == sweep_data(config)


def test_another_part_is_another_plugin(tmp_path):
    """A sweep is not resumed with a part that has changed."""
    part = tmp_path / "pulses.py"
    part.write_text((FOLDER / "pulses.py").read_text())
    own = RUN | {"parameters": {"drive": part}}
    before = provenance(sweep_from_keywords(FOLDER / "pendulum.py", {"gain": GAINS}, METRICS, **own))
    part.write_text(part.read_text().replace("return -p[P.gain]", "return -2.0 * p[P.gain]"))
    after = provenance(sweep_from_keywords(FOLDER / "pendulum.py", {"gain": GAINS}, METRICS, **own))
    assert before["plugin"] != after["plugin"]
    assert {key: value for key, value in before.items() if key != "plugin"} == {
        key: value for key, value in after.items() if key != "plugin"
    }
