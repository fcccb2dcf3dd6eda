"""Read metrics: quantities of each run that are columns of the table of a sweep."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, cast

from hybridsim.config.formulas import CONSTANTS, advice_on_call, read_formula, unit_of
from hybridsim.config.source import Address, Diagnostics, Node, number_from, show
from hybridsim.config.sweep.quantities import Quantities
from hybridsim.config.sweep.targets import Target, find_target
from hybridsim.config.values import split_key
from hybridsim.errors import ConfigError
from hybridsim.model import Model, list_names, nearest
from hybridsim.typing import MetricKind


@dataclass(frozen=True, slots=True)
class Metric:
    """One column of results in the table of a sweep.

    Attributes
    ----------
    name : str
        Name of the column.
    kind : str
        A word of `MetricKind`; "orbit" in a table of orbits.
    of : str
        The boundary (count, time, at, after, last, last_after), the quantity (final, min, max, mean, integral, std),
        the statistic, or the text of a formula; "" for the status.
    number : int
        n of the n-th event (time, at, after), number of the last events (last, last_after), else 0.
    unit : str
        Unit of the values: "s" for times, "" for counts.
    quantity : str
        The quantity, if there is one: `t`, a state, an output, an extra output, or the text of a formula of these.
    operands : tuple of Metric
        The measured metrics from which it is computed, also through other formulas; `CAUSE_OPERANDS` of a cause.
    formula : ast.expr or None
        The formula, whose leaves are names of metrics, texts of metrics, and keys (see `find_target`).
    """

    name: str
    kind: MetricKind
    of: str
    number: int
    unit: str
    quantity: str = ""
    operands: tuple[Metric, ...] = ()
    formula: ast.expr | None = field(default=None, compare=False, repr=False)


STATUS_KIND: MetricKind = "status"
"""Kind and text of the metric whose values are the names of statuses."""

CAUSE_KIND: MetricKind = "cause"
"""Kind and text of the metric that says in words what ended a run."""

WORD_KINDS = (STATUS_KIND, CAUSE_KIND)
"""Kinds of metrics whose values are words."""

CAUSE_OPERANDS = (
    Metric(STATUS_KIND, STATUS_KIND, "", 0, ""),
    *(
        Metric(word, "statistic", word, 0, "")
        for word in ("end_boundary", "end_state", "end_message", "chart")  # words of the engine's memory
    ),
)
"""What the engine knows of the end of a run."""

COUNT_KINDS = ("count", "statistic")
"""Kinds of metrics that are whole numbers."""

LAST_KINDS = ("last", "last_after")
"""Kinds of metrics with a value for each of several events: columns of the table of events."""

FORMULA_KIND: MetricKind = "formula"
"""Kind of a metric that is computed from others."""

BOUNDARY_KINDS = ("count", "time", "at", "after", *LAST_KINDS)
"""Kinds of metrics that name a boundary."""

_QUANTITY_KINDS = ("final", "min", "max", "mean", "integral", "std")
_KINDS_AT_EVENTS = ("at", "after")
MAX_LAST_EVENTS = 10_000
"""Most events of a run in the table of events."""

STATISTICS = ("steps", "rejected", "vector_field_calls", "boundary_calls", "transitions")
"""Names of the numbers that the engine counts in every run; each is also the name of a metric."""

METRIC_FORMS = (
    *WORD_KINDS,
    "count(BOUNDARY)",
    "time(BOUNDARY, n)",
    *(f"{kind}(BOUNDARY, n, QUANTITY)" for kind in _KINDS_AT_EVENTS),
    *(f"{kind}(BOUNDARY, k, QUANTITY)" for kind in LAST_KINDS),
    *(f"{kind}(QUANTITY)" for kind in _QUANTITY_KINDS),
    *STATISTICS,
    "METRIC / METRIC",
)
"""Forms in which a metric may be written."""

_COUNTS_OF_ARGUMENTS = {
    "count": (1,),
    "time": (1, 2),
    **dict.fromkeys((*_KINDS_AT_EVENTS, *LAST_KINDS), (3,)),
    **dict.fromkeys(_QUANTITY_KINDS, (1,)),
}
_MAX_EVENT_NUMBER = 10**15  # the engine counts in 64 bits


def read_metrics(root: Node, reader: MetricReader, diagnostics: Diagnostics) -> list[tuple[Metric, str]]:
    """Read the metrics that the key `metrics` lists, or the default ones.

    Parameters
    ----------
    root : Node
        The configuration.
    reader : MetricReader
        Reads each of them.
    diagnostics : Diagnostics
        Gets the errors.

    Returns
    -------
    list of (Metric, str)
        The valid metrics with their texts.
    """
    node = root.value.get("metrics")
    entries: list[tuple[str, str, Address]]
    if node is None or node.value is None:
        texts = [*WORD_KINDS, "final(t)", *(f"count({name})" for name in reader.model.boundary_records.names)]
        entries = [(text, text, ("metrics",)) for text in texts]
    else:
        entries = list(_entries(node, diagnostics, root))
    metrics = []
    for name, text, _ in entries:
        reader.texts.setdefault(name, text)
    for name, text, address in entries:
        try:
            metrics.append((reader.column(name), text))
        except ConfigError as failure:
            diagnostics.error(root, address, str(failure))
        except RecursionError:
            diagnostics.error(root, address, f"{show(name)} depends on too many others; let it depend on fewer")
        except KeyError:
            continue  # it may be an extra output of the file that could not be loaded
    if node is not None and isinstance(node.value, list | dict) and not node.value:
        text = f"expected at least one metric, found none; write {', '.join(METRIC_FORMS)}"
        diagnostics.error(root, ("metrics",), text)
    return metrics


def _entries(node: Node, diagnostics: Diagnostics, root: Node) -> Iterator[tuple[str, str, Address]]:
    """Yield (column, text, address) of the metrics in a list, or in a mapping of columns to metrics."""
    listed = dict(enumerate(node.value)) if isinstance(node.value, list) else node.value
    items = listed.items() if isinstance(listed, dict) else ()
    for name_or_index, item in items:
        address: Address = ("metrics", name_or_index)
        if not isinstance(item.value, str):
            found = show(item.plain())
            diagnostics.error(root, address, f"expected a metric as text, found {found}; write {METRIC_FORMS[2]}")
        elif isinstance(name_or_index, str) and not name_or_index.strip():
            diagnostics.error(root, address, "expected the name of a column, found none; write NAME: METRIC")
        else:
            text = item.value.strip()
            yield (name_or_index if isinstance(name_or_index, str) else text), text, address


def to_measure(metrics: Iterable[Metric]) -> list[Metric]:
    """Return the metrics that are measured in a run: formulas and causes are computed from their operands."""
    computed = (FORMULA_KIND, CAUSE_KIND)
    leaves = (metric.operands if metric.kind in computed else (metric,) for metric in metrics)
    return list(dict.fromkeys(chain.from_iterable(leaves)))


def kept_counts(metrics: Iterable[Metric]) -> list[int]:
    """Return how many values at events each metric keeps."""
    return [metric.number if metric.kind in LAST_KINDS else 0 for metric in metrics]


class MetricReader:
    """Reads metrics, of which one may name the others.

    Parameters
    ----------
    model : Model
        The model.
    quantities : Quantities
        What they may be of.
    axes : mapping of str
        Keys that vary, `initial.y`.

    Attributes
    ----------
    texts : mapping of str to str
        The metrics by the names of their columns.
    """

    def __init__(self, model: Model, quantities: Quantities, axes: Mapping[str, Any]) -> None:
        self.model, self.texts = model, dict[str, str]()
        self._quantities, self._axes = quantities, axes
        self._known: dict[str, Metric | None] = {}

    def column(self, name: str) -> Metric:
        """Return the metric of a column.

        Raises
        ------
        ConfigError
            If its text is no metric.
        KeyError
            If it names what may be in a file that could not be loaded.
        """
        if name not in self._known:
            self._known[name] = None
            try:
                self._known[name] = self._metric(name, self.texts[name])
            finally:
                if self._known[name] is None:
                    del self._known[name]
        found = self._known[name]
        if found is None:
            raise ConfigError(f"the metric {show(name)} is computed from itself; let it depend on others only")
        return found

    def _metric(self, name: str, text: str) -> Metric:
        tree = _WithoutAbs().visit(read_formula(text))
        measured = self._measured(name, tree)
        if measured is not None:
            return measured
        leaves: dict[str, Metric | Target | None] = {}

        def unit(leaf: str) -> str:
            leaves[leaf] = found = self._operand(leaf, name, text)
            return found.unit if found else ""

        unit_of_all = unit_of(tree, unit)
        if not leaves:
            raise ConfigError(f"{show(text)} is a number; write a metric, such as final(t)")
        metrics = [found for found in leaves.values() if isinstance(found, Metric)]
        return Metric(name, FORMULA_KIND, text, 0, unit_of_all, "", tuple(to_measure(metrics)), tree)

    def _operand(self, leaf: str, name: str, text: str) -> Metric | Target | None:
        """Return what a leaf of the formula of a column is: a metric, a key, or None for a constant."""
        is_column = leaf in self.texts and not leaf == name == text
        found = self.column(leaf) if is_column else self._measured(leaf, read_formula(leaf))
        if found is not None and found.kind in (*WORD_KINDS, *LAST_KINDS):
            raise ConfigError(
                f"expected metrics that are a number in each run, found {leaf!r}, a {found.kind}; leave it out"
            )
        if found is not None or leaf in CONSTANTS:
            return found
        try:
            target = find_target(leaf, self.model)
        except ConfigError:
            target = None
        if target is None or target.words or (leaf in self.model.states.names and target.key not in self._axes):
            raise ConfigError(self._advice(leaf, text))
        return target

    def _measured(self, name: str, tree: ast.expr) -> Metric | None:
        """Return the metric that a run measures; None if this is a formula or a name."""
        match tree:
            case ast.Name(id="status" | "cause" as word):
                return Metric(name, word, "", 0, "", "", CAUSE_OPERANDS if word == CAUSE_KIND else ())
            case ast.Name(id=word) if word in STATISTICS:
                return Metric(name, "statistic", word, 0, "")
            case ast.Call(func=ast.Name(id=word), args=given) if len(given) in _COUNTS_OF_ARGUMENTS.get(word, ()):
                kind = cast("MetricKind", word)
                if kind in BOUNDARY_KINDS:
                    return self._metric_of_boundary(name, kind, given)
                quantity, unit = self._quantities.read(given[0])
                return Metric(name, kind, quantity, 0, f"{unit} s".strip() if kind == "integral" else unit, quantity)
        return None

    def _metric_of_boundary(self, name: str, kind: MetricKind, given: list[ast.expr]) -> Metric:
        boundary, *numbers = map(ast.unparse, given)
        names = self.model.boundary_records.names
        if boundary not in names:
            hint = nearest(boundary, names) or f"; choose from: {list_names(names, boundary)}"
            raise ConfigError(f"the model {self.model.name} has no boundary {boundary!r}{hint}")
        if kind == "count":
            return Metric(name, kind, boundary, 0, "")
        if kind in LAST_KINDS:
            expected = f"how many of the last events to keep, 1 to {MAX_LAST_EVENTS:,}"
            number = _whole(numbers[0], MAX_LAST_EVENTS, expected, f"{kind}({boundary}, 50, {numbers[1]})")
        else:
            expected = "the number of an event, counted from 1"
            number = _whole(numbers[0] if numbers else "1", _MAX_EVENT_NUMBER, expected, "time(BOUNDARY, 1)")
        if kind == "time":
            return Metric(name, kind, boundary, number, "s")
        quantity, unit = self._quantities.read(given[2])
        return Metric(name, kind, boundary, number, unit, quantity)

    def _advice(self, leaf: str, text: str) -> str:
        """Return the message for a leaf of a formula that is none."""
        model, word, within = self.model, leaf.partition("(")[0], "" if leaf == text else f" in {show(text)}"
        kinds = (*WORD_KINDS, *_COUNTS_OF_ARGUMENTS, *STATISTICS)
        if leaf in (*model.states.names, *model.output_records.names):
            forms = f"final({leaf}), min({leaf}), max({leaf}) or mean({leaf})"
            return f"expected a metric, found {leaf!r} alone{within}; write {forms}"
        if word in kinds:
            form = next(form for form in METRIC_FORMS if form.partition("(")[0] == word)
            return f"expected {form}, found {show(leaf)}{within}; write it like this"
        if word != leaf or leaf == text:
            columns = [name for name, other in self.texts.items() if other != text]
            hint = advice_on_call(word, (*kinds, *columns)) or f"; the metrics are {', '.join(METRIC_FORMS)}"
            return f"there is no metric {show(leaf)}{within}{hint}"
        axes = [split_key(key)[1] for key in self._axes]
        known = [*(name for name, other in self.texts.items() if other != text), *axes]
        others = (*model.parameters.names, *kinds, *(f"initial.{name}" for name in model.states.names))
        hint = nearest(leaf, known) or nearest(leaf, others)
        hint = hint or f"; choose from: {list_names(known, leaf)}, or write a metric, such as final(t)"
        return f"there is no metric, axis or parameter {show(leaf)}{within}{hint}"


class _WithoutAbs(ast.NodeTransformer):
    """Write max(abs(Q)) as the larger of max(Q) and -min(Q), which are exact where abs has a corner."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="max"), args=[ast.Call(func=ast.Name(id="abs"), args=[inside])]):
                quantity = ast.unparse(inside)
                return read_formula(f"max(max({quantity}), -min({quantity}))")
        return self.generic_visit(node)


def _whole(text: str, most: int, expected: str, example: str) -> int:
    """Return the whole number from 1 to `most` that a text is."""
    number = number_from(text)
    if number is None or not 1 <= number <= most or number != int(number):
        raise ConfigError(f"expected {expected}, found {show(text)}; write {example}")
    return int(number)
