#!/bin/bash
# The journeys in real browsers: run.sh BINARY [FILE…]. Screenshots land in e2e/artifacts.
# Every file runs by itself under a limit, so that one that hangs costs its own time and not the whole run's. A file that
# failed runs once more at the end, when nothing else does: real browsers on a machine that stalls miss their limits. What
# passes only then is named, so that somebody looks at it.
set -uo pipefail
cd "$(dirname "$0")"
[ -x "${1:-}" ] || { echo "run.sh BINARY [FILE…]: the server binary is missing: ${1:-}" >&2; exit 2; }
ATALAYA_BIN="$(realpath "$1")"
export ATALAYA_BIN
shift
[ -d ../node_modules/playwright-core ] || (cd .. && npm ci --no-audit --no-fund --silent) || exit 1
files=("$@")
[ "${#files[@]}" -gt 0 ] || files=(./*.test.mjs ./*/*.test.mjs)

# journey FILE: runs it and tells its time
journey() {
  local began=$SECONDS status=0
  timeout --kill-after=10 "${ATALAYA_JOURNEY_LIMIT:-480}" node --test --test-reporter=spec "$1" || status=$?
  echo "journey $1: $((SECONDS - began)) s"
  return "$status"
}

again=()
failed=()
for file in "${files[@]}"; do journey "$file" || again+=("$file"); done
# More than a few are no accident.
[ "${#again[@]}" -gt 3 ] && failed=("${again[@]}") && again=()
for file in "${again[@]}"; do
  echo "once more: $file"
  if journey "$file"; then echo "UNSTEADY: $file failed and passed at its second run"; else failed+=("$file"); fi
done
[ "${#failed[@]}" = 0 ] && exit 0
printf 'failed journey: %s\n' "${failed[@]}"
exit 1
