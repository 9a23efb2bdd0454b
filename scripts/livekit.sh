#!/bin/sh
# Builds the LiveKit server the engine's browser suite is run against and prints the path of the binary.
#
#   scripts/livekit.sh           build when it is not cached yet (minutes), then print the path
#   scripts/livekit.sh --cached  print the path when it is cached, else fail; never builds, never uses the network
#
# The release is pinned: the suite's results in docs/benchmarks.md name it. It has no replace directives, so
# `go install module@version` works straight from the Go module proxy and needs no clone.
set -eu

version="v1.13.5"
module="github.com/livekit/livekit-server/cmd/server"
cache="${ATALAYA_CACHE:-$HOME/.cache/atalaya}/livekit"
binary="$cache/livekit-server-$version"

say() { printf 'livekit: %s\n' "$*" >&2; }

if [ -x "$binary" ]; then
  printf '%s\n' "$binary"
  exit 0
fi
if [ "${1:-}" = "--cached" ]; then
  say "no LiveKit server $version in $cache (make livekit builds it)"
  exit 1
fi

go="$(command -v go || true)"
[ -n "$go" ] || { [ -x /usr/local/go/bin/go ] && go=/usr/local/go/bin/go; } || true
if [ -z "$go" ]; then
  say "Go is not installed: LiveKit server $version cannot be built here"
  exit 2
fi

mkdir -p "$cache"
# The build goes to its own folder and is moved in one step: a broken build never looks like a cached one.
work="$(mktemp -d "$cache/build.XXXXXX")"
trap 'rm -rf "$work"' EXIT INT TERM
say "building $module@$version with $("$go" version | cut -d' ' -f3) (first time only, a few minutes)"
started="$(date +%s)"
GOBIN="$work" CGO_ENABLED="${CGO_ENABLED:-0}" nice -n 15 "$go" install -trimpath "$module@$version" >&2
mv "$work/server" "$binary"
say "built in $(($(date +%s) - started)) s: $("$binary" --version 2>/dev/null || echo "$version")"
printf '%s\n' "$binary"
