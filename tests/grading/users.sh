# shellcheck shell=sh
# Sourced: two blocks of users for the submissions of this script alone, as long as it lives (descriptor 8). What leftovers.sh finds
# afterwards is its own then. Batches that are no tests take the highest blocks, scripts the lowest.
if [ -z "${LADDER_USER_BLOCKS-}" ] && [ "$(id -u)" = 0 ]; then
  pair=0
  exec 8>>/run/gpu-ladder-users-of-test-0
  until flock -n 8 || [ $pair = 6 ]; do
    pair=$((pair + 1))
    exec 8>>/run/gpu-ladder-users-of-test-$pair
  done
  flock 8  # all are taken: the last one after another
  LADDER_USER_BLOCKS="$((2 * pair)) $((2 * pair + 1))"
fi
export LADDER_USER_BLOCKS="${LADDER_USER_BLOCKS:-none}"  # whoever is not root has no users to give
