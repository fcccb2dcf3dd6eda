"""A model as read -> `equations.py`, a module of plain functions of the time and of one array of states.

Species are kept as amounts, and as concentrations where a rate rule gives their slope. Every comparison of quantities
that vary between events is *tracked*: its truth value is a bookkeeping state, and the difference of its two sides a
boundary, so that between events every formula is smooth. What else holds between events is compared where it is used.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from .expressions import (
    LEAVES,
    RELATIONS,
    STEPPED,
    Tree,
    condition,
    degree,
    leaves,
    number,
    replaced,
    text,
    value,
    varies,
)
from .reading import Refused, Source

HEADER = '''"""{title}"""

import math

SYMBOLS = {symbols!r}
"""The states by name: (initial value, does it move between events)."""
N_SYMBOLS = TRUTH = {n_symbols}
N_RELATIONS = {n_relations}
DEGREES = {degrees!r}
"""Of each relation's difference: its polynomial degree, None for what is no polynomial."""
STRICT = {strict!r}
"""Of each relation: is it false where its sides are equal?"""
N_EVENTS = {n_events}
N_DELAYED = {n_delayed}
WIDTH = {width}
"""The most assignments of an event."""
INITIAL_TRIGGERS = {initial_triggers!r}
PERSISTENT = {persistent!r}
FROM_TRIGGER_TIME = {from_trigger_time!r}
OUTPUTS = {outputs!r}
'''


def equations(source: Source, columns: Sequence[tuple[str, str]], title: str) -> str:
    """The text of `equations.py`; columns are (symbol, "amount" | "concentration" | "value")."""
    return _Builder(source).module(columns, title)


class _Builder:
    """Replaces names by states, and collects the relations found on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.relations: dict[tuple[Tree, bool], int] = {}
        changing = {name for name in source.changes if name not in source.rate_rules}
        changing -= source.assignment_rules.keys()
        assigned = {name: None for event in source.events for name in event.assignments}
        moving = [*source.rate_rules, *sorted(changing)]
        names = [*moving, *(name for name in assigned if name not in moving)]
        self.state = {name: place for place, name in enumerate(names)}
        self.moving = frozenset(range(len(moving)))
        self.jumping = {self.state[name] for name in assigned}
        self.symbol, self.initial = cache(self._symbol), cache(self._initial)

    def as_concentration(self, name: str) -> bool:
        """Return whether the state of that species is its concentration."""
        species = self.source.species.get(name)
        return species is not None and species.volume is not None and name in self.source.rate_rules

    def _symbol(self, name: str) -> Tree:
        """What a name in a formula means: a tree of states, time and numbers."""
        source = self.source
        if name in source.assignment_rules:
            return self.resolved(source.assignment_rules[name])
        if name in source.reactions:
            return self.resolved(source.reactions[name])
        species = source.species.get(name)
        if species is None or species.volume is None or self.as_concentration(name):
            return ("state", self.state[name]) if name in self.state else number(self.initial(name))
        return _quotient(self.amount(name), self.symbol(species.volume))

    def amount(self, name: str) -> Tree:
        """The amount of a species."""
        species = self.source.species[name]
        if species.volume is None:
            return self.symbol(name)
        if name in self.source.assignment_rules or self.as_concentration(name):
            return _product(self.symbol(name), self.symbol(species.volume))
        if name in self.state:
            return ("state", self.state[name])
        return number(self.initial(name) * self.initial(species.volume))

    def column(self, name: str, kind: str) -> Tree:
        if name not in self.source.species or kind == "value":
            return self.symbol(name)
        species = self.source.species[name]
        if kind == "amount":
            return self.amount(name)
        return _quotient(self.amount(name), self.symbol(species.compartment))

    def resolved(self, tree: Tree) -> Tree:
        """The tree with states for names, and with its relations tracked."""
        return self.tracked(replaced(tree, self._leaf))

    def _leaf(self, leaf: Tree) -> Tree:
        if leaf[0] == "name":
            return self.symbol(leaf[1])
        return self.rate_of(leaf[1]) if leaf[0] == "rateOf" else leaf

    def tracked(self, tree: Tree) -> Tree:
        """The tree with a truth value for every comparison of what varies between events."""
        if tree[0] in LEAVES:
            return tree
        operator, *arguments = tree
        arguments = [self.tracked(argument) for argument in arguments]
        if not any(varies(argument, self.moving) for argument in arguments):
            return (operator, *arguments)
        if operator in STEPPED:
            raise Refused(f"{operator} of what varies between events")
        if operator not in RELATIONS:
            return (operator, *arguments)
        if operator in ("==", "!="):
            raise Refused("equality of what varies between events")
        greater, less = arguments if operator[0] == ">" else arguments[::-1]
        relation = ("-", greater, less), operator in ("<", ">")
        return ("truth", self.relations.setdefault(relation, len(self.relations)))

    def slope(self, name: str) -> Tree:
        """The slope of the state called `name`."""
        if name in self.source.rate_rules:
            return self.resolved(self.source.rate_rules[name])
        terms = [_product(stoichiometry, ("name", rate)) for rate, stoichiometry in self.source.changes[name]]
        return self.resolved(_product(self.source.species[name].conversion, ("+", *terms)))

    def rate_of(self, name: str) -> Tree:
        """SBML's rateOf: the slope of what a name means."""
        if name in self.source.assignment_rules or name in self.source.reactions:
            raise Refused("rateOf of an assigned symbol")
        slope = self.slope(name) if self.state.get(name) in self.moving else number(0.0)
        species = self.source.species.get(name)
        if species is None or species.volume is None or self.as_concentration(name):
            return slope
        growth = _product(self.symbol(name), self.rate_of(species.volume))
        return _quotient(("-", slope, growth), self.symbol(species.volume))

    def _initial(self, name: str) -> float:
        """The value of a symbol where the run begins."""
        source = self.source
        tree = source.assignment_rules.get(name) or source.reactions.get(name) or source.values[name]
        return self.initial_value(tree)

    def initial_value(self, tree: Tree) -> float:
        def leaf(tree: Tree) -> Tree:
            kind = tree[0]
            if kind == "name":
                return number(self.initial(tree[1]))
            if kind == "rateOf":
                return number(self.initial_value(self.rate_of(tree[1])))
            if kind == "state":
                return number(self.initial_state([*self.state][tree[1]]))
            return number(0.0) if kind == "time" else tree

        return value(replaced(tree, leaf))

    def initial_state(self, name: str) -> float:
        species = self.source.species.get(name)
        result = self.initial(name)
        if species is not None and species.volume is not None and not self.as_concentration(name):
            result *= self.initial(species.volume)
        if not math.isfinite(result):
            raise Refused("a variable without a finite initial value")
        return result

    def module(self, columns: Sequence[tuple[str, str]], title: str) -> str:
        """The functions come first, as the relations are found in them."""
        functions = "\n\n".join(["", *self._functions(columns)])
        events = self.source.events
        header = HEADER.format(
            title=title,
            symbols={name: (self.initial_state(name), place in self.moving) for name, place in self.state.items()},
            n_symbols=len(self.state),
            n_relations=len(self.relations),
            degrees=tuple(self._degree(difference) for difference, _ in self.relations),
            strict=tuple(strict for _, strict in self.relations),
            n_events=len(events),
            n_delayed=sum(event.delay is not None for event in events),
            width=max([1, *(len(event.assignments) for event in events)]),
            initial_triggers=tuple(float(event.initial_value) for event in events),
            persistent=(*(event.persistent for event in events), True),  # one more: no tuple is empty
            from_trigger_time=(*(event.from_trigger_time for event in events), True),
            outputs=tuple(name for name, _ in columns),
        )
        return header + functions

    def _degree(self, difference: Tree) -> int | None:
        found = degree(difference, self.moving)
        return found if found is None or 1 <= found <= 4 else None

    def _functions(self, columns: Sequence[tuple[str, str]]) -> list[str]:
        moving = [*self.state][: len(self.moving)]
        slopes = [f"xdot[{place}] = {text(self.slope(name))}" for place, name in enumerate(moving)]
        outputs = [f"y[{place}] = {text(self.column(*column))}" for place, column in enumerate(columns)]
        functions = [
            _function("slopes(xdot, t, x)", slopes),
            _function("outputs(y, t, x)", outputs),
            *self._functions_of_events(),
        ]
        differences = [f"g[{k}] = {text(difference)}" for (difference, _), k in self.relations.items()]
        settled = [self._settle(*relation, k) for relation, k in self.relations.items()]
        return [
            *functions,
            _function("differences(g, t, x)", differences),
            _function("settle(x, old, t, all_of_them)", [line for lines in settled for line in lines]),
        ]

    def _functions_of_events(self) -> list[str]:
        """Each is a chain of `if event == ...`."""
        events = self.source.events
        values = [[self.text(tree) for tree in event.assignments.values()] for event in events]
        bodies = {
            "trigger(event, t, x)": [[f"return {condition(self.resolved(event.trigger))}"] for event in events],
            "delay(event, t, x)": [self._returned(event.delay) for event in events],
            "priority(event, t, x)": [self._returned(event.priority) for event in events],
            "evaluate(event, values, at, t, x)": [
                [f"values[at + {a}] = {value}" for a, value in enumerate(listed)] for listed in values
            ],
            "assign(event, values, at, t, x)": [self._assign([*event.assignments]) for event in events],
        }
        otherwise = {"trigger": "return False", "delay": "return 0.0", "priority": "return -math.inf"}
        return [
            _function(signature, _cases(cases), otherwise.get(signature.partition("(")[0], ""))
            for signature, cases in bodies.items()
        ]

    def _returned(self, tree: Tree | None) -> list[str]:
        return [] if tree is None else [f"return {self.text(tree)}"]

    def text(self, tree: Tree) -> str:
        return text(self.resolved(tree))

    def _assign(self, names: list[str]) -> list[str]:
        """Assignments at once: species take their values in the volumes from before, and new volumes keep amounts."""
        values = {name: f"values[at + {a}]" for a, name in enumerate(names)}
        lines = []
        for name, species in self.source.species.items():
            if name in names:
                in_volume = species.volume is not None and not self.as_concentration(name)
                factor = f" * {text(self.symbol(species.volume))}" if in_volume else ""
                lines.append(f"x[{self.state[name]}] = {values[name]}{factor}")
            if self.as_concentration(name) and species.volume in names:
                lines.append(f"x[{self.state[name]}] *= {text(self.symbol(species.volume))} / {values[species.volume]}")
                self.jumping.add(self.state[name])
        return [
            *lines,
            *(f"x[{self.state[name]}] = {values[name]}" for name in names if name not in self.source.species),
        ]

    def _settle(self, difference: Tree, strict: bool, k: int) -> list[str]:
        """The truth value of relation k after a jump that moved what it depends on."""
        held = [leaf for leaf in leaves(difference) if leaf[0] in ("state", "truth")]
        jumping = {text(leaf) for leaf in held if leaf[0] == "truth" or leaf[1] in self.jumping}
        changed = [f"{name} != {name.replace('x[', 'old[', 1)}" for name in sorted(jumping)]
        return [
            f"if {' or '.join(['all_of_them', *changed])}:",
            f"    x[TRUTH + {k}] = 1.0 if {text(difference)} {'>' if strict else '>='} 0.0 else 0.0",
        ]


def _product(first: Tree, second: Tree) -> Tree:
    return second if first == number(1.0) else ("*", first, second)


def _quotient(dividend: Tree, divisor: Tree) -> Tree:
    return dividend if divisor == number(1.0) else ("/", dividend, divisor)


def _cases(bodies: Sequence[list[str]]) -> list[str]:
    """`if event == 0: ...`, and so on."""
    chosen = ((e, body) for e, body in enumerate(bodies) if body)
    return [line for e, body in chosen for line in (f"if event == {e}:", *(f"    {line}" for line in body))]


def _function(signature: str, body: list[str], last: str = "") -> str:
    lines = [*body, *([last] if last else [])] or ["pass"]
    return "\n    ".join([f"def {signature}:", *lines]) + "\n"
