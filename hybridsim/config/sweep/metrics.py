"""Read metrics: quantities of each run that are columns of the table of a sweep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hybridsim.config.source import Address, Diagnostics, Node, number_from, show
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
        the statistic, or the text of a ratio; "" for the status.
    number : int
        n of the n-th event (time, at, after), number of the last events (last, last_after), else 0.
    unit : str
        Unit of the values: "s" for times, "" for counts.
    quantity : str
        The quantity, if there is one: `t`, a state, an output or an extra output.
    operands : tuple of Metric
        The metrics from which it is computed: numerator and denominator of a ratio, `CAUSE_OPERANDS` of a cause.
    """

    name: str
    kind: MetricKind
    of: str
    number: int
    unit: str
    quantity: str = ""
    operands: tuple[Metric, ...] = ()


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

RATIO_KIND: MetricKind = "ratio"
"""Kind of a metric that is the quotient of two others."""

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

_COUNTS_OF_ARGUMENTS = {"count": (1,), "time": (1, 2), **dict.fromkeys((*_KINDS_AT_EVENTS, *LAST_KINDS), (3,))}
_MAX_EVENT_NUMBER = 10**15  # the engine counts in 64 bits
_METRIC_ARGUMENT = r"\s*([^\s(),]+)\s*"
_METRIC = re.compile(rf"(\w+)\s*(?:\({_METRIC_ARGUMENT}(?:,{_METRIC_ARGUMENT})?(?:,{_METRIC_ARGUMENT})?\))?")


def read_metrics(
    root: Node, model: Model, extra_outputs: Mapping[str, Any] | None, diagnostics: Diagnostics
) -> list[tuple[Metric, str]]:
    """Read the metrics that the key `metrics` lists, or the default ones.

    Parameters
    ----------
    root : Node
        The configuration.
    model : Model
        The model.
    extra_outputs : mapping or None
        The extra outputs by name; None if they could not be loaded. An unknown quantity may then be one of them, and is
        no error.
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
        texts = [*WORD_KINDS, "final(t)", *(f"count({name})" for name in model.boundary_records.names)]
        entries = [(text, text, ("metrics",)) for text in texts]
    else:
        entries = list(_entries(node, diagnostics, root))
    found: dict[int, tuple[Metric, str]] = {}
    named: dict[str, Metric] = {}
    for place, (name, text, address) in sorted(enumerate(entries), key=lambda item: "/" in item[1][1]):
        try:
            metric = _metric(name, text, model, extra_outputs, named)
        except ConfigError as failure:
            diagnostics.error(root, address, str(failure))
        except KeyError:
            continue  # it may be an extra output of the file that could not be loaded
        else:
            found[place] = metric, text
            named.setdefault(name, metric)
    metrics = [found[place] for place in sorted(found)]
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
    """Return the metrics that are measured in a run: ratios and causes are computed from those of their operands."""
    return list(dict.fromkeys(leaf for metric in metrics for leaf in metric.operands or (metric,)))


def kept_counts(metrics: Iterable[Metric]) -> list[int]:
    """Return how many values at events each metric keeps."""
    return [metric.number if metric.kind in LAST_KINDS else 0 for metric in metrics]


def _metric(
    name: str, text: str, model: Model, extra_outputs: Mapping[str, Any] | None, named: Mapping[str, Metric]
) -> Metric:
    """Parse a metric; raise a KeyError for a quantity that may be in a file that could not be loaded.

    `named` : the metrics that a ratio may name.
    """
    if "/" in text:
        return _ratio(name, text, model, extra_outputs, named)
    match = _METRIC.fullmatch(text)
    groups: tuple[Any, ...] = match.groups() if match else ("",)
    kind, *arguments = groups
    given = [argument for argument in arguments if argument is not None]
    if kind == STATUS_KIND and not given:
        return Metric(name, kind, "", 0, "")
    if kind == CAUSE_KIND and not given:
        return Metric(name, kind, "", 0, "", "", CAUSE_OPERANDS)
    if kind in STATISTICS and not given:
        return Metric(name, "statistic", kind, 0, "")
    if kind in BOUNDARY_KINDS and len(given) in _COUNTS_OF_ARGUMENTS[kind]:
        _refuse_unknown(given[0], model.boundary_records.names, f"the model {model.name} has no boundary {given[0]!r}")
        return _metric_of_boundary(name, kind, given, model, extra_outputs)
    if kind in _QUANTITY_KINDS and len(given) == 1:
        unit = _unit(given[0], model, extra_outputs)
        return Metric(name, kind, given[0], 0, f"{unit} s".strip() if kind == "integral" else unit, given[0])
    raise ConfigError(_advice(text, model))


def _ratio(
    name: str, text: str, model: Model, extra_outputs: Mapping[str, Any] | None, named: Mapping[str, Metric]
) -> Metric:
    """Parse `A / B`, where A and B are names of other metrics, or metrics themselves."""
    words = [word.strip() for word in text.split("/")]
    if len(words) != 2 or not all(words):
        raise ConfigError(f"expected two metrics with one / between them, found {show(text)}; write A / B")
    operands = tuple(named.get(word) or _operand(word, model, extra_outputs, named) for word in words)
    for word, operand in zip(words, operands, strict=True):
        if operand.kind in (*WORD_KINDS, RATIO_KIND, *LAST_KINDS):
            raise ConfigError(
                f"expected metrics that are a number in each run, found {word!r}, a {operand.kind}; divide others"
            )
    return Metric(name, RATIO_KIND, text, 0, _unit_of_ratio(*(operand.unit for operand in operands)), "", operands)


def _operand(word: str, model: Model, extra_outputs: Mapping[str, Any] | None, named: Mapping[str, Metric]) -> Metric:
    if "(" in word or word in STATISTICS:
        return _metric(word, word, model, extra_outputs, named)
    hint = nearest(word, tuple(named)) or f"; choose from: {list_names(named, word)}"
    raise ConfigError(f"there is no metric called {word!r} to divide{hint}, or write a metric, such as final(t)")


def _unit_of_ratio(above: str, below: str) -> str:
    if above == below or not below:
        return "" if above == below else above
    below = below if below.isalnum() else f"({below})"
    return f"{above or '1'}/{below}"


def _metric_of_boundary(
    name: str, kind: MetricKind, given: list[str], model: Model, extra_outputs: Mapping[str, Any] | None
) -> Metric:
    boundary, *numbers = given
    if kind == "count":
        return Metric(name, kind, boundary, 0, "")
    if kind in LAST_KINDS:
        expected = f"how many of the last events to keep, 1 to {MAX_LAST_EVENTS:,}"
        number = _whole(numbers[0], MAX_LAST_EVENTS, expected, f"{kind}({boundary}, 50, {given[2]})")
    else:
        expected = "the number of an event, counted from 1"
        number = _whole(numbers[0] if numbers else "1", _MAX_EVENT_NUMBER, expected, "time(BOUNDARY, 1)")
    if kind == "time":
        return Metric(name, kind, boundary, number, "s")
    return Metric(name, kind, boundary, number, _unit(given[2], model, extra_outputs), given[2])


def _whole(text: str, most: int, expected: str, example: str) -> int:
    """Return the whole number from 1 to `most` that a text is."""
    number = number_from(text)
    if number is None or not 1 <= number <= most or number != int(number):
        raise ConfigError(f"expected {expected}, found {show(text)}; write {example}")
    return int(number)


def _unit(quantity: str, model: Model, extra_outputs: Mapping[str, Any] | None) -> str:
    for records in (model.states, model.output_records):
        if quantity in records.names:
            unit: str = records[quantity].unit
            return unit
    if quantity in (extra_outputs or {}):
        return ""
    if quantity == "t":
        return "s"
    if extra_outputs is None:
        raise KeyError(quantity)
    known = tuple(dict.fromkeys(("t", *model.states.names, *model.output_records.names, *extra_outputs)))
    text = f"the model {model.name} has no state or output {quantity!r}, nor is it an extra output"
    _refuse_unknown(quantity, known, text)
    return ""


def _refuse_unknown(name: str, known: tuple[str, ...], text: str) -> None:
    if name not in known:
        choice = f"; choose from: {list_names(known, name)}"
        raise ConfigError(f"{text}{nearest(name, known) or choice}")


def _advice(text: str, model: Model) -> str:
    """Return the message for a text that is not a metric."""
    kind = text.partition("(")[0].strip()
    kinds = (*WORD_KINDS, *BOUNDARY_KINDS, *_QUANTITY_KINDS, *STATISTICS)
    if text.count("(") != text.count(")"):
        return f"expected a metric, found {show(text)}; close its parenthesis"
    if text in (*model.states.names, *model.output_records.names):
        return f"expected a metric, found {text!r} alone; write final({text}), min({text}), max({text}) or mean({text})"
    if kind not in kinds:
        hint = nearest(kind, kinds) or f"; the metrics are {', '.join(METRIC_FORMS)}"
        return f"there is no metric {show(text)}{hint}"
    form = next(form for form in METRIC_FORMS if form.partition("(")[0] == kind)
    return f"expected {form}, found {show(text)}; write it like this"
