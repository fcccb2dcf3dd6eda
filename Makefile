# `make run`: thirty strides of a runner, with files and a picture in runs/.  `make test`: what a change must pass;
# `make test-fast`: a part of it, in a minute; `make test-all`: more members of some families of tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# The tests start processes, each of which would otherwise compile the byte code of the package.
unexport PYTHONDONTWRITEBYTECODE

# Two processes; one that has finished its half takes over from the other, so that fixtures of a file are made once.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal

# What also passes where the engine runs as plain Python, fast enough to be run that way each time.
INTERPRETED := $(addprefix tests/, \
	engine/test_atlases.py engine/compiler/test_compilation.py engine/test_statuses.py scorecard/test_detection.py \
	scorecard/test_mode_switching.py results/test_rows.py results/test_trajectory.py simulation/test_simulation.py \
	simulation/test_stops.py simulation/test_same_bits.py simulation/test_model_functions.py derivatives/test_dual_numbers.py \
	derivatives/test_interface.py derivatives/test_refusals.py fuzz/test_automata.py fuzz/test_ties.py)

# Parts of the tests that run by themselves: a process that tests everything would hold all libraries and compiled models at
# once, and more than a gigabyte. AROUND are commands, files and pictures, all that surrounds a computation; LARGE are those
# that run the large bundled models; MADE those that make many models of mechanisms with contacts.
AROUND := $(addprefix tests/, cli docs packaging plotting results sweeps viewer)
LARGE := $(addprefix tests/, benchmarks derivatives models physics)
MADE := $(addprefix tests/, contacts multibody)

.PHONY: run checks test test-fast test-all test-lowest test-newest test-day wheel three docs gallery benchmark scorecard clean

run: $(VENV)/installed
	$(BIN)/hybridsim run configs/slip.yaml output.folder=runs
	$(BIN)/hybridsim plot runs/slip.h5

checks: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/hybridsim run configs/slip.yaml output.folder=runs  # compiles the engine once, for all test processes

test: checks
	$(PYTEST) -m "not exhaustive" $(AROUND:%=--ignore=%) $(LARGE:%=--ignore=%) $(MADE:%=--ignore=%)
	$(PYTEST) -m "not exhaustive" $(LARGE)
	$(PYTEST) -m "not exhaustive" $(MADE)
	$(PYTEST) -m "not exhaustive" $(AROUND)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not exhaustive" $(INTERPRETED)

# Simulation and what it stands on; the folder of what one edits is run by its name besides.
FAST := $(addprefix tests/, config engine model results simulation)

test-fast: $(VENV)/installed-dev
	$(PYTEST) -m "not slow and not exhaustive" $(FAST)

test-all: checks
	$(PYTEST) $(AROUND:%=--ignore=%) $(LARGE:%=--ignore=%) $(MADE:%=--ignore=%)
	$(PYTEST) $(LARGE)
	$(PYTEST) $(MADE)
	$(PYTEST) $(AROUND)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not exhaustive" $(INTERPRETED)

# The tests that use the libraries; what they leave out is arithmetic that depends on numpy and numba alone.
CORE := $(addprefix tests/, cli config engine/compiler model packaging plotting results simulation sweeps viewer)

# The core of the tests on the lowest versions that pyproject.toml allows (with the lowest Python: PYTHON=python3.11), or
# on the newest there are. Each makes an environment of its own anew.
test-lowest: resolution := lowest-direct
test-lowest: warnings := -W ignore::DeprecationWarning  # old libraries use what the newer ones below them deprecate
test-newest: resolution := highest
test-lowest test-newest: test-%:
	rm -rf $(VENV)-$*
	$(PYTHON) -m venv $(VENV)-$*
	$(VENV)-$*/bin/pip install --quiet --disable-pip-version-check uv
	$(VENV)-$*/bin/uv pip install --quiet --python $(VENV)-$* --resolution $(resolution) --editable '.[all,dev]'
	$(VENV)-$*/bin/hybridsim run configs/slip.yaml output.folder=runs
	$(VENV)-$*/bin/pytest -n 2 -m "not slow and not exhaustive" $(warnings) $(CORE)

# dist/hybridsim-....whl, with the compiled functions of the engine and of the bundled models.
wheel: $(VENV)/installed-dev
	$(BIN)/python packaging/wheel.py

# What the viewer's page uses of three.js, in one file, from the versions in packaging/three/package-lock.json; needs npm.
three: page := hybridsim/viewer/browser/page
three:
	npm --prefix packaging/three ci
	npm --prefix packaging/three run build
	cp packaging/three/node_modules/three/LICENSE $(page)/three.LICENSE
	sed -i "s/\"sha256\": \"[0-9a-f]*\"/\"sha256\": \"$$(sha256sum $(page)/three.js | cut -d' ' -f1)\"/" packaging/three/package.json

# What the documentation shows, done with the wheel in a fresh environment, without the clone: for every night, half an hour.
test-day: wheel
	$(BIN)/python packaging/first_day.py dist/hybridsim-*.whl

# The site of the documentation, build/site/index.html, with pictures made for it, and the manual page of Unix.
docs: $(VENV)/installed-docs
	$(BIN)/python docs/site/pictures.py
	$(BIN)/python docs/site/commands.py build/man/hybridsim.1
	$(BIN)/sphinx-build --fresh-env --fail-on-warning --quiet docs build/site

# The pictures in docs/images, which the pages show on the forge, by the commands of docs/gallery.md, and its table of proofs.
gallery: $(VENV)/installed
	$(BIN)/python docs/site/pictures.py --update
	$(BIN)/python docs/site/proven.py

benchmark: $(VENV)/installed-dev
	$(BIN)/pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/engine.py

scorecard: $(VENV)/installed-dev
	$(BIN)/pip install --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/scorecard.py --write

clean:
	rm -rf $(VENV) $(VENV)-lowest $(VENV)-newest build dist runs *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[all]'
	touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[all,dev]'
	touch $@ $(VENV)/installed

$(VENV)/installed-docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[all,docs]'
	touch $@ $(VENV)/installed
