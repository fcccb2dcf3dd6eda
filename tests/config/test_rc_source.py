from pathlib import Path

import pytest

from hybridsim.config.rc_source import read_rc
from hybridsim.config.source import Diagnostics


def read(text: str, tmp_path: Path) -> tuple[dict[str, object], list[str]]:
    path = tmp_path / "run.rc"
    path.write_text(text)
    diagnostics = Diagnostics()
    assignments = {assignment.name: assignment.node.plain() for assignment in read_rc(path, diagnostics)}
    return assignments, [problem.removeprefix(f"{path}:") for problem in diagnostics.problems]


def test_every_form_of_value_is_read(tmp_path):
    text = (
        "# a file\n\n"
        "r_y = -0.5;          # a comment behind a value\n"
        'terrain="flat" ;\n'
        "small = 1e-9\n"
        'name = "a # is no comment; here";\n'
        "a = 1; b = .5; c = +2.;\n"
        "heights = { 1.0 2.0\n   3.0 };  # over two lines\n"
        'names = {"left" "right"}\n'
        "last = 7"
    )
    assignments, problems = read(text, tmp_path)
    assert problems == []
    assert assignments == {
        "r_y": -0.5,
        "terrain": "flat",
        "small": 1e-9,
        "name": "a # is no comment; here",
        "a": 1,
        "b": 0.5,
        "c": 2.0,
        "heights": [1.0, 2.0, 3.0],
        "names": ["left", "right"],
        "last": 7,
    }


def test_an_assignment_has_its_line_and_column(tmp_path):
    path = tmp_path / "run.rc"
    path.write_text("a = 1;\n  b = 2; c = 3;\n")
    places = [assignment.node.origin.text for assignment in read_rc(path, Diagnostics())]
    assert places == [f"{path}:1:1", f"{path}:2:3", f"{path}:2:10"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "g = 1e-6x;",
            "1:1: g: expected a number, a string in double quotes or a list `{ ... }` of them, found `1e-6x`",
        ),
        ("g = ;", "1:1: g: expected a number, a string in double quotes or a list `{ ... }` of them, found the end"),
        ("g 9.81;", "1:1: g: expected `=` after the name, found `9.81`"),
        ("g", "1:1: g: expected `=` after the name, found the end of the line"),
        ("g = 1 2", "1:1: g: expected the end of the line after the value, found `2`"),
        ("g = 22 deg", "1:1: g: expected the end of the line after the value, found `deg`"),
        ("g == 1", "1:1: g: expected a number, a string in double quotes or a list `{ ... }` of them, found `=`"),
        ("g = { 1 2 ;", "1:1: g: the list is not closed"),
        ("g = { 1 x }", "1:1: g: expected a number, a string"),
        ('g = "open', "1:1: g: expected a number, a string"),
        ("  1g = 3", "1:3: expected a name (a letter, then letters, digits or underscores), found `1g`"),
        ("_g = 3", "1:1: expected a name"),
        ("a.b.c = 3", "1:1: expected a name"),
        ("= 3", "1:1: expected a name"),
        ("model: slip", "1:1: expected a name"),
    ],
)
def test_what_is_malformed_is_reported_and_the_rest_still_read(tmp_path, line, expected):
    assignments, problems = read(f"{line}\nok = 1;\n", tmp_path)
    assert len(problems) == 1
    assert problems[0].startswith(expected)
    assert assignments == {"ok": 1}


def test_a_yaml_file_under_another_name_is_recognised(tmp_path):
    _, problems = read("model: slip\n", tmp_path)
    assert problems[0].endswith("a YAML file must end in .yaml or .yml")
