# shellcheck shell=sh disable=SC2154
# Part of ../../ladder: which packages of packages.txt and of the lessons' are missing, and how they are installed.
# Uses: root, log, say, includes, libraries, vendors. Sets: must, more, why, found.

# Looks for the thing, not for a package's name: any system and any prefix will do.
has() {
  case $1 in
    /*) [ -e "$1" ]; return ;;
    *.icd) set -- "$1" "$vendors" ;;
    lib*) set -- "$1" "$libraries" ;;
    */* | *.h) set -- "$1" "$includes" ;;
    *'*') set -- "$1" "$PATH" ;;
    g++) set -- "${CXX:-g++}"; command -v "${1%% *}" >/dev/null; return ;;
    *) command -v "$1" >/dev/null; return ;;
  esac
  IFS=:
  for folder in $2; do
    for file in "$folder"/$1; do [ ! -e "$file" ] || { unset IFS; return 0; }; done
  done
  unset IFS; return 1
}

# Adds to $groups what the arguments need: for "lessons" the back ends of the rungs, and the lists of the lessons, that they
# name, or all of them when they name none.
need() {
  case " $groups " in *' *course '*) groups="$groups *zone" ;; esac
  if [ -e "$root/.handout/course.json" ]; then groups="$groups *zone"; fi
  case " $groups " in *' lessons '*) ;; *) return 0 ;; esac
  named='' leading=yes before=''
  for argument; do
    case $argument in
      --) break ;;
      --rungs=*) need_of_words "${argument#*=}" ;;
      -*) leading='' ;;
      */*) need_of_words "$argument" ;;
      "$verb") ;;
      *) case $leading$before in yes* | *--rungs) need_of_words "$argument" ;; esac ;; # not the values of options
    esac
    before=$argument
  done
  [ "$named" ] || groups="$groups cuda cpu mpi opencl $(lesson_names | tr '\n' ' ')"
}

# The word as lesson/rung, where it joins the two otherwise (00-g1, 00g1), is a path to a rung's file from anywhere, or a
# rung of the lesson of the last verdict; typed_names.cpp reads more.
canonical() {
  case $1 in
    "$root"/lessons/*) printf %s "${1#"$root"/lessons/}" && return ;;
    [0-9][0-9]-[cmgt][0-9]* | [0-9][0-9][_.:][cmgt][0-9]*) printf %s "${1%"${1#??}"}/${1#???}" && return ;;
    [0-9][0-9][cmgt][0-9]*) printf %s "${1%"${1#??}"}/${1#??}" && return ;;
    [cmgt][0-9] | [cmgt][0-9][0-9] | [cmgt][0-9]-[cmgt]*)
      last=$(tail -n 1 "$root/.ladder/history.jsonl" 2>/dev/null | sed -n 's/.*"step":"\([^/"]*\).*/\1/p')
      [ -z "$last" ] || { printf %s "$last/$1" && return; }
      ;;
    *.cu | *.cpp)
      case $PWD/ in "$root"/lessons/[0-9]*) [ ! -e "$1" ] || { printf %s "${PWD##*/}/$1" && return; } ;; esac
      ;;
  esac
  printf %s "$1"
}

# Of "03/g1-g3,04/c1": lessons, rungs, ranges (all of the track); or the files of a program.
need_of_words() {
  for word in $(printf %s "$1" | tr , ' '); do
    word=$(canonical "${word#./}")
    case $word in
      lessons/* | solutions/*) word=${word#*/} ;;
      [0-9][0-9]/*.cu | [0-9][0-9]-*/*.cu | [0-9][0-9]/*.cpp | [0-9][0-9]-*/*.cpp) ;; # a rung's
      *.cu | *.cpp | *.cc | *.c)
        named=yes groups="$groups cuda"
        if grep -qs cublas "$word"; then groups="$groups blas"; fi
        continue
        ;;
    esac
    lesson=$(lesson_named "${word%%/*}")
    [ "$lesson" ] || continue
    named=yes groups="$groups $lesson"
    rung=''
    case $word in */?*) rung=${word#*/} rung=${rung%.*} ;; esac
    for file in "$root/lessons/$lesson"/[cmgt][0-9]*_*.c* "$root/solutions/$lesson"/[cmgt][0-9]*_*.c*; do
      name=${file##*/} name=${name%.*}
      case $rung in
        '' | "$name" | "${name%%_*}" | "${name#*_}" | "${name%"${name#?}"}"[0-9]*-*) need_of_file "$file" ;;
      esac
    done
  done
}
need_of_file() {
  case ${1##*/} in
    *'*'*) ;; # there is none
    m[0-9]*.cu) groups="$groups cuda mpi" ;;
    *.cu) groups="$groups cuda" ;;
    c[0-9]*) groups="$groups cpu" ;;
    m[0-9]*) groups="$groups mpi" ;;
    *) groups="$groups opencl" ;;
  esac
}

# Sets must and more to the packages missing for the groups in $1, why to what they are for, and found to all
# that is there.
look() {
  must='' more='' why='' found=''
  for list in "$root/common/tool/packages.txt" "$root"/lessons/*/given/packages.txt; do
    [ -e "$list" ] || continue # no lesson has one
    lesson=${list%/given/packages.txt}
    lesson=${lesson##*/}
    while read -r group sign package reason; do
      case $group in '#'*) continue ;; esac
      if has "$sign"; then found="$found $sign"; continue; fi
      case $list in */given/packages.txt)
        case " $1 " in *" $lesson "*) ;; *) continue ;; esac
        [ "$group" != '*' ] || group='*lesson'
        case " $1 lessons *lesson " in *" $group "*) ;; *) continue ;; esac
        ;;
      *) case " $1 " in *" $group "*) ;; *) continue ;; esac ;;
      esac
      case " $must $more " in *" $package "*) continue ;; esac
      case $group in '*'*) must="$must $package" ;; *) more="$more $package" ;; esac
      why="${why:+$why, }$package (${reason%;*})"
    done <"$list"
  done
}

# Runs a command. Its output goes to the log; a terminal sees the last line. What title says is said as soon as
# something is compiled: ninja also comes to find that there is nothing to do.
title=''
# "[30/57" of ninja, where no line can show it: each tenth once.
tell_tenth() {
  case $1 in '['[0-9]*/[0-9]*) ;; *) return 0 ;; esac
  is=${1%%/*} of=${1##*/}
  is=${is#?}
  case $is$of in *[!0-9]*) return 0 ;; esac
  [ "$of" -ge 10 ] && [ $((is * 10 / of)) -gt "$tenth" ] || return 0
  tenth=$((is * 10 / of))
  say "${tenth}0 %"
}
logged() {
  rm -f "$log.ok"
  tenth=0
  { "$@" </dev/null && true >"$log.ok"; } 2>&1 | while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    case $line in
      *'CMakeFiles/table-'*) ;; # not of the tool: a second
      *'] Building '*)
        [ ! -t 2 ] || printf '\r\033[K' >&2
        [ -z "$title" ] || say "$title"
        title=''
        ;;
    esac
    if [ ! -t 2 ]; then tell_tenth "${line%%]*}"; fi
    [ ! -t 2 ] || printf '\r\033[K%.78s' "$line" >&2
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
  [ -e "$log.ok" ]
}

as_root() { if [ "$(id -u)" = 0 ]; then env "$@"; else sudo env "$@"; fi; }
apt() { as_root LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 "$@"; }

# A password is asked for only where nothing works without it.
can_install() {
  [ -z "${LADDER_OFFLINE-}" ] && command -v apt-get >/dev/null || return 1
  [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null || return 0
  [ -n "$must" ] && [ -t 0 ] && command -v sudo >/dev/null
}

# Sets names and unknown to the missing packages that apt knows and those that it does not.
ask_apt() {
  names='' unknown=''
  # shellcheck disable=SC2086  # names, one word each, here and below
  known=$(apt-cache show --no-all-versions $must $more 2>/dev/null | sed -n 's/^Package: //p' | tr '\n' ' ')
  for package in $must $more; do
    case " $known" in *" $package "*) names="$names $package" ;; *) unknown="$unknown $package" ;; esac
  done
}

# Says and installs what look() found missing; look() again tells what came of it.
install_missing() {
  ask_apt
  if [ -n "$unknown" ] || [ -z "$(find /var/lib/apt/lists/partial -prune -mtime -7)" ]; then
    say "bringing apt's lists of packages up to date"
    logged apt update || say "apt-get update failed: trying with the lists that are here"
    ask_apt
  fi
  [ -z "$unknown" ] || say "apt does not know$unknown"
  for package in $unknown; do
    case " $must " in *" $package "*) ;; *) continue ;; esac
    ! grep -qs '^ID=ubuntu' /etc/os-release || say "switch universe on: sudo add-apt-repository universe"
    return 0
  done
  [ -n "$names" ] || return 0
  # shellcheck disable=SC2086
  size=$(apt install --assume-no --no-install-recommends $names 2>/dev/null | sed -n '
    s/^Need to get \(.*\) of archives.*/\1 to download/p; s/^After this operation, \(.*\) of additional disk.*/\1 on disk/p' |
    tr '\n' ',' | sed 's/,$//; s/,/, /g')
  say "installing $why${size:+: $size}; this can take some minutes. Log: $log"
  # shellcheck disable=SC2086
  logged apt install -y --no-install-recommends $names && return
  # Lists can be older than the mirror, and an installation that was broken off leaves packages half set up.
  logged as_root DEBIAN_FRONTEND=noninteractive dpkg --configure -a || true
  logged apt update || true
  # shellcheck disable=SC2086
  logged apt install -y --no-install-recommends $names ||
    say "apt-get install failed: $(grep '^E:' "$log" | tail -n 1)"
}

tell_missing() {
  say "missing: $why"
  cat >&2 <<END
  As root, on Debian 12 or Ubuntu 24.04 (universe); elsewhere what holds the same programs and libraries:
    apt-get install --no-install-recommends$must$more
  Without root: unpack these and what they need (dpkg -x) into a folder and set LADDER_PREFIX to it.
  Then give the same command again: it goes on from here.
END
}
