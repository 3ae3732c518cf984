#!/bin/sh
# Finishes an update of a handout: finish_update.sh ROOT. ./ladder update prepares ROOT/.handout/update: `list` names the files that
# change (+ path) or go (- path), `new/` has the new ones. Each old one is moved to `old/`. Started again after an interruption, it goes on.
set -eu
cd -- "$1"
u=.handout/update
aside() {
  case $1 in */*) mkdir -p "$u/old/${1%/*}" ;; *) mkdir -p "$u/old" ;; esac
  mv -f -- "$1" "$u/old/$1"
}
while IFS= read -r line; do
  path=${line#??}
  case $line in
  +*)
    [ -e "$u/new/$path" ] || continue # done before
    [ ! -e "$path" ] || aside "$path"
    case $path in */*) mkdir -p "${path%/*}" ;; esac
    mv -f -- "$u/new/$path" "$path"
    ;;
  -*)
    [ ! -e "$path" ] || aside "$path"
    case $path in */*) rmdir -p -- "${path%/*}" 2>/dev/null || : ;; esac
    ;;
  esac
done <"$u/list"
rm -rf .handout/undo
mv -- "$u" .handout/undo
