"""`load_optimization_config`: a config of `hybridsim optimize`, checked; and the same from keywords."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.config.building import build
from hybridsim.config.keywords import CommonKeywords, keyword_tree
from hybridsim.config.loading import load_config, read_tree
from hybridsim.config.optimization_config import COMPARISONS, Condition, OptimizationConfig, SearchStart, Stage
from hybridsim.config.optimization_settings import OptimizationSettings
from hybridsim.config.run_config import RunConfig, value_of
from hybridsim.config.search_space import SearchSpace
from hybridsim.config.source import Address, Diagnostics, Node, Origin, number_from, show
from hybridsim.config.sweep import SweepConfig
from hybridsim.config.sweep.axis_values import path_of
from hybridsim.config.sweep.building import build_sweep
from hybridsim.config.sweep.expressions import Distribution, distribution
from hybridsim.config.sweep.keywords import node_of
from hybridsim.config.sweep.targets import Target, find_target
from hybridsim.config.transforms import Transform
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model

BEST_FILE = "best.yaml"
"""In the folder of an optimisation: the config of the best setting of all."""

_COMPARISON = re.compile(r"(.+?)(>=|<=|==|=|>|<)(.+)", re.DOTALL)
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
    search: str | Mapping[str, Any] | None
    seed: int
    runs: int
    patience: int | None
    start: str | os.PathLike[str] | None
    spread: float
    repeats: Mapping[str, Any] | None
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
        name: keywords.pop(name)
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
    own |= {"parameters": searched or {}, "stages": stages}
    nodes = {name: node_of(value, _of_keyword, name) for name, value in own.items()}
    root = root.with_value(("optimize",), Node(nodes, _of_keyword("parameters")))
    if metrics is not None:
        root = root.with_value(("metrics",), node_of(metrics, _of_keyword, "metrics"))
    return _build(root, loaded, diagnostics, None)


EXECUTION_KEYWORDS = ("folder", "resume", "workers", "cluster", "progress")
"""Keywords of `optimize` without a key of a config."""


def _of_keyword(name: str) -> Origin:
    return Origin("keyword", name=name)


def _build(root: Node, model: Model | None, diagnostics: Diagnostics, source: Path | None) -> OptimizationConfig:
    section = root.value.get("optimize")
    if section is None or section.value is None:
        diagnostics.error(root, ("optimize",), f"this key is required to optimize; write for example {_EXAMPLE}")
    limit = root.section("engine").get("max_wall_time")
    if limit is not None and limit.value is not None:
        text = "what is found would depend on the machine; remove it, or set max_transitions instead"
        diagnostics.error(root, ("engine", "max_wall_time"), text)
    if model is None:
        diagnostics.raise_if_any()
    assert model is not None
    run = build(_without_search(root), model, diagnostics, source=source)
    settings = OptimizationSettings.model_validate(root.value["optimize"].plain())
    return _Reader(root, model, run, settings, diagnostics).read()


def _without_search(root: Node) -> Node:
    """Return the run alone, with what `optimize` says, which the schema checks; its metrics are read later."""
    return Node({key: node for key, node in root.value.items() if key not in ("metrics", "sweep")}, root.origin)


class _Reader:
    """Reads the section `optimize` for the models that its choices make, and collects what is wrong with it."""

    def __init__(
        self, root: Node, model: Model, run: RunConfig, settings: OptimizationSettings, diagnostics: Diagnostics
    ) -> None:
        self.root, self.model, self.run = root, model, run
        self.settings, self.diagnostics = settings, diagnostics
        self.section = root.value["optimize"]
        self.space = SearchSpace(root, model, settings, diagnostics)
        self.transforms = self.space.transforms

    def read(self) -> OptimizationConfig:
        self.space.read()
        self._raise()
        stages = tuple(self._stages())
        conditions = dict(self._conditions())
        self._raise()
        sweeps = [
            self._sweep(model, words, groups, stages, conditions) for model, words, groups in self.space.subspaces()
        ]
        self._raise()
        config = OptimizationConfig(
            settings=self.settings,
            run=self.run,
            sweeps=tuple(sweep for sweep in sweeps if sweep is not None),
            choices=tuple(words for _, words, _ in self.space.subspaces()),
            transforms=tuple(self.transforms),
            pools=tuple(pool.groups for pool in self.space.pools),
            stages=stages,
            conditions=conditions,
            start=None,
            data=self._data(),
        )
        start = self._start(config)
        self._raise()
        return replace(config, start=start)

    def _raise(self) -> None:
        self.diagnostics.raise_if_any()

    def error(self, address: Address, text: str) -> None:
        self.diagnostics.error(self.root, ("optimize", *address), text)

    def _stages(self) -> Iterator[Stage]:
        for number, stage in enumerate(self.settings.stages):
            objective, sign = (stage.minimize, 1.0) if stage.minimize is not None else (stage.maximize, -1.0)
            until = None
            if stage.until is not None:
                match = _COMPARISON.fullmatch(stage.until.strip())
                if match is None:
                    signs, found = " ".join(COMPARISONS), show(stage.until)
                    text = f"expected a comparison ({signs}), found {found}; write for example steps >= 24"
                    self.error(("stages", number, "until"), text)
                    continue
                left, comparison, right = (part.strip() for part in match.groups())
                until = Condition(stage.until.strip(), _side(left), comparison, _side(right))
            yield Stage(str(objective).strip(), sign, until)

    def _conditions(self) -> Iterator[tuple[str, Distribution]]:
        """Read what repeated runs draw."""
        for name, text in self.settings.repeats.axes.items() if self.settings.repeats else ():
            address = ("repeats", "axes", name)
            try:
                target = find_target(name, self.model)
                if target.words or target.whole:
                    raise ConfigError("a word or a whole number cannot be drawn from a distribution; leave it out")
                drawn = distribution(str(text), target)
                for value in drawn.values(np.array([1e-9, 1.0 - 1e-9])):
                    target.rule(float(value))
            except ConfigError as failure:
                self.error(address, str(failure))
                continue
            if any(target.key in transform.keys for transform in self.transforms):
                self.error(address, "it is searched, too; remove one of the two")
            yield target.key, drawn

    def _sweep(
        self,
        model: Model,
        words: Mapping[str, Any],
        groups: Sequence[tuple[int, ...]],
        stages: Sequence[Stage],
        conditions: Mapping[str, Distribution],
    ) -> SweepConfig | None:
        """Return the sweep of a subspace, whose axes have one value each."""
        root = self._with_words(model, words)
        middle = _decode([self.transforms[index] for group in groups for index in group], self.run)
        middle |= {key: float(drawn.values(np.array([0.5]))[0]) for key, drawn in conditions.items()}
        origin = Origin(self.section.origin.text, self.section.origin.folder, "optimize", computed=True)
        axes = {
            key: Node([Node(_number(value, find_target(key, model)), origin)], origin) for key, value in middle.items()
        }
        root = root.with_value(("sweep",), Node({"axes": Node(axes, origin)}, origin))
        root = root.with_value(("metrics",), Node(self._metrics(stages), origin))
        problems = Diagnostics()
        try:
            return build_sweep(root, model, problems, source=self.run.source)
        except ConfigError as failure:
            self.diagnostics.problems += failure.problems
            return None

    def _with_words(self, model: Model, words: Mapping[str, Any]) -> Node:
        """Return the values of a run with these choices, without parameters of the parts that are not chosen."""
        kept = {key: node for key, node in self.root.value.items() if key not in ("optimize", "sweep", "metrics")}
        root = Node(kept, self.root.origin)
        for key, word in words.items():
            root = root.with_value(tuple(key.split(".")), Node(word, self.section.value["structure"].origin))
        given = root.section("parameters")
        foreign = {name for name in given if name in self.model.parameters.names and name not in model.parameters.names}
        if foreign:
            own = {name: node for name, node in given.items() if name not in foreign}
            root = Node({**root.value, "parameters": Node(own, root.value["parameters"].origin)}, root.origin)
        return root

    def _metrics(self, stages: Sequence[Stage]) -> dict[str, Node]:
        """Return the metrics of the config, and those that only stages name."""
        node = self.root.value.get("metrics")
        listed = node.value if node is not None else None
        if isinstance(listed, list):
            found = {str(item.value).strip(): item for item in listed}
        else:
            found = dict(listed) if isinstance(listed, dict) else {}
        searched = {name for each in self.transforms for key in each.keys for name in (key, key.rpartition(".")[2])}
        for number, stage in enumerate(stages):
            entry = self.section.value["stages"].value[number]
            sides = () if stage.until is None else (stage.until.left, stage.until.right)
            for key, text in (("", stage.objective), *(("until", side) for side in sides)):
                if isinstance(text, str) and text not in found and text not in searched:
                    name = f"optimize.stages[{number}].{key or ('minimize' if stage.sign > 0 else 'maximize')}"
                    found[text] = Node(text, Origin(entry.origin.text, entry.origin.folder, name))
        return found

    def _data(self) -> dict[str, Any]:
        section = self.section.plain()
        if self.settings.start is not None:
            section["start"] = str(path_of(self.section.value["start"]))
        metrics = self.root.value.get("metrics")
        return {"optimize": section} | ({} if metrics is None else {"metrics": metrics.plain()})

    def _start(self, config: OptimizationConfig) -> SearchStart | None:
        """Return the setting in the file that `start` names, as variables and subspace."""
        if self.settings.start is None:
            return None
        path = path_of(self.section.value["start"])
        try:
            run = load_config(path / BEST_FILE if path.is_dir() else path)
        except ConfigError as failure:
            for problem in failure.problems:
                self.error(("start",), problem)
            return None
        subspace = next((number for number, words in enumerate(config.choices) if _has(run, words)), None)
        if subspace is None:
            self.error(
                ("start",), f"{path}: expected one of the choices of `structure` in it, found others; name another"
            )
            return None
        return SearchStart(self._variables_at(run, config, path), subspace)

    def _variables_at(self, run: RunConfig, config: OptimizationConfig, path: Path) -> np.ndarray:
        """Return the variables of a run; those that it does not have are in the middle."""
        found: list[np.ndarray] = []
        for transform in config.transforms:
            middle = np.full(len(transform.keys), 0.5)
            if all(_is_in(run, key) for key in (*transform.keys, *transform.needs)):
                values = np.array([number_at(run, key) for key in transform.keys])
                with np.errstate(all="ignore"):
                    middle = transform.inverse(values, {key: number_at(run, key) for key in transform.needs})
                outside = not bool(np.all((middle > -1e-9) & (middle < 1.0 + 1e-9)))
                if outside:
                    found_text = ", ".join(
                        f"{key} = {value:g}" for key, value in zip(transform.keys, values, strict=True)
                    )
                    self.error(("start",), f"{path}: {found_text} lies outside of what is searched; widen its range")
            found.append(np.clip(middle, 0.0, 1.0))
        return np.concatenate(found) if found else np.zeros(0)


def _side(text: str) -> str | float:
    number = number_from(text)
    return text if number is None else float(number)


def _decode(transforms: Sequence[Transform], run: RunConfig) -> dict[str, float]:
    """Return the values in the middle of some ranges."""
    known: dict[str, Any] = {}
    for transform in in_order(transforms):
        needed = {key: known.get(key, np.array([number_at(run, key)])) for key in transform.needs}
        values = transform.values(np.full((1, len(transform.keys)), 0.5), needed)
        known.update({key: values[:, index] for index, key in enumerate(transform.keys)})
    return {key: float(column[0]) for key, column in known.items()}


def in_order(transforms: Sequence[Transform]) -> list[Transform]:
    """Return transforms such that each comes after those whose values it needs.

    Raises
    ------
    ConfigError
        If two need each other.
    """
    waiting, ordered = [*transforms], list[Transform]()
    searched = {key for transform in transforms for key in transform.keys}
    while waiting:
        done = {key for transform in ordered for key in transform.keys}
        ready = [each for each in waiting if all(key in done or key not in searched for key in each.needs)]
        if not ready:
            names = ", ".join(key for each in waiting for key in each.keys)
            raise ConfigError(f"optimize.parameters: {names} are fractions of each other; give one of them bounds")
        ordered += ready
        waiting = [each for each in waiting if each not in ready]
    return ordered


def _number(value: float, target: Target) -> float | int:
    return int(value) if target.whole else value


def _has(run: RunConfig, words: Mapping[str, Any]) -> bool:
    return all(_is_in(run, key) and str(value_of(run, key)) == str(word) for key, word in words.items())


def _is_in(run: RunConfig, key: str) -> bool:
    section, _, name = key.rpartition(".")
    holder = getattr(run, section) if section else run
    return name.partition("[")[0] in holder if isinstance(holder, Mapping) else hasattr(holder, name)


def number_at(run: RunConfig, key: str) -> float:
    """Return the number at a key, which may be an entry of an array."""
    array, bracket, index = key.partition("[")
    value = value_of(run, array)
    return float(np.ravel(value)[int(index.rstrip("]"))] if bracket else value)
