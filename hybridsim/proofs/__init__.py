"""Theorems about orbits: they exist, they are the only ones nearby, and so stable."""

from hybridsim.proofs.api import prove as prove
from hybridsim.proofs.refusals import NotProvenError as NotProvenError
from hybridsim.proofs.theorem import Theorem as Theorem
