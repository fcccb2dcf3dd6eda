"""Random and Latin-hypercube samples: axes drawn together from distributions, reproducible by their seed."""

from __future__ import annotations

import numpy as np

from hybridsim.config.source import Node, show
from hybridsim.config.sweep.axes import Axis
from hybridsim.config.sweep.axis_values import ReportError, axis_of_array
from hybridsim.config.sweep.expressions import distribution
from hybridsim.config.sweep.targets import Target
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray


def uniform_numbers(method: str, samples: int, axes: int, seed: int) -> FloatArray:
    """Return numbers in [0, 1), (samples, axes): independent for `random`, stratified for `latin_hypercube`."""
    if method == "random":
        return np.random.default_rng(seed).random((samples, axes))
    from scipy.stats import qmc  # noqa: PLC0415  (half a second, for this case alone)

    numbers: FloatArray = qmc.LatinHypercube(axes, rng=seed).random(samples)
    return numbers


def draw_axis(target: Target, node: Node, u: FloatArray, report: ReportError) -> Axis | None:
    """Return the axis whose values are the quantiles of the node's distribution at u, (n,) in [0, 1).

    Report an error and return None if the distribution is invalid.
    """
    if target.words or target.whole:
        found = "a word" if target.words else "a whole number"
        report(f"{found} cannot be drawn from a distribution; list its values in `axes` or `zip`")
        return None
    if not isinstance(node.value, str):
        report(f"expected a distribution such as uniform(0, 1), found {show(node.value)}; write one")
        return None
    try:
        drawn = distribution(node.value, target)
    except ConfigError as failure:
        report(str(failure))
        return None
    with np.errstate(all="ignore"):
        values = drawn.values(u)

    def report_distribution(text: str, index: int | None = None) -> None:
        """Advise to change the distribution: the user did not write the value that was drawn."""
        found = text.rpartition("; ")[0] if index is not None else text
        report(found + ("" if index is None else "; draw within the bounds with uniform(a, b), or a smaller sigma"))

    source = f"{node.value} as drawn"
    return axis_of_array(target, values, report_distribution, degrees=drawn.degrees, source=source)
