"""Plants and parts on the command line."""

from pathlib import Path

import pytest

from hybridsim.model.plugin_import import allow_also, hashes_of

FOLDER = Path(__file__).parents[1] / "composed"


@pytest.fixture
def swing(tmp_path):
    """The folder of a pendulum, of a part for it, and of a config."""
    for name in ("pendulum", "pulses"):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text())
    (tmp_path / "swing.yaml").write_text("model: ./pendulum.py\nfinal_time: 2\nparameters: {drive: ./pulses.py}\n")
    return tmp_path


def test_a_run_with_a_part_is_written_and_verified(hybridsim, swing):
    outcome = hybridsim("run", "swing.yaml", "parameters.gain=4", "initial.integral=0.1")
    assert outcome.code == 0, outcome.err
    assert "tick" in outcome.out
    assert f'drive = "{swing / "pulses.py"}";' in (swing / "swing.param").read_text()
    outcome = hybridsim("verify", "swing.h5")
    assert (outcome.code, "a solution of its model" in outcome.out) == (0, True)


def test_what_a_run_has_written_repeats_it_from_an_rc_file(hybridsim, swing):
    hybridsim("run", "swing.yaml", "record.period=0.1")
    first = (swing / "swing.data").read_text()
    settings = "finalTime = 2; tolerance = 1e-8; recordPeriod = 0.1; maxTimeStep = 1e9; atol = 1e-10;\n"
    settings += 'maxChartCount = 100000; dataBaseName = "again"; systemName = "./pendulum.py";\n'
    values = (swing / "swing.param").read_text() + (swing / "swing.initial").read_text()
    (swing / "again.rc").write_text(settings + values)
    assert hybridsim("run", "again.rc").code == 0
    assert (swing / "again.data").read_text() == first


def test_the_checker_reports_a_part_that_has_changed_since(hybridsim, swing):
    hybridsim("run", "swing.yaml")
    part = swing / "pulses.py"
    part.write_text(part.read_text() + "\n# changed\n")
    refused = hybridsim("verify", "swing.h5")
    assert refused.code == 2
    assert f"{part} has changed since the run, so it was not executed" in refused.err
    with allow_also(hashes_of([str(part)])):
        assert f"or {part} has changed since the run" in hybridsim("verify", "swing.h5").out
    part.write_text(part.read_text().replace("return -p[P.gain]", "return -1.01 * p[P.gain]"))
    with allow_also(hashes_of([str(part)])):
        assert hybridsim("verify", "swing.h5").code == 1


def test_a_plant_is_described_with_its_slots_and_their_parts(hybridsim, swing):
    lines = hybridsim("models", "./pendulum.py").out.splitlines()
    assert any(line.startswith("drive") and "what turns the pendulum" in line for line in lines)
    table = lines[next(k for k, line in enumerate(lines) if line.startswith("part for drive")) :]
    assert table[1].split() == ["free", "fills", "it", "no", "torque"]
    assert "or a file" in table[2]
    assert "torque(t, x, p, chart, angle, speed); its functions may use the sensors angle_seen" in table[2]


def test_a_part_is_described_and_checked_by_its_file(hybridsim, swing):
    lines = hybridsim("models", "./pulses.py").out.splitlines()
    assert lines[0] == "pulses: pulses towards the rest position"
    assert any(line.startswith("gain") and "3.0" in line for line in lines)
    assert "write Part(..., slot=" in hybridsim("check", "pulses.py").err
    part = swing / "pulses.py"
    part.write_text(part.read_text().replace('doc="pulses', 'slot="./pendulum.py.drive", doc="pulses'))
    assert hybridsim("check", "pulses.py").out.startswith(
        "pulses as ./pendulum.py.drive: fine; tried vector_field, boundaries"
    )


def test_a_config_with_a_part_is_checked(hybridsim, swing):
    assert hybridsim("check", "swing.yaml").code == 0
    (swing / "swing.yaml").write_text("model: ./pendulum.py\nfinal_time: 2\nparameters: {drive: ./pulse.py}\n")
    outcome = hybridsim("check", "swing.yaml")
    assert outcome.code == 2
    assert "swing.yaml:3:14: parameters.drive: " in outcome.err
    assert "did you mean `pulses.py`" in outcome.err
