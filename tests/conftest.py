"""What holds for all tests: nothing is compiled in the background unless a test asks for it."""

import os

os.environ.setdefault("HYBRIDSIM_SPECIALISE", "0")
