#!/bin/bash
# Measurements: release build, figures of the server, the client's page, joins beside a LiveKit server in the same run.
# Nothing here is a test: machines are noisy. Copy what it prints, with the date, into docs/benchmarks.md.
set -uo pipefail
cd "$(dirname "$0")/.."
export ATALAYA_CACHE="${ATALAYA_CACHE:-$HOME/.cache/atalaya}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$ATALAYA_CACHE/target}"
export npm_config_cache="${npm_config_cache:-$ATALAYA_CACHE/npm}"
scripts/install.sh test
scripts/install.sh bench
scripts/build.sh
binary="$CARGO_TARGET_DIR/release/atalaya"
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
(cd e2e && npm ci --silent --no-audit --no-fund)
(cd e2e/engine && npm ci --silent --no-audit --no-fund)
(cd bench && npm install --no-save --ignore-scripts --silent --no-audit --no-fund)
# The peer's SQLite driver is compiled here when its ready-made one cannot be had; with the headers that came with Node.
node_prefix="$(node -p 'require("node:path").resolve(process.execPath, "../..")')"
[ -e "$node_prefix/include/node/node.h" ] && export npm_config_nodedir="$node_prefix"
(cd bench/peer && npm ci --silent --no-audit --no-fund)
status=0
echo "--- server"
node bench/server.mjs "$binary" || status=1
echo "--- reads, beside a server in Node and a bare sketch in Rust"
cargo build --release --quiet --package atalaya-server --example sketch
node bench/reads.mjs "$binary" --sketch "$CARGO_TARGET_DIR/release/examples/sketch" || status=1
scripts/postgres.sh node bench/reads.mjs "$binary" --postgres || status=1
echo "--- log-ins under a flood, and the memory that it leaves"
node bench/flood.mjs "$binary" || status=1
echo "--- instructions of the guards"
cargo build --release --quiet --package atalaya-server --example guards
node bench/guards.mjs "$CARGO_TARGET_DIR/release/examples/guards" || [ $? = 75 ] || status=1
echo "--- log-ins and lists"
hash_ms=$(cargo run --release --quiet --package atalaya-identity --example hash_time)
node bench/accounts.mjs "$binary" "$hash_ms" || status=1
echo "--- conferences: lists, export, certificate"
node bench/conferences.mjs "$binary" || status=1
echo "--- a million conferences"
node bench/million.mjs "$binary" || status=1
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
echo "--- memory, start, size; over an hour"
node bench/memory.mjs "$binary" || status=1
echo "--- join to first remote frame"
if livekit=$(scripts/livekit.sh 2>/dev/null | tail -n 1) && [ -x "$livekit" ]; then
  cargo build --release --quiet --package atalaya-sfu --example engine
  engine="$CARGO_TARGET_DIR/release/examples/engine"
  (cd e2e/engine && node join-bench.mjs --a-name embedded --a-start "$engine" --b-name livekit --b-start "$livekit" --max-ratio 1.0) || status=1
else
  echo "no LiveKit server here (make livekit builds one where Go is installed): not compared"
fi
echo "--- media: forwarded packets per CPU second"
cargo run --release --quiet --package atalaya-sfu --example load || status=1
echo "--- zip, the stream alone"
cargo run --release --quiet --package atalaya-blobs --example zip_memory || status=1
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
exit "$status"
