#!/bin/sh
# reuse.sh COMPILER ARGUMENT…: in the place of a compiler. An object that REUSABLE lists is copied from REUSED_BUILD; what is
# not there is compiled.
object='' depends='' before=''
for argument; do
  case $before in -o) object=$argument ;; -MF) depends=$argument ;; esac
  before=$argument
done
if [ -n "$depends" ] && grep -qxF -- "$object" "$REUSABLE"; then
  echo >>"$REUSABLE.used"
  printf '%s:\n' "$object" >"$depends" && exec cp "$REUSED_BUILD/$object" "$object"
fi
exec "$@"
