# Two commands do all the set-up on a fresh Debian machine with Python 3.11+, git and make:
#   make play   opens the table in the browser          make test   runs every kind of test
# The environment is .venv; packages are locked in requirements/*.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SERVE ?=
CORES := $(shell nproc 2>/dev/null || echo 2)
DOSE ?= 1
APT := $(if $(filter 0,$(shell id -u)),,sudo )apt-get -qq -o Acquire::http::Timeout=20

.PHONY: play test test-torch lint warm rules bench soak site packages wheel lock audit clean

play: $(VENV)/.play
	@$(BIN)/samizdat serve $(SERVE)

# Packages and browser are fetched side by side, and style and types are checked while the rules are compiled.
test:
	@$(MAKE) --no-print-directory -j3 $(VENV)/.browser $(VENV)/.postgres warm lint
	SAMIZDAT_DOSE=$(DOSE) $(BIN)/python -m pytest -n $(CORES) --dist worksteal --durations=15

# What needs PyTorch, apart from the rest: its CPU build. Where pip does not find that one by itself, set PYTORCH to the index of
# CPU builds that PyTorch's own page on installing names.
PYTORCH ?=
TORCH_INDEX := $(if $(PYTORCH),--extra-index-url $(PYTORCH))
test-torch: $(VENV)/.torch
	SAMIZDAT_DOSE=$(DOSE) $(BIN)/python -m pytest -m torch --durations=5

warm: $(VENV)/.test
	$(BIN)/python -m tests.warm

lint: $(VENV)/.test
	$(BIN)/ruff check samizdat tests bench examples tools
	$(BIN)/ruff format --check samizdat tests bench examples tools
	$(BIN)/mypy
	$(BIN)/oxlint --deny-warnings samizdat tests/browser/units

# The table of rule numbers and the tests that hold them; fails on a gap.
rules: $(VENV)/.test
	$(BIN)/python -m tests.rulebook

# Longer doses of the same tests, and rules changed one thing at a time to see whether the tests notice.
soak: $(VENV)/.test
	$(MAKE) test DOSE=20
	$(BIN)/python -m tests.mutants

# The documentation as a site, in build/site; `python -m http.server -d build/site` shows it.
site: $(VENV)/.test
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# What is handed out: a source distribution and a wheel, for any system.
packages: $(VENV)/.test
	$(BIN)/python -m tools.packages dist

# A wheel that carries compiled code, for this Python and x86-64.
wheel: $(VENV)/.test
	$(BIN)/python -m tools.wheel dist

bench: $(VENV)/.bench
	$(BIN)/python -m bench

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Samizdat needs Python 3.11 or newer; set PYTHON=/path/to/it."; exit 2; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { \
	  echo "Python's venv module is missing; installing it."; rm -rf $(VENV); \
	  $(APT) update && $(APT) install -y python3-venv && $(PYTHON) -m venv $(VENV); }
	@touch $@

$(VENV)/.play: requirements/play.txt pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/play.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.play
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

# The same Chromium without a window around its pages costs the tests less than half; where it is not to be had, any will do.
$(VENV)/.browser: | $(VENV)/.made
	@command -v chromium-headless-shell >/dev/null || { echo "Installing Chromium for the browser tests."; \
	  { $(APT) update && $(APT) install -y --no-install-recommends chromium-headless-shell fonts-liberation; } || \
	  command -v chromium >/dev/null || $(APT) install -y chromium; }
	@touch $@

# apt-get locks out a second one: after the browser. Debian starts a server of its own with it, which is no use to us.
$(VENV)/.postgres: $(VENV)/.browser | $(VENV)/.made
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { echo "Installing PostgreSQL for the tests of the store."; \
	  $(APT) update && $(APT) install -y --no-install-recommends postgresql; }
	@touch $@

$(VENV)/.bench: requirements/bench.txt $(VENV)/.test
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@touch $@

$(VENV)/.torch: requirements/torch.txt $(VENV)/.test
	$(BIN)/python -m pip install -q --disable-pip-version-check $(TORCH_INDEX) --require-hashes -r requirements/torch.txt
	@touch $@

# Write the lock files anew after a change of dependencies.
LOCK := $(CURDIR)/$(BIN)/pip-compile -q --strip-extras --no-header --no-emit-index-url --no-emit-trusted-host \
	--no-emit-find-links --no-emit-options --generate-hashes --allow-unsafe
lock: $(VENV)/.made
	$(BIN)/python -m pip install -q pip-tools
	cd requirements && $(LOCK) ../pyproject.toml -o play.txt && $(LOCK) test.in -o test.txt && $(LOCK) bench.in -o bench.txt && \
	  $(LOCK) $(TORCH_INDEX) torch.in -o torch.txt

# Every pinned package against the lists of known flaws. It asks the network, so it is no part of the tests; a package
# that could not be looked up is a failure, too; nobody lists the CPU build of PyTorch under a number of its own.
audit: $(VENV)/.made
	$(BIN)/python -m pip install -q --disable-pip-version-check pip-audit
	@for lock in play test bench torch; do echo "requirements/$$lock.txt:"; sed 's/+cpu//' requirements/$$lock.txt >$(VENV)/audited.txt; \
	  $(BIN)/pip-audit --strict --disable-pip --require-hashes -r $(VENV)/audited.txt || failed=1; done; exit $${failed:-0}

clean:
	rm -rf $(VENV) build *.egg-info
