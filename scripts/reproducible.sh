#!/bin/bash
# Builds the release binary of the present commit twice, in two folders of other names and lengths, and compares the bytes.
set -eu
cd "$(dirname "$0")/.."
repository="$PWD"
work="$(mktemp -d /tmp/atalaya-twice.XXXXXX)"
trap 'rm -rf "$work"' EXIT

build() { # build FOLDER
  mkdir -p "$1/src"
  git archive HEAD | tar -x -C "$1/src"
  # The packages that are here already, so that only the build is done twice.
  [ -d web/node_modules ] && cp -al web/node_modules "$1/src/web/node_modules"
  # Nothing of an earlier build is taken: neither cargo's folder nor the web app's.
  (cd "$1/src" && CARGO_TARGET_DIR="$1/target" CARGO_INCREMENTAL=0 scripts/build.sh)
  cp "$1/src/target/release/atalaya" "$work/$(basename "$1").bin"
  (cd "$1/src/web/dist" && find . -type f ! -name '*.map' -print0 | sort -z | xargs -0 sha256sum) >"$work/$(basename "$1").web"
  # One at a time: two builds are several gigabytes.
  rm -rf "$1"
}

[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "reproducible: files differ from the commit; the commit is built"
build "$work/one"
build "$work/another-folder-with-a-longer-name"
cd "$work"
if ! diff one.web another-folder-with-a-longer-name.web; then
  echo "error: the web app is another one the second time"
  exit 1
fi
if ! cmp one.bin another-folder-with-a-longer-name.bin; then
  echo "error: the binary is another one the second time; $(cmp -l one.bin another-folder-with-a-longer-name.bin | wc -l) bytes differ"
  for bin in *.bin; do strings -n 12 "$bin" | sort -u >"$bin.txt"; done
  echo "texts that are in one of them only:"
  diff one.bin.txt another-folder-with-a-longer-name.bin.txt | head -20 || true
  exit 1
fi
echo "reproducible: twice $(sha256sum one.bin | cut -d' ' -f1), $(stat -c %s one.bin) bytes, of $(git -C "$repository" rev-parse HEAD)"
