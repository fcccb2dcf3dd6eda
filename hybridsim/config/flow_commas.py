"""Values in parentheses that YAML splits at their commas: `{k: uniform(1, 2)}` has the keys `k` and `2)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import yaml


class SplitValue(NamedTuple):
    """Indices of the children of a flow collection that were written as one value.

    Attributes
    ----------
    first, last : int
        Indices of the pieces with the opening and with the closing parenthesis.
    end : int
        Index of the next child that does not belong to the value.
    """

    first: int
    last: int
    end: int


def split_value(children: Sequence[yaml.Node], *, is_mapping: bool) -> SplitValue | None:
    """Find a value in parentheses that was split at its commas.

    Parameters
    ----------
    children : sequence of yaml.Node
        The items of a sequence, or key, value, key, value, ... of a mapping.
    is_mapping : bool
        Whether the children are those of a mapping. There, every further piece is a key without a value.

    Returns
    -------
    SplitValue or None
        The first such value, None if there is none.
    """
    for first, child in enumerate(children):
        last = _closing(children, first) if _open_parentheses(child) > 0 else None
        if last is None:
            continue
        end = last + 1 + (is_mapping and first % 2 == 1 and last % 2 == 0)
        if not is_mapping or (end - first) % 2 == 1:
            return SplitValue(first, last, end)
    return None


def _closing(children: Sequence[yaml.Node], first: int) -> int | None:
    n_open = 0
    for index in range(first, len(children)):
        n_open += _open_parentheses(children[index])
        if n_open <= 0:
            return index
    return None


def _open_parentheses(node: yaml.Node) -> int:
    """Return the number of parentheses that a plain scalar opens and does not close."""
    is_plain = isinstance(node, yaml.ScalarNode) and not node.style  # None, and "" from libyaml
    return node.value.count("(") - node.value.count(")") if is_plain else 0


def quote(text: str) -> str:
    """Return a text in single quotes, as YAML writes them."""
    return "'" + text.replace("'", "''") + "'"
