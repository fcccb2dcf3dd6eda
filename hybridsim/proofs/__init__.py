"""Theorems about orbits: they exist, they are the only ones nearby, and so stable."""

from hybridsim.proofs.api import prove as prove
from hybridsim.proofs.api import prove_bifurcation as prove_bifurcation
from hybridsim.proofs.bifurcation_theorem import BifurcationTheorem as BifurcationTheorem
from hybridsim.proofs.branch_theorem import BranchTheorem as BranchTheorem
from hybridsim.proofs.refusals import NotProvenError as NotProvenError
from hybridsim.proofs.theorem import Theorem as Theorem
