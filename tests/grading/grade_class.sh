#!/bin/bash
# Makes a class, grades it, and looks at what came of it: verdicts, what is left on the machine, memory of the grader, time.
#   grade_class.sh FOLDER SEED COUNT MODE [OPTIONS OF GRADE]     MODE: bwrap, uid, none (with --trust), or best: what works here
# Called by class_test.sh with a short class. The whole one: docs/grading.md.
set -euo pipefail
folder=$1 seed=$2 count=$3 mode=$4
shift 4
[ "$mode" = best ] || set -- --sandbox "$mode" "$@"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tool=${LADDER_TOOL:-$root/ladder}
rm -rf "$folder"
mkdir -p "$folder"
bash "$here/make_class.sh" "$folder" "$seed" "$count"

# Each tool process' greatest resident memory so far.
watch_memory() { # PID
  while kill -0 "$1" 2>/dev/null; do
    for pid in "$1" $(cat "/proc/$1/task/"*"/children" 2>/dev/null); do
      awk -v pid="$pid" '/^Name:/ { name = $2 } /^VmHWM:/ && name ~ /^(ladder-class|tool)/ { print $2, pid }' "/proc/$pid/status" 2>/dev/null || true
    done
    sleep 0.5
  done >"$folder/memory"
}

sh "$here/leftovers.sh" >"$folder/before"
began=$SECONDS
"$tool" grade "$folder/submissions" --out "$folder/grades" --rungs 03/g1-g3 "$@" >"$folder/output" 2>&1 &
grader=$!
watch_memory "$grader" &
status=0
wait "$grader" || status=$?
took=$((SECONDS - began))
wait
new=$(sh "$here/leftovers.sh" | comm -13 "$folder/before" -)
failed=0
tail -n 12 "$folder/output"
[ "$status" = 0 ] || { echo "FAILED: the grader ended with status $status"; failed=1; }
sh "$here/check_class.sh" "$folder" "$folder/grades" || failed=1
[ -z "$new" ] || { echo "FAILED: left behind: $new"; failed=1; }
peak=$(sort -n "$folder/memory" | tail -n 1 | cut -d ' ' -f 1)
echo "$count submissions in $took s; sandbox $mode; a process of the grader had $((${peak:-0} / 1000)) MB at most"
[ "${peak:-0}" -lt 300000 ] || { echo "FAILED: more than 300 MB"; failed=1; }
exit $failed
