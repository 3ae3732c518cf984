#!/bin/sh
# A short class of eight, graded: `./ladder test` calls this with the checkout. The class of 100: docs/grading.md.
#   class_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
set -u
checkout=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
for program in bash zip tar xz iconv; do
  command -v "$program" >/dev/null || { echo "not tried: no program $program"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bash "$checkout/tests/grading/grade_class.sh" "$work/class" 1 8 best --trust --jobs 2
