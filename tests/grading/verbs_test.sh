#!/bin/bash
# What people do with grades: review, open, amend, regrade, export for platforms, on a class of four that is graded once; one of
# them hands in what submit has packed, an unwritten step.
# `./ladder test` calls this with the checkout.
# Guards: docs/grading.md#people-decide, docs/grading.md#afterwards
#   verbs_test.sh [CHECKOUT]      exit status 77: it could not run, and the last line says why
# queue: targets bin/ladder-class bin/confine judges/03-dgemm workers/lessons/03-dgemm/g1_naive.executor workers/lessons/03-dgemm/g1_naive.observed workers/lessons/03-dgemm/g1_naive.lint
# queue: cost 60
# queue: memory 4
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/prepare.sh"
command -v python3 >/dev/null || { echo "not tried: no python3"; exit 77; }
grades=$work/grades
# A value of one record: STUDENT, an expression of the record r and its first step s.
value() { python3 -c 'import json,sys; r=json.load(open(sys.argv[1])); s=r["steps"][0]; print(eval(sys.argv[2]))' "$grades/records/$1.json" "$2"; }
is() { [ "$1" = "$2" ] || { echo "$1, not $2" >>"$work/output"; false; }; }
pseudonym_of() { basename "$(grep -l "\"name\": \"$1\"" "$grades"/records/*.json)" .json; }

# --- the class: anna asks for a name that is looked at, ben forgot a semicolon, carl is right
source=$checkout/solutions/03-dgemm/g1_naive.cu
canvas=$work/class/canvas
mkdir "$work/class/anna" "$work/class/ben" "$canvas"
sed 's/^#include "problem.hpp"/&\n#include <cstdlib>/; s/const dim3 block(width, height);/& std::atexit([] {});/' "$source" >"$work/class/anna/g1_naive.cu"
echo "I wanted to see the end." >"$work/class/anna/notes.md"
sed 's/double sum = 0;/double sum = 0/' "$source" >"$work/class/ben/g1_naive.cu"
cp "$source" "$canvas/roecarl_LATE_340934_77_g1_naive-1.cu"
echo "int main() {}" >"$canvas/roecarl_340934_70_g1_naive.cu"
# submit keeps what was submitted in the checkout; this is put back, before another one of this script does the same
kept=$checkout/.ladder/submitted.json
exec 7>>"$build/.submitted-by-scripts"
flock 7
[ ! -e "$kept" ] || cp "$kept" "$work/submitted.json"
ladder submit 03/g1 --out "$work/class/pia.zip"
receipt=$(sed -n 's/^Receipt  *\([A-Z]*\).*/\1/p' "$work/output")
if [ -e "$work/submitted.json" ]; then cp "$work/submitted.json" "$kept"; else rm -f "$kept"; fi
exec 7>&-
check "submit packs the rung and prints a receipt" [ ${#receipt} = 8 ]
known "$work"/class/anna/g1_naive.cu
printf '\xef\xbb\xbfid;name;canvas_id\nu1;=O'"'"'Brien, Søren;340934\nanna;Ek, Anna;\nben;Ben Ro;\ndora;Dora Li;5\npia;Pia Ro;\n' >"$work/roster.csv"
printf 'submission,received\nanna,2027-02-14T23:59:00-06:00\n' >"$work/class/received.csv"
ladder grade "$work/class" --out "$grades" --rungs 03/g1 --roster "$work/roster.csv" || :
check "who has handed in nothing" says "4 submissions, of 4 people on the roster; 1 of the roster handed in nothing: dora"
check "the class is graded" [ "$(ls "$grades/records" | grep -c json)" = 4 ] || exit 1
check "the page repeats the receipt" grep -qF "$receipt" "$grades/pages/$(pseudonym_of pia.zip).html"
check "and so does the table" grep -q ",$receipt," "$grades/grades.csv"
anna=$(pseudonym_of anna) ben=$(pseudonym_of ben) carl=$(pseudonym_of canvas~canvas_340934)

# --- what is refused
check "an unknown student, with the nearest" refuses "nearest: $ben" open "$grades" "${ben%?}" 03/g1
check "no such rung" refuses "unknown rung '03/g7'" open "$grades" "$ben" 03/g7
check "a folder without grades" refuses "no grades here" regrade "$work/class" --all
check "amend without a reason" refuses "--reason TEXT" amend "$grades" "$ben" 03/g1 "$source" --deduct 1 --by tomasz
check "amend without a person" refuses "--by NAME" amend "$grades" "$ben" 03/g1 "$source" --deduct 1 --reason r
check "amend without a price" refuses "--deduct POINTS" amend "$grades" "$ben" 03/g1 "$source" --reason r --by tomasz
check "amend with nothing changed" refuses "nothing was changed" amend "$grades" "$carl" 03/g1 "$source" --deduct 1 --reason r --by tomasz
check "amend of more than a slip" refuses "lines are changed" amend "$grades" "$ben" 03/g1 "$checkout/solutions/03-dgemm/g3_register_tiles.cu" --deduct 1 --reason r --by tomasz
check "amend without an editor" refuses "set EDITOR" amend "$grades" "$ben" 03/g1 --deduct 1 --reason r --by tomasz
check "review without a person" refuses "--by NAME" review "$grades"
check "a decision without a reason" refuses "needs a person and a reason" review "$grades" "$anna" 03/g1 --accept --by tomasz
check "regrade of nobody" refuses "regrade whom?" regrade "$grades"
check "apply before a dry run" refuses "no dry run of" regrade "$grades" "$ben" --apply
printf '0%.0s' $(seq 64) >"$work/other.key"
chmod 600 "$work/other.key"
check "another class key" refuses "another class key" open "$grades" "$ben" 03/g1 --key "$work/other.key"
if bwrap --ro-bind / / true 2>/dev/null; then
  bwrap --ro-bind / / --dev-bind /dev /dev --bind "$work/tmp" "$work/tmp" --bind "$build" "$build" "$tool" regrade "$grades" --all >"$work/output" 2>&1
  check "a read-only folder" says "Read-only file system"
else
  echo "skipped a read-only folder: no bubblewrap here"
fi

# --- the queue
ladder review "$grades" --by tomasz
check "the queue says when an honest rung looks the same" says "Honest if        atexit: a header or a compiler registers a clean-up"
check "the queue shows the line in question" grep -qE '^> +[0-9]+ .*std::atexit' "$work/output"
check "and the note" says "I wanted to see the end."
check "and leaves out who needs nobody" bash -c "! grep -q $carl '$work/output'"
printf 'd\none\n0\n1,5\n1\nno calls at the end\n' | timeout 60 "$tool" review "$grades" --by tomasz --ask >"$work/output" 2>&1
check "it is asked for points until they are a number above 0" test "$(grep -o 'points, more than 0' "$work/output" | wc -l)" = 4
check "the keyboard's decision is in the log" grep -q '"action":"deduct".*"by":"tomasz".*no calls at the end' "$grades/decisions.jsonl"
check "and is confirmed" grep -q "$anna 03/g1: DEDUCTED, 7 of 8 points" "$work/output"
ladder review "$grades" --by tomasz
check "nothing is left" says "nothing waits for a person"
for i in $(seq 8); do "$tool" review "$grades" "$anna" 03/g1 --accept --reason "reason $i" --by "person$i" >/dev/null 2>&1 & done
wait
check "eight people at once lose no line" is "$(grep -c '"action":"accept"' "$grades/decisions.jsonl")" 8
printf '{"student":"%s","step":"03-dg' "$carl" >>"$grades/decisions.jsonl"
ladder review "$grades" --by tomasz
check "a broken last line is said" says "this line is broken"
ladder review "$grades" "$anna" 03/g1 --accept --reason "it may" --by eva
check "and does not block" is "$(tail -n 1 "$grades/decisions.jsonl" | grep -c '"by":"eva"')" 1

# --- one submission again
ladder open "$grades" "$ben" 03/g1
check "open repeats the verdict" says "graded BUILD ERROR, now BUILD ERROR"
check "with the compiler's line" says "g1_naive.cu:"
ladder open "$grades" "$ben" 03/g1 --diff
check "open --diff shows the slip" grep -qF -- "+  double sum = 0" "$work/output"
ladder open "$grades" "$carl" 03/g1 --profile
check "open --profile shows counters by line" grep -qE "sectors|requests" "$work/output"
if command -v gdb >/dev/null; then
  "$tool" open "$grades" "$carl" 03/g1 --gdb <<<$'info threads\nquit' >"$work/output" 2>&1
  check "open --gdb stops in the worker" grep -qE "^\\* 1 +Thread|^\\* 1 +process|^\\* 1 +LWP" "$work/output"
  check "and it goes on" says "graded PASS, now PASS"
else
  echo "not tried: open --gdb, since there is no gdb"
fi

mkdir -p "$work/failing/ida"
sed 's/  if (p.m == 0 || p.n == 0) return;/  if (p.m == 0 || p.n == 0 || p.m > 60) return;/' "$source" >"$work/failing/ida/g1_naive.cu"
mkdir "$work/failing/jo"
echo "Minha resposta" >"$work/failing/jo/resposta.docx"
known "$work/failing/ida/g1_naive.cu"
# In the other sandbox than above where root has both: what is looked at there must be readable there.
other=''
if [ "$(id -u)" = 0 ]; then other='--sandbox uid'; fi
# shellcheck disable=SC2086  # two words
ladder grade "$work/failing" --out "$work/failed" --rungs 03/g1 $other || :
of_failed() { basename "$(grep -l "\"name\": \"$1\"" "$work"/failed/records/*.json)" .json; }
ida=$(of_failed ida) jo=$(of_failed jo)
check "what came and was not taken is said" says "Something was handed in and nothing taken, 0 points until a person looks, 1 rung: $jo 03/g1 (resposta.docx)"
check "the overview has it" grep -q "resposta.docx" "$work/failed/overview.html"
ladder review "$work/failed" --by tomasz
check "and the queue" says "Not taken        resposta.docx"
ladder open "$work/failed" "$ida" 03/g1
check "open repeats the case that failed" says "graded WRONG, now WRONG; sandbox: "
check "alone" says "; n = 64 alone, with its inputs"
check "with its words" says "WRONG  n = 64: C is as before the call"
ladder open "$work/failed" "$ida" 03/g1 --whole
check "open --whole judges all of it" says "n = 32: right.  n = 64: C is as before the call"

# --- a file for a step of which nothing was taken; amendments outlive every way of grading again
ladder amend "$work/failed" "$jo" 03/g1 "$source" --deduct 1 --reason "it was in a docx" --by tomasz
check "amend takes a file where nothing was taken" grep -qE 'NOT STARTED, 0 of .* → PASS, 7 of 8 points, 1 of them deducted' "$work/output"
ladder review "$work/failed" --by tomasz
check "and nothing waits any more" says "nothing waits for a person"
cp "$source" "$work/failing/ida/g1_naive.cu"
ladder grade "$work/failing" --out "$work/failed" --rungs 03/g1 --resume
check "what lies there now is not what was graded" says "$ida (ida): what lies there now is not what was graded (03-dgemm/g1_naive.cu)"
check "and is judged" grep -qE "$ida +PASS +8 of 8" "$work/output"
check "the old record is kept" [ -e "$work/failed/old/$ida.1.json" ]
check "the published solution is named" says "03/g1 is the published solution, but for comments and blanks, of 1: $ida"
ladder grade "$work/failing" --out "$work/failed" --rungs 03/g1 --resume
check "and a second time nothing is" says "2 submissions, 2 of them graded already"
ladder grade "$work/failing" --out "$work/failed" --rungs 03/g1
check "without --resume the amendment counts as before" grep -qE "$jo +PASS +7 of 8" "$work/output"
check "and its page has it" grep -q "1 points deducted: it was in a docx" "$work/failed/pages/$jo.html"
echo 'not C++' >"$work/failing/jo/g1_naive.cu"
ladder grade "$work/failing" --out "$work/failed" --rungs 03/g1 --resume
check "of another file it counts no longer, and that is said" says "$jo 03/g1: the amendment by tomasz is of another file"

# --- a slip
before=$(value "$ben" 's["points"]')
ladder amend "$grades" "$ben" 03/g1 "$source" --deduct 1 --reason "a semicolon" --by tomasz
check "amend shows both verdicts" grep -qE 'BUILD ERROR, 0 of .* → PASS, 7 of 8 points' "$work/output"
check "the record keeps what it was" is "$(value "$ben" 's["amendment"]["before"]["verdict"]')" "BUILD ERROR"
check "and the diff" is "$(value "$ben" '"+  double sum = 0;" in s["amendment"]["diff"]')" True
check "the log has it" grep -q '"action":"amend".*"reason":"a semicolon"' "$grades/decisions.jsonl"
check "the page has it" grep -q "1 points deducted: a semicolon" "$grades/pages/$ben.html"
check "the page names no staff" bash -c "! grep -q tomasz '$grades/pages/$ben.html'"
check "the old record is kept" [ -e "$grades/old/$ben.1.json" ]

# --- a talk about a submission: its own file, edits that were run, an examiner's part; points only in the log
ladder viva "$grades" "$carl" 03/g1
check "viva writes a page" [ -s "$grades/viva/$carl-03-g1_naive.html" ]
check "with three questions" says "3 questions of"
check "whose answers the machine has shown" bash -c "[ \$(grep -c '<h2>Answer' '$grades/viva/$carl-03-g1_naive.html') = 3 ]"
check "it leaves the record alone" is "$(value "$carl" 's["points"]')" 8.0
check "points of a talk need a person" refuses "--by NAME" viva "$grades" "$carl" 03/g1 --points 2 --note n
check "and a note" refuses "--note TEXT" viva "$grades" "$carl" 03/g1 --points 2 --by eva
ladder viva "$grades" "$carl" 03/g1 --points 2 --note "knew why" --by eva
check "they are in the log" grep -q '"action":"viva".*"by":"eva".*"points":2.0.*"reason":"knew why"' "$grades/decisions.jsonl"
check "and decide nothing" is "$(value "$carl" '(s["points"], len(r["decisions"]))')" "(8.0, 0)"

# --- what submissions share
ladder similarity "$grades"
if says "SKIPPED  similarity"; then
  echo "skipped similarity: $(cat "$work/output")"
else
  check "one rung alone is never reported" says "0 pairs of 4 works"
  check "its false alarms are told" says "pairs of honest submissions in tests/grading"
  check "and what it cannot see" says "language models"
fi

# --- the class again: carl's record says less than he earned, ben's more, anna's is right
python3 - "$grades/records/$carl.json" 2 <<'PY'
import json, sys
name, points = sys.argv[1], float(sys.argv[2])
r = json.load(open(name))
s = r["steps"][0]
s["verdict"] = s["staff"]["verdict"] = "MISSED"
s["points"] = s["judged_points"] = r["points"] = points
json.dump(r, open(name, "w"))
PY
ladder regrade "$grades" "$carl"
check "the dry run says from what to what" grep -qE "$carl 03/g1: MISSED, 2 of 8 points → PASS, 8 of 8 points" "$work/output"
check "and changes nothing" is "$(value "$carl" 's["points"]')" 2.0
ladder regrade "$grades" "$carl" --apply
check "apply does it" is "$(value "$carl" 's["points"]')" 8.0
python3 - "$grades" "$carl" <<'PY'
import hashlib, json, os, sys
grades, p = sys.argv[1:]
raw = open(f"{grades}/records/{p}.json", "rb").read()
s = dict(json.loads(raw)["steps"][0], message="said better")
os.makedirs(grades + "/proposed", exist_ok=True)
json.dump({"pseudonym": p, "base_sha256": hashlib.sha256(raw).hexdigest(), "ladder": None, "machine": None, "steps": [s]},
          open(f"{grades}/proposed/{p}.json", "w"))
PY
ladder regrade "$grades" "$carl" --apply
check "words alone are listed" grep -qE "$carl 03/g1: words only: .* → .said better" "$work/output"
check "and are what the student reads now" grep -q "said better" "$grades/pages/$carl.html"
# A proposal that would lower: what the dry run has kept of a stricter test.
python3 - "$grades" "$carl" "$ben" <<'PY'
import hashlib, json, os, sys
grades, names = sys.argv[1], sys.argv[2:]
os.makedirs(grades + "/proposed", exist_ok=True)
for p in names:
    raw = open(f"{grades}/records/{p}.json", "rb").read()
    r = json.loads(raw)
    s = dict(r["steps"][0], verdict="MISSED", judged_points=4, points=4)
    json.dump({"pseudonym": p, "base_sha256": hashlib.sha256(raw).hexdigest(), "ladder": None, "machine": None, "steps": [s]},
              open(f"{grades}/proposed/{p}.json", "w"))
PY
ladder regrade "$grades" "$carl" --apply
check "nothing is lowered without leave" is "$(value "$carl" 's["points"]')" 8.0
check "and that is said" says "1 submission would have fewer points, and keeps what it has"
ladder regrade "$grades" "$ben" --apply --may-lower
check "with leave it is, and the amendment stays" is "$(value "$ben" '(s["points"], s["amendment"]["points"])')" "(3.0, 1.0)"
ladder regrade "$grades" "$ben"
check "regrade judges the fixed source" grep -qE "$ben 03/g1: MISSED, 3 of 8 points → PASS, 7 of 8 points" "$work/output"

# --- exports
check "the time is the platform's" is "$(value "$anna" 'r["submission"]["received"]')" 2027-02-15T05:59:00Z
check "and else it is not known" is "$(value "$carl" 'r["submission"]["received"]')" ""
check "Canvas needs a column" refuses "--column names the assignment" grade export "$grades" --as canvas --roster "$work/roster.csv" --out "$work/c.csv"
check "whose are they" refuses "needs --roster FILE" grade export "$grades" --as moodle --out "$work/c.csv"
ladder grade export "$grades" --as canvas --roster "$work/roster.csv" --column "HW 2 (12345)" --semicolon --out "$work/c.csv"
check "people without points are said" says "4 of 5 people have points; an empty cell: dora"
row() { python3 -c 'import csv,sys; print([r for r in csv.reader(open(sys.argv[1],encoding="utf-8-sig"),delimiter=sys.argv[2])][int(sys.argv[3])])' "$@"; }
check "Canvas's row" is "$(row "$work/c.csv" ";" 2)" "[\"'=O'Brien, Søren\", '340934', '', '', '', '8']"
printf 'Identifier,Full name,Grade,Last modified (grade),Feedback comments\nParticipant 501,Anna Ek,,-,\nParticipant 502,Dora Li,,-,\n' >"$work/w.csv"
ladder grade export "$grades" --as moodle --roster "$work/roster.csv" --worksheet "$work/w.csv" --out "$work/m.csv"
check "Moodle's row" grep -q "^Participant 501,Anna Ek,[0-9.]*,-,[^,]* of 8" "$work/m.csv"
check "the zip has her page under her number, and no more" is "$(python3 -c 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.namelist(), sys.argv[2] in z.read(z.namelist()[0]).decode())' "$work/m.zip" "$anna")" "['Participant_501_assignsubmission_file_/feedback.html'] True"
ladder grade export "$grades" --as gradescope --out "$work/gs"
check "Gradescope's results" is "$(python3 -c 'import json,sys; r=json.load(open(sys.argv[1])); print([(t["name"],t["score"],t["max_score"]) for t in r["tests"]])' "$work/gs/ben/results.json")" "[('03/g1 g1_naive', 3.0, 8.0)]"
check "nobody else on the machine can read any of it" [ -z "$(find "$grades" "$work/failed" "$work/c.csv" "$work/m.csv" "$work/m.zip" "$work/gs" -type f -perm /077)" ]
check "or enter it" [ "$(stat -c %a "$grades" "$work/failed" "$work/gs" | sort -u)" = 700 ]
[ "$(id -u)" != 0 ] || check "as another user finds" bash -c "! setpriv --reuid 65534 --regid 65534 --clear-groups cat '$grades/grades.csv' '$grades'/sources/*/03-dgemm/g1_naive.cu '$grades'/viva/* '$work/c.csv' 2>/dev/null | grep -q ."
check "nothing is left behind" [ -z "$(ls -A "$work/tmp")" ]
exit $failed
