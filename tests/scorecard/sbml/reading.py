"""An SBML file -> its symbols, rates and events, of any level, with function definitions and local names put in.

`Refused` names the feature of what is beyond the translator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import libsbml

from .expressions import Tree, number

AVOGADRO = 6.02214179e23
"""The value that SBML fixes for its symbol."""

OPERATORS = {
    libsbml.AST_PLUS: "+",
    libsbml.AST_MINUS: "-",
    libsbml.AST_TIMES: "*",
    libsbml.AST_DIVIDE: "/",
    libsbml.AST_POWER: "power",
    libsbml.AST_FUNCTION_CEILING: "ceil",
    libsbml.AST_FUNCTION_RATE_OF: "rateOf",
    libsbml.AST_RELATIONAL_EQ: "==",
    libsbml.AST_RELATIONAL_NEQ: "!=",
    libsbml.AST_RELATIONAL_GEQ: ">=",
    libsbml.AST_RELATIONAL_GT: ">",
    libsbml.AST_RELATIONAL_LEQ: "<=",
    libsbml.AST_RELATIONAL_LT: "<",
    **{
        getattr(libsbml, f"AST_{kind}_{name.upper()}"): name
        for kind, names in {
            "FUNCTION": "abs delay exp factorial floor ln log max min piecewise power quotient rem root",
            "LOGICAL": "and or xor not implies",
        }.items()
        for name in names.split()
    },
    **{
        getattr(libsbml, f"AST_FUNCTION_{arc}{name}{h}".upper()): f"{arc}{name}{h}"
        for arc in ("", "arc")
        for name in ("sin", "cos", "tan", "sec", "csc", "cot")
        for h in ("", "h")
    },
}
CONSTANTS = {
    libsbml.AST_CONSTANT_E: math.e,
    libsbml.AST_CONSTANT_PI: math.pi,
    libsbml.AST_CONSTANT_TRUE: 1.0,
    libsbml.AST_CONSTANT_FALSE: 0.0,
    libsbml.AST_NAME_AVOGADRO: AVOGADRO,
}


KNOWN_PACKAGES = ("comp", "l3v2extendedmath")
"""Submodels, and what libsbml takes for a package: the functions that Level 3 Version 2 has added."""


class Refused(Exception):
    """The translator does not support a feature; the message is its name."""


@dataclass(frozen=True, slots=True)
class Species:
    """A species: `volume` is None where its symbol means the amount, else the compartment that divides it."""

    compartment: str
    volume: str | None
    conversion: Tree
    reacts: bool


@dataclass(frozen=True, slots=True)
class Event:
    """An event; `priority` is None where there is none, and a trigger without a formula is never true."""

    trigger: Tree
    delay: Tree | None
    priority: Tree | None
    assignments: dict[str, Tree]
    initial_value: bool
    persistent: bool
    from_trigger_time: bool


@dataclass(slots=True)
class Source:
    """A model as it was written: every formula is a tree with names."""

    values: dict[str, Tree] = field(default_factory=dict)
    assignment_rules: dict[str, Tree] = field(default_factory=dict)
    rate_rules: dict[str, Tree] = field(default_factory=dict)
    species: dict[str, Species] = field(default_factory=dict)
    reactions: dict[str, Tree] = field(default_factory=dict)
    changes: dict[str, list[tuple[str, Tree]]] = field(default_factory=dict)  # species -> (reaction, stoichiometry)
    events: list[Event] = field(default_factory=list)


def read(path: Path) -> Source:
    """The model in an SBML file; raises `Refused`."""
    document = libsbml.readSBMLFromFile(str(path))
    if document.getNumErrors(libsbml.LIBSBML_SEV_FATAL):
        raise ValueError(f"{path}: {document.getErrorLog().toString()}")
    _flatten(document)
    return _Reader(document.getModel()).source


def _flatten(document: Any) -> None:
    """Replace submodels by their contents; other packages that a model needs are refused."""
    if document.getPlugin("comp") is not None:
        properties = libsbml.ConversionProperties()
        properties.addOption("flatten comp", True)
        if document.convert(properties) != libsbml.LIBSBML_OPERATION_SUCCESS:
            raise Refused("submodels that do not flatten")
    for place in range(document.getNumPlugins()):
        package = document.getPlugin(place).getPackageName()
        if document.getLevel() > 2 and document.getPackageRequired(package) and package not in KNOWN_PACKAGES:
            raise Refused(f"package {package}")


class _Reader:
    """Walks one model."""

    def __init__(self, model: Any) -> None:
        self.model, self.source = model, Source()
        self.functions = {f.getId(): f.getMath() for f in model.getListOfFunctionDefinitions()}
        for parameter in model.getListOfParameters():
            self.source.values[parameter.getId()] = number(parameter.getValue())
        for compartment in model.getListOfCompartments():
            self.source.values[compartment.getId()] = number(compartment.getSize())
        for species in model.getListOfSpecies():
            self._species(species)
        for reaction in model.getListOfReactions():
            self._reaction(reaction)
        self._rules()
        for assignment in model.getListOfInitialAssignments():
            if assignment.isSetMath():
                self.source.values[assignment.getSymbol()] = self.tree(assignment.getMath())
        self.source.events = [self._event(event) for event in model.getListOfEvents()]

    def _species(self, species: Any) -> None:
        compartment = self.model.getCompartment(species.getCompartment())
        as_amount = species.getHasOnlySubstanceUnits() or compartment.getSpatialDimensions() == 0
        volume = None if as_amount else compartment.getId()
        initial, size = number(species.getInitialAmount()), ("name", compartment.getId())
        if species.isSetInitialConcentration():
            initial = number(species.getInitialConcentration())
            initial = ("*", initial, size) if as_amount else initial
        elif not as_amount:
            initial = ("/", initial, size)
        factor = species.getConversionFactor() or self.model.getConversionFactor()
        reacts = not species.getBoundaryCondition() and not species.getConstant()
        name = species.getId()
        self.source.values[name] = initial
        self.source.species[name] = Species(
            compartment.getId(), volume, ("name", factor) if factor else number(1.0), reacts
        )

    def _reaction(self, reaction: Any) -> None:
        if reaction.isSetFast() and reaction.getFast():
            raise Refused("fast reactions")
        law = reaction.getKineticLaw()
        rate = number(math.nan)
        if law is not None and law.isSetMath():
            local = [*law.getListOfLocalParameters()] or [*law.getListOfParameters()]
            rate = self.tree(law.getMath(), {p.getId(): number(p.getValue()) for p in local})
        self.source.reactions[reaction.getId()] = rate
        for sign, references in ((-1.0, reaction.getListOfReactants()), (1.0, reaction.getListOfProducts())):
            for reference in references:
                amount = ("*", number(sign), self._stoichiometry(reference))
                if law is not None and law.isSetMath() and self.source.species[reference.getSpecies()].reacts:
                    self.source.changes.setdefault(reference.getSpecies(), []).append((reaction.getId(), amount))

    def _stoichiometry(self, reference: Any) -> Tree:
        if reference.isSetStoichiometryMath() and reference.getStoichiometryMath().isSetMath():
            return self.tree(reference.getStoichiometryMath().getMath())
        if not reference.isSetId():
            return number(reference.getStoichiometry())
        self.source.values[reference.getId()] = number(reference.getStoichiometry())
        return ("name", reference.getId())

    def _rules(self) -> None:
        for rule in self.model.getListOfRules():
            if not rule.isSetMath():
                continue
            if rule.isAlgebraic():
                raise Refused("algebraic rules")
            rules = self.source.rate_rules if rule.isRate() else self.source.assignment_rules
            rules[rule.getVariable()] = self.tree(rule.getMath())

    def _event(self, event: Any) -> Event:
        trigger = event.getTrigger()
        return Event(
            trigger=self._optional(trigger) or number(0.0),
            delay=self._optional(event.getDelay()),
            priority=self._optional(event.getPriority()),
            assignments={
                a.getVariable(): self.tree(a.getMath()) for a in event.getListOfEventAssignments() if a.isSetMath()
            },
            initial_value=trigger is None or trigger.getInitialValue(),
            persistent=trigger is None or trigger.getPersistent(),
            from_trigger_time=event.getUseValuesFromTriggerTime(),
        )

    def _optional(self, part: Any) -> Tree | None:
        return self.tree(part.getMath()) if part is not None and part.isSetMath() else None

    def tree(self, node: Any, scope: dict[str, Tree] | None = None) -> Tree:
        """A formula with the names in `scope` replaced and function definitions written out."""
        scope = scope or {}
        kind = node.getType()
        if kind in CONSTANTS:
            return number(CONSTANTS[kind])
        if kind == libsbml.AST_NAME_TIME:
            return ("time",)
        if kind == libsbml.AST_NAME:
            return scope.get(node.getName(), ("name", node.getName()))
        if node.isNumber():
            return number(node.getValue())
        arguments = [self.tree(node.getChild(place), scope) for place in range(node.getNumChildren())]
        if kind == libsbml.AST_FUNCTION:
            return self._definition(self.functions[node.getName()], arguments)
        if kind not in OPERATORS:
            raise Refused(f"the operator {node.getName() or kind}")
        return self._operation(OPERATORS[kind], arguments)

    def _definition(self, definition: Any, arguments: list[Tree]) -> Tree:
        *names, body = [definition.getChild(place) for place in range(definition.getNumChildren())]
        return self.tree(body, dict(zip([name.getName() for name in names], arguments, strict=True)))

    def _operation(self, operator: str, arguments: list[Tree]) -> Tree:
        if operator == "delay":
            raise Refused("delays in expressions")
        if operator == "rateOf":
            return ("rateOf", arguments[0][1]) if arguments[0][0] == "name" else number(0.0)
        if operator in ("root", "log") and len(arguments) == 1:
            return (operator, number(2.0 if operator == "root" else 10.0), *arguments)
        if operator in ("==", ">=", ">", "<=", "<") and len(arguments) > 2:
            return ("and", *((operator, *pair) for pair in pairwise(arguments)))
        return (operator, *arguments)
