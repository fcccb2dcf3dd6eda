"""Print equilibria and their bifurcations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from hybridsim.cli.console.messages import count_text, two_columns
from hybridsim.cli.console.orbits import complex_text, stability_text

if TYPE_CHECKING:
    from hybridsim.analysis import Equilibrium, EquilibriumBranch

EQUILIBRIUM_MEANINGS = {
    "fold": "two equilibria meet and vanish",
    "branch": "another curve of equilibria crosses",
    "hopf": "an orbit begins",
    "boundary": "the equilibrium leaves its chart",
}
"""What happens at a bifurcation."""


def show_equilibrium(found: Equilibrium) -> None:
    """Print an equilibrium: its state, eigenvalues, whether it is stable, and how far the boundaries are."""
    from hybridsim.analysis.equilibria import DECAY

    model, table = found.model, two_columns()
    names = model.charts.names
    word = stability_text(found.stable)
    outside = "" if found.admissible else ", virtual: beyond a boundary of its chart"
    table.add_row("model", Text(model.name))
    table.add_row("equilibrium", Text.assemble(word, outside))
    table.add_row("chart", Text(names[found.chart] if names else str(found.chart)))
    for number, (state, value) in enumerate(zip(model.states, found.x.values(), strict=True)):
        kept = " (kept)" if state.name in found.kept else ""
        table.add_row("" if number else "state", Text(f"{state.name} = {value:.12g} {state.unit}".rstrip() + kept))
    error = DECAY * float(np.abs(found.eigenvalues).max(initial=0.0))
    table.add_row("eigenvalues", Text("\n".join(complex_text(value, error) for value in found.eigenvalues)))
    if found.family:
        table.add_row("family", Text(f"one of a family with {count_text(found.family, 'dimension')}"))
    for number, (name, value) in enumerate(found.boundaries.items()):
        table.add_row("" if number else "boundaries", Text(f"{name} = {value:.9g}"))
    Console().print(table)


def show_equilibria(branch: EquilibriumBranch) -> None:
    """Print the curves of a branch of equilibria, and its bifurcations."""
    console, table = Console(), two_columns()
    values, curves, stable = (branch.points[name] for name in (branch.parameter, "curve", "stable"))
    for curve in np.unique(curves):
        on = curves == curve
        span = f"{branch.parameter} {values[on].min():.9g} to {values[on].max():.9g}"
        n_stable, undecided = np.sum(stable[on].filled(False)), np.ma.getmaskarray(stable[on]).sum()
        doubt = f", {undecided} not decided" if undecided else ""
        table.add_row(f"curve {curve}", Text(f"{span}, {n_stable} of {on.sum()} equilibria stable{doubt}"))
    console.print()
    console.print(table)
    for note in branch.notes:
        console.print(Text(note, "yellow"))
    if not branch.bifurcations:
        console.print("no bifurcations")
        return
    found = Table(
        "bifurcation", escape(branch.parameter), "curve", "born for", "what happens", box=None, padding=(0, 2, 0, 0)
    )
    for each in branch.bifurcations:
        meaning = EQUILIBRIUM_MEANINGS[each.kind]
        if each.kind == "hopf":
            meaning += f" with period {2.0 * np.pi / each.omega:.9g} s"
        side = {1: "larger", -1: "smaller"}.get(each.side, "")
        word = f"{each.type} {each.kind} {each.boundary}".strip()
        found.add_row(word, f"{each.value:.10g}", str(each.curve), side, meaning)
    console.print()
    console.print(found)
