# shellcheck shell=sh disable=SC2154
# Read by slurm_test.sh, nodes_test.sh and tests/grading/slurm_array_test.sh: a Slurm of this one machine in $work, with the
# partitions gpu and other; or one of two nodes.
# Ends the test with status 77 where that cannot be. Sets PATH, SLURM_CONF, and started: the processes to end afterwards.
PATH=$PATH:/usr/sbin
started=''
for program in munged slurmctld slurmd srun sbatch; do
  command -v $program >/dev/null ||
    { echo "not tried: no $program here (munge, slurmctld, slurmd, slurm-client)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "not tried: slurmd needs root"; exit 77; }
[ ! -e /etc/slurm/slurm.conf ] || { echo "not tried: this machine has a Slurm of its own"; exit 77; }

write_slurm_conf() { # host of the controller with its address, ports of controller and nodes, the folder of what is running
  cat <<END
ClusterName=ladder
SlurmctldHost=$1
SlurmUser=root
SlurmctldPort=$2
SlurmdPort=$3
AuthType=auth/munge
AuthInfo=socket=$4/munge
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$4/state
SlurmdSpoolDir=$4/spool
SlurmctldPidFile=$4/slurmctld.pid
SlurmdPidFile=$4/slurmd.pid
KillWait=5
MinJobAge=86400
SlurmdParameters=config_overrides
END
}

start_munge() { # the folder of what is running
  mkdir -p "$1/state" "$1/spool"
  munged --force --foreground --key-file="$work/munge.key" --socket="$1/munge" --pid-file="$1/munge.pid" \
    --log-file="$1/munge.log" --seed-file="$1/munge.seed" 2>/dev/null &
  started="$started $!"
}

make_munge_key() {
  head -c 1024 /dev/urandom >"$work/munge.key"
  chmod 400 "$work/munge.key"
}

wait_for_nodes() { # states of the nodes of a partition, as sinfo says them
  for _ in $(seq 300); do
    [ "$(sinfo -h -p "$1" -o %t,%D 2>/dev/null)" != "$2" ] || return 0
    sleep 0.1
  done
  echo "not tried: Slurm does not come up here: $(tail -q -n 1 "$work"/slurmctld*.log "$work"/slurmd*.log)"
  exit 77
}

start_slurm() { # CPUs that it says to have
  make_munge_key
  start_munge "$work"
  write_slurm_conf "$(uname -n)(127.0.0.1)" $((20000 + $$ % 5000 * 2)) $((20001 + $$ % 5000 * 2)) "$work" >"$work/slurm.conf"
  cat >>"$work/slurm.conf" <<END
NodeName=$(uname -n) NodeAddr=127.0.0.1 CPUs=$1 RealMemory=8192 State=UNKNOWN
PartitionName=gpu Nodes=$(uname -n) MaxTime=5 State=UP
PartitionName=other Nodes=$(uname -n) Default=YES State=UP
END
  slurmctld -D -c -f "$work/slurm.conf" 2>"$work/slurmctld.log" &
  started="$started $!"
  slurmd -D -f "$work/slurm.conf" 2>"$work/slurmd.log" &
  started="$started $!"
  export SLURM_CONF="$work/slurm.conf"
  wait_for_nodes gpu idle,1
}
