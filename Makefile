# Everything from a fresh checkout: needs Python 3.11 or newer and make, nothing else.
# Another interpreter: make demo PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
OLDEST ?= .venv-oldest
WHEEL ?= .venv-wheel
BIN := $(VENV)/bin
INSTALL = -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test oldest wheel interpreted bounds lint types layers coverage bench experiments bench-quick clean distclean

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.cli ## learn to tell spam from ham, print rules and scores
	@$(BIN)/underdog demo

test: $(VENV)/.dev ## the whole test suite but for the long experiments, on all cores
	$(BIN)/python -m pytest -m "not slow" -n auto --dist worksteal

oldest: $(OLDEST)/.installed ## the scikit-learn contract with the oldest versions supported
	NUMBA_CACHE_DIR=$(OLDEST)/numba $(OLDEST)/bin/python -m pytest tests/estimators/test_sklearn_contract.py \
		tests/estimators/test_sklearn_tools.py

PAGES = README.md docs/files.md docs/guide.md docs/explain.md

wheel: $(VENV)/.core ## the wheel in a new environment: pages run there with what they say to install
	rm -rf dist $(WHEEL)
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(PYTHON) -m venv --without-pip $(WHEEL)
	for page in $(PAGES); do \
		$(call install-wheel,$$($(BIN)/python tests/pages.py --extras $$page)) && \
		$(WHEEL)/bin/python -P tests/pages.py $$page || exit 1; \
	done
	$(call install-wheel,[cli])
	cd $(WHEEL) && bin/underdog demo > demo.txt
	cd $(WHEEL) && bin/python -c 'from importlib.resources import files; assert files("underdog").joinpath("py.typed").is_file()'

KERNEL_TESTS = tests/kernels tests/learners tests/estimators/test_against_twins.py

# Kernels as plain Python: their own tests, and a few of those that fit, which are slow in this form.
INTERPRETED = tests/kernels tests/learners/test_every_learner.py::test_sums_are_those_of_the_rows \
	tests/learners/test_c45_like.py::test_nodes_of_few_rows_give_the_same_bits \
	tests/estimators/test_against_twins.py::test_adaboost_mh_with_many_labels

interpreted: $(VENV)/.dev ## kernels and fits without the compiler, as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m "not slow" -n auto $(INTERPRETED)

bounds: $(VENV)/.dev ## kernels and fits with every index checked
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(VENV)/numba-bounds $(BIN)/python -m pytest -q -m "not slow" -n auto $(KERNEL_TESTS) tests/data

lint: $(VENV)/.dev ## ruff: rules and layout
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet

types: $(VENV)/.dev ## mypy, strict outside the kernels
	$(BIN)/mypy

layers: $(VENV)/.dev ## import-linter: imports go downwards only
	$(BIN)/lint-imports

coverage: $(VENV)/.dev ## the test suite with a report of lines that no test runs
	$(BIN)/python -m pytest -m "not slow" -n auto --dist worksteal --cov --cov-report=term-missing:skip-covered

bench: $(VENV)/.bench ## speed and memory beside the peers; keeps the tables in benchmarks/README.md
	$(BIN)/python -m benchmarks --write

experiments: $(VENV)/.experiments ## published results, tried again: hours, but what is finished is kept
	$(BIN)/python -m experiments.margins
	$(BIN)/python -m experiments.lpuboost2003
	$(BIN)/python -m experiments.boostexter
	$(BIN)/python -m experiments.costs
	$(BIN)/python -m experiments.nu
	$(BIN)/python -m experiments.wrong_labels
	$(BIN)/python -m experiments.slipper
	$(BIN)/python -m experiments.prior_knowledge
	$(BIN)/python -m experiments.defaults
	$(BIN)/python -m experiments.friedman
	$(BIN)/python -m experiments.regression
	$(BIN)/python -m experiments.classes1996
	$(BIN)/python -m experiments.adtree
	$(BIN)/python -m experiments.letter1998
	$(BIN)/python -m experiments.three_boosters
	$(BIN)/python -m experiments.theory
	$(BIN)/python -m experiments.readable_rules

bench-quick: $(VENV)/.bench ## a tenth of the size, once: only to see that the benchmarks run
	$(BIN)/python -m benchmarks --quick

clean: ## remove caches and build products
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage htmlcov
	find underdog tests benchmarks experiments -name __pycache__ -type d -exec rm -rf {} +

distclean: clean ## remove the virtual environments too
	rm -rf $(VENV) $(OLDEST) $(WHEEL)

# A stamp in the environment says what is installed in it; it is made anew when a version changes.

$(VENV)/.core: pyproject.toml requirements.lock
	@$(call environment,$(VENV))
	@echo "Installing underdog in $(VENV) ..."
	@$(BIN)/python $(INSTALL) -c requirements.lock -e .
	@touch $@

$(VENV)/.cli $(VENV)/.dev $(VENV)/.bench $(VENV)/.experiments: $(VENV)/.%: $(VENV)/.core
	@echo "Installing what is needed for $* in $(VENV) ..."
	@$(BIN)/python $(INSTALL) -c requirements.lock -e ".[$*]"
	@touch $@

$(OLDEST)/.installed: pyproject.toml requirements-oldest.txt
	@$(call environment,$(OLDEST))
	@echo "Installing the oldest versions supported in $(OLDEST) ..."
	@$(OLDEST)/bin/python $(INSTALL) -r requirements-oldest.txt -e .
	@touch $@

install-wheel = $(BIN)/python -m pip --python $(WHEEL)/bin/python install --quiet --disable-pip-version-check \
	--no-compile -c requirements.lock "underdog$(1) @ file://$$(ls $(CURDIR)/dist/*.whl)"

define environment
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "underdog needs Python 3.11 or newer, but $(PYTHON) is " + sys.version.split()[0] + ": say where one is, as in make demo PYTHON=python3.12")' \
	&& { test -x $(1)/bin/python || $(PYTHON) -m venv $(1); }
endef
