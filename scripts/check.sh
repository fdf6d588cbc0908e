#!/bin/sh
# What must hold beside the tests: scripts/check.sh [lint] [types] [layers] [docs]; all of them by default.
# A script because make is absent on many fresh machines; the Makefile calls it. The browser client is
# checked beside the rest, on another core.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"
cd "$root"

main() {
	[ $# -gt 0 ] || set -- lint types layers docs
	for check; do
		case $check in
		lint | types | layers | docs) ;;
		*)
			echo "scripts/check.sh: '$check' isn't one of lint, types, layers, docs" >&2
			exit 2
			;;
		esac
	done
	set_up dev
	output=$(mktemp)
	check_client "$@" >"$output" 2>&1 &
	client=$!
	trap 'kill "$client" 2>/dev/null || :; rm -f "$output"' EXIT
	for check; do
		echo "==== $check"
		check_python "$check"
	done
	status=0
	wait "$client" || status=$?
	cat "$output"
	return "$status"
}

check_python() {
	case $1 in
	lint)
		"$venv/bin/ruff" check .
		"$venv/bin/ruff" format --check .
		;;
	types) "$venv/bin/mypy" ;;
	layers) "$venv/bin/lint-imports" ;;
	docs)
		set_up docs
		"$venv/bin/python" scripts/docs.py
		;;
	esac
}

# One after the other: the first may have to install what both need.
check_client() {
	for check; do
		case $check in
		lint) task=lint ;;
		types) task=check ;;
		*) continue ;;
		esac
		echo "==== $check, browser client"
		"$venv/bin/python" scripts/client.py "$task"
	done
}

main "$@"
