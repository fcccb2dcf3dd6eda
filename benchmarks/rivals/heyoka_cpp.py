"""heyoka as a C++ program uses it: the integrators that Python has made, in a loop without Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import heyoka
from rivals import drivers
from rivals.heyoka_solver import integrators
from slip import Contender, State


@cache
def driver() -> Any:
    found = drivers.library("heyoka", "heyoka")
    interface = found.name.split(".so.")[1].split(".")[0]  # libheyoka-....so.45.0 has the namespace heyoka::v45
    return drivers.driver("heyoka.cpp", f"-DHEYOKA=v{interface}", libraries=(found,))


def prepare(tolerance: float, strides: int) -> Callable[[], State]:
    charts = integrators(tolerance)
    # What Python holds is, after the head of its object, a pointer to the integrator.
    pointers = [ctypes.cast(id(chart) + object.__basicsize__, ctypes.POINTER(ctypes.c_void_p))[0] for chart in charts]
    return drivers.runner(driver(), (ctypes.c_void_p * len(pointers))(*pointers), strides=strides)


CONTENDERS = [Contender("heyoka Taylor, loop in C++", prepare, strides=500, version=heyoka.__version__)]
