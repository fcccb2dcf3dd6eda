"""`python -m hybridsim` is the command line."""

from hybridsim.cli.main import main

if __name__ == "__main__":
    main()
