"""Pictures of runs, orbits, branches of orbits and sweeps, as files; `__init__.pyi` lists the functions."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
