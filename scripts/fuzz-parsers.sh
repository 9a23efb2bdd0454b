#!/usr/bin/env bash
# Throws changed good inputs at every parser that eats strangers' bytes: bank files, pictures, EXIF, PDF, WebM, archives, tokens,
# signalling, offers, RTP, the relay, uploads, forms, receipts, drawings, passkeys. Fails on a panic, on an answer of 500 or above,
# and on an input that takes for ever; such an input is kept in crates/server/tests/it/fuzz/seeds and tried first from then on.
#
#   scripts/fuzz-parsers.sh [SECONDS]     for all of them together, 60 without it
#
# The counts lie in $ATALAYA_CACHE/results/fuzz.json afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
export ATALAYA_CACHE="${ATALAYA_CACHE:-$HOME/.cache/atalaya}"
export ATALAYA_FUZZ_SECONDS="${1:-60}"
result="$ATALAYA_CACHE/results/fuzz.json"
rm -f "$result"
status=0
# All tests are built, as the Rust step builds them: a package on its own has other features and would compile anew.
cargo xtask rust-tests -- fuzz::foreign_bytes_break_nothing || status=$?
[ -f "$result" ] && node -e '
  const result = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
  for (const one of result.targets) console.log(`${one.name.padEnd(14)} ${String(one.inputs).padStart(9)} inputs, slowest ${one.slowestMs} ms`);
  console.log(`fuzz-parsers: ${result.inputs} inputs in ${result.seconds} s, ${result.found} found`);' "$result"
exit "$status"
