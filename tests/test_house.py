"""The house rules that can be counted: sizes, arguments, layers, docstrings of public names."""

import ast
import importlib
import inspect
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple

import grimp
import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import hybridsim

ROOT = Path(__file__).parents[1]
SOURCES = sorted((*(ROOT / "hybridsim").rglob("*.py"), *(ROOT / "models").rglob("*.py")))
FILES = sorted((*SOURCES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")))
MAX_FILE_LINES, MAX_BODY_LINES, MAX_POSITIONAL_ARGUMENTS = 350, 40, 7
MAX_FOLDERS, MAX_LAYERS = 26, 10
MAX_LINES = 64_660
"""Lines of code of the package, raised only with a line in the changelog that says what for."""


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


class Counted(NamedTuple):
    """What is counted of a function."""

    place: str
    body_lines: int
    positional: int
    is_called_by_name: bool


@cache
def functions(file: Path) -> list[Counted]:
    """The functions of a file, which is read once."""
    return [
        Counted(
            f"{name_of(file)}:{node.lineno} {node.name}",
            body_lines(node),
            len(node.args.posonlyargs) + len(node.args.args),
            not is_command(node) and not is_bound_by_name(node),
        )
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef)
    ]


def body_lines(function: ast.FunctionDef) -> int:
    """Lines from the first statement behind the docstring to the last one."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def is_command(function: ast.FunctionDef) -> bool:
    """A command's arguments are the options that `--help` prints."""
    return any("command" in ast.unparse(decorator) for decorator in function.decorator_list)


def test_no_file_is_longer_than_a_person_reads_at_once():
    assert {name_of(f): n for f in FILES if (n := len(f.read_text().splitlines())) > MAX_FILE_LINES} == {}


def code_lines(file: Path) -> int:
    """The lines that are neither blank, nor a comment, nor within a docstring or the text below a constant."""
    text = file.read_text()
    texts = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    without_code = {number for node in texts for number in range(node.lineno, node.end_lineno + 1)}
    lines = [line.strip() for number, line in enumerate(text.splitlines(), 1) if number not in without_code]
    return sum(bool(line) and not line.startswith("#") for line in lines)


def test_the_package_is_not_longer_than_its_budget():
    assert sum(map(code_lines, (ROOT / "hybridsim").rglob("*.py"))) <= MAX_LINES


def test_no_function_is_longer_than_a_screen():
    long = {g.place: g.body_lines for f in SOURCES for g in functions(f) if g.body_lines > MAX_BODY_LINES}
    assert long == {}


def is_bound_by_name(function):
    """Return whether a plant or a part gives a function to hybridsim, which passes it what it names."""
    names = ", ".join(argument.arg for argument in function.args.args)
    return "t, x, p, chart" in names or names.startswith("force, t, x, p,")


def test_no_function_takes_more_arguments_than_a_reader_can_count():
    many = {
        g.place: g.positional
        for f in SOURCES
        if "engine" not in f.parts  # its kernels are called with pointers, one by one
        for g in functions(f)
        if g.positional > MAX_POSITIONAL_ARGUMENTS and g.is_called_by_name
    }
    assert many == {}


def folder_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_the_folders_import_each_other_in_one_direction_and_fit_on_a_page():
    graph = grimp.build_graph("hybridsim", exclude_type_checking_imports=True, cache_dir=None)
    below = {folder_of(module): set() for module in graph.modules if module != "hybridsim"}
    for module in graph.modules - {"hybridsim"}:
        imported = {folder_of(name) for name in graph.find_modules_directly_imported_by(module)} - {"hybridsim"}
        below[folder_of(module)] |= imported - {folder_of(module)}
    assert len(below) <= MAX_FOLDERS
    layers = 0
    while below:
        ground = {folder for folder, imported in below.items() if not imported & below.keys()}
        assert ground, f"a circle of imports among {sorted(below)}"
        below = {folder: imported for folder, imported in below.items() if folder not in ground}
        layers += 1
    assert layers <= MAX_LAYERS


ALLOWED = {
    *("EX01", "SA01", "ES01"),  # examples, other pages and a longer summary are given where they help
    *("GL01", "GL02", "GL03"),  # where the quotes stand is the formatter's affair
    *("SS05", "RT03", "RT05", "PR08", "PR09"),  # entries are nouns and sentences, in lower or upper case
    "YD01",
}
"""Checks of numpydoc that the house does not share."""


RECEIVED = (
    *("hybridsim.model.composition.ComposedModel", "hybridsim.results.input_history.InputHistory"),
    *(
        "hybridsim.Identification",
        "hybridsim.Optimization",
        "hybridsim.ModelFunctions",
        "hybridsim.simulation.inputs.Inputs",
        "hybridsim.config.RunConfig",
        "hybridsim.config.sweep.SweepConfig",
    ),
    *(f"hybridsim.verification.report.{name}" for name in ("Report", "Check")),
    *(f"hybridsim.verification.findings.{name}" for name in ("Violation", "WorstStep")),
)
"""Classes that users receive from public functions, and never make."""


def public_names() -> list[str]:
    names = [*RECEIVED, *(f"hybridsim.{name}" for name in hybridsim.__all__)]
    for module in ("scene", "testing", "viewer"):
        loaded = importlib.import_module(f"hybridsim.{module}")
        names += [f"hybridsim.{module}.{name}" for name in loaded.__all__]
    return [name for name in names if callable(found(name))]


def found(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def documented() -> list[str]:
    """The public functions and classes, and what the classes define themselves."""
    names = []
    for name in public_names():
        names.append(name)
        if inspect.isclass(found(name)):
            members = vars(found(name)).items()
            attributes = {attribute.name for attribute in NumpyDocString(inspect.getdoc(found(name)))["Attributes"]}
            listed = {word.strip() for names in attributes for word in names.split(",")}
            functions = [key for key, value in members if inspect.isfunction(value)]
            properties = [key for key, value in members if isinstance(value, property) and key not in listed]
            names += [f"{name}.{key}" for key in (*functions, *properties) if not key.startswith("_")]
    return names


def is_called(name: str) -> bool:
    """Enumerations, protocols and classes that users only receive are not called by their names."""
    public = found(name) if name in public_names() else None
    return name not in RECEIVED and not (
        inspect.isclass(public) and (issubclass(public, Enum) or getattr(public, "_is_protocol", False))
    )


@pytest.mark.parametrize("name", documented())
def test_the_docstrings_of_public_names_are_numpydoc(name):
    allowed = ALLOWED if is_called(name) else ALLOWED | {"PR01"}
    errors = [f"{code} {text}" for code, text in validate(name)["errors"] if code not in allowed]
    assert errors == []
