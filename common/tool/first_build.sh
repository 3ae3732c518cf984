# shellcheck shell=sh disable=SC2154
# Part of ../../ladder: what is said before the first build of a program, what is built with it, and what a second
# ./ladder shows while it waits for the first one. Uses: root, binary, groups, must, fresh_more, log, say.

# What the other ladder is at: the tool writes it into .doing (build_lock.cpp); a build before that, into the log.
what_the_other_does() {
  for file in "$LADDER_BUILD/.doing" "$log"; do
    if [ "$file" -nt "$LADDER_BUILD/.lock" ]; then tail -n 1 "$file" | cut -c 1-76 && return; fi
  done
}

# Waits for the lock, descriptor 9, and says who has it and what it does, whenever that has changed.
wait_for_lock() {
  other='' call=''
  { read -r other && read -r call; } <"$LADDER_BUILD/.lock" || true
  since=$(date -r "$LADDER_BUILD/.lock" +%H:%M)
  say "waiting for the ladder that works in $LADDER_BUILD (process ${other:-unknown}, since $since${call:+: $call}). Ctrl-C ends only this wait"
  shown='' pause=2
  until flock -w "$pause" ${1+"$1"} 9; do
    [ -t 2 ] || pause=15 # after the first time, where lines stay
    doing=$(what_the_other_does)
    [ "$doing" ] && [ "$doing" != "$shown" ] || continue
    shown=$doing
    if [ -t 2 ]; then printf '\r\033[K  it is at: %s' "$doing" >&2; else say "it is at: $doing"; fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Processor seconds that a program takes until it is built, with all that it is linked with, and the megabytes that it
# leaves in the build folder. Measured with g++ 12 on two busy cores of a Xeon, 26 November 2026: user and system time of
# `ninja -C build bin/PROGRAM` in an empty folder, du -sm. On a quiet machine the time is two thirds of it.
cost_of_program() {
  case $binary in
    ladder-check) seconds=130 megabytes=200 ;;
    ladder-student) seconds=220 megabytes=260 ;;
    *) seconds=390 megabytes=570 ;;
  esac
}
# What a first verdict needs besides the program, measured with 00/g1: executor and judge once, then table, judge and workers of
# each lesson.
cost_of_lessons() {
  [ "$1" -gt 0 ] || return 0
  seconds=$((seconds + 60 + 20 * $1)) megabytes=$((megabytes + 250 + 50 * $1))
}

lessons_needed() {
  for word in $groups; do case $word in [0-9][0-9]-*) echo "$word" ;; esac; done | sort -u
}

first_screen() {
  cost_of_program
  lessons=$(lessons_needed)
  count=$(printf '%s' "$lessons" | grep -c .) || true
  cost_of_lessons "$count"
  cores=$(nproc 2>/dev/null || echo 2)
  what="bin/$binary"
  page=docs/student.md
  if [ "$count" = 1 ]; then what="$what and what $lessons needs"; fi
  if [ "$count" = 1 ] && [ -e "$root/lessons/$lessons/README.md" ]; then page=lessons/$lessons/README.md; fi
  say "the first time, $what must be built: about $(((seconds / cores + 59) / 60)) min on $cores cores," \
    "$megabytes MB in $LADDER_BUILD. Later calls take seconds"
  [ ! -e "$root/$page" ] || say "a page to read meanwhile: $page"
}

# What a first check needs and no student wrote.
first_targets() {
  lessons=$(lessons_needed)
  case $lessons in '' | *"
"*) ;; *) printf '%s ' "judges/$lessons" ;; esac
}
