"""hybridsim: a simulator for hybrid dynamical systems. These are its public names, and only they.

`__init__.pyi` lists the names with their modules, for type checkers and for this file: each module is imported when one
of its names is first used, so that `hybridsim --help` does not wait for numba.
"""

import sys
from typing import Any

import lazy_loader

from hybridsim._version import __version__ as __version__

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FORMER_NAMES = {
    "read_sweep": "load_sweep",
    "read_run": "load_run",
    "run": "simulate",
    "save_run": "Trajectory.save",
    "part": "subarray",
}
"""Former name, or that of other programs -> the present one."""


def __getattr__(name: str) -> Any:
    """Load a public name; for a former one, the error says what it is called now."""
    if name in __all__ or name not in FORMER_NAMES:
        return _load(name)
    # `from hybridsim import NAME` asks for the attribute first, and replaces an AttributeError by a text of its own.
    imported = sys._getframe(1).f_globals["__name__"].endswith("_bootstrap")
    raise (ImportError if imported else AttributeError)(f"hybridsim.{name} is called {FORMER_NAMES[name]} now")
