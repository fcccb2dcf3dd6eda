"""hybridsim: a simulator for hybrid dynamical systems. These are its public names, and only they.

`__init__.pyi` lists the names with their modules, for type checkers and for this file: each module is imported when one
of its names is first used, so that `hybridsim --help` does not wait for numba.
"""

import lazy_loader

from hybridsim.errors import explains_names

__version__ = "0.1.0"

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__getattr__ = explains_names(
    _load,
    __all__,
    read_sweep="load_sweep",
    read_run="load_run",
    run="simulate",
    save_run="Trajectory.save",
    part="subarray",
)
