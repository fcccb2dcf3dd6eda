"""Evaluator: runs that are prepared once, for optimisers and loops that decide by the last result what to run next."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hybridsim.config.keywords import CommonKeywords, config_from_keywords
from hybridsim.config.run_config import resolve
from hybridsim.config.signatures import shows_keywords
from hybridsim.config.source import show
from hybridsim.config.sweep import SweepConfig, sweep_from_keywords
from hybridsim.config.sweep.axis_values import Axis, axis_of_array, axis_of_values
from hybridsim.config.sweep.combinations import ORDERED_KEYS
from hybridsim.config.sweep.targets import Target, find_target
from hybridsim.config.values import split_key
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.sweeps.batch import BatchRunner, is_set_per_run

EVALUATION_CALL_DURATION = 0.1
"""Computing time [s] that a call of the engine is meant to take: Ctrl-C ends the evaluation after it."""


class _OfThread(threading.local):
    """What each thread that calls an Evaluator has of its own, made in its first call.

    Attributes
    ----------
    runner : BatchRunner
        Computes the runs; its memory is that of one run at a time.
    stop : (1,) array of int64
        See `BatchRunner.run`.
    accepted : dict
        Key of an axis -> the least and largest value that have been checked.
    """

    def __init__(self, config: SweepConfig) -> None:
        self.runner = BatchRunner(config)
        self.stop = np.zeros(1, np.int64)
        self.accepted: dict[str, tuple[float, float]] = {}


@explains_keywords()
@shows_keywords(CommonKeywords)
class Evaluator:
    """Computes metrics of runs that differ in a few values, some tens of microseconds after it gets them.

    `sweep` reads and checks its keywords, plans its rows and makes a table in every call, ten milliseconds in all. An
    Evaluator does this once. It is meant for optimisers, root finders and all loops in which a run follows from the one
    before. A call computes on the thread that makes it; calls by several threads run side by side. It can be pickled.

    Parameters
    ----------
    model : str, path-like or Model
        Name of an installed model, path of a plug-in file, or a Model.
    axes : sequence of str
        What varies: names of parameters, inputs, states (initial values), or keys such as `final_time` and `rtol`.
    metrics : sequence or mapping of str, optional
        Metrics, `["count(touchdown)", "max(y)"]` or `{"top": "max(y)"}`; by default those of `sweep`.
    from_ : float or str, optional
        When metrics begin, as in `sweep`: a time [s], or `half` or `75 %` of the run.
    extra_outputs : str or path-like, optional
        Path of a plug-in file of functions `f(t, x, p, chart)` that metrics may name like outputs.
    **keywords
        What is the same in all runs.

    Attributes
    ----------
    axes : tuple of str
        The whole keys of the axes: `parameters.k`.
    metrics : tuple of str
        The names of the metrics.

    Raises
    ------
    ConfigError
        If a keyword, an axis or a metric is wrong, with all problems; or if an axis needs another preparation for
        each of its values, such as `method`.
    ModelError
        If the model cannot be loaded or compiled.

    Examples
    --------
    >>> runner = Evaluator("slip", ["k", "touchdown_angle"], {"steps": "count(touchdown)"}, final_time=20.0)
    >>> runner({"k": 2e4, "touchdown_angle": -0.38})["steps"]
    >>> runner([[2e4, -0.38], [3e4, -0.4]])["steps"]  # two runs
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | Model,
        axes: Sequence[str],
        metrics: Sequence[str] | Mapping[str, str] | None = None,
        *,
        from_: float | str | None = None,
        extra_outputs: str | os.PathLike[str] | None = None,
        **keywords: Unpack[CommonKeywords],
    ) -> None:
        if "record" in keywords:
            raise ConfigError("keyword: record: there is no such keyword: an Evaluator records nothing; use `simulate`")
        given: dict[str, Any] = {"from_": from_, "extra_outputs": extra_outputs, **keywords}
        self._arguments = (model, axes, metrics), given
        base = config_from_keywords(model, **keywords)
        self._targets = _targets(axes, base.model)
        data = resolve(base)
        values = {target.key: [_base_value(data, target)] for target in self._targets}
        config = sweep_from_keywords(model, values, metrics, **given)
        self._own = _OfThread(config)
        self.axes = tuple(target.key for target in self._targets)
        self._ruled = {key for pair in ORDERED_KEYS for key in pair}.intersection(self.axes)
        self.metrics = tuple(metric.name for metric in config.metrics)

    def __call__(self, values: Mapping[str, ArrayLike] | ArrayLike) -> dict[str, Any]:
        """Run the model with these values.

        Parameters
        ----------
        values : mapping or array
            Values by axis, a number each or (n,) numbers each; or an array, (n_axes,) of one run or (n, n_axes) of n
            runs, in the order of `axes`. In the units of the model; words for parameters with choices.

        Returns
        -------
        dict
            Metric -> its values (n,), or a single one for a single run: float64, int64 for counts, names of statuses.

        Raises
        ------
        ConfigError
            If a value is missing, or not allowed.
        KeyboardInterrupt
            If Ctrl-C ended the computation early.
        """
        columns = self._columns(values)
        is_single = all(np.ndim(column) == 0 for column in columns.values())
        rows = self._check({key: np.atleast_1d(column) for key, column in columns.items()})
        parts = [self._own.runner.run(part, self._own.stop) for part in _pieces(rows)]
        table = {name: np.concatenate([part[name] for part in parts]) for name in self.metrics}
        return {name: column[0] for name, column in table.items()} if is_single else table

    def _convert(self, target: Target, column: NDArray[Any], problems: list[str]) -> NDArray[Any]:
        """Return a column in the type of its axis, after adding what is wrong with it to the problems.

        What is allowed is an interval: values between two that have been accepted need no further look.
        """
        if column.dtype.kind == "f" and column.size and not target.whole:
            low, high = self._own.accepted.get(target.key, (np.inf, -np.inf))
            if low <= column.min() and column.max() <= high:
                return column
        axis = _axis(target, column, problems)
        if axis is None:
            return column
        if axis.values.dtype.kind == "f":
            low, high = self._own.accepted.get(target.key, (np.inf, -np.inf))
            self._own.accepted[target.key] = min(low, axis.values.min()), max(high, axis.values.max())
        return axis.values

    def __reduce__(self) -> tuple[Any, ...]:
        arguments, keywords = self._arguments
        return partial(Evaluator, *arguments, **keywords), ()

    def _columns(self, values: Mapping[str, ArrayLike] | ArrayLike) -> dict[str, NDArray[Any]]:
        """Return the values by the keys of the axes, as arrays of any shape."""
        if not isinstance(values, Mapping):
            array = _array(values)
            if array.ndim not in (1, 2) or array.shape[-1] != len(self.axes):
                raise ConfigError(
                    f"values: expected {len(self.axes)} of them, or an array (n, {len(self.axes)}), in the order "
                    f"{', '.join(self.axes)}; found an array {array.shape}"
                )
            return dict(zip(self.axes, np.moveaxis(array, -1, 0), strict=True))
        names = {name: target.key for target in self._targets for name in (target.name, target.key)}
        unknown = [name for name in values if name not in names]
        given = {names[name]: _array(value) for name, value in values.items() if name in names}
        missing = [key for key in self.axes if key not in given]
        if unknown or missing:
            found = f"; {', '.join(map(show, unknown))} is none of them" if unknown else ""
            raise ConfigError(f"values: expected one for each of {', '.join(self.axes)}{found}; give {len(self.axes)}")
        return given

    def _check(self, columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Return the columns in the types of the axes; raise a ConfigError for a value that is not allowed."""
        problems: list[str] = []
        lengths = {len(column) for column in columns.values() if len(column) != 1}
        if len(lengths) > 1 or any(column.ndim > 1 for column in columns.values()):
            shapes = ", ".join(f"{key} {column.shape}" for key, column in columns.items())
            raise ConfigError(f"values: expected (n,) numbers for each axis, found {shapes}; make them equally long")
        checked, n, before = {}, max(lengths, default=1), dict(self._own.accepted)
        for target in self._targets:
            column = self._convert(target, columns[target.key], problems)
            checked[target.key] = column if len(column) == n else np.broadcast_to(column, n)
        if problems:
            raise ConfigError(problems)
        if any(self._own.accepted.get(key) != before.get(key) for key in self._ruled):
            self._refuse_broken_rules(checked, before)
        return checked

    def _refuse_broken_rules(self, columns: Mapping[str, NDArray[Any]], before: dict[str, tuple[float, float]]) -> None:
        """Raise a ConfigError for a value that another key forbids, such as a final time before the initial one."""
        (model, _, metrics), keywords = self._arguments
        extremes = {key: [float(columns[key].min()), float(columns[key].max())] for key in self._ruled}
        try:
            sweep_from_keywords(model, extremes, metrics, **keywords)
        except ConfigError:
            self._own.accepted = before
            raise


def _array(values: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError:
        raise ConfigError("values: expected rows of one length, found some that differ; mend them") from None


def _targets(axes: Sequence[str], model: Model) -> tuple[Target, ...]:
    """Return what the axes stand for; raise a ConfigError for those that cannot vary from run to run."""
    is_list = isinstance(axes, list | tuple) and all(isinstance(name, str) for name in axes)
    if not is_list or not axes:
        found = show(axes) if axes else "none"
        raise ConfigError(
            f"axes: expected a list of names, found {found}; for example axes=['{next(iter(model.states.names))}']"
        )
    problems, targets = [], {}
    for name in axes:
        try:
            target = find_target(name, model)
        except ConfigError as failure:
            problems.append(f"axes: {failure}")
            continue
        if not is_set_per_run(target.key, model):
            problems.append(f"axes: {name}: each value needs another preparation; make an Evaluator for each")
        if target.key in targets:
            problems.append(f"axes: {name}: it is there twice; name it once")
        targets[target.key] = target
    if problems:
        raise ConfigError(problems)
    return tuple(targets.values())


def _axis(target: Target, column: NDArray[Any], problems: list[str]) -> Axis | None:
    """Return an axis with these values; None, after adding the problems, if there are any."""

    def report(text: str, index: int | None = None) -> None:  # noqa: ARG001  (the text has it)
        problems.append(f"values: {target.key}: {text}")

    if column.dtype.kind in "fiu":
        return axis_of_array(target, column, report, degrees=False, source="the array")
    return axis_of_values(target, column.tolist(), report)


def _base_value(data: Mapping[str, Any], target: Target) -> Any:
    """Return a valid value of a key: that of the base run or, for a limit that it does not have, any."""
    section, name = split_key(target.key)
    value = data[section].get(name) if section else data.get(name)
    if value is not None:
        return value
    return data["initial_time"] + 1.0 if target.key == "final_time" else 1


def _pieces(rows: Mapping[str, NDArray[Any]]) -> Iterator[dict[str, NDArray[Any]]]:
    """Divide rows into pieces of about `EVALUATION_CALL_DURATION`; the time between two is what the first one took."""
    n, first, size = len(next(iter(rows.values()))), 0, 1
    while first < n:
        began = time.perf_counter()
        yield {key: column[first : first + size] for key, column in rows.items()}
        first += size
        spent = time.perf_counter() - began
        size = max(1, int(size * min(EVALUATION_CALL_DURATION / max(spent, 1e-6), 8.0)))
