"""A model's functions as programs on power series, and what executes them: compiled once for all models.

A program has two parts. Numbers that are the same throughout a chart, as those of parameters and held states, are
computed where the chart begins (`prepare_program`). All others are series: rows of the tape, of which an instruction
computes the coefficient of one order from those that are known (Moore 1979; Griewank and Walther 2008, chapter 13).
Each sum has a fixed order of its terms, in two chains of fused multiplications and additions, so that code that is
generated for a program (`series_assembly`) gives the same bits. What has the newest coefficients, of the order that is
computed, is added last, by one multiplication and addition each: the next instruction waits for nothing else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, fused, store, zeros
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import boolean, call_program
from hybridsim.engine.series_rows import ROW_SIZE

WORDS = 6
"""Whole numbers of an instruction: its operation, where its result goes, and what it takes."""

PREPARE, BODY, TAIL, END = range(4)
"""Where a chart's numbers begin among all programs, the instructions for each order but the last, those for the last
(only of what boundaries need), and where they end. All are 0 in a chart without a program."""
HEADER = 4

CONSTANT, PARAMETER, HELD, NUMBER, NEGATIVE, SUM, DIFFERENCE, PRODUCT, QUOTIENT, POWER, CHECK = range(11)
"""Operations on numbers. CHECK takes a sign that a number must have: else the program is not the model's function."""

IS_POSITIVE, IS_NONNEGATIVE, IS_ZERO, IS_NONZERO = range(4)

FILL, ADD, SUBTRACT, SHIFT, REFLECT, NEGATE, MULTIPLY, SQUARE = range(8)
SCALE, DIVIDE, RECIPROCAL, ROOT, WEIGH, INTEGRATE_PRODUCT, INTEGRATE_QUOTIENT, ADVANCE = range(8, 16)
"""Operations on series. SHIFT adds a number, REFLECT subtracts from one, SCALE multiplies by one, RECIPROCAL divides
one; WEIGH multiplies coefficients by their order. INTEGRATE_PRODUCT has the slope a' w, INTEGRATE_QUOTIENT a' / w: of
a function of a, with a sign. ADVANCE writes the next coefficient of a state."""

FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
"""Functions of one number, by their index in instructions."""

INVERSE = ROW_SIZE - 1
"""Where a row keeps the inverse of the number by which its coefficients are divided."""

UNPREPARED, READY, UNFIT = range(3)
"""`state.program`: nothing is known of this epoch; the program holds; there is none that does."""


def without_programs() -> dict[str, Any]:
    """Return what `Problem` holds in place of programs."""
    none = {name: np.zeros(1, np.int64) for name in ("series_programs", "generated", "boundary_rows")}
    return {**none, "series_constants": np.zeros(1)}


@kernel
def function_of(code, number):
    """Return a function of a number, by its index in FUNCTIONS."""
    if code < 6:
        if code < 3:
            return math.sqrt(number) if code == 0 else math.exp(number) if code == 1 else math.log(number)
        return math.sin(number) if code == 3 else math.cos(number) if code == 4 else math.tan(number)
    if code < 9:
        return math.asin(number) if code == 6 else math.acos(number) if code == 7 else math.atan(number)
    return math.sinh(number) if code == 9 else math.cosh(number) if code == 10 else math.tanh(number)


@kernel
def has_sign(number, sign):
    """Return whether a number has the sign that a branch rests on."""
    if sign in (IS_ZERO, IS_NONZERO):
        return (number == 0.0) == (sign == IS_ZERO)
    return number > 0.0 or (number == 0.0 and sign == IS_NONNEGATIVE)


@kernel
def power(number, n):
    """Return a whole power of a number, n >= 1, by squares."""
    result, factor, left = 1.0, number, n
    while left > 0:
        if left % 2 == 1:
            result *= factor
        factor, left = factor * factor, left // 2
    return result


@routine(boolean)
def prepare_program(problem, state, workspace):
    """Compute the numbers of this chart's program; return whether there is one whose branches hold."""
    settings, programs, numbers = problem.settings, problem.series_programs, workspace.numbers
    header = state.chart * HEADER
    state.program = UNFIT
    if not settings.has_programs or programs[header + END] == 0:
        return False
    for at in range(programs[header + PREPARE], programs[header + BODY], WORDS):
        operation, result, a, b = programs[at], programs[at + 1], programs[at + 2], programs[at + 3]
        if operation == CONSTANT:
            numbers[result] = problem.series_constants[a]
        elif operation == PARAMETER:
            numbers[result] = problem.p[a]
        elif operation == HELD:
            numbers[result] = workspace.x[a]
        elif operation == CHECK:
            if not has_sign(numbers[a], b):
                return False
        elif operation == NUMBER:
            numbers[result] = function_of(b, numbers[a])
        elif operation == NEGATIVE:
            numbers[result] = -numbers[a]
        elif operation == SUM:
            numbers[result] = numbers[a] + numbers[b]
        elif operation == DIFFERENCE:
            numbers[result] = numbers[a] - numbers[b]
        elif operation == PRODUCT:
            numbers[result] = numbers[a] * numbers[b]
        elif operation == QUOTIENT:
            numbers[result] = numbers[a] / numbers[b]
        else:
            numbers[result] = power(numbers[a], b)
    for i in range(settings.n_states):
        for k in range(0, settings.series_order + 1, LANES):  # of held states, those of another chart may be left
            store(workspace.tape, (i + 1) * ROW_SIZE + k, zeros())
    state.program = READY
    return True


@kernel
def expand_program(problem, state, workspace):
    """Write the series of the states through workspace.x at state.t, and of the boundaries; return whether it can.

    Of time there is a row, then one of each state, and the rows of the program.
    """
    if state.program != READY and (state.program == UNFIT or not prepare_program(problem, state, workspace)):
        return False
    settings, tape = problem.settings, workspace.tape
    tape[0] = state.t
    for i in range(settings.n_states):
        tape[(i + 1) * ROW_SIZE] = workspace.x[i]
    state.calls += 1
    generated = problem.generated[state.chart]
    if generated != 0:
        call_program(generated, tape, workspace.numbers)
    else:
        interpret(problem, state, workspace)
    return True


@routine(boolean)
def interpret(problem, state, workspace):
    """Execute the program of this chart for all orders."""
    programs, tape, numbers = problem.series_programs, workspace.tape, workspace.numbers
    header, order = state.chart * HEADER, problem.settings.series_order
    for k in range(order + 1):
        first, end = programs[header + BODY], programs[header + TAIL]
        if k == order:
            first, end = end, programs[header + END]
        for at in range(first, end, WORDS):
            execute(programs, at, tape, numbers, k)
    return True


@kernel
def execute(programs, at, tape, numbers, k):
    """Compute the coefficient of order k of the instruction at this place."""
    operation, result, a, b = programs[at], programs[at + 1], programs[at + 2], programs[at + 3]
    if operation == MULTIPLY:
        tape[result + k] = product(tape, a, b, k)
    elif operation == SQUARE:
        tape[result + k] = square(tape, a, k)
    elif operation == ADD:
        tape[result + k] = tape[a + k] + tape[b + k]
    elif operation == SUBTRACT:
        tape[result + k] = tape[a + k] - tape[b + k]
    elif operation == SCALE:
        tape[result + k] = numbers[b] * tape[a + k]
    elif operation == SHIFT:
        tape[result + k] = tape[a + k] + numbers[b] if k == 0 else tape[a + k]
    elif operation == REFLECT:
        tape[result + k] = numbers[b] - tape[a + k] if k == 0 else -tape[a + k]
    elif operation == NEGATE:
        tape[result + k] = -tape[a + k]
    elif operation == ADVANCE:
        tape[result + k + 1] = tape[a + k] * (1.0 / (k + 1))
    elif operation == WEIGH:
        tape[result + k] = k * tape[a + k]
    elif operation == FILL:
        tape[result + k] = numbers[b] if k == 0 else 0.0
    elif operation in (DIVIDE, RECIPROCAL):
        divide(operation, tape, result, a, b, numbers, k)
    elif operation == ROOT:
        if k == 0:
            tape[result] = math.sqrt(tape[a])
            tape[result + INVERSE] = 0.5 / tape[result]
        else:
            inverse = tape[result + INVERSE]
            tape[result + k] = fused(-(inner_square(tape, result, k) * inverse), tape[a + k], inverse)
    else:
        integrate(programs, at, tape, k)


@kernel
def divide(operation, tape, result, a, b, numbers, k):
    """Compute a coefficient of a quotient by the series b, of the series a, or of the number a."""
    if k == 0:
        above = tape[a] if operation == DIVIDE else numbers[a]
        tape[result] = above / tape[b]
        tape[result + INVERSE] = 1.0 / tape[b]
    else:
        inverse = tape[result + INVERSE]
        rest = -(inner(tape, b, result, k) * inverse)
        if operation == DIVIDE:
            rest = fused(rest, tape[a + k], inverse)
        tape[result + k] = fused(rest, -(tape[result] * tape[b + k]), inverse)


@kernel
def integrate(programs, at, tape, k):
    """Compute a coefficient of a function whose slope by time is sign a' w, or sign a' / w."""
    operation, result, a, w = programs[at], programs[at + 1], programs[at + 2], programs[at + 3]
    weighed, code = programs[at + 4], programs[at + 5]
    sign = 1.0
    if code < 0:
        sign, code = -1.0, -1 - code
    if k == 0:
        tape[result] = function_of(code, tape[a])
        if operation == INTEGRATE_QUOTIENT:
            tape[result + INVERSE] = 1.0 / tape[w]
    elif operation == INTEGRATE_PRODUCT:
        tape[result + k] = fused(inner(tape, weighed, w, k) * (sign * (1.0 / k)), tape[a + k], sign * tape[w])
    else:  # c w = sign a' as series, of which `weighed` is the row of c'
        inverse = tape[result + INVERSE]
        rest = inner(tape, weighed, w, k) * (1.0 / k)
        tape[result + k] = fused(-(rest * inverse), tape[a + k], sign * inverse)


@kernel
def product(tape, a, b, k):
    """Return the sum of a_i b_(k-i) for 0 <= i <= k."""
    if k == 0:
        return tape[a] * tape[b]
    return fused(fused(inner(tape, a, b, k), tape[a + k], tape[b]), tape[a], tape[b + k])


@kernel
def square(tape, a, k):
    """Return the sum of a_i a_(k-i) for 0 <= i <= k."""
    if k == 0:
        return tape[a] * tape[a]
    return fused(inner_square(tape, a, k), tape[a] + tape[a], tape[a + k])


@kernel
def inner(tape, a, b, k):
    """Return the sum of a_i b_(k-i) for 0 < i < k: in two chains, with what was computed last at the end."""
    even, odd, i = 0.0, 0.0, 2
    while i + 1 < k - 1:
        even = fused(even, tape[a + i], tape[b + k - i])
        odd = fused(odd, tape[a + i + 1], tape[b + k - i - 1])
        i += 2
    if i < k - 1:
        even = fused(even, tape[a + i], tape[b + k - i])
    if k > 1:
        odd = fused(odd, tape[a + 1], tape[b + k - 1])
    if k > 2:
        even = fused(even, tape[a + k - 1], tape[b + 1])
    return even + odd


@kernel
def inner_square(tape, a, k):
    """Return the sum of a_i a_(k-i) for 0 < i < k, each product of two different ones computed once."""
    even, odd, i, last = 0.0, 0.0, 2, (k + 1) // 2 - 1
    while i + 1 <= last:
        even = fused(even, tape[a + i], tape[a + k - i])
        odd = fused(odd, tape[a + i + 1], tape[a + k - i - 1])
        i += 2
    if i <= last:
        even = fused(even, tape[a + i], tape[a + k - i])
    if last >= 1:
        odd = fused(odd, tape[a + 1], tape[a + k - 1])
    total = 2.0 * (even + odd)
    return fused(total, tape[a + k // 2], tape[a + k // 2]) if k % 2 == 0 else total
