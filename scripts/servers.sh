# The servers that slow tests start and kill, and the browser that they drive. Sourced by ./test.
# They are system packages, because pip has no replacement for them.

# Print the missing packages on one line.
missing_servers() {
	missing=
	has_postgres || missing=postgresql
	has_valkey || missing="${missing:+$missing }redis-server"
	command -v caddy >/dev/null || missing="${missing:+$missing }caddy"
	# The browser needs a font, which a machine without a screen may not have.
	has_chromium || missing="${missing:+$missing }chromium fonts-dejavu-core"
	echo "$missing"
}

has_postgres() {
	for program in /usr/lib/postgresql/*/bin/postgres; do # Debian keeps it out of PATH.
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

# Install what is missing, if that needs no password; `left_out` is what remains missing.
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
