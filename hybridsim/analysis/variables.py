"""The states and parameters by which strides are differentiated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hybridsim.engine.compiler.dual_lanes import DUAL_LANES
from hybridsim.simulation.row_loops import PARAMETER, STATE
from hybridsim.typing import FloatArray, IntArray


class Variables:
    """All states, and some parameters; derivatives by states that are known need not be computed.

    Parameters
    ----------
    n_states : int
        Number of the states.
    parameters : sequence of int
        Indices of the parameters.

    Attributes
    ----------
    computed : pair of (n,) int arrays
        Kinds and indices of those by which derivatives are computed, as of `vary`.
    """

    def __init__(self, n_states: int, parameters: Sequence[int]) -> None:
        kinds = np.array([STATE] * n_states + [PARAMETER] * len(parameters))
        self.computed: tuple[IntArray, IntArray] = kinds, np.array([*range(n_states), *parameters])
        self._factors, self._shown = np.zeros(n_states), np.ones(len(kinds), bool)

    @property
    def passes(self) -> int:
        """How often a stride is replayed for its derivatives."""
        return -(-len(self.computed[0]) // DUAL_LANES)

    def leave_out(self, states: Mapping[int, float]) -> None:
        """Compute no more derivatives by states that change themselves alone, by a known factor, 1 or 0."""
        self._factors[[*states]], self._shown[[*states]] = [*states.values()], False
        kinds, index = self.computed
        self.computed = kinds[self._shown], index[self._shown]

    def complete(self, computed: FloatArray, *, itself: bool = False) -> FloatArray:
        """Return derivatives by all states and parameters, (k, n), from those computed: of the states, or of times."""
        if self._shown.all():
            return computed
        completed = np.zeros((len(computed), len(self._shown)))
        if itself:
            np.fill_diagonal(completed, self._factors)
        completed[:, self._shown] = computed
        return completed
