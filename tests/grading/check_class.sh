#!/bin/sh
# Compares the records of a class with what each submission must get.
#   check_class.sh FOLDER GRADES     FOLDER: of make_class.sh
# Says each difference; status 1 when there is one.
set -eu
folder=$1 grades=$2
got=$(mktemp)
trap 'rm -f "$got"' EXIT
# A record is JSON, one field a line, indented by its depth.
awk -F '"' '
  /^ "submission": / { of_submission = 1 }
  /^  "name": / && of_submission { name = $4; of_submission = 0 }
  /^   "lesson": / { lesson = substr($4, 1, 2) }
  /^   "name": / { step = $4; sub(/_.*/, "", step); step = lesson "/" step }
  /^   "staff": / { of_staff = 1 }
  /^    "verdict": / && of_staff { verdict[step] = $4; of_staff = 0 }
  /^}$/ { for (s in verdict) print name "," s "," verdict[s]; split("", verdict) }
' "$grades"/records/*.json >"$got"
awk -F , '
  NR == FNR { got[$1 "," $2] = $3; next }
  FNR == 1 { next }
  { expected++; g = got[$1 "," $2]; split($3, may, "|"); right = 0
    for (i in may) right = right || may[i] == g
    if (!right) { wrong++; print $1 " " $2 ": expected " $3 ", got " (g == "" ? "nothing" : g) } }
  END { printf "%d of %d verdicts right\n", expected - wrong, expected; exit wrong > 0 || expected == 0 }
' "$got" "$folder/expected.csv"
