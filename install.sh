#!/bin/sh
# Builds glyd from this folder and installs it; then compresses and restores a real file before your eyes.
#
#     ./install.sh [--prefix DIR] [--dry-run] [--no-demo]
#
# As root it installs missing Debian packages with apt-get. It never calls sudo: without root it says which line to run.
set -eu

PACKAGES="g++ cmake ninja-build pkg-config libzstd-dev liblz4-dev libxxhash-dev libsimdjson-dev libboost-iostreams-dev libcli11-dev libfmt-dev zlib1g-dev libbz2-dev liblzma-dev scdoc"

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
# Runs a command, or shows it with --dry-run.
run() {
  say "+ $*"
  [ "$dry_run" = yes ] || "$@"
}

usage() {
  sed -n '2,6s/^# \{0,1\}//p' "$here/install.sh"
}

missing_packages() {
  for package in $PACKAGES; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
  done
}

install_packages() {
  command -v dpkg-query >/dev/null 2>&1 || {
    say "This is not a Debian system; the build needs what these packages hold: $PACKAGES"
    return 0
  }
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    fail "packages are missing; run this as root, then ./install.sh again: apt-get install $missing"
  fi
  export DEBIAN_FRONTEND=noninteractive
  run apt-get update -qq
  # shellcheck disable=SC2086 # a list of words
  run apt-get install -y -qq --no-install-recommends $missing
}

# Debian has no static library of simdjson, and a command that loads shared ones takes twice as long to start.
fetch_simdjson() {
  simdjson=
  command -v dpkg-query >/dev/null 2>&1 || return 0
  if run "$here/packaging/fetch_simdjson" "$here/build/simdjson"; then
    simdjson=$here/build/simdjson
  else
    say "Without the sources of simdjson the command is linked dynamically; it does the same and starts 1 ms later."
  fi
}

build_and_install() {
  run cmake --preset release -S "$here" "-DCMAKE_INSTALL_PREFIX=$prefix" "-DGLYD_SIMDJSON_SOURCE=$simdjson" -Wno-dev
  run cmake --build "$here/build/release"
  run cmake --install "$here/build/release"
  if [ "$(id -u)" -eq 0 ] && [ "$dry_run" = no ]; then ldconfig 2>/dev/null || true; fi
}

# Compresses and restores the first sample of the corpus, and compares.
show() {
  glyd="$prefix/bin/glyd"
  sample="$here/corpus/$(awk -F '\t' '$1 == "sample" { print $2; exit }' "$here/corpus/MANIFEST.tsv")"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  say ""
  say "$("$glyd" --version), installed as $glyd. A real file, there and back:"
  for level in --fast -3 -19; do
    "$glyd" -f "$level" "$sample" -o "$work/packed.glyd"
  done
  "$glyd" -d "$work/packed.glyd" -o "$work/restored"
  before=$(sha256sum <"$sample" | cut -c1-64)
  after=$(sha256sum <"$work/restored" | cut -c1-64)
  say "sha256 before: $before"
  say "sha256 after:  $after"
  [ "$before" = "$after" ] || fail "the restored file differs: please report this (SECURITY.md)"
  say "The same, bit for bit."
}

main() {
  here=$(cd "$(dirname "$0")" && pwd)
  if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
  dry_run=no
  demo=yes
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix)
        [ $# -ge 2 ] || fail "--prefix needs a folder"
        prefix=$2
        shift
        ;;
      --prefix=*) prefix=${1#--prefix=} ;;
      --dry-run) dry_run=yes ;;
      --no-demo) demo=no ;;
      -h | --help)
        usage
        exit 0
        ;;
      *) fail "unknown option $1; see ./install.sh --help" ;;
    esac
    shift
  done
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  cd "$here"
  install_packages
  fetch_simdjson
  build_and_install
  if [ "$demo" = yes ] && [ "$dry_run" = no ]; then show; fi
}

main "$@"
