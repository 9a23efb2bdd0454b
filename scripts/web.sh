#!/bin/sh
# The web app's packages and build, each only when something changed.
#
#   scripts/web.sh install   node_modules as package-lock.json says
#   scripts/web.sh build     web/dist, with a brotli twin beside every text file
set -eu
cd "$(dirname "$0")/../web"

stamp_of() { cat "$@" | sha256sum | cut -d' ' -f1; }

install() {
  want="$(stamp_of package.json package-lock.json)"
  [ "$(cat node_modules/.atalaya-stamp 2>/dev/null)" = "$want" ] && return 0
  echo "web: installing packages"
  # A registry that lacks some platform's optional packages leaves the lock without them, and `npm ci` then refuses;
  # `npm install` takes the same locked versions and does without.
  npm ci --no-audit --no-fund --prefer-offline --loglevel=silent \
    || npm install --no-save --no-audit --no-fund --prefer-offline --loglevel=error
  echo "$want" >node_modules/.atalaya-stamp
}

sources() {
  find src external public ../locales -type f -not -path '*/node_modules/*' -print0 | sort -z | xargs -0 sha256sum
  sha256sum package-lock.json index.html ./*.ts ./*.cjs ./*.json
}

build() {
  install
  want="$(sources | sha256sum | cut -d' ' -f1)"
  [ "$(cat dist/.atalaya-stamp 2>/dev/null)" = "$want" ] && return 0
  echo "web: building"
  npm run --silent build
  node ../scripts/precompress.mjs dist
  echo "$want" >dist/.atalaya-stamp
}

case "${1:-}" in
  install) install ;;
  build) build ;;
  *) sed -n '2,6p' "../scripts/web.sh" >&2; exit 2 ;;
esac
