"""Power series in time as they lie in memory: rows of doubles on a tape, the first of which is time itself."""

from __future__ import annotations

ROW_SIZE = 48
"""Doubles of a row: the coefficients of a series by their order, or of two series side by side."""
