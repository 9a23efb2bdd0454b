#!/bin/sh
# The journeys in real browsers: run.sh BINARY [FILE…]. Screenshots land in e2e/artifacts. See run.mjs.
set -eu
cd "$(dirname "$0")"
[ -x "${1:-}" ] || { echo "run.sh BINARY [FILE…]: the server binary is missing: ${1:-}" >&2; exit 2; }
[ -d ../node_modules/playwright-core ] || (cd .. && npm ci --no-audit --no-fund --silent)
exec node run.mjs "$@"
