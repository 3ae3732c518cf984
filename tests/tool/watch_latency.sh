#!/bin/bash
# How long ./ladder watch takes from a save to the verdict, and to counters and findings: median and worst of many saves.
# It saves a step of this checkout again and again, and puts it back; `./ladder test` does not call this.
#   watch_latency.sh [SAVES] [STEP] [FILE]     default: 20 00/g1 00-first-steps/g1_first_kernel.cu
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
cd "$(dirname "$0")/../.." || exit 2
saves=${1-20} step=${2-00/g1} name=${3-00-first-steps/g1_first_kernel.cu}
[ -e "solutions/$name" ] || { echo "no solutions/$name"; exit 2; }
command -v script >/dev/null || { echo "needs script (package bsdutils)"; exit 77; }
work=$(mktemp -d) file=lessons/$name screen=$work/screen
cp -p "$file" "$work/yours"
: >"$screen"
[ -d .ladder ] && cp -rp .ladder "$work/state"
finish() {
  kill "$watch" 2>/dev/null
  wait "$watch" 2>/dev/null
  cp -p "$work/yours" "$file"
  rm -rf .ladder
  [ -d "$work/state" ] && mv "$work/state" .ladder
  rm -rf "$work"
}
watch=
trap finish EXIT
trap 'exit 130' INT TERM
now() { date +%s%N; }
shown() { grep -ac "$1" "$screen"; }
# await TEXT COUNT: until the screen has shown it that many times.
await() {
  local end=$(($(now) + 300 * 1000000000))
  until [ "$(shown "$1")" -ge "$2" ]; do
    [ "$(now)" -lt "$end" ] || { echo "not shown: $1"; tail -c 2000 "$screen"; exit 1; }
    sleep 0.02
  done
}

cp "solutions/$name" "$file"
mkfifo "$work/keys" && exec 3<>"$work/keys" # at the end of its input script would end watch
COLUMNS='' NO_COLOR=1 TERM=xterm script -qfc "./ladder watch $step" "$screen" <&3 >/dev/null 2>&1 &
watch=$!
await "right so far" 1
await "points" 1
sleep 2
for ((i = 1; i <= saves; ++i)); do
  { cat "solutions/$name"; echo "// save $i"; } >"$work/next"
  begin=$(now)
  cp "$work/next" "$file"
  await "right so far" $((i + 1))
  verdict=$(now)
  await "to the end" "$i"
  echo "$(((verdict - begin) / 1000000)) $((($(now) - begin) / 1000000))" >>"$work/times"
  sleep 0.3
done
say() { sort -n | awk -v what="$1" '{ t[NR] = $1 } END { printf "%-24s median %.1f s, worst %.1f s\n", what, (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2000, t[NR] / 1000 }'; }
echo "$saves saves of $step, $(nproc) cores, load $(cut -d ' ' -f 1-3 /proc/loadavg)"
cut -d ' ' -f 1 "$work/times" | say "to the verdict"
cut -d ' ' -f 2 "$work/times" | say "with counters, findings"
