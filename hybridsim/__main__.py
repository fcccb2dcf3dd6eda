"""`python -m hybridsim` is the command line."""

from hybridsim.cli import main

if __name__ == "__main__":
    main()
