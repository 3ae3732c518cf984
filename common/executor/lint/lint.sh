#!/bin/sh
# lint.sh OUTPUT COMMAND...   Writes the command's messages to OUTPUT. Findings do not fail the build.
output=$1
shift
"$@" >"$output.part" 2>&1
mv "$output.part" "$output"
