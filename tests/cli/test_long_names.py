"""Names of 250 letters: they work, or the message is one sentence. A file system takes names of 255 bytes."""

import pytest

LONG = "a" * 250
MODEL = """
from hybridsim import Boundary, Model, Output, Parameter, Records, State
from hybridsim.model import Chart

STATES, PARAMETERS = Records(State("x{0}", lower=-1e3)), Records(Parameter("p{0}", 1.0))
S, P = STATES.indices, PARAMETERS.indices


def vector_field(xdot, t, x, p, chart):
    xdot[S.x{0}] = -p[P.p{0}]


def boundaries(g, t, x, p, chart):
    g[0] = x[S.x{0}] + 1.0


def transition(x_new, t, x, p, chart, crossed):
    x_new[S.x{0}] = 1.0
    return 0


def outputs(y, t, x, p, chart):
    y[0] = x[S.x{0}]


MODEL = Model(
    "m{0}", STATES, vector_field=vector_field, boundaries=boundaries, transition=transition, outputs=outputs,
    parameters=PARAMETERS, boundary_records=Records(Boundary("b{0}")), output_records=Records(Output("y{0}")),
    charts=Records(Chart("c{0}")),
)
"""
CONFIG = """
model: m.py
final_time: 5
parameters: {{p{0}: 2}}
initial: {{x{0}: 0.5}}
stop: [{{boundary: b{0}, count: 2}}]
"""
SWEEP = "sweep: {{axes: {{p{0}: [1, 2]}}}}\nmetrics: {{m{0}: count(b{0})}}\n"


@pytest.fixture
def folder(hybridsim, tmp_path):
    (tmp_path / "m.py").write_text(MODEL.format(LONG))
    (tmp_path / "run.yaml").write_text(CONFIG.format(LONG))
    (tmp_path / "map.yaml").write_text((CONFIG + SWEEP).format(LONG))
    return tmp_path


@pytest.mark.exhaustive  # the longest names of files are in the ordinary run
def test_long_names_of_all_that_a_model_has(hybridsim, folder):
    for command in ("check m.py", "models m.py", "run run.yaml", "plot run.h5", f"plot run.h5 y{LONG} x{LONG}"):
        assert hybridsim(*command.split()).code == 0, command
    for command in ("verify run.h5", f"sweep map.yaml output.folder={LONG}", f"plot {LONG} m{LONG} -o map.png"):
        assert hybridsim(*command.split()).code == 0, command


@pytest.mark.parametrize(
    "command",
    [
        f"run run.yaml output.base={LONG}",
        f"run run.yaml output.folder={LONG}{LONG}",
        f"run run.yaml --record {LONG}.mp4",
        f"run run.yaml --record {LONG}%04d.png",
        f"run {LONG}{LONG}.yaml",
        f"run run.yaml model={LONG}{LONG}",
        f"sweep map.yaml output.folder={LONG}{LONG}",
        f"check {LONG}{LONG}.py",
        f"models {LONG}{LONG}",
        f"new {LONG}{LONG}",
        f"plot {LONG}{LONG}.h5",
        f"verify {LONG}{LONG}.h5",
        f"view {LONG}{LONG}.h5 --record a.png",
    ],
)
def test_a_file_name_that_is_too_long_is_a_sentence_before_anything_is_computed(hybridsim, folder, command):
    before = sorted(path.name for path in folder.iterdir())
    outcome = hybridsim(*command.split())
    assert outcome.code == 2
    assert len(outcome.err.strip().splitlines()) == 1
    assert "aaa" in outcome.err
    assert "; " in outcome.err
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize(
    "command", ["run run.yaml output.base={}", "plot run.h5 -o {}.svg", "sweep map.yaml output.folder={}"]
)
def test_the_longest_names_that_the_file_system_takes_work(hybridsim, folder, command):
    """While a file is written it has a temporary name, which is no longer."""
    assert hybridsim("run", "run.yaml").code == 0
    outcome = hybridsim(*command.format("b" * 247).split())
    assert outcome.code == 0, outcome.err
