#!/bin/sh
# Runs the session of docs/session.md again, on a terminal: a clone, then what a student types and edits up to 03/g2.
# Guards: docs/session.md
#   session.sh [CHECKOUT]           says what is another than on the page, or in docs/session.svg
#   session.sh [CHECKOUT] --renew   writes page and picture again
# It builds nothing but the student's step, against what the checkout's build folder has. Exit status 77: it could not run, and the
# last line says why.
set -eu
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
build=$(cd "${LADDER_BUILD:-$checkout/build}" && pwd)
tool=$build/bin/ladder-dev # not ./ladder, which would wait for the test that calls this
for program in ladder-dev cut; do
  [ -x "$build/bin/$program" ] || { echo "no program $build/bin/$program: it is built before"; exit 1; }
done
[ -d "$checkout/solutions" ] || { echo "this copy has no solutions: its rungs may be a student's"; exit 77; }
for program in git python3 clang++; do # without clang a check says that it left something out
  command -v "$program" >/dev/null || { echo "needs $program"; exit 77; }
done
export PYTHONDONTWRITEBYTECODE=1 # nothing next to the sources
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# shellcheck source=tests/tool/session/clone.sh
. "$(dirname "$0")/clone.sh"

python3 "$(dirname "$0")/session.py" "$checkout" "$origin" "$harness" "$work/student" ${2+"$2"}
