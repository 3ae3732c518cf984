#!/bin/bash
# Lets the judges of a build start workers that another compiler made, or another processor's. How: docs/grading-parity.md
#   judge_elsewhere.sh BUILD LESSON...   puts itself instead of BUILD/judges/LESSON, whose program it keeps as LESSON.native
# After that, ./ladder check and test read
#   OTHER_WORKERS=DIR   the plan's workers are replaced by those of the same name in DIR, where it has them
#   OTHER_ROOT=ROOT     judge and workers run in this root, which gets /tmp and the folder of the checkout from here; DIR is in it
#   OTHER_LOG=FILE      gets a line for each worker that was replaced
set -euo pipefail
program=$0.native
if [ ! -e "$program" ]; then
  [ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
  judges=$1/judges
  shift
  for lesson; do
    cmp -s "$0" "$judges/$lesson" && continue
    mv "$judges/$lesson" "$judges/$lesson.native"  # also when it was built again
    cp "$0" "$judges/$lesson"
    chmod +x "$judges/$lesson"
  done
  exit
fi
[ -n "${OTHER_WORKERS-}" ] || exec "$program" "$@"
build=$(cd "$(dirname "$0")/.." && pwd)
for worker in $(grep -oE "\"$build/workers/[^\"]+\"" "$LADDER_PLAN" | tr -d '"' | sort -u); do
  other=$OTHER_WORKERS/${worker#"$build/workers/"}
  [ -x "${OTHER_ROOT-}$other" ] || continue
  sed -i "s#\"$worker\"#\"$other\"#g" "$LADDER_PLAN"
  echo "$other" >>"${OTHER_LOG:-/dev/null}"
done
[ -n "${OTHER_ROOT-}" ] || exec "$program" "$@"
exec unshare --mount bash -c '
  root=$1 checkout=$2 program=$3
  shift 3
  mount --make-rprivate / && mount --bind "$root" "$root" && cd "$root" && mkdir -p ".$checkout" .host
  for folder in /proc /sys /dev; do mount --rbind $folder .$folder; done
  for folder in "$checkout" /tmp; do mount --bind "$folder" ".$folder"; done
  pivot_root . .host && cd / && umount -l /.host && exec "$program" "$@"' - "$OTHER_ROOT" "$LADDER_ROOT" "$program" "$@"
