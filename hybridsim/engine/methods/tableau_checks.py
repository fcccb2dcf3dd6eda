"""Do coefficients make a method? Their shapes, and Butcher's order conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray

Tree = tuple[Any, ...]
"""A rooted tree: the subtrees at its root."""


def array_of(name: str, key: str, value: Any) -> FloatArray:
    """Return coefficients as an array of finite numbers."""
    try:
        array = np.asarray(value, float)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if not np.isfinite(array).all():
        advice = "write them as decimal numbers with all digits, or compute them in a .py file"
        raise ConfigError(f"the method {name}: {key}: expected finite numbers, found {value!r}; {advice}")
    return array


def refuse_wrong_shapes(
    name: str, rows: Sequence[FloatArray], arrays: Mapping[str, FloatArray], orders: tuple[Any, ...]
) -> None:
    """Raise a ConfigError if the rows of a, the other arrays and the orders do not belong together."""
    problems = list(_wrong_shapes(rows, arrays))
    if any(order is not None and (not isinstance(order, int) or order < 1) for order in orders):
        problems.append("order: expected a whole number from 1 on; give the order of the method, and of its estimate")
    if not isinstance(name, str) or not name:
        problems.append("name: expected a name; give one")
    if problems:
        raise ConfigError(f"the method {name}: {problem}" for problem in problems)


def _wrong_shapes(rows: Sequence[FloatArray], arrays: Mapping[str, FloatArray]) -> Iterator[str]:
    stages, size = arrays["b"].size, len(rows) + 1
    if arrays["b"].ndim != 1 or not stages or len(rows) < stages:
        yield f"a, b: expected a row of a for each weight in b, found {len(rows)} rows and {stages} weights; add rows"
        return
    for i, row in enumerate(rows):
        first_later = i if i < stages else i + 1  # the new point stands before the stages of the extension
        if row.ndim != 1 or row[first_later:].any():
            yield (
                f"a: row {i} may have numbers in the {first_later} columns before it only, because a stage uses the "
                "slopes of those before it; the engine makes no implicit stages: for stiff models take rodas5p"
            )
    shapes: dict[str, tuple[Any, ...]] = {"c": (size - 1,), "e": (stages + 1,), "e_third": (stages + 1,)}
    shapes |= {"extension": (size, "m"), "coupling": (size, size), "time_weights": (size,)}
    for key, shape in shapes.items():
        array = arrays.get(key)
        least = {"e": stages, "e_third": stages, "extension": 1}.get(key, shape[0])
        if array is not None and (
            array.ndim != len(shape) or not least <= len(array) <= shape[0] or not array.shape[-1]
        ):
            yield f"{key}: expected the shape {_text(shape)}, found {_text(array.shape)}; correct it"


def _text(shape: tuple[Any, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def largest_defects(weights: FloatArray, a: FloatArray, order: int, scale: float) -> list[float]:
    """Return how far weights are from the order conditions, which belong to Butcher's trees.

    The condition of a tree is sum_j weights_j Phi_j = scale / gamma, where Phi_j is the product over the branches at
    its root of sum_k a_jk Phi_k, and gamma its density.

    Parameters
    ----------
    weights : (R,) array
        Weights of the slopes.
    a : (R, R) array
        Coefficients of the stages.
    order : int
        The highest order.
    scale : float
        1 for the weights of a new point, 0 for those of an error estimate.

    Returns
    -------
    list of float
        For each order from 1 on the largest defect, relative to the sum of the sizes of its terms.
    """
    known: dict[Tree, tuple[FloatArray, int]] = {}
    largest = []
    for vertices in range(1, order + 1):
        defects = []
        for tree in rooted_trees(vertices):
            phi, density = np.ones(len(a)), vertices
            for branch in tree:
                phi, density = phi * known[branch][0], density * known[branch][1]
            known[tree] = a @ phi, density
            terms = weights * phi
            defects.append(abs(terms.sum() - scale / density) / max(abs(terms).sum(), 1.0))
        largest.append(float(max(defects)))
    return largest


@cache
def rooted_trees(vertices: int) -> tuple[Tree, ...]:
    """Return all rooted trees with that many vertices."""
    return tuple(_forests(vertices - 1, (vertices, 0)))


def _forests(vertices: int, largest: tuple[int, int]) -> Iterator[Tree]:
    """Yield all collections of trees with that many vertices together, none larger than number (size, index)."""
    if vertices == 0:
        yield ()
    for size in range(1, vertices + 1):
        for index, tree in enumerate(rooted_trees(size)):
            if (size, index) <= largest:
                yield from ((tree, *rest) for rest in _forests(vertices - size, (size, index)))
