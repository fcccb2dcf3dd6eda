"""A check of the certificate of a branch: every piece, that neighbours have the same orbit, and bifurcations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridsim.proofs.check_bifurcation import check_bifurcation
from hybridsim.proofs.check_multipliers import check_counts, multiplier_discs
from hybridsim.proofs.check_numbers import Ball, RefusedError
from hybridsim.proofs.check_orbit import constants, interval, plain_legs, require_within, structure
from hybridsim.proofs.check_period import PassCheck
from hybridsim.proofs.check_programs import Expressions
from hybridsim.proofs.check_step import Leg, require

FORMAT = "hybridsim branch proof 1"

GUARD_BITS = 64


def check_branch(certificate: Mapping[str, Any]) -> str:
    """Check the certificate of a branch; return what has been checked in a sentence."""
    said = [_tube(certificate, pieces) for pieces in certificate["tubes"]]
    special = []
    for each in certificate["bifurcations"]:
        same = ("model", "sources", "varied")
        require(all(each[name] == certificate[name] for name in same), "a bifurcation is that of another model")
        require(_parameters(each) == _parameters(certificate), "a bifurcation has other parameters")
        special.append(check_bifurcation(each))
    name = certificate["varied"]
    title = f"{certificate['model']}, over {name}: checked, tubes: {len(said)}, bifurcations: {len(special)}"
    trusted = "This is about the expressions in the file: that they are those of the model is trusted."
    return "\n".join([title, *said, *special, trusted])


def _parameters(certificate: Mapping[str, Any]) -> dict[str, str]:
    return {name: value for name, value in certificate["parameters"].items() if name != f"p.{certificate['varied']}"}


def _tube(certificate: Mapping[str, Any], pieces: Sequence[Mapping[str, Any]]) -> str:
    """Check pieces that are joined, and return what they say."""
    first = pieces[0]
    Ball.bits = int(first["pass"]["bits"]) + GUARD_BITS
    model = certificate["models"][first["chain"]]
    common = {**certificate, **model, "fixed": None, "unique": first["pass"], "sharp": first["pass"]}
    made = Expressions()
    legs = plain_legs(made, model["legs"], model["variables"])
    free = first["pass"]["free"]
    structure(made, legs, common, [model["variables"][i] for i in free])
    before: PassCheck | None = None
    ends, steps, signs = [], 0, set()
    for piece, previous in zip(pieces, [None, *pieces[:-1]], strict=True):
        require(piece["chain"] == first["chain"], "a piece has other events than the tube that it is in")
        found = _piece({**common, **piece}, legs, free)
        if before is None:
            constants(legs, found)
        elif previous is not None:
            _joined((before, previous), (found, piece))
        before = found
        ends += [float.fromhex(end) for end in piece["interval"]]
        steps += sum(len(leg["steps"]) for leg in piece["pass"]["legs"])
        signs.add(tuple(piece["claims"]["counts"]))
    counts = " or ".join(f"{a} smaller, {b} larger, {c} not decided" for a, b, c in sorted(signs, reverse=True))
    return (
        f"from {min(ends)!r} to {max(ends)!r}, {len(pieces)} pieces, {steps} steps: for each value exactly one state "
        f"returns after {', '.join(leg.record['boundary'] for leg in legs)}, and pieces are joined; of its multipliers "
        f"{counts}"
    )


def _piece(view: Mapping[str, Any], legs: Sequence[Leg], free: Sequence[int]) -> PassCheck:
    """Check one piece; `view` is what a certificate of one orbit has."""
    record, first = view["pass"], view["unique"]
    others = [i for i in range(len(record["centre"]) - 1) if i not in free]
    same = record["free"] == list(free) and all(record["centre"][i] == first["centre"][i] for i in others)
    require(same and record["bits"] == first["bits"], "a piece is one of other states")
    found = PassCheck(view, legs, record, None)
    interval(view, found)
    discs = multiplier_discs(view, found)
    check_counts(discs, view["claims"]["counts"])
    require_within(found.duration, view["claims"]["period"], "the period")
    return found


Side = tuple[PassCheck, Mapping[str, Any]]


def _joined(first: Side, second: Side) -> None:
    """Check that two pieces have the same orbit at a value that both have: that of one is in the box of the other."""
    (a, b), (c, d) = ([float.fromhex(end) for end in piece["interval"]] for _, piece in (first, second))
    require(max(a, c) <= min(b, d), "neighbours have no value of the parameter in common")
    at = Ball.of_float(max(a, c))
    both = [_line(found, at) for found, _ in (first, second)]
    for (one, other), (found, box) in zip((both, both[::-1]), ((first, second), (second, first)), strict=True):
        away = [(x + k - y).size() for x, k, y in zip(one, found[0].image, other, strict=True)]
        if all(by.high < reach.low for by, reach in zip(away, box[0].reach, strict=False)):
            return
    raise RefusedError("two pieces are not proven to have the same orbit where they meet")


def _line(found: PassCheck, at: Ball) -> list[Ball]:
    """Return the middle of a box at a value of the parameter."""
    away = at - found.centre[-1]
    return [found.centre[i] + t * away for i, t in zip(found.free, found.tilt, strict=True)]
