from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def plugin() -> Callable[[str], Path]:
    """The path of a small model of this folder, by name."""
    return lambda name: Path(__file__).parent / "models" / f"{name}.py"
