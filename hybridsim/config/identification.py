"""`load_identification`: a config of `hybridsim identify`, checked, with the data of its trials."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from hybridsim.config.building import build, fill_slots, load_named_model
from hybridsim.config.driven_inputs import with_driven_inputs
from hybridsim.config.identification_checks import refuse_other_units, refuse_short_input
from hybridsim.config.identification_data import Columns, read_columns
from hybridsim.config.identification_settings import IdentificationSettings, PhaseSettings
from hybridsim.config.loading import asks_to_identify, with_overrides
from hybridsim.config.messages import explain
from hybridsim.config.run_config import RunConfig
from hybridsim.config.source import Diagnostics, Node, Origin, show
from hybridsim.config.values import parameter_value, read_number
from hybridsim.config.yaml_source import read_yaml
from hybridsim.errors import ConfigError, explains_keywords, nearest
from hybridsim.model import Model, list_names
from hybridsim.typing import FloatArray

RUN_KEYS = ("model", "initial_time", "parameters", "inputs", "initial", "initial_chart", "engine", "output")
"""Keys of a run that a config of an identification has, too."""


@dataclass(frozen=True, slots=True)
class Free:
    """An unknown: where the search for it begins, and its bounds.

    Attributes
    ----------
    guess, lower, upper : float
        In the unit of what it is.
    """

    guess: float
    lower: float = -np.inf
    upper: float = np.inf

    @property
    def is_fixed(self) -> bool:
        """Whether it is no unknown after all."""
        return self.lower == self.upper


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A motion that was measured, or one that is sought.

    Attributes
    ----------
    run : RunConfig
        The run with the guesses, its inputs as in this trial.
    t : (n,) array
        Times of the samples [s]; empty without data.
    data : (n, n_measured) array
        What was measured, not a number where nothing was.
    """

    run: RunConfig
    t: FloatArray
    data: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class IdentificationConfig:
    """A checked configuration of `hybridsim identify`.

    Attributes
    ----------
    settings : IdentificationSettings
        The keys that have no names of the model.
    trials : tuple of Trial
        The motions, one at least.
    measured : tuple of str
        States and outputs that were measured.
    noise : (n_measured,) array
        Standard deviations of what was measured, 1 where none are given.
    free, inputs, initial, final, limits : mapping of str to Free
        What is unknown, and bounds along the way, by name.
    duration : Free or None
        Of the motion [s]; None where data say it.
    phases : tuple of (chart, boundary or None, nodes or None, duration or None)
        The phases, as numbers; empty for one, in the chart in which runs begin.
    source : Path or None
        The config file.
    """

    settings: IdentificationSettings
    trials: tuple[Trial, ...]
    measured: tuple[str, ...]
    noise: FloatArray
    free: Mapping[str, Free]
    inputs: Mapping[str, Free]
    initial: Mapping[str, Free]
    final: Mapping[str, Free]
    limits: Mapping[str, Free]
    duration: Free | None
    phases: tuple[Phase, ...]
    source: Path | None

    @property
    def model(self) -> Model:
        """The model."""
        return self.trials[0].run.model


Phase = tuple[int, int | None, int | None, Free | None]


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
            self._noise(settings),
            dict(self._named("free", model, self._parameter)),
            dict(self._free_inputs(model)),
            dict(self._states("initial", model)),
            dict(self._states("final", model)),
            dict(self._named("limits", model, self._limited)),
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
            end = begin + (duration.guess if duration else 1.0)
            yield Trial(self._build(None, begin, end), np.zeros(0), np.zeros((0, len(settings.measured))))
        for table in tables:
            yield Trial(self._build(table, float(table.t[0]), float(table.t[-1])), table.t, table.values)

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

    def _noise(self, settings: IdentificationSettings) -> FloatArray:
        noise = settings.data[0].noise if settings.data else {}
        columns = [*settings.measured.values()]
        for name in noise:
            if name not in columns:
                text = (
                    f"no measured quantity is in column {name!r}{nearest(name, columns)}; name a column of `measured`"
                )
                self.diagnostics.error(self.root, ("data", "noise", name), text)
        return np.array([noise.get(column, 1.0) for column in columns])

    def _named(self, section: str, model: Model, read: Any) -> Iterator[tuple[str, Free]]:
        for name, node in self.own.section(section).items():
            try:
                found = read(name, node, model)
                if not found.lower <= found.guess <= found.upper:
                    raise ConfigError(
                        f"expected a guess from {found.lower:g} to {found.upper:g}, found {found.guess:g}; correct one"
                    )
                yield name, found
            except ConfigError as failure:
                for problem in failure.problems:
                    self.diagnostics.error(self.root, (section, name), problem)

    def _parameter(self, name: str, node: Node, model: Model) -> Free:
        """Read a parameter that is free, or an entry of an array."""
        array, bracket, entry = name.partition("[")
        known = model.parameters.names
        if array not in known:
            raise ConfigError(
                f"the model has no such parameter{nearest(array, known) or f'; it has {list_names(known, array)}'}"
            )
        record = model.parameters[array]
        if record.choices or record.integer:
            raise ConfigError("a choice or a whole number cannot be free; give it under `parameters`")
        if record.is_array != bool(bracket):
            example = f"{array}[0]" if record.is_array else array
            raise ConfigError(f"expected {'an entry of the array' if record.is_array else 'a number'}; write {example}")
        if bracket:
            size = len(record.default)  # type: ignore[arg-type]
            if not entry.rstrip("]").isdecimal() or int(entry.rstrip("]")) >= size:
                raise ConfigError(f"the array has entries 0 to {size - 1}; write {array}[{size - 1}]")
            record = dataclasses.replace(record, default=record.default[int(entry.rstrip("]"))])  # type: ignore[index]
        return _free(node, record, parameter_value)

    def _free_inputs(self, model: Model) -> Iterator[tuple[str, Free]]:
        for name, node in self.run.section("inputs").items():
            if isinstance(node.value, dict) and "free" in node.value and name in model.inputs.names:
                rest = Node({key: each for key, each in node.value.items() if key != "free"}, node.origin)
                try:
                    yield name, _free(rest, model.inputs[name], read_number)
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
                found = _free(node, model.states[name], read_number)
                yield name, found if isinstance(node.value, dict) else Free(found.guess, found.guess, found.guess)
            except ConfigError as failure:
                self.diagnostics.error(self.root, (section, name), str(failure))

    def _limited(self, name: str, node: Node, model: Model) -> Free:
        known = {
            record.name: record for records in (model.states, model.inputs, model.output_records) for record in records
        }
        if name not in known:
            raise ConfigError(f"the model has no state, input or output {name!r}{nearest(name, [*known])}; name one")
        if not isinstance(node.value, dict) or not {*node.value} <= {"lower", "upper"}:
            raise ConfigError("expected a mapping; write {lower: -1, upper: 1}")
        lower, upper = (float(node.value[key].value) if key in node.value else sign * np.inf for key, sign in SIDES)
        return Free(min(max(lower, 0.0), upper), lower, upper)

    def _duration(self, address: tuple[str | int, ...], node: Node | None) -> Free | None:
        if node is None or node.value is None:
            return None
        entries = (
            node.plain()
            if isinstance(node.value, dict)
            else {"guess": node.value, "lower": node.value, "upper": node.value}
        )
        numbers = {"lower": 1e-6, "upper": np.inf, **entries}
        is_right = {*numbers} == {"guess", "lower", "upper"} and all(
            isinstance(value, int | float) and not isinstance(value, bool) for value in numbers.values()
        )
        if not is_right or not 0.0 < numbers["lower"] <= numbers["guess"] <= numbers["upper"]:
            text = f"expected a duration above 0 s, or {{guess, lower, upper}}, found {show(node.value)}; write 1.0"
            self.diagnostics.error(self.root, address, text)
            return None
        return Free(float(numbers["guess"]), float(numbers["lower"]), float(numbers["upper"]))

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
        for number, trial in enumerate(settings.data):
            if trial.noise != settings.data[0].noise:
                text = "expected the same noise in all trials; give it to each"
                self.diagnostics.error(self.root, ("data", number, "noise"), text)
        for name in {*config.free} & {*self.run.section("parameters")}:
            text = f"parameters.{name} is given, too; remove one of them"
            self.diagnostics.error(self.root, ("free", name), text)


SIDES = (("lower", -1.0), ("upper", 1.0))


def _free(node: Node, record: Any, read: Any) -> Free:
    """Return an unknown from a guess, or from {guess, lower, upper}, with the bounds of its record."""
    unknown = dataclasses.replace(record, default=0.0) if not isinstance(record.default, float | int) else record
    if not isinstance(node.value, dict):
        return Free(float(read(unknown, node)), record.lower, record.upper)
    keys = ("guess", "lower", "upper")
    for key in node.value:
        if key not in keys:
            raise ConfigError(f"there is no key {key!r}{nearest(key, keys)}; write {{guess: 1, lower: 0, upper: 2}}")
    found = {key: float(read(unknown, each)) for key, each in node.value.items()}
    lower, upper = found.get("lower", record.lower), found.get("upper", record.upper)
    if lower > upper:
        raise ConfigError(f"expected lower <= upper, found {lower:g} and {upper:g}; correct one")
    guess = found.get("guess", float(np.clip(record.default, lower, upper)))
    return Free(guess, lower, upper)
