#include "common/judge/confine/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "common/judge/worker/channel.hpp"

namespace ladder::confine {
namespace {

// Constants of <linux/landlock.h>: the installed header may be older than the running kernel.
constexpr std::uint64_t refer = 1 << 13, truncate_files = 1 << 14, command_devices = 1 << 15;
constexpr std::uint64_t bind_tcp = 1 << 0, connect_tcp = 1 << 1;
constexpr std::uint64_t abstract_sockets = 1 << 0, signals = 1 << 1;
constexpr auto rule_of_port = static_cast<landlock_rule_type>(2);

struct Ruleset {
  std::uint64_t files, network, scopes;
};
struct Port {
  std::uint64_t allowed, port;
};

constexpr std::uint64_t make_devices = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;
constexpr std::uint64_t of_version_1 =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM | make_devices;

constexpr std::uint64_t reading_files = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr std::uint64_t reading = reading_files | LANDLOCK_ACCESS_FS_READ_DIR;

/// All rights that Landlock of this version can refuse and that change something; those that read, if some
/// may be read.
Ruleset all_of(int version, const Allowed& allowed) {
  Ruleset all{of_version_1, 0, 0};
  if (!allowed.read.empty()) all.files |= reading;
  if (version >= 2) all.files |= refer;
  if (version >= 3) all.files |= truncate_files;
  if (version >= 4 && !allowed.others) all.network = bind_tcp | connect_tcp;
  if (version >= 5) all.files |= command_devices;
  if (version >= 6 && !allowed.others) all.scopes = abstract_sockets | signals;
  return all;
}

/// @return 0, or an errno
int add_path(int ruleset, const std::string& path, std::uint64_t allowed) {
  const Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!file) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : errno;
  const landlock_path_beneath_attr rule{.allowed_access = allowed, .parent_fd = file.get()};
  return ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
}

int add_port(int ruleset, std::uint16_t port) {
  const Port rule{connect_tcp, port};
  return ::syscall(SYS_landlock_add_rule, ruleset, rule_of_port, &rule, 0) == 0 ? 0 : errno;
}

/// Reading, of a file or of a folder with all that is in it.
int add_readable(int ruleset, const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return 0;
  return add_path(ruleset, path, S_ISDIR(facts.st_mode) ? reading : reading_files);
}

/// @return 0, or the first errno
int add_rules(int ruleset, const Ruleset& refused, const Allowed& allowed) {
  const std::uint64_t of_files =
      LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | truncate_files | command_devices;
  int failed = 0;
  const auto note = [&failed](int error) { failed = failed ? failed : error; };
  for (const std::string& path : allowed.read) note(add_readable(ruleset, path));
  for (const std::string& folder : allowed.folders)  // what a program writes there it cannot execute
    note(add_path(ruleset, folder,
                  refused.files & ~(make_devices | command_devices | LANDLOCK_ACCESS_FS_EXECUTE)));
  for (const std::string& file : allowed.files) note(add_path(ruleset, file, refused.files & of_files));
  if (refused.network)
    for (const std::uint16_t port : allowed.ports) note(add_port(ruleset, port));
  return failed;
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

int allow_only(const Allowed& allowed) {
  const int version = landlock_version();
  if (version == 0) return errno ? errno : ENOSYS;
  const Ruleset refused = all_of(version, allowed);
  const Descriptor ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &refused, sizeof refused, 0)));
  if (!ruleset) return errno;
  if (const int failed = add_rules(ruleset.get(), refused, allowed)) return failed;
  return ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0 ? 0 : errno;
}

}  // namespace ladder::confine
