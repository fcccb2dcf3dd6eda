"""Random and Latin-hypercube samples: axes drawn together from distributions, the same for the same seed."""

from __future__ import annotations

import numpy as np

from hybridsim.config.source import Node, shown
from hybridsim.config.sweep.axes import Axis
from hybridsim.config.sweep.axis_values import Complain, axis_of_array
from hybridsim.config.sweep.expressions import distribution
from hybridsim.config.sweep.targets import Target
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray


def uniform_numbers(kind: str, samples: int, axes: int, seed: int) -> FloatArray:
    """Numbers in [0, 1), (samples, axes): independent for `random`, stratified for `latin_hypercube`."""
    if kind == "random":
        return np.random.default_rng(seed).random((samples, axes))
    from scipy.stats import qmc  # noqa: PLC0415  (half a second, for this case alone)

    numbers: FloatArray = qmc.LatinHypercube(axes, rng=seed).random(samples)
    return numbers


def drawn_axis(target: Target, node: Node, u: FloatArray, complain: Complain) -> Axis | None:
    """The axis that the distribution in `node` gives for u (n,); None, and a problem, if it cannot."""
    if target.words or target.whole:
        kind = "a word" if target.words else "a whole number"
        complain(f"{kind} cannot be drawn from a distribution; list its values in `axes` or `zip`")
        return None
    if not isinstance(node.value, str):
        complain(f"expected a distribution such as uniform(0, 1), found {shown(node.value)}; write one")
        return None
    try:
        drawn = distribution(node.value, target)
    except ConfigError as failure:
        complain(str(failure))
        return None
    with np.errstate(all="ignore"):
        values = drawn.values(u)

    def advise(text: str, number: int | None = None) -> None:
        """Which of the values was drawn is nothing to the user, and a distribution has to be changed, not a value."""
        found = text.rpartition("; ")[0] if number is not None else text
        complain(found + ("" if number is None else "; draw within the bounds with uniform(a, b), or a smaller sigma"))

    return axis_of_array(target, values, advise, degrees=drawn.degrees, what=f"{node.value} as drawn")
