#!/bin/sh
# MDN's HTTP Observatory against the server over TLS, with an authority made for the occasion: run.sh BINARY. See run.mjs.
# Exits with 75 where openssl or the package is not to be had.
set -eu
cd "$(dirname "$0")"
[ -x "${1:-}" ] || { echo "run.sh BINARY: the server binary is missing: ${1:-}" >&2; exit 2; }
binary="$(realpath "$1")"
command -v openssl >/dev/null || { echo "observatory: NOT RUN, openssl is not installed"; exit 75; }
# Its scripts fetch lists of the whole Internet's sites, which say nothing about this one.
if [ ! -d node_modules/@mdn/mdn-http-observatory ]; then
  npm ci --ignore-scripts --no-audit --no-fund --silent || { echo "observatory: NOT RUN, its package cannot be installed"; exit 75; }
fi
echo '{}' >node_modules/@mdn/mdn-http-observatory/conf/hsts-preload.json

folder="$(mktemp -d /tmp/atalaya-observatory.XXXXXX)"
trap 'rm -rf "$folder"' EXIT INT TERM
quiet() { "$@" 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }; }
quiet openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Atalaya test authority" -keyout "$folder/ca.key" -out "$folder/ca.pem" \
  -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign"
quiet openssl req -newkey rsa:2048 -nodes -subj "/CN=localhost" -keyout "$folder/key.pem" -out "$folder/request.pem"
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n' >"$folder/extensions"
quiet openssl x509 -req -days 2 -in "$folder/request.pem" -CA "$folder/ca.pem" -CAkey "$folder/ca.key" -CAcreateserial -extfile "$folder/extensions" \
  -out "$folder/cert.pem"
# Read when Node starts, so that what it checks is checked as by a browser that knows the authority.
NODE_EXTRA_CA_CERTS="$folder/ca.pem" node run.mjs "$binary" "$folder"
