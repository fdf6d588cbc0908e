#!/bin/sh
# Write random passwords to deploy/secrets/, for compose.yaml. It never overwrites any.
# Only the folder is closed to other users of the machine: the files are mounted one by one into
# containers whose users differ, and those must be able to read them.
set -eu
folder=${1:-$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/secrets}
if [ -e "$folder" ]; then
	echo "$folder exists already: delete it to start over (and the database's volume with it)." >&2
	exit 1
fi
umask 022
mkdir -m 0700 "$folder"

random() { # 32 letters and digits, so that they need no quoting in a URL.
	LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c 32
}

postgres=$(random) valkey=$(random) metrics=$(random)
printf %s "$postgres" >"$folder/postgres_password"
printf %s "$metrics" >"$folder/metrics_token"
random >"$folder/grafana_password"
# Where alerts are posted, and where backups are copied to: nowhere, until you edit them.
printf %s http://127.0.0.1:9/ >"$folder/alert_url"
cat >"$folder/rclone.conf" <<END
# docs/guides/backups.md has examples. Encrypt: backups contain secrets.
[offsite]
type = memory
END
cat >"$folder/valkey.conf" <<END
requirepass $valkey
save ""
appendonly no
maxmemory 128mb
END
cat >"$folder/watermeet.toml" <<END
store_url = "postgresql://watermeet:$postgres@postgres:5432/watermeet"
bus_url = "valkey://:$valkey@valkey:6379/0"
metrics_token = "$metrics"
END
echo "Wrote $folder. Put the address for alerts into alert_url, and the place for backups into rclone.conf."
echo "Grafana's user is admin; its password is in grafana_password."
