"""The stages of explicit Runge-Kutta steps, for the compiled loops of the verification.

The kernels take a named tuple of pointers `c`, among them the table `functions`, the parameters `p`, the coefficients
`a` (size, size) and `nodes` (size,) of a method, the state `here` (width,) where the step begins, the slopes of its
stages `k` (size, width), and scratch `stage` (width,).
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import VECTOR_FIELD, call_vector_field


@kernel
def sum_of_stages(c, weights, row, size, width):
    """Set `stage` to the sum of the slopes of the stages with the weights of a row of a matrix, (n, size)."""
    for m in range(width):
        c.stage[m] = 0.0
    for j in range(min(row, size)):
        weight = weights[row * size + j]
        if weight != 0.0:
            for m in range(width):
                c.stage[m] += weight * c.k[j * width + m]


@kernel
def evaluate_stage(c, i, size, t, h, chart, width):
    """Evaluate the slope of stage i of a step of length h, from those of the stages before."""
    sum_of_stages(c, c.a, i, size, width)
    for m in range(width):
        c.stage[m] = c.here[m] + h * c.stage[m]
        c.k[i * width + m] = 0.0
    call_vector_field(c.functions[VECTOR_FIELD], c.k, i * width, t + c.nodes[i] * h, c.stage, 0, c.p, chart)
