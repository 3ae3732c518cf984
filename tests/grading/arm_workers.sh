#!/bin/bash
# Builds workers of the executor, OpenMP, MPI and OpenCL for 64-bit Arm, from the commands of a native build on Debian 12.
# judge_elsewhere.sh lets a native judge start them, under qemu.
#   arm_workers.sh BUILD ROOT OUT TARGET...
#     BUILD   a native build folder in which the targets are built: workers/solutions/03-dgemm/g1_naive.observed
#     ROOT    where libfmt-dev, libdw-dev, libcapstone-dev, libopenblas-pthread-dev and nlohmann-json3-dev of arm64 are unpacked
#     OUT     gets the Arm build, and in OUT/started/workers a script for each worker. How: docs/grading-parity.md
set -euo pipefail
build=$(realpath "$1") root=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
shift 3
libraries=$root/usr/lib/aarch64-linux-gnu
cd "$out"

# The commands of ninja, in its order: those of the rewriter, of headers compiled ahead and of custom steps are done.
ninja -C "$build" -t commands "$@" | grep -E '^(: && )?/usr/bin/(ccache )?(c\+\+|cmake -E rm -f lib)' |
  grep -vE 'c\+\+-header|cu2cpp\.|ladder-rewriter|-o CMakeFiles/main-headers' >commands
run() { # a command of the native build; an object of the same command as before is kept
  local line=$1 object arm
  object=$(grep -oE -- '-o [^ ]+' <<<"$line" | tail -n 1 | cut -c 4- | tr -d "'\"" || true)
  [ -z "$object" ] || mkdir -p "$(dirname "$object")"
  arm=$(sed -E "s#/usr/bin/(ccache )?c\+\+#aarch64-linux-gnu-g++#; s#/usr/bin/(gcc-)?(ar|ranlib)#aarch64-linux-gnu-\2#g
    s#/usr/lib/gcc/x86_64-linux-gnu#/usr/lib/gcc-cross/aarch64-linux-gnu#g; s#/usr/lib/x86_64-linux-gnu#$libraries#g; s#-I/usr/include/x86_64-linux-gnu#-I$root/usr/include/aarch64-linux-gnu#g
    s# -fuse-ld=(gold|lld)##; s# -Winvalid-pch##; s# -march=native# -march=armv8-a#" <<<"$line")
  case $line in
    *OBSERVED*' -c '*) arm="$arm -idirafter $root/usr/include" ;;
    *' -c '*) arm="${arm/-fsanitize=shift-exponent/-fsanitize=shift-exponent,alignment -fno-tree-slp-vectorize} -idirafter $root/usr/include" ;; # executor.cmake
    *' -o '*) arm="${arm% && :} -Wl,-rpath-link,$libraries:$root/lib/aarch64-linux-gnu" ;;
  esac
  if [ -n "$object" ] && [ -e "$object" ] && [ "$arm" = "$(cat "$object.command" 2>/dev/null)" ]; then return; fi
  bash -c "$arm" || { echo "FAILED: $arm" >&2; return 1; }
  [ -z "$object" ] || printf '%s\n' "$arm" >"$object.command"
}
export -f run
export root libraries
# Objects first, in any order; then libraries and programs, in ninja's.
grep -F ' -c ' commands | tr '\n' '\0' | xargs -0 -P "$(nproc)" -I '{}' bash -c 'run "$1"' - '{}'
grep -vF ' -c ' commands | while IFS= read -r line; do run "$line" || exit; done

# A worker is started by its path: a script with its name calls qemu.
for target; do
  mkdir -p "started/$(dirname "$target")"
  printf '#!/bin/sh\nexec qemu-aarch64 -L %s %s "$@"\n' "$root" "$out/$target" >"started/$target"
  chmod +x "started/$target"
done
