#!/bin/sh
# lint.sh OUTPUT COMMAND...   Writes the messages of a command with --cuda-device-only to OUTPUT, and behind them what only the
# host's side says: where it takes the address of a device function. Findings do not fail the build.
output=$1
shift
"$@" >"$output.part" 2>&1 &
left=$# skip=0
while [ "$left" -gt 0 ]; do
  argument=$1
  shift
  left=$((left - 1))
  case $skip$argument in
    1*) skip=0 ;;            # the file of -MF or -MT
    0-MD) ;;                 # the dependencies are the same
    0-MF | 0-MT) skip=1 ;;
    0--cuda-device-only) set -- "$@" --cuda-host-only ;;
    *) set -- "$@" "$argument" ;;
  esac
done
# The other errors of the host's side are of the executor's headers, which mark functions for the device.
"$@" 2>&1 | grep -A 1 ': error: reference to __device__ function .* in __host__ function' >"$output.host"
wait
cat "$output.host" >>"$output.part"
rm -f "$output.host"
mv "$output.part" "$output"
