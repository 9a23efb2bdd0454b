#!/bin/bash
# Measurements: release build, figures of the server, the client's page, joins beside a LiveKit server in the same run.
# Nothing here is a test: machines are noisy. Copy what it prints, with the date, into docs/benchmarks.md.
set -uo pipefail
cd "$(dirname "$0")/.."
export ATALAYA_CACHE="${ATALAYA_CACHE:-$HOME/.cache/atalaya}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$ATALAYA_CACHE/target}"
export npm_config_cache="${npm_config_cache:-$ATALAYA_CACHE/npm}"
scripts/install.sh test
scripts/build.sh
binary="$CARGO_TARGET_DIR/release/atalaya"
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
(cd e2e && npm ci --silent --no-audit --no-fund)
(cd e2e/engine && npm ci --silent --no-audit --no-fund)
(cd bench && npm install --no-save --ignore-scripts --silent --no-audit --no-fund)
status=0
echo "--- server"
node bench/server.mjs "$binary" || status=1
echo "--- log-ins and lists"
hash_ms=$(cargo run --release --quiet --package atalaya-identity --example hash_time)
node bench/accounts.mjs "$binary" "$hash_ms" || status=1
echo "--- conferences: lists, export, certificate"
node bench/conferences.mjs "$binary" || status=1
cargo run --release --quiet --package atalaya-pdf --example certificate || status=1
cargo run --release --quiet --package atalaya-pdf --example photo || status=1
node bench/photo-report.mjs "$binary" || status=1
cargo run --release --quiet --package atalaya-assistance --example thumbnail || status=1
echo "--- billing: a month, PDFs, a SEPA file"
cargo run --release --quiet --package atalaya-server --example month -- 10000 1000000 || status=1
scripts/postgres.sh cargo run --release --quiet --package atalaya-server --example month -- 10000 1000000 postgres || status=1
cargo run --release --quiet --package atalaya-pdf --example invoice || status=1
cargo run --release --quiet --package atalaya-sepa --example remittance || status=1
echo "--- sockets, beside a Node server"
(ulimit -n "$(ulimit -Hn)" 2>/dev/null; node bench/sockets.mjs "$binary") || status=1
echo "--- the client's page"
node web/external/dev/size.mjs || status=1
node bench/page.mjs "$binary" || status=1
echo "--- join to first remote frame"
if livekit=$(scripts/livekit.sh 2>/dev/null | tail -n 1) && [ -x "$livekit" ]; then
  cargo build --release --quiet --package atalaya-sfu --example engine
  engine="$CARGO_TARGET_DIR/release/examples/engine"
  (cd e2e/engine && node join-bench.mjs --a-name embedded --a-start "$engine" --b-name livekit --b-start "$livekit" --max-ratio 1.0) || status=1
else
  echo "no LiveKit server here (make livekit builds one where Go is installed): not compared"
fi
echo "--- zip, the stream alone"
cargo run --release --quiet --package atalaya-blobs --example zip_memory || status=1
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
exit "$status"
