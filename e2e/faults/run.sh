#!/bin/sh
# Crashes, full disks, limits, clocks, floods, and a soak against the real binary: run.sh BINARY [--long]. See run.mjs.
set -eu
cd "$(dirname "$0")"
[ -x "${1:-}" ] || { echo "run.sh BINARY [--long]: the server binary is missing: ${1:-}" >&2; exit 2; }
[ -d ../node_modules/playwright-core ] || (cd .. && npm ci --no-audit --no-fund --silent)
exec node run.mjs "$@"
