#!/bin/bash
# The journeys in real browsers: run.sh BINARY. Screenshots land in e2e/artifacts.
set -euo pipefail
cd "$(dirname "$0")"
export ATALAYA_BIN="${1:?the server binary}"
[ -d ../node_modules/playwright-core ] || (cd .. && npm ci --no-audit --no-fund --silent)
# cut.mjs of the engine's suite is shared and imports nothing from its packages.
node --test --test-concurrency=1 --test-reporter=spec ./*.test.mjs ./accounts/*.test.mjs ./reviewed/*.test.mjs ./live/*.test.mjs
