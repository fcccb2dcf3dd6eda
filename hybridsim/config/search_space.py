"""What an optimisation searches: ranges of parameters, choices, and the ranges that each choice brings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hybridsim.config.building import fill_slots
from hybridsim.config.source import Address, Diagnostics, Node, number_from, show
from hybridsim.config.sweep.targets import find_target
from hybridsim.config.transforms import Transform, entries_of_array, read_simplex, read_transform
from hybridsim.config.values import split_key
from hybridsim.errors import ConfigError
from hybridsim.model import Model

MAX_SUBSPACES = 1000
"""Most combinations of choices."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Groups of ranges of which one is active at a time.

    Attributes
    ----------
    key : str
        The key that is set to one of the words; "" for what is searched whatever is chosen.
    words : tuple
        The choices, one for each group.
    groups : tuple of tuple of int
        The ranges that each choice brings, by their indices.
    """

    key: str
    words: tuple[Any, ...]
    groups: tuple[tuple[int, ...], ...]


class SearchSpace:
    """Reads the keys `parameters` and `structure` of the section `optimize`.

    Parameters
    ----------
    root : Node
        The configuration.
    model : Model
        The model with the parts of the run itself.
    diagnostics : Diagnostics
        Gets the errors.

    Attributes
    ----------
    transforms : list of Transform
        All ranges.
    pools : list of Pool
        Which are active together.
    """

    def __init__(self, root: Node, model: Model, diagnostics: Diagnostics) -> None:
        self.root, self.model, self.diagnostics = root, model, diagnostics
        self.transforms: list[Transform] = []
        self.pools: list[Pool] = []
        self._section = root.value["optimize"]
        self._structure = self._section.section("structure")
        self._models: dict[tuple[Any, ...], Model] = {}

    def read(self) -> None:
        """Read the pools; what is wrong goes to the diagnostics."""
        own = self._group(self._section.value.get("parameters"), ("parameters",), self.model)
        if own or not self._structure:
            self.pools.append(Pool("", (None,), (own,)))
        chosen = {name: pool for name in self._structure if (pool := self._choices(name)) is not None}
        n = math.prod(len(pool.words) for pool in chosen.values())
        if n > MAX_SUBSPACES:
            text = f"{n:,} combinations of choices; expected at most {MAX_SUBSPACES:,}; search fewer"
            self._error(("structure",), text)
        elif len(chosen) == len(self._structure):
            self.pools += [self._with_ranges(name, pool) for name, pool in chosen.items()]
            self._refuse_keys_set_twice()

    def _refuse_keys_set_twice(self) -> None:
        """Record an error for a key that two ranges, or a range and a choice, would set at once."""
        for pool in self.pools:
            others = [each for each in self.pools if each is not pool]
            elsewhere = {key for each in others for group in each.groups for key in (each.key, *self._keys(group))}
            for keys in ([*self._keys(group), pool.key] for group in pool.groups):
                twice = [key for key in keys if key and (keys.count(key) > 1 or key in elsewhere)]
                if twice:
                    self._error(("parameters",), f"{twice[0]} would be set twice; write it once")
                    return

    def _keys(self, indices: Iterable[int]) -> list[str]:
        """Return the keys that some ranges set."""
        return [key for index in indices for key in self.transforms[index].keys]

    def subspaces(self) -> Iterator[tuple[Model, dict[str, Any], tuple[tuple[int, ...], ...]]]:
        """Yield the model, the choices by key, and the groups of ranges of each subspace."""
        for combination in itertools.product(*(zip(pool.words, pool.groups, strict=True) for pool in self.pools)):
            words = {pool.key: word for pool, (word, _) in zip(self.pools, combination, strict=True) if pool.key}
            yield self._model_with(words), words, tuple(group for _, group in combination)

    def _error(self, address: Address, text: str) -> None:
        self.diagnostics.error(self.root, ("optimize", *address), text)

    def _choices(self, name: str) -> Pool | None:
        """Return the words of a choice, without the ranges that they bring; None after an error."""
        node = self._structure[name]
        words = [*node.value] if isinstance(node.value, dict) else node.plain()
        if not isinstance(words, list) or len({*map(str, words)}) < max(2, len(words)):
            text = f"expected two or more different choices, found {show(words)}; list them"
            self._error(("structure", name), text)
            return None
        key = f"parameters.{name.removeprefix('parameters.')}"
        if split_key(key)[1] in self.model.slot_names:
            return Pool(key, tuple(words), ((),) * len(words))
        try:
            target = find_target(name, self.model)
            values = tuple(target.rule(_plain_word(word)) for word in words)
        except ConfigError as failure:
            self._error(("structure", name), str(failure))
            return None
        return Pool(target.key, values, ((),) * len(words))

    def _with_ranges(self, name: str, pool: Pool) -> Pool:
        """Return a pool with the ranges that its choices bring."""
        node = self._structure[name]
        if not isinstance(node.value, dict):
            return pool
        groups = [
            self._group(brought, ("structure", name, word), self._model_with({pool.key: chosen}))
            for chosen, (word, brought) in zip(pool.words, node.value.items(), strict=True)
        ]
        return Pool(pool.key, pool.words, tuple(groups))

    def _model_with(self, words: Mapping[str, Any]) -> Model:
        """Return the model with the parts that are chosen for its slots."""
        slots = {key: word for key, word in words.items() if split_key(key)[1] in self.model.slot_names}
        place = tuple(slots.items())
        if place not in self._models:
            root = self.root
            for key, word in slots.items():
                root = root.with_value(tuple(key.split(".")), Node(word, self._section.value["structure"].origin))
            _, model = fill_slots(root, self.model, self.diagnostics) if slots else (root, self.model)
            self.diagnostics.raise_if_any()
            assert model is not None
            self._models[place] = model
        return self._models[place]

    def _group(self, node: Node | None, address: Address, model: Model) -> tuple[int, ...]:
        """Read the ranges of a mapping of keys; return their indices."""
        if node is None or node.value is None:
            return ()
        if not isinstance(node.value, dict):
            found = show(node.plain())
            self._error(address, f"expected a mapping of keys to ranges, found {found}; write KEY: uniform(a, b)")
            return ()
        found_here = []
        for name, entry in node.value.items():
            try:
                transforms = [*self._transforms(name, entry, model)]
            except ConfigError as failure:
                self._error((*address, name), str(failure))
                continue
            self.transforms += [each for each in transforms if each not in self.transforms]
            found_here += [self.transforms.index(each) for each in transforms]
        return tuple(found_here)

    def _transforms(self, name: str, node: Node, model: Model) -> Iterator[Transform]:
        """Yield a range; of `ARRAY[:]`, one for each entry."""
        for key in entries_of_array(name[:-3], model) if name.endswith("[:]") else (name,):
            yield self._transform(key, node, model)

    def _transform(self, name: str, node: Node, model: Model) -> Transform:
        if isinstance(node.value, str) and node.value.strip().startswith("simplex"):
            return read_simplex(name, node.value, model)
        return read_transform(node, find_target(name, model), lambda other: find_target(other, model))


def _plain_word(word: Any) -> Any:
    """Return a choice as a config would have it: the key of a mapping may be a number."""
    number = number_from(word) if isinstance(word, str) else None
    return word if number is None else number
