#!/bin/bash
# Questions (./ladder viva) about all CUDA references of lessons 00 and 03, and about right submissions of honest/: each must get
# three, and says what they show. `./ladder test` asks about one submission only (verbs_test.sh); this takes long.
#   ask_all.sh [CHECKOUT] [RUNGS]    RUNGS: 00/g1-g10,03/g1-g7 by default
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
checkout=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
rungs=${2:-00/g1-g10,03/g1-g7}
build=${LADDER_BUILD:-$checkout/build}
tool=${LADDER_TOOL:-$build/bin/ladder-class}  # not ./ladder, which would wait for the test that calls this
[ -x "$tool" ] || { echo "no program $tool: it is built before"; exit 1; }
export LADDER_ROOT=$checkout LADDER_BUILD=$build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/tmp" "$work/class" "$work/class/reference"
chmod 1777 "$work/tmp"
export TMPDIR=$work/tmp
failed=0
honest=$checkout/tests/grading/honest/03-dgemm
add() { mkdir -p "$work/class/$1"; cp "$2" "$work/class/$1/$(basename "$2" | sed 's/\..*\.cu$/.cu/')"; }
cp "$checkout"/solutions/00-first-steps/*.cu "$checkout"/solutions/03-dgemm/g*.cu "$work/class/reference"
case $rungs in *03/g1*) for name in flat_block old_c templates unrolled row_blocks own_stream functor; do add "$name" "$honest/g1_naive.$name.cu"; done ;; esac
add dynamic "$honest/g2_shared_tiles.dynamic.cu"
timeout 1800 "$tool" grade "$work/class" --out "$work/grades" --rungs "$rungs" >"$work/output" 2>&1 || { tail -n 5 "$work/output"; exit 1; }
for folder in "$work"/class/*; do
  name=$(basename "$folder")
  student=$(basename "$(grep -l "\"name\": \"$name\"" "$work"/grades/records/*.json)" .json)
  for file in "$folder"/*.cu; do
    step=$(basename "$file" .cu)
    lesson=03
    [ -e "$checkout/solutions/00-first-steps/$step.cu" ] && lesson=00
    grep -q "\"name\": \"$step\"" "$work/grades/records/$student.json" || continue
    "$tool" viva "$work/grades" "$student" "$lesson/${step%%_*}" >"$work/output" 2>&1
    said=$(grep ' questions of ' "$work/output" | sed 's/ edits.*//')
    page=$work/grades/viva/$student-$lesson-$step.html
    if [ "${said%% *}" = 3 ] && [ "$(grep -c '<h2>Answer' "$page")" = 3 ]; then
      echo "ok      $name $lesson/$step: $(grep -E '^[A-Z]+ ' "$work/output" | sed 's/  *In line.*//; s/  *The .*//' | tr '\n' ' ')"
    else
      echo "FAILED  $name $lesson/$step: ${said:-$(tail -n 1 "$work/output")}"
      grep -E '^[A-Z]+ ' "$work/output" | sed 's/^/        /'
      failed=1
    fi
  done
done
exit $failed
