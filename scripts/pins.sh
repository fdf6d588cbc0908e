#!/bin/sh
# Rewrite requirements/*.txt from pyproject.toml, with the latest compatible versions. The pins are
# valid for every system and Python version that we support, and name no download address, so any
# mirror will do.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"
cd "$root"
set_up run

# pin KIND ARGUMENT...: compile the arguments to requirements/KIND.txt.
pin() {
	kind=$1
	shift
	echo "Pinning requirements/$kind.txt"
	{
		echo '# Written by `make pins` from pyproject.toml: edit that instead.'
		"$venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
			--no-emit-index-url --no-header "$@"
	} >"requirements/$kind.new"
	if grep -n -e '://' -e ' @ ' "requirements/$kind.new"; then
		echo "requirements/$kind.new names a download address" >&2
		exit 1
	fi
	mv "requirements/$kind.new" "requirements/$kind.txt"
}

# PyTorch comes from requirements/torch.txt; Tianshou names virtualenv, an old one, without a need.
left_out=$(mktemp)
trap 'rm -f "$left_out"' EXIT
printf '%s ; python_version < "3"\n' torch virtualenv >"$left_out"

# Every kind can serve on several machines, too, as its tests need.
run='pyproject.toml --extra server --extra nets --group build'
tests="$run --extra envs --extra testing"
# They share a .venv, so they must agree.
# shellcheck disable=SC2086 # Several words each.
{
	pin run $run -c requirements/constraints.txt
	pin setup --group setup
	pin node --group node
	pin test $tests --group test -c requirements/run.txt -c requirements/node.txt
	pin dev $tests --group dev -c requirements/test.txt
	pin nightly $tests --group nightly --override "$left_out" -c requirements/dev.txt
	pin docs $run --group docs -c requirements/dev.txt
	pin bench $run --extra bench -c requirements/run.txt
}
