#!/bin/sh
# The end client's page alone, from the finished web build: every state in Chromium at phone size with axe, target sizes
# and "no request leaves the origin"; then its call against a real LiveKit server where `make livekit` has cached one.
# The pictures are left in e2e/artifacts/client. Needs no Rust server.
set -eu
cd "$(dirname "$0")/../../web"
out="$(pwd)/../e2e/artifacts/client"
QUICK="${QUICK-1}" node external/dev/shots.mjs "$out/states"
if ls "${ATALAYA_CACHE:-$HOME/.cache/atalaya}"/livekit/livekit-server* >/dev/null 2>&1; then
  node external/dev/call.mjs "$out/call"
else
  echo "client call: skipped, no LiveKit server is cached (make livekit)"
fi
