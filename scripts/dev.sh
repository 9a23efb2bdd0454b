#!/bin/sh
# The server and Vite's dev server side by side: `make dev`. Both end with Ctrl-C.
set -eu
cd "$(dirname "$0")/.."
scripts/install.sh run
scripts/web.sh install
cargo build --package atalaya-server
"$CARGO_TARGET_DIR/debug/atalaya" serve --demo &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT INT TERM
cd web
npm run --silent dev
