#!/bin/sh
# image.sh OUT BASE MIRROR SETTINGS LESSONS RUNGS: what the verb image does as root. Options and their checks: image.cpp.
#   OUT     /: this machine itself, a container that is being built (.devcontainer/Dockerfile). A folder: the root stays there; FILE.tar: an OCI image layout; FILE.zip: an autograder for Gradescope (with RUNGS)
#   LESSONS that the harness has: "00 03"; RUNGS by their numbers: "03/g1 03/g2"; empty: no autograder
#   SETTINGS of the autograder: gradescope.json
#   BASE    a root to copy, of Debian 12 or, for Gradescope, Ubuntu 22.04; empty: made by debootstrap from MIRROR
# LADDER_IMAGE_BIND=DIR is also there while the harness is built: a compiler's cache.
set -eu
out=$1 base=$2 mirror=$3 settings=$4 lessons=$5 rungs=$6
: "${LADDER_ROOT:?started by ./ladder image}"
here=$LADDER_ROOT/common/tool
say() { printf 'image: %s\n' "$*" >&2; }
die() { say "$@"; exit 2; }

case $out in
  /) work=/var/tmp/ladder-image ;;
  *.tar | *.zip) work=$out.work ;;
  *) work=$out.part ;;
esac
[ ! -e "$work" ] || die "$work is there: another image, or one that was interrupted; remove it"
mkdir -p "$work"
work=$(cd "$work" && pwd -P)
root=$work/root
log=$work/log
finished=
ended() { [ "$finished" ] || say "not finished; the log is $log"; }
trap ended EXIT

if [ -n "$rungs" ]; then suite=jammy groups='* *archive *course *zone opencl blas' system="Ubuntu 22.04"; else suite=bookworm groups='* *archive *course cuda cpu mpi opencl blas lessons grade' system="Debian 12"; fi
packages=$(cat "$here/packages.txt" "$LADDER_ROOT"/lessons/*/given/packages.txt 2>/dev/null | while read -r group _ package _; do
  case " $groups " in *" $group "*) printf '%s\n' "$package" ;; esac
done | sort -u)
# 22.04's own compiler is g++ 11; its g++-12 is as that of Debian 12. It has no toml++, of which headers are enough: this machine's.
[ -z "$rungs" ] || packages="$(printf '%s\n' "$packages" | grep -vx libtomlplusplus-dev) g++-12"

offline=
# shellcheck source=common/tool/image_root.sh
. "$here/image_root.sh"

install_packages() {
  say "installing packages"
  inside apt-get update || die "apt-get update failed"
  # shellcheck disable=SC2086  # names, one word each
  inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages || die "apt-get install failed: $(grep '^E:' "$log" | tail -n 1)"
  inside apt-get clean
  if [ -n "$rungs" ]; then
    [ -e /usr/include/toml++/toml.h ] || die "toml++/toml.h is missing: apt-get install libtomlplusplus-dev"
    cp -rL /usr/include/toml++ "$root/usr/include/"
  fi
  rm -rf "$root"/var/lib/apt/lists/*
  [ "$out" = / ] || rm -f "$root/etc/resolv.conf"
}

# Only what is named here: whoever has the image has all of it, and next to a checkout may lie solutions, grades, keys, downloads.
copy_checkout() {
  say "copying the checkout, without solutions"
  mkdir -p "$root/opt/ladder"
  (cd "$LADDER_ROOT" && tar --exclude=docs/results -c ladder CMakeLists.txt CMakePresets.json LICENSE README.md common lessons docs) | tar -C "$root/opt/ladder" -x --no-same-owner
  mkdir -p "$root/opt/ladder/tests"
  # Of tests only the lessons' own, which are called by numbers.
  (cd "$LADDER_ROOT/tests" && tar --exclude=mutants --exclude=attempts --exclude=variants --exclude=benches -c [0-9]*) |
    tar -C "$root/opt/ladder/tests" -x --no-same-owner
  chmod -R go+rX "$root/opt/ladder"
}

build_harness() {
  say "building the harness; this takes minutes. Log: $log"
  [ -z "$rungs" ] || set -- CXX=g++-12 CC=gcc-12
  # shellcheck disable=SC2086  # lessons, one word each
  inside -u LADDER_HARNESS -u LADDER_ROOT -u LADDER_LOCKED LADDER_OFFLINE=1 LADDER_BUILD=/opt/ladder/build "$@" \
    /opt/ladder/ladder image prebuild --prune $lessons ||
    die "the harness does not build: $(tail -n 1 "$log")"
  chmod -R a+rX,go-w "$root/opt/ladder"
}

if [ "$out" = / ]; then
  root=''
  inside() { env "$@" >>"$log" 2>&1; }
else
  make_root
fi
install_packages
copy_checkout
build_harness
if [ -n "$rungs" ]; then
  # shellcheck source=common/tool/gradescope/make_zip.sh
  . "$here/gradescope/make_zip.sh"
else
  [ "$out" = / ] || rm -f "$root"/run/gpu-ladder-users-*
  ln -sf /opt/ladder/ladder "$root/usr/local/bin/ladder"
  printf 'export LADDER_HARNESS=/opt/ladder/build LADDER_OFFLINE=1\n' >"$root/etc/profile.d/ladder.sh"
  case $out in
    *.tar)
      # shellcheck source=common/tool/oci.sh
      . "$here/oci.sh"
      ;;
    /) ;;
    *) mv "$root" "$out" ;;
  esac
fi
rm -rf --one-file-system "$work"
finished=yes
[ "$out" = / ] || say "$out is ready: $(du -sh "$out" | cut -f 1)"
