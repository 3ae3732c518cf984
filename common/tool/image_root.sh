# shellcheck shell=sh disable=SC2154
# Part of image.sh and gradescope/try_zip.sh: a root of a distribution, and commands in it. Who reads this has set root, log, base,
# mirror, suite (bookworm, jammy), system (its name), and say and die.

# The users of submissions are locked by files (grade_uids.cpp). A root has the machine's: it would take the same users as a batch
# outside, and each would end the processes of the other.
share_users() {
  (umask 077; for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do : >>"/run/gpu-ladder-users-$n"; : >>"$root/run/gpu-ladder-users-$n"; done)
}

# Runs a command in the root, with processes and devices, without the machine's other files; without a network where $offline is set.
inside() {
  share_users
  # shellcheck disable=SC2016  # the inner shell's variables
  unshare --mount --pid --fork ${offline:+--net} sh -c '
    root=$1 bind=$2; shift 2
    mount --make-rprivate /
    for lock in /run/gpu-ladder-users-*; do mount --bind "$lock" "$root$lock"; done
    mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/tmp"
    if [ -n "$bind" ]; then mkdir -p "$root$bind"; mount --bind "$bind" "$root$bind"; fi
    exec chroot "$root" env "$@"' sh "$root" "${LADDER_IMAGE_BIND-}" "$@" >>"$log" 2>&1
}

make_root() {
  if [ -n "$base" ]; then
    say "copying $base"
    cp -a "$base" "$root"
    grep -qi "$suite" "$root/etc/os-release" || die "--base $base is no root of $system"
  else
    command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap, or give --base"
    say "making a root of $system"
    [ -n "$mirror" ] || case $suite in
      jammy) mirror=http://archive.ubuntu.com/ubuntu ;;
      *) mirror=http://deb.debian.org/debian ;;
    esac
    [ "$suite" != jammy ] || set -- --components=main,universe
    debootstrap --variant=minbase --include=ca-certificates "$@" "$suite" "$root" "$mirror" >>"$log" 2>&1 ||
      die "debootstrap failed: $(tail -n 1 "$log")"
  fi
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
}
