# Sets up .venv for play, test, the Makefile and .ci/run. Source it with `root` set to the repository's
# folder. A stamp for each kind of set-up is written last: after a finished set-up the next start only
# compares two texts, and after an interrupted one it starts over.

venv=$root/.venv
unset PYTHONDONTWRITEBYTECODE # Or every start would translate all of Python's files again.

# set_up KIND: install requirements/KIND.txt and this package, editable, unless that is done.
set_up() {
	kind=$1
	is_current "$1" || install_kind "$1"
}

# The same, and build the page beside it; `has_client` is 0 if there is a page in the end.
set_up_with_client() {
	kind=$1
	has_client=0
	if is_current "$1"; then
		build_client || has_client=$?
		return
	fi
	make_venv
	step "Installing the page's packages" run_client modules &
	client=$!
	install_kind "$1"
	step 'Preparing the page' "$venv/bin/python" "$root/scripts/client.py" made || has_client=$?
	"$venv/bin/python" -c 'import watermeet.server.app, watermeet.server.serving' # Writes their byte code.
	wait "$client" || has_client=$?
	client=
	[ "$has_client" -ne 0 ] || build_client || has_client=$?
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

# Each kind has all of those after it.
included_in() {
	case $1 in
	nightly) echo nightly dev test run ;;
	dev) echo dev test run ;;
	run) echo run ;;
	*) echo "$1" run ;;
	esac
}

install_kind() {
	make_venv
	trap explain_failure EXIT
	rm -f "$venv/stamp-$1"
	if [ "$1" = nightly ]; then step 'Installing PyTorch' install_torch; fi
	step "Installing Python packages" install_packages "$1"
	for each in $(included_in "$1"); do stamp_of "$each" >"$venv/stamp-$each"; done
	trap - EXIT
}

install_packages() {
	# Nothing is resolved: the pins are complete, and PyTorch isn't among them.
	uv_install --no-deps --require-hashes -r "$root/requirements/$1.txt" &&
		uv_install --no-deps --no-build-isolation -e "$root"
}

# By pip, which finds builds for a CPU alone where there are some; PyPI's own has gigabytes for GPUs.
install_torch() {
	"$venv/bin/python" -c 'import torch' 2>/dev/null ||
		run_pip install -qq -r "$root/requirements/torch.txt"
}

trap 'exit 130' INT # Or some shells would skip the traps for EXIT.

explain_failure() {
	[ -z "${client-}" ] || kill "$client" 2>/dev/null || :
	echo 'The set-up is not finished (is the network down?). The next start continues it.' >&2
}

# ---- the environment -----------------------------------------------------------------------------

# Make .venv, with uv and nothing else, unless there is one; `python` is what it is made with.
make_venv() {
	if "$venv/bin/uv" --version >/dev/null 2>&1 && cat "$venv"/stamp* 2>/dev/null | grep -qxF "$root"; then
		return # Of this folder, and complete, though maybe out of date.
	fi
	find_python
	trap explain_failure EXIT
	echo "Setting up Watermeet in .venv with $("$python" --version), once." >&2
	rm -rf "$venv"
	step 'Making the environment' make_environment
	echo "$root" >"$venv/stamp"
	trap - EXIT
}

make_environment() {
	"$python" -m venv --without-pip "$venv" || return
	if uv --version 2>/dev/null | grep -qE '^uv (0\.([5-9]|[1-9][0-9])|[1-9])'; then
		uv pip install --quiet --python "$venv/bin/python" --require-hashes -r "$root/requirements/setup.txt"
	else
		run_pip install -qq --no-compile --require-hashes -r "$root/requirements/setup.txt"
	fi
}

# Run the pip that came with Python, for .venv, which has none until one is needed.
run_pip() {
	find_python
	if "$python" -m pip --python "$venv/bin/python" --version >/dev/null 2>&1; then
		"$python" -m pip --disable-pip-version-check --python "$venv/bin/python" "$@"
	else
		"$venv/bin/python" -m ensurepip >/dev/null && "$venv/bin/python" -m pip --disable-pip-version-check "$@"
	fi
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

# step WHAT COMMAND...: run it silently and say how long it took; if it fails, show what it printed.
step() {
	echo "  $1…" >&2
	doing=$1
	step_begun=$(date +%s)
	shift
	if output=$("$@" 2>&1); then
		echo "  $doing: $(($(date +%s) - step_begun)) s" >&2
	else
		printf '%s\n' "$output" >&2
		return 1
	fi
}

# ---- the page ------------------------------------------------------------------------------------

# Build the page if its sources have changed. Uses the machine's Node if it is new enough, otherwise
# that of a package from PyPI. The status says whether there is a page. Those who only play need no
# boards for notebooks and no tools of the tests.
build_client() {
	if [ "${kind-run}" = run ]; then task=page; else task=build; fi
	"$venv/bin/python" "$root/scripts/client.py" fresh "$task" && return
	step 'Building the page' run_client "$task"
}

run_client() {
	status=0
	"$venv/bin/python" "$root/scripts/client.py" "$1" || status=$?
	if [ "$status" -eq 3 ]; then
		install_node || return
		status=0
		"$venv/bin/python" "$root/scripts/client.py" "$1" || status=$?
	fi
	return "$status"
}

# Into a folder of its own, so that it needn't wait for the Python packages.
install_node() {
	rm -rf "$venv/node" "$venv/node.new"
	uv_install --target "$venv/node.new" --require-hashes -r "$root/requirements/node.txt" &&
		mv "$venv/node.new" "$venv/node"
}
