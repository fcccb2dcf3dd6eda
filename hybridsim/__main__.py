"""The process of the command line: `hybridsim`, or `python -m hybridsim`."""

import gc

from hybridsim.cli import interruption

ALLOCATIONS_BETWEEN_COLLECTIONS = 50_000
"""Python looks for garbage after some hundred new objects: a tenth of the time in which modules are loaded."""


def main() -> None:
    """Run the command line; Ctrl-C and SIGTERM end it without a traceback, from before its modules are loaded."""
    interruption.install()
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)
    from hybridsim.cli.main import main as run_command_line

    run_command_line()


if __name__ == "__main__":
    main()
