#include <dirent.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "common/base/error.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/process/sandbox.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Whether a process that still runs has this uid, in any of its four places.
bool is_of(pid_t pid, uid_t uid) {
  // Not the owner of /proc/PID: that is root when the process hides its memory.
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  bool ended = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("State:")) ended = line.find('Z') != line.npos || line.find('X') != line.npos;
    if (!line.starts_with("Uid:")) continue;
    std::istringstream words(line.substr(4));
    for (uid_t one; words >> one;)
      if (one == uid) return !ended;
    return false;
  }
  return false;
}

std::set<pid_t> processes_of(uid_t uid) {
  std::set<pid_t> found;
  for (const pid_t pid : all_processes())
    if (is_of(pid, uid)) found.insert(pid);
  return found;
}

/// Kills all that the user has at one moment: nothing that forks meanwhile escapes, as it would from signals
/// one by one.
void kill_all_of(uid_t uid) {
  const pid_t killer = ::fork();
  if (killer < 0) return;
  if (killer == 0) {
    const bool is_user = ::setgroups(0, nullptr) == 0 && ::setresuid(uid, uid, uid) == 0;
    if (is_user) ::kill(-1, SIGKILL);
    ::_exit(is_user ? 0 : 1);
  }
  ::waitpid(killer, nullptr, 0);
}

int end_processes_of(uid_t uid) {
  constexpr int max_rounds = 500;
  std::set<pid_t> seen;
  for (int round = 0; round < max_rounds; ++round) {
    const std::set<pid_t> alive = processes_of(uid);
    if (alive.empty()) return static_cast<int>(seen.size());
    seen.insert(alive.begin(), alive.end());
    kill_all_of(uid);
    ::usleep(10'000);
  }
  throw Error("processes of uid " + std::to_string(uid) + " cannot be ended");
}

/// The ids of a table in /proc/sysvipc whose owner or maker is this user.
std::set<int> ipc_of(const char* table, const std::string& id, uid_t uid) {
  std::set<int> found;
  std::ifstream file(std::string("/proc/sysvipc/") + table);
  std::string line;
  std::getline(file, line);
  std::vector<std::string> columns;
  std::istringstream heading(line);
  for (std::string word; heading >> word;) columns.push_back(word);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    long value = 0, number = -1;
    bool ours = false;
    for (std::size_t i = 0; i < columns.size() && words >> value; ++i) {
      if (columns[i] == id) number = value;
      if (columns[i] == "uid" || columns[i] == "cuid") ours = ours || value == static_cast<long>(uid);
    }
    if (ours) found.insert(static_cast<int>(number));
  }
  return found;
}

int remove_ipc_of(uid_t uid) {
  int removed = 0;
  for (const int id : ipc_of("shm", "shmid", uid)) removed += ::shmctl(id, IPC_RMID, nullptr) == 0;
  for (const int id : ipc_of("sem", "semid", uid)) removed += ::semctl(id, 0, IPC_RMID) == 0;
  for (const int id : ipc_of("msg", "msqid", uid)) removed += ::msgctl(id, IPC_RMID, nullptr) == 0;
  return removed;
}

/// Removes what the user owns below a folder, with all that is in it.
int remove_files_of(uid_t uid, const fs::path& folder) {
  int removed = 0;
  std::error_code failed;
  fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && entries != fs::directory_iterator(); entries.increment(failed)) {
    const fs::path path = entries->path();
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) != 0) continue;
    std::error_code ignored;
    if (facts.st_uid == uid)
      removed += fs::remove_all(path, ignored) > 0;
    else if (S_ISDIR(facts.st_mode) && facts.st_mode & S_IWOTH)
      removed += remove_files_of(uid, path);
  }
  return removed;
}

}  // namespace

Swept sweep(uid_t uid) {
  if (::geteuid() != 0) throw Error("only root can end the processes of another user");
  if (uid == 0 || uid == static_cast<uid_t>(-1)) throw Error("root's own processes are not swept");
  if (const passwd* user = ::getpwuid(uid))
    throw Error("uid " + std::to_string(uid) + " belongs to " + user->pw_name + ": not swept");
  Swept swept;
  swept.processes = end_processes_of(uid);
  swept.ipc = remove_ipc_of(uid);
  for (const char* folder : {"/dev/shm", "/dev/mqueue", "/tmp", "/var/tmp"})
    swept.files += remove_files_of(uid, folder);
  return swept;
}

}  // namespace ladder
