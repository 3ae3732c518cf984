#!/bin/sh
# Doxygen's filter for pages: the README.md here is the main page, the others get names of their own, and links to
# them follow.
folder=$(dirname -- "$1")
case $folder in
  . | "$PWD") id=mainpage ;;
  *) id=$(printf %s "${folder#"$PWD"/}" | tr -c 'A-Za-z0-9' '_') ;;
esac
awk -v id="$id" '
  NR == 1 { $0 = $0 " {#" id "}" }
  {
    while (match($0, /\]\([A-Za-z0-9_\/-]+\/README\.md\)/)) {
      page = substr($0, RSTART + 2, RLENGTH - 2 - length("/README.md)"))
      gsub(/[^A-Za-z0-9]/, "_", page)
      $0 = substr($0, 1, RSTART + 1) "@ref " page ")" substr($0, RSTART + RLENGTH)
    }
    print
  }' "$1"
