#pragma once
/// @file
/// Child processes that cannot outlive the tool: own process group, parent-death signal, a time limit, and
/// Ctrl-C that ends them and lets the tool report what it has.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/base/files/files.hpp"

namespace ladder {

/// What to start.
struct Command {
  std::vector<std::string> arguments;  ///< arguments[0] is searched in PATH unless it has a slash
  std::filesystem::path folder{};      ///< working directory; empty: ours
  std::map<std::string, std::string> environment{};  ///< added to ours
  std::filesystem::path input{};  ///< a file that it reads as standard input; empty: there is nothing to read
  std::filesystem::path log{};    ///< standard output and error go there; empty: they are captured
  double seconds = 600;           ///< limit; then the group is ended
  double silent_seconds = 0;      ///< limit of the time without using a processor, in any thread; 0: none
  bool as_nobody = false;         ///< without root's rights; a HOME of its own is the caller's to give
  bool builds = false;            ///< ninja: when it is ended, so are its compilers, and before it
  bool for_all =
      false;  ///< what it writes is read by others, too, after write_privately(); what builds, always
  bool output_only = false;      ///< capture standard output alone; standard error is dropped
  std::size_t memory_bytes = 0;  ///< limit of the child's resident memory; then the group is ended; 0: none
  std::size_t max_output =
      std::numeric_limits<std::size_t>::max();  ///< bytes that are captured; the rest is dropped
};

/// How it ended.
struct ProcessResult {
  int status = -1;  ///< exit status; 128 + signal; 127 when it could not be started
  int signal = 0;   ///< that ended it; 0: none
  bool timed_out = false;
  bool silent = false;       ///< it stood still for Command::silent_seconds, and was ended
  bool interrupted = false;  ///< by Ctrl-C
  bool out_of_memory = false;
  double seconds = 0;  ///< from its start to its end
  std::string output;  ///< what was captured
  std::string error;   ///< why it could not be started
  bool ok() const { return status == 0 && !timed_out && !silent && !interrupted && !out_of_memory; }
};

/// Called about 20 times a second while a child runs, with what it printed since the last call.
using Tick = std::function<void(const std::string& fresh)>;

/// Runs a child to its end; the whole group, and what it left behind, is gone when this returns.
ProcessResult run_process(const Command& command, const Tick& tick = {});

/// A ninja that builds next to those of run_process, with the processor time that they leave. One at a time.
class Background {
 public:
  Background() = default;
  ~Background() { end(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  /// Its output is dropped. Nothing is said of one that cannot be started.
  void start(const Command& command);
  bool running();
  /// Ends it, and all that it started.
  void end();

 private:
  pid_t child_ = 0;
};

/// From now on, what this process and what it starts write is its user's alone (umask 077): grades, sources,
/// exams. What builds writes as before: the programs of submissions' users read it.
void write_privately();

/// A child that the caller has forked and waits for itself: what runs meanwhile leaves it alone. Until
/// `release_child`, or until `prepare_processes` in a child of this process, which has no such children yet.
void keep_child(pid_t child);
void release_child(pid_t child);

/// Installs the handlers of SIGINT, SIGTERM and SIGHUP; makes orphans of our children ours, so that we can
/// end them; lets OpenBLAS in our children use what this processor can do.
void prepare_processes();

/// Makes a folder of ours, and what is in it, that of a command which runs as nobody.
void give_to_nobody(const std::filesystem::path& folder);

/// The variables by which such a command finds that folder for what it keeps, HOME among them.
std::map<std::string, std::string> nobodys_folders(const std::filesystem::path& folder);

/// Whether Ctrl-C (or SIGTERM) has come, or work is to stop.
bool interrupted();

/// While it lives, what runs is also ended when `wanted` says so, as by Ctrl-C; the tool can go on
/// afterwards. One at a time.
class [[nodiscard]] StopWhen {
 public:
  /// @param wanted  asked about 20 times a second
  explicit StopWhen(std::function<bool()> wanted);
  ~StopWhen();
  StopWhen(const StopWhen&) = delete;
  StopWhen& operator=(const StopWhen&) = delete;
};

}  // namespace ladder
