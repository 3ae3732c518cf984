#!/bin/sh
# try_zip.sh ZIP TRIALS RESULTS BASE MIRROR: what `course check --zip` does as root. As the platform: setup.sh once, in a fresh root of
# Ubuntu 22.04, then run_autograder for each entry of TRIALS, without a network. A folder lies in /autograder/submission as its
# files, an archive as it is. RESULTS/NAME.json is what the platform would have read.
#   BASE    a root of Ubuntu 22.04 to copy; empty: made by debootstrap from MIRROR
set -eu
zip=$(readlink -f "$1") trials=$2 results=$3 base=$4 mirror=$5
here=$(cd "$(dirname "$0")/.." && pwd)
say() { printf 'course: %s\n' "$*" >&2; }
die() { say "$@"; exit 2; }
# What a run that was killed with -9 has left; its number is in the name.
for old in "${TMPDIR:-/var/tmp}"/ladder-zip-*; do
  number=${old##*/ladder-zip-}
  [ ! -d "$old" ] || kill -0 "${number%%.*}" 2>/dev/null || rm -rf --one-file-system "$old"
done
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" "ladder-zip-$$.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM HUP
# shellcheck disable=SC2034  # of image_root.sh
root=$work/root log=$work/log suite=jammy system="Ubuntu 22.04" offline='' LADDER_IMAGE_BIND=''
# shellcheck source=common/tool/image_root.sh
. "$here/image_root.sh"

make_root
mkdir -p "$root/autograder/source"
(cd "$root/autograder/source" && cmake -E tar xf "$zip") || die "$zip cannot be unpacked"
[ -e "$root/autograder/source/gradescope.json" ] || die "$zip is no autograder by ./ladder image --gradescope"
cp "$root/autograder/source/run_autograder" "$root/autograder/"
say "setup.sh"
inside -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh /autograder/source/setup.sh ||
  die "setup.sh failed: $(tail -n 1 "$log")"
offline=yes
for trial in "$trials"/*; do
  name=$(basename "$trial")
  say "$name"
  rm -rf "$root/autograder/submission" "$root/autograder/results"
  mkdir -p "$root/autograder/submission" "$root/autograder/results"
  if [ -d "$trial" ]; then
    cp -R "$trial/." "$root/autograder/submission/"
  else
    cp "$trial" "$root/autograder/submission/"
  fi
  inside -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /autograder/run_autograder ||
    die "run_autograder failed at $name: $(tail -n 1 "$log")"
  cp "$root/autograder/results/results.json" "$results/$name.json"
done
