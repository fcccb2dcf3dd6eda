"""The scorecard as Markdown and JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scorecard.case import Case

Run = Mapping[str, Any]
BEGIN, END = "<!-- written by benchmarks/scorecard.py: begin -->", "<!-- written by benchmarks/scorecard.py: end -->"


def machine() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    processor = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    return f"Python {platform.python_version()}, {platform.system()}, {processor or platform.processor()}"


def best(runs: Sequence[Run]) -> Run:
    """The run that does a tool most credit: right, with few faults, tight, and cheap, in this order."""

    def demerits(run: Run) -> tuple[float, ...]:
        if "found" not in run:
            return (1, 1e9, 0, 0, 0)
        return (not run["right"], run["missed"] + run["invented"], bool(run["end"]), run["rtol"], run["calls"] or 0)

    return min(runs, key=demerits)


def cell(case: Case, runs: Sequence[Run], version: str) -> str:
    if not runs:
        return version
    run = best(runs)
    if "found" not in run:
        return "✗ " + " ".join(str(value) for key, value in run.items() if key in ("crash", "hang"))[:70]
    if case.touch:
        return touch_cell(runs)
    right = sum(r.get("right", False) for r in runs)
    share = f"{right}/{len(runs)}"
    if not run["right"]:
        return f"✗ {faults(run)} · {share}"
    error = f"{run['error']:.0e}" if run["error"] else "0"
    return f"✓ {error} · {run['calls']:,} · {milliseconds(run['seconds'])} · {share}"


def touch_cell(runs: Sequence[Run]) -> str:
    reported = [run for run in runs if run.get("found")]
    if not reported:
        return "not reported"
    return f"reported, {best(reported)['error']:.0e} · {len(reported)}/{len(runs)}"


def faults(run: Run) -> str:
    total = run["found"] + run["missed"]
    texts = [f"{run['found']} of {total}"] if run["missed"] else []
    texts += [f"{run['invented']} invented"] if run["invented"] else []
    texts += [run["end"]] if run["end"] else []
    return ", ".join(texts)


def milliseconds(seconds: float) -> str:
    if seconds >= 1.0:
        return f"{seconds:.1f} s"
    return f"{1e3 * seconds:.0f} ms" if seconds >= 0.01 else f"{1e3 * seconds:.2g} ms"


def totals(cases: Sequence[Case], runs: Sequence[Run]) -> list[str]:
    """Cases right at the best setting, and at every one; over all runs: found, missed, invented, no result."""
    by_case = [[run for run in runs if run["case"] == case.name] for case in cases if not case.touch]
    of = len(by_case)
    judged = [run for group in by_case for run in group if "found" in run]
    silent = sum(len(group) for group in by_case) - len(judged)
    sums = [sum(run[key] for run in judged) for key in ("found", "missed", "invented")]
    at_best = sum(any(run.get("right") for run in group) for group in by_case)
    always = sum(bool(group) and all(run.get("right") for run in group) for group in by_case)
    return [f"{at_best} of {of}", f"{always} of {of}", *(f"{total:,}" for total in sums), f"{silent}"]


TOTALS = (
    "cases right at its best setting",
    "cases right at every setting",
    "events found, all settings",
    "events missed",
    "events invented",
    "runs that crashed or hung",
)


def markdown(card: Mapping[str, Any], cases: Sequence[Case]) -> str:
    """The large table, the totals, and the versions."""
    tools = card["tools"]
    runs = {tool: [run for run in card["results"] if run["tool"] == tool] for tool in tools}
    head = ["case", "", "events", *(about["name"] for about in tools.values())]
    rows = [
        [
            case.name,
            case.title,
            str(len(case.events)),
            *(
                cell(case, [r for r in runs[tool] if r["case"] == case.name], about["version"])
                for tool, about in tools.items()
            ),
        ]
        for case in cases
    ]
    columns = [totals(cases, runs[tool]) if runs[tool] else ["not installed"] * len(TOTALS) for tool in tools]
    sums = [[name, *values] for name, *values in zip(TOTALS, *columns, strict=True)]
    about = [[a["name"], a["version"], "; ".join(a["methods"]), a.get("machine", "")] for a in tools.values()]
    methods = "methods, each at rtol " + " and ".join(f"{t:.0e}" for t in card["tolerances"])
    parts = [
        grid(head, rows),
        grid(["", *(a["name"] for a in tools.values())], sums),
        grid(["tool", "version", methods, "where"], about),
    ]
    return "\n\n".join(parts) + "\n"


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |" for line in lines)


def write(card: Mapping[str, Any], cases: Sequence[Case], data: Path, page: Path) -> None:
    """Renew the JSON file, and the part of the page between the two marks."""
    data.parent.mkdir(exist_ok=True)
    runs = ",\n".join(json.dumps(run) for run in card["results"])
    head = json.dumps({key: value for key, value in card.items() if key != "results"}, indent=1)
    data.write_text(head.removesuffix("\n}") + f',\n "results": [\n{runs}\n]}}\n')
    before, _, rest = page.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{markdown(card, cases)}\n{END}{after}")


def with_earlier(card: Mapping[str, Any], order: Sequence[str], data: Path) -> Mapping[str, Any]:
    """The card, and the columns of the tools that were not asked this time as the file has them."""
    if not data.exists():
        return card
    earlier = json.loads(data.read_text())
    kept = {tool: about for tool, about in earlier["tools"].items() if tool not in card["tools"]}
    tools = {**card["tools"], **kept}
    results = [*card["results"], *(run for run in earlier["results"] if run["tool"] in kept)]
    return {**card, "tools": {tool: tools[tool] for tool in order if tool in tools}, "results": results}
