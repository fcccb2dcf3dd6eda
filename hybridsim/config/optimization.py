"""`load_optimization_config`: a config of `hybridsim optimize`, checked; and the same from keywords."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.config.building import assemble_run, check_run
from hybridsim.config.keywords import CommonKeywords, keyword_tree, plain_node
from hybridsim.config.loading import read_tree
from hybridsim.config.optimization_config import COMPARISONS, Condition, OptimizationConfig, Stage
from hybridsim.config.optimization_settings import OptimizationSettings
from hybridsim.config.run_config import RunConfig
from hybridsim.config.search_space import SearchSpace
from hybridsim.config.search_start import number_at, start_at, values_at
from hybridsim.config.source import Address, Diagnostics, Node, Origin, show
from hybridsim.config.sweep import Metric, SweepConfig
from hybridsim.config.sweep.axis_values import path_of
from hybridsim.config.sweep.building import build_sweep
from hybridsim.config.sweep.expressions import Distribution, distribution
from hybridsim.config.sweep.metrics import WORD_KINDS
from hybridsim.config.sweep.targets import Target, find_target
from hybridsim.config.values import split_key
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model

MAX_ROWS = 10**6
"""Most runs in a generation."""

_EXAMPLE = "optimize: {parameters: {KEY: 'uniform(0, 1)'}, stages: [{minimize: METRIC}]}"


@explains_keywords()
def load_optimization_config(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> OptimizationConfig:
    """Load a config of `hybridsim optimize`.

    Parameters
    ----------
    path : str or path-like
        A YAML file with a section `optimize`.
    overrides : sequence of str
        Assignments `key=value` that replace values of the file.

    Returns
    -------
    OptimizationConfig
        The checked configuration.

    Raises
    ------
    ConfigError
        If it is invalid, with all problems, one a line, as `file:line:column: key: message`.
    """
    diagnostics = Diagnostics()
    root, model = read_tree(Path(path), overrides, diagnostics)
    return _build(root, model, diagnostics, Path(path))


class OptimizationKeywords(CommonKeywords, total=False):
    """The keywords of `optimize` for its config; see `CommonKeywords`."""

    structure: Mapping[str, Any] | None
    metrics: Sequence[str] | Mapping[str, str] | None
    from_: float | str | None
    extra_outputs: str | os.PathLike[str] | None
    search: str | Mapping[str, Any] | None
    seed: int
    runs: int
    patience: int | None
    start: str | os.PathLike[str] | None
    spread: float
    repeats: Mapping[str, Any] | None
    polish: bool
    agreement: float


def optimization_from_keywords(
    model: str | os.PathLike[str] | Model, searched: Mapping[str, Any] | None, stages: Sequence[Any], **keywords: Any
) -> OptimizationConfig:
    """Return the optimisation that keywords describe: those of a run, and the keys of the section `optimize`.

    Raises
    ------
    ModelError
        If there is no such model, or it cannot be loaded.
    ConfigError
        If the keywords are invalid, with all problems, one a line.
    """
    diagnostics = Diagnostics()
    own = {
        name.rstrip("_"): keywords.pop(name)
        for name in [*keywords]
        if name in OptimizationKeywords.__annotations__
        and name not in CommonKeywords.__annotations__
        and keywords[name] is not None
    }
    known = (*OptimizationKeywords.__annotations__, *EXECUTION_KEYWORDS)
    given = {name: value for name, value in keywords.items() if value is not None}
    root, loaded = keyword_tree(model, given, diagnostics, known)
    metrics = own.pop("metrics", None)
    if "search" in own:
        own["method"] = own.pop("search")
    origin = Origin("keyword")
    section = plain_node({**own, "parameters": searched or {}, "stages": stages}, origin)
    root = root.with_value(("optimize",), section)
    if metrics is not None:
        root = root.with_value(("metrics",), plain_node(metrics, origin))
    return _build(root, loaded, diagnostics, None)


EXECUTION_KEYWORDS = ("folder", "resume", "workers", "cluster", "progress")
"""Keywords of `optimize` without a key of a config."""


def _build(root: Node, model: Model | None, diagnostics: Diagnostics, source: Path | None) -> OptimizationConfig:
    section = root.value.get("optimize")
    if section is None or section.value is None:
        diagnostics.error(root, ("optimize",), f"this key is required to optimize; write for example {_EXAMPLE}")
    limit = root.section("engine").get("max_wall_time")
    if limit is not None and limit.value is not None:
        text = "what is found would depend on the machine; remove it, or set max_transitions instead"
        diagnostics.error(root, ("engine", "max_wall_time"), text)
    run = Node({key: node for key, node in root.value.items() if key not in ("metrics", "sweep")}, root.origin)
    checked = check_run(run, model, diagnostics)
    if model is None or section is None or not isinstance(section.value, dict):
        diagnostics.raise_if_any()
    assert model is not None
    reader = _Reader(root, model, diagnostics)
    reader.read()
    diagnostics.raise_if_any()
    assert checked.settings is not None
    assert checked.settings.optimize is not None
    return reader.config(assemble_run(run, model, checked, diagnostics, source=source), checked.settings.optimize)


class _Reader:
    """Reads the section `optimize` for the models that its choices make, and collects what is wrong with it."""

    def __init__(self, root: Node, model: Model, diagnostics: Diagnostics) -> None:
        self.root, self.model, self.diagnostics = root, model, diagnostics
        self.section = root.value["optimize"]
        self.space = SearchSpace(root, model, diagnostics)
        self.stages: tuple[Stage, ...] = ()
        self.conditions: dict[str, Distribution] = {}

    def read(self) -> None:
        """Read what does not depend on the run; the schema has checked the types."""
        self.space.read()
        self.stages = tuple(self._stages())
        self.conditions = dict(self._conditions())
        self._refuse_column_names()

    def config(self, run: RunConfig, settings: OptimizationSettings) -> OptimizationConfig:
        """Return the configuration."""
        subspaces = [*self.space.subspaces()]
        sweeps = [self._sweep(run, *subspace) for subspace in subspaces]
        self._raise()
        n = settings.runs * settings.method.population * (settings.repeats.samples if settings.repeats else 1)
        if n > MAX_ROWS:
            self.error(("runs",), f"{n:,} runs in a generation; expected at most {MAX_ROWS:,}; search with fewer")
        for subspace in subspaces:
            self._refuse_impossible_values(run, *subspace)
        self._refuse_words([metric for sweep in sweeps if sweep for metric in sweep.metrics])
        self._raise()
        config = OptimizationConfig(
            settings=settings,
            run=run,
            sweeps=tuple(sweep for sweep in sweeps if sweep is not None),
            choices=tuple(words for _, words, _ in subspaces),
            transforms=tuple(self.space.transforms),
            pools=tuple(pool.groups for pool in self.space.pools),
            stages=self.stages,
            conditions=self.conditions,
            start=None,
            data=self._data(),
        )
        if settings.start is None:
            return config
        try:
            return replace(config, start=start_at(path_of(self.section.value["start"]), config))
        except ConfigError as failure:
            for problem in failure.problems:
                self.error(("start",), problem)
            raise ConfigError(self.diagnostics.problems) from None

    def _raise(self) -> None:
        self.diagnostics.raise_if_any()

    def error(self, address: Address, text: str) -> None:
        self.diagnostics.error(self.root, ("optimize", *address), text)

    def _refuse_impossible_values(
        self, run: RunConfig, model: Model, _: Mapping[str, Any], groups: Sequence[tuple[int, ...]]
    ) -> None:
        """Record an error for a range that gives values which its key does not allow, as a fraction may."""
        transforms = [self.space.transforms[index] for group in groups for index in group]
        corners = [values_at(transforms, run, ends) for ends in ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))]
        for key in dict.fromkeys(key for transform in transforms for key in transform.keys):
            target = find_target(key, model)
            for value in sorted({corner[key] for corner in corners}):
                try:
                    target.rule(_number(value, target))
                except ConfigError as failure:
                    self.error(("parameters",), f"{key} may become {value:g}: {failure}")
                    break

    def _refuse_words(self, metrics: Sequence[Metric]) -> None:
        """Record an error for a stage that names a metric of words."""
        words = {metric.name for metric in metrics if metric.kind in WORD_KINDS}
        for number, stage in enumerate(self.stages):
            sides = () if stage.until is None else (stage.until.left, stage.until.right)
            for name in (stage.objective, *sides):
                if name in words:
                    self.error(("stages", number), f"{name} is a word; name a metric that is a number in each run")

    def _stages(self) -> Iterator[Stage]:
        listed = self.section.value.get("stages")
        if listed is not None and listed.value in ([], None):
            self.error(("stages",), "expected at least one aim, found none; write stages: [{minimize: METRIC}]")
        for number, node in enumerate(listed.value if listed is not None and isinstance(listed.value, list) else ()):
            entry = node.plain()
            aims = [
                key for key in ("minimize", "maximize") if isinstance(entry, dict) and isinstance(entry.get(key), str)
            ]
            if len(aims) != 1 or not isinstance(entry.get("until"), str | None):
                continue  # the schema says what is wrong with it
            is_last, until = number == len(listed.value) - 1, None
            if is_last != (entry.get("until") is None):
                text = "it never ends, so that those behind it never count; write `until`"
                self.error(
                    ("stages", number), "nothing comes behind the last stage; leave out `until`" if is_last else text
                )
            if entry.get("until") is not None:
                text = str(entry["until"]).strip()
                until = Condition.of(text)
                if until is None:
                    signs = " ".join(COMPARISONS)
                    text = f"expected a comparison ({signs}), found {show(text)}; write for example steps >= 24"
                    self.error(("stages", number, "until"), text)
                    continue
            yield Stage(str(entry[aims[0]]).strip(), 1.0 if aims[0] == "minimize" else -1.0, until)

    def _conditions(self) -> Iterator[tuple[str, Distribution]]:
        """Read what repeated runs draw."""
        entry = self.section.section("repeats").get("axes")
        for name, node in entry.value.items() if entry is not None and isinstance(entry.value, dict) else ():
            address = ("repeats", "axes", name)
            try:
                target = find_target(name, self.model)
                if target.words or target.whole:
                    raise ConfigError("a word or a whole number cannot be drawn from a distribution; leave it out")
                drawn = distribution(str(node.plain()), target)
                for value in drawn.values(np.array([1e-9, 1.0 - 1e-9])):
                    target.rule(float(value))
            except ConfigError as failure:
                self.error(address, str(failure))
                continue
            if any(target.key in transform.keys for transform in self.space.transforms):
                self.error(address, "it is searched, too; remove one of the two")
            yield target.key, drawn

    def _refuse_column_names(self) -> None:
        """Record an error for what would have the name of another column."""
        taken = {"row", "generation", "run", "particle", "repeat", "stage", "value"}
        searched = {key for transform in self.space.transforms for key in transform.keys}
        for key in (*searched, *self.conditions, *(pool.key for pool in self.space.pools)):
            if split_key(key)[1] in taken:
                self.error(("parameters",), f"the column of {key} would be that of the search; rename it in the model")
        taken |= {split_key(pool.key)[1] for pool in self.space.pools if pool.key}
        metrics = self.root.value.get("metrics")
        for name in metrics.value if metrics is not None and isinstance(metrics.value, dict) else ():
            if name in taken:
                self.diagnostics.error(
                    self.root, ("metrics", name), "a column of the search has this name; choose another"
                )

    def _sweep(
        self, run: RunConfig, model: Model, words: Mapping[str, Any], groups: Sequence[tuple[int, ...]]
    ) -> SweepConfig | None:
        """Return the sweep of a subspace, whose axes have one value each."""
        root = self._with_words(model, words)
        middle = values_at([self.space.transforms[index] for group in groups for index in group], run)
        middle |= {key: float(drawn.values(np.array([0.5]))[0]) for key, drawn in self.conditions.items()}
        if not middle:  # choices alone
            key = f"initial.{model.states.names[0]}"
            middle[key] = number_at(run, key)
        origin = Origin(self.section.origin.text, self.section.origin.folder, "optimize", computed=True)
        axes = {
            key: Node([Node(_number(value, find_target(key, model)), origin)], origin) for key, value in middle.items()
        }
        shared = {key: node for key, node in self.section.value.items() if key in ("from", "extra_outputs")}
        root = root.with_value(("sweep",), Node({"axes": Node(axes, origin), **shared}, origin))
        root = root.with_value(("metrics",), Node(self._metrics(), origin))
        problems = Diagnostics()
        try:
            return build_sweep(root, model, problems, source=run.source)
        except ConfigError as failure:
            self.diagnostics.problems += failure.problems
            return None

    def _with_words(self, model: Model, words: Mapping[str, Any]) -> Node:
        """Return the values of a run with these choices, without parameters of the parts that are not chosen."""
        kept = {key: node for key, node in self.root.value.items() if key not in ("optimize", "sweep", "metrics")}
        root = Node(kept, self.root.origin)
        for key, word in words.items():
            root = root.with_value(tuple(key.split(".")), Node(word, self.section.value["structure"].origin))
        for section, table, others in (
            ("parameters", model.parameters, self.model.parameters),
            ("inputs", model.inputs, self.model.inputs),
            ("initial", model.states, self.model.states),
        ):
            given = root.section(section)
            foreign = {name for name in given if others.found(name) is not None and table.found(name) is None}
            if foreign:
                own = {name: node for name, node in given.items() if name not in foreign}
                root = Node({**root.value, section: Node(own, root.value[section].origin)}, root.origin)
        return root

    def _metrics(self) -> dict[str, Node]:
        """Return the metrics of the config, and those that only stages name."""
        node = self.root.value.get("metrics")
        listed = node.value if node is not None else None
        if isinstance(listed, list):
            found = {str(item.value).strip(): item for item in listed}
        else:
            found = dict(listed) if isinstance(listed, dict) else {}
        searched = {name for each in self.space.transforms for key in each.keys for name in (key, split_key(key)[1])}
        for number, stage in enumerate(self.stages):
            entry = self.section.value["stages"].value[number]
            sides = () if stage.until is None else (stage.until.left, stage.until.right)
            for key, text in (("", stage.objective), *(("until", side) for side in sides)):
                if isinstance(text, str) and text not in found and text not in searched:
                    name = f"optimize.stages[{number}].{key or ('minimize' if stage.sign > 0 else 'maximize')}"
                    found[text] = Node(text, Origin(entry.origin.text, entry.origin.folder, name))
        return found or {"status": Node("status", self.section.origin)}

    def _data(self) -> dict[str, Any]:
        section, metrics = self.section.plain(), self.root.value.get("metrics")
        files = {key: self.section.value[key] for key in ("start", "extra_outputs") if section.get(key)}
        section |= {key: str(path_of(node)) for key, node in files.items()}
        return {"optimize": section} | ({} if metrics is None else {"metrics": metrics.plain()})


def _number(value: float, target: Target) -> float | int:
    return int(value) if target.whole else value
