"""What is wrong with a config is said in a sentence with its place, all at once."""

import numpy as np
import pytest

from hybridsim import identify
from hybridsim.config.identification import load_identification_config
from hybridsim.errors import ConfigError, HybridsimError

from .trials import write

MODEL = """
from hybridsim import Boundary, Chart, Input, Model, Output, Parameter, Records, State

def vector_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[4] - p[0] * x[0]

def boundaries(g, t, x, p, chart):
    g[chart] = x[0]

def transition(x_new, t, x, p, chart, crossed):
    return 0

def outputs(y, t, x, p, chart):
    y[0] = p[0] * x[0]

MODEL = Model(
    "oscillator",
    [State("x", 1.0, "m"), State("v", 0.0, "m/s")],
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    outputs=outputs,
    parameters=[
        Parameter("stiffness", 4.0, "1/s^2", lower=0.0),
        Parameter("law", "linear", choices=("linear", "cubic")),
        Parameter("count", 2, integer=True),
        Parameter("gains", (1.0, 2.0)),
    ],
    inputs=Records(Input("push", 0.0, "m/s^2")),
    charts=Records(Chart("right"), Chart("left")),
    boundary_records=Records(Boundary("middle"), Boundary("far")),
    output_records=Records(Output("force", "N")),
)
"""
GOOD = """model: ./oscillator.py
data: {file: trial.csv}
measured: {x: x}
free: {stiffness: 3}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "oscillator.py").write_text(MODEL)
    t = np.linspace(0.0, 1.05, 36)
    write(tmp_path / "trial.csv", t=t, x=np.cos(2 * t), v=-2 * np.sin(2 * t))
    (tmp_path / "short.csv").write_text("t,p\n0,1\n0.5,2\n")
    (tmp_path / "slow.csv").write_text("t [ms],clock,x,p [mm/s^2]\n0,0,1,1\n500,1,1,2\n1000,2,1,2\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problems_in(text, *overrides):
    with open("bad.yaml", "w") as file:  # noqa: PTH123
        file.write(text)
    with pytest.raises(ConfigError) as caught:
        load_identification_config("bad.yaml", overrides)
    return caught.value.problems


def line(text, old, new):
    assert old in text
    return text.replace(old, new)


BAD = [
    ("free: {stiffness: 3}", "free: {stifness: 3}", "4:8: free.stifness", "did you mean `stiffness`"),
    ("measured: {x: x}", "measured: {y: x}", "3:12: measured.y", "no state or output 'y'"),
    ("measured: {x: x}", "measured: {x: xx}", "2:1: data", "no column 'xx'"),
    ("measured: {x: x}", "measured: {forse: x}", "3:12: measured.forse", "did you mean `force`"),
    ("file: trial.csv", "file: trail.csv", "2:1: data", "trail.csv"),
    ("file: trial.csv", "file: trial.csv, time: tt", "2:1: data", "no column 'tt'"),
    ("file: trial.csv", "file: trial.csv, noise: {x: 0}", "2:", "above 0"),
    ("file: trial.csv", "file: trial.csv, noise: {z: 1}", "2:", "no measured quantity is in column 'z'"),
    ("free: {stiffness: 3}", "free: {law: 0}", "4:8: free.law", "a choice or a whole number cannot be free"),
    ("free: {stiffness: 3}", "free: {count: 2}", "4:8: free.count", "a choice or a whole number cannot be free"),
    ("free: {stiffness: 3}", "free: {gains: 2}", "4:8: free.gains", "write gains[0]"),
    ("free: {stiffness: 3}", "free: {'gains[2]': 2}", "4:8: free.gains[2]", "entries 0 to 1"),
    ("free: {stiffness: 3}", "free: {'stiffness[0]': 2}", "4:8: free.stiffness[0]", "write stiffness"),
    (
        "free: {stiffness: 3}",
        "free: {stiffness: {guess: 3, lower: 4}}",
        "4:8: free.stiffness",
        "guess of at least 4, found 3; give another",
    ),
    ("free: {stiffness: 3}", "free: {stiffness: -3}", "4:8: free.stiffness", "-3"),
    ("free: {stiffness: 3}", "free: {stiffness: {lower: 4, upper: 2}}", "4:8: free.stiffness", "lower <= upper"),
    ("free: {stiffness: 3}", "free: {stiffness: {gues: 4}}", "4:8: free.stiffness", "did you mean `guess`"),
    ("free: {stiffness: 3}", "free: {stiffness: soft}", "4:8: free.stiffness", "soft"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ncollocation: {nodes: 1}", "5:", "2 or more"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ncollocation: {scheme: simpson}", "5:", "hermite-simpson"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ninitial: {y: 1}", "5:", "no such state"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nfinal: {y: 1}", "5:", "no state 'y'"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nlimits: {y: {lower: 1}}", "5:", "no state, input or output 'y'"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nlimits: {x: 1}", "5:", "{lower: -1, upper: 1}"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nlimits: {x: {lower: low}}", "5:10: limits.x", "low"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nlimits: {x: {lower: 2, upper: 1}}", "5:10: limits.x", "<="),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nminimize: {time: 1}", "5:12: minimize.time", "duration is given"),
    (
        "measured: {x: x}",
        "solver: {homotopy: 3}\nmeasured: {force: x}",
        "3:10: solver.homotopy",
        "no state is measured",
    ),
    ("trial.csv}\nmeasured: {x: x}", "trial.csv, noise: {x: 1}}\nmeasured: {x: x, v: v}", "2:", "add v: 0.1"),
    ("file: trial.csv", "file: slow.csv", "2:", "expected t in s, found [ms]"),
    (
        "free: {stiffness: 3}",
        "free: {stiffness: 3}\ninputs: {push: {file: slow.csv, column: p, time: clock}}",
        "5:10: inputs.push",
        "expected p in m/s^2, found [mm/s^2]",
    ),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nparameters: {stiffness: 3}", "4:8: free.stiffness", "given, too"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nphases: [{chart: middle}]", "5:", "no chart 'middle'"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nphases: [{chart: right, until: nowhere}]", "5:", "no boundary"),
    (
        "free: {stiffness: 3}",
        "free: {stiffness: 3}\nphases: [{chart: right}, {chart: left}]",
        "5:",
        "add `until: BOUNDARY`",
    ),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nphases: right", "5:1: phases", "expected a list of phases"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ninputs: {push: {column: p}}", "5:", "no column 'p'"),
    (
        "free: {stiffness: 3}",
        "free: {stiffness: 3}\ninputs: {push: {file: short.csv, column: p}}",
        "5:10: inputs.push",
        "expected times from 0 to 1.05 s, found 0 to 0.5 s",
    ),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ninputs: {push: 2*sim(t)}", "5:", "sin"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ninputs: {pull: 2*sin(t)}", "5:", "push"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nsolver: {starts: 0}", "5:", "at least 1"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nmethd: shooting", "5:1: methd", "method"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nduration: 2", "5:1: duration", "the data say"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ninitial_time: 2", "5:1: initial_time", "the data say"),
    (
        "data: {file: trial.csv}\nmeasured: {x: x}",
        "initial_time: soon\nduration: 1\nminimize: {time: 1}",
        "2:1: initial_time",
        "expected a number [s]",
    ),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nduration: -1", "5:1: duration", "above 0 s, found -1; write 1.0"),
    *(
        (
            "data: {file: trial.csv}\nmeasured: {x: x}",
            f"minimize: {{time: 1}}\nduration: {given}",
            "3:1: duration",
            text,
        )
        for given, text in (
            (
                "{guess: 2, lower: 3}",
                "expected a guess of at least 3, found 2; give another guess, or change the bound",
            ),
            ("{guess: 2, uper: 3}", "did you mean `upper`"),
            ("{guess: -2}", "expected a duration above 0 s, found -2"),
            ("{guess: soon}", "expected a number [s], found 'soon'"),
            ("[1, 2]", "expected a number [s]"),
        )
    ),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\ncyclic: [y]", "5:", "no state 'y'"),
    ("free: {stiffness: 3}", "free: {stiffness: 3}\nminimize: {squares: {pushh: 1}}", "5:", "push"),
    ("measured: {x: x}\n", "", "bad.yaml", "measured"),
    ("data: {file: trial.csv}\nmeasured: {x: x}\n", "", "bad.yaml", "nothing to minimise"),
    ("model: ./oscillator.py\n", "", "bad.yaml", "model"),
    ("model: ./oscillator.py", "model: ./oscilator.py", "1:1: model", "oscilator.py"),
    ("model: ./oscillator.py", "model: ./oscillator.py\nfinal_time: 3", "2:1: final_time", "no such key"),
    ("model: ./oscillator.py", "model: ./oscillator.py\nstop: []", "2:1: stop", "no such key"),
]


@pytest.mark.parametrize(("old", "new", "place", "said"), BAD, ids=[new[:60] or old for old, new, _, _ in BAD])
def test_a_mistake_in_a_config_is_said_with_its_place(folder, old, new, place, said):
    problems = problems_in(line(GOOD, old, new))
    assert any(place in problem and said in problem for problem in problems), problems
    assert len(problems) <= 2, problems


TABLES = {
    "t,x\n0,1\n0.2,0.9\n0.1,0.8\n": ("trial.csv:4", "do not increase"),
    "t,x\n0,1\n0.1,0.9\n0.1,0.8\n": ("trial.csv:4", "do not increase"),
    "t,x\n0,1\n,0.9\n0.2,0.8\n": ("trial.csv:3", "expected a"),
    "t,x\n0,1\nnan,0.9\n0.2,0.8\n": ("trial.csv:3", "expected a"),
    "t,x\n0,1\n0.1,high\n0.2,0.8\n": ("trial.csv:3", "'high'"),
    "t,x\n0,1\n0.1,inf\n0.2,0.8\n": ("trial.csv:3", "finite"),
    "t,x\n0,1\n": ("trial.csv", "2 samples or more"),
    "t,x\n": ("trial.csv", ""),
    "": ("trial.csv", ""),
    "t,x [mm]\n0,1\n0.1,2\n0.2,3\n": ("trial.csv", "mm"),
    "t,x\n0,\n0.1,\n0.2,\n": ("trial.csv", "x"),
}


@pytest.mark.parametrize("table", TABLES)
def test_a_mistake_in_a_table_is_said_with_its_row(folder, table):
    place, said = TABLES[table]
    (folder / "trial.csv").write_text(table)
    problems = problems_in(GOOD)
    assert any(place in problem and said in problem for problem in problems), problems


def test_units_of_columns_are_those_of_records_and_are_left_out_of_names(folder):
    (folder / "trial.csv").write_text("t [s],x [m]\n0,1\n0.1,0.98\n0.2,0.92\n")
    (folder / "good.yaml").write_text(GOOD)
    assert load_identification_config("good.yaml").trials[0].data[:, 0].tolist() == [1, 0.98, 0.92]


def test_all_mistakes_are_said_at_once(folder):
    text = (
        GOOD.replace("stiffness", "stifness").replace("{x: x}", "{y: x}") + "final: {z: 1}\nlimits: {w: {lower: 1}}\n"
    )
    assert len(problems_in(text)) == 4


LATER = [
    (
        "phases: [{chart: right, until: middle, duration: 0.6}, {chart: left}]",
        "leads to chart right, and phase 1 is in chart left",
    ),
    ("phases: [{chart: right, until: far, duration: 0.3}, {chart: right}]", "far is not active in chart right"),
    ("guess: {states: nothing.h5}", "nothing.h5"),
    ("collocation: {nodes: 100}\nfree: {stiffness: 3, 'gains[0]': 1}", "gains[0]"),
]


@pytest.mark.members(1)
@pytest.mark.parametrize(("more", "said"), LATER)
def test_what_is_found_when_the_program_is_made_is_a_sentence(folder, more, said):
    text = GOOD.replace("free: {stiffness: 3}\n", "") if "free:" in more else GOOD
    (folder / "bad.yaml").write_text(text + more + "\n")
    try:
        found = identify("bad.yaml")
        assert "collocation" in more or not found.confirmed
        texts = [found.why_not, *found.notes]
    except HybridsimError as failure:
        texts = [str(failure)]
    assert any(said in text for text in texts), texts


@pytest.mark.parametrize("law", ["p[0] / (x[0] - 1.0)", "p[0] * (x[0] - 1.0) ** 0.5", "(1.0 - x[0]) ** 0.5"])
def test_a_field_that_is_not_finite_at_the_guess_is_said_with_state_and_node(folder, law):
    (folder / "oscillator.py").write_text(MODEL.replace("p[0] * x[0]\n", law + "\n", 1))
    (folder / "bad.yaml").write_text(GOOD)
    with pytest.raises(HybridsimError, match=r"v.*node|node.*v"):
        identify("bad.yaml")


def test_a_field_that_is_not_defined_everywhere_is_no_end_of_the_program(folder):
    # The second derivatives are differences, which are not finite at the edge where the root is defined.
    law = "p[4] - p[0] * x[0] + 0.01 * (x[0] + 0.9 - 0.12 * p[0]) ** 0.5"
    (folder / "oscillator.py").write_text(MODEL.replace("p[4] - p[0] * x[0]", law))
    (folder / "edge.yaml").write_text(GOOD)
    found = identify("edge.yaml", ["collocation.scheme=euler"])
    assert found.confirmed or found.why_not
