#!/bin/bash
# The zip of `./ladder image --gradescope` of 03/g1 to g3 as the platform runs it, as far as one machine without containers can:
# a fresh Ubuntu 22.04 root, setup.sh with the network, then run_autograder with half a processor, 768 MB, the capabilities of
# Docker's default profile, no network.
#   tests/image/gradescope.sh ZIP JAMMY [NAME…]     JAMMY: a minimal root of Ubuntu 22.04, which is copied
# NAME: right (all points in under 300 s), hanging (a verdict or a note for each rung in under 540 s), limited (attempts per day), skeleton.
set -euo pipefail
zip=$(readlink -f "$1") base=$(cd "$2" && pwd)
shift 2
checkout=$(cd "$(dirname "$0")/../.." && pwd)
names=("$@")
[ $# -gt 0 ] || names=(right limited hanging)
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" gradescope.XXXXXX)
root=$work/root
groups=(/sys/fs/cgroup/cpu/ladder-gradescope /sys/fs/cgroup/memory/ladder-gradescope)
trap 'rmdir "${groups[@]}" 2>/dev/null; rm -rf --one-file-system "$work"' EXIT
docker=chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod,audit_write,setfcap

# shellcheck source=common/tool/image_root.sh
. "$checkout/common/tool/image_root.sh" # share_users; inside is another one here

# COMMAND… in the root, limited as the platform does it where $limited is set.
inside() {
  share_users
  # shellcheck disable=SC2016  # the inner shell's variables
  unshare --mount --pid --fork ${limited:+--net} bash -c '
    root=$1 limited=$2 caps=$3; shift 3
    for group in $limited; do echo 0 >"$group/cgroup.procs"; done
    mount --make-rprivate /
    for lock in /run/gpu-ladder-users-*; do mount --bind "$lock" "$root$lock"; done
    mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/tmp"
    [ -z "$limited" ] || exec setpriv --bounding-set "-all,+${caps//,/,+}" --inh-caps=-all chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
    exec chroot "$root" "$@"' bash "$root" "${limited:+${groups[*]}}" "$docker" "$@"
}

limited=
cp -a "$base" "$root"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
cp /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
mkdir -p "$root"/autograder/{source,submission,results}
echo "the zip: $(du -h "$zip" | cut -f 1)"
(cd "$root/autograder/source" && cmake -E tar xf "$zip")
cp "$root/autograder/source/run_autograder" "$root/autograder/"
begin=$SECONDS
inside sh /autograder/source/setup.sh >"$work/setup.log" 2>&1 || { tail "$work/setup.log"; exit 1; }
echo "setup.sh: $((SECONDS - begin)) s; the root after it: $(du -sh "$root" | cut -f 1), /opt/ladder: $(du -sh "$root/opt/ladder" | cut -f 1)"

mkdir -p "${groups[@]}"
echo 100000 >"${groups[0]}/cpu.cfs_period_us"
echo 50000 >"${groups[0]}/cpu.cfs_quota_us"
echo $((768 << 20)) >"${groups[1]}/memory.limit_in_bytes"

submission_of() { # NAME
  rm -rf "$root"/autograder/submission "$root"/autograder/results
  mkdir -p "$root"/autograder/{submission,results}
  local step file
  for step in g1_naive g2_shared_tiles g3_register_tiles; do
    file=$root/autograder/submission/$step.cu
    case $1 in
      hanging) sed '/^void .*(const Problem& /a\  for (volatile int forever = 1; forever;) {\n  }' "$checkout/solutions/03-dgemm/$step.cu" >"$file" ;;
      skeleton) cp "$checkout/lessons/03-dgemm/$step.cu" "$file" ;;
      *) cp "$checkout/solutions/03-dgemm/$step.cu" "$file" ;;
    esac
  done
}

run() { # NAME SECONDS
  limited=yes
  submission_of "$1"
  echo "load of this machine: $(cut -d ' ' -f 1-3 /proc/loadavg)"
  echo 0 >"${groups[1]}/memory.max_usage_in_bytes"
  local begin=$SECONDS
  inside /autograder/run_autograder >"$work/output" 2>&1 || { tail -n 20 "$work/output"; exit 1; }
  local took=$((SECONDS - begin))
  echo "$1: $took s, at most $(($(cat "${groups[1]}/memory.max_usage_in_bytes") >> 20)) MB, throttled $(sed -n 's/^throttled_time //p' "${groups[0]}/cpu.stat") ns in all"
  grep -E '"(name|output|score|max_score)"' "$root/autograder/results/results.json"
  [ "$took" -lt "$2" ] || { echo "FAILED: $took s"; cat "$work/output"; exit 1; }
}

trap 'echo "FAILED: $name"; tail -n 60 "$work/output"' ERR
for name in "${names[@]}"; do
  case $name in
    right)
      run right 300
      python3 - "$root/autograder/results/results.json" <<'END'
import json, sys
tests = [t for t in json.load(open(sys.argv[1]))["tests"] if "max_score" in t]
assert len(tests) == 3 and all(t["score"] == t["max_score"] for t in tests), tests
most = f"{sum(t['max_score'] for t in tests):g}"  # of the rows, or of a course file
assert json.load(open(sys.argv[1]))["output"].startswith(f"{most} of {most}"), "the total"
END
      ;;
    hanging)
      run hanging 540
      python3 - "$root/autograder/results/results.json" <<'END'
import json, sys
tests = json.load(open(sys.argv[1]))["tests"]
assert len({t["name"].split()[0] for t in tests if "open" not in t["name"]}) == 3, tests
for t in tests:
    if "open" not in t["name"]:
        assert t.get("extra_data", {}).get("verdict") == "TIMEOUT" or t["output"].startswith("not judged in time"), t
END
      ;;
    limited)
      cp "$root/autograder/source/gradescope.json" "$work/kept"
      sed -i 's/"per_day": *[0-9]*/"per_day": 1/' "$root/autograder/source/gradescope.json"
      printf '{"created_at": "2027-02-14T12:00:00Z", "previous_submissions": [{"submission_time": "2027-02-14T11:00:00Z", "results": {"tests": []}}]}' \
        >"$root/autograder/submission_metadata.json"
      run limited 60
      grep -q "2027-02-15T11:00:00Z" "$root/autograder/results/results.json" || { echo "FAILED: attempts per day"; exit 1; }
      rm "$root/autograder/submission_metadata.json"
      cp "$work/kept" "$root/autograder/source/gradescope.json"
      ;;
    *) run "$name" 300 ;;
  esac
done
left=$(find "$root/tmp" "$root/var/tmp" "$root/dev/shm" -mindepth 1 2>/dev/null | head -n 3)
echo "left behind: ${left:-nothing}"
