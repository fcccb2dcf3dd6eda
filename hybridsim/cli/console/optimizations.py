"""Print what an optimisation would search, and what it has found."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hybridsim.cli.console.messages import count_text, show_report, two_columns
from hybridsim.results.progress import rate_text

if TYPE_CHECKING:
    from hybridsim.config.optimization_config import OptimizationConfig
    from hybridsim.optimisation import Optimization
    from hybridsim.optimisation.confirmation import Found
    from hybridsim.optimisation.reproduction import Reproduction

MAX_SEARCHES, MAX_NAMES = 10, 4
"""Most searches that are listed, and most parameters of which their values are."""


def show_search(config: OptimizationConfig, folder: Path) -> None:
    """Print what would be searched, and the folder of the results."""
    settings, table = config.settings, two_columns()
    table.add_row("model", Text(config.run.model.name))
    for number, (name, text) in enumerate(_ranges(config)):
        table.add_row("" if number else "searched", Text(f"{name}: {text}"))
    for number, stage in enumerate(config.stages):
        table.add_row("" if number else "stages", Text(f"{number + 1}: {stage}"))
    method, n = settings.method, config.n_rows
    size = f"{method.name}, {method.population:,} settings in each of {count_text(method.generations, 'generation')}"
    table.add_row("method", Text(size))
    table.add_row("searches", Text(f"{settings.runs:,}, with seeds from {settings.seed}"))
    table.add_row("runs", Text(f"at most {n * method.generations:,}, {n:,} in a generation"))
    table.add_row("folder", Text(str(folder)))
    Console().print(table)


def _ranges(config: OptimizationConfig) -> list[tuple[str, str]]:
    section = config.data["optimize"]
    found = [(name, str(text)) for name, text in (section.get("parameters") or {}).items()]
    for name, words in (section.get("structure") or {}).items():
        brought = words if isinstance(words, dict) else {}
        found.append((name, ", ".join(map(str, words))))
        found += [(f"with {word}", f"{key}: {text}") for word in brought for key, text in (brought[word] or {}).items()]
    return found


def show_optimization(found: Optimization, resumption: str) -> None:
    """Print the best setting and how it was confirmed, then all searches; `resumption` is the command that goes on."""
    console, best = Console(), found.best
    aim = found.stages[best.stage - 1].partition(" until ")[0]
    verdict = _verdict(found)
    console.print(Text(verdict, "green" if found.confirmed and found.finished else "red"), soft_wrap=True)
    table = two_columns()
    table.add_row("model", Text(found.layout.config.run.model.name))
    units = {field.name: field.metadata[b"unit"].decode() for field in found.table.schema}
    objective = found.layout.config.stages[best.stage - 1].objective
    polished = ", polished" if best.polished else ""
    table.add_row("best", Text(f"{aim}: {best.value:.9g} {units.get(objective, '')}".rstrip() + polished))
    if len(found.stages) > 1:
        table.add_row("stage", Text(f"{best.stage} of {len(found.stages)}"))
    for number, (name, value) in enumerate(best.setting.items()):
        text = f"{name} = {value:.9g} {units[name]}".rstrip() if isinstance(value, float | int) else f"{name} = {value}"
        text += f" ({math.degrees(value):.6g} deg)" if units[name] == "rad" else ""
        table.add_row("" if number else "setting", Text(text))
    for number, check in enumerate(best.checks):
        text = f"{check.how}: {check.value:.9g}" + ("" if check.agrees else f", stage {check.stage}: not the same")
        table.add_row("" if number else "computed again", Text(text, "" if check.agrees else "red"))
    if found.computed:
        rate = rate_text(found.computed / max(found.wall_time, 1e-9))
        table.add_row("computed in", Text(f"{found.wall_time:.3g} s, {count_text(found.computed, 'run')}, {rate}"))
    if found.folder is not None:
        folder = shlex.quote(str(found.folder))
        table.add_row("files", Text(f"{found.folder}: best.yaml, best-01.yaml ..., and a part for each generation"))
        table.add_row("next", Text(f"hybridsim plot {folder}" if found.finished else resumption))
        table.add_row("", Text(f"hybridsim run {folder}/best.yaml --view"))
    console.print(table)
    console.print(_searches(found))


def _verdict(found: Optimization) -> str:
    """Return the first line."""
    best = found.best
    passed = sum(one.passed_over for one in found.searches)
    if not math.isfinite(best.value):
        return f"nothing found: no run has a value in stage {best.stage}; search elsewhere or begin with an easier one"
    if not best.checks:
        return "the best so far, not confirmed yet"
    if not found.confirmed:
        seem = "computed more exactly, the best settings are not what they seem"
        return f"not confirmed: {seem}; lower rtol, or raise agreement"
    text = "found, and confirmed by more exact runs" if found.finished else "confirmed so far, and not finished"
    if best.stage < len(found.stages):
        text = (
            f"not reached: no setting satisfies stage {best.stage}; the best one is {text.removeprefix('found, and ')}"
        )
    return text + (f"; {count_text(passed, 'better setting')} would not be" if passed else "")


def _searches(found: Optimization) -> Table:
    """Return a table of the searches, with the best, the median and the worst where there are many."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    names = [*found.best.setting] if len(found.best.setting) <= MAX_NAMES else []
    for name in ("search", "stage", "value", "confirmed", *names, ""):
        table.add_column(name, justify="left" if name in ("confirmed", "") else "right")
    ordered = found.ordered
    middle = len(ordered) // 2
    marks = {0: "best", middle: "median", len(ordered) - 1: "worst"} if len(ordered) > 2 else {}
    shown = range(len(ordered)) if len(ordered) <= MAX_SEARCHES else sorted(marks)
    for number in shown:
        one = ordered[number]
        table.add_row(
            str(one.run), str(one.stage), f"{one.value:.9g}", "yes" if one.confirmed else "no", *_cells(one, names),
            marks.get(number, ""),
        )  # fmt: skip
    return table


def _cells(one: Found, names: list[str]) -> list[str]:
    values = [one.setting.get(name, "") for name in names]
    return [f"{value:.6g}" if isinstance(value, float | int) else str(value) for value in values]


def show_reproduction(found: Reproduction) -> None:
    """Print whether the best settings came out again; then what `verify` says of the run with the best one."""
    console = Console()
    count = count_text(found.rows, "row")
    text = f"computed again to the same bits: {count}"
    if found.differences:
        text = f"not the same as in the table: {count_text(len(found.differences), 'value')} of {count}"
    console.print(Text(text, "red" if found.differences else "green"))
    for line in found.differences[:MAX_SEARCHES]:
        console.print(Text(line), soft_wrap=True)
    show_report(found.report)
