"""Orbits that end in their image: that it exchanges states, and that the image of a motion is a motion, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hybridsim.proofs.check_algebra import Algebra
from hybridsim.proofs.check_programs import Expressions
from hybridsim.proofs.check_step import Leg, require
from hybridsim.proofs.check_time import TIME, TIME_SECTION

IN_A_FILE = ":"
"""What the names of branches have, as they say where these are."""

MIRRORED = ("boundaries", "field", "transition", "guards", "required")
"""The programs of the image of a leg; the last one is what else has to be defined."""

PARTIAL = ("div", "sqrt", "log", "asin", "acos", "tan")
"""What is not defined, or has no slope, for some numbers; a motion is shown to have it along all of a leg."""


def require_image(image: Sequence[Sequence[int]], variables: Sequence[str]) -> None:
    """Check that the image in which strides end exchanges states, with signs."""
    require(sorted(k for k, _ in image) == [*range(len(variables))], "an image does not exchange states")
    for i, (k, sign) in enumerate(image):
        is_state = variables[i] != TIME and not variables[i].startswith("p.")
        require(sign in (1, -1) and ((k, sign) == (i, 1) or is_state), f"{variables[i]} is not its own image")


def require_mirrors(made: Expressions, legs: Sequence[Leg], certificate: Mapping[str, Any]) -> None:
    """Check that the functions in the images of charts are the images of those in the charts, if that is said."""
    variables, image, mirrors = certificate["variables"], certificate["image"], certificate["mirrored"]
    strides = sum(bool(leg.record["ends_stride"]) for leg in legs)
    closes_after = 1 + strides % 2 if mirrors else 0
    require(certificate["closes_after"] == closes_after, "after how many periods the motion closes is not proven")
    if not mirrors:
        return
    twice = all(image[k][0] == i and sign * image[k][1] == 1 for i, (k, sign) in enumerate(image))
    require(twice, "the image of an image is not the state itself")
    values = {name: Fraction(float.fromhex(value)) for name, value in certificate["parameters"].items()}
    algebra = Algebra(made.lines, {name: value for name, value in values.items() if name not in variables})
    inputs = [made.put("input", name) for name in variables]
    moved = dict(zip(variables, _image_of(made, image, inputs), strict=True))
    for leg, mirror in zip(legs, mirrors, strict=True):
        watched = {watch["name"]: node for watch, node in zip(leg.watches, leg.watched_nodes, strict=True)}
        boundaries = {name for name in watched if IN_A_FILE not in name} - {TIME_SECTION}
        require(boundaries <= {*mirror["names"]}, "the image of a boundary is missing")
        pairs = [*zip(made.read(mirror["boundaries"], moved), (watched[n] for n in mirror["names"]), strict=True)]
        for name in ("field", "transition"):
            found = made.read(mirror[name], moved)
            pairs += zip(found, _image_of(made, image, leg.read[name][: len(variables)]), strict=False)
            require(len(found) == sum(v != TIME and not v.startswith("p.") for v in variables), "an image lacks states")
        is_same = all(a == b or algebra.vanishes(made.sub(a, b)) for a, b in pairs)
        require(is_same, f"the image of a motion in {leg.record['chart']} is not seen to be a motion")
        known = _proven(leg)
        for kind, a in zip(mirror["kinds"], made.read(mirror["guards"], moved), strict=True):
            holds = (kind, a) in known or (kind == "nonnegative" and ("positive", a) in known)
            require(holds, f"a branch of the image of a motion in {leg.record['chart']} is not one of the motion")
        there = [a for name in MIRRORED for a in made.read(mirror[name], moved)]
        is_defined = _partial(made, there) <= _partial(made, [*leg.read["field"], *leg.read["watched"]])
        require(is_defined, f"the functions in the image of {leg.record['chart']} are not seen to be defined")


def _image_of(made: Expressions, image: Sequence[Sequence[int]], nodes: Sequence[int]) -> list[int]:
    return [nodes[k] if sign > 0 else made.neg(nodes[k]) for k, sign in image]


def _partial(made: Expressions, nodes: Sequence[int]) -> set[int]:
    """Return the roots, quotients and so on of which expressions are made, which have to be defined."""
    return {a for a in made.reached(nodes) if made.lines[a][0] in PARTIAL}


def _proven(leg: Leg) -> set[tuple[str, int]]:
    """Return what is proven all along a leg: kinds of guards with their expressions."""
    signs = [w for w in zip(leg.watches, leg.watched_nodes, strict=True) if not w[0]["may_be_negative"]]
    known = {("nonnegative" if watch["may_be_zero"] else "positive", node) for watch, node in signs}
    guards = zip(leg.record["constant_guards"], leg.read["constants"], strict=True)
    return known | {(guard["kind"], a) for guard, a in guards}
