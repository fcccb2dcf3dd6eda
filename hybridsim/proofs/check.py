"""An independent check of a certificate: only inequalities, no search, and no code of what makes proofs.

It trusts that the programs of the certificate are the model's functions, and the whole numbers of Python.
"""

from __future__ import annotations

import json
from pathlib import Path

from hybridsim.proofs import check_bifurcation, check_branch, check_orbit
from hybridsim.proofs.check_numbers import RefusedError

CHECKS = {
    check_orbit.FORMAT: check_orbit.check_orbit,
    check_branch.FORMAT: check_branch.check_branch,
    check_bifurcation.FORMAT: check_bifurcation.check_bifurcation,
}
"""The checks by the formats of certificates."""


def check(path: Path) -> str:
    """Check a certificate.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    str
        What has been checked, in a sentence.

    Raises
    ------
    RefusedError
        If an inequality does not hold, or the file is no certificate: which, and where.
    """
    try:
        certificate = json.loads(path.read_text())
    except (ValueError, RecursionError):
        certificate = None
    if not isinstance(certificate, dict):
        raise RefusedError("the file is no certificate; give one that `hybridsim prove` has written, ORBIT.proof.json")
    try:
        if str(certificate.get("format")) not in CHECKS:
            raise RefusedError(f"the file is no certificate of the formats {', '.join(map(repr, CHECKS))}")
        return CHECKS[certificate["format"]](certificate)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, RecursionError) as problem:
        raise RefusedError(f"the file is damaged ({type(problem).__name__}: {problem})") from None
