#!/bin/sh
# lint.sh OUTPUT [--headers DEVICE HOST] COMMAND...   Writes the messages of a command with --cuda-device-only to OUTPUT, and behind
# them what only the host's side says: where it takes the address of a device function. Findings do not fail the build.
# DEVICE and HOST: <cuda_runtime.h>, precompiled for either side (lint_headers.sh). Where clang refuses them or crashes with them
# (any source may make a compiler crash), it reads the headers; where it crashes all the same, the last line says so.
output=$1
shift
for_device='' for_host=''
if [ "$1" = --headers ]; then
  [ ! -s "$2" ] || for_device=$2
  [ ! -s "$3" ] || for_host=$3
  shift 3
fi

lint() { # lint SIDE PRECOMPILED COMMAND...
  side=$1 compiled=$2
  shift 2
  left=$# skip=0
  while [ "$left" -gt 0 ]; do
    argument=$1
    shift
    left=$((left - 1))
    case $skip$argument in
      dependencies*) skip=0 ;;  # the file of -MF or -MT: those of the host's side are the same
      includeallocation.h) skip=0; set -- "$@" -include "$argument" ;;  # never precompiled
      include*) skip=0 ;;
      0-MD) [ "$side" = host ] || set -- "$@" -MD ;;
      0-MF | 0-MT) if [ "$side" = host ]; then skip=dependencies; else set -- "$@" "$argument"; fi ;;
      0--cuda-device-only) set -- "$@" "--cuda-$side-only" ;;
      0-include) if [ -n "$compiled" ]; then skip=include; else set -- "$@" -include; fi ;;
      *) set -- "$@" "$argument" ;;
    esac
  done
  [ -z "$compiled" ] || set -- "$@" -Xclang -include-pch -Xclang "$compiled" -Xclang -fallow-pch-with-compiler-errors
  "$@" 2>&1
}
look_at() { # look_at SIDE PRECOMPILED MESSAGES COMMAND...
  which=$1 with=$2 messages=$3
  shift 3
  lint "$which" "$with" "$@" >"$messages"
  status=$?  # above 1: it crashed
  if [ -n "$with" ] && { [ "$status" -gt 1 ] || grep -qiE 'precompiled (header|file)|PCH file' "$messages"; }; then
    # A package was updated: its header is another one, but older than what was made of it. The next build makes that again.
    if grep -q 'has been modified since the precompiled' "$messages"; then rm -f "$with" 2>/dev/null || :; fi
    lint "$which" '' "$@" >"$messages"
    status=$?
  fi
  [ "$status" -le 1 ] || echo "lint.sh: clang crashed on the $which side" >>"$messages"
}

look_at device "$for_device" "$output.part" "$@" &
# The other errors of the host's side are of the executor's headers, which mark functions for the device.
look_at host "$for_host" "$output.all" "$@"
grep -A 1 -e ': error: reference to __device__ function .* in __host__ function' -e '^lint.sh: ' "$output.all" >"$output.host"
wait
cat "$output.host" >>"$output.part"
rm -f "$output.host" "$output.all"
mv "$output.part" "$output"
