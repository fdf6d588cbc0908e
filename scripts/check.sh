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
	client_printed=$(mktemp)
	check_client "$@" >"$client_printed" 2>&1 &
	client_check=$!
	trap 'kill "$client_check" 2>/dev/null || :; rm -f "$client_printed"' EXIT
	for check; do
		echo "==== $check"
		check_python "$check"
	done
	status=0
	wait "$client_check" || status=$?
	cat "$client_printed"
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
