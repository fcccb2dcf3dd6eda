"""Models: records and functions, plants and parts, scenes, plug-in files, and checks."""

from __future__ import annotations

from hybridsim.engine.status import DECLINED
from hybridsim.errors import nearest
from hybridsim.model.constants import Buffer, Constant
from hybridsim.model.contract import CONTRACT
from hybridsim.model.model import Model
from hybridsim.model.records import (
    TOUCH_POLICIES,
    Boundary,
    Chart,
    Input,
    Message,
    Output,
    Parameter,
    State,
)
from hybridsim.model.reserved import RESERVED_NAMES
from hybridsim.model.table import Records, list_names

__all__ = [
    "CONTRACT",
    "DECLINED",
    "RESERVED_NAMES",
    "TOUCH_POLICIES",
    "Boundary",
    "Buffer",
    "Chart",
    "Constant",
    "Input",
    "Message",
    "Model",
    "Output",
    "Parameter",
    "Records",
    "State",
    "list_names",
    "nearest",
]
