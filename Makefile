# `make run`: thirty strides of a runner, with files and a picture in runs/.  `make test`: every check there is.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test benchmark clean

run: $(VENV)/installed
	$(BIN)/hybridsim run configs/slip.yaml output.folder=runs
	$(BIN)/hybridsim plot runs/slip.h5

test: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/hybridsim run configs/slip.yaml output.folder=runs  # compiles the engine once, for all test processes
	$(BIN)/pytest -n 2

benchmark: $(VENV)/installed-dev
	$(BIN)/pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/engine.py

clean:
	rm -rf $(VENV) build runs *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/installed
