"""Import PyVista without pyplot, which it needs only for charts that are made of figures; the viewer makes none.

pyplot and what it stands on take 0.6 s, a third of the time in which a first picture is drawn.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

__all__ = ["pv"]

PYPLOT_MODULE, CANVAS_MODULE = "matplotlib.pyplot", "matplotlib.backends.backend_agg"


class Later(ModuleType):
    """Stands for a module, which is imported when something in it is first used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system asks whether it is a package
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


class _LaterCanvas(Later):
    def FigureCanvasAgg(self, *given: Any) -> Any:  # noqa: N802 -- PyVista takes the name itself out of the module
        return self.__getattr__("FigureCanvasAgg")(*given)


@contextmanager
def _without_pyplot() -> Iterator[None]:
    standing_in = [
        module for module in (Later(PYPLOT_MODULE), _LaterCanvas(CANVAS_MODULE)) if module.__name__ not in sys.modules
    ]
    sys.modules.update({module.__name__: module for module in standing_in})
    try:
        yield
    finally:
        for module in standing_in:
            if sys.modules.get(module.__name__) is module:
                del sys.modules[module.__name__]


with _without_pyplot():
    import pyvista as pv
    import pyvista.plotting  # noqa: F401 -- otherwise when something in it is first used
