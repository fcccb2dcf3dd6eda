"""The functions of a composed model: a small module, written into the cache folder, that calls those of its pieces.

It is a real file, so that tracebacks, debuggers and numba's cache find it; its name is a hash of its text. The
functions of the pieces are put into it under their names with a prefix: `plant_vector_field`, `control_type_torque`.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from hybridsim.engine.compiler.cache_folder import cache_root
from hybridsim.model.contract import CONTRACT, Function

Span = tuple[int, int]

SPANS = ("states", "p", "boundary_records", "output_records", "messages", "bits")
"""What is divided among the pieces."""

SPACE = {"xdot": "states", "x": "states", "x_new": "states", "p": "p", "g": "boundary_records", "y": "output_records"}
"""Which records the entries of an array argument belong to."""


@dataclass(frozen=True, slots=True)
class Share:
    """What of a composed model belongs to the plant, or to the part in a slot.

    Attributes
    ----------
    prefix : "plant" or the slot's name.
    trailing : by function, the names of the bound functions that it takes as its last arguments.
    spans : first entry and number, by what is divided (SPANS). Of p, everything from the first entry on, because the
        numbers of arrays lie at its end.
    whole : all of the chart is its own, because it has names instead of bits.
    errors : for each of its messages, whether it is an error.
    """

    prefix: str
    functions: Mapping[str, Function]
    trailing: Mapping[str, tuple[str, ...]]
    spans: Mapping[str, Span]
    whole: bool
    errors: tuple[int, ...]

    def has(self, function: str) -> bool:
        return function in self.functions

    @property
    def sensing(self) -> list[str]:
        """Its coupling functions that take sensors."""
        return [name for name, wanted in self.trailing.items() if name not in CONTRACT and wanted]

    def slice(self, array: str) -> str:
        """`part(x, 13, 6)`: its own slice of an array argument."""
        first, n = self.spans["boundary_records" if array == "crossed" else SPACE[array]]
        return f"part({array}, {first}, {n})"

    def chart(self, number: str = "chart") -> str:
        """Its own bits of a chart number."""
        first, n = self.spans["bits"]
        if self.whole:
            return number
        if not n:
            return "0"
        return f"{number} & {(1 << n) - 1}" if not first else f"{number} >> {first} & {(1 << n) - 1}"


def join(what: str, name: str, shares: Sequence[Share], sensors: Mapping[str, Function]) -> dict[str, Function]:
    """The contract functions of the composed model.

    Parameters
    ----------
    what :
        said in the module's first line.
    name :
        that of the plant, for the file's name.
    shares :
        the plant's first.
    sensors :
        the plant's functions that parts may use.
    """
    text = "\n\n\n".join((_heading(what, shares), *_functions(shares)))
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = _written(cache_root() / "composed" / f"{name}_{digest}.py", text)
    module = ModuleType(f"hybridsim_composed_{name}_{digest}")
    module.__file__ = str(path)
    for share in shares:
        vars(module).update({f"{share.prefix}_{key}": value for key, value in share.functions.items()})
    vars(module).update({f"plant_{key}": value for key, value in sensors.items()})
    exec(compile(text, str(path), "exec"), vars(module))  # the text that has just been written
    sys.modules[module.__name__] = module  # what numba has cached imports it by this name
    return {key: vars(module)[key] for key in CONTRACT if key in vars(module)}


def _written(path: Path, text: str) -> Path:
    """The file with this text. Other processes may write it at the same time: each renames its own."""
    if not (path.is_file() and path.read_text(encoding="utf-8") == text):
        path.parent.mkdir(parents=True, exist_ok=True)
        own = path.with_suffix(f".{os.getpid()}")
        own.write_text(text, encoding="utf-8")
        own.replace(path)
    return path


def _heading(what: str, shares: Sequence[Share]) -> str:
    lines = [f'"""{what}: functions that call those of its pieces. Written by hybridsim.compose."""', ""]
    for share in shares:
        modules = sorted({str(function.__module__) for function in share.functions.values()})
        lines.append(f"# {share.prefix}_...: from {', '.join(modules)}")
    lines += ["", "from hybridsim.engine.compiler.slices import bind, part"]
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
    }
    if any(share.has("transition") for share in shares):
        yield _ANY
    if any(share.has("validate") for share in shares):
        errors = [0, *(error for share in shares for error in share.errors)]
        yield f"IS_ERROR = ({', '.join(map(str, errors))},)"
    for share in shares[1:]:
        yield from (_sensing(name, share, shares) for name in share.sensing)
    for name, write in writers.items():
        if any(share.has(name) for share in shares):
            lines = [f"def {name}({', '.join(CONTRACT[name])}):", *(f"    {line}" for line in write(shares))]
            yield "\n".join(lines)


_ANY = """def any_of(crossed, first, n):
    for i in range(first, first + n):
        if crossed[i]:
            return True
    return False"""


def _sensing(name: str, share: Share, shares: Sequence[Share]) -> str:
    """A coupling function that takes sensors, as one of the whole x, p and chart, for the plant to be bound to."""
    own = [*inspect.signature(share.functions[name]).parameters][4 : -len(share.trailing[name])]
    passed = ["t", share.slice("x"), share.slice("p"), share.chart(), *own]
    bound = [_bound(wanted, share, shares, "x", _charts(shares)) for wanted in share.trailing[name]]
    return (
        f"def {share.prefix}_{name}_sensing({', '.join(('t', 'x', 'p', 'chart', *own))}):\n"
        f"    return {share.prefix}_{name}({', '.join([*passed, *bound])})"
    )


def _charts(shares: Sequence[Share]) -> dict[str, str]:
    """Where each piece's chart is found in a chart number."""
    return {share.prefix: share.chart() for share in shares}


def _call(name: str, share: Share, shares: Sequence[Share], x: str = "x", **others: str) -> str:
    """`plant_vector_field(part(xdot, 0, 13), t, ..., torque=...)`: a piece's function on its slices."""
    arguments = []
    for argument in CONTRACT[name]:
        if argument in others:
            arguments.append(others[argument])
        elif argument in ("chart", "adjacent_chart"):
            arguments.append(share.chart(argument))
        else:
            sliced = argument in SPACE or argument == "crossed"
            arguments.append(share.slice(argument) if sliced else argument)
    charts = {prefix: others.get(f"{prefix}_chart", chart) for prefix, chart in _charts(shares).items()}
    bound = [_bound(wanted, share, shares, x, charts) for wanted in share.trailing.get(name, ())]
    return f"{share.prefix}_{name}({', '.join([*arguments, *bound])})"


def _bound(wanted: str, share: Share, shares: Sequence[Share], x: str, charts: Mapping[str, str]) -> str:
    """A coupling function for the plant, or a sensor for a part; `charts` says where each piece's chart is found."""
    giver = shares[0] if share is not shares[0] else next(s for s in shares[1:] if s.has(wanted))
    if wanted in giver.sensing:
        return f"bind({giver.prefix}_{wanted}_sensing, {x}, p, {_joined(shares, [*charts.values()])})"
    return f"bind({giver.prefix}_{wanted}, {giver.slice(x)}, {giver.slice('p')}, {charts[giver.prefix]})"


def _one_after_another(name: str, shares: Sequence[Share]) -> list[str]:
    return [_call(name, share, shares) for share in shares if share.has(name)]


def _joined(shares: Sequence[Share], charts: Sequence[str]) -> str:
    """The chart number of the whole, from those of the pieces."""
    if shares[0].whole:
        return charts[0]
    pieces = [
        f"({chart}) << {share.spans['bits'][0]}" if share.spans["bits"][0] else f"({chart})"
        for share, chart in zip(shares, charts, strict=True)
        if share.spans["bits"][1]
    ]
    return " | ".join(pieces) or "0"


def _unknown(share: Share, shares: Sequence[Share], chart: str) -> list[str]:
    """A chart that does not fit into the piece's bits must not run over into those of others."""
    if share.whole:
        return []
    limit = 1 << share.spans["bits"][1]
    beyond = 1 << sum(other.spans["bits"][1] for other in shares)
    return [
        f"if {chart} < 0 or {chart} >= {limit}:",
        f"    return {chart} if {chart} < 0 else {beyond} + {chart}  # no such chart, which the engine reports",
    ]


def _transition(shares: Sequence[Share]) -> list[str]:
    """Each piece whose boundaries have crossed answers for itself, the plant last; declined is what all decline.

    A plant that takes couplings is asked after every answer of a part, too, and sees the parts as these leave them: a
    drive that changes its torque can thus make a foot slip at once.
    """
    plant = shares[0]
    lines = ["declined = True", *(f"{share.prefix}_chart = {share.chart()}" for share in shares)]
    for share in (*shares[1:], plant):
        if not share.has("transition"):
            continue
        (first, n), (x_first, x_n) = share.spans["boundary_records"], share.spans["states"]
        coupled = bool(share.trailing.get("transition")) and share is plant
        after = {f"{part.prefix}_chart": f"{part.prefix}_chart" for part in shares[1:]} if coupled else {}
        answer = _call("transition", share, shares, "x_new" if coupled else "x", **after)
        lines += [
            f"if any_of(crossed, {first}, {n}){' or not declined' if coupled else ''}:",
            f"    answer = {answer}",
            "    if answer == -1:",
            f"        for i in range({x_first}, {x_first + x_n}):",
            "            x_new[i] = x[i]",
            "    else:",
            *(f"        {line}" for line in _unknown(share, shares, "answer")),
            f"        {share.prefix}_chart, declined = answer, False",
        ]
    return [*lines, f"return -1 if declined else {_joined(shares, [f'{share.prefix}_chart' for share in shares])}"]


def _initial_chart(shares: Sequence[Share]) -> list[str]:
    """The plant begins first, so that parts can look at it; or last, if it takes couplings of parts that have begun."""
    plant = shares[0]
    last = bool(plant.trailing.get("initial_chart"))
    lines = ["plant_chart = 0"] if last else []
    for share in (*shares[1:], plant) if last else shares:
        own = f"{share.prefix}_chart"
        if share.has("initial_chart"):
            begun = shares if share is plant else shares[:1]
            charts = {f"{other.prefix}_chart": f"{other.prefix}_chart" for other in begun if last or share is not plant}
            lines.append(f"{own} = {_call('initial_chart', share, shares, 'x_new', **charts)}")
            lines += _unknown(share, shares, own)
        else:
            lines.append(f"{own} = 0")
    return [*lines, f"return {_joined(shares, [f'{share.prefix}_chart' for share in shares])}"]


def _validate(shares: Sequence[Share]) -> list[str]:
    """The first error, else the first warning."""
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
