"""CVODE as a C++ program uses it: the library in the wheel of scikit-sundae, its callbacks in C++."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from typing import Any

from rivals import drivers
from slip import Contender, State

LIBRARIES = ("sundials_core", "sundials_nvecserial", "sundials_cvode")


@cache
def driver() -> Any:
    return drivers.driver("cvode.cpp", libraries=tuple(drivers.library("scikit-sundae", name) for name in LIBRARIES))


def prepare(model: Callable[..., Any], tolerance: float, strides: int) -> Callable[[], State]:
    return model(driver(), ctypes.c_double(tolerance), ctypes.c_double(0.01 * tolerance), strides=strides)


CONTENDERS, WALKERS = (
    [Contender("CVODE Adams, C++", partial(prepare, model), strides=500, version=version("scikit-sundae"))]
    for model in (drivers.runner, drivers.walker)
)
