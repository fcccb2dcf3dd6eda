"""Equilibria as columns of a table, and as what a file contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.diagram import columns_of
from hybridsim.simulation.unpacking import provenance_of

if TYPE_CHECKING:
    from hybridsim.analysis.equilibria import Equilibrium
    from hybridsim.analysis.hopf import EquilibriumBifurcation
    from hybridsim.results.branches import BranchRecord


def equilibrium_columns(equilibria: Sequence[Equilibrium]) -> dict[str, NDArray[Any]]:
    """Return columns, (n,) each: `stable`, `admissible`, the states, `eigenvalue_0` and so on."""
    undecided, eigenvalues = [each.stable is None for each in equilibria], np.array([e.eigenvalues for e in equilibria])
    return {
        "stable": np.ma.array([bool(each.stable) for each in equilibria], mask=undecided),
        "admissible": np.array([each.admissible for each in equilibria]),
        **{name: np.array([each.x[name] for each in equilibria]) for name in equilibria[0].x},
        **{f"eigenvalue_{i}": column for i, column in enumerate(eigenvalues.T)},
    }


def record_of_equilibria(
    first: Equilibrium,
    columns: Mapping[str, NDArray[Any]],
    parameter: str = "",
    bifurcations: Sequence[EquilibriumBifurcation] = (),
    **about: Any,
) -> BranchRecord:
    """Return what the file or the picture of equilibria is made of.

    Parameters
    ----------
    first : Equilibrium
        The first of them.
    columns : mapping of str to (n,) array
        The table.
    parameter : str
        The parameter that they are followed through; "" for a single one.
    bifurcations : sequence of EquilibriumBifurcation
        The bifurcations.
    **about
        `to`, `back_to` and `notes` of a branch.
    """
    from hybridsim.results.branches import BIFURCATIONS_OF, BranchRecord  # noqa: PLC0415  (it loads h5py)

    model, n = first.model, len(columns["stable"])
    eigenvalues = [name for name in columns if name.startswith("eigenvalue_")]
    return BranchRecord(
        **{"to": 0.0, "back_to": None, "notes": (), **about},
        model_name=model.name,
        parameter=parameter,
        max_strides=1,
        points={name: column for name, column in columns.items() if name not in eigenvalues}
        | {"strides": np.ones(n, int)},
        multipliers=np.array([columns[name] for name in eigenvalues], complex).reshape(len(eigenvalues), n).T,
        visits=np.array([columns[name] for name in model.states.names]).T[:, None],
        states=model.states.names,
        units={each.name: each.unit for records in (model.parameters, model.states) for each in records},
        bifurcations=columns_of(bifurcations, BIFURCATIONS_OF["equilibria"], len(model.states)),
        pending={},
        provenance=provenance_of(first.config),
        what="equilibria",
    )
