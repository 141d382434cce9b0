# Two commands do everything: `make app` and `make test`. Each makes its own environment first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ROOT   ?= RESEARCH

.PHONY: app test check bench clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e .
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/python -m pip install -q -e '.[test]'
	touch $@

app: $(VENV)/.installed            ## install, make the demo project, serve on 127.0.0.1:8501
	$(BIN)/workbench --root $(ROOT) demo
	WORKBENCH_ROOT=$(ROOT) $(BIN)/streamlit run app.py

check: $(VENV)/.installed-test     ## format, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check                        ## checks, then the whole suite on two workers
	$(BIN)/python -m pytest -n 2 --dist loadgroup

bench: $(VENV)/.installed-test     ## the quality and speed tables (hours on a first run)
	$(BIN)/python -m benchmarks retrieval
	$(BIN)/python -m benchmarks extraction
	$(BIN)/python -m benchmarks speed

clean:
	rm -rf $(VENV)
