"""Power series in time as they lie in memory: rows of doubles on a tape, the first of which is time itself.

A row holds the coefficients of a series twice, forwards and backwards, so that a convolution of two series is a sum of
products of vectors that are loaded as they lie. Backwards there are zeros where the series begins: what a convolution
takes from beyond it is nothing.
"""

from __future__ import annotations

LAST_BACKWARD = 44
"""Index in a row of the coefficient of order 0 backwards, which is always zero; that of order k is k before it."""

ROW_SIZE = 48
"""Doubles of a row."""

MAX_ROWS = 4096
"""Rows of a tape beyond those of time and the states, one for each operation of the model's function."""

SPARE_ROWS = 2
"""Rows behind these, for the slopes of an operation that finds the tape full."""

USED_INDEX = 47
"""Index in the last row of the tape, before the spare ones, of the number of rows that were used."""
