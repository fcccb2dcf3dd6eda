"""Every way to get a plug-in wrong is one message with its line, exit code 2, and nothing written."""

import pytest

from hybridsim.cli.new import TEMPLATES

FAULTS = {
    "a syntax error": (("def boundaries(g, t, x, p, chart):", "def boundaries(g, t, x, p, chart)"), "hopper.py:"),
    "a missing vector field": (("    vector_field=vector_field,\n", ""), "vector_field"),
    "boundaries without a transition": (("    transition=transition,\n", ""), "transition"),
    "an unknown function": (("def transition", "def transitions"), "hopper.py:"),
    "no model": (("MODEL = Model", "MODELS = Model"), "MODEL"),
    "an import that fails": (
        ("from hybridsim import", "import nothing_of_that_name\nfrom hybridsim import"),
        "hopper.py:",
    ),
    "a wrong number of arguments": (
        ("def boundaries(g, t, x, p, chart)", "def boundaries(g, x, p, chart)"),
        "hopper.py:",
    ),
    "a string index": (("g[B.floor]", 'g["floor"]'), "hopper.py:"),
    "a negative index": (("x[S.speed]\n    xdot", "x[-1]\n    xdot"), "hopper.py:"),
    "a slice": (("g[B.floor] = x[S.height]", "g[0:1] = x[0:1]"), "hopper.py:"),
    "a raise": (
        ("    g[B.floor]", "    if x[S.height] < -1.0:\n        raise ValueError\n    g[B.floor]"),
        "hopper.py:",
    ),
    "an exit": (("    g[B.floor]", "    exit(0)\n    g[B.floor]"), "hopper.py:{line}: in `boundaries`: "),
    "a name that is not defined": (("-p[P.gravity]", "-p[GRAVITI]"), "hopper.py:"),
    "a misspelt index": (("x[S.speed]\n    xdot", "x[S.sped]\n    xdot"), "did you mean `speed`?"),
    "slopes that are returned": (("    xdot[S.height] = ", "    return "), "write each value into `xdot`"),
    "a chart and a state": (
        ("    return C.flight", "    return C.flight, x_new"),
        "returns several values; return the number of the next chart (the state goes into `x_new`) alone",
    ),
    "a print": (("    g[B.floor]", "    print(t)\n    g[B.floor]"), "`print` does not work in compiled code"),
    "a record's misspelt argument": (('acceleration", lower=', 'acceleration", lowr='), "did you mean `lower`?"),
    "a number as a text": (('State("height", 1.0', 'State("height", "1.0"'), "found '1.0'; give one, 1.0, without"),
    "two states of one name": (
        ('State("speed"', 'State("height"'),
        "'height' is declared twice",
    ),
    "a tuple of states": (
        ("STATES = Records(", "STATES = ("),
        "`.indices` is a property of Records, and this is a tuple; write Records(...) around the records",
    ),
    "a dictionary of parameters": (
        ("parameters=PARAMETERS,", 'parameters={"gravity": 9.81},'),
        "parameters: expected Parameter records, found a dict; write Records(Parameter(...), ...)",
    ),
    "a parameter among the states": (
        ('State("speed", 0.0', 'Parameter("speed", 0.0'),
        "states: expected State records, found a Parameter among them; write Records(State(...), ...)",
    ),
    "a camera that follows nothing along nothing": (
        ("Camera(at=", 'Camera(along="", at='),
        "camera: along: expected some of the axes 'xyz', found ''; leave out `follow` for a camera that stands still",
    ),
    "a division by a parameter that is zero": (
        ("-p[P.gravity]", "-p[P.gravity] / (p[P.restitution] - 0.8)"),
        "hopper.py:{line}: in `vector_field`: divides by zero, with gravity = 9.81, restitution = 0.8 (at t = 0 s",
    ),
    "a division by a state that is zero": (
        ("    xdot[S.height] = x[S.speed]", "    xdot[S.height] = 1.0 / x[S.speed]"),
        "hopper.py:{line}: in `vector_field`: divides by zero, with speed = 0 (at t = 0 s in chart flight)",
    ),
    "a root of a negative number": (
        ("-p[P.gravity]", "-(math.sqrt(-x[S.height]))"),
        "hopper.py:{line}: in `vector_field`: a function of `math` is called where it is not defined, with height = 1",
    ),
    "a boundary that divides by zero": (
        ("g[B.floor] = x[S.height]", "g[B.floor] = x[S.height] / x[S.speed]"),
        "in `boundaries`: divides by zero, with height = 1, speed = 0 (at t = 0 s in chart flight)",
    ),
    "a transition without a return": (
        ("    return C.flight\n", ""),
        "on some path it ends without a `return`; return a number on each, of a transition the next chart",
    ),
}


@pytest.mark.members(14)
@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_explained(hybridsim, tmp_path, fault):
    hybridsim("new", "hopper")
    (old, new), message = FAULTS[fault]
    path = tmp_path / "hopper.py"
    assert path.read_text().count(old) == 1
    text = path.read_text().replace(old, new)
    if "math." in new:
        text = text.replace("from hybridsim import", "import math; from hybridsim import", 1)
    path.write_text(text)
    outcome = hybridsim("run", "hopper.yaml")
    assert outcome.code == 2
    line = text[: text.index(new)].count("\n") + 1 if new else 0
    assert message.replace("{line}", str(line)) in outcome.err
    assert len(outcome.err.splitlines()) <= 3
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["hopper.py", "hopper.yaml"]


def test_slopes_that_are_never_written_are_named_by_check(hybridsim, tmp_path):
    """They stay 0: right for a velocity without forces, and a mistake in most other models."""
    hybridsim("new", "hopper")
    assert "slope" not in hybridsim("check", "hopper.py").out
    path = tmp_path / "hopper.py"
    path.write_text(path.read_text().replace("xdot[S.speed] = ", "speed_slope = "))
    assert "no chart writes the slope of speed: it stays 0" in hybridsim("check", "hopper.py").out


def test_the_template_these_faults_are_put_into_is_sound():
    template = (TEMPLATES / "NAME.py.txt").read_text(encoding="utf-8")
    assert all(template.count(old) == 1 for (old, _), _ in FAULTS.values())
