"""The array p that a model's functions receive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hybridsim.engine.compiler.scratch import address_of, lend
from hybridsim.model.constants import Buffer
from hybridsim.model.model import Model
from hybridsim.typing import FloatArray


def array_start(model: Model, name: str, p: FloatArray) -> int:
    """Return the index in p of the first number of an array."""
    return int(p[model.p_indices[name]]) + model.p_starts[name]


def pack_parameters(model: Model, values: Mapping[str, Any]) -> FloatArray:
    """Return p: parameters and inputs as scalars at the indices `Model.p_indices`, then the numbers of arrays.

    A choice becomes its index, and a constant the address of its array in this process. The entry of an array holds the
    index of its first number, counted in the slice of p that its functions receive: all of p, or that of a part.
    """
    indices, starts = model.p_indices, model.p_starts
    scalars = np.zeros(len(indices))
    arrays: list[float] = []
    for parameter in model.parameters:
        name, value = parameter.name, values[parameter.name]
        if parameter.choices:
            scalars[indices[name]] = parameter.choices.index(value)
        elif parameter.is_array:
            scalars[indices[name]] = len(indices) + len(arrays) - starts[name]
            arrays.extend(float(number) for number in np.ravel(value))
        else:
            scalars[indices[name]] = value
    for name in model.inputs.names:
        scalars[indices[name]] = values[name]
    p = np.concatenate([scalars, np.array(arrays, float), [0.0]])
    for constant in model.constants:
        found = lend(model, constant.size, p) if isinstance(constant, Buffer) else address_of(constant.values)
        p[indices[constant.name]] = found
    return p
