"""SBML's event cases, and that the translator distinguishes right, wrong and unknown."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUITE = os.environ.get("SBML_TEST_SUITE")

MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML">{}</math>'
TIME = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol>'
MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1">
  <model id="small">
    <listOfParameters><parameter id="y" value="1" constant="false"/></listOfParameters>
    <listOfRules>{rules}</listOfRules>
    <listOfEvents>
      <event useValuesFromTriggerTime="true">
        <trigger initialValue="true" persistent="true">{trigger}</trigger>
        <listOfEventAssignments><eventAssignment variable="y">{value}</eventAssignment></listOfEventAssignments>
      </event>
    </listOfEvents>
  </model>
</sbml>
"""
DECAY = f'<rateRule variable="y">{MATH.format("<apply><minus/><ci>y</ci></apply>")}</rateRule>'


def applied(operator, *arguments):
    return f"<apply><{operator}/>{''.join(arguments)}</apply>"


def write_case(folder, trigger, expected, rules="", tolerance=1e-9, duration=4):
    """A case whose event sets y to 1 + y, with rows at whole times."""
    folder.mkdir()
    value = applied("plus", "<ci>y</ci>", "<cn>1</cn>")
    model = MODEL.format(rules=rules, trigger=MATH.format(trigger), value=MATH.format(value))
    (folder / "model.xml").write_text(model)
    settings = {
        "start": 0,
        "duration": duration,
        "steps": duration,
        "variables": "y",
        "amount": "",
        "concentration": "",
    }
    settings |= {"absolute": tolerance, "relative": tolerance}
    (folder / "settings.txt").write_text("".join(f"{key}: {value}\n" for key, value in settings.items()))
    rows = "".join(f"{t},{expected(t)!r}\n" for t in range(duration + 1))
    (folder / "results.csv").write_text(f"time,y\n{rows}")


def run_suite(folder, every=1):
    """The command's exit code, and its verdict on each case, or on one in `every`, by name."""
    names = sorted(case.name for case in Path(folder).iterdir() if case.is_dir())
    command = [sys.executable, "-m", "tests.scorecard.sbml", str(folder), *names[::every]]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=240)
    assert answer.returncode in (0, 1), answer.stderr
    cases = dict(
        line.split(" ", 1) for line in answer.stdout.splitlines() if re.match(r"\S+ (pass|fail|refused)", line)
    )
    return answer.returncode, cases, answer.stdout


def refill(t):
    """y' = -y from 1; where it falls below 1/2 it becomes 3/2: at ln 2, and then every ln 3."""
    first, period = math.log(2.0), math.log(3.0)
    return math.exp(-t) if t < first else 1.5 * math.exp(-((t - first) % period))


@pytest.mark.exhaustive  # slow; it tests the translator alone
@pytest.mark.slow
def test_the_translator_distinguishes_right_wrong_and_unknown(tmp_path):
    pytest.importorskip("libsbml")
    half = applied("lt", "<ci>y</ci>", "<cn>0.5</cn>")
    write_case(tmp_path / "refill", half, refill, DECAY)
    write_case(tmp_path / "wrong", half, lambda t: refill(t) + 1e-8 * (t == 3), DECAY)
    write_case(tmp_path / "at_two", applied("geq", TIME, "<cn>2</cn>"), lambda t: 2.0 if t >= 2 else 1.0)
    write_case(tmp_path / "after_two", applied("gt", TIME, "<cn>2</cn>"), lambda t: 2.0 if t > 2 else 1.0)
    delayed = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/delay">delay</csymbol>'
    past = f"<apply>{delayed}<ci>y</ci><cn>1</cn></apply>"
    write_case(tmp_path / "delayed", applied("lt", past, "<cn>0.5</cn>"), refill, DECAY)
    code, cases, _ = run_suite(tmp_path)
    wrong = cases.pop("wrong")
    assert code == 1
    assert wrong.startswith("fail: y(3) = ")
    assert wrong.endswith("1 of 5 numbers differ")
    assert cases == {
        "refill": "pass",
        "at_two": "pass",
        "after_two": "pass",
        "delayed": "refused: delays in expressions",
    }


@pytest.mark.skipif(SUITE is None, reason="SBML_TEST_SUITE is not set")
@pytest.mark.parametrize("every", [30, *(pytest.param(every, marks=pytest.mark.exhaustive) for every in (10, 1))])
def test_no_event_case_of_the_sbml_suite_fails(every):
    pytest.importorskip("libsbml")
    code, cases, report = run_suite(SUITE, every)
    assert [f"{case} {verdict}" for case, verdict in cases.items() if verdict.startswith("fail")] == []
    assert code == 0
    assert sum(verdict == "pass" for verdict in cases.values()) >= 150 // every, report
