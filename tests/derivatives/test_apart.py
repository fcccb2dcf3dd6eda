"""Kernels on dual numbers are compiled apart from the models that call them."""

import time

import pytest

from hybridsim.contacts import Patch, contact_model, kernels
from hybridsim.duals.functions import REPLAYED, dual_arithmetic, dual_functions
from hybridsim.engine.compiler import compilation
from hybridsim.engine.compiler.backend import plugin_functions
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.separate import function_of, symbol_of
from hybridsim.engine.compiler.signatures import dual, dual_pointer
from hybridsim.multibody import Body, Mechanism, Planar


def test_a_kernel_that_returns_a_number_returns_a_dual_one():
    symbol = symbol_of(kernels.loop_error, (dual_pointer,))
    found, types = function_of(symbol, kernels.solve_chart, dual_arithmetic().number)
    assert found is kernels.loop_error
    assert types == dual(dual_pointer)


def block(name, mass):
    """Return a model of a block on one corner, with a mass that makes its functions others."""
    body = Body("block", Planar("base", normal="y"), mass=mass, inertia=(0.1, 0.1, 0.1))
    return contact_model(name, Mechanism(body), [Patch("corner", "block", [(0.0, 0.0, -0.1)], friction=0.5)])


@pytest.fixture
def compiled(monkeypatch):
    """Return the functions that are called through their addresses, and those that are compiled; both in order."""
    called, made = [], []

    def function_that_is_called(*arguments):
        called.append(function_of(*arguments)[0])
        return function_of(*arguments)

    def translate(model, function, *others):
        made.append(function)
        return plugin_translate(model, function, *others)

    plugin_translate = plugin_functions.translate
    monkeypatch.setattr(compilation, "function_of", function_that_is_called)
    monkeypatch.setattr(plugin_functions, "translate", translate)
    return called, made


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_second_model_calls_the_kernels_of_the_first_and_compiles_none(compiled):
    called, made = compiled
    dual_functions(block("first_block", 1.0), REPLAYED)
    first = {each.__name__ for each in called}
    assert "solve_chart" in first
    called.clear()
    made.clear()
    dual_functions(block("second_block", 1.0 + time.time() % 1.0), REPLAYED)  # no cache has its functions
    assert {each.__name__ for each in called} == first
    assert made
    assert [each.__name__ for each in made if each.__module__.startswith("hybridsim.contacts")] == []
