#!/bin/bash
# Every check and test there is: `make test`, and so CI.
#
#   scripts/test.sh          all steps, in the order below; each prints what it does and its time
#   scripts/test.sh --lint   the steps that run no test
#   scripts/test.sh --only NAME   one step
#
# A failed step does not stop the others, so that one run tells everything; the exit code is 1 when any failed.
set -u
cd "$(dirname "$0")/.."
export ATALAYA_CACHE="${ATALAYA_CACHE:-$HOME/.cache/atalaya}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$ATALAYA_CACHE/target}"
export npm_config_cache="${npm_config_cache:-$ATALAYA_CACHE/npm}"
export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-never}"
# What is compiled here is compiled once; incremental data would only fill the disk.
[ -n "${CI:-}" ] && export CARGO_INCREMENTAL=0

only=""
lint=no
case "${1:-}" in
  --lint) lint=yes ;;
  --only) only="${2:?name of a step}" ;;
  "") ;;
  *) sed -n '2,8p' "$0" >&2; exit 2 ;;
esac

binary="$CARGO_TARGET_DIR/debug/atalaya"
engine_binary="$CARGO_TARGET_DIR/debug/examples/engine"
all_started=$SECONDS
summary=()
failures=0

# step NAME KIND COMMAND…   KIND is check or test
step() {
  local name="$1" kind="$2"
  shift 2
  [ -n "$only" ] && [ "$only" != "$name" ] && return 0
  [ "$lint" = yes ] && [ "$kind" = test ] && return 0
  local began=$SECONDS status=0
  printf '\n\033[1m=== %s: %s\033[0m\n' "$name" "$*"
  "$@" || status=$?
  local took=$((SECONDS - began))
  if [ "$status" = 75 ]; then
    # What the step needs is not to be had here; the summary says so.
    printf '=== %s: NOT RUN, %s s\n' "$name" "$took"
    summary+=("NOT RUN $(printf '%-12s %4s s' "$name" "$took")")
  elif [ "$status" = 0 ]; then
    printf '=== %s: ok, %s s\n' "$name" "$took"
    summary+=("ok      $(printf '%-12s %4s s' "$name" "$took")")
  else
    printf '=== %s: FAILED (%s), %s s\n' "$name" "$status" "$took"
    summary+=("FAILED  $(printf '%-12s %4s s' "$name" "$took")")
    failures=$((failures + 1))
  fi
}

web() { (cd web && npm run --silent "$1"); }
rust_tests() { scripts/schemas.sh scripts/postgres.sh scripts/smtp.sh scripts/s3-server.sh -- cargo test --workspace --no-fail-fast --quiet; }
# `cargo test` has built the server and the engine's example; building them alone would compile half the tree again,
# because a package on its own has other features.
binaries() { ls -l "$binary" "$engine_binary"; }
generated() { ATALAYA_TEST_BINARY="$binary" cargo xtask gen --check; }
clippy() { cargo clippy --workspace --all-targets --quiet -- -D warnings; }
engine_embedded() { e2e/engine/run.sh embedded "$engine_binary"; }
engine_livekit() { e2e/engine/run.sh livekit; }
# Whole stories in real browsers against the server's binary.
journeys() { e2e/journeys/run.sh "$binary"; }

step install check scripts/install.sh test
step format check cargo fmt --all --check
step arch check cargo xtask arch
step i18n check cargo xtask i18n
step web-install check scripts/web.sh install
step web-lint check web lint
step web-types check web typecheck
step web-unit test web test
step web-build test scripts/web.sh build
step web-size test node web/external/dev/size.mjs
step rust test rust_tests
step binaries test binaries
step generated test generated
step fuzz test scripts/fuzz-api.sh "$binary"
step clippy check clippy
step engine test engine_embedded
step livekit test engine_livekit
step journeys test journeys

printf '\n\033[1m=== summary\033[0m\n'
printf '%s\n' "${summary[@]}"
if [ "$failures" = 0 ]; then
  printf '%s steps, none failed, in %s s\n' "${#summary[@]}" "$((SECONDS - all_started))"
else
  printf '%s of %s steps FAILED, %s s\n' "$failures" "${#summary[@]}" "$((SECONDS - all_started))"
  exit 1
fi
