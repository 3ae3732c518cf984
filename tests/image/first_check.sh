#!/bin/bash
# What a student has of a root by `./ladder image`: it read-only, no network, a random user, no packages or harness built.
#   tests/image/first_check.sh ROOT [STEP]      as root; STEP: 00/g1. Prints what it measured; fails where the step does not pass, or the
#   student's build folder has 200 MB or more. The copy is a handout's: no solutions; the step's reference is what "the student wrote".
set -euo pipefail
root=$(cd "$1" && pwd) step=${2:-00/g1}
checkout=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
mounts=$work/root
trap 'umount "$mounts/home" 2>/dev/null; umount -R "$mounts" 2>/dev/null; rm -rf --one-file-system "$work"' EXIT
user=$((70000 + RANDOM))
mkdir "$mounts"
mount --bind "$root" "$mounts"
mount -o remount,bind,ro "$mounts"
mount -t tmpfs -o size=400m,mode=755 tmpfs "$mounts/home"
copy=$mounts/home/copy
mkdir "$copy"
tar -C "$checkout" --exclude=./build --exclude=./.git --exclude=./solutions --exclude=./tests/grading --exclude=./docs/results -c . | tar -C "$copy" -x
lesson=$(basename "$checkout"/lessons/"${step%/*}"-*)
cp "$checkout"/solutions/"$lesson"/"${step#*/}"_*.c* "$copy/lessons/$lesson/"
chown -R "$user:$user" "$copy"

as_student() { # WHERE COMMAND…
  local where=$1
  shift
  # shellcheck disable=SC2016  # the inner shell's variables
  taskset -c 0,1 unshare --mount --pid --net --fork sh -c '
    root=$1 user=$2 where=$3; shift 3
    mount --make-rprivate /; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups env -i PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb \
      LADDER_HARNESS=/opt/ladder/build LADDER_OFFLINE=1 sh -c "cd $where && exec \"\$@\"" sh "$@"' sh "$mounts" "$user" "$where" "$@"
}

# Nothing of it is in memory yet, as far as this machine lets us say so.
sync; { echo 3 >/proc/sys/vm/drop_caches; } 2>/dev/null || echo "(the page cache was warm)"
echo "load of this machine before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
for call in first second; do
  TIMEFORMAT="$call check $step, user $user: %R s, of them %U + %S s of a processor"
  time { as_student /home/copy ./ladder check "$step" >"$work/output" 2>&1 || { cat "$work/output"; exit 1; }; }
done
head -n 3 "$work/output"
megabytes=$(du -sm "$copy/build" | cut -f 1)
echo "the student's build folder: $megabytes MB; the harness in the root: $(du -sh "$root/opt/ladder" | cut -f 1), the root: $(du -sh "$root" | cut -f 1)"
[ "$megabytes" -lt 200 ] || { echo "FAILED: 200 MB or more"; exit 1; }
# Without a copy and without a home: what is in the root itself. Nobody has written anything there: NOT STARTED, status 1.
as_student / ladder check "$step" >"$work/output" 2>&1 && status=0 || status=$?
if [ "$status" != 1 ] || ! grep -q "NOT STARTED" "$work/output"; then
  cat "$work/output"
  echo "FAILED: without a copy"
  exit 1
fi
echo "without a copy or a home: $(grep -m 1 "NOT STARTED" "$work/output")"
