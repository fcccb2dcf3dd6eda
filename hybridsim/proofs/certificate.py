"""What an independent checker needs: programs of the model, and the numbers whose inequalities are a proof."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hybridsim.graph import Guard, Program
from hybridsim.proofs.balls import Ball, Matrix, exact, rows_of
from hybridsim.proofs.crossing import Bracket
from hybridsim.proofs.enclosure import Accuracy, Enclosure, MultiplierDisc
from hybridsim.proofs.legs import Chain, Leg
from hybridsim.proofs.shooting import Box, LegRecord, Period, is_transparent
from hybridsim.proofs.watching import Piece

FORMAT = "hybridsim proof 5"


def number(a: Ball) -> list[int]:
    """Return an exact number as [mantissa, exponent of two]."""
    mantissa, exponent, radius, _ = exact(a)
    if radius:
        raise ValueError("a number of a certificate has to be exact")
    return [mantissa, exponent]


def program(a: Program) -> dict[str, Any]:
    """Return a program as lists; constants are floats in hex."""
    lines = [[word, float(others[0]).hex()] if word == "const" else [word, *others] for word, *others in a.instructions]
    return {"lines": lines, "results": a.results}


def model_of(chain: Chain) -> list[dict[str, Any]]:
    """Return the legs as programs."""
    following = [*chain.legs[1:], None]
    return [_leg(chain, leg, after) for leg, after in zip(chain.legs, following, strict=True)]


def level_record(chain: Chain) -> dict[str, Any] | None:
    """Return the level of a kept quantity, with its program on each leg."""
    level = chain.level
    if level is None:
        return None
    quantities = [program(each) for each in level.quantities]
    return {"name": level.name, "value": level.value.hex(), "replaced": level.replaced, "quantities": quantities}


def clock_record(chain: Chain) -> dict[str, Any] | None:
    """Return when strides begin, and the program of their duration, of a section after a time."""
    clock = chain.clock
    if clock is None:
        return None
    return {"begins": clock.begins.hex(), "period": program(Program(chain.graph, [clock.period]))}


def mirror_records(chain: Chain) -> list[dict[str, Any]]:
    """Return the functions in the images of the legs."""
    return [
        {"names": each.names, "kinds": each.kinds, **{name: program(getattr(each, name)) for name in MIRRORED}}
        for each in chain.mirrors
    ]


def _leg(chain: Chain, leg: Leg, following: Leg | None) -> dict[str, Any]:
    after = leg.event.next_chart
    after = chain.image.charts[after] if leg.event.ends_stride else after
    return {
        "transparent": following is not None and is_transparent(leg, following),
        "boundary": chain.boundary(leg.event),
        "chart": chain.model.chart_name(leg.event.chart),
        "next_chart": chain.model.chart_name(after),
        "ends_stride": leg.event.ends_stride,
        "watches": [
            {
                "name": watch.name,
                "may_be_negative": watch.may_be_negative,
                "may_be_zero": watch.may_be_zero,
                "begins_at_zero": watch.begins_at_zero,
            }
            for watch in leg.watches
        ],
        **{name: program(getattr(leg, name)) for name in PROGRAMS},
        "reset_guards": _guards(leg.reset_guards),
        "constant_guards": _guards(leg.constant_guards),
    }


PROGRAMS = ("field", "watched", "transition", "conditions", "constants")
"""The programs of a leg; a checker makes their derivatives itself, and the image of the state after the transition."""


MIRRORED = ("boundaries", "field", "transition", "guards", "required")
"""The programs of the image of a leg."""


def _guards(guards: tuple[Guard, ...]) -> list[dict[str, str]]:
    return [{"kind": guard.kind, "where": guard.where} for guard in guards]


def box_record(box: Box) -> dict[str, Any]:
    """Return the numbers of a box."""
    return {
        "centre": [number(x) for x in box.x],
        "free": list(box.free),
        "reach": [number(reach) for reach in box.reach],
        "tilt": [number(tilt) for tilt in box.tilt],
    }


def pass_of(box: Box, found: Period, inverse: Matrix, accuracy: Accuracy) -> dict[str, Any]:
    """Return the numbers of a period from a box."""
    return {
        "order": accuracy.order,
        "rough": accuracy.of_sets,
        "second": accuracy.second,
        "bits": accuracy.bits,
        **box_record(box),
        "inverse": [[number(x) for x in row] for row in rows_of(inverse)],
        "legs": [_record(record) for record in found.records],
    }


def _record(record: LegRecord) -> dict[str, Any]:
    steps = [
        {
            "length": number(step.length),
            "rho": number(step.rho),
            "rings": [[number(reach) for reach in ring] for ring in step.rings],
            "pieces": _pieces(step.pieces),
        }
        for step in record.steps
    ]
    return {
        "steps": steps,
        "bracket": _bracket(record.bracket),
        "of_centre": _bracket(record.of_centre),
        "pieces_behind": _pieces(record.pieces_behind),
    }


def _pieces(proven: Sequence[Sequence[Piece]]) -> list[Any]:
    return [[[number(b), word] for _, b, word in pieces] for pieces in proven]


def _bracket(found: Bracket) -> list[list[int]]:
    return [number(found.begin), number(found.end)]


CLEARANCE = Fraction(1, 10**60)
"""By how much the interval of the period that is claimed is wider: the checker rounds outwards, by other amounts."""


def claims(vectors: Any, discs: Sequence[MultiplierDisc], counts: Sequence[int], period: Enclosure) -> dict[str, Any]:
    """Return what is said of the period and the multipliers, and the vectors that it rests on."""
    return {
        "vectors": vectors_of(vectors),
        "inverse_vectors": vectors_of(np.linalg.inv(vectors)),
        "claims": {
            "period": wider(period),
            "multipliers": [[z.centre.real.hex(), z.centre.imag.hex(), z.radius.hex()] for z in discs],
            "counts": list(counts),
        },
    }


def wider(found: Enclosure) -> list[str]:
    """Return the ends of an interval that is claimed."""
    return [str(found.low - CLEARANCE), str(found.high + CLEARANCE)]


def vectors_of(vectors: np.ndarray) -> list[list[list[str]]]:
    """Return complex vectors as pairs of floats in hex."""
    return [[[float(z.real).hex(), float(z.imag).hex()] for z in row] for row in np.asarray(vectors, complex)]
