"""The rules that join the states at the nodes of an interval: where slopes are taken, and with which weights.

An interval of length h begins at a node 0 and has k more nodes. The state at node j misses the rule by

    c_j = x_j - x_0 - h sum_i a_ji f_i - h m f(x_m),   x_m = sum_i (w_i x_i + h v_i f_i)

with slopes f_i at its nodes 0 to k, and one at a middle x_m, if the rule has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from hybridsim.typing import FloatArray, Scheme


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A scheme of collocation.

    Attributes
    ----------
    places : (k + 1,) array
        Where the nodes are in an interval, from 0 to 1.
    weights : (k, k + 1) array
        Those of the slopes at the nodes, a.
    middle : float
        The weight of the slope in the middle, m; 0 for none.
    of_state, of_slope : (2,) array
        Weights of the states and of the slopes at both ends in the state in the middle, w and v.
    """

    places: FloatArray
    weights: FloatArray
    middle: float = 0.0
    of_state: FloatArray = field(default_factory=lambda: np.array([0.5, 0.5]))
    of_slope: FloatArray = field(default_factory=lambda: np.zeros(2))

    @property
    def n_more(self) -> int:
        """How many nodes an interval has besides the first one."""
        return len(self.weights)

    @property
    def skips_first(self) -> bool:
        """Whether it never reads slopes at the beginning of an interval."""
        return not (self.weights[:, 0].any() or self.middle)


ENDS = np.array([0.0, 1.0])


def _radau() -> Rule:
    """Return the rule of three stages and order 5, which is stiffly accurate (Hairer and Wanner 1996, table IV.5.6)."""
    root = np.sqrt(6.0)
    weights = [
        [(88 - 7 * root) / 360, (296 - 169 * root) / 1800, (-2 + 3 * root) / 225],
        [(296 + 169 * root) / 1800, (88 + 7 * root) / 360, (-2 - 3 * root) / 225],
        [(16 - root) / 36, (16 + root) / 36, 1 / 9],
    ]
    places = np.array([0.0, (4 - root) / 10, (4 + root) / 10, 1.0])
    return Rule(places, np.column_stack([np.zeros(3), weights]))


RULES: Mapping[Scheme, Rule] = {
    "euler": Rule(ENDS, np.array([[0.0, 1.0]])),
    "midpoint": Rule(ENDS, np.zeros((1, 2)), 1.0),
    "trapezoid": Rule(ENDS, np.array([[0.5, 0.5]])),
    "hermite-simpson": Rule(ENDS, np.array([[1 / 6, 1 / 6]]), 2 / 3, of_slope=np.array([0.125, -0.125])),
    "radau": _radau(),
}
"""The rules by their names in configs."""
