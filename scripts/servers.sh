# The real servers that slow tests start and kill, and the browser that they drive: sourced by ./test.
# They come from the system's packages; nothing that pip installs can stand for them.

# Prints the packages that are missing, on one line; an empty one when all is there.
missing_servers() {
	missing=
	has_postgres || missing=postgresql
	has_valkey || missing="${missing:+$missing }redis-server"
	# Pages are measured with letters: a machine without a screen may have none.
	has_chromium || missing="${missing:+$missing }chromium fonts-dejavu-core"
	echo "$missing"
}

has_postgres() {
	for program in /usr/lib/postgresql/*/bin/postgres; do # Debian keeps it off the path.
		if [ -x "$program" ]; then return 0; fi
	done
	command -v postgres >/dev/null
}

has_valkey() {
	command -v valkey-server >/dev/null || command -v redis-server >/dev/null
}

has_chromium() {
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null
}

# Installs what is missing where that needs no password; sets `left_out` to what stays missing.
set_up_servers() {
	left_out=$(missing_servers)
	if [ -z "$left_out" ] || ! command -v apt-get >/dev/null; then return 0; fi
	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		sudo -n true 2>/dev/null || return 0
		as_root='sudo -n'
	fi
	echo "Installing $left_out for the slow tests." >&2
	# shellcheck disable=SC2086 # Several words each.
	{
		$as_root apt-get -qq update &&
			$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
				--no-install-recommends $left_out >/dev/null
	} || echo 'apt-get failed.' >&2
	left_out=$(missing_servers)
}
