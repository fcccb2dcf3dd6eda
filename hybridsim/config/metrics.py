"""What a sweep reports of each run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """One column of a sweep's results.

    Attributes
    ----------
    name : of the column.
    kind : status, count, time, final, min, max, mean or statistic.
    of : the boundary (count, time), the quantity (final, min, max, mean: `t`, a state, an output or an extra output)
        or the statistic; "" for the status.
    number : n of the n-th event (time), else 0.
    unit : of the values; "s" for times, "" for counts.
    """

    name: str
    kind: str
    of: str
    number: int
    unit: str
