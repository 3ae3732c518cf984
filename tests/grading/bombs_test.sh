#!/bin/bash
# Three submissions that want all memory, disk or processes, graded; the machine stays usable. `./ladder test` calls this with the
# checkout. All of them: bombs.sh.
# Guards: docs/grading.md#resource-bombs
#   bombs_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: alone
# queue: targets bin/ladder-class bin/confine judges/03-dgemm workers/lessons/03-dgemm/g1_naive.executor workers/lessons/03-dgemm/g1_naive.observed workers/lessons/03-dgemm/g1_naive.lint
# queue: cost 25
# queue: memory 8
command -v bash >/dev/null || { echo "not tried: no program bash"; exit 77; }
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
export LADDER_BUILT_STEPS=  # every step is compiled confined here
. "$(dirname "$0")/prepare.sh"
LADDER_TOOL=$tool bash "$checkout/tests/grading/bombs.sh" "$work/bombs" best fork_bomb page_tables unlinked_files
