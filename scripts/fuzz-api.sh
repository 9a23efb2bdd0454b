#!/usr/bin/env bash
# Throws generated requests (schemathesis) at every call of both API descriptions; fails on any answer of 500 or above.
#
#   scripts/fuzz-api.sh BINARY [SECONDS]     SECONDS for each description at most, 30 without it
#
# It starts the binary with demo data on a port of its own and stops it afterwards. schemathesis is installed once into the
# cache; without Python or a network it says so and exits with 75. The report of each run lies in FUZZ_REPORT, if that is set.
set -euo pipefail
cd "$(dirname "$0")/.."
binary="$(realpath "${1:?the binary}")"
seconds="${2:-30}"
version=4.32.5
home="${ATALAYA_CACHE:-$HOME/.cache/atalaya}/schemathesis"

if ! "$home/bin/schemathesis" --version 2>/dev/null | grep -q "$version"; then
  if ! { python3 -m venv "$home" && "$home/bin/pip" install --quiet "schemathesis==$version"; }; then
    echo "fuzz: schemathesis cannot be installed: the API is NOT fuzzed" >&2
    exit 75
  fi
fi

dir="$(mktemp -d /tmp/atalaya-fuzz.XXXXXX)"
# Parts of an upload (tus) are plain bytes under a name that schemathesis does not know.
cat >"$dir/hooks.py" <<'PY'
import schemathesis
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
PY
export SCHEMATHESIS_HOOKS=hooks
read -r port udp < <(python3 -c '
import socket
tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
tcp.bind(("127.0.0.1", 0)); udp.bind(("127.0.0.1", 0))
print(tcp.getsockname()[1], udp.getsockname()[1])')
url="http://127.0.0.1:$port"
ATALAYA_DATA_DIR="$dir/data" ATALAYA_LISTEN="127.0.0.1:$port" ATALAYA_PUBLIC_URL="$url" ATALAYA_MEDIA_UDP_PORT="$udp" \
  ATALAYA_LOG=warn "$binary" serve --demo >"$dir/log" 2>&1 &
server=$!
stop() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  rm -rf "$dir"
}
trap stop EXIT INT TERM
for _ in $(seq 120); do
  curl --silent --fail --output /dev/null "$url/readyz" && break
  kill -0 "$server" 2>/dev/null || { cat "$dir/log" >&2; exit 1; }
  sleep 0.5
done

# log_in USER: a session token of a demo account
log_in() {
  python3 - "$url" "$1" "$dir/data/demo-accounts.txt" <<'PY'
import json, sys, urllib.request
url, user, file = sys.argv[1:]
password = next(line.split("\t")[1] for line in open(file) if line.startswith(user + "\t"))
body = json.dumps({"userName": user, "password": password, "login": True}).encode()
request = urllib.request.Request(url + "/api/v1/login", body, {"Content-Type": "application/json"})
print(json.load(urllib.request.urlopen(request))["token"])
PY
}

# fuzz NAME HEADER DOCUMENT [OPTIONS]
fuzz() {
  local name="$1" header="$2" document="$3" status=0
  shift 3
  echo "=== $name"
  # It leaves what it remembers in the folder where it runs.
  (cd "$dir" && PYTHONPATH="$dir" timeout "$((seconds + 60))" "$home/bin/schemathesis" run "$document" --url "$url" --header "$header" \
    --checks not_a_server_error --phases examples,coverage,fuzzing --max-examples 12 --max-time "$seconds" \
    --workers 1 --request-timeout 20 --seed 7 --no-color --suppress-health-check all "$@" >"$dir/$name.txt" 2>&1) || status=$?
  [ -z "${FUZZ_REPORT:-}" ] || cp "$dir/$name.txt" "$FUZZ_REPORT-$name.txt"
  tail -n 25 "$dir/$name.txt"
  count "$name"
  # 124: the time was over, which is no failure of the server.
  [ "$status" = 0 ] || [ "$status" = 124 ] && return 0
  grep -q '= FAILURES =' "$dir/$name.txt" && return 1
  # What it could not generate, it says above; the server has answered whatever came.
  grep -Eq '[1-9][0-9]* generated, [1-9][0-9]* passed' "$dir/$name.txt" && echo "fuzz: some cases of $name could not be generated"
}

# count NAME: leaves how many requests were tried beside the counts of scripts/fuzz-parsers.sh
count() {
  mkdir -p "$results"
  python3 - "$dir/$1.txt" "$1" "$results/fuzz-api.json" <<'PY'
import json, os, re, sys
text, name, file = open(sys.argv[1]).read(), sys.argv[2], sys.argv[3]
found = re.findall(r"(\d+) generated", text)
counts = json.load(open(file)) if os.path.exists(file) else {}
counts[name] = {"inputs": int(found[-1]) if found else 0, "found": len(re.findall(r"^_{3,} .* _{3,}$", text, re.M))}
json.dump(counts, open(file, "w"), indent=2)
PY
}

results="${ATALAYA_CACHE:-$HOME/.cache/atalaya}/results"
failed=0
principal="$(log_in cliente@demo.atalaya.example)"
key="$(curl --silent --fail -X POST -H "Authorization: Bearer $principal" "$url/api/v1/generate-apiKey" |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["apiKey"])')"
# A key makes 300 calls a minute; what is refused for that alone would try nothing.
fuzz ext "X-API-Key: $key" "$url/ext-api/openapi.json" --rate-limit 290/m || failed=1
# Not those that end the session itself, never end, or say 503 on purpose when a message cannot be written.
fuzz api "Authorization: Bearer $(log_in admin@demo.atalaya.example)" "$PWD/docs/reference/openapi.json" \
  --exclude-path-regex '/(logout|sessions?-end|conference-events|clean-socket|activation-ok-email|ext-api)' || failed=1
if grep -E ' (ERROR|panicked)' "$dir/log"; then
  failed=1
fi
kill -0 "$server" || { echo "the server is gone" >&2; failed=1; }
exit "$failed"
