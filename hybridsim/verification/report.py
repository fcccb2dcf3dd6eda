"""What a verification finds: checks that were made, how near to their limits they came, and what breaks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray

MOST = 100
"""Violations that are kept in words; the others are counted."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One place at which a run is not a solution.

    place : `row 17`, `event 3`, or what else is at fault; t [s], nan where there is no time; what : found and
    expected, in words; size : how far off, in units of what is allowed, infinite where nothing is.
    """

    place: str
    t: float
    what: str
    size: float

    def __str__(self) -> str:
        at = f"{self.place}, t = {self.t:.9g} s" if np.isfinite(self.t) else self.place
        size = f" ({self.size:.3g} times what is allowed)" if np.isfinite(self.size) else ""
        return f"{at}: {self.what}{size}"


@dataclass(slots=True)
class Check:
    """One kind of statement: how many were checked, and the largest residual in units of what is allowed."""

    name: str
    count: int = 0
    largest: float = 0.0
    violations: int = 0


@dataclass(slots=True)
class Report:
    """The outcome of `verify`; `str(report)` is what the command line prints.

    Attributes
    ----------
    model : the model's name. rows, events : how many there are in the run.
    checks : what was checked. violations : the first ones; n_violations : how many there are.
    notes : what the reader should know, though it is no violation.
    """

    model: str
    rows: int
    events: int
    checks: dict[str, Check] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    n_violations: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.n_violations == 0

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, most: int = 10) -> list[str]:
        """The report as text, with the first `most` violations."""
        subject = f"{self.model}: {self.rows:,} rows, {self.events:,} events"
        notes = [f"note: {note}" for note in self.notes]
        if not self.ok:
            shown = [f"  {violation}" for violation in self.violations[:most]]
            rest = self.n_violations - len(shown)
            shown += [f"  and {rest:,} more"] if rest else []
            count = f"{self.n_violations:,} violation{'s' * (self.n_violations != 1)}"
            return [f"{subject}: not a solution of its model, {count}", *notes, *shown]
        made = [check for check in self.checks.values() if check.count]  # nothing of what was not there
        width = max(map(len, self.checks))
        table = [f"  {check.name:<{width}}  {check.count:>11,}{_margin(check)}" for check in made]
        return [f"{subject}: a solution of its model", *table, *notes]

    def check(self, name: str) -> Check:
        return self.checks.setdefault(name, Check(name))

    def violate(self, name: str, place: str, t: float, what: str, size: float = np.inf) -> None:
        """Record one violation of the check called `name`."""
        self.check(name).violations += 1
        self.n_violations += 1
        if len(self.violations) < MOST:
            self.violations.append(Violation(place, t, what, size))

    def require(self, name: str, ok: Any, places: Places, what: Callable[[int], str] | str) -> None:
        """Each of `ok` (n,) must be true; `what`, or what(k), says what is wrong with the k-th."""
        ok = np.asarray(ok, bool)
        self.check(name).count += ok.size
        for k in np.flatnonzero(~ok).tolist():
            if len(self.violations) >= MOST:
                self.n_violations += 1
                self.check(name).violations += 1
            else:
                text = what if isinstance(what, str) else what(k)
                self.violate(name, places.name(k), places.time(k), text)

    def demand(self, name: str, ok: bool, place: str, what: str) -> None:
        """One statement about the run as a whole."""
        self.check(name).count += 1
        if not ok:
            self.violate(name, place, np.nan, what)

    def compare(
        self, name: str, found: Any, expected: Any, allowed: Any, places: Places, columns: Sequence[str]
    ) -> None:
        """Each |found - expected| must be at most `allowed`; all are (n, len(columns)), nan equals nan."""
        found, expected = np.asarray(found, float), np.asarray(expected, float)
        with np.errstate(all="ignore"):
            off = abs(found - expected)
            same = (found == expected) | (np.isnan(found) & np.isnan(expected))
            ratio = np.where(same, 0.0, off / np.broadcast_to(allowed, off.shape))
        bad = ~(ratio <= 1.0)
        check = self.check(name)
        check.count += ratio.size
        if (~bad).any():
            check.largest = max(check.largest, float(ratio[~bad].max()))
        for k, m in np.argwhere(bad):
            if len(self.violations) >= MOST:
                self.n_violations += 1
                check.violations += 1
            else:
                what = f"{columns[m]} is {found[k, m]!s}, expected {expected[k, m]!s}, off by {off[k, m]:.3g}"
                size = float(ratio[k, m])
                self.violate(name, places.name(k), places.time(k), what, size if np.isfinite(size) else np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where n statements belong: rows or events of the run, and their times.

    `event` tells which are events, where both occur.
    """

    kind: str
    index: NDArray[np.int64]
    t: FloatArray
    event: NDArray[np.bool_] | None = None

    def name(self, k: int) -> str:
        kind = self.kind if self.event is None else "event" if self.event[k] else "row"
        return f"{kind} {self.index[k]}"

    def time(self, k: int) -> float:
        return float(self.t[k])

    def __getitem__(self, which: Any) -> Places:
        event = None if self.event is None else self.event[which]
        return Places(self.kind, self.index[which], self.t[which], event)


def places(kind: str, t: FloatArray) -> Places:
    """All rows, or all events."""
    return Places(kind, np.arange(len(t)), t)


def _margin(check: Check) -> str:
    return f"   at most {check.largest:.2g} of what is allowed" if check.largest > 0.0 else ""
