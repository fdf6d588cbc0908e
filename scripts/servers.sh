# The servers that tests start and kill, and the browser that they drive. Sourced by ./test.
# They are system packages, because pip has no replacement for them.

all_servers='postgresql redis-server caddy chromium'

# missing_servers PACKAGE...: print those of these packages that are missing, on one line.
missing_servers() {
	missing=
	for package; do
		case $package in
		postgresql) has_postgres ;;
		redis-server) has_valkey ;;
		chromium) has_chromium ;;
		*) command -v "$package" >/dev/null ;;
		esac || missing="${missing:+$missing }$package"
	done
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

# set_up_servers [PACKAGE...]: install what is missing of these packages, or of all, if that needs no
# password.
set_up_servers() {
	# shellcheck disable=SC2086 # Several words each.
	[ $# -gt 0 ] || set -- $all_servers
	needed=$(missing_servers "$@")
	if [ -z "$needed" ] || ! command -v apt-get >/dev/null; then return 0; fi
	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		sudo -n true 2>/dev/null || return 0
		as_root='sudo -n'
	fi
	echo "Installing $needed for the tests." >&2
	case $needed in *chromium*) font=fonts-dejavu-core ;; esac # A machine without a screen may have none.
	# shellcheck disable=SC2086 # Several words each.
	{
		$as_root apt-get -qq update &&
			$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
				--no-install-recommends $needed ${font-} >/dev/null
	} || echo 'apt-get failed.' >&2
}
