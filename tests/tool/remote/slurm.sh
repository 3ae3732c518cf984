# shellcheck shell=sh disable=SC2154
# Read by slurm_test.sh and tests/grading/slurm_array_test.sh: a Slurm of this one machine in $work, with the partitions gpu and other.
# Ends the test with status 77 where that cannot be. Sets PATH, SLURM_CONF, and started: the processes to end afterwards.
PATH=$PATH:/usr/sbin
started=''
for program in munged slurmctld slurmd srun sbatch; do
  command -v $program >/dev/null ||
    { echo "not tried: no $program here (munge, slurmctld, slurmd, slurm-client)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "not tried: slurmd needs root"; exit 77; }
[ ! -e /etc/slurm/slurm.conf ] || { echo "not tried: this machine has a Slurm of its own"; exit 77; }

start_slurm() { # CPUs that it says to have
  mkdir -p "$work/state" "$work/spool"
  head -c 1024 /dev/urandom >"$work/munge.key"
  chmod 400 "$work/munge.key"
  munged --force --foreground --key-file="$work/munge.key" --socket="$work/munge" --pid-file="$work/munge.pid" \
    --log-file="$work/munge.log" --seed-file="$work/munge.seed" 2>/dev/null &
  started="$started $!"
  cat >"$work/slurm.conf" <<END
ClusterName=ladder
SlurmctldHost=$(uname -n)(127.0.0.1)
SlurmUser=root
SlurmctldPort=$((20000 + $$ % 5000 * 2))
SlurmdPort=$((20001 + $$ % 5000 * 2))
AuthType=auth/munge
AuthInfo=socket=$work/munge
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
KillWait=5
MinJobAge=86400
SlurmdParameters=config_overrides
NodeName=$(uname -n) NodeAddr=127.0.0.1 CPUs=$1 RealMemory=8192 State=UNKNOWN
PartitionName=gpu Nodes=$(uname -n) MaxTime=5 State=UP
PartitionName=other Nodes=$(uname -n) Default=YES State=UP
END
  slurmctld -D -c -f "$work/slurm.conf" 2>"$work/slurmctld.log" &
  started="$started $!"
  slurmd -D -f "$work/slurm.conf" 2>"$work/slurmd.log" &
  started="$started $!"
  export SLURM_CONF="$work/slurm.conf"
  for _ in $(seq 300); do
    case $(sinfo -h -p gpu -o %t 2>/dev/null) in idle) return ;; esac
    sleep 0.1
  done
  echo "not tried: Slurm does not come up here: $(tail -n 1 "$work/slurmctld.log") $(tail -n 1 "$work/slurmd.log")"
  exit 77
}
