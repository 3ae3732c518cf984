#!/bin/sh
# The executor without the rest: copies it, common/base, its programs and their header, and its tests out, builds two programs in
# a project of their own, and runs them.
# Guards: common/executor/README.md
#   alone_test.sh [CHECKOUT]     a minute; exit status 77: it could not run, and the last line says why
# queue: targets tests/test-executor
# queue: cost 40
# queue: memory 2
set -u
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tests/common" "$work/common"
cp -R "$checkout/common/base" "$checkout/common/executor" "$checkout/common/device" "$checkout/common/programs" "$work/common/"
cp -R "$checkout/tests/common/executor" "$work/tests/common/"
cp "$checkout/tests/common/catch.hpp" "$work/tests/common/"

try() { # try WHAT COMMAND...: its output is shown only when it fails
  what=$1
  shift
  if ! "$@" >"$work/log" 2>&1; then
    grep -E 'error|Error|FAILED|No such' "$work/log" | head -5
    tail -n 20 "$work/log"
    echo "the executor alone: $what failed"
    exit 1
  fi
}
# The objects of the executor and of common/base are those of the whole project, but for what is made of anything that is not here: that
# is compiled, and fails.
build=${LADDER_BUILD:-$checkout/build}
others=$(for folder in "$checkout"/common/*/; do
  folder=${folder%/}
  [ -d "$work/common/${folder##*/}" ] || echo "/common/${folder##*/}/"
done)
# shellcheck disable=SC2086  # a list
sh "$checkout/tests/tool/adding/reusable.sh" "$checkout" "$build" $others /lessons/ /solutions/ /tests/ |
  grep -E '^CMakeFiles/(ladder-(base|executor|executor-observe|lines|rewriter|sink|symbols)|cu2cpp)[.]dir/' >"$work/objects"
export REUSABLE="$work/reusable" REUSED_BUILD="$work/reused"
: >"$REUSABLE"
# The whole project tries 64-bit Arm already, and how fast it is.
try "the configuration" cmake -G Ninja -S "$work/common/executor" -B "$work/build" -DLADDER_ARM_CXX= \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$checkout/tests/tool/adding/reuse.sh"
while read -r object; do
  case $object in
    */Unity/*)
      source=${object%.o}
      sed "s|$checkout/|$work/|" "$build/$source" | cmp -s - "$work/build/$source" || continue
      ;;
  esac
  # This project's folder is common/executor; to it the sources of common/base are files outside of it, with absolute paths.
  here=$(echo "$object" | sed "s|[.]dir/common/executor/|.dir/|; s|[.]dir/common/base/|.dir$work/common/base/|")
  mkdir -p "$REUSED_BUILD/${here%/*}"
  ln -s "$build/$object" "$REUSED_BUILD/$here"
  echo "$here" >>"$REUSABLE"
done <"$work/objects"
# A program, and an observed one: all others are what the whole project builds, too.
try "the build" ninja -C "$work/build" executor-correct planted-borders
try "a program" "$work/build/tests/executor/correct"
if grep -v '^OK' "$work/log"; then echo "the executor alone: a program is wrong"; exit 1; fi
"$work/build/programs/planted/borders" last-row-overflow wrong >"$work/log" 2>&1
grep -q 'just past the end' "$work/log" || { cat "$work/log"; echo "the executor alone: an observed program finds nothing"; exit 1; }
