"""Kernels on dual numbers are compiled apart from the models that call them."""

from hybridsim.contacts import kernels
from hybridsim.duals.functions import dual_arithmetic
from hybridsim.engine.compiler.separate import function_of, symbol_of
from hybridsim.engine.compiler.signatures import dual, dual_pointer


def test_a_kernel_that_returns_a_number_returns_a_dual_one():
    symbol = symbol_of(kernels.loop_error, (dual_pointer,))
    found, types = function_of(symbol, kernels.solve_chart, dual_arithmetic().number)
    assert found is kernels.loop_error
    assert types == dual(dual_pointer)


def test_functions_of_models_do_not_contain_the_kernels():
    assert not dual_arithmetic().is_whole
