"""`verify`: is a recorded run a solution of its model? Nothing of the engine's stepping code takes part."""

from __future__ import annotations

from hybridsim.verification.api import verify
from hybridsim.verification.findings import Violation, WorstStep
from hybridsim.verification.report import Check, Report

__all__ = ["Check", "Report", "Violation", "WorstStep", "verify"]
