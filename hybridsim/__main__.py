"""The process of the command line: `hybridsim`, or `python -m hybridsim`."""

from hybridsim.cli import interruption


def main() -> None:
    """Run the command line; Ctrl-C and SIGTERM end it without a traceback, from before its modules are loaded."""
    interruption.install()
    from hybridsim.cli.main import main as run_command_line

    run_command_line()


if __name__ == "__main__":
    main()
