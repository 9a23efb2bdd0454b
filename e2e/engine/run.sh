#!/bin/sh
# Runs the engine's browser suite, for `make test`.
#
#   e2e/engine/run.sh embedded BINARY   against our own engine (BINARY: crates/sfu's example `engine`)
#   e2e/engine/run.sh livekit           against the cached LiveKit server; says plainly when it is not there
#
# Further arguments go to suite.mjs. Exit code 0 when everything passed or there was nothing to run against.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
engine="${1:?embedded or livekit}"
shift
[ -d "$here/node_modules/livekit-client" ] || (cd "$here" && npm ci --no-audit --no-fund --silent)
case "$engine" in
  embedded)
    binary="${1:?path of the binary with the embedded engine}"
    shift
    ;;
  livekit)
    if ! binary="$("$here/../../scripts/livekit.sh" --cached 2>/dev/null)"; then
      echo "engine suite: SKIPPED against LiveKit, no server is cached; 'make livekit' builds it (needs Go)"
      exit 0
    fi
    ;;
  *)
    echo "engine suite: unknown engine '$engine'" >&2
    exit 2
    ;;
esac
exec node "$here/suite.mjs" --engine "$engine" --start "$binary" "$@"
