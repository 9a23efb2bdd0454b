#!/bin/sh
# Builds what changed and starts the server with demo data: `make run`.
set -eu
cd "$(dirname "$0")/.."

started="$(date +%s)"
say() { printf '\033[1m[%3ss] %s\033[0m\n' "$(($(date +%s) - started))" "$*"; }

say "checking what is installed"
scripts/install.sh run
say "web app (npm; a few seconds when nothing changed)"
scripts/web.sh build
say "server (cargo; minutes the first time, seconds when nothing changed)"
cargo build --package atalaya-server
say "starting; stop with Ctrl-C"
exec "$CARGO_TARGET_DIR/debug/atalaya" serve --demo "$@"
