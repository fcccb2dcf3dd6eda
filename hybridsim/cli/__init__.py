"""The command line: `main` is its entry point, each command is a module, and `console` prints."""
