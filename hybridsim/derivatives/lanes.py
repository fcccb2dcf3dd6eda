"""Vectors of derivatives: eight fill one register of AVX-512, or two of AVX2."""

from hybridsim.engine.compiler.lanes import Lanes, operations

LANES = 8
"""Derivatives of a dual number."""

lanes_type = Lanes(LANES)
zeros, load, store, plus = operations(LANES)
