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
	simulation/test_stops.py simulation/test_same_bits.py derivatives/test_dual_numbers.py \
	derivatives/test_interface.py derivatives/test_refusals.py)

.PHONY: run checks test test-fast test-all test-lowest test-newest test-day wheel gallery benchmark scorecard clean

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
	$(PYTEST) -m "not exhaustive"
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not exhaustive" $(INTERPRETED)

# Simulation and what it stands on; the folder of what one edits is run by its name besides.
FAST := $(addprefix tests/, config engine model results simulation)

test-fast: $(VENV)/installed-dev
	$(PYTEST) -m "not slow and not exhaustive" $(FAST)

test-all: checks
	$(PYTEST)
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

# What the documentation shows, done with the wheel in a fresh environment, without the clone: for every night, half an hour.
test-day: wheel
	$(BIN)/python packaging/first_day.py dist/hybridsim-*.whl

# The pictures of the documentation that come from configs.
gallery: $(VENV)/installed
	rm -rf runs/slip-steps-to-fall runs/vibrating-table
	$(BIN)/hybridsim sweep configs/sweeps/slip-steps-to-fall.yaml output.folder=runs/slip-steps-to-fall
	$(BIN)/hybridsim plot runs/slip-steps-to-fall steps -o docs/images/slip-steps-to-fall.png
	$(BIN)/hybridsim sweep configs/sweeps/vibrating-table.yaml output.folder=runs/vibrating-table
	$(BIN)/hybridsim plot runs/vibrating-table -o docs/images/vibrating-table.png
	$(BIN)/hybridsim run configs/hexapod/speed-2.yaml final_time=6 output.folder=runs
	$(BIN)/hybridsim run configs/slip.yaml final_time=3 output.folder=runs output.base=portraits
	$(BIN)/hybridsim plot runs/portraits.h5 y:ydot x:y:ydot --to 1.2 -o docs/images/portraits.png
	$(BIN)/hybridsim view runs/speed-2.h5 --record docs/images/hexapod.png --at 5.2 --size 960x540
	$(BIN)/hybridsim plot runs/speed-2.h5 speed ground_force stance+slip --from 4 --to 6 -o docs/images/gait.png
	$(BIN)/hybridsim run configs/biped/walk.yaml output.folder=runs
	$(BIN)/hybridsim view runs/walk.h5 --record docs/images/biped.png --at 5.32 --size 960x540
	$(BIN)/python configs/biped/pictures.py runs/walk.h5
	for k in pressure forces angles; do cp runs/walk-$$k.png docs/images/biped-$$k.png; done
	$(BIN)/hybridsim run configs/walkers/compass_gait.yaml output.folder=runs
	$(BIN)/hybridsim view runs/compass_gait.h5 --record docs/images/compass_gait.png --at 9.65 --size 960x540
	$(BIN)/hybridsim run configs/walkers/straight_legs.yaml output.folder=runs
	$(BIN)/hybridsim view runs/straight_legs.h5 --record docs/images/straight_legs.png --at 4.75 --size 960x540
	$(BIN)/hybridsim run configs/walkers/kneed_walker.yaml output.folder=runs
	$(BIN)/hybridsim view runs/kneed_walker.h5 --record docs/images/kneed_walker.png --at 7.85 --size 960x540
	$(BIN)/hybridsim plot runs/compass_gait.h5 --as return-map theta_st heelstrike -o docs/images/compass-return-map.png
	$(BIN)/hybridsim orbit find configs/walkers/orbits/compass_gait.yaml -o runs/gait.h5
	$(BIN)/hybridsim plot runs/gait.h5 --as phase -o docs/images/compass-phase.png
	$(BIN)/hybridsim orbit continue runs/gait.h5 "parameters.slope=0.5 deg..5.2 deg" --max-period 8 -o runs/branch.h5
	$(BIN)/hybridsim plot runs/branch.h5 theta_st --from 0.07 -o docs/images/compass-branch.png
	$(BIN)/hybridsim plot runs/branch.h5 --as multipliers -o docs/images/compass-multipliers.png
	$(BIN)/hybridsim orbit basin runs/gait.h5 initial.theta_st=-0.45..-0.15 initial.thetadot_st=0.5..2 -o runs/compass-basin.png
	$(BIN)/hybridsim orbit map runs/gait.h5 "parameters.slope=0.5 deg..5.4 deg:60" parameters.m_H=1..25:40 -o runs/compass-map.png
	cp runs/compass-basin.png runs/compass-map.png docs/images

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
