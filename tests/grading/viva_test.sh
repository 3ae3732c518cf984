#!/bin/bash
# Questions about submissions: CUDA references of lessons 00 and 03 and right submissions of honest/, each with three edits that
# have an effect. `./ladder test` calls this with the checkout.
#   viva_test.sh [CHECKOUT] [all]    exit status 77: it could not run, and the last line says why
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
checkout=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
which=${2:-few}
build=${LADDER_BUILD:-$checkout/build}
tool=${LADDER_TOOL:-$build/bin/ladder-tool}  # not ./ladder, which would wait for the test that calls this
[ -x "$tool" ] || { echo "not tried: no program $tool"; exit 77; }
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
rungs=03/g2
add dynamic "$honest/g2_shared_tiles.dynamic.cu"
if [ "$which" = all ]; then
  rungs=00/g1-g9,03/g1-g6
  cp "$checkout"/solutions/00-first-steps/*.cu "$checkout"/solutions/03-dgemm/g*.cu "$work/class/reference"
  for name in flat_block old_c templates unrolled row_blocks own_stream functor; do add "$name" "$honest/g1_naive.$name.cu"; done
else
  rm -r "$work/class/reference"
fi
timeout 1800 "$tool" grade "$work/class" --out "$work/grades" --rungs "$rungs" >"$work/output" 2>&1 || { tail -n 5 "$work/output"; exit 1; }
for folder in "$work"/class/*; do
  name=$(basename "$folder")
  student=$(basename "$(grep -l "\"name\": \"$name\"" "$work"/grades/records/*.json)" .json)
  for file in "$folder"/*.cu; do
    step=$(basename "$file" .cu)
    lesson=03
    [ -e "$checkout/solutions/00-first-steps/$step.cu" ] && lesson=00
    "$tool" viva "$work/grades" "$student" "$lesson/${step%%_*}" >"$work/output" 2>&1
    said=$(grep ' questions of ' "$work/output" | sed 's/ edits.*//')
    page=$work/grades/viva/$student-$lesson-$step.html
    if [ "${said%% *}" = 3 ] && [ "$(grep -c '<h2>Answer' "$page")" = 3 ]; then
      echo "ok      $name $lesson/$step: $said"
    else
      echo "FAILED  $name $lesson/$step: ${said:-$(tail -n 1 "$work/output")}"
      grep -E '^[A-Z]+ ' "$work/output" | sed 's/^/        /'
      failed=1
    fi
  done
done
exit $failed
