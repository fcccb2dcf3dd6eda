"""hybridsim: a simulator for hybrid dynamical systems. These are its public names, and only they."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from hybridsim.config import load_config, load_sweep
    from hybridsim.engine.compiler.scratch import scratch
    from hybridsim.engine.status import Status
    from hybridsim.errors import ConfigError, HybridsimError, ModelError, SimulationError
    from hybridsim.model import DECLINED, Boundary, Chart, Input, Message, Model, Output, Parameter, Records, State
    from hybridsim.model.composition import compose
    from hybridsim.model.parts import Part, Plant, Slot
    from hybridsim.model.registry import load_model
    from hybridsim.results.events import Event, Events
    from hybridsim.results.reading import load_run
    from hybridsim.results.trajectory import Trajectory
    from hybridsim.simulation import Simulation, simulate
    from hybridsim.sweeps import read_sweep, sweep
    from hybridsim.verification import verify

# Loaded when first used: `hybridsim --help` must not wait for numba.
_HOMES = {
    "hybridsim.model.composition": ("compose",),
    "hybridsim.model.parts": ("Part", "Plant", "Slot"),
    "hybridsim.config": ("load_config", "load_sweep"),
    "hybridsim.engine.compiler.scratch": ("scratch",),
    "hybridsim.engine.status": ("Status",),
    "hybridsim.errors": ("ConfigError", "HybridsimError", "ModelError", "SimulationError"),
    "hybridsim.model": (
        *("DECLINED", "Boundary", "Chart", "Input", "Message", "Model", "Output", "Parameter", "Records", "State"),
    ),
    "hybridsim.results.events": ("Event", "Events"),
    "hybridsim.results.reading": ("load_run",),
    "hybridsim.model.registry": ("load_model",),
    "hybridsim.simulation": ("Simulation", "simulate"),
    "hybridsim.sweeps": ("read_sweep", "sweep"),
    "hybridsim.results.trajectory": ("Trajectory",),
    "hybridsim.verification": ("verify",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "DECLINED",
    "Boundary",
    "Chart",
    "ConfigError",
    "Event",
    "Events",
    "HybridsimError",
    "Input",
    "Message",
    "Model",
    "ModelError",
    "Output",
    "Parameter",
    "Part",
    "Plant",
    "Records",
    "Simulation",
    "SimulationError",
    "Slot",
    "State",
    "Status",
    "Trajectory",
    "compose",
    "load_config",
    "load_model",
    "load_run",
    "load_sweep",
    "read_sweep",
    "scratch",
    "simulate",
    "sweep",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'hybridsim' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
