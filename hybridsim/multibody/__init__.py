"""Rigid bodies and joints: Kane's equations of any tree, constraints, impacts, and reactions.

A `Mechanism` is described once. Its methods compute from Python; the functions below compute in the functions of a
plug-in, compiled with them, and on dual numbers when derivatives are asked for. `__init__.pyi` lists the names.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
