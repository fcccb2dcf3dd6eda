"""Writes the functions of a composed model: a small module in the cache folder that calls those of the pieces.

It is a file, so that tracebacks and debuggers find it; its name contains a hash of its text. The
functions of the pieces are its globals, with a prefix: `plant_vector_field`, `control_type_torque`.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

from hybridsim.engine.compiler.cache_folder import cache_root, private_folder, write_private
from hybridsim.engine.compiler.signatures import SIGNATURES, integer, real, void
from hybridsim.model.contract import CONTRACT, arguments_of
from hybridsim.model.share import TABLE_OF_ARGUMENT, Share
from hybridsim.typing import Function

NAME_OF_TYPE = {void: "void", integer: "integer", real: "real"}
"""The names by which generated modules import the types of what functions return."""


def generate_functions(
    what: str, name: str, shares: Sequence[Share], sensors: Mapping[str, Function]
) -> dict[str, Function]:
    """Write the module with the functions of a composed model (`vector_field`, `boundaries`, ...), and load it.

    Parameters
    ----------
    what : str
        The model with its parts, for the first line of the module.
    name : str
        The name of the plant, for the name of the file.
    shares : sequence of Share
        The share of each piece, the plant's first.
    sensors : mapping of str to function
        The functions of the plant that parts may call.

    Returns
    -------
    dict of str to function
        The functions by their names in the contract.
    """
    text = "\n\n\n".join((_heading(what, shares), *_functions(shares)))
    used = {f"{share.prefix}_{key}": value for share in shares for key, value in share.functions.items()}
    module = load_generated(name, text, used | {f"plant_{key}": value for key, value in sensors.items()})
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module)}


def load_generated(name: str, text: str, used: Mapping[str, object]) -> ModuleType:
    """Write and execute a module that was generated.

    Parameters
    ----------
    name : str
        For the name of the file, which also has a hash of the text.
    text : str
        Its text.
    used : mapping of str to object
        The functions and modules that it calls by name.

    Returns
    -------
    module
        The module.
    """
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = write_generated(f"{name}_{digest}.py", text)
    module = ModuleType(f"hybridsim_composed_{name}_{digest}")
    module.__file__ = str(path)
    vars(module).update(used)
    exec(compile(text, str(path), "exec"), vars(module))  # the text written above
    sys.modules[module.__name__] = module  # numba looks it up by its name
    return module


def write_generated(name: str, text: str) -> Path:
    """Write a file for tracebacks and debuggers unless it exists. Its text is executed from memory, not from there."""
    path = cache_root() / "composed" / name
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            return path
    with contextlib.suppress(OSError):
        write_private(private_folder(cache_root(), "composed") / name, text.encode())
    return path


def _heading(what: str, shares: Sequence[Share]) -> str:
    lines = [f'"""{what}: functions that call those of its pieces. Written by hybridsim.compose."""', ""]
    for share in shares:
        modules = sorted({str(function.__module__) for function in share.functions.values()})
        lines.append(f"# {share.prefix}_...: from {', '.join(modules)}")
    if any(share.is_separate for share in shares):
        lines += ["", "from hybridsim.engine.compiler.separate import separate"]
        lines += ["from hybridsim.engine.compiler.signatures import integer, real, void"]
    lines += ["", "from hybridsim.engine.compiler.slices import bind, subarray"]
    return "\n".join(lines)


def _functions(shares: Sequence[Share]) -> Iterator[str]:
    writers: dict[str, Callable[[Sequence[Share]], list[str]]] = {
        "vector_field": lambda shares: _one_after_another("vector_field", shares),
        "boundaries": lambda shares: _one_after_another("boundaries", shares),
        "outputs": lambda shares: _one_after_another("outputs", shares),
        "poses": lambda shares: [_call("poses", shares[0], shares)],
        "transition": _transition,
        "initial_chart": _initial_chart,
        "validate": _validate,
        "sliding_field": _sliding_field,
        "slopes_and_boundaries": _slopes_and_boundaries,
    }
    if any(share.has("transition") for share in shares):
        yield _ANY_OF_SOURCE
    if any(share.has("validate") for share in shares):
        errors = [0, *(error for share in shares for error in share.errors)]
        yield f"IS_ERROR = ({', '.join(map(str, errors))},)"
    for share in (*shares[1:], shares[0]):
        yield from (_on_whole(name, share, shares) for name in share.whole)
    for name, write in writers.items():
        if any(share.has(name) for share in shares):
            arguments = ", ".join(arguments_of(name, shares[0].functions.get(name)))
            lines = [f"def {name}({arguments}):", *(f"    {line}" for line in write(shares))]
            yield "\n".join(lines)


_ANY_OF_SOURCE = """def any_of(crossed, first, n):
    for i in range(first, first + n):
        if crossed[i]:
            return True
    return False"""


def _on_whole(name: str, share: Share, shares: Sequence[Share]) -> str:
    """Return the source of a function of a part on the whole arrays and chart, `control_type_torque_on_whole`."""
    if name in CONTRACT:
        x, charts = _seen_by(name, share, shares)
        arguments, returns = (*CONTRACT[name], *charts), SIGNATURES[name].returns
        call = _call_on_slices(name, share, shares, x, **charts)
    else:
        parameters = [*inspect.signature(share.functions[name]).parameters]
        n_own, asked = len(parameters) - len(share.trailing[name]), share.trailing[name]
        arguments, returns = ("t", "x", "p", "chart", *parameters[4:n_own]), real
        passed = ("t", share.slice("x"), share.slice("p"), share.chart(), *parameters[4:n_own])
        bound = (_bind_source(sensor, share, shares, "x", _charts(shares)) for sensor in asked)
        call = f"{share.prefix}_{name}({', '.join([*passed, *bound])})"
    mark = f"@separate({NAME_OF_TYPE[returns]})\n" if share.is_separate else ""
    return (
        f"{mark}def {share.prefix}_{name}_on_whole({', '.join(arguments)}):\n"
        f"    {'' if returns == void else 'return '}{call}"
    )


def _charts(shares: Sequence[Share]) -> dict[str, str]:
    """Return the source of the chart number of each piece."""
    return {share.prefix: share.chart() for share in shares}


def _seen_by(name: str, share: Share, shares: Sequence[Share]) -> tuple[str, dict[str, str]]:
    """Return which state and chart numbers a function asks couplings or sensors about: variables of its caller.

    The transition of a plant that takes couplings sees what the parts' transitions have returned; what begins a run
    sees what has begun before.
    """
    plant = shares[0]
    if name == "transition" and share is plant and share.trailing.get(name):
        return "x_new", {f"{part.prefix}_chart": f"{part.prefix}_chart" for part in shares[1:]}
    if name == "initial_chart":
        last = bool(plant.trailing.get(name))
        begun = (shares if last else ()) if share is plant else shares[:1]
        return "x_new", {f"{other.prefix}_chart": f"{other.prefix}_chart" for other in begun}
    return "x", {}


def _call(name: str, share: Share, shares: Sequence[Share]) -> str:
    """Return the source of a call of a piece's function."""
    x, charts = _seen_by(name, share, shares)
    if name in share.whole:
        return f"{share.prefix}_{name}_on_whole({', '.join((*CONTRACT[name], *charts))})"
    return _call_on_slices(name, share, shares, x, **charts)


def _call_on_slices(name: str, share: Share, shares: Sequence[Share], x: str = "x", **others: str) -> str:
    """Return the source of a call of a piece's function on its slices, `plant_poses(T, t, subarray(x, 0, 13), ...)`."""
    arguments = []
    for argument in arguments_of(name, share.functions.get(name)):
        if argument in others:
            arguments.append(others[argument])
        elif argument in ("chart", "adjacent_chart"):
            arguments.append(share.chart(argument))
        else:
            sliced = argument in TABLE_OF_ARGUMENT or argument == "crossed"
            arguments.append(share.slice(argument) if sliced else argument)
    charts = {prefix: others.get(f"{prefix}_chart", chart) for prefix, chart in _charts(shares).items()}
    bound = [_bind_source(asked, share, shares, x, charts) for asked in share.trailing.get(name, ())]
    return f"{share.prefix}_{name}({', '.join([*arguments, *bound])})"


def _bind_source(asked: str, share: Share, shares: Sequence[Share], x: str, charts: Mapping[str, str]) -> str:
    """Return the source of `bind(...)`, which passes the function `asked` as an argument.

    It is a coupling for the plant, or a sensor for a part. `charts` maps each piece to the source of its chart number.
    """
    giver = shares[0] if share is not shares[0] else next(s for s in shares[1:] if s.has(asked))
    if asked in giver.whole:
        whole = "chart" if charts == _charts(shares) else _join_charts(shares, [*charts.values()])
        return f"bind({giver.prefix}_{asked}_on_whole, {x}, p, {whole})"
    return f"bind({giver.prefix}_{asked}, {giver.slice(x)}, {giver.slice('p')}, {charts[giver.prefix]})"


def _slopes_and_boundaries(shares: Sequence[Share]) -> list[str]:
    """Return the lines that call the plant's function, and the two functions of each part."""
    plant, *parts = shares
    of_parts = [
        _call(name, part, shares) for part in parts for name in ("vector_field", "boundaries") if part.has(name)
    ]
    return [_call("slopes_and_boundaries", plant, shares), *of_parts]


def _one_after_another(name: str, shares: Sequence[Share]) -> list[str]:
    return [_call(name, share, shares) for share in shares if share.has(name)]


def _join_charts(shares: Sequence[Share], charts: Sequence[str]) -> str:
    """Return the Python expression for the chart number of the composed model.

    The chart numbers of the pieces are its bit fields. What is compiled of a separate plant shall not depend on whether
    a part has bits.
    """
    if shares[0].has_whole_chart:
        return charts[0]
    pieces = [
        f"({chart}) << {share.spans['bits'][0]}" if share.spans["bits"][0] else f"({chart})"
        for share, chart in zip(shares, charts, strict=True)
        if share.spans["bits"][1] or (share is not shares[0] and shares[0].is_separate)
    ]
    return " | ".join(pieces) or "0"


def _unknown(share: Share, shares: Sequence[Share], chart: str) -> list[str]:
    """Return the source of a `return` for charts that do not fit into the piece's bits and would change others."""
    if share.has_whole_chart:
        return []
    limit = 1 << share.spans["bits"][1]
    beyond = 1 << sum(other.spans["bits"][1] for other in shares)
    return [
        f"if {chart} < 0 or {chart} >= {limit}:",
        f"    return {chart} if {chart} < 0 else {beyond} + {chart}  # no such chart, which the engine reports",
    ]


def _transition(shares: Sequence[Share]) -> list[str]:
    """Call the transition of each piece whose boundaries crossed, the plant's last; declined if all decline.

    The transition of a plant that takes couplings is also called after that of a part, and receives the state and the
    chart that the parts return: a drive that changes its torque can make a foot slip at the same instant.
    """
    plant = shares[0]
    lines = ["declined = True", *(f"{share.prefix}_chart = {share.chart()}" for share in shares)]
    for share in (*shares[1:], plant):
        if not share.has("transition"):
            continue
        (first, n), (x_first, x_n) = share.spans["boundary_records"], share.spans["states"]
        coupled = bool(share.trailing.get("transition")) and share is plant
        lines += [
            f"if any_of(crossed, {first}, {n}){' or not declined' if coupled else ''}:",
            f"    answer = {_call('transition', share, shares)}",
            "    if answer == -1:",
            f"        for i in range({x_first}, {x_first + x_n}):",
            "            x_new[i] = x[i]",
            "    else:",
            *(f"        {line}" for line in _unknown(share, shares, "answer")),
            f"        {share.prefix}_chart, declined = answer, False",
        ]
    return [*lines, f"return -1 if declined else {_join_charts(shares, [f'{share.prefix}_chart' for share in shares])}"]


def _initial_chart(shares: Sequence[Share]) -> list[str]:
    """Initialise the plant first, as parts may sense it; or last, if it takes couplings of parts."""
    plant = shares[0]
    last = bool(plant.trailing.get("initial_chart"))
    lines = ["plant_chart = 0"] if last else []
    for share in (*shares[1:], plant) if last else shares:
        own = f"{share.prefix}_chart"
        if share.has("initial_chart"):
            lines.append(f"{own} = {_call('initial_chart', share, shares)}")
            lines += _unknown(share, shares, own)
        else:
            lines.append(f"{own} = 0")
    return [*lines, f"return {_join_charts(shares, [f'{share.prefix}_chart' for share in shares])}"]


def _validate(shares: Sequence[Share]) -> list[str]:
    """Return the first error, or else the first warning."""
    lines, found = ["found = 0"], False
    for share in shares:
        if share.has("validate"):
            first, n = share.spans["messages"]
            lines += [
                f"code = {_call('validate', share, shares)}",
                "if code != 0:",
                f"    if code < 0 or code > {n}:",
                "        return -1  # no message of its own, which the engine reports",
                f"    code += {first}",
                "    if IS_ERROR[code]:",
                "        return code",
                *(["    found = code"] if not found else ["    found = found if found else code"]),
            ]
            found = True
    return [*lines, "return found"]


def _sliding_field(shares: Sequence[Share]) -> list[str]:
    plant, parts = shares[0], shares[1:]
    moving = [_call("vector_field", share, shares) for share in parts if share.has("vector_field")]
    return [_call("sliding_field", plant, shares), *moving]
