"""Proven numbers: the exact ends of an interval with its proven digits, discs with multipliers; and accuracies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf, log10, nextafter


@dataclass(frozen=True, slots=True)
class Enclosure:
    """All numbers from `low` to `high`.

    Attributes
    ----------
    low, high : Fraction
        The ends.
    """

    low: Fraction
    high: Fraction

    def __contains__(self, value: float | Fraction) -> bool:
        return self.low <= Fraction(value) <= self.high

    def __float__(self) -> float:
        return float((self.low + self.high) / 2)

    @property
    def radius(self) -> float:
        """Half its length, rounded up."""
        return nextafter(float((self.high - self.low) / 2), inf) if self.high > self.low else 0.0

    def __str__(self) -> str:
        if self.high == self.low and Fraction(float(self)) == self.low:
            return repr(float(self))
        places = max(0, floor(-log10(max(self.radius, 1e-40))))
        unit = Fraction(10) ** -places
        whole = round((self.low + self.high) / 2 / unit)
        away = max(self.high - whole * unit, whole * unit - self.low)
        sign, digits = "-" if whole < 0 else "", str(abs(whole)).rjust(places + 1, "0")
        text = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else digits
        if not away:
            return f"{sign}{text}"
        exponent = floor(log10(max(float(away), 1e-300))) - 1
        bound = ceil(away / Fraction(10) ** exponent)
        return f"{sign}{text} +/- {bound / 10:.1f}e{exponent + 1}"


@dataclass(frozen=True, slots=True)
class MultiplierDisc:
    """A disc with multipliers: all within `radius` of `centre`; as many of them as discs overlap.

    Attributes
    ----------
    centre : complex
        The centre.
    radius : float
        The radius, rounded up.
    """

    centre: complex
    radius: float

    def __str__(self) -> str:
        imaginary = f" {'+' if self.centre.imag > 0 else '-'} {abs(self.centre.imag)!r}i" if self.centre.imag else ""
        return f"{self.centre.real!r}{imaginary} (within {self.radius!r})"


def tidy(centre: complex, radius: float) -> MultiplierDisc:
    """Return a disc that contains another one, with no more digits than its radius needs."""
    places = max(0, min(300, ceil(-log10(radius)) + 1))
    real, imaginary = round(centre.real, places) + 0.0, round(centre.imag, places) + 0.0
    moved = abs(centre.real - real) + abs(centre.imag - imaginary)
    unit = 10.0 ** (floor(log10(radius)) - 1)
    return MultiplierDisc(
        complex(real, imaginary), float(f"{ceil((radius + moved) * 1.0001 / unit) * unit:.1e}") + unit
    )


def below(reach: Fraction, digits: int = 3) -> float:
    """Return a float of so many digits that is not above a positive number."""
    exponent = floor(log10(float(reach))) - digits + 1
    unit = Fraction(10) ** exponent
    value = float(floor(reach / unit) * unit)
    return value if Fraction(value) <= reach else nextafter(value, 0.0)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How finely is calculated.

    Attributes
    ----------
    bits : int
        Bits of numbers.
    order : int
        Coefficients of the series of the centre.
    tail : float
        What a step leaves out of these, in the radii of the discs.
    rough : int
        Coefficients of the series of sets and of derivatives; 0: as many.
    second : int
        Coefficients of the series of second derivatives; 0: these are not used.
    """

    bits: int
    order: int
    tail: float
    rough: int = 0
    second: int = 0

    @property
    def of_sets(self) -> int:
        """Coefficients of the series of sets."""
        return self.rough or self.order

    @property
    def share(self) -> float:
        """The length of a step in radii of convergence."""
        return float(self.tail ** (1.0 / self.order))
