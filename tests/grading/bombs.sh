#!/bin/bash
# Grades submissions that want all of a resource, while a probe looks whether the machine stays usable.
#   bombs.sh FOLDER MODE [NAME...]     MODE: bwrap, uid, or best: what works here; NAME: of tests/grading/attacks/03-dgemm
# The probe starts a program again and again that takes 64 MB of memory and writes it to disk. The end is right when each had its
# verdict, the probe always had an answer, no process, file or shared memory is left, and memory and disk are free again.
set -euo pipefail
folder=$1 mode=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tool=${LADDER_TOOL:-$root/ladder}
source_of() { find "$here/attacks/03-dgemm" -name "g1_naive.$1.cu"; }
[ $# -gt 0 ] || set -- fork_bomb thread_bomb descriptor_bomb terabyte terabyte_mapped all_memory shared_memory_pages \
  memory_files page_tables disk unlinked_files signal_storm signal_flood compiler_memory
rm -rf "$folder"
mkdir -p "$folder/submissions" "$folder/tmp"
chmod 755 "$folder"
chmod 1777 "$folder/tmp"
for name in "$@"; do
  mkdir -p "$folder/submissions/$name"
  cp "$(source_of "$name")" "$folder/submissions/$name/g1_naive.cu"
  cp "$here"/fixtures/03-dgemm/{honest,launch}.cuh "$folder/submissions/$name"
done

leftovers() { # of submissions, and of the tool
  sh "$here/leftovers.sh"
  ls -A "$folder/tmp"
  grep -lsF "$folder/tmp" /proc/[0-9]*/environ || true
}
available() { awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo; }
free_disk() { df -Pm "$folder" | awk 'NR == 2 { print $4 }'; }
probe() { # writes "milliseconds MB-available MB-free processes" for each try, or what failed
  local began
  while [ -e "$folder/probing" ]; do
    began=$(date +%s%N)
    if dd if=/dev/zero of="$folder/probe" bs=64M count=1 status=none 2>"$folder/probe-error"; then
      set -- /proc/[0-9]*
      echo "$((($(date +%s%N) - began) / 1000000)) $(available) $(free_disk) $#"
    else
      echo "failed: $(cat "$folder/probe-error")"
    fi
    sleep 0.2
  done >"$folder/probed" 2>&1
}

before=$(leftovers) memory=$(available) disk=$(free_disk) began=$SECONDS
touch "$folder/probing"
probe &
status=0
[ "$mode" = best ] || options="--sandbox $mode"
TMPDIR=$folder/tmp "$tool" grade "$folder/submissions" --out "$folder/grades" --rungs 03/g1 --jobs 2 ${options-} >"$folder/output" 2>&1 || status=$?
took=$((SECONDS - began))
rm "$folder/probing"
wait
rm -f "$folder/probe"

if grep -q 'cannot be sandboxed here' "$folder/output"; then tail -n 1 "$folder/output"; exit 77; fi
failed=0
fail() { echo "FAILED: $*"; failed=1; }
[ "$status" = 0 ] || { tail -n 12 "$folder/output"; fail "the grader ended with status $status"; }
for name in "$@"; do
  record=$(grep -ls "\"name\": \"$name\"" "$folder"/grades/records/*.json || true)
  verdict=$(sed -n '/"staff"/,/}/s/^ *"verdict": "\(.*\)"/\1/p' "${record:-/dev/null}")
  wanted=$(sed -n 's,^// verdict ,,p' "$(source_of "$name")")
  judged=$(sed -n 's/^ *"judged_as": "\(.*\)",*/ judged \1/p' "${record:-/dev/null}")
  echo "$name: $verdict$judged"
  while read -r words; do
    grep -qsF -- "$words" "${record:-/dev/null}" || fail "$name: its record does not say: $words"
  done < <(sed -n 's,^// must ,,p' "$(source_of "$name")")
  [[ "|$wanted|" == *"|$verdict|"* ]] || fail "$name: expected $wanted, got ${verdict:-nothing}"
done
grep -q '^[0-9]' "$folder/probed" || fail "the probe had no answer"
! grep '^failed' "$folder/probed" || fail "the machine was not usable"
new=$(comm -13 <(sort <<<"$before") <(sort <<<"$(leftovers)"))
[ -z "$new" ] || fail "left behind: $new"
# Others work on this machine, too: three quarters of both must be free again.
free_again() { [ $(($(available) * 4)) -ge $((memory * 3)) ] && [ $(($(free_disk) * 4)) -ge $((disk * 3)) ]; }
for _ in $(seq 60); do free_again && break; sleep 1; done
free_again || fail "free before: $memory MB of memory, $disk MB of disk; now $(available) and $(free_disk)"
limits=$(sed -n 's/^ *"limits": "\(.*\)",*/\1/p' "$folder"/grades/records/*.json | sort -u)
echo "$# bombs in $took s; sandbox $(sed -n 's/^ *"sandbox": "\(.*\)",*/\1/p' "$folder"/grades/records/*.json | sort -u); limits: $limits"
awk -v memory="$memory" -v disk="$disk" 'NR == 1 { low = $2; room = $3 }
  { if ($1 > slow) slow = $1; if ($2 < low) low = $2; if ($3 < room) room = $3; if ($4 > most) most = $4 }
  END { printf "%d probes, the slowest %.1f s; at worst %d MB less memory, %d MB less disk; %d processes at most\n",
        NR, slow / 1000, memory - low, disk - room, most }' "$folder/probed"
exit $failed
