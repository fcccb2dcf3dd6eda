"""A model whose inputs follow time: formulas, or tables of what was measured.

The functions of such a model call those of the model with a copy of p, in which the inputs have their values at t, and
what is held is added to them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybridsim.engine.compiler.scratch import scratch
from hybridsim.errors import ModelError, nearest
from hybridsim.model.codegen import load_generated
from hybridsim.model.contract import CONTRACT
from hybridsim.model.model import Model
from hybridsim.model.records import Parameter
from hybridsim.model.table import Records, list_names

COEFFICIENTS = 5
"""Numbers of a piece of a table: where it begins, and those of 1, s, s^2 and s^3, with s the time since then."""

COPY = """def follow(q, t, p):
    for i in range({n}):
        q[i] = p[i]"""


def added_to(name: str) -> str:
    """Return the name of what is added to an input that follows time."""
    return f"{name}_added"


def piecewise(p: Any, first: int, t: Any) -> Any:
    """Return the value at t of a table: the number of its pieces, and five numbers of each.

    Before the first piece and beyond the last one, these go on.
    """
    low, high = 0, int(p[first])
    while high - low > 1:
        middle = (low + high) // 2
        if p[first + 1 + 5 * middle] <= t:
            low = middle
        else:
            high = middle
    k = first + 1 + 5 * low
    s = t - p[k]
    return p[k + 1] + s * (p[k + 2] + s * (p[k + 3] + s * p[k + 4]))


@dataclass(frozen=True, slots=True, eq=False)
class DrivenModel(Model):
    """A model some of whose inputs follow time, made by `drive`.

    Parameters
    ----------
    plain : Model
        The model whose inputs follow time.
    """

    plain: Model = field(kw_only=True)

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that define the model: its own, and those of the model with inputs."""
        return (self.source, *self.plain.sources)

    @property
    def parameter_blocks(self) -> tuple[tuple[int, int, int], ...]:
        """Those of the model; then the tables."""
        blocks = self.plain.parameter_blocks
        return (*blocks, (len(self.parameters) - sum(n for n, _, _ in blocks), 0, 0))


def drive(model: Model, formulas: Mapping[str, str], tables: Mapping[str, Sequence[float]]) -> DrivenModel:
    """Let inputs of a model follow time.

    Parameters
    ----------
    model : Model
        The model.
    formulas : mapping of str to str
        By input, an expression of `t`, of parameters and of functions of `math`.
    tables : mapping of str to sequence of float
        By input, the pieces of a polynomial: five numbers each, see `COEFFICIENTS`. It becomes the parameter
        `INPUT_table`, behind the number of its pieces.

    Returns
    -------
    DrivenModel
        The model. Such an input is called `INPUT_added`: what it holds, 0 unless given, is added to what it follows.

    Raises
    ------
    ModelError
        If it has no such input, or a matrix among its parameters.
    """
    known = model.inputs.names
    for name in (*formulas, *tables):
        if name not in known:
            listed = f"; it has {list_names(known, name)}" if known else "; it has none"
            raise ModelError(f"model {model.name!r}: there is no input {name!r}{nearest(name, known) or listed}")
    if matrices := [each.name for each in model.parameters if each.is_matrix]:
        raise ModelError(
            f"model {model.name!r}: its inputs cannot follow time, as it has a matrix, {matrices[0]!r}; "
            "let the vector field compute them from t"
        )
    numbers = {
        f"{name}_table": (float(len(table) // COEFFICIENTS), *map(float, table)) for name, table in tables.items()
    }
    more = [Parameter(name, values, doc="pieces of a polynomial of time") for name, values in numbers.items()]
    kept: dict[str, Any] = {f.name: getattr(model, f.name) for f in dataclasses.fields(Model)}
    kept["parameters"] = Records(*model.parameters, *more)
    kept["inputs"] = Records(
        *(
            dataclasses.replace(each, name=added_to(each.name), default=0.0)
            if each.name in {*formulas, *tables}
            else each
            for each in model.inputs
        )
    )
    driven = DrivenModel(**kept, plain=model)
    functions = _functions(driven, formulas, tables)
    return dataclasses.replace(driven, **functions)


def _functions(driven: DrivenModel, formulas: Mapping[str, str], tables: Mapping[str, Any]) -> dict[str, Any]:
    """Write the functions that give p with these inputs to those of the model."""
    indices, starts, plain = driven.p_indices, driven.p_starts, driven.plain
    copied = len(indices) + sum(np.size(each.default) for each in plain.parameters if each.is_array)
    lines = [COPY.format(n=copied)]
    for name, formula in formulas.items():
        lines.append(f"    q[{indices[added_to(name)]}] += {formula}")
    for name, table in ((name, f"{name}_table") for name in tables):
        lines.append(f"    q[{indices[added_to(name)]}] += piecewise(p, {starts[table]} + int(p[{indices[table]}]), t)")
    texts = ["import math\n\nimport numpy as np", "\n".join(lines)]
    for name in plain.functions:
        if name == "poses":
            continue
        arguments = ", ".join(CONTRACT[name])
        passed = arguments.replace(" p", " q")
        answer = "return " if name in ("transition", "initial_chart", "validate") else ""
        texts.append(
            f"def {name}({arguments}):\n    q = scratch({copied})\n    follow(q, t, p)\n"
            f"    {answer}plain_{name}({passed})"
        )
    heading = f'"""{driven.name} with inputs that follow time. Written by hybridsim."""'
    used = {f"plain_{name}": function for name, function in plain.functions.items()}
    module = load_generated(
        driven.name, "\n\n\n".join([heading, *texts]), used | {"scratch": scratch, "piecewise": piecewise}
    )
    return {name: vars(module)[name] for name in plain.functions if name in vars(module)}
