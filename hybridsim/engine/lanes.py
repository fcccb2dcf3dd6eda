"""The one operation on state vectors: result = base + h sum_j weights[j] vectors_j.

Stages, new points, error estimates, continuous extensions and their control points are all of this form.
"""

from __future__ import annotations

from hybridsim.engine.signatures import kernel

LANES = 4
"""State vectors are padded to a multiple of this many doubles, so that the loop over states has no remainder."""


@kernel
def combine(weights, row, count, vectors, stride, blocks, h, base, result):
    """Weights are weights[row:row + count], vector j begins at vectors[j * stride], LANES * blocks entries are made.

    Four sums at a time hide the latency of the additions. They are left scalar: a wide load of a slope that the model
    has just stored number by number would wait for all of these stores (measured: 40 % of a step).
    """
    for block in range(blocks):
        m = LANES * block
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for j in range(count):
            w = weights[row + j]
            n = m + j * stride
            s0 += w * vectors[n]
            s1 += w * vectors[n + 1]
            s2 += w * vectors[n + 2]
            s3 += w * vectors[n + 3]
        result[m] = base[m] + h * s0
        result[m + 1] = base[m + 1] + h * s1
        result[m + 2] = base[m + 2] + h * s2
        result[m + 3] = base[m + 3] + h * s3
