#!/bin/bash
# An exam of one rung: sheets, key, Moodle, every answer again, and what happens when key or sheet are not what they were.
# `./ladder test` calls this with the checkout.
# Guards: docs/exam.md#an-exam-on-paper
#   exam_test.sh [CHECKOUT]      exit status 77: it could not run, and the last line says why
#   LADDER_EXAM=00/g3-g7,03/g1-g3 exam_test.sh      with these rungs and 150 students
# queue: targets bin/ladder-class bin/confine
# queue: build
# queue: cost 40
# queue: memory 4
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/prepare.sh"
unset LADDER_SHARED  # an exam builds the variants that it asks about: nobody else builds meanwhile (queue: build)
command -v python3 >/dev/null || { echo "not tried: no python3"; exit 77; }
rungs=${LADDER_EXAM:-00/g4}
many=150
{ echo "id,name"; for i in $(seq $many); do echo "m$((1000 + i)),\"Person $i, of many\""; done; } >"$work/roster.csv"
out=$work/exam

check "without a secret" refuses "--key FILE" exam --rungs "$rungs" --students "$work/roster.csv" --out "$out"
check "without a roster" refuses "--students FILE" exam --rungs "$rungs" --seed 7 --out "$out"
check "a rung of the processor" refuses "asks about CUDA rungs" exam --rungs 03/c1 --students "$work/roster.csv" --seed 7 --out "$out"
check "no exam to check" refuses "no exam here" exam --check "$work"

ladder exam --rungs "$rungs" --students "$work/roster.csv" --seed 7 --out "$out" --format moodle-xml
check "an exam is made" [ $? = 0 ] || exit 1
check "every question has its answer, or its row and the run differ" bash -c "! grep '^left out' '$work/output' | grep -vq 'by its row'"
check "a sheet for each" [ "$(ls "$out/sheets" | wc -l)" = $many ]
check "the key is its owner's" [ "$(stat -c %a "$out/key.json")$(stat -c %a "$out/moodle.xml")" = 600600 ]
check "Moodle's file is XML, with answers" python3 - "$out/moodle.xml" <<'PY'
import sys, xml.etree.ElementTree as tree
questions = tree.parse(sys.argv[1]).getroot().findall("question")
kinds = [q.get("type") for q in questions]
assert kinds[0] == "category" and {"numerical", "multichoice"} == set(kinds[1:]), kinds
for q in questions[1:]:
    assert sum(a.get("fraction") == "100" for a in q.findall("answer")) == 1
    assert "__global__" in q.find("questiontext/text").text
PY
check "neighbours have different sheets" python3 - "$out/key.json" <<'PY'
import json, sys
sheets = [frozenset(s["questions"]) for s in json.load(open(sys.argv[1]))["sheets"]]
assert len(sheets) == 150 and all(a != b for a, b in zip(sheets, sheets[1:]))
PY
ladder exam --check "$out"
check "every answer comes out again" [ $? = 0 ]
check "and says so" says "answers come out again; $many sheets are what the key makes"
python3 - "$out/key.json" <<'PY'
import json, sys
key = json.load(open(sys.argv[1]))
# Of the exam only the first sheet, and a question with a number: every program of it is run again.
del key["sheets"][1:]
count = next(q for q in key["questions"] if q["ask"] == "count")
count["key"]["amount"] += 1
kept = key["sheets"][0]["questions"] + [count["id"]]
key["questions"] = [q for q in key["questions"] if q["id"] in kept]
json.dump(key, open(sys.argv[1], "w"))
PY
echo "<!-- -->" >>"$(ls "$out"/sheets/*.html | head -n 1)"
ladder exam --check "$out"
check "a wrong answer is found" [ $? = 1 ]
check "by its number" says "amount is"
check "and another sheet" says "is not what the key makes"
exit $failed
