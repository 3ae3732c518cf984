#!/bin/sh
# Runs the notebook of docs/elsewhere.md in Jupyter, on the executor: a clone, the first check, a step that a cell writes.
# Guards: docs/elsewhere.md#a-notebook-with-a-gpu-colab-and-others
#   notebook.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# It builds nothing but the step, against what the checkout's build folder has.
set -eu
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
build=$(cd "${LADDER_BUILD:-$checkout/build}" && pwd)
tool=$build/bin/ladder-dev # not ./ladder, which would wait for the test that calls this
[ -d "$checkout/solutions" ] || { echo "this copy has no solutions to be written into a cell"; exit 77; }
for program in git python3; do
  command -v "$program" >/dev/null || { echo "needs $program"; exit 77; }
done
# Whether it has a kernel for Python turns out when it runs.
jupyter nbconvert --version >/dev/null 2>&1 || { echo "needs Jupyter (packages jupyter-nbconvert, python3-ipykernel)"; exit 77; }
[ -x "$tool" ] || { echo "no program $tool: it is built before"; exit 1; }
export PYTHONDONTWRITEBYTECODE=1 # nothing next to the sources
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/tool/session/clone.sh
. "$(dirname "$0")/../session/clone.sh"

python3 "$(dirname "$0")/notebook.py" "$checkout" "$origin" "$harness" "$work/student"
