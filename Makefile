# Two commands do everything: `make app` and `make test`. Each makes its own environment first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ROOT   ?= RESEARCH

LOCK   := constraints.txt

.PHONY: app test quick check lock bench clean

$(VENV)/.installed: pyproject.toml $(LOCK)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -c $(LOCK) -e .
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/python -m pip install -q -c $(LOCK) -e '.[test]'
	touch $@

app: $(VENV)/.installed            ## install, make the demo project, serve on 127.0.0.1:8501
	$(BIN)/workbench --root $(ROOT) demo
	$(BIN)/workbench --root $(ROOT) app

check: $(VENV)/.installed-test     ## format, types, layers, complexity
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/xenon --max-absolute C core storage pages app.py

quick: check                       ## checks and the unit tests that need no model: under a minute
	$(BIN)/python -m pytest -n 2 -m quick

test: check                        ## checks, then the whole suite on two workers
	$(BIN)/python -m pytest -n 2 --durations 20

lock:                              ## the newest versions that pyproject.toml allows, written to constraints.txt
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install -q --upgrade pip
	$(VENV)-lock/bin/python -m pip install -q -e '.[test]'
	{ head -n 1 $(LOCK); $(VENV)-lock/bin/python -m pip freeze --exclude-editable; } > $(LOCK).new
	mv $(LOCK).new $(LOCK)
	rm -rf $(VENV)-lock

bench: $(VENV)/.installed-test     ## the quality and speed tables (hours on a first run)
	$(BIN)/python -m benchmarks retrieval
	$(BIN)/python -m benchmarks extraction
	$(BIN)/python -m benchmarks speed

clean:
	rm -rf $(VENV)
