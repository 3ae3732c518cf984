# shellcheck shell=bash disable=SC2154
# Read by nodes_test.sh, after slurm.sh: a Slurm of two nodes on this machine. Each has processes, a network, a name, /tmp and
# /dev/shm of its own; they share all other folders, as the nodes of a cluster share a file system, and a cable.
for program in ip unshare nsenter; do
  command -v $program >/dev/null || { echo "not tried: no $program here (iproute2, util-linux)"; exit 77; }
done
unshare -m -n -u -i -p -f --mount-proc true 2>/dev/null || { echo "not tried: no namespaces for nodes here"; exit 77; }

# The first process of a node: when it ends, all that it has started does.
node() { # its number; folders below /tmp that both nodes see
  local number=$1 folder
  shift
  hostname "ladder$number"
  mount -t tmpfs none /dev/shm
  mount --rbind /tmp /mnt
  mount -t tmpfs none /tmp
  for folder; do
    case $folder in /tmp/*) mkdir -p "$folder" && mount --bind "/mnt/${folder#/tmp/}" "$folder" ;; esac
  done
  umount -l /mnt
  ip link set lo up
  until ip link set "cable$number" up && ip addr add "10.203.7.$number/24" dev "cable$number"; do sleep 0.1; done 2>/dev/null
  start_munge /tmp
  [ "$number" = 2 ] || slurmctld -D -c 2>"$work/slurmctld.log" &
  slurmd -D -N "ladder$number" 2>"$work/slurmd$number.log" &
  wait
}

on_first_node() { nsenter -t "$first" -m -n -u -i -p -w "$@"; }

start_slurm_of_two_nodes() { # CPUs of each; folders below /tmp that both see
  local cpus=$1 number inside=()
  shift
  make_munge_key
  write_slurm_conf 'ladder1(10.203.7.1)' 6817 6818 /tmp >"$work/slurm.conf"
  cat >>"$work/slurm.conf" <<END
NodeName=ladder1 NodeAddr=10.203.7.1 CPUs=$cpus RealMemory=8192 State=UNKNOWN
NodeName=ladder2 NodeAddr=10.203.7.2 CPUs=$cpus RealMemory=8192 State=UNKNOWN
PartitionName=cpu Nodes=ladder1,ladder2 Default=YES State=UP
END
  export SLURM_CONF="$work/slurm.conf" work
  for number in 1 2; do
    unshare -m -n -u -i -p -f --mount-proc --kill-child bash -c "$(declare -f node start_munge); started=''; node \"\$@\"" \
      node $number "$work" "$@" &
    started="$started $!"
    for _ in $(seq 100); do inside[number]=$(pgrep -P $!) && break; sleep 0.05; done
  done
  first=${inside[1]}
  ip link add cable1 netns "${inside[1]}" type veth peer name cable2 netns "${inside[2]}" ||
    { echo "not tried: no network between nodes here (veth)"; exit 77; }
  sinfo() { on_first_node sinfo "$@"; }
  wait_for_nodes cpu idle,2
}
