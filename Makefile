# Thin names for what run.py and .ci/ do; `make check` is what CI runs.
PYTHON ?= .venv/bin/python

.PHONY: check golden lint lock lock-check mutants nightly test types

check:
	bash .ci/run

nightly:
	bash .ci/nightly

mutants:
	$(PYTHON) -m tests.mutants

test:
	python3 run.py test

lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(dir $(PYTHON))lint-imports --no-cache

types:
	$(PYTHON) -m mypy

golden:
	$(PYTHON) -m tests.golden.regenerate

lock:
	PYTHON=$(PYTHON) .ci/lock

lock-check:
	PYTHON=$(PYTHON) .ci/lock --check
