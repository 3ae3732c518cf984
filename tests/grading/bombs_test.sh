#!/bin/sh
# Three submissions that want all memory, disk or processes, graded; the machine stays usable. `./ladder test` calls this with the
# checkout. All of them: bombs.sh.
#   bombs_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
set -u
checkout=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
command -v bash >/dev/null || { echo "not tried: no program bash"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
bash "$checkout/tests/grading/bombs.sh" "$work/bombs" best fork_bomb page_tables unlinked_files
