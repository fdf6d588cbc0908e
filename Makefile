# Daily commands; each sets up what it needs first. The tests are ./test.

.PHONY: help lint fix types layers goldens pictures pages screens client wire bench pins check
SETUP = set -eu; root="$(CURDIR)"; . scripts/setup.sh; set_up

help: # Prints these lines.
	@grep -E '^[a-z]+:.*#' Makefile | sed 's/:[^#]*#/:/'

lint: # Looks for faults of style and form.
	@scripts/check.sh lint

fix: # Mends what can be mended by itself, and formats.
	@$(SETUP) dev; .venv/bin/ruff check --fix .; .venv/bin/ruff format .; .venv/bin/python scripts/client.py format

types: # Checks the types.
	@scripts/check.sh types

layers: # Checks that folders import downwards only and games not each other.
	@scripts/check.sh layers

goldens: # Writes the golden records anew; read the difference before you commit it.
	@$(SETUP) dev; .venv/bin/python -m watermeet.testing.goldens

pictures: # Draws the pictures of the README and the examples of the rules anew.
	@$(SETUP) run; .venv/bin/python scripts/pictures.py; .venv/bin/python scripts/examples.py

pages: # Writes the pages of the games in docs/reference/games anew.
	@$(SETUP) run; .venv/bin/python scripts/pages.py

screens: # Takes the pictures of the page in the README anew, and draws its icons.
	@$(SETUP) dev; build_client; .venv/bin/python scripts/icons.py; .venv/bin/python scripts/screens.py --readme

client: # Builds the browser client if its sources have changed.
	@$(SETUP) dev; build_client

wire: # Writes the client's types anew from the server's description.
	@$(SETUP) dev; .venv/bin/python scripts/wire.py

bench: # Measures speed beside our peers (a large download the first time).
	@$(SETUP) bench; .venv/bin/python bench/run.py

pins: # Pins the newest versions of what we build on.
	@scripts/pins.sh

check: # All that must hold beside the tests: lint, types, layers.
	@scripts/check.sh
