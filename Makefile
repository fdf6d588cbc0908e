# Daily commands; each sets up what it needs first. The tests are ./test.

.PHONY: help lint fix types layers goldens screens client wheel sbom bench pins check audit docs
SETUP = set -eu; root="$(CURDIR)"; . scripts/setup.sh; set_up

help: # Prints these lines.
	@grep -E '^[a-z]+:.*#' Makefile | sed 's/:[^#]*#/:/'

lint: # Checks style and formatting.
	@scripts/check.sh lint

fix: # Fixes what can be fixed automatically, and formats.
	@$(SETUP) dev; .venv/bin/ruff check --fix .; .venv/bin/ruff format .; .venv/bin/python scripts/client.py format

types: # Checks the types.
	@scripts/check.sh types

layers: # Checks that folders import downwards only, and games never each other.
	@scripts/check.sh layers

goldens: # Writes the golden records of all games, or of GAME=name; read the diff before you commit.
	@$(SETUP) dev; .venv/bin/python -m watermeet.testing --write goldens $(GAME)

screens: # Takes the README's picture again.
	@$(SETUP) dev; build_client; .venv/bin/python scripts/screens.py

client: # Builds the browser client if its sources have changed.
	@$(SETUP) dev; build_client

wheel: # Builds a wheel and a source distribution in dist/, with the browser client and the engines of all games (minutes).
	@$(SETUP) dev; build_client; .venv/bin/python scripts/engines.py; .venv/bin/uv build --out-dir dist

sbom: # Writes bills of materials, dist/*.cdx.json, from the pins of Python's packages and of the page's.
	@$(SETUP) dev; build_client; mkdir -p dist; \
	.venv/bin/uv tool run --from cyclonedx-bom cyclonedx-py requirements --pyproject pyproject.toml -o dist/python.cdx.json requirements/run.txt; \
	.venv/bin/python scripts/client.py npm sbom --sbom-format=cyclonedx --omit=dev >dist/page.cdx.json

bench: # Measures everything beside other libraries (a large download the first time, then half an hour); no GPU.
	@$(SETUP) nightly; set_up bench; build_client; \
	uv_install --target .venv/examples --no-deps --no-build-isolation examples/hex; \
	PYTHONPATH=.venv/examples .venv/bin/python -m bench all

docs: # Builds the documentation site in dist/site; a dead link or a warning fails.
	@$(SETUP) dev; set_up docs; build_client; .venv/bin/python scripts/docs.py build --all

audit: # Looks for known holes in the pinned packages; needs a network.
	@$(SETUP) dev; .venv/bin/uv tool run pip-audit --disable-pip --require-hashes -r requirements/run.txt; \
	.venv/bin/python scripts/client.py npm audit

pins: # Pins the newest versions of all dependencies.
	@scripts/pins.sh

check: # Runs all checks besides the tests: lint, types, layers, the documentation site.
	@scripts/check.sh
