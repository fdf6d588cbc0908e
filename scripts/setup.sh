# Sets up .venv for play, test, the Makefile and .ci/run: sourced with `root`, the repository's
# folder, set. A stamp for each kind of set-up is written last. So the next start of a finished one
# compares two texts and no more, and that of one that broke begins anew.

venv=$root/.venv

# set_up KIND: installs requirements/KIND.txt and this package, editable, unless that was done.
set_up() {
	is_current "$1" || install_kind "$1"
}

is_current() {
	[ -x "$venv/bin/python" ] && [ "$(cat "$venv/stamp-$1" 2>/dev/null)" = "$(stamp_of "$1")" ]
}

# All that a set-up depends on; the folder too, since a .venv that was moved is broken.
stamp_of() (
	cd "$root"
	echo "$root"
	cksum .venv/pyvenv.cfg pyproject.toml scripts/setup.sh requirements/setup.txt "requirements/$1.txt"
)

install_kind() {
	# A .venv with a stamp from this folder is whole, only out of date.
	if [ "$(head -n 1 "$venv/stamp-run" 2>/dev/null)" != "$root" ] || [ ! -x "$venv/bin/python" ]; then
		find_python
		echo "Setting up Watermeet in .venv with $("$python" --version): once, for a minute or less." >&2
		rm -rf "$venv"
		"$python" -m venv "$venv"
	fi
	trap 'echo "The set-up broke off (does the network work?); the next start begins anew." >&2' EXIT
	rm -f "$venv/stamp-run" "$venv/stamp-$1"
	echo "Installing what requirements/$1.txt lists." >&2
	"$venv/bin/python" -m pip install -qq --disable-pip-version-check \
		--require-hashes -r "$root/requirements/setup.txt"
	# Compiled here, so that the second start is a fast one even where Python may not write.
	uv_install --compile-bytecode --require-hashes -r "$root/requirements/$1.txt"
	uv_install --no-deps --no-build-isolation -e "$root"
	stamp_of "$1" >"$venv/stamp-$1"
	stamp_of run >"$venv/stamp-run" # Every kind holds the pins of run.
	trap - EXIT
}

# Builds the browser client if its sources have changed. Needs Node: that of the machine, if it is
# new enough, else that of PyPI, which is fetched then. The status says whether there is a client.
build_client() {
	"$venv/bin/python" "$root/scripts/client.py" fresh && return
	status=0
	"$venv/bin/python" "$root/scripts/client.py" build || status=$?
	if [ "$status" -eq 3 ]; then
		echo "Installing Node from PyPI, to build the browser client." >&2
		uv_install --require-hashes -r "$root/requirements/node.txt" || return
		status=0
		"$venv/bin/python" "$root/scripts/client.py" build || status=$?
	fi
	return "$status"
}

uv_install() {
	"$venv/bin/uv" pip install --quiet --python "$venv/bin/python" "$@"
}

# Sets `python` to the newest Python that will do, or says what is missing and ends the program.
find_python() {
	reason='no python3 was found'
	for python in python3.13 python3.12 python3.11 python3; do
		# A name on the path need not run: version managers put the names of all versions there.
		version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
		case $version in
		2.* | 3.[0-9] | 3.10) reason="$python is Python $version" ;;
		*)
			if "$python" -c 'import ensurepip, venv' 2>/dev/null; then return; fi
			reason="$python has no venv (on Debian and Ubuntu: apt install python3-venv)"
			;;
		esac
	done
	echo "Watermeet needs Python 3.11 or newer, with venv: $reason." >&2
	exit 1
}
