"""The check of an orbit, which reads like its proof.

What follows from the expressions alone; then, for a large box and a small one in it, a period step by step with
Krawczyk's operator (`check_period`); then the discs of the multipliers. docs/proofs.md has the formulas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hybridsim.proofs.check_algebra import Algebra
from hybridsim.proofs.check_image import require_image, require_mirrors
from hybridsim.proofs.check_multipliers import check_counts, multiplier_discs
from hybridsim.proofs.check_numbers import Ball
from hybridsim.proofs.check_period import PassCheck, require_guard
from hybridsim.proofs.check_programs import Expressions
from hybridsim.proofs.check_step import Leg, require
from hybridsim.proofs.check_time import TIME, require_clock

FORMAT = "hybridsim proof 5"


def check_orbit(certificate: Mapping[str, Any]) -> str:
    """Check the certificate of an orbit; return what has been checked, in a sentence."""
    Ball.bits = int(certificate["sharp"]["bits"]) + 64
    made, variables, image = Expressions(), certificate["variables"], certificate["image"]
    with_second = any(certificate[part]["second"] for part in ("unique", "sharp"))
    free = [variables[i] for i in certificate["unique"]["free"]]
    require_image(image, variables)
    legs = [Leg(made, record, variables, image, with_second) for record in certificate["legs"]]
    structure(made, legs, certificate, free)
    require_clock(made, legs, certificate)
    require_mirrors(made, legs, certificate)
    if certificate["fixed"]:
        _kept_quantity(made, legs, certificate, free)
    level = _level(made, certificate)
    large = PassCheck(certificate, legs, certificate["unique"], level)
    if certificate["varied"]:
        interval(certificate, large)
    small = PassCheck(certificate, legs, certificate["sharp"], level)
    constants(legs, small)
    within(certificate)
    discs = multiplier_discs(certificate, small)
    check_counts(discs, certificate["claims"]["counts"])
    require_within(small.duration, certificate["claims"]["period"], "the period")
    inside, outside, undecided = certificate["claims"]["counts"]
    closes = f"; its motion closes after {certificate['closes_after']} periods" if certificate["closes_after"] else ""
    steps = sum(len(leg["steps"]) for part in ("unique", "sharp") for leg in certificate[part]["legs"])
    return (
        f"{certificate['model']}: checked, {steps} steps, {len(made.lines)} expressions: exactly one state returns "
        f"after {', '.join(leg.record['boundary'] for leg in legs)}{closes}; of its multipliers {inside} are smaller "
        f"than 1 in size, {outside} larger, {undecided} not decided. This is about the expressions in the file: that "
        "they are those of the model, and which boundaries it has, is trusted, and so are the words of the theorem"
    )


def require_within(found: Ball, ends: Sequence[str], what: str) -> None:
    """Refuse a number that is not proven to be in the interval that is claimed."""
    (low, high), unit = map(Fraction, ends), 1 << Ball.bits
    holds = low <= Fraction(found.low, unit) and Fraction(found.high, unit) <= high
    require(holds, f"{what} is not proven to be in its interval")


def itself(variables: Sequence[str]) -> list[list[int]]:
    """Return the image that changes nothing."""
    return [[i, 1] for i in range(len(variables))]


def plain_legs(made: Expressions, records: Sequence[Mapping[str, Any]], variables: Sequence[str]) -> list[Leg]:
    """Return the legs of a chain in which neither time nor an image has a part."""
    require(TIME not in variables, "time is among the variables")
    return [Leg(made, record, variables, itself(variables), with_second=False) for record in records]


def structure(made: Expressions, legs: Sequence[Leg], certificate: Mapping[str, Any], free: Sequence[str]) -> None:
    """Check what follows from the expressions alone: where boundaries are zero, and which states matter."""
    variables = certificate["variables"]
    require(bool(legs) and set(free) <= set(variables), "there are no legs, or no such states")
    for before, leg in zip([legs[-1], *legs[:-1]], legs, strict=True):
        require(before.record["next_chart"] == leg.record["chart"], "the legs are no chain")
        after = dict(zip(variables, before.reset_nodes, strict=True))
        crossed = before.watched_nodes[0]
        values = made.read(leg.record["watched"], after)
        for watch, value in zip(leg.watches, values, strict=False):
            if watch["begins_at_zero"]:
                waits = leg is legs[0] and watch["may_be_negative"]
                require(not waits, f"{watch['name']} may be positive in the box, where it would cross at once")
                zero = value in (made.const(0.0), crossed, made.neg(crossed))
                require(zero, f"{watch['name']} is not zero where its chart begins")
        require(leg.watches[0]["name"] == leg.record["boundary"], "the first boundary watched is not the one crossed")
    for leg, following in zip(legs, [*legs[1:], None], strict=True):
        if leg.record["transparent"]:
            stays = leg.reset_nodes == [made.put("input", name) for name in variables]
            is_same = following is not None and leg.read["field"] == following.read["field"]
            require(stays and is_same, f"{leg.record['boundary']} changes more than the chart")
    varied = [f"p.{certificate['varied']}"] if certificate["varied"] else []
    for i, name in enumerate(variables):
        if name in varied:
            require(_is_kept(made, legs, i, name), f"{name} changes")
        elif name not in free and not _is_kept(made, legs, i, name) and not _is_set(made, legs[-1], i, certificate):
            shift = _carried(made, legs, variables, {name: made.const(1.0)})
            require(not {v for v in shift if v in free}, f"{name} changes states that have to return")


def _level(made: Expressions, certificate: Mapping[str, Any]) -> Any:
    """Return what stands for the return of one state on a level: which, a quantity and its slopes, and its value."""
    level = certificate["fixed"]
    if not level:
        return None
    (node,) = made.read(level["quantities"][0], {})
    known: dict[tuple[int, str], int] = {}
    slopes = [made.slope(node, name, known) for name in certificate["variables"]]
    return int(level["replaced"]), made.program([node]), made.program(slopes), float.fromhex(level["value"])


def _kept_quantity(made: Expressions, legs: Sequence[Leg], certificate: Mapping[str, Any], free: Sequence[str]) -> None:
    """Check that flows and events keep a quantity, by exact algebra, and that it is defined wherever it is kept."""
    variables, level = certificate["variables"], certificate["fixed"]
    require(not certificate["varied"] and len(level["quantities"]) == len(legs), "a level is that of one motion")
    values = {name: Fraction(float.fromhex(value)) for name, value in certificate["parameters"].items()}
    require(not set(values) & set(variables), "a parameter is a state")
    nodes = [made.read(each, {})[0] for each in level["quantities"]]
    known: dict[tuple[int, str], int] = {}
    slopes = {name: made.slope(nodes[0], name, known) for name in variables}
    for i, name in enumerate(variables):
        alike = name in free or _is_kept(made, legs, i, name) or slopes[name] == made.const(0.0)
        require(alike, f"{level['name']} depends on {name}, which need not return")
    for leg, node, after in zip(legs, nodes, [*level["quantities"][1:], level["quantities"][0]], strict=True):
        require(node in made.read(leg.record["watched"], {}), f"{level['name']} is not known to be defined")
        rate = made.const(0.0)
        for name, field in zip(variables, leg.field_nodes, strict=True):
            rate = made.add(rate, made.mul(made.slope(node, name, known), field))
        jump = made.sub(made.read(after, dict(zip(variables, leg.reset_nodes, strict=True)))[0], node)
        is_kept = Algebra(made.lines, values).vanishes(rate)
        is_kept = is_kept and Algebra(made.lines, values, leg.watched_nodes[0]).vanishes(jump)
        require(is_kept, f"{level['name']} is not seen to be kept in {leg.record['chart']}")


def _is_kept(made: Expressions, legs: Sequence[Leg], i: int, name: str) -> bool:
    own = made.put("input", name)
    return all(leg.field_nodes[i] == made.const(0.0) and leg.reset_nodes[i] == own for leg in legs)


def _is_set(made: Expressions, last: Leg, i: int, certificate: Mapping[str, Any]) -> bool:
    """Return whether the last transition sets a state to the number that it has in both boxes."""
    sign, inner = made.sign_of(last.reset_nodes[i])
    word, value = made.lines[inner][:2]
    centres = [
        Fraction(m) * Fraction(2) ** e for m, e in (certificate[part]["centre"][i] for part in ("unique", "sharp"))
    ]
    return word == "const" and all(sign * Fraction(value) == centre for centre in centres)


def _carried(made: Expressions, legs: Sequence[Leg], names: Sequence[str], shift: dict[str, int]) -> dict[str, int]:
    """Return what a shift of states becomes, if it changes neither flows nor boundaries nor branches on its way."""

    def along(rows: Sequence[Sequence[int]]) -> list[int]:
        found = []
        for row in rows:
            total = made.const(0.0)
            for name, by in shift.items():
                total = made.add(total, made.mul(row[names.index(name)], by))
            found.append(total)
        return found

    for leg in legs:
        for kind in ("field", "watched", "conditions"):
            unchanged = all(a == made.const(0.0) for a in along(leg.slope_nodes[kind]))
            require(unchanged, f"{', '.join(shift)} influences the motion in {leg.record['chart']}")
        after = along(leg.slope_nodes["reset"])
        for a in after:
            require(made.lines[made.sign_of(a)[1]][0] == "const", f"{', '.join(shift)} is not moved by a constant")
        shift = {name: a for name, a in zip(names, after, strict=True) if a != made.const(0.0)}
    return shift


def constants(legs: Sequence[Leg], found: PassCheck) -> None:
    """Check the branches on parameters alone."""
    inputs = found.inputs([Ball(0)] * len(found.variables))
    inputs = {name: value for name, value in inputs.items() if name not in found.variables}
    for leg in legs:
        taken = {first for word, first, *_ in leg.constants.lines if word == "input"}
        require(taken <= inputs.keys(), "a branch that is said to rest on parameters rests on states")
        for guard, value in zip(leg.record["constant_guards"], leg.constants.on(inputs), strict=True):
            require_guard(guard, value)


def interval(certificate: Mapping[str, Any], found: PassCheck) -> None:
    """Check that the box has all values of the varied parameter."""
    low, high = (Ball.of_float(float.fromhex(end)) for end in certificate["interval"])
    centre, reach = found.centre[-1], found.reach[-1]
    require(
        (centre - reach).high <= low.low and high.high <= (centre + reach).low, "the box lacks values of the parameter"
    )


def within(certificate: Mapping[str, Any]) -> None:
    """Check that the small box lies in the large one, along the same line."""
    large, small = certificate["unique"], certificate["sharp"]
    require(large["free"] == small["free"] and large["tilt"] == small["tilt"], "the two boxes are of other states")
    exact = [
        [[Fraction(m) * Fraction(2) ** e for m, e in part[name]] for name in ("centre", "reach")]
        for part in (large, small)
    ]
    (centre, reach), (inner, within) = exact
    for i, outer, own in zip(large["free"], reach, within, strict=False):
        require(abs(inner[i] - centre[i]) + own <= outer, "the small box is not within the large one")
    fixed = [i for i in range(len(centre)) if i not in large["free"]]
    require(all(centre[i] == inner[i] for i in fixed), "the two boxes differ in states that need not return")
    require(not large["tilt"] or reach[-1] == within[-1], "the two boxes have other values of the parameter")
