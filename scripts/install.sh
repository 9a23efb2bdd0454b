#!/bin/sh
# Installs what is missing for a task, and nothing that is there.
#
#   scripts/install.sh run     compilers and Node, for building and running
#   scripts/install.sh test    also browsers, PostgreSQL, a mail server, ffmpeg, nftables, a token of software
#   scripts/install.sh bench   what the measurements need beside those
#
# Debian packages need root (or passwordless sudo); without either, this names what is missing and fails.
set -eu

task="${1:-run}"
packages=""
need() { # need PROGRAM-OR-PATH PACKAGE…
  probe="$1"
  shift
  case "$probe" in
    /*) for path in $probe; do [ -e "$path" ] && return 0; done ;;
    *) command -v "$probe" >/dev/null 2>&1 && return 0; [ -x "/usr/sbin/$probe" ] && return 0 ;;
  esac
  packages="$packages $*"
}

need cc gcc libc6-dev
need git git
need python3 python3
if [ "$task" = test ]; then
  need chromium chromium
  need firefox-esr firefox-esr
  need ffprobe ffmpeg
  need nft nftables
  need ip iproute2
  need faketime faketime
  need prlimit util-linux
  need curl curl
  need unzip unzip
  need pdftotext poppler-utils
  need zbarimg zbar-tools
  need openssl openssl
  need xmllint libxml2-utils
  need smtpd opensmtpd
  need softhsm2-util softhsm2
  need "/usr/lib/postgresql/*/bin/initdb" postgresql
  need pg_dump postgresql-client
  need /usr/share/doc/python3-venv python3-venv
fi

if [ "$task" = bench ]; then
  need c++ g++
  need make make
  need sqlite3 sqlite3
  need taskset util-linux
fi

if [ -n "$packages" ]; then
  echo "install: Debian packages:$packages"
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || { echo "install: needs root; run: sudo apt-get install$packages" >&2; exit 1; }
    as_root="sudo"
  fi
  log="$(mktemp)"
  # A list of packages that is a day old is good enough, so it is fetched only when the first try fails.
  if ! DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $packages >"$log" 2>&1; then
    $as_root apt-get update >>"$log" 2>&1 || true
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $packages >>"$log" 2>&1 \
      || { tail -20 "$log" >&2; rm -f "$log"; exit 1; }
  fi
  rm -f "$log"
fi

if ! command -v cargo >/dev/null 2>&1; then
  echo "install: Rust is missing; install rustup (https://rustup.rs), rust-toolchain.toml names the version" >&2
  exit 1
fi
major="$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')"
if [ "${major:-0}" -lt 20 ]; then
  echo "install: Node 20 or newer is missing (found: $(node --version 2>/dev/null || echo none))" >&2
  exit 1
fi
