"""The process of the command line: `hybridsim`, or `python -m hybridsim`."""

import atexit
import gc
import os

from hybridsim.cli import interruption

ALLOCATIONS_BETWEEN_COLLECTIONS = 250_000
"""Python looks for garbage after some hundred new objects; a short command makes half of these, and keeps them."""


def main() -> None:
    """Run the command line; Ctrl-C and SIGTERM end it without a traceback, from before its modules are loaded."""
    interruption.install()
    _skip_slow_startup()
    from hybridsim.cli.main import main as run_command_line

    run_command_line()


def _skip_slow_startup() -> None:
    """Do without what finds nothing: three searches, and a wait for work. They are a third of a short command."""
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # or the interpreter looks for garbage among all objects before it ends
    # Pydantic looks for plug-ins of its own in the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # numpy's linear algebra starts a thread for each further core, which looks for work for 2^26 cycles; now for 2^4.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")


if __name__ == "__main__":
    main()
