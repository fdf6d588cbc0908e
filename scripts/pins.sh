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

# Every kind can serve on several machines, too, as its tests need.
run='pyproject.toml --extra server --extra nets'
# shellcheck disable=SC2086 # Several words each.
{
	pin run $run -c requirements/constraints.txt
	# The others share a .venv with it, so they must agree.
	pin setup --group setup -c requirements/run.txt
	pin node --group node -c requirements/run.txt
	pin dev $run --extra envs --extra testing --group dev -c requirements/run.txt -c requirements/setup.txt \
		-c requirements/node.txt
	pin docs $run --group docs -c requirements/run.txt -c requirements/setup.txt -c requirements/dev.txt
	pin bench $run --extra bench -c requirements/run.txt -c requirements/setup.txt
}
