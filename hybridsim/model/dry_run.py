"""The checks of a model's functions before they are compiled.

Every function is called in plain Python in some charts and states (`trials`); compiled code cannot report mistakes.
"""

from __future__ import annotations

import hashlib
import inspect
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.keys import machine_key
from hybridsim.engine.compiler.object_file import path_in_cache, read_verified, write_verified
from hybridsim.engine.compiler.rules import refuse_forbidden_statements
from hybridsim.engine.status import DECLINED
from hybridsim.errors import ModelError
from hybridsim.model.contract import CONTRACT
from hybridsim.model.declarations import refuted_declarations
from hybridsim.model.model import Model
from hybridsim.model.source_location import describe, line_of, where
from hybridsim.model.trials import DOMAIN_ERRORS, N_CHARTS_BEFORE_RUN, Case, CheckedArray, Trials, trials
from hybridsim.typing import FloatArray, Function

WRITING_FUNCTIONS = {
    "vector_field": "S.name",
    "boundaries": "B.name",
    "outputs": "Y.name",
    "sliding_field": "S.name",
    "slopes_and_boundaries": "S.name",
}
"""The functions that return nothing, with an index of the array that they write."""

AGREEMENT = 1e-9
"""Accepted difference between what `slopes_and_boundaries` and the two functions write, relative to the largest."""

N_REPEATED_BEFORE_RUN, MAX_REPEATED_CALLS = 4, 100
"""Calls of a function that are repeated before a run, and most of them otherwise: large models have thousands of
transitions."""

MANY_STATES = 10_000
"""Number of states beyond which no call is repeated before a run, as each takes a second."""

VERDICT_FOLDER = "trials"
"""The folder of the verdicts, beside those of compiled functions."""

_sound_models: deque[Model] = deque(maxlen=64)
"""Models without violations, so that the next run of the same model begins at once."""


def refuse_broken(model: Model) -> None:
    """Refuse a model with mistakes that compiled code cannot report.

    The source of every function is checked, and each is called once in each of the first charts.

    Raises
    ------
    ModelError
        If a function fails; with `file:line` for each that does.
    """
    if any(model is sound for sound in _sound_models):
        return
    tried = trials(model, n_random=0, n_charts=N_CHARTS_BEFORE_RUN)
    key = _key_of(tried)
    if key is None or read_verified(_verdict(key)) is None:
        for function in tried.functions().values():
            refuse_forbidden_statements(function)
        problems = [*dry_run(tried, 0 if len(model.states) > MANY_STATES else N_REPEATED_BEFORE_RUN)]
        if problems:
            raise ModelError("\n".join(f"model {model.name!r}: {problem}" for problem in problems))
        if key is not None:
            write_verified(_verdict(key), b"")
    _sound_models.append(model)


def refuse_broken_extra_outputs(model: Model, functions: Mapping[str, Function]) -> None:
    """Refuse extra outputs `f(t, x, p, chart) -> float` with mistakes that compiled code cannot report.

    Raises
    ------
    ModelError
        If a function fails or returns no number; with `file:line` for each that does.
    """
    tried = trials(model, n_random=0, n_charts=N_CHARTS_BEFORE_RUN)
    for function in functions.values():
        refuse_forbidden_statements(function)
    problems = [problem for function in functions.values() for problem in _failures_of_extra(function, tried)]
    if problems:
        raise ModelError("\n".join(dict.fromkeys(problems)))


def _failures_of_extra(function: Function, tried: Trials) -> Iterator[str]:
    for chart, x in tried.everywhere():
        arrays = (CheckedArray("x", x.copy(), writable=False), CheckedArray("p", tried.p.copy(), writable=False))
        try:
            with np.errstate(all="ignore"):  # at any state, whether it makes sense or not
                returned = function(0.0, *arrays, chart)
        except DOMAIN_ERRORS:
            continue
        except (Exception, SystemExit) as problem:
            yield f"{line_of(problem, function)}: in `{function.__name__}`: {describe(problem)}"
            return
        if not isinstance(returned, int | float | np.number):
            yield f"{where(function)} returns {returned!r}; expected a number in every chart"


def dry_run(tried: Trials, n_repeated: int = N_REPEATED_BEFORE_RUN) -> Iterator[str]:
    """Find violations of the contract that calls in plain Python show, one message `file:line: ...` for each.

    First, functions with wrong arguments; if there are none, functions that fail, access entries outside their arrays
    or write into other arguments than the first; if there are none, functions that return what they should write; if
    there are none, slopes of bookkeeping states, results of `validate` without a message, charts that are no whole
    numbers, boundaries that are not what they declare, a `slopes_and_boundaries` that writes anything else than the two
    functions, and functions with another result when they are called again; of each, `n_repeated` calls are repeated.
    """
    wrong = [*_wrong_arguments(tried)] or [*_failing_calls(tried)] or [*_returning_instead_of_writing(tried)]
    yield from wrong or dict.fromkeys(
        (
            *_moving_bookkeeping(tried),
            *_unknown_messages(tried),
            *unknown_charts(tried, only_fractions=True),
            *refuted_declarations(tried),
            *_differing_at_once(tried),
            *_remembering_functions(tried, n_repeated),
        )
    )


def _wrong_arguments(tried: Trials) -> Iterator[str]:
    for name, function in tried.functions().items():
        taken = [*inspect.signature(function).parameters]
        if len(taken) != len(CONTRACT[name]):
            expected = f"{name}({', '.join(CONTRACT[name])})"
            yield f"{where(function)} takes ({', '.join(taken)}); expected {expected}; mend its arguments"


def _failing_calls(tried: Trials) -> Iterator[str]:
    """Yield the first failure of each function.

    Transitions are tried only if `boundaries` works, because its values decide at which states they are called.
    """
    for name, function in tried.functions().items():
        try:
            for case in tried.cases(name):
                tried.call(name, *case)
        except (Exception, SystemExit) as problem:
            yield f"{line_of(problem, function)}: in `{name}`: {describe(problem)}"
            if name == "boundaries":
                return


def _returning_instead_of_writing(tried: Trials) -> Iterator[str]:
    for name, index in WRITING_FUNCTIONS.items():
        for case in tried.cases(name) if name in tried.functions() else ():
            call = tried.call(name, *case)
            if call is not None and call.returned is not None:
                array = CONTRACT[name][0]
                yield (
                    f"{where(tried.functions()[name])} returns {call.returned!r}; expected nothing: "
                    f"write each value into `{array}`, `{array}[{index}] = ...`, and remove the `return`"
                )
                break


def _moving_bookkeeping(tried: Trials) -> Iterator[str]:
    function = tried.functions()["vector_field"]
    calls = (tried.call("vector_field", *case) for case in tried.cases("vector_field"))
    for call in calls:
        for index in sorted(call.written) if call else ():
            state, slope = tried.model.states[index], float(call.values[index]) if call else 0.0
            if slope != 0.0 and not state.continuous:
                yield (
                    f"{where(function)} gives {slope!r} for {state.name} as its slope; "
                    "a bookkeeping state changes at transitions only; leave its slope alone"
                )


def _unknown_messages(tried: Trials) -> Iterator[str]:
    last = len(tried.model.messages)
    for case in tried.cases("validate") if "validate" in tried.functions() else ():
        call = tried.call("validate", *case)
        if call is not None and not (isinstance(call.returned, int) and 0 <= call.returned <= last):
            yield (
                f"{where(tried.functions()['validate'])} returns {call.returned!r}; "
                f"expected 0, or the number of one of the model's messages, 1 to {last}"
            )


def unknown_charts(tried: Trials, only_fractions: bool = False) -> Iterator[str]:
    """Find what is returned in place of the number of a chart.

    Of these, compiled code would take the whole part of a fraction. A missing one does not compile, and a run ends at a
    whole number without a chart.
    """
    last = tried.model.n_charts - 1
    for name, lowest, others in (("transition", DECLINED, ", or DECLINED"), ("initial_chart", 0, "")):
        for case in tried.cases(name) if name in tried.functions() else ():
            call = tried.call(name, *case)
            if call is None or (only_fractions and (call.returned is None or _is_whole(call.returned))):
                continue
            if not (_is_whole(call.returned) and lowest <= call.returned <= last):
                yield (
                    f"{where(tried.functions()[name])} returns {call.returned!r}; "
                    f"expected the number of a chart, 0 to {last}{others}{_hint(call.returned)}"
                )


def _is_whole(value: object) -> bool:
    """Return whether a value is of a type for whole numbers or truth values; those of numpy come from tables."""
    return isinstance(value, int | np.integer | np.bool_)


def _hint(returned: object) -> str:
    """Return what to do about a number that may be that of a chart but is a float, such as the value of a state."""
    return "; write int(...)" if isinstance(returned, float) and returned.is_integer() else ""


def _differing_at_once(tried: Trials) -> Iterator[str]:
    """Find what `slopes_and_boundaries` does not write as `vector_field` and `boundaries` do."""
    n = len(tried.model.states)
    for case in tried.cases("slopes_and_boundaries") if "slopes_and_boundaries" in tried.functions() else ():
        both = tried.call("slopes_and_boundaries", *case)
        slopes, boundaries = tried.call("vector_field", *case), tried.call("boundaries", *case)
        if both is None or slopes is None or boundaries is None:
            continue
        states, records = tried.model.states.names, tried.model.boundary_records.names
        undecided = [i for i in range(len(boundaries.values)) if (n + i in both.written) != (i in boundaries.written)]
        wrong = [
            *(("vector_field", states[i]) for i in _differing(both.values[:n], slopes.values)),
            *(("boundaries", records[i]) for i in _differing(both.values[n:], boundaries.values)),
            *(("boundaries", records[i]) for i in undecided),
        ]
        for name, what in wrong[:1]:
            chart = tried.model.chart_name(case[1])
            yield (
                f"{where(tried.functions()['slopes_and_boundaries'])} does not write {what} as `{name}` does, in chart "
                f"{chart}; let both write the same, or leave `slopes_and_boundaries` out"
            )
            return


def _differing(values: FloatArray, expected: FloatArray) -> list[int]:
    """Return where values differ by more than rounding."""
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
    close = np.isclose(values, expected, AGREEMENT, AGREEMENT * largest, equal_nan=True)
    return [int(i) for i in np.flatnonzero(~close)]


def _remembering_functions(tried: Trials, n_repeated: int) -> Iterator[str]:
    """Find functions that give another result when they are called in another order."""
    calls = [(name, *case) for name in tried.functions() for case in _spread_cases([*tried.cases(name)], n_repeated)]
    forward = [tried.call(*call) for call in calls]
    backward = [tried.call_again(*call) for call in reversed(calls)][::-1]
    for (name, *_), first, second in zip(calls, forward, backward, strict=True):
        if first and second and first.bits() != second.bits():
            yield (
                f"{where(tried.functions()[name])} gives another result when it is called again; "
                "a function keeps no memory: put what it must remember into a bookkeeping state"
            )


def _spread_cases(cases: list[Case], most: int) -> list[Case]:
    """Return at most so many cases, the first one and others at equal distances, in their order."""
    return cases[:: max(1, -(-len(cases) // most))] if most else []


def _key_of(tried: Trials) -> str | None:
    """Hash what decides whether a model passes; None if one of its functions uses a value that cannot be hashed."""
    model = tried.model
    contents = {name: content_hash(function) for name, function in tried.functions().items()}
    if None in contents.values():
        return None
    records = model.boundary_records, model.output_records, model.messages
    sizes = [model.n_charts, *(len(each) for each in records)]
    declared = [(b.degree, b.second_derivative_bound, b.armed, b.shape) for b in model.boundary_records.blocks]
    columns = [model.states.column(name) for name in ("continuous", "lower", "upper")]
    p = tried.p.copy()
    p[[model.p_indices[name] for name in model.constants.names]] = 0.0  # addresses
    numbers = [hashlib.sha256(array.tobytes()).digest() for array in (p, *tried.states, *columns)]
    numbers += [constant.digest for constant in model.constants]
    decisive = machine_key(), _version(), contents, sizes, declared, numbers, tried.charts
    return hashlib.sha256(repr(decisive).encode()).hexdigest()[:32]


def _verdict(key: str) -> Path:
    """Return the file in the cache whose existence says that a model with this key has passed."""
    return path_in_cache(Path(VERDICT_FOLDER, key))


@cache
def _version() -> str:
    """Return a hash of all sources of this package."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
