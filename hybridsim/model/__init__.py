"""Models: records and functions, their parts and pictures, and how they are found and tried."""

from __future__ import annotations

from hybridsim.model.model import (
    CONTRACT,
    DECLINED,
    ENGINE_SYMBOLS,
    TOUCH_POLICIES,
    Boundary,
    Chart,
    Input,
    Message,
    Model,
    Output,
    Parameter,
    State,
    defaults_of,
)
from hybridsim.model.table import Records, nearest

__all__ = [
    "CONTRACT",
    "DECLINED",
    "ENGINE_SYMBOLS",
    "TOUCH_POLICIES",
    "Boundary",
    "Chart",
    "Input",
    "Message",
    "Model",
    "Output",
    "Parameter",
    "Records",
    "State",
    "defaults_of",
    "nearest",
]
