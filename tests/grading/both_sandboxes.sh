#!/bin/bash
# Grades all solutions, mutants and variants of lessons in both sandboxes with one key: each a submission of its own, and verdicts,
# cases, counters, findings and points must be the same in both, and the verdict that of the mutant's file.
#   both_sandboxes.sh FOLDER LESSON...     LESSON: 03-dgemm; FOLDER gets LESSON/submissions, expected.csv, bwrap and uid (grades)
# As root, with bubblewrap. In the environment: OPTIONS, options of grade (--jobs 2); ONLY=solutions leaves out mutants and variants;
# STEPS='g* t?', patterns of steps: those only. Nothing of a submission may be left afterwards, either.
set -euo pipefail
folder=$(realpath -m "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cut=${LADDER_BUILD:-$root/build}/bin/cut
[ -x "$cut" ] || { echo "both_sandboxes.sh: no $cut: ninja -C build cut" >&2; exit 2; }
tool=${LADDER_TOOL:-$root/ladder}
failed=0
mkdir -p "$folder"
[ -e "$folder/class.key" ] || "$tool" grade key "$folder/class.key" >/dev/null
sh "$here/leftovers.sh" >"$folder/before"
read -ra patterns <<<"${STEPS-*}"
for lesson; do
  of=$folder/$lesson
  mkdir -p "$of/submissions"
  echo submission,step,verdict >"$of/expected.csv"
  rungs=()
  for solution in "$root/solutions/$lesson"/*.c*; do
    file=$(basename "$solution") stem=$(basename "${solution%.*}")
    step=${stem%%_*}
    chosen=
    for pattern in "${patterns[@]}"; do
      # shellcheck disable=SC2254
      case $step in $pattern) chosen=yes ;; esac
    done
    [ -n "$chosen" ] || continue
    rungs+=("${lesson%%-*}/$step")
    mkdir -p "$of/submissions/$step"
    cp "$solution" "$of/submissions/$step/"
    echo "$step,${lesson%%-*}/$step,PASS" >>"$of/expected.csv"
    [ "${ONLY-}" != solutions ] || continue
    for list in "$root/tests/$lesson/mutants/$stem.mutants" "$root/tests/$lesson/variants/$stem.variants"; do
      [ -e "$list" ] || continue
      while read -r name verdict; do
        mkdir -p "$of/submissions/$step~$name"
        "$cut" mutant "$solution" "$list" "$name" >"$of/submissions/$step~$name/$file"
        echo "$step~$name,${lesson%%-*}/$step,$verdict" >>"$of/expected.csv"
      done < <(awk '$1 == "mutant" { name = $2 } $1 == "verdict" { sub(/^verdict /, ""); gsub(/ or /, "|"); print name, $0 }' "$list")
    done
  done
  for mode in bwrap uid; do
    began=$SECONDS
    # shellcheck disable=SC2086
    "$tool" grade "$of/submissions" --out "$of/$mode" --rungs "${rungs[@]}" --sandbox $mode --key "$folder/class.key" \
      ${OPTIONS-} >"$of/$mode.log" 2>&1 || { tail -n 5 "$of/$mode.log"; failed=1; }
    echo "$lesson, $mode: $(sh "$here/check_class.sh" "$of" "$of/$mode" | tail -n 40), $((SECONDS - began)) s"
  done
  records=0 different=0
  for record in "$of"/bwrap/records/*.json; do
    records=$((records + 1))
    "$tool" results compare "$record" "$of/uid/records/$(basename "$record")" >"$of/compared" 2>&1 && continue
    different=$((different + 1))
    sed "s|^|$(basename "$record"): |" "$of/compared"
  done
  echo "$lesson: $records submissions, $different with a difference between the sandboxes"
  [ "$different" = 0 ] || failed=1
done
left=$(sh "$here/leftovers.sh" | comm -13 "$folder/before" -)
[ -z "$left" ] || { echo "left behind: $left"; failed=1; }
exit $failed
