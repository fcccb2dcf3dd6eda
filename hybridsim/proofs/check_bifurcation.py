"""A check of the certificate of a period doubling or a fold: equations of state, parameter and eigenvector together.

The programs of the states with deviations are made here, from those of the model: w' = f_x w along a leg, and
w -> h_x (w - f (g_x w) / (g_x f)) at an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hybridsim.proofs.check_multipliers import check_counts, multiplier_discs, one_apart
from hybridsim.proofs.check_numbers import Ball, one
from hybridsim.proofs.check_orbit import constants, itself, plain_legs, require_within, structure, within
from hybridsim.proofs.check_period import PassCheck
from hybridsim.proofs.check_programs import Expressions
from hybridsim.proofs.check_second import Matrix, applied, product
from hybridsim.proofs.check_step import Leg, States, require

FORMAT = "hybridsim bifurcation proof 1"

GUARD_BITS = 64


def check_bifurcation(certificate: Mapping[str, Any]) -> str:
    """Check the certificate of a bifurcation; return what has been checked in a sentence."""
    Ball.bits = int(certificate["sharp"]["bits"]) + GUARD_BITS
    made, variables = Expressions(), list(certificate["variables"])
    require(
        variables[-1] == f"p.{certificate['varied']}" and not certificate["fixed"], "there is no parameter that varies"
    )
    legs = plain_legs(made, certificate["legs"], variables)
    structure(made, legs, certificate, [variables[i] for i in certificate["free states"]])
    m, claims = len(certificate["free states"]), certificate["claims"]
    both = {**certificate, "variables": [*variables, *(f"w.{name}" for name in variables[:-1])], "varied": ""}
    doubled = [_with_deviations(made, leg, both["variables"], len(variables) - 1) for leg in legs]
    large = CriticalCheck(both, doubled, certificate["unique"], None)
    large.require_all_vectors()  # numbers are those of the bits of one pass
    at, by = (float(Fraction(x.m, 1 << Ball.bits)) for x in (large.centre[len(variables) - 1], large.reach[m]))
    small = CriticalCheck(both, doubled, certificate["sharp"], None)
    constants(doubled, small)
    within(both)
    discs = multiplier_discs(both, small)
    multiplier = certificate["multiplier"]
    require(multiplier in (-1, 1), "the multiplier is neither 1 nor -1")
    others = one_apart(discs, Ball.of(multiplier), f"the multiplier {multiplier}")
    check_counts(others, claims["counts"])
    require_within(small.duration, claims["period"], "the period")
    value = small.centre[len(variables) - 1] + small.image[m]
    require_within(value, claims["value"], "the parameter")
    steps = sum(len(leg["steps"]) for part in ("unique", "sharp") for leg in certificate[part]["legs"])
    low, high = (float(Fraction(end)) for end in claims["value"])
    name, counts = certificate["varied"], claims["counts"]
    return (
        f"{certificate['model']}: checked, {steps} steps: exactly one {name} within {by:.3g} of {at:.12g} has a "
        f"multiplier {multiplier}, between {low!r} and {high!r}, and is not degenerate; of the others {counts[0]} are "
        f"smaller than 1 in size, {counts[1]} larger, {counts[2]} not decided"
    )


def _with_deviations(made: Expressions, leg: Leg, variables: Sequence[str], n: int) -> Leg:
    """Return a leg of the states with their deviations; n states come first, and then the parameter."""
    known: dict[tuple[int, str], int] = {}
    own = [made.put("input", name) for name in variables[n + 1 :]]

    def along(nodes: Sequence[int], by: Sequence[int]) -> list[int]:
        found = []
        for a in nodes:
            total = made.const(0.0)
            for name, b in zip(variables[:n], by, strict=True):
                total = made.add(total, made.mul(made.slope(a, name, known), b))
            found.append(total)
        return found

    field, reset, after = leg.field_nodes, leg.reset_nodes, own
    if not leg.record["transparent"]:
        target = leg.watched_nodes[:1]
        moment = made.div(along(target, own)[0], along(target, field[:n])[0])
        crossed = [made.sub(w, made.mul(f, moment)) for w, f in zip(own, field, strict=False)]
        after = along(reset[:n], crossed)
    read = {
        **leg.read,
        "field": [*field, *along(field[:n], own), *leg.read["field"][n + 1 :]],
        "transition": [*reset, *after, *leg.read["transition"][n + 1 :]],
    }
    return Leg(made, leg.record, variables, itself(variables), with_second=False, given=read)


class CriticalCheck(PassCheck):
    """A period of states with deviations, and Krawczyk's operator of the equations of a bifurcation."""

    def __init__(
        self, certificate: Mapping[str, Any], legs: Sequence[Leg], record: Mapping[str, Any], level: Any
    ) -> None:
        self._states, self._one = certificate["free states"], certificate["one"]
        self._rows, self._multiplier = certificate["vector rows"], int(certificate["multiplier"])
        super().__init__(certificate, legs, record, level)

    def _krawczyk(self, end: States, inverse: Matrix, level: Any) -> None:
        n, m = len(self.variables) // 2, len(self._states)
        deviations = [n + 1 + i for i in self._states]
        unknown = [*self._states, n, *(i for k, i in enumerate(deviations) if k != self._one)]
        require(level is None and self.free == unknown, "the unknowns are others")
        for i in range(n + 1, len(self.variables)):
            held = one() if i == deviations[self._one] else Ball(0)
            require(
                i in unknown or (self.centre[i].m, self.centre[i].r) == (held.m, 0),
                "a deviation is not what it has to be",
            )
        self.slopes = [end.v[i][:m] for i in self._states]
        values = [end.near[i] - self.centre[i] for i in self._states]
        mu = Ball.of(self._multiplier)
        values += [end.near[i] - mu * self.centre[i] for i in deviations]
        rows = [
            [a + (sign if i == j else Ball(0)) for a, j in zip(end.v[i], unknown, strict=True)]
            for indices, sign in ((self._states, -one()), (deviations, -mu))
            for i in indices
        ]
        require(len(inverse) == 2 * m and all(len(row) == 2 * m for row in inverse), "the inverse is of another size")
        moved = product(inverse, rows)
        left = [[(one() if i == j else Ball(0)) - a for j, a in enumerate(row)] for i, row in enumerate(moved)]
        image = zip(applied(left, self.deviations), applied(inverse, values), strict=True)
        self.image = [a - b for a, b in image]
        for k, reach in zip(self.image, self.reach, strict=True):
            require(k.size().high < reach.low, "Krawczyk's operator does not map the box into its interior")
        by_states = applied([row[: m + 1] for row in rows[m:]], self.deviations[: m + 1])
        self._misses = [a + b for a, b in zip(values[m:], by_states, strict=True)]

    def require_all_vectors(self) -> None:
        """Check that all eigenvectors of mu of all DP of the box lie in it, if one entry is 1.

        With A = DP - mu without a row and the column of this entry, B near its inverse and v = v_c + e, A e is
        -(DP - mu) v_c, so that |e| <= |B (DP - mu) v_c| / (1 - |1 - B A|).
        """
        m, left_out, mu = len(self._states), self._rows["left out"], Ball.of(self._multiplier)
        kept = [i for i in range(m) if i != left_out]
        near = [[Ball.of_float(float.fromhex(x)) for x in row] for row in self._rows["inverse"]]
        require(len(kept) == m - 1 == len(near) and all(len(row) == m - 1 for row in near), "there is no such inverse")
        a = [[self.slopes[i][j] - (mu if i == j else Ball(0)) for j in range(m) if j != self._one] for i in kept]
        error = Ball(0)
        for i, row in enumerate(product(near, a)):
            rest = Ball(sum(((one() if i == j else Ball(0)) - x).size().m for j, x in enumerate(row)))
            error = rest if rest.m > error.m else error
        require(error.high < one().m, "the eigenvectors are not bounded")
        for x in applied(near, [self._misses[i] for i in kept]):
            for reach in self.reach[m + 1 :]:
                away = x.size() / (one() - error)
                require(away.high < reach.low, "an eigenvector may lie outside of the box")
