# shellcheck shell=sh disable=SC2034,SC2154
# Part of the tests next to it: a real sshd of this user on a high port, with keys and files of its own in $work.
# As root it sees another /etc/passwd, in which root's password is "climb", and a file system of 64 KiB at $work/full.
# Sets: ssh (for LADDER_SSH), passwords (yes where one can log in by password, else why not).
# Hosts: gpu; word, by password only.

sshd_config() {
  cat <<END
Port $port
$(for last in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "ListenAddress 127.0.0.$last"; done)
HostKey $work/sshd/host
AuthorizedKeysFile $work/sshd/authorized
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication yes
KbdInteractiveAuthentication no
AcceptEnv XDG_CACHE_HOME TMPDIR SLURM_CONF LADDER_*
PermitUserEnvironment PATH
END
}

# What sshd sees instead of this machine's users; nothing outside of it changes.
other_users() {
  passwords=yes around=''
  if [ "$(id -u)" != 0 ]; then passwords="only root can give an sshd passwords"; return; fi
  mkdir -p /run/sshd
  if ! unshare --mount true 2>/dev/null; then passwords="no name space for a password of its own"; return; fi
  if ! hash=$(openssl passwd -6 climb 2>/dev/null); then passwords="no openssl"; return; fi
  printf 'root:%s:20000:0:99999:7:::\n' "$hash" >"$work/sshd/shadow"
  chmod 600 "$work/sshd/shadow"
  sed 's/^root:[^:]*/root:x/' /etc/passwd >"$work/sshd/passwd"
  cat >"$work/sshd/around" <<END
mount --bind $work/sshd/passwd /etc/passwd && mount --bind $work/sshd/shadow /etc/shadow
mount -t tmpfs -o size=64k full $work/full
exec "\$@"
END
  around="unshare --mount --propagation private sh $work/sshd/around"
}

start_sshd() {
  sshd=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null) || { echo "not tried: no sshd here (openssh-server)"; exit 77; }
  command -v rsync >/dev/null || { echo "not tried: no rsync here"; exit 77; }
  mkdir -p "$work/full" "$work/the cache" "$work/scratch" "$work/sshd"
  for key in host user; do ssh-keygen -q -t ed25519 -N '' -f "$work/sshd/$key"; done
  cp "$work/sshd/user.pub" "$work/sshd/authorized"
  other_users
  for port in 22022 22123 22224 22325 22426 22527; do
    sshd_config >"$work/sshd/config"
    # shellcheck disable=SC2086  # a command
    $around "$sshd" -D -e -f "$work/sshd/config" 2>"$work/sshd/log" &
    sshd_process=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      ! grep -q 'listening on 127.0.0.1' "$work/sshd/log" || break 2
      kill -0 $sshd_process 2>/dev/null || break
      sleep 0.2
    done
    kill $sshd_process 2>/dev/null
  done
  grep -q 'listening on 127.0.0.1' "$work/sshd/log" || { echo "not tried: $(tail -n 1 "$work/sshd/log")"; exit 77; }
  ssh="ssh -F $work/sshd/client"
  host gpu "IdentityFile $work/sshd/user"
  host word "PreferredAuthentications password"
}

# A name for this machine, with variables of its own there: host NAME OPTION [VARIABLE=VALUE …]. Each has an address of its
# own: names of the same one would share a connection, and the variables of its first session.
hosts=''
# A key with which PATH is another one: key_with NAME PATH
key_with() {
  ssh-keygen -q -t ed25519 -N '' -f "$work/sshd/$1"
  printf 'environment="PATH=%s" %s\n' "$2" "$(cat "$work/sshd/$1.pub")" >>"$work/sshd/authorized"
}
host() {
  name=$1 option=$2
  shift 2
  hosts="$hosts $name"
  {
    # shellcheck disable=SC2086  # their number
    printf 'Host %s\n  HostName 127.0.0.%s\n  Port %s\n  User %s\n  %s\n' "$name" "$(set -- $hosts; echo $#)" "$port" "$(id -un)" "$option"
    printf '  UserKnownHostsFile %s\n  StrictHostKeyChecking accept-new\n  IdentitiesOnly yes\n' "$work/sshd/known"
    printf '  LogLevel ERROR\n  SetEnv'
    for usual in "XDG_CACHE_HOME=$work/the cache" "TMPDIR=$work/scratch" "LADDER_QUEUE=$work/queue" "LADDER_GO=$work/go"; do
      case " $*" in *" ${usual%%=*}="*) ;; *) printf ' "%s"' "$usual" ;; esac
    done
    [ $# = 0 ] || printf ' "%s"' "$@"
    echo
  } >>"$work/sshd/client"
}

stop_sshd() {
  [ -n "${sshd_process-}" ] || return 0  # it could not be started
  for name in $hosts; do
    $ssh -O exit -o "ControlPath=/tmp/ladder-ssh-$(id -u)/%C" $name 2>/dev/null
  done
  kill "$sshd_process" 2>/dev/null
}
