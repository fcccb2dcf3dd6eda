"""The parameters and inputs of a model as the array p that its functions see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hybridsim.model.model import Model
from hybridsim.typing import FloatArray


def pack_parameters(model: Model, values: Mapping[str, Any]) -> FloatArray:
    """p: parameters and inputs where `Model.places` says, arrays behind.

    A choice is its index. The slot of an array holds the place of its first number, in the slice of p that the
    functions see which use it: all of p, but for the parts of a composed model.
    """
    places = model.places
    scalars = np.zeros(len(places))
    arrays: list[float] = []
    for parameter in model.parameters:
        value, (at, first) = values[parameter.name], places[parameter.name]
        if parameter.choices:
            scalars[at] = parameter.choices.index(value)
        elif parameter.is_array:
            scalars[at] = len(places) + len(arrays) - first
            arrays.extend(float(v) for v in np.ravel(value))
        else:
            scalars[at] = value
    for name in model.inputs.names:
        scalars[places[name].at] = values[name]
    return np.array([*scalars, *arrays, 0.0])
