"""What a plug-in's functions must not contain, checked before they are compiled; and explanations of numba's errors.

Some valid Python goes wrong with bare pointers: `x[-1]` would read the memory before x, and a `raise` has no effect.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from hybridsim.errors import ModelError
from hybridsim.typing import Function

REFUSED_STATEMENTS: dict[type[ast.AST], str] = {
    ast.Raise: "`raise` is swallowed in compiled code; report through `validate`, or let the value become nan",
    ast.Assert: "`assert` is swallowed in compiled code; check in `validate` instead",
    ast.Try: "`try` cannot catch anything in compiled code; remove it",
    ast.With: "`with` does not compile; remove it",
    ast.Global: "a function keeps no memory; put what it must remember into a bookkeeping state",
    ast.Nonlocal: "a function keeps no memory; put what it must remember into a bookkeeping state",
    ast.Yield: "`yield` does not compile; write into the first argument",
    ast.Await: "`await` does not compile; remove it",
    ast.Import: "import at the top of the file, not inside a function",
    ast.ImportFrom: "import at the top of the file, not inside a function",
    ast.JoinedStr: "strings do not compile; use the index constants of the records",
}

REFUSED_CALLS = {
    "len": "`len` is unknown to a pointer; use a constant, `N = len(STATES)` outside the function",
    "print": "`print` does not work in compiled code; record the value as an output",
}
"""Built-in functions, and what to do without them."""

RESULT_OF_FUNCTION = {
    "transition": "the number of the next chart (the state goes into `x_new`)",
    "initial_chart": "the number of the chart (the state goes into `x_new`)",
    "validate": "0, or the number of a message",
}
"""What the functions of the contract return that return something."""

ALLOCATING_FUNCTIONS = frozenset(
    f"{module}.{name}" for module in ("np", "numpy") for name in ("array", "empty", "full", "ones", "zeros")
)
"""Functions that allocate an array."""


@cache
def refuse_forbidden_statements(function: Function) -> None:
    """Refuse statements that compiled code would execute wrongly.

    Raises
    ------
    ModelError
        With `file:line`, the reason and what to write instead.
    """
    parsed = _parse(function)
    if parsed is None:
        return
    tree, first_line = parsed
    arrays = {argument.arg for argument in tree.args.args}
    for line, problem in _refusals(tree, arrays):
        raise ModelError(
            f"{function.__code__.co_filename}:{first_line + line - 1}: in `{function.__name__}`: {problem}"
        )


def returns_something(function: Function) -> bool:
    """Whether the function has a `return` with a value; True if its source cannot be found."""
    parsed = _parse(function)
    if parsed is None:
        return True
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(parsed[0]))


def _parse(function: Function) -> tuple[ast.FunctionDef, int] | None:
    """The function's syntax tree and first line, where its source can be found."""
    try:
        lines, first_line = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return None
    try:
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except SyntaxError:
        return None
    definition = tree.body[0] if tree.body else None
    return (definition, first_line) if isinstance(definition, ast.FunctionDef) else None


def _refusals(tree: ast.FunctionDef, arrays: set[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        refusal = REFUSED_STATEMENTS.get(type(node))
        if refusal is not None:
            yield getattr(node, "lineno", 1), refusal
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and tree.name in RESULT_OF_FUNCTION:
            yield node.lineno, f"it returns several values; return {RESULT_OF_FUNCTION[tree.name]} alone"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSED_CALLS:
            yield node.lineno, REFUSED_CALLS[node.func.id]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ALLOCATING_FUNCTIONS:
            yield node.lineno, f"`{ast.unparse(node.func)}` allocates memory at every call; use `scratch(n)`"
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in arrays:
            problem = _index_problem(node.value.id, node.slice)
            if problem:
                yield node.lineno, problem


_NAMED_INDICES = {
    "p": ("PARAMETERS", "P"),
    "g": ("BOUNDARIES", "B"),
    "crossed": ("BOUNDARIES", "B"),
    "y": ("OUTPUTS", "Y"),
}
"""The records and the usual name of their indices, by array."""


def _index_problem(array: str, index: ast.expr) -> str:
    if isinstance(index, ast.Slice):
        return f"the slice `{array}[{ast.unparse(index)}]` does not compile; index scalars in a loop"
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        return (
            f"the negative index `{array}[{ast.unparse(index)}]` would read the memory before {array}; "
            "count from the front"
        )
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        name = index.value
        records, indices = _NAMED_INDICES.get(array, ("STATES", "S"))
        return (
            f"the string index `{array}[{name!r}]` does not compile; "
            f"define `{indices} = {records}.indices` outside and write `{array}[{indices}.{name}]`"
        )
    if isinstance(index, ast.Tuple):
        return f"`{array}[{ast.unparse(index)}]`: arrays have one index; compute it, `{array}[row * columns + column]`"
    return ""


NUMBA_EXPLANATIONS = {
    r"NRT required": (
        "a list, a set, a dict or whole arrays at once allocate memory at every call; use `scratch(n)`, "
        "and loops over numbers"
    ),
    r"found for signature:\s+>>> (\w+)\([^)]*\bDual\b": (
        "`{0}` has no derivative; write it with functions of `math` that have one"
    ),
    r"found for signature:\s+>>> (\w+)\([^)]*\bJet\b": (
        "`{0}` has no power series here; write it with + - * / ** and functions of `math` that have one"
    ),
    r"Untyped global name '(\w+)'": (
        "`{0}` is not a number or a function that compiles; make it a constant or an argument"
    ),
    r"NameError: name '(\w+)' is not defined|global name '(\w+)' is not defined": (
        "`{0}` is not defined; import or define it in this file"
    ),
    r"Unknown attribute '(\w+)' of type Module": (
        "`module.{0}` is not known to the compiler; import the function by name: `from module import {0}`"
    ),
    r"scratch\(n\) needs a constant": (
        "scratch(n) needs a constant n; write the number, or a constant defined outside the function"
    ),
    r"variable '(\w+)' referenced before|variable '(\w+)' is not in scope": (
        "`{0}` is used before it has a value on every path; set it first"
    ),
    r"Cannot unify (\w+) and (\w+) for '([\w.]+)'": "`{2}` is {0} on one path and {1} on another; give it one type",
    r"unicode_type|Literal\[str\]": (
        "strings do not compile; use the index constants of the records, or a parameter with choices"
    ),
    r"No conversion from none to int64": (
        "on some path it ends without a `return`; return a number on each, of a transition the next chart"
    ),
    r"getiter": "the arrays of a plug-in have no length; write `for i in range(N)` with a constant N",
    r"Cannot cast none|getitem.*none|NoneType": (
        "something here is None where a number is needed; does a helper lack a `return`?"
    ),
    r"No implementation of function Function\(<(?:built-in function |ufunc '|function )(\w+)": (
        "`{0}` does not compile for what it is given; use functions of `math`, and loops over numbers"
    ),
    r"missing a required argument: '(\w+)'|too many positional arguments": (
        "a function is called with the wrong number of arguments"
    ),
}
"""What numba's reports contain, and what to write instead."""


def numba_explanation(function: Function, problem: Exception) -> str:
    """Numba's long report in at most two lines: `file:line`, what does not compile and what to write instead."""
    text = str(problem)
    found = re.findall(r" at (/.+) \((\d+)\)$", text, re.MULTILINE) or re.findall(r'File "([^"]+)", line (\d+)', text)
    file, line = found[-1] if found else (function.__code__.co_filename, function.__code__.co_firstlineno)
    where = f"{Path(file).resolve()}:{line}: in `{function.__name__}`"
    for pattern, advice in NUMBA_EXPLANATIONS.items():
        match = re.search(pattern, text)
        if match:
            return f"{where}: {advice.format(*(group or '' for group in match.groups()))}"
    lines = [part.strip() for part in text.splitlines() if part.strip() and not part.startswith("Failed in")]
    return (
        f"{where}: this does not compile ({lines[0] if lines else type(problem).__name__}).\n"
        "Plug-in functions use numbers, scalar indices, `math`, loops, ifs and functions imported by name."
    )
