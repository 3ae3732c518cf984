#!/bin/bash
# The steps of .devcontainer/Dockerfile, in order, in a copy of a clean root of Debian 12, where no container tool is at hand; then the
# first check as its user, in a copy of the checkout as an editor mounts it.
#   tests/image/dockerfile.sh BASE [LESSONS]     as root; BASE: a minimal root of Debian 12 (debootstrap), which is copied. LESSONS: "00"
# LADDER_IMAGE_BIND=DIR: a cache of ccache, which the root's compiler then uses: the one thing that Docker would not have.
set -euo pipefail
base=$(cd "$1" && pwd) given=${2-}
checkout=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" dockerfile.XXXXXX)
root=$work/root
# shellcheck disable=SC2317  # called by the trap
ended() { umount "$root/cache" 2>/dev/null || true; rm -rf --one-file-system "$work"; }
trap ended EXIT
cp -a "$base" "$root"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
variables=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin) user=root

# COMMAND… in the root, as the Dockerfile's user of now, with its variables and no other.
inside() {
  # shellcheck disable=SC2016  # the inner shell's variables
  unshare --mount --pid --fork sh -c '
    root=$1 user=$2; shift 2
    mount --make-rprivate /; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups env -i "$@"' \
    sh "$root" "$user" "${variables[@]}" "$@"
}

if [ -n "${LADDER_IMAGE_BIND-}" ]; then
  inside sh -c 'apt-get update && apt-get install -y --no-install-recommends ccache' >"$work/ccache" 2>&1 || { tail -n 3 "$work/ccache"; exit 1; }
  mkdir "$root/cache"
  mount --bind "$LADDER_IMAGE_BIND" "$root/cache"
  variables+=(CCACHE_DIR=/cache CCACHE_BASEDIR=/opt CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
    CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

step() { # one instruction of the Dockerfile: its word, the rest of the line
  local start=$SECONDS to
  case $1 in
    FROM) grep -q "VERSION_CODENAME=$(sed 's/.*:\([a-z]*\).*/\1/' <<<"$2")" "$root/etc/os-release" || { echo "$base is not $2"; exit 1; } ;;
    ARG) # NAME="default", for the steps that follow
      to=${2#*=} to=${to//\"/}
      variables+=("${2%%=*}=${given:-$to}")
      ;;
    ENV) # shellcheck disable=SC2206  # words
      variables+=($2) ;;
    COPY) # . DIR, without what .dockerignore names
      [[ $2 = ". "* ]] || { echo "FAILED: only \"COPY . DIR\" is known here: $2"; exit 1; }
      to=$root${2#. }
      mkdir -p "$to"
      (cd "$checkout" && tar --anchored --wildcards --no-wildcards-match-slash --exclude-from=.dockerignore -c -- $(ls -A)) | tar -C "$to" -x --no-same-owner
      ;;
    RUN) inside /bin/sh -c "$2" >"$work/output" 2>&1 || { tail -n 40 "$work/output"; echo "FAILED: RUN $2"; exit 1; } ;;
    USER) user=$(awk -F: -v name="$2" '$1 == name { print $3 }' "$root/etc/passwd") variables+=("HOME=/home/$2") ;;
    *) echo "FAILED: the instruction $1 is not known here"; exit 1 ;;
  esac
  echo "$1 ${2:0:70}: $((SECONDS - start)) s"
}

echo "load of this machine before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
# A line that ends with \ goes on; comments are lines of their own.
while read -r word rest; do step "$word" "$rest"; done < <(sed '/^#/d' "$checkout/.devcontainer/Dockerfile" | sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}')

copy=$root/workspaces/ladder
mkdir -p "$copy"
git -C "$checkout" archive HEAD | tar -C "$copy" -x
chown -R "$user:$user" "$copy"
first=$(sed -n 's/.*"postCreateCommand": "\(.*\)".*/\1/p' "$checkout/.devcontainer/devcontainer.json")
inside sh -c "cd /workspaces/ladder && $first" >"$work/output" 2>&1 || { cat "$work/output"; echo "FAILED: $first"; exit 1; }
echo "$first: $(wc -l <"$work/output") lines"
start=$SECONDS
inside sh -c 'cd /workspaces/ladder && ./ladder check 00/g1' >"$work/output" 2>&1 && status=0 || status=$?
if [ $status != 1 ] || ! grep -q "NOT STARTED" "$work/output"; then cat "$work/output"; echo "FAILED: the first check"; exit 1; fi
echo "the first check, of a skeleton: $((SECONDS - start)) s: $(grep -m 1 "NOT STARTED" "$work/output")"
inside sudo -n true || { echo "FAILED: sudo"; exit 1; }
echo "opt/ladder: $(du -sh "$root/opt/ladder" | cut -f 1), the root: $(du -sh --exclude="$root/cache" "$root" | cut -f 1)"
