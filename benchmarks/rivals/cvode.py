"""CVODE of SUNDIALS as C programs use it: its library through ctypes, its callbacks compiled, no Python in between.

The library is that of the wheel scikit-sundae. Vectors are its serial ones, the matrix is dense, and the Jacobian the
difference quotients that CVODE makes by default.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.metadata import files, version
from typing import Any

import numba
import numpy as np
from numba import types

BDF, NORMAL, NO_MPI = 2, 1, 0
VERSION = version("scikit-sundae")


def library(name: str) -> ctypes.CDLL:
    """Load one of the libraries of the wheel."""
    found = next(file for file in files("scikit-sundae") or () if f"libsundials_{name}-" in file.name)
    return ctypes.CDLL(str(found.locate()), mode=ctypes.RTLD_GLOBAL)


CORE, VECTOR, MATRIX = library("core"), library("nvecserial"), library("sunmatrixdense")
SOLVER, CVODE = library("sunlinsoldense"), library("cvode")
_POINTER, _REAL = ctypes.c_void_p, ctypes.c_double
for function, returned, arguments in (
    (CORE.SUNContext_Create, ctypes.c_int, (ctypes.c_int, _POINTER)),
    (VECTOR.N_VMake_Serial, _POINTER, (ctypes.c_int64, _POINTER, _POINTER)),
    (MATRIX.SUNDenseMatrix, _POINTER, (ctypes.c_int64, ctypes.c_int64, _POINTER)),
    (SOLVER.SUNLinSol_Dense, _POINTER, (_POINTER, _POINTER, _POINTER)),
    (CVODE.CVodeCreate, _POINTER, (ctypes.c_int, _POINTER)),
    (CVODE.CVodeInit, ctypes.c_int, (_POINTER, _POINTER, _REAL, _POINTER)),
    (CVODE.CVodeReInit, ctypes.c_int, (_POINTER, _REAL, _POINTER)),
    (CVODE.CVodeSStolerances, ctypes.c_int, (_POINTER, _REAL, _REAL)),
    (CVODE.CVodeSetLinearSolver, ctypes.c_int, (_POINTER, _POINTER, _POINTER)),
    (CVODE.CVodeSetMaxNumSteps, ctypes.c_int, (_POINTER, ctypes.c_long)),
    (CVODE.CVode, ctypes.c_int, (_POINTER, _REAL, _POINTER, _POINTER, ctypes.c_int)),
    (CVODE.CVodeGetNumSteps, ctypes.c_int, (_POINTER, _POINTER)),
    (CVODE.CVodeGetNumRhsEvals, ctypes.c_int, (_POINTER, _POINTER)),
    (CVODE.CVodeGetNumLinRhsEvals, ctypes.c_int, (_POINTER, _POINTER)),
):
    function.restype, function.argtypes = returned, arguments


numbers_of = CORE.N_VGetArrayPointer
numbers_of.restype, numbers_of.argtypes = ctypes.POINTER(ctypes.c_double), (_POINTER,)


def callback(field: Callable[..., None], n: int) -> Any:
    """Compile `field(xdot, t, x, p, chart)` for n states as CVODE's right-hand side."""
    compiled = numba.njit(field, error_model="numpy", fastmath={"contract"})
    arguments = types.float64, types.voidptr, types.voidptr, types.voidptr

    @numba.cfunc(types.int32(*arguments), error_model="numpy")  # type: ignore[untyped-decorator]
    def right_hand_side(t: Any, x: Any, xdot: Any, _user: Any) -> Any:
        here, there = numba.carray(numbers_of(x), n), numba.carray(numbers_of(xdot), n)
        compiled(there, t, here, 0, 0)
        return 0

    return right_hand_side


class Solver:
    """CVODE with the backward differentiation formulas, for one field and one start."""

    def __init__(self, field: Callable[..., None], start: list[float]) -> None:
        n = len(start)
        self._start, self.x = np.array(start), np.array(start)
        self._callback = callback(field, n)
        context = ctypes.c_void_p()
        CORE.SUNContext_Create(NO_MPI, ctypes.byref(context))
        self._vector = VECTOR.N_VMake_Serial(n, self.x.ctypes.data, context)
        matrix = MATRIX.SUNDenseMatrix(n, n, context)
        self._solver = SOLVER.SUNLinSol_Dense(self._vector, matrix, context)
        self._memory = CVODE.CVodeCreate(BDF, context)
        CVODE.CVodeInit(self._memory, self._callback.address, 0.0, self._vector)
        CVODE.CVodeSStolerances(self._memory, 1e-6, 1e-6)
        CVODE.CVodeSetLinearSolver(self._memory, self._solver, matrix)
        CVODE.CVodeSetMaxNumSteps(self._memory, 1_000_000)

    def prepare(self, rtol: float, atol: float) -> None:
        """Go back to the start."""
        self.x[:] = self._start
        CVODE.CVodeSStolerances(self._memory, rtol, atol)
        CVODE.CVodeReInit(self._memory, 0.0, self._vector)

    def solve(self, final_time: float) -> None:
        """Solve up to a time; the state is then `x`."""
        reached = ctypes.c_double()
        flag = CVODE.CVode(self._memory, final_time, self._vector, ctypes.byref(reached), NORMAL)
        if flag < 0:
            raise RuntimeError(f"CVODE returned {flag} at t = {reached.value}")

    def calls(self) -> int:
        """Evaluations of the field, also those for the Jacobian."""
        total, number = 0, ctypes.c_long()
        for count in (CVODE.CVodeGetNumRhsEvals, CVODE.CVodeGetNumLinRhsEvals):
            count(self._memory, ctypes.byref(number))
            total += number.value
        return total
