# What can be done here. Only python3 and make are needed; `setup` makes the rest (in .venv) and takes no time when it is made.
PORT ?= 8000
HOST ?= 127.0.0.1
DEMO ?= 1
PY := .venv/bin/python
PYTEST := $(PY) -m pytest -q
SUITE := tests --ignore=tests/web --ignore=tests/faults --ignore=tests/load

.PHONY: setup run test test-web test-faults test-pg15 bench mutate lint lock
setup:
	@python3 bootstrap.py

run:
	@python3 bootstrap.py run
	@PORT=$(PORT) HOST=$(HOST) DEMO=$(DEMO) exec $(PY) -m config.run

test: lint
	@$(PYTEST) -n 2 --dist loadfile $(SUITE)

test-web: setup
	@$(PYTEST) tests/web

test-faults: setup
	@$(PYTEST) tests/faults
	@$(PYTEST) tests/config/test_queue.py --broker redis

test-pg15: setup
	@ANNALS_POSTGRES=system $(PYTEST) -n 2 --dist loadfile $(SUITE)

bench: setup
	@$(PY) -m benchmarks

mutate: setup
	@$(PY) -m benchmarks.mutate

lint: setup
	@.venv/bin/ruff check .
	@.venv/bin/lint-imports --no-cache
	@.venv/bin/mypy

# Raise the versions: both locks again, with hashes and without addresses.
lock: setup
	@for name in requirements requirements-dev; do \
	  "$$(command -v uv || echo .venv-uv/bin/uv)" pip compile --quiet --upgrade --universal --python-version 3.12 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --no-annotate --no-header $$name.in -o $$name.lock; done
