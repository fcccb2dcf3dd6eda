"""Why a proof was refused."""

from __future__ import annotations

from hybridsim.errors import HybridsimError


class NotProvenError(HybridsimError):
    """A theorem could not be proven: why, where in the motion, and what to try."""


class TooWideError(HybridsimError):
    """A set is too large for a step of a proof; a smaller one may do.

    Parameters
    ----------
    text : str
        Which step, and where.
    """
