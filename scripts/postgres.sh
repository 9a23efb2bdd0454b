#!/bin/sh
# Runs a command with a PostgreSQL server of its own, which is stopped and deleted afterwards.
#
#   scripts/postgres.sh COMMAND [ARGUMENTS…]
#
# The command finds the server's address in ATALAYA_TEST_POSTGRES_URL. Nothing of the machine's own PostgreSQL is touched:
# another folder, a free port, and the server listens on 127.0.0.1 only. Durability is off: the data are thrown away.
set -eu

binaries="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)"
[ -n "$binaries" ] || { echo "postgres: PostgreSQL is not installed (scripts/install.sh does it)" >&2; exit 2; }

dir="$(mktemp -d /tmp/atalaya-postgres.XXXXXX)"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"

# initdb refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  chown postgres "$dir"
  as() { su postgres -s /bin/sh -c "$1"; }
else
  as() { sh -c "$1"; }
fi

stop() {
  as "'$binaries/pg_ctl' -D '$dir/data' -m immediate stop" >/dev/null 2>&1 || true
  rm -rf "$dir"
}
trap stop EXIT INT TERM

as "'$binaries/initdb' -D '$dir/data' -A trust -U atalaya -E UTF8 --locale=C.UTF-8" >"$dir.log" 2>&1 \
  && as "'$binaries/pg_ctl' -D '$dir/data' -w -l '$dir/server.log' -o '-p $port -k $dir -c listen_addresses=127.0.0.1 -c max_connections=300 -c fsync=off -c synchronous_commit=off -c full_page_writes=off' start" >>"$dir.log" 2>&1 \
  || { echo "postgres: could not start:" >&2; cat "$dir.log" >&2; rm -f "$dir.log"; exit 2; }
rm -f "$dir.log"

echo "postgres: $("$binaries/postgres" --version | cut -d' ' -f3) on 127.0.0.1:$port" >&2
status=0
ATALAYA_TEST_POSTGRES_URL="postgres://atalaya@127.0.0.1:$port/postgres" "$@" || status=$?
exit "$status"
