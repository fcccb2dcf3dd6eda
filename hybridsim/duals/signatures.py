"""The C types of the contract functions on dual numbers.

They are those of `engine.compiler.signatures`, with pointers to dual numbers in place of pointers to doubles; time is a
pointer, too, to one dual number.
"""

from __future__ import annotations

from hybridsim.engine.compiler.signatures import CType, integer, integers, void

dual_pointer = CType("dual *")

DUAL_SIGNATURES = {
    "vector_field": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer),
    "boundaries": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer),
    "transition": integer(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer, integers),
    "outputs": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer),
    "initial_chart": integer(dual_pointer, dual_pointer, dual_pointer, dual_pointer),
    "sliding_field": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer, integer),
}
"""C types of the contract functions on dual numbers. `validate` has no derivative."""
