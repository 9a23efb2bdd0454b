#!/bin/sh
# Runs a command with a real S3 protocol server (moto, from PyPI) beside it, its address in ATALAYA_TEST_S3_URL.
#
#   scripts/s3-server.sh [--port N] -- cargo test -p atalaya-blobs
#   scripts/s3-server.sh --install         only install it
#
# The server keeps everything in memory and is stopped when the command ends. Without a network and without an
# earlier installation the command runs all the same, without the variable: the bucket's test then says so.
set -eu

version="5.2.5"
cache="${ATALAYA_CACHE:-$HOME/.cache/atalaya}"
venv="$cache/pyenv"
port=8189

say() { printf 's3-server: %s\n' "$*" >&2; }

install() {
  [ -x "$venv/bin/moto_server" ] && return 0
  mkdir -p "$cache"
  say "installing moto $version into $venv (first time only)"
  python3 -m venv "$venv" && "$venv/bin/pip" install -q "moto[server]==$version" >&2
}

only_install=""
while [ $# -gt 0 ]; do
  case "$1" in
    --port) port="$2"; shift 2 ;;
    --install) only_install=1; shift ;;
    --) shift; break ;;
    *) say "unknown argument $1"; exit 2 ;;
  esac
done

if [ -n "$only_install" ]; then
  install
  exit 0
fi
if ! install; then
  say "could not be installed: the test against a bucket will not run"
  exec "$@"
fi

log="$(mktemp)"
"$venv/bin/moto_server" -H 127.0.0.1 -p "$port" >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -f "$log"' EXIT INT TERM

# Waits for the answer, then makes the bucket. Any key is accepted; these are not secrets.
AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test "$venv/bin/python" - "http://127.0.0.1:$port" <<'PYTHON' || { cat "$log" >&2; exit 1; }
import sys, time, urllib.request
import boto3
for attempt in range(100):
    try:
        urllib.request.urlopen(sys.argv[1] + "/moto-api/", timeout=2)
        break
    except OSError:
        time.sleep(0.1)
else:
    sys.exit("the S3 server does not answer")
client = boto3.client("s3", endpoint_url=sys.argv[1], region_name="eu-west-1")
client.create_bucket(Bucket="atalaya-test", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
PYTHON

ATALAYA_TEST_S3_URL="s3://test:test@atalaya-test/blobs?endpoint=http://127.0.0.1:$port&region=eu-west-1"
export ATALAYA_TEST_S3_URL
status=0
"$@" || status=$?
exit "$status"
