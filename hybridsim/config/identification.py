"""`load_identification`: a config of `hybridsim identify`, checked, with the data of its trials."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from hybridsim.config.building import build, fill_slots, load_named_model
from hybridsim.config.driven_inputs import with_driven_inputs
from hybridsim.config.identification_checks import refuse_other_units, refuse_short_input
from hybridsim.config.identification_config import Free, IdentificationConfig, Phase, Trial
from hybridsim.config.identification_data import Columns, read_columns
from hybridsim.config.identification_settings import RUN_KEYS, IdentificationSettings, PhaseSettings
from hybridsim.config.loading import asks_to_identify, with_overrides
from hybridsim.config.messages import explain
from hybridsim.config.run_config import RunConfig
from hybridsim.config.source import Diagnostics, Node, Origin, show
from hybridsim.config.unknowns import duration_of, free_of, free_parameter, limits_of
from hybridsim.config.values import read_number
from hybridsim.config.yaml_source import read_yaml
from hybridsim.errors import ConfigError, explains_keywords, nearest
from hybridsim.model import Model, list_names
from hybridsim.typing import FloatArray


@explains_keywords()
def load_identification_config(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> IdentificationConfig:
    """Load a config of `hybridsim identify`.

    Parameters
    ----------
    path : str or path-like
        A YAML file.
    overrides : sequence of str
        Assignments `key=value` that replace values of the file.

    Returns
    -------
    IdentificationConfig
        The checked configuration, with its data.

    Raises
    ------
    ConfigError
        If it is invalid, with all problems, one a line, as `file:line:column: key: message`.
    """
    diagnostics = Diagnostics()
    root = with_overrides(read_yaml(Path(path), diagnostics), overrides, diagnostics)
    return _Reader(root, diagnostics, Path(path)).read()


def is_identification(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a config of `hybridsim identify`."""
    return Path(path).suffix in (".yaml", ".yml") and asks_to_identify(read_yaml(Path(path), Diagnostics()))


class _Reader:
    """Reads a configuration, and collects what is wrong with it."""

    def __init__(self, root: Node, diagnostics: Diagnostics, source: Path) -> None:
        self.root, self.diagnostics, self.source = root, diagnostics, source
        run = {key: node for key, node in root.value.items() if key in RUN_KEYS}
        self.own = Node({key: node for key, node in root.value.items() if key not in RUN_KEYS}, root.origin)
        self.run = Node(run, root.origin)

    def read(self) -> IdentificationConfig:
        settings = self._settings()
        self.diagnostics.raise_if_any()
        assert settings is not None
        tables = [*self._tables(settings)]
        self.diagnostics.raise_if_any()
        trials = tuple(self._trials(settings, tables))
        self.diagnostics.raise_if_any()
        model = trials[0].run.model
        self._refuse_unknown_names(settings, model)
        refuse_other_units(self.root, self.diagnostics, settings.measured, model, tables)
        config = IdentificationConfig(
            settings,
            trials,
            tuple(settings.measured),
            dict(self._named("free", model, free_parameter)),
            dict(self._free_inputs(model)),
            dict(self._states("initial", model)),
            dict(self._states("final", model)),
            dict(self._named("limits", model, limits_of)),
            self._duration(("duration",), self.own.value.get("duration")),
            tuple(self._phases(settings, model)),
            self.source,
        )
        self._refuse_incomplete(config)
        self.diagnostics.raise_if_any()
        return config

    def _settings(self) -> IdentificationSettings | None:
        try:
            return IdentificationSettings.model_validate(self.own.plain())
        except ValidationError as failure:
            for error in failure.errors(include_url=False):
                self.diagnostics.error(self.root, error["loc"], explain(error, None, IdentificationSettings))
        return None

    def _tables(self, settings: IdentificationSettings) -> Iterator[Columns]:
        """Read the files of the trials."""
        for number, trial in enumerate(settings.data):
            node = self.own.value["data"]
            entry = node.value[number] if isinstance(node.value, list) else node
            folder = entry.value["file"].origin.folder
            try:
                yield read_columns(folder / Path(trial.file).expanduser(), trial.time, [*settings.measured.values()])
            except ConfigError as failure:
                for problem in failure.problems:
                    self.diagnostics.error(self.root, ("data",), problem)

    def _trials(self, settings: IdentificationSettings, tables: Sequence[Columns]) -> Iterator[Trial]:
        """Build the run of each trial: with its inputs, from its first sample to its last one."""
        if not tables:
            duration = self._duration(("duration",), self.own.value.get("duration"))
            begin = self.run.value["initial_time"].value if "initial_time" in self.run.value else 0.0
            if isinstance(begin, bool) or not isinstance(begin, int | float):
                text = f"expected a number [s], found {show(begin)}; write for example 0"
                self.diagnostics.error(self.root, ("initial_time",), text)
                return
            end = begin + (duration.guess if duration else 1.0)
            data = np.zeros((0, len(settings.measured)))
            yield Trial(self._build(None, begin, end), np.zeros(0), data, self._noise(settings, 0))
        for number, table in enumerate(tables):
            run = self._build(table, float(table.t[0]), float(table.t[-1]))
            yield Trial(run, table.t, table.values, self._noise(settings, number))

    def _build(self, table: Columns | None, begin: float, end: float) -> RunConfig:
        """Build the run with what is held: free states and inputs begin at their guesses."""
        made = Origin("default", computed=True)
        root = self.run
        for key, value in (("initial_time", begin), ("final_time", end)):
            root = root.with_value((key,), Node(value, made))
        sections = {name: dict(root.section(name)) for name in ("inputs", "initial")}
        for section, entries in sections.items():
            for name, node in [*entries.items()]:
                if section == "inputs" and isinstance(node.value, dict) and "free" not in node.value:
                    entries[name] = self._completed(node, table)
                    refuse_short_input(self.root, self.diagnostics, name, entries[name], (begin, end))
                elif isinstance(node.value, dict):
                    entries[name] = node.value.get("guess", Node(None, node.origin))
                if entries[name].value in (None, "free"):
                    del entries[name]
        values = {**root.value, **{name: Node(entries, root.origin) for name, entries in sections.items()}}
        root = with_driven_inputs(Node(values, root.origin), self.diagnostics)
        root, model = fill_slots(root, load_named_model(root, self.diagnostics), self.diagnostics)
        return build(root, model, self.diagnostics, source=self.source)

    def _completed(self, node: Node, table: Columns | None) -> Node:
        """Return an input that follows a column: by default of the file of the trial."""
        more = {} if table is None else {"file": str(table.path.absolute()), "time": table.time}
        return Node({key: Node(value, node.origin) for key, value in more.items()} | node.value, node.origin)

    def _refuse_unknown_names(self, settings: IdentificationSettings, model: Model) -> None:
        states, outputs = [*model.states.names], model.output_records.names
        free = [name for name, _ in self._free_inputs(model)]
        named: list[tuple[tuple[str | int, ...], str, Iterable[str], Sequence[str]]] = [
            (("measured",), "state or output", settings.measured, [*states, *outputs])
        ]
        if settings.cyclic:
            named.append((("cyclic",), "state", [*settings.cyclic, *settings.cyclic.values()], states))
        for key in ("squares", "integrals") if settings.minimize else ():
            costs = getattr(settings.minimize, key)
            named.append((("minimize", key), "state, free input or output", costs, [*states, *free, *outputs]))
        for address, noun, names, known in named:
            for name in dict.fromkeys(names):
                if name not in known:
                    self._unknown((*address, name) if address[-1] != "cyclic" else address, noun, name, known)

    def _unknown(self, address: tuple[str | int, ...], noun: str, name: str, known: Sequence[str]) -> None:
        hint = nearest(name, known) or f"; it has {list_names(known, name)}"
        self.diagnostics.error(self.root, address, f"the model has no {noun} {name!r}{hint}")

    def _noise(self, settings: IdentificationSettings, number: int) -> FloatArray:
        """Return the standard deviations of a trial, by default those of the first one."""
        columns = [*settings.measured.values()]
        given = (settings.data[number].noise or settings.data[0].noise) if settings.data else {}
        for name in settings.data[number].noise if settings.data else ():
            if name not in columns:
                hint = nearest(name, columns) or "; name a column of `measured`"
                text = f"no measured quantity is in column {name!r}{hint}"
                self.diagnostics.error(self.root, ("data", number, "noise", name), text)
        without = [column for column in columns if column not in given]
        if without and any(trial.noise for trial in settings.data):
            text = f"expected a standard deviation for each measured column, or for none; add {without[0]}: 0.1"
            self.diagnostics.error(self.root, ("data", number, "noise"), text)
        return np.array([given.get(column, 1.0) for column in columns])

    def _named(self, section: str, model: Model, read: Any) -> Iterator[tuple[str, Free]]:
        for name, node in self.own.section(section).items():
            try:
                yield name, read(name, node, model)
            except ConfigError as failure:
                for problem in failure.problems:
                    self.diagnostics.error(self.root, (section, name), problem)

    def _free_inputs(self, model: Model) -> Iterator[tuple[str, Free]]:
        for name, node in self.run.section("inputs").items():
            if isinstance(node.value, dict) and "free" in node.value and name in model.inputs.names:
                rest = Node({key: each for key, each in node.value.items() if key != "free"}, node.origin)
                try:
                    yield name, free_of(rest, model.inputs[name], read_number)
                except ConfigError as failure:
                    self.diagnostics.error(self.root, ("inputs", name), str(failure))

    def _states(self, section: str, model: Model) -> Iterator[tuple[str, Free]]:
        """Read states at the beginning or the end: fixed by a number, free with a mapping, the word, or nothing."""
        given = (self.run if section == "initial" else self.own).section(section)
        for name in given:
            if name not in model.states.names:
                self._unknown((section, name), "state", name, model.states.names)
        for name, node in given.items():
            if name not in model.states.names or node.value in ("free", None):
                continue
            try:
                found = free_of(node, model.states[name], read_number)
                yield name, found if isinstance(node.value, dict) else Free(found.guess, found.guess, found.guess)
            except ConfigError as failure:
                self.diagnostics.error(self.root, (section, name), str(failure))

    def _duration(self, address: tuple[str | int, ...], node: Node | None) -> Free | None:
        try:
            return duration_of(node)
        except ConfigError as failure:
            self.diagnostics.error(self.root, address, str(failure))
            return None

    def _phases(self, settings: IdentificationSettings, model: Model) -> Iterator[Phase]:
        if isinstance(settings.phases, str):
            return
        last = len(settings.phases) - 1
        for number, phase in enumerate(settings.phases):
            address = ("phases", number)
            chart = self._chart(phase, model, address)
            names, boundary = model.boundary_records.names, None
            if phase.until is not None and phase.until not in names:
                self._unknown((*address, "until"), "boundary", phase.until, names)
            elif phase.until is not None:
                boundary = names.index(phase.until)
            elif number < last:
                text = "expected the boundary at which the next phase begins; add `until: BOUNDARY`"
                self.diagnostics.error(self.root, address, text)
            node = self.own.value["phases"].value[number].value.get("duration")
            free = self._duration((*address, "duration"), node)
            if free is not None and not isinstance(node.value, dict):
                free = Free(free.guess, 1e-6, np.inf)  # a guess
            yield chart, boundary, phase.nodes, free

    def _chart(self, phase: PhaseSettings, model: Model, address: tuple[str | int, ...]) -> int:
        given = phase.chart
        if isinstance(given, str) and given in model.charts.names:
            return model.charts.names.index(given)
        if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < model.n_charts:
            return given
        hint = nearest(str(given), model.charts.names) or f"; it has {', '.join(model.charts.names) or 'numbers'}"
        self.diagnostics.error(self.root, (*address, "chart"), f"the model has no chart {given!r}{hint}")
        return 0

    def _refuse_incomplete(self, config: IdentificationConfig) -> None:
        """Refuse what cannot be solved: nothing to fit or to minimise, nothing free."""
        settings = config.settings
        if bool(settings.data) != bool(settings.measured):
            missing = "measured" if settings.data else "data"
            self.diagnostics.error(self.root, (missing,), f"expected `data` and `measured` together; add `{missing}`")
        if not settings.data and settings.minimize is None:
            text = "there is nothing to fit and nothing to minimise; give `data` and `measured`, or `minimize`"
            self.diagnostics.error(self.root, ("minimize",), text)
        if not settings.data and config.duration is None and not config.phases:
            self.diagnostics.error(self.root, ("duration",), "expected how long the motion takes; write duration: 1.0")
        for key in ("initial_time", "duration") if settings.data else ():
            if key in self.root.value:
                self.diagnostics.error(self.root, (key,), "the data say when a trial begins and ends; remove this key")
        is_known = bool(settings.data) or (config.duration is not None and config.duration.is_fixed)
        if settings.minimize is not None and settings.minimize.time and is_known:
            text = "the duration is given, so that it cannot be least; remove this, or write duration: {guess: 1.0}"
            self.diagnostics.error(self.root, ("minimize", "time"), text)
        if settings.data and settings.solver.homotopy and not {*config.measured} & {*config.model.states.names}:
            text = "no state is measured towards which the motion could be pulled; remove this"
            self.diagnostics.error(self.root, ("solver", "homotopy"), text)
        for name in {*config.free} & {*self.run.section("parameters")}:
            text = f"parameters.{name} is given, too; remove one of them"
            self.diagnostics.error(self.root, ("free", name), text)
