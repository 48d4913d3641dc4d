# Two commands on a fresh machine: `make demo` and `make test`. Both make .venv and install what they need.
PYTHON ?= python3
BIN := .venv/bin
# Modules are compiled when they are first imported: of all that is installed most never are.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile --constraint constraints.txt
# One more than there are cores: some tests wait for servers and browsers.
JOBS ?= $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) + 1 )))
# Tests start many processes, which need not compile the same modules each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint bench bench-scale docs soak reproduce clean

demo: .venv/core.stamp
	$(BIN)/visavis demo

test: lint
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/bench.stamp
	$(BIN)/python -m bench

bench-scale: .venv/dev.stamp
	$(BIN)/python -m bench.scale --keep
	$(BIN)/python -m bench.scale_files --keep

soak: .venv/dev.stamp
	VISAVIS_SOAK=1 $(BIN)/python -m pytest tests/soak tests/property

reproduce: .venv/dev.stamp
	$(BIN)/visavis evaluate --dataset usps --methods paper --out build/usps
	$(BIN)/python scripts/reproduction.py build/usps

docs: .venv/dev.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir site

.venv/python.stamp:
	$(PYTHON) -m venv .venv
	touch $@

.venv/core.stamp: .venv/python.stamp pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

.venv/dev.stamp: .venv/python.stamp pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	touch .venv/core.stamp $@

.venv/bench.stamp: .venv/dev.stamp
	$(PIP) --editable '.[bench]'
	touch $@

clean:
	rm -rf .venv site demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
