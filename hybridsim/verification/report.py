"""The outcome of a verification: which checks were made, how close they came to their limits, and the violations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.verification.findings import Gap, Locations, Violation, WorstStep

MAX_DESCRIBED_VIOLATIONS = 100
"""Violations, and gaps, that a report describes; further ones are only counted."""

VIOLATIONS_SHOWN = 10
"""Violations, and gaps, that the text of a report shows."""

ABOUT_GAPS = (
    "A vector field that jumps within a chart needs a boundary where it jumps. One that is stiff needs more rows: "
    "record the run with a shorter period, or every step (`record: true`)."
)
"""What to do about gaps."""


ABOUT_EVENTS = (
    "Not checked: what happened at these, the flow between rows that are no steps, the time, value and depth of "
    "crossings, slides, whether an event was missed, and why the run ended. Record it with `events: all` for that."
)
"""What is not known of a run with a part of its events, and what to do."""


@dataclass(slots=True)
class Check:
    """The result of one check.

    Attributes
    ----------
    name : str
        What was checked.
    count : int
        How many values were checked.
    largest : float
        The largest deviation among those that passed, in units of the allowed one.
    violations : int
        How many values did not pass.
    """

    name: str
    count: int = 0
    largest: float = 0.0
    violations: int = 0


@dataclass(slots=True)
class Report:
    """The outcome of `verify`; `str(report)` is the text that `hybridsim verify` prints.

    Attributes
    ----------
    model : str
        Name of the model.
    rows, events : int
        How many the run has.
    checks : dict of str to Check
        The checks that were made, by name.
    violations : list of Violation
        The first violations, at most 100.
    n_violations : int
        How many violations there are.
    gaps : list of Gap
        The first places from which the flow could not be followed, at most 100.
    n_gaps : int
        How many such places there are.
    worst_step : WorstStep or None
        The step with the largest error; None if no step was compared, or if the run's steps have a fixed length.
    events_left_out : int
        How many further events `record.events` has left out of the run.
    notes : list of str
        Remarks that are no violations, such as a model file that has changed since the run.
    """

    model: str
    rows: int
    events: int
    checks: dict[str, Check] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    n_violations: int = 0
    gaps: list[Gap] = field(default_factory=list)
    n_gaps: int = 0
    worst_step: WorstStep | None = None
    events_left_out: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the run is known to be a solution of its model."""
        return self.n_violations == self.n_gaps == self.events_left_out == 0

    @property
    def decided(self) -> bool:
        """Whether it is known if the run is a solution of its model: without a violation, gaps leave it open."""
        return self.n_violations > 0 or self.ok

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, most: int = VIOLATIONS_SHOWN) -> list[str]:
        """Return the report as text.

        Parameters
        ----------
        most : int
            Number of violations, and of gaps, to show; the others are counted in a last line.

        Returns
        -------
        list of str
            Lines, the first of which is the verdict.
        """
        subject = f"{self.model}: {self.rows:,} rows, {self.events:,} events"
        notes = [f"note: {note}" for note in self.notes]
        gaps = _first_lines(self.gaps, self.n_gaps, most) + [f"  {ABOUT_GAPS}"] * (self.n_gaps > 0)
        worst = [f"  {self.worst_step}"] if self.worst_step else []
        if self.n_violations:
            count = f"{self.n_violations:,} violation{'s' * (self.n_violations != 1)}"
            shown = _first_lines(self.violations, self.n_violations, most)
            return [f"{subject}: not a solution of its model, {count}", *notes, *shown, *gaps, *worst]
        made = [check for check in self.checks.values() if check.count]
        width = max(map(len, self.checks))
        table = [f"  {check.name:<{width}}  {check.count:>11,}{_margin(check)}" for check in made]
        if self.events_left_out:
            verdict = "not decided, as not all events are recorded; what could be checked is as in a solution"
            left_out = f"  {self.events_left_out:,} events are left out by `record.events`. {ABOUT_EVENTS}"
            return [f"{subject}: {verdict}", *notes, left_out, *gaps, *table, *worst]
        if gaps:
            place = "one place" if self.n_gaps == 1 else f"{self.n_gaps:,} places"
            verdict = f"not decided, the flow could not be followed from {place}; all else is as in a solution"
            return [f"{subject}: {verdict}", *notes, *gaps, *table, *worst]
        return [f"{subject}: a solution of its model", *table, *worst, *notes]

    def check(self, name: str) -> Check:
        """Return the check called `name`, created if there is none.

        Parameters
        ----------
        name : str
            What is checked.

        Returns
        -------
        Check
            Its result so far.
        """
        return self.checks.setdefault(name, Check(name))

    def _add_violation(self, name: str, violation: Violation) -> None:
        """Record a violation of the check called `name`."""
        self.check(name).violations += 1
        self.n_violations += 1
        if len(self.violations) < MAX_DESCRIBED_VIOLATIONS:
            self.violations.append(violation)

    def add_gap(self, gap: Gap) -> None:
        """Record that the flow could not be followed; a place is recorded once.

        Parameters
        ----------
        gap : Gap
            Where and why.
        """
        if any(known.place == gap.place for known in self.gaps):
            return
        self.n_gaps += 1
        if len(self.gaps) < MAX_DESCRIBED_VIOLATIONS:
            self.gaps.append(gap)

    def measure_steps(self, size: FloatArray, where: Locations, how: str) -> None:
        """Keep the worst of n steps.

        Parameters
        ----------
        size : (n,) array
            Their errors in units of the tolerance.
        where : Locations
            The rows or events that they begin at.
        how : str
            How the errors were found.
        """
        k = int(np.nan_to_num(size).argmax()) if len(size) else -1
        if k >= 0 and (self.worst_step is None or size[k] > self.worst_step.size):
            self.worst_step = WorstStep(where.name(k), float(where.t[k]), float(size[k]), how)

    def require(self, name: str, ok: Any, where: Locations, what: Callable[[int], str] | str) -> None:
        """Check a condition at n locations.

        Parameters
        ----------
        name : str
            The check.
        ok : (n,) array of bool
            Whether the condition holds.
        where : Locations
            The n rows or events.
        what : str or function
            What is wrong where it does not hold; a function of the index of the location.
        """
        ok = np.asarray(ok, bool)
        self.check(name).count += ok.size
        for k in np.flatnonzero(~ok).tolist():
            if not isinstance(what, str) and len(self.violations) == MAX_DESCRIBED_VIOLATIONS:
                what = ""  # the report has enough, and making the text takes time
            text = what if isinstance(what, str) else what(k)
            self._add_violation(name, Violation(where.name(k), float(where.t[k]), text, np.inf))

    def require_once(self, name: str, ok: bool, place: str, what: str) -> None:
        """Check one condition of the run as a whole.

        Parameters
        ----------
        name : str
            The check.
        ok : bool
            Whether the condition holds.
        place : str
            The array, statistic or part of the run that the condition is about.
        what : str
            What is wrong if it does not hold.
        """
        self.check(name).count += 1
        if not ok:
            self._add_violation(name, Violation(place, np.nan, what, np.inf))

    def compare(
        self, name: str, found: Any, expected: Any, allowed: Any, where: Locations, columns: Sequence[str]
    ) -> None:
        """Check that `found` differs from `expected` by at most `allowed`; two nan are equal.

        Parameters
        ----------
        name : str
            The check.
        found, expected : (n, m) array
            The values.
        allowed : array
            Allowed deviations, broadcast to (n, m).
        where : Locations
            The n rows or events.
        columns : sequence of str
            What the m columns are called.
        """
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
            what = f"{columns[m]} is {found[k, m]!s}, expected {expected[k, m]!s}, off by {off[k, m]:.3g}"
            size = float(ratio[k, m])
            violation = Violation(where.name(k), float(where.t[k]), what, size if np.isfinite(size) else np.inf)
            self._add_violation(name, violation)

    def compare_exactly(
        self, name: str, found: Any, expected: Any, where: Locations, columns: Sequence[str] | str
    ) -> None:
        """Check that two (n, m) arrays are equal, or two (n,) columns; two nan are equal.

        Parameters
        ----------
        name : str
            The check.
        found, expected : (n, m) or (n,) array
            The values.
        where : Locations
            The n rows or events.
        columns : sequence of str, or str
            What the m columns are called, or the only one.
        """
        if isinstance(columns, str):
            found, expected, columns = np.asarray(found)[:, None], np.asarray(expected)[:, None], [columns]
        self.compare(name, found, expected, np.zeros((1, 1)), where, columns)


def _first_lines(findings: Sequence[Violation | Gap], n: int, most: int) -> list[str]:
    """Return the first findings as lines of text, and the number of the others out of n."""
    shown = [f"  {finding}" for finding in findings[:most]]
    return shown + ([f"  and {n - len(shown):,} more"] if n > len(shown) else [])


def _margin(check: Check) -> str:
    return f"   at most {check.largest:.2g} of the allowed deviation" if check.largest > 0.0 else ""
