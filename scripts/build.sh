#!/bin/sh
# The release build: web app, then one binary with the web app inside, and its papers: `make build`.
#
# Wherever it is built, the same commit, compiler and C compiler give the same bytes (`scripts/reproducible.sh` tries it): paths of
# this machine are written as /src, /target and /cargo.
set -eu
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
scripts/install.sh run
scripts/web.sh build
cargo_home="${CARGO_HOME:-$HOME/.cargo}"
remap="$PWD=/src $CARGO_TARGET_DIR=/target $cargo_home=/cargo"
flags="" c_flags=""
for one in $remap; do
  flags="$flags --remap-path-prefix=$one"
  c_flags="$c_flags -ffile-prefix-map=$one"
done
RUSTFLAGS="${RUSTFLAGS:-}$flags" CFLAGS="${CFLAGS:-}$c_flags" CXXFLAGS="${CXXFLAGS:-}$c_flags" \
  cargo build --release --locked --package atalaya-server
# Wherever cargo's target folder is, the binary is found here.
if [ "$(realpath -m "$CARGO_TARGET_DIR")" != "$(realpath -m target)" ]; then
  mkdir -p target/release
  cp --remove-destination "$CARGO_TARGET_DIR/release/atalaya" target/release/atalaya
fi
# What it is made of (CycloneDX) and where it comes from (in-toto, SLSA). A folder without git has no commit to name.
cargo xtask sbom >target/release/atalaya.cdx.json
if git rev-parse HEAD >/dev/null 2>&1; then
  cargo xtask provenance target/release/atalaya >target/release/atalaya.provenance.json
fi
ls -lh target/release/atalaya | awk '{print "built target/release/atalaya, " $5}'
