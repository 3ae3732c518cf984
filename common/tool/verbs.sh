# shellcheck shell=sh disable=SC2154
# Part of ../../ladder: what it answers by itself, before anything is installed or built: help, list, --version, and
# what is wrong with the name of a verb or a rung. Its source is that of the tool: the tables of verbs in C++, the files
# of the lessons. Needs sh and awk. Uses: root, say, die.

# One line for each verb: name, program, what, names, examples, with tabs between them; of the verb $1, or of all.
# A row of the tables is read as C++ reads it: texts in quotes that follow one another are one text.
verb_rows() {
  awk -v only="${1-}" '
    FNR == 1 { program = FILENAME; sub(/.*\//, "ladder-", program); sub(/_verbs.*/, "", program); in_row = 0 }
    /^    [{]"/ { in_row = 1; text = ""; field = 0; delete fields }
    !in_row { next }
    {
      line = $0
      while (length(line)) {
        c = substr(line, 1, 1)
        if (c == "\"") {
          for (i = 2; (c = substr(line, i, 1)) != "\""; ++i) {
            if (c == "\\") { c = substr(line, ++i, 1); if (c == "n") c = "\\n" }
            fields[field] = fields[field] c
          }
          line = substr(line, i + 1)
        } else {
          if (c == ",") ++field
          line = substr(line, 2)
        }
      }
      if (field >= 7 && in_row) {
        in_row = 0
        if (only == "" || only == fields[0])
          print fields[0] "\t" program "\t" fields[3] "\t" fields[4] "\t" fields[6]
      }
    }' "$root"/common/tool/*_verbs.cpp
}

# Reads words, one a line: those nearest to $1, as the tool finds them (common/base/text/nearest.hpp).
nearest() {
  awk -v word="$1" '
    function least(a, b) { return a < b ? a : b }
    function distance(a, b, i, j, d, m, n) {
      m = length(a); n = length(b)
      for (i = 0; i <= m; ++i) d[i, 0] = i
      for (j = 0; j <= n; ++j) d[0, j] = j
      for (i = 1; i <= m; ++i)
        for (j = 1; j <= n; ++j) {
          d[i, j] = least(least(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
          if (i > 1 && j > 1 && substr(a, i, 1) == substr(b, j - 1, 1) && substr(a, i - 1, 1) == substr(b, j, 1))
            d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1)
        }
      return d[m, n]
    }
    {
      longer = length(word) > length($0) ? length(word) : length($0)
      tolerated = int(longer / 3) > 2 ? int(longer / 3) : 2
      far = length(word) >= 2 && index($0, word) ? 1 : distance(word, $0)
      if (far <= tolerated && far < length($0)) near[far] = near[far] "\n" $0
    }
    END {
      for (far = 0; far < 20 && count < 3; ++far) {
        some = split(substr(near[far], 2), names, "\n")
        for (i = 1; i <= some && count < 3; ++i) text = text (count++ ? ", " : "") names[i]
      }
      print text
    }'
}

# "unknown verb 'chek'; nearest: check", or "...; there are: ..."; the names are read, one a line.
unknown() {
  names=$(cat)
  near=$(printf '%s\n' "$names" | nearest "$2")
  if [ "$near" ]; then die "unknown $1 '$2'; nearest: $near${3-}"; fi
  die "unknown $1 '$2'; there are: $(printf '%s\n' "$names" | tr '\n' ' ' | sed 's/ $//; s/ /, /g')${3-}"
}
unknown_verb() {
  more=". All of them: ./ladder help"
  [ -e "$root/common/tool/class_verbs.cpp" ] || more="$more. A handout has the verbs of students"
  verb_rows | cut -f 1 | grep -v ' ' | unknown verb "$1" "$more"
}

# Sets columns to those of the window that descriptor $1 shows on, for sentences: 40 to 100; 78 where it is none.
window() {
  columns=${COLUMNS-}
  if [ -z "$columns" ] && [ -t "$1" ]; then columns=$(stty size </dev/tty 2>/dev/null | cut -d ' ' -f 2); fi
  case $columns in '' | *[!0-9]* | 0*) columns=78 ;; esac
  if [ "$columns" -gt 100 ]; then columns=100; elif [ "$columns" -lt 40 ]; then columns=40; fi
}

# Sentences in lines of the window, after $1 blanks.
folded() { window 1 && fold -s -w $((columns - $1)) | sed "s/^/$(printf "%${1}s" '')/; s/ *\$//"; }

# Rows of verbs as a list of two columns; $1: first to show the first sentence only.
verb_list() {
  window 1
  awk -F '\t' -v most="$columns" -v part="$1" '
    {
      what = $3
      if (part == "first" && match(what, /[.;] /)) what = substr(what, 1, RSTART - 1) "."
      line = sprintf("  %-10s", $1)
      words = split(what, word, " ")
      for (i = 1; i <= words; ++i) {
        if (length(line) + length(word[i]) + 1 > most) { print line; line = sprintf("%12s", "") }
        line = line " " word[i]
      }
      print line
    }'
}

# Of students, in the order in which they are needed; a verb that is not named here comes last.
students_rows() {
  verb_rows | awk -F '\t' '
    BEGIN { count = split("check watch hint predict profile diff start reset list bench submit report run doctor update", order, " ") }
    $1 !~ / / && $2 !~ /-(class|dev)$/ { row[$1] = $0; all[++rows] = $1 }
    END {
      for (i = 1; i <= count; ++i) if (order[i] in row) { print row[order[i]]; delete row[order[i]] }
      for (i = 1; i <= rows; ++i) if (all[i] in row) print row[all[i]]
    }'
}

# $1: all, for those who teach and those who work on this repository, too.
help_of_all() {
  printf 'GPU Ladder: one computation a lesson, one idea a rung.\n./ladder VERB [NAMES] [OPTIONS]\n\n'
  if [ "$1" = all ]; then
    students_rows | verb_list whole
    if [ -e "$root/common/tool/class_verbs.cpp" ]; then
      printf '\nTo teach:\n'
      verb_rows | awk -F '\t' '$1 !~ / / && $2 == "ladder-class"' | verb_list whole
    fi
    if [ -e "$root/common/tool/dev_verbs.cpp" ]; then
      printf '\nTo work on this repository:\n'
      verb_rows | awk -F '\t' '$1 !~ / / && $2 == "ladder-dev"' | verb_list whole
    fi
  else
    students_rows | verb_list first
  fi
  cat <<'END'

./ladder alone says where you are and what is next.
Begin: ./ladder check 00/g1
A verb's options and examples: ./ladder help check
The guide for students: docs/student.md
END
  if [ "$1" != all ]; then
    echo "Teaching, names, variables, exit status: ./ladder help --all"
    return
  fi
  folded 0 <<'END'
Rungs are named 03/g2, 03-dgemm/g2_shared_tiles or dgemm/shared_tiles, or by their file; lessons 03, 03-dgemm or dgemm.
Exit status 0: everything PASS or SKIPPED; 1: something else; 2: usage or environment.

Variables:
END
  sed -n '3,7s/^# \{0,1\}//p' "$root/ladder"
}

# help of one verb; its options are known to its program only.
help_of_verb() {
  row=$(verb_rows "$1")
  [ "$row" ] || unknown_verb "$1"
  printf '%s\n' "$row" | tr '\t' '\034' | { # read takes tabs together: an empty field would vanish
    IFS=$(printf '\034') read -r name program what names examples
    printf './ladder %s%s [OPTIONS]\n' "$name" "${names:+ [NAMES]}"
    printf '%s\n' "$what" | folded 2
    [ -z "$names" ] || printf 'NAMES: %s\n' "$names" | folded 2
    parts=$(verb_rows | grep "^$name ") || true
    if [ "$parts" ]; then echo && printf '%s\n' "$parts" | sed "s/^$name //" | verb_list whole; fi
    printf '\nExample:\n  %b\n' "$examples"
    printf '\nIts options: ./ladder %s --help, once bin/%s is built.\n' "$name" "$program"
  }
}

version() {
  text="GPU Ladder"
  handout=$(sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' "$root/.handout/handout.json" 2>/dev/null | head -n 1)
  released=$(sed -n 's/^date-released: *//p' "$root/CITATION.cff" 2>/dev/null)
  commit=$(git -C "$root" log -1 --format='%h of %cs' 2>/dev/null || true)
  echo "$text${handout:+, handout $handout}${released:+, released $released}${commit:+, commit $commit}"
}

# The names of files with a rung, of the lessons $1 (all), in the tool's order: 03-dgemm<tab>g2<tab>shared_tiles<tab>file.
rung_rows() {
  for folder in "$root"/lessons/[0-9][0-9]-* "$root"/solutions/[0-9][0-9]-*; do
    for file in "$folder"/[cmgt][0-9]*_*.cpp "$folder"/[cmgt][0-9]*_*.cu; do
      if [ -e "$file" ]; then printf '%s\n' "$file"; fi
    done
  done | awk -F / -v only="${1-}" '
    { lesson = $(NF - 1); file = $NF; rung = file; sub(/_.*/, "", rung); idea = file
      sub(/^[^_]*_/, "", idea); sub(/[.].*/, "", idea)
      if (seen[lesson, file]++ || (only != "" && only != lesson)) next
      print lesson "\t" index("cmgt", substr(rung, 1, 1)) "\t" substr(rung, 2) "\t" rung "\t" idea "\t" $0 }' |
    sort -t '	' -k 1,1 -k 2,2n -k 3,3n | cut -f 1,4-
}

# The lesson that is meant by $1: 03, 3, 03-dgemm, dgemm. Empty: none.
lesson_named() {
  for folder in "$root"/lessons/[0-9][0-9]-* "$root"/solutions/[0-9][0-9]-*; do
    name=${folder##*/}
    case $1 in
      "$name" | "${name%%-*}" | "${name#*-}") [ -d "$folder" ] && echo "$name" && return ;;
      [0-9]) [ "0$1" != "${name%%-*}" ] || { echo "$name" && return; } ;;
    esac
  done
}
lesson_names() {
  for folder in "$root"/lessons/[0-9][0-9]-*; do [ ! -d "$folder" ] || echo "${folder##*/}"; done
}

# The lessons, without a table of theirs: a line each, and the rungs of the first one; of those that are named, or of all
# with --all, the rungs: names, and the first sentence of each file.
plain_list() {
  more=''
  # shellcheck disable=SC2046  # names, one word each
  case ${1-} in
    --all) set -- $(lesson_names) ;;
    '')
      for lesson in $(lesson_names); do
        rung_rows "$lesson" | awk -v title="$(title_of "$lesson")" 'END { printf "%s   (%d rung%s)\n", title, NR, NR == 1 ? "" : "s" }'
      done
      echo
      set -- $(lesson_names | head -n 1)
      more="All rungs: ./ladder list --all; those of one lesson: ./ladder list ${1%%-*}"
      ;;
  esac
  for name; do
    lesson=$(lesson_named "$name")
    [ "$lesson" ] || lesson_names | unknown lesson "$name"
  done
  for name; do
    lesson=$(lesson_named "$name")
    title_of "$lesson"
    rung_rows "$lesson" | awk -F '\t' '{
        number = substr($1, 1, 2)
        first = ""
        for (i = 0; i < 2; ++i) if ((getline line < $4) > 0) first = line
        close($4)
        sub(/^[\/]* *[a-z0-9]*: */, "", first)
        sub(/[.:] .*/, ".", first)
        printf "  %-7s %-24s %.70s\n", number "/" $2, $3, first
      }'
    echo
  done
  [ -z "$more" ] || echo "$more"
  echo "Begin: read lessons/00-first-steps/README.md, then ./ladder check 00/g1"
  echo "Hours, points and how far you are: ./ladder list, after the first check, which builds the tool."
}
title_of() { sed -n '1s/^# *//p' "$root/lessons/$1/README.md" 2>/dev/null | grep . || echo "$1"; }

# Names of rungs and lessons that are not there end ./ladder; of the words from the verb to the first option. Old names and
# ranges are left to the tool.
check_names() {
  [ "$(lesson_names)" ] || return 0
  lesson=''
  for name; do
    case $name in "$verb") continue ;; esac
    case $name in -* | *.* | *=* | *,* | */*-*) return 0 ;; esac
    if [ -e "$name" ]; then return 0; fi
    name=$(canonical "$name")
    case $name in
      */* | *-*) ;;
      [cmgt][0-9] | [cmgt][0-9][0-9]) # of the only lesson that has it, or of the one named before it
        [ "$(rung_rows | awk -F '\t' -v rung="$name" '$2 == rung { ++n } END { print n + 0 }')" != 1 ] || return 0
        [ -z "$lesson" ] || return 0
        ;;
    esac
    lesson=$(lesson_named "${name%%/*}")
    if [ -z "$lesson" ]; then
      case $name in
        [cmgt][0-9] | [cmgt][0-9][0-9])
          die "a rung is named with its lesson: $(rung_rows | awk -F '\t' -v rung="$name" '$2 == rung {
            printf "%s%s/%s (%s)", count++ ? ", " : "", substr($1, 1, 2), $2, $3 }')" ;;
      esac
      lesson_names | unknown lesson "${name%%/*}"
    fi
    case $name in */?*) ;; *) continue ;; esac
    rung=${name#*/}
    ! grep -qs "\"$rung\"\|\"${rung}_\|_$rung\"" "$root/lessons/$lesson/"*.hpp || continue # was called so
    rung_rows "$lesson" | grep -q "	$rung	\|	${rung%%_*}	${rung#*_}	" ||
      rung_rows "$lesson" | awk -F '\t' '{ print substr($1, 1, 2) "/" $2; }' | there_are "$lesson" "$name"
  done
}
there_are() {
  rungs=$(tr '\n' ' ' | sed 's/ $//; s/ /, /g')
  die "$1 has no rung '${2#*/}'; it has $rungs. What they are: ./ladder list ${1%%-*}"
}

# ./ladder alone, where nothing was begun.
begin() {
  echo "Nothing is built yet, and no rung is begun."
  echo "Begin: read lessons/00-first-steps/README.md, then ./ladder check 00/g1, which builds what it needs."
  echo "All lessons and rungs: ./ladder list. All verbs: ./ladder help. The guide: docs/student.md."
}
