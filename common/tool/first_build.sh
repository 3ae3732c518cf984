# shellcheck shell=sh disable=SC2154
# Part of ../../ladder: what is said before the first build of a program, and what is built with it.
# Uses: root, binary, groups, must, fresh_more, say.

# Processor seconds that a program takes until it is built, with all that it is linked with, and the megabytes that it
# leaves in the build folder. Measured on TODO.
cost_of_program() {
  case $binary in
    ladder-check) seconds=100 megabytes=150 ;;
    ladder-student) seconds=150 megabytes=220 ;;
    *) seconds=330 megabytes=400 ;;
  esac
}
# The same of what a first verdict of a lesson needs beside the program: executor, judge, table, worker.
seconds_of_lesson=60 megabytes_of_lesson=60

lessons_needed() {
  for word in $groups; do case $word in [0-9][0-9]-*) echo "$word" ;; esac; done | sort -u
}

first_screen() {
  cost_of_program
  lessons=$(lessons_needed)
  count=$(printf '%s' "$lessons" | grep -c .) || true
  cores=$(nproc 2>/dev/null || echo 2)
  seconds=$(((seconds + seconds_of_lesson * count) / cores))
  what="bin/$binary"
  page=docs/student.md
  if [ "$count" = 1 ]; then what="$what and what $lessons needs"; fi
  if [ "$count" = 1 ] && [ -e "$root/lessons/$lessons/README.md" ]; then page=lessons/$lessons/README.md; fi
  say "the first time, $what must be built: about $(((seconds + 59) / 60)) min on $cores cores," \
    "$((megabytes + megabytes_of_lesson * count)) MB in $LADDER_BUILD. Later calls take seconds"
  [ ! -e "$root/$page" ] || say "a page to read meanwhile: $page"
}

# What a first check needs and no student wrote.
first_targets() {
  lessons=$(lessons_needed)
  case $lessons in '' | *"
"*) ;; *) printf '%s ' "tables/$lessons" "judges/$lessons" ;; esac
}
