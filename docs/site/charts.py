"""Extension of Sphinx: charts of the tables in docs/benchmarks.md and docs/scorecard.md, where these say so.

`<!-- chart: work-precision -->` in a page stands for a chart; on the forge it is nothing.
"""

import io
import re
from collections.abc import Iterator

import matplotlib as mpl
from matplotlib.figure import Figure

from hybridsim.results.colours import CURVE_COLOURS

MARK = re.compile(r"<!-- chart: ([\w-]+) -->")
OURS, RIGHT, WRONG = "hybridsim", "#1f6fb2", "#d9a441"


def tables(text: str) -> Iterator[list[list[str]]]:
    """Yield the tables of a page, each as rows of cells, the head first."""
    for found in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in found.splitlines()]
        yield [rows[0], *rows[2:]]


def work_precision(text: str) -> Figure:
    """Draw what an accuracy costs, from the tables whose heads are errors."""
    found = [table for table in tables(text) if len(table[0]) > 4 and all("1e-" in cell for cell in table[0][1:])][:2]
    figure = Figure(figsize=(9.2, 4.6), layout="constrained")
    panels = figure.subplots(1, len(found), sharey=True)
    names = [*dict.fromkeys(row[0].replace("`", "") for table in found for row in table[1:])]
    for panel, table in zip(panels, found, strict=True):
        errors = [float(cell) for cell in table[0][1:]]
        for row in table[1:]:
            points = [(e, number(cell)) for e, cell in zip(errors, row[1:], strict=True) if number(cell)]
            name = row[0].replace("`", "")
            k, ours = names.index(name), name.startswith(OURS)
            panel.loglog(
                *zip(*points, strict=True),
                color=CURVE_COLOURS[k % len(CURVE_COLOURS)],
                linewidth=2.4 if ours else 1.1,
                marker="os^Dv<>P*"[k // len(CURVE_COLOURS) * 3 + k % 3],
                markersize=4,
                linestyle="-" if ours else "--",
                label=name,
            )
        panel.set(title=table[0][0], xlabel="largest error after 48 strides")
        panel.grid(color="#d5dbe1", linewidth=0.6)
        panel.invert_xaxis()
    panels[0].set_ylabel("time of a stride [µs]")
    handles = {label: line for panel in panels for line, label in zip(*panel.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside right upper", fontsize=7.5, frameon=False)
    return figure


def number(cell: str) -> float | None:
    """Return the number in a cell, None of a dash."""
    return float(cell.replace(",", "")) if re.fullmatch(r"[\d.,]+", cell) else None


def right_cases(text: str) -> Figure:
    """Draw how many cases each tool gets right, without touches, which count in no sum."""
    head, *rows = max(tables(text), key=len)
    tools, cases = head[3:], [row for row in rows if re.match(r"[A-Z]", row[0]) and not row[0].startswith("C ")]
    figure = Figure(figsize=(7.6, 0.42 * len(tools) + 0.9), layout="constrained")
    panel = figure.subplots()
    for place in range(len(tools)):
        cells = [row[3 + place] for row in cases]
        right, wrong = (sum(cell.startswith(mark) for cell in cells) for mark in "✓✗")
        panel.barh(place, right, color=RIGHT)
        panel.barh(place, wrong, left=right, color=WRONG)
        panel.text(right - 0.5, place, str(right), ha="right", va="center", color="white", fontsize=9)
    panel.set_yticks(range(len(tools)), tools)
    panel.invert_yaxis()
    panel.set_xlabel("cases: right (blue), and wrong or not found (ochre)")
    panel.spines[["top", "right"]].set_visible(False)
    return figure


CHARTS = {
    "work-precision": (work_precision, "The time of a stride over the error, for each tool: the table below as curves"),
    "right-cases": (right_cases, "How many cases of the table below each tool gets right"),
}


def drawn(name: str, text: str) -> str:
    """Return the chart of a name as an element of HTML."""
    make, alt = CHARTS[name]
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif"}):
        buffer = io.StringIO()
        make(text).savefig(buffer, format="svg", metadata={"Date": None})
    svg = buffer.getvalue()[buffer.getvalue().index("<svg") :]
    return f'<figure class="chart" role="img" aria-label="{alt}">{svg}</figure>'


def put_charts(app, docname, source):
    """Draw the charts of a page."""
    text = source[0]
    source[0] = MARK.sub(lambda found: f"```{{raw}} html\n{drawn(found[1], text)}\n```", text)


def setup(app):
    """Connect to the reading of pages."""
    app.connect("source-read", put_charts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
