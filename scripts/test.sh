#!/bin/bash
# Every check and test that must hold: `make test`, and so CI.
#
#   scripts/test.sh          all steps; each prints what it does and its time
#   scripts/test.sh --lint   the steps that run no test
#   scripts/test.sh --long   what takes an hour or checks our checks: `make test-long`
#   scripts/test.sh --only NAME   one step
#
# A failed step does not stop the others, so that one run tells everything; the exit code is 1 when any failed. Nothing is
# tried twice. The web app's steps run beside the Rust tests, and clippy beside the fuzzer: one waits while the other counts.
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
long=no
case "${1:-}" in
  --lint) lint=yes ;;
  --long) long=yes ;;
  --only) only="${2:?name of a step}" ;;
  "") ;;
  *) sed -n '2,10p' "$0" >&2; exit 2 ;;
esac

binary="$CARGO_TARGET_DIR/debug/atalaya"
engine_binary="$CARGO_TARGET_DIR/debug/examples/engine"
all_started=$SECONDS
work="$(mktemp -d /tmp/atalaya-test.XXXXXX)"
trap 'rm -rf "$work"' EXIT
# One line per step, in the order in which they end.
: >"$work/summary"

# step NAME KIND COMMAND…   KIND is check or test
step() {
  local name="$1" kind="$2"
  shift 2
  [ -n "$only" ] && [ "$only" != "$name" ] && return 0
  [ "$lint" = yes ] && [ "$kind" = test ] && return 0
  local began=$SECONDS status=0 verdict
  printf '\n\033[1m=== %s: %s\033[0m\n' "$name" "$*"
  # Kept for the summary's "why", which stands where a reader of the last lines finds it.
  { "$@" 2>&1 || echo $? >"$work/$name.status"; } | tee "$work/$name.out"
  [ -f "$work/$name.status" ] && status="$(cat "$work/$name.status")"
  local took=$((SECONDS - began))
  case "$status" in
    0) verdict=ok ;;
    75) verdict="NOT RUN" ;; # what the step needs is not to be had here, or did not change
    *) verdict=FAILED ;;
  esac
  printf '=== %s: %s, %s s\n' "$name" "$verdict" "$took"
  printf '%-7s %-12s %4s s\n' "$verdict" "$name" "$took" >>"$work/summary"
}

# beside LANE_A LANE_B: both functions at once; the second one's output comes when both are done
beside() {
  "$2" >"$work/$2.log" 2>&1 &
  local other=$!
  "$1"
  wait "$other"
  cat "$work/$2.log"
}

# What went wrong, of a step's output: the journeys' own list, or else lines that say so, each with the one below it.
why() {
  local plain
  plain="$(sed 's/\x1b\[[0-9;]*m//g' "$1")"
  { grep -aE '^failed test: ' <<<"$plain" \
    || grep -aE -A1 '^ *(FAIL|✖|×|error(:|\[))|AssertionError|panicked at|^test .* FAILED|TestingLibraryElementError' <<<"$plain"; } \
    | head -24 | cut -c1-600
}

finish() {
  local steps failures
  steps="$(wc -l <"$work/summary")"
  failures="$(grep -c '^FAILED' "$work/summary")"
  printf '\n\033[1m=== summary\033[0m\n'
  cat "$work/summary"
  for name in $(awk '$1 == "FAILED" { print $2 }' "$work/summary"); do
    printf 'why %s:\n' "$name"
    why "$work/$name.out"
  done
  if [ "$failures" = 0 ] && [ "$steps" -gt 0 ]; then
    printf '%s steps, none failed, in %s s\n' "$steps" "$((SECONDS - all_started))"
    exit 0
  fi
  printf '%s of %s steps FAILED, %s s\n' "$failures" "$steps" "$((SECONDS - all_started))"
  exit 1
}

web() { (cd web && npm run --silent "$1"); }
rust_tests() { scripts/schemas.sh scripts/postgres.sh scripts/smtp.sh scripts/s3-server.sh -- cargo xtask rust-tests; }
# The tests' build has built the server and the engine's example; building them alone would compile half the tree again,
# because a package on its own has other features.
binaries() { ls -l "$binary" "$engine_binary"; }
generated() { ATALAYA_TEST_BINARY="$binary" cargo xtask gen --check; }
clippy() { cargo clippy --workspace --all-targets --quiet -- -D warnings; }
engine_embedded() { e2e/engine/run.sh embedded "$engine_binary" --server "$binary"; }
# The suite checks itself against an unmodified LiveKit server. It is run again when the suite, the client or the server
# has changed since it passed on this machine; `make test-long` always runs it.
livekit_stamp() {
  { git ls-files -s e2e/engine; git diff HEAD -- e2e/engine; scripts/livekit.sh --cached; } | sha256sum | cut -d' ' -f1
}
engine_livekit() {
  local stamp="$ATALAYA_CACHE/livekit/passed"
  scripts/livekit.sh --cached >/dev/null 2>&1 || [ "$long" = no ] || scripts/livekit.sh >/dev/null || return 75
  if ! scripts/livekit.sh --cached >/dev/null 2>&1; then
    echo "livekit: NOT RUN, no server is cached here (make test-long builds it where Go is installed)"
    return 75
  fi
  if [ "$long" = no ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(livekit_stamp)" ]; then
    echo "livekit: NOT RUN, nothing that it compares has changed since it passed here"
    return 75
  fi
  e2e/engine/run.sh livekit && livekit_stamp >"$stamp"
}
# Known flaws of what the binary is made of, wherever somebody has put the advisories (~/.cargo/advisory-dbs).
advisories() {
  local tool
  tool="$(cargo_deny)" || tool=""
  if [ -z "$tool" ] || ! ls -d "${CARGO_HOME:-$HOME/.cargo}"/advisory-db*/* >/dev/null 2>&1; then
    echo "advisories: NOT RUN, no advisory database is at hand here (cargo deny fetch db, where it can be reached; make test-long builds the tool)"
    return 75
  fi
  "$tool" --offline check advisories
}
# Where cargo deny is: installed, or built by `make test-long`.
cargo_deny() {
  command -v cargo-deny && return 0
  [ -x "$ATALAYA_CACHE/tools/bin/cargo-deny" ] && echo "$ATALAYA_CACHE/tools/bin/cargo-deny"
}
# The tool takes minutes to build, so `make test` has its own check of the same file (cargo xtask deny).
deny_long() {
  if ! cargo_deny >/dev/null; then
    cargo install --quiet --locked --root "$ATALAYA_CACHE/tools" --version 0.20.2 cargo-deny \
      || { echo "deny-long: NOT RUN, cargo-deny cannot be had here"; return 75; }
  fi
  "$(cargo_deny)" --locked check --hide-inclusion-graph bans licenses sources
}
# Whole stories in real browsers against the server's binary.
journeys() { e2e/journeys/run.sh "$binary"; }
# Crash points, disk errors; with --long thousands of them, limits, clocks, floods and a soak.
faults() { e2e/faults/run.sh "$binary" "$@"; }

rust_lane() {
  step rust test rust_tests
  step binaries test binaries
}
web_lane() {
  step web-lint check web lint
  step web-types check web typecheck
  step web-build test scripts/web.sh build
  step web-size test node web/external/dev/size.mjs
  step web-unit test web test
}
clippy_lane() { step clippy check clippy; }
fuzz_lane() {
  step fuzz test scripts/fuzz-api.sh "$binary" 30
  step fuzz-bytes test scripts/fuzz-parsers.sh 60
  # Last: it waits until clippy has left cargo's lock.
  step generated test generated
}

step install check scripts/install.sh test
if [ "$long" = yes ]; then
  step web-install check scripts/web.sh install
  step web-build test scripts/web.sh build
  step rust test rust_tests
  step engine test e2e/engine/run.sh embedded "$engine_binary" --server "$binary" --long
  step livekit test engine_livekit
  step fuzz test scripts/fuzz-api.sh "$binary" 600
  step fuzz-bytes test scripts/fuzz-parsers.sh 600
  step deny-long check deny_long
  step advisories check advisories
  step reproducible test scripts/reproducible.sh
  step faults test faults --long
  finish
fi
step format check cargo fmt --all --check
step arch check cargo xtask arch
step i18n check cargo xtask i18n
step deny check cargo xtask deny
step advisories check advisories
step web-install check scripts/web.sh install
beside rust_lane web_lane
beside clippy_lane fuzz_lane
step engine test engine_embedded
step livekit test engine_livekit
step observatory test e2e/observatory/run.sh "$binary"
step faults test faults
step journeys test journeys
finish
