"""Change one operator, comparison or constant of a folder at a time, and see whether its tests notice.

    nice python benchmarks/mutants.py hybridsim/verification --count 40 --seed 1

The changes are drawn at random among all places of the folder, and made in a copy of the tree, where the tests of
`TESTS` run until one fails. A change that fails a test, or makes the tests last too long, is killed; one that passes
survived: it is either equivalent, or shows what no test looks at. The engine is tested as plain Python, for compiling
each change would take longer than its tests. Prints each change with its fate, and the share of the killed ones.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPIED = ("hybridsim", "models", "configs", "tests", "benchmarks", "docs", "pyproject.toml", "README.md")

TESTS = {
    "hybridsim/engine/events": [
        *("tests/fuzz", "tests/engine/test_statuses.py", "tests/scorecard/test_detection.py", "tests/engine/events"),
        *("tests/engine/test_rounding.py", "tests/engine/test_detection.py"),
    ],
    "hybridsim/verification": ["tests/verification"],
    "hybridsim/analysis": ["tests/analysis"],
}
"""Folder -> its tests, the quickest to notice something first."""

INTERPRETED = "hybridsim/engine"
LONGEST = 0.4
"""Tests that take longer than this without a change [s] run with `--long` alone, and after all others."""

OPPOSITE = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
}
OTHER_NAME = {"min": "max", "max": "min", "all": "any", "any": "all", "minimum": "maximum", "maximum": "minimum"}


@dataclass(frozen=True)
class Mutant:
    """One change: the place of an expression in a file, and what stands there instead."""

    file: Path
    node: ast.expr
    changed: ast.expr

    def __str__(self) -> str:
        what = f"{ast.unparse(self.node)}  ->  {ast.unparse(self.changed)}"
        return f"{self.file.relative_to(ROOT)}:{self.node.lineno}: {what}"

    def text(self) -> str:
        """The file with the change; all lines keep their numbers."""
        lines = self.file.read_bytes().splitlines(keepends=True)
        first, last = self.node.lineno - 1, self.node.end_lineno - 1
        before, after = lines[first][: self.node.col_offset], lines[last][self.node.end_col_offset :]
        inserted = f"({ast.unparse(self.changed)}".encode() + b"\n" * (last - first) + b")"
        return b"".join([*lines[:first], before + inserted + after, *lines[last + 1 :]]).decode()


def mutants_of(file: Path) -> Iterator[Mutant]:
    """All changes of what the functions of a file compute; texts and annotations stay as they are."""
    for node in computed(ast.parse(file.read_text())):
        for changed in changes(node):
            yield Mutant(file, node, changed)


def computed(tree: ast.AST, within: bool = False) -> Iterator[ast.expr]:
    """The expressions within functions, outside of f-strings, raised errors, annotations and decorators."""
    skipped = ("annotation", "returns", "decorator_list", "defaults", "kw_defaults")
    for name, value in ast.iter_fields(tree):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Raise) or name in skipped:
                continue
            if within and isinstance(child, ast.expr):
                yield child
            yield from computed(child, within or isinstance(child, ast.FunctionDef))


def changes(node: ast.expr) -> Iterator[ast.expr]:
    """What may stand in the place of an expression."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from (replaced(node, ops=[kind()]) for kind in OPPOSITE[type(node.ops[0])])
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        yield from (replaced(node, op=kind()) for kind in OPPOSITE.get(type(node.op), ()))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield replaced(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1 if isinstance(node.value, int) else 2.0 * node.value or 1.0)
    elif isinstance(node, ast.Name) and node.id in OTHER_NAME:
        yield ast.Name(OTHER_NAME[node.id])
    elif isinstance(node, ast.Attribute) and node.attr in OTHER_NAME:
        yield replaced(node, attr=OTHER_NAME[node.attr])


def replaced(node: ast.expr, **fields: object) -> ast.expr:
    """A copy of an expression with other fields."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def drawn(folder: Path, count: int, seed: int) -> list[Mutant]:
    """A sample of the changes of a folder; each place has the same chance."""
    rng = random.Random(seed)
    places: dict[tuple[Path, int, int], list[Mutant]] = {}
    for file in sorted(folder.rglob("*.py")):
        for mutant in mutants_of(file):
            places.setdefault((file, mutant.node.lineno, mutant.node.col_offset), []).append(mutant)
    chosen = rng.sample(sorted(places), min(count, len(places)))
    print(f"{len(places)} places in {folder.relative_to(ROOT)}, of which {len(chosen)} are changed (seed {seed})")
    return [rng.choice(places[place]) for place in chosen]


class Copy:
    """A copy of the tree in which tests run: `copy.test()` says how they end."""

    def __init__(self, folder: Path, tested: str, with_long: bool):
        self.folder, self.quick, self.left_out, self.limit = folder, TESTS[tested], [], 1800.0
        self.with_long = with_long
        for name in COPIED:
            copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copied(ROOT / name, folder / name)
        self.environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{folder / 'models'}"}
        # a byte code that is written within the second of a change would be taken for that of the next one
        self.environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
        if tested.startswith(INTERPRETED):
            self.environment |= {"NUMBA_DISABLE_JIT": "1"}

    def test(self, *options: str, long: bool = False) -> tuple[str, str]:
        """Run the quick or the long tests until one fails: `passed`, `timeout` or its name, and what is printed."""
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-m", "not exhaustive and not slow"]
        command += [*options, *(self.left_out if long else self.quick)]
        started = {"cwd": self.folder, "env": self.environment, "stdin": subprocess.DEVNULL, "check": False}
        started["timeout"] = 10.0 * self.limit if long else self.limit
        try:
            ended = subprocess.run(command, **started, capture_output=True, text=True)  # noqa: PLW1510
        except subprocess.TimeoutExpired:
            return "timeout", ""
        if ended.returncode == 0:
            return "passed", ended.stdout
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ended.stdout, re.MULTILINE)
        return failed[1] if failed else f"exit code {ended.returncode}", ended.stdout + ended.stderr

    def try_unchanged(self) -> None:
        """Find out which tests take long, and how long the others take; refuse a tree that fails."""
        fate, printed = self.test("--durations=0", "-vv")
        if fate != "passed":
            sys.exit(f"without a change, {fate} fails:\n{printed}")
        seconds: Counter[str] = Counter()
        for duration, name in re.findall(r"^([\d.]+)s (?:call|setup) +(tests/.+)$", printed, re.MULTILINE):
            seconds[name] += float(duration)
        self.left_out = [name for name, each in seconds.items() if each > LONGEST]
        self.quick = [*(f"--deselect={name}" for name in self.left_out), *self.quick]
        begun = time.perf_counter()
        self.test()
        took = time.perf_counter() - begun
        self.limit = 20.0 + 3.0 * took
        print(f"unchanged, the tests take {took:.0f} s; {len(self.left_out)} longer than {LONGEST} s are left out")

    def fate(self, mutant: Mutant) -> str:
        """How the tests end with a change, which is taken back afterwards."""
        changed = self.folder / mutant.file.relative_to(ROOT)
        changed.write_text(mutant.text())
        try:
            ended = self.test()[0]
            return self.test(long=True)[0] if ended == "passed" and self.with_long else ended
        finally:
            shutil.copy2(mutant.file, changed)


def processor_time() -> float:
    """What all tests so far have taken [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", choices=TESTS)
    parser.add_argument("--count", type=int, default=40, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="of processor time, after which no further is tried")
    parser.add_argument("--long", action="store_true", help="a change that survives meets the long tests, too")
    arguments = parser.parse_args()
    mutants = drawn(ROOT / arguments.folder, arguments.count, arguments.seed)
    fates: Counter[bool] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        tree = Copy(Path(folder), arguments.folder, arguments.long)
        tree.try_unchanged()
        begun = processor_time()
        for mutant in mutants:
            if processor_time() - begun > 60.0 * arguments.minutes:
                break
            fate = tree.fate(mutant)
            fates[fate == "passed"] += 1
            print(f"{'SURVIVED' if fate == 'passed' else 'killed  '} {mutant}")
            if fate != "passed":
                print(f"         by {fate}")
    print(f"{fates[False]} of {fates.total()} killed: {100.0 * fates[False] / max(fates.total(), 1):.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
