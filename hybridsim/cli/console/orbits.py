"""Print orbits, branches and characteristics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from hybridsim.cli.console.messages import count_text, two_columns
from hybridsim.derivatives.matrix import in_columns

if TYPE_CHECKING:
    from hybridsim.analysis import BifurcationPoints, Branch, Orbit
    from hybridsim.analysis.diagram import Points
    from hybridsim.results.events import Event
    from hybridsim.typing import FloatArray

MAX_EVENTS_LISTED = 8
"""Most events of an orbit that are listed with their times."""

BIFURCATION_MEANINGS = {
    "fold": "two orbits meet and vanish",
    "flip": "the period doubles",
    "torus": "a second frequency appears",
    "branch": "another curve of orbits crosses",
    "grazing": "the orbit touches a boundary: events appear or vanish",
    "hopf": "the orbit shrinks to an equilibrium",
}
"""What happens at a bifurcation."""


def show_orbit(orbit: Orbit, file: Path) -> None:
    """Print an orbit: its state on the section, period, multipliers, and whether it is stable."""
    from hybridsim.analysis.accuracy import errors_of, rounded
    from hybridsim.proofs.beside import certificate_of, is_about

    table, errors = two_columns(), errors_of(orbit)
    table.add_row("model", Text(orbit.model.name))
    table.add_row(
        "orbit",
        Text.assemble(
            stability_text(orbit.stable),
            f", {count_text(orbit.strides, 'stride')} in {rounded(orbit.period, errors.period)} {_time(orbit)}",
        ),
    )
    units = {state.name: state.unit for state in orbit.model.states}
    for number, ((name, value), error) in enumerate(zip(orbit.x.items(), errors.x, strict=True)):
        label = f"state {orbit.section}" if number == 0 else ""
        table.add_row(label, Text(f"{name} = {rounded(value, error)} {units[name]}".rstrip()))
    table.add_row("multipliers", Text("\n".join(map(complex_text, orbit.multipliers, errors.multipliers)) or "none"))
    for (name, value), error in zip(orbit.displacement.items(), errors.displacement, strict=True):
        unit = units[name.partition(" ")[0]]
        moved = rounded(value, max(error, 1e-9 * abs(value)))
        table.add_row("per period", Text(f"{name} {'move' if ' ' in name else 'moves'} by {moved} {unit}".rstrip()))
    if orbit.family:
        table.add_row(
            "family", Text(f"one of a family with {count_text(orbit.family, 'dimension')}; orbit.fixed chooses one")
        )
    table.add_row("events", Text(_events(orbit, errors.events)))
    for warning in orbit.warnings:
        table.add_row("warning", Text(warning, "yellow"))
    table.add_row("file", Text(str(file)))
    if (certificate := certificate_of(file)).is_file():
        said = (
            "proven to be the only one nearby; hybridsim prove --check"
            if is_about(certificate, orbit)
            else ("about another orbit, or other files: ")
        )
        table.add_row("proof", Text(f"{said} {certificate}"))
    Console().print(table)


def show_orbits(orbits: Sequence[Orbit]) -> None:
    """Print a table of orbits of one model: their strides, period, stability, and their states on the section."""
    from hybridsim.analysis.all_orbits import table_of

    columns = table_of(orbits)
    rows = zip(*columns.values(), strict=True)
    cells = ([cell if isinstance(cell, str) else f"{cell:.6g}" for cell in row] for row in rows)
    Console().print(Text(in_columns([[*columns], *cells])), soft_wrap=True)


def _events(orbit: Orbit, errors: FloatArray) -> str:
    """Return the events with their times, to six digits at most, or if there are many, how many there are of each."""
    from hybridsim.analysis.accuracy import rounded

    named = [(event.t, _event_name(event)) for event in orbit.events]
    if len(named) <= MAX_EVENTS_LISTED:
        times = (rounded(t, max(error, 1e-6 * t)) for (t, _), error in zip(named, errors, strict=True))
        return ", ".join(f"{name} at {t}" for t, (_, name) in zip(times, named, strict=True)) or "none"
    return ", ".join(f"{count:,} {name}" for name, count in Counter(name for _, name in named).items())


def _event_name(event: Event) -> str:
    """Return the boundaries of an event, and what happens if they do not just cross."""
    kind = "" if event.kind == "crossing" else f" {event.kind}"
    return "+".join(event.boundaries) + kind + (" declined" if event.declined and event.kind != "touch" else "")


def _time(orbit: Orbit) -> str:
    """Return the unit of time: that of an output called `time`, else seconds."""
    return next((output.unit for output in orbit.model.output_records if output.name == "time" and output.unit), "s")


def stability_text(stable: bool | None) -> Text:
    """Return whether something is stable, in colour."""
    from hybridsim.analysis.orbit import STABILITY

    return Text(STABILITY[stable], {True: "green", False: "red", None: "yellow"}[stable])


def complex_text(value: complex, error: float = 0.0) -> str:
    """Return a complex number with its size, with up to 9 of the digits that are known."""
    from hybridsim.analysis.accuracy import rounded

    if error > max(0.1 * abs(value), 0.01):
        return f"{value.real:.1g} {'+' if value.imag >= 0 else '-'} {abs(value.imag):.1g} i, known to {error:.1g} only"
    error = max(error, 1e-9 * abs(value))
    real, imaginary, size = (rounded(part, error) for part in (value.real, abs(value.imag), abs(value)))
    if imaginary == "0":
        return real
    return f"{real} {'+' if value.imag > 0 else '-'} {imaginary} i   (size {size})"


def show_branch(branch: Branch, file: Path) -> None:
    """Print a branch: its curves and its bifurcations."""
    values, curves = branch.points[branch.parameter], branch.points["curve"]
    table = two_columns()
    table.add_row("model", Text(branch.orbit.model.name))
    done = f"{len(branch.points):,} orbits on {count_text(len(np.unique(curves)), 'curve')}"
    table.add_row("branch", Text(done + ("" if branch.complete else ", interrupted"), "" if branch.complete else "red"))
    for curve in np.unique(curves):
        on = curves == curve
        strides, stable = int(branch.points["strides"][on][0]), int(branch.points["stable"][on].sum())
        span = f"{branch.parameter} {values[on].min():.9g} to {values[on].max():.9g}"
        table.add_row(
            f"curve {curve}", Text(f"{count_text(strides, 'stride')}, {span}, {stable} of {on.sum()} orbits stable")
        )
    table.add_row("file", Text(str(file)))
    console = Console()
    console.print(table)
    for note in branch.notes:
        console.print(Text(note, "yellow"))
    if not branch.bifurcations:
        console.print("no bifurcations")
        return
    headings = "bifurcation", escape(branch.parameter), "curve", "strides", "born for", "what happens"
    found = Table(*headings, box=None, padding=(0, 2, 0, 0))
    for each in branch.bifurcations:
        meaning = BIFURCATION_MEANINGS[each.kind].replace("a boundary", each.boundary or "a boundary")
        side = {1: "larger", -1: "smaller"}.get(each.side, "")
        words = f"{each.type} {each.kind}".strip()
        digits = 6 if each.kind == "hopf" and np.isnan(each.coefficient) else 10  # where the orbit is a point nearly
        found.add_row(words, f"{each.value:.{digits}g}", str(each.curve), str(each.strides), side, meaning)
    console.print()
    console.print(found)


def show_bifurcations(points: BifurcationPoints, file: Path) -> None:
    """Print a curve of bifurcations: its ranges, its special points, and where and why it ends."""
    table, console = two_columns(), Console()
    table.add_row("model", Text(points.orbit.model.name))
    table.add_row("curve", Text(", ".join(f"{n:,} {kind}" for kind, n in Counter(points["kind"].tolist()).items())))
    for name in points.parameters:
        table.add_row(name, Text(f"{points[name].min():.9g} to {points[name].max():.9g}"))
    table.add_row("file", Text(str(file)))
    console.print(table)
    for note in points.notes:
        console.print(Text(note, "yellow"))
    special = [[each.kind, *(f"{value:.9g}" for value in each.parameters.values())] for each in points.special]
    if special:
        console.print(Text(f"\n{in_columns([['special point', *points.parameters], *special])}"), soft_wrap=True)


def show_characteristics(orbit: Orbit, names: Sequence[str]) -> None:
    """Print characteristics of an orbit with their units."""
    from hybridsim.analysis.accuracy import errors_of, rounded

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(justify="left", no_wrap=True)
    table.add_column()
    known, errors = orbit.characteristics, errors_of(orbit)
    of_names = {"strides": 0.0, "period": errors.period, "growth": errors.multipliers.max(initial=0.0)}
    for name in names:
        text = rounded(known[name], of_names.get(name, errors.relative * abs(known[name])))
        table.add_row(Text(name), Text(text), Text(known.unit(name)))
    Console().print(table)


def show_orbit_table(orbit: Orbit, points: Points, file: Path) -> None:
    """Print a table of orbits; the units of its columns stand below their names."""
    varied = {parameter.name: parameter.unit for parameter in orbit.model.parameters}
    varied |= {state.name: state.unit for state in orbit.model.states}
    assert orbit.config.orbit is not None
    characteristics, measured = orbit.characteristics, orbit.config.orbit.measure
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in points.columns:
        unit = varied[name] if name in varied else characteristics.unit(measured.get(name, name))
        words = points[name].dtype == object
        table.add_column(Text(f"{name}\n{unit}"), justify="left" if words else "right", overflow="fold")
    for row in range(len(points)):
        cells = [column[row] for column in points.columns.values()]
        table.add_row(*(cell if isinstance(cell, str) else f"{cell:.6g}" for cell in cells))
    console = Console()
    console.print(table)
    console.print(Text(f"written: {file}"), soft_wrap=True)
