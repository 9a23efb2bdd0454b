#!/bin/sh
# The release build: web app, then one binary with the web app inside: `make build`.
set -eu
cd "$(dirname "$0")/.."
scripts/install.sh run
scripts/web.sh build
cargo build --release --package atalaya-server
# Wherever cargo's target folder is, the binary is found here.
if [ "$(realpath -m "$CARGO_TARGET_DIR")" != "$(realpath -m target)" ]; then
  mkdir -p target/release
  cp --remove-destination "$CARGO_TARGET_DIR/release/atalaya" target/release/atalaya
fi
ls -lh target/release/atalaya | awk '{print "built target/release/atalaya, " $5}'
