import math
import textwrap
from pathlib import Path

import pytest

from hybridsim.config.source import Diagnostics, Origin
from hybridsim.config.yaml_source import parse_value, read_yaml, write_yaml
from hybridsim.errors import ConfigError

RUN = "model: leg.py\nfinal_time: 1\n"


def value(text: str) -> object:
    diagnostics = Diagnostics()
    plain = parse_value(text, Origin("test"), ("key",), diagnostics).plain()
    assert not diagnostics.problems
    return plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("1e-6", 1e-6), ("1E3", 1000.0), (".5", 0.5), ("-5.", -5.0), ("+2", 2), ("010", 10), ("0x1F", 31)),
        *(("0o17", 15), (".inf", math.inf), ("-.INF", -math.inf), ("true", True), ("FALSE", False)),
        *(("null", None), ("~", None), ("", None)),
    ],
)
def test_scalars_mean_what_the_core_schema_of_yaml_1_2_says(text, expected):
    result = value(text)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize("text", ["off", "yes", "No", "on", "y", "1_000", "12:30:00", "1e-6x", "2001-01-01", "<<"])
def test_what_only_yaml_1_1_understood_is_a_string(text):
    assert value(text) == text


def test_a_quoted_number_is_a_string():
    assert value("'1.5'") == "1.5"


@pytest.mark.parametrize(
    ("text", "expected", "problems"),
    [
        (
            "{k: linspace(0, 50e3, 100), y: 1}",
            {"k": "linspace(0, 50e3, 100)", "y": 1},
            ["key.k: ...: k: 'linspace(0, 50e3, 100)'"],
        ),
        (
            "{k: f(1, 2), y: f(it's,\n 2)}",
            {"k": "f(1, 2)", "y": "f(it's, 2)"},
            ["key.k: ...: k: 'f(1, 2)'", "key.y: ...: y: 'f(it''s, 2)'"],
        ),
        (
            "[time(touchdown, 3), 'a, (b, c)', steps]",
            ["time(touchdown, 3)", "a, (b, c)", "steps"],
            ["key[0]: ...: 'time(touchdown, 3)'"],
        ),
        ("[1, {a: [f((1, 2), 3)]}]", [1, {"a": ["f((1, 2), 3)"]}], ["key[1].a[0]: ...: 'f((1, 2), 3)'"]),
        ("{f(1, 2): 3}", {"f(1, 2)": 3}, ["key: ...: 'f(1, 2)'"]),
        ("f(1, 2)  # (a, b)", "f(1, 2)", []),
        ("{k: 'f(1, 2)', y: \"f(1, 2)\"}", {"k": "f(1, 2)", "y": "f(1, 2)"}, []),
        ("k: f(1, 2)\ny:\n- g(3, 4)", {"k": "f(1, 2)", "y": ["g(3, 4)"]}, []),
        ("[a(1, b]", ["a(1", "b"], []),
        ("[a), (b]", ["a)", "(b"], []),
    ],
)
def test_a_value_that_is_split_at_a_comma_in_parentheses_is_refused_with_advice_to_quote_it(text, expected, problems):
    """As any other reader of YAML has it; what comes behind is read as it was meant, and is not reported again."""
    diagnostics = Diagnostics()
    assert parse_value(text, Origin("test"), ("key",), diagnostics).plain() == expected
    advice = "...: YAML splits this value at its commas; put it into quotes: "
    assert diagnostics.problems == [f"test: {problem.replace('...: ', advice[5:])}" for problem in problems]


def test_a_comma_in_unfinished_brackets_is_not_valid_yaml():
    with pytest.raises(ConfigError, match="not valid YAML"):
        value("[(1, [2), 3]")


def test_commas_in_parentheses_move_no_place(problems):
    assert problems(RUN + "metrics: [f(1, 2), {a: (1, 2)}]\nengine: {a: (1, 2, 3), b: 1}")[-1].startswith(
        "run.yaml:4:24: "
    )


def test_not_a_number_is_a_float_that_the_schema_can_refuse():
    assert math.isnan(value(".nan"))


def test_an_integer_beyond_all_floats_is_infinite_and_not_a_crash():
    assert value("9" * 5000) == math.inf


@pytest.mark.parametrize(
    "data", ["1e-6", "off", "true", "", "22 deg", 1e-10, 1e300, math.inf, None, True, 0.1, "~", "010"]
)
def test_what_is_written_is_read_back_the_same(data):
    assert value(write_yaml({"key": [data]})) == {"key": [data]}


def test_a_tag_that_does_not_fit_is_a_problem():
    diagnostics = Diagnostics()
    parse_value("[!!int x, !!set {a}, !!python/name:os.system '']", Origin("test"), ("key",), diagnostics)
    assert [problem.split(": ")[1] for problem in diagnostics.problems] == ["key[0]", "key[2]"]


@pytest.mark.parametrize(
    "text", ["[1,", "a: b: c", "- a\nb", "{" * 500, "&a [*a]", "*nowhere", "\t- a", '"\\U00110000"', "a\x85\ud800"]
)
def test_invalid_yaml_is_one_config_error_that_names_the_place(text):
    with pytest.raises(ConfigError, match=r"^test: key.*: .*; .*"):
        parse_value(text, Origin("test"), ("key",), Diagnostics())


def test_aliases_cannot_fill_the_memory():
    doublings = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    with pytest.raises(ConfigError, match="more than 100000 values"):
        parse_value(f"a0: &a0 1\n{doublings}", Origin("test"), ("key",), Diagnostics())


def test_a_syntax_error_is_reported_with_line_and_column(problems):
    (problem,) = problems("model: leg.py\nengine: [1, 2\nfinal_time: 1\n")
    assert problem.startswith("run.yaml:3:11: this is not valid YAML")


def test_duplicate_keys_are_refused_at_the_second_one_wherever_they_stand(problems):
    assert problems("model: leg.py\nfinal_time: 1\nparameters:\n  k: 1\n  k: 2\nmodel: x.py\n") == (
        "run.yaml:5:3: parameters.k: already given in line 4; remove one of the two",
        "run.yaml:6:1: model: already given in line 1; remove one of the two",
    )


@pytest.mark.parametrize(
    ("key", "found"),
    [("1", "'1'"), ("true", "'true'"), ("? [a]", "a list or mapping"), ('"\\ud800"', repr("\ud800"))],
)
def test_a_key_that_is_no_name_is_refused(problems, key, found):
    (problem,) = problems(f"{RUN}{key}: 2\n" if "?" not in key else f"{RUN}{key}\n: 2\n")
    assert f"expected a name as key, found {found}; " in problem


@pytest.mark.parametrize("text", ["- 1\n", "slip\n", "# nothing but a comment\n"])
def test_a_file_without_keys_is_refused(problems, text):
    (problem,) = problems(text)
    assert "expected `key: value` lines" in problem


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"\x89PNG\r\n", "UTF-8"), (b"a: \x00", "control character"), (b" \n", "is empty"), (b"", "is empty")],
)
@pytest.mark.parametrize("name", ["run.yaml", "run.rc"])
def test_what_is_no_text_is_one_clear_error(folder, content, expected, name):
    Path(name).write_bytes(content)
    with pytest.raises(ConfigError, match=expected) as caught:
        read_yaml(Path(name), Diagnostics())
    assert len(caught.value.problems) == 1


def test_later_includes_win_over_earlier_ones_and_the_file_over_both(load):
    Path("parts").mkdir()
    Path("parts/a.yaml").write_text("final_time: 1\nparameters: {k: 1, spring: 1}\nengine: {rtol: 1e-3}\n")
    Path("parts/b.yaml").write_text("final_time: 2\nparameters: {k: 2}\n")
    config = load("include: [parts/a.yaml, parts/b.yaml]\nmodel: leg.py\nfinal_time: 3\n")
    assert (config.final_time, config.parameters["k"], config.parameters["spring"]) == (3.0, 2.0, 1)
    assert config.engine.rtol == 1e-3
    assert config.origins["engine.rtol"] == "parts/a.yaml:3:10"
    assert config.origins["parameters.k"] == "parts/b.yaml:2:14"


def test_paths_are_relative_to_the_file_that_names_them(load):
    Path("parts/deeper").mkdir(parents=True)
    Path("parts/deeper/leg.py").write_text(Path("leg.py").read_text())
    Path("parts/deeper/b.yaml").write_text("model: ./leg.py\n")
    Path("parts/a.yaml").write_text("include: deeper/b.yaml\n")
    config = load("include: parts/a.yaml\nfinal_time: 3\n")
    assert Path(config.model.source) == Path("parts/deeper/leg.py").resolve()


def test_a_list_replaces_a_list_and_a_mapping_a_scalar(load):
    Path("base.yaml").write_text("record: false\nstop: [{boundary: touchdown}]\n")
    config = load(f"include: base.yaml\n{RUN}record: {{period: 0.5}}\nstop: []\n")
    assert config.record.period == 0.5
    assert config.stop == ()


def test_a_missing_include_is_reported_at_its_line(problems):
    (problem,) = problems(f"{RUN}include: [nowhere.yaml]\n")
    assert problem.startswith("run.yaml:3:11: include: nowhere.yaml: there is no such file")


def test_files_that_include_each_other_are_refused(problems):
    Path("other.yaml").write_text("include: run.yaml\n")
    (problem,) = problems(f"include: other.yaml\n{RUN}")
    assert problem.startswith("other.yaml:1:1: include: run.yaml includes this file in turn")


def test_the_same_file_may_be_included_along_two_ways(load):
    Path("base.yaml").write_text("final_time: 2\n")
    Path("a.yaml").write_text("include: base.yaml\n")
    Path("b.yaml").write_text("include: base.yaml\n")
    assert load("include: [a.yaml, b.yaml]\nmodel: leg.py\n").final_time == 2.0


@pytest.mark.parametrize("include", ["3", "[]", "[a.yaml, 3]", "{a: b}", '"\\0"', ""])
def test_an_include_that_names_no_file_is_refused(problems, include):
    assert any(": include: " in problem for problem in problems(f"{RUN}include: {include}\n"))


@pytest.mark.parametrize(
    "text", ["[1, 'f(1, 2)', é😀: {a: .inf, b: 010}]", "a: &x {b: on}\nc: [*x, 1_000, ~]", "k: |\n  two\n  lines\n"]
)
def test_a_value_on_its_own_is_read_by_the_rules_of_a_file(tmp_path, text):
    """Values are parsed by libyaml where it is there, files never."""
    path = tmp_path / "whole.yaml"
    path.write_text(f"value:\n{textwrap.indent(text, '  ')}", encoding="utf-8")
    assert (
        parse_value(text, Origin("test"), (), Diagnostics()).plain() == read_yaml(path, Diagnostics()).plain()["value"]
    )


@pytest.mark.parametrize("depth", [10**4, pytest.param(10**5, marks=pytest.mark.exhaustive)])
def test_deep_nesting_is_refused_and_does_not_overflow_the_stack(depth):
    for text in ("[" * depth, "[" * depth + "]" * depth):
        with pytest.raises(ConfigError, match="nested too deeply"):
            parse_value(text, Origin("test"), ("key",), Diagnostics())
