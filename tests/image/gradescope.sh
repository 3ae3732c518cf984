#!/bin/bash
# The zip of `./ladder image --gradescope` of 03/g1 to g3 as the platform runs it: in Docker, Ubuntu 22.04, setup.sh with the
# network, then run_autograder with half a processor, 768 MB, no network, and Docker's own system calls and capabilities.
#   tests/image/gradescope.sh ZIP JAMMY [NAME…]     JAMMY: an image, or a folder with a minimal root of Ubuntu 22.04
# NAME: right (all points in under 300 s), hanging (a verdict or a note for each rung in under 540 s), limited (attempts per day), skeleton.
# Needs a Docker engine. No batch of this machine may run next to it: users of submissions would be the same.
set -euo pipefail
zip=$(readlink -f "$1") base=$2
shift 2
checkout=$(cd "$(dirname "$0")/../.." && pwd)
names=("$@")
[ $# -gt 0 ] || names=(right limited hanging)
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" gradescope.XXXXXX)
id=$(basename "$work" | tr 'A-Z.' 'a-z-')
trap '{ docker rm -f "$id"; docker rmi "$id" "$id-root"; rm -rf --one-file-system "$work"; } >/dev/null 2>&1' EXIT

if [ -d "$base" ]; then # mirrors and certificates of this machine
  tar -C "$base" -c . | docker import - "$id-root" >/dev/null
  base=$id-root
fi
mkdir -p "$work"/autograder/{source,submission,results} "$work/apt"
cp /etc/apt/apt.conf.d/99* "$work/apt/" 2>/dev/null || true
echo "Docker $(docker version --format '{{.Server.Version}}'); the zip: $(du -h "$zip" | cut -f 1)"
(cd "$work/autograder/source" && cmake -E tar xf "$zip")
begin=$SECONDS
docker run --name "$id" --network host -v "$work/autograder/source:/from:ro" -v "$work/apt:/apt:ro" "$base" \
  sh -c 'mkdir -p /autograder/source && cp -a /from/. /autograder/source && cp /autograder/source/run_autograder /autograder &&
    cp /apt/* /etc/apt/apt.conf.d/ 2>/dev/null; sh /autograder/source/setup.sh && du -sh /opt/ladder' >"$work/setup.log" 2>&1 ||
  { tail "$work/setup.log"; exit 1; }
docker commit "$id" "$id" >/dev/null
echo "setup.sh: $((SECONDS - begin)) s; $(tail -n 1 "$work/setup.log")"

submission_of() { # NAME
  rm -rf "$work"/autograder/submission "$work"/autograder/results
  mkdir -p "$work"/autograder/{submission,results}
  local step file
  for step in g1_naive g2_shared_tiles g3_register_tiles; do
    file=$work/autograder/submission/$step.cu
    case $1 in
      hanging) sed '/^void .*(const Problem& /a\  for (volatile int forever = 1; forever;) {\n  }' "$checkout/solutions/03-dgemm/$step.cu" >"$file" ;;
      skeleton) cp "$checkout/lessons/03-dgemm/$step.cu" "$file" ;;
      *) cp "$checkout/solutions/03-dgemm/$step.cu" "$file" ;;
    esac
  done
}

run() { # NAME SECONDS
  submission_of "$1"
  echo "load of this machine: $(cut -d ' ' -f 1-3 /proc/loadavg)"
  local begin=$SECONDS mounts=()
  for part in submission results submission_metadata.json; do
    [ ! -e "$work/autograder/$part" ] || mounts+=(-v "$work/autograder/$part:/autograder/$part")
  done
  [ "$1" != limited ] || mounts+=(-v "$work/limited.json:/autograder/source/gradescope.json:ro")
  docker run --rm --network none --cpus 0.5 --memory 768m "${mounts[@]}" "$id" sh -c '/autograder/run_autograder; status=$?
    cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes /sys/fs/cgroup/memory.peak 2>/dev/null
    find /tmp /var/tmp /dev/shm -mindepth 1 -path /tmp/ladder -prune -o -printf "left behind: %p\n"; exit $status' >"$work/output" 2>&1 ||
    { tail -n 20 "$work/output"; exit 1; }
  local took=$((SECONDS - begin))
  ! grep "left behind" "$work/output" || exit 1
  echo "$1: $took s, at most $(($(tail -n 1 "$work/output") >> 20)) MB"
  grep -E '"(name|output|score|max_score)"' "$work/autograder/results/results.json"
  [ "$took" -lt "$2" ] || { echo "FAILED: $took s"; cat "$work/output"; exit 1; }
}

trap 'echo "FAILED: $name"; tail -n 60 "$work/output"' ERR
for name in "${names[@]}"; do
  case $name in
    right)
      run right 300
      python3 - "$work/autograder/results/results.json" <<'END'
import json, sys
tests = [t for t in json.load(open(sys.argv[1]))["tests"] if "max_score" in t]
assert len(tests) == 3 and all(t["score"] == t["max_score"] for t in tests), tests
most = f"{sum(t['max_score'] for t in tests):g}"  # of the rows, or of a course file
assert json.load(open(sys.argv[1]))["output"].startswith(f"{most} of {most}"), "the total"
END
      ;;
    hanging)
      run hanging 540
      python3 - "$work/autograder/results/results.json" <<'END'
import json, sys
tests = json.load(open(sys.argv[1]))["tests"]
assert len({t["name"].split()[0] for t in tests if "open" not in t["name"]}) == 3, tests
for t in tests:
    if "open" not in t["name"]:
        assert t.get("extra_data", {}).get("verdict") == "TIMEOUT" or t["output"].startswith("not judged in time"), t
END
      ;;
    limited)
      sed 's/"per_day": *[0-9]*/"per_day": 1/' "$work/autograder/source/gradescope.json" >"$work/limited.json"
      printf '{"created_at": "2027-02-14T12:00:00Z", "previous_submissions": [{"submission_time": "2027-02-14T11:00:00Z", "results": {"tests": []}}]}' \
        >"$work/autograder/submission_metadata.json"
      run limited 60
      grep -q "2027-02-15T11:00:00Z" "$work/autograder/results/results.json" || { echo "FAILED: attempts per day"; exit 1; }
      rm "$work/autograder/submission_metadata.json"
      ;;
    *) run "$name" 300 ;;
  esac
done
