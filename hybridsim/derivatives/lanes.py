"""Vectors of derivatives, eight of which fill one register of AVX-512, or two of AVX2; dual numbers in memory."""

from hybridsim.engine.compiler.lanes import operations

LANES = 8
"""Derivatives of a dual number."""

DOUBLES = 16
"""Doubles that a dual number takes in memory: the value, seven that pad it, eight derivatives."""

FIRST_LANE = 8
"""Index of the first derivative among the doubles of a dual number."""

ALIGNMENT = 64
"""Of a dual number in memory [byte]."""

zeros, load, store, plus = operations(LANES)
