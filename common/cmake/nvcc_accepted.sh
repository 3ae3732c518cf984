#!/bin/sh
# nvcc_accepted.sh REPORT OUTPUT: what nvcc made next to the report (ptxas.cmake) becomes OUTPUT; of a source that nvcc refused it
# prints nvcc's messages, and fails.
if [ -s "$1.refused" ]; then
  cat "$1.refused" >&2
  exit 1
fi
cp "$1.made" "$2"
