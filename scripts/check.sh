#!/bin/sh
# What must hold beside the tests: scripts/check.sh [lint] [types] [layers]; all of them by default.
# A script because make is absent on many fresh machines; the Makefile calls it.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"
cd "$root"
set_up dev

[ $# -gt 0 ] || set -- lint types layers
for check; do
	echo "==== $check"
	case $check in
	lint)
		"$venv/bin/ruff" check .
		"$venv/bin/ruff" format --check .
		"$venv/bin/python" scripts/client.py lint
		;;
	types)
		"$venv/bin/mypy"
		"$venv/bin/python" scripts/client.py check
		;;
	layers) "$venv/bin/lint-imports" ;;
	*)
		echo "scripts/check.sh: '$check' isn't one of lint, types, layers" >&2
		exit 2
		;;
	esac
done
