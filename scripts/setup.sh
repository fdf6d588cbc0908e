# Sets up .venv for play, test, the Makefile and .ci/run. Source it with `root` set to the repository's
# folder. A stamp for each kind of set-up is written last: after a finished set-up the next start only
# compares two texts, and after an interrupted one it starts over.

venv=$root/.venv

# set_up KIND: install requirements/KIND.txt and this package, editable, unless that is done.
set_up() {
	is_current "$1" || install_kind "$1"
}

is_current() {
	[ -x "$venv/bin/python" ] && [ "$(cat "$venv/stamp-$1" 2>/dev/null)" = "$(stamp_of "$1")" ]
}

# Everything a set-up depends on, including the folder: a .venv that was moved is broken.
stamp_of() (
	cd "$root"
	echo "$root"
	cksum .venv/pyvenv.cfg pyproject.toml scripts/setup.sh requirements/setup.txt "requirements/$1.txt"
)

install_kind() {
	# A .venv with a stamp from this folder is complete, just out of date.
	if [ "$(head -n 1 "$venv/stamp-run" 2>/dev/null)" != "$root" ] || [ ! -x "$venv/bin/python" ]; then
		find_python
		echo "Setting up Watermeet in .venv with $("$python" --version): this happens once and takes about a minute." >&2
		rm -rf "$venv"
		"$python" -m venv "$venv"
	fi
	trap 'echo "The set-up failed (is the network down?); the next start will try again." >&2' EXIT
	rm -f "$venv/stamp-run" "$venv/stamp-$1"
	echo "Installing requirements/$1.txt." >&2
	"$venv/bin/python" -m pip install -qq --disable-pip-version-check \
		--require-hashes -r "$root/requirements/setup.txt"
	# Compile byte code now, so that the second start is fast even where Python may not write.
	uv_install --compile-bytecode --require-hashes -r "$root/requirements/$1.txt"
	uv_install --no-deps --no-build-isolation -e "$root"
	stamp_of "$1" >"$venv/stamp-$1"
	stamp_of run >"$venv/stamp-run" # Every kind includes the pins of run.
	trap - EXIT
}

# Build the browser client if its sources have changed. Uses the machine's Node if it is new enough,
# otherwise installs Node from PyPI. The status says whether there is a client.
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

# Set `python` to the newest Python that was tried, or another suitable one; or say what is missing and exit.
find_python() {
	reason='no python3 was found'
	for python in python3.13 python3.12 python3.11 python3.14 python3; do
		# A name in PATH may not run: version managers put every version's name there.
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
