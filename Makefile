# Every verb creates what it needs in .venv, once. PYTHON names the interpreter to create it with.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := domain ports application adapters
FUZZ_SECONDS ?= 60
PYTEST := $(BIN)/python -m pytest -n auto

# The tests start hundreds of processes, each of which would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-full check format props fuzz mutants soak bench live clean

demo: .venv/ready-demo
	$(BIN)/native-web-search demo

test: .venv/ready-dev
	$(PYTEST) -q -m "not full and not live"

test-full: .venv/ready-dev
	$(PYTEST) -q -m "not live" --hypothesis-profile=ci --cov --cov-report=term:skip-covered
	$(BIN)/coverage report --skip-covered --include='domain/*' --fail-under=100

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(SOURCES) tests fuzz mutation
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(BIN)/interrogate -q tests

format: .venv/ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

props: .venv/ready-dev
	NATIVE_WEB_SEARCH_ALL_CUTS=1 $(PYTEST) -q tests/properties tests/adapters --hypothesis-profile=long

fuzz: .venv/ready-dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-fuzz.txt
	$(BIN)/python -m fuzz.run --seconds $(FUZZ_SECONDS)
	$(PYTEST) -q tests/properties --hypothesis-profile=fuzz

mutants: .venv/ready-dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements-dev.txt -r requirements-mutants.txt
	$(BIN)/python -m mutation.run

soak: .venv/ready-dev
	$(BIN)/python -W error -m tests.soak.run --calls 20000

bench: .venv/bench/ready
	.venv/bench/bin/python -m benchmarks

live: .venv/ready-dev
	$(PYTEST) -q -m live -rs tests/live

clean:
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist

.venv/ready-demo: pyproject.toml requirements-dev.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -c requirements-dev.txt -e ".[cli]"
	touch $@

.venv/ready-dev: pyproject.toml requirements-dev.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -r requirements-dev.txt -e .
	touch $@ .venv/ready-demo

.venv/bench/ready: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv .venv/bench
	.venv/bench/bin/python -m pip install -q --disable-pip-version-check --no-deps -r benchmarks/requirements.txt -e .
	touch $@
