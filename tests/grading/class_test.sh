#!/bin/bash
# A class of eight is graded: each gets the verdict, the points and the page that it must get. `./ladder test` calls this with the
# checkout. The class of 100: docs/grading.md.
# Guards: docs/grading.md#the-class-of-100
#   class_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: targets bin/ladder-class bin/cut bin/confine judges/03-dgemm workers/lessons/03-dgemm/g1_naive.executor workers/lessons/03-dgemm/g1_naive.observed workers/lessons/03-dgemm/g2_shared_tiles.executor workers/lessons/03-dgemm/g2_shared_tiles.observed workers/lessons/03-dgemm/g3_register_tiles.executor workers/lessons/03-dgemm/g3_register_tiles.observed workers/lessons/03-dgemm/g1_naive.lint workers/lessons/03-dgemm/g2_shared_tiles.lint workers/lessons/03-dgemm/g3_register_tiles.lint
# queue: cost 40
# queue: memory 6
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
export LADDER_BUILT_STEPS=  # every step is compiled confined here
. "$(dirname "$0")/prepare.sh"
for program in bash zip tar xz iconv; do
  command -v "$program" >/dev/null || { echo "not tried: no program $program"; exit 77; }
done
LADDER_TOOL=$tool bash "$checkout/tests/grading/grade_class.sh" "$work/class" 1 8 best --trust --jobs 2
