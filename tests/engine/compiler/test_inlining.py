"""Which helpers become a part of the functions that call them: counted by hand in modules of a few instructions."""

import pytest

from hybridsim.engine.compiler.options import JIT

if not JIT:
    pytest.skip("nothing is compiled", allow_module_level=True)

from llvmlite import binding

from hybridsim.engine.compiler.backend.inlining import Limits, mark_helpers

LIMITS = Limits(forced=4, repeated=6)


def function(name, called=(), sums=0, linkage="linkonce_odr"):
    """Return LLVM's text of a function of a call for each function called, sums, and a return."""
    calls = [f"  call void @{each}()" for each in called]
    return "\n".join(
        [f"define {linkage} void @{name}() {{", *calls, *["  %sum = add i64 1, 1"][:sums], "  ret void", "}"]
    )


def marked(*functions):
    """Return the names of the helpers that become a part of their callers, and of those that must not."""
    module = binding.parse_assembly("\n".join(functions))
    mark_helpers(module, LIMITS)
    marks = {each.name: b" ".join(each.attributes).decode() for each in module.functions}
    return [{name for name in marks if mark in marks[name]} for mark in ("alwaysinline", "noinline")]


def test_a_helper_that_is_called_once_becomes_a_part_of_its_caller_if_it_is_short():
    long = function("long", ["one"] * 4)
    assert marked(
        function("entry", ["short", "long"], linkage="external"), function("short"), long, function("one")
    ) == [
        {"short", "one"},
        set(),
    ]


def test_a_helper_that_is_long_with_what_it_contains_and_called_twice_stays_a_function():
    """Of 3 + 2 * 2 instructions, and of 3 + 2 * 1."""
    parts = function("two", sums=1), function("one")
    seven, five = function("seven", ["two"] * 2), function("five", ["one"] * 2)
    entry = function("entry", ["seven", "five"] * 2, linkage="external")
    assert marked(entry, seven, five, *parts) == [{"five", "two", "one"}, {"seven"}]


def test_what_calls_a_function_that_stays_is_as_long_as_its_own_instructions():
    """A caller of 3 instructions, two of which are calls of a function of 7 that stays, is called twice, too."""
    seven, caller = function("seven", ["two"] * 2), function("caller", ["seven"] * 2)
    entry = function("entry", ["caller"] * 2, linkage="external")
    assert marked(entry, caller, seven, function("two", sums=1)) == [{"caller", "two"}, {"seven"}]


def test_what_is_called_from_outside_is_left_as_it_is():
    assert marked(
        function("entry", ["other"] * 2, linkage="external"),
        function("other", ["two"] * 4, linkage="external"),
        function("two", sums=1),
    ) == [{"two"}, set()]


def test_a_long_helper_that_is_marked_already_is_not_marked_the_other_way():
    seven = function("seven", ["two"] * 2).replace("()", "() alwaysinline", 1)
    entry = function("entry", ["seven"] * 2, linkage="external")
    assert marked(entry, seven, function("two", sums=1)) == [{"seven", "two"}, set()]
