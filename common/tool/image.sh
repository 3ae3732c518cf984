#!/bin/sh
# image.sh OUT BASE MIRROR PER_DAY LESSONS RUNGS: what the verb image does as root. Options and their checks: image.cpp.
#   OUT     a folder: the root stays there; FILE.tar: an OCI image layout; FILE.zip: an autograder for Gradescope (with RUNGS)
#   LESSONS that the harness has: "00 03"; RUNGS by their numbers: "03/g1 03/g2"; empty: no autograder
#   BASE    a root to copy, of Debian 12 or, for Gradescope, Ubuntu 22.04; empty: made by debootstrap from MIRROR
# LADDER_IMAGE_BIND=DIR is also there while the harness is built: a compiler's cache.
set -eu
out=$1 base=$2 mirror=$3 per_day=$4 lessons=$5 rungs=$6
: "${LADDER_ROOT:?started by ./ladder image}"
here=$LADDER_ROOT/common/tool
say() { printf 'image: %s\n' "$*" >&2; }
die() { say "$@"; exit 2; }

case $out in
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

if [ -n "$rungs" ]; then suite=jammy groups='*' system="Ubuntu 22.04"; else suite=bookworm groups='* lessons grade' system="Debian 12"; fi
packages=$(cat "$here/packages.txt" "$LADDER_ROOT"/lessons/*/given/packages.txt 2>/dev/null | while read -r group _ package _; do
  case " $groups " in *" $group "*) printf '%s\n' "$package" ;; esac
done | sort -u)
# 22.04's own compiler is g++ 11; its g++-12 is as that of Debian 12.
[ -z "$rungs" ] || packages="$packages g++-12"

# Runs a command in the root, with processes and devices, without the machine's other files.
inside() {
  # shellcheck disable=SC2016  # the inner shell's variables
  unshare --mount --pid --fork sh -c '
    root=$1 bind=$2; shift 2
    mount --make-rprivate /
    mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/tmp"
    if [ -n "$bind" ]; then mkdir -p "$root$bind"; mount --bind "$bind" "$root$bind"; fi
    exec chroot "$root" env "$@"' sh "$root" "${LADDER_IMAGE_BIND-}" "$@" >>"$log" 2>&1
}

make_root() {
  if [ -n "$base" ]; then
    say "copying $base"
    cp -a "$base" "$root"
    grep -qi "$suite" "$root/etc/os-release" || die "--base $base is no root of $system"
  else
    command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap, or give --base"
    say "making a root of $system"
    [ -n "$mirror" ] || case $suite in
      jammy) mirror=http://archive.ubuntu.com/ubuntu ;;
      *) mirror=http://deb.debian.org/debian ;;
    esac
    [ "$suite" != jammy ] || set -- --components=main,universe
    debootstrap --variant=minbase --include=ca-certificates "$@" "$suite" "$root" "$mirror" >>"$log" 2>&1 ||
      die "debootstrap failed: $(tail -n 1 "$log")"
  fi
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  say "installing packages"
  inside apt-get update || die "apt-get update failed"
  # shellcheck disable=SC2086  # names, one word each
  inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages || die "apt-get install failed: $(grep '^E:' "$log" | tail -n 1)"
  inside apt-get clean
  rm -rf "$root"/var/lib/apt/lists/* "$root/etc/resolv.conf"
}

# Without solutions and what is made of them: whoever has the image has all of it.
copy_checkout() {
  say "copying the checkout, without solutions"
  mkdir -p "$root/opt/ladder"
  harness=./tests unneeded=  # the tests of harness and grading
  for folder in common tool grading; do unneeded="$unneeded --exclude=$harness/$folder"; done
  tar -C "$LADDER_ROOT" --exclude=./build --exclude=./.git --exclude=./.ladder --exclude=./solutions --exclude=mutants \
    --exclude=attempts --exclude=variants --exclude=benches $unneeded \
    --exclude=./docs/results -c . | tar -C "$root/opt/ladder" -x --no-same-owner
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

make_root
copy_checkout
build_harness
if [ -n "$rungs" ]; then
  # shellcheck source=common/tool/gradescope/make_zip.sh
  . "$here/gradescope/make_zip.sh"
else
  ln -sf /opt/ladder/ladder "$root/usr/local/bin/ladder"
  printf 'export LADDER_HARNESS=/opt/ladder/build LADDER_OFFLINE=1\n' >"$root/etc/profile.d/ladder.sh"
  case $out in
    *.tar)
      # shellcheck source=common/tool/oci.sh
      . "$here/oci.sh"
      ;;
    *) mv "$root" "$out" ;;
  esac
fi
rm -rf --one-file-system "$work"
finished=yes
say "$out is ready: $(du -sh "$out" | cut -f 1)"
