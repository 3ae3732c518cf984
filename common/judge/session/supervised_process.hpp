#pragma once
/// @file
/// A supervised process: its limits, its output, its end, and the end of all that it started.

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/judge/worker/channel.hpp"
#include "common/model/plan.hpp"

namespace ladder {

/// How a process ended.
struct Ending {
  bool ended = false;
  int status = 0;  ///< of waitpid
  /// "signal 11 (Segmentation fault)" or "exit code 0".
  std::string text() const;
};

/// What a process has printed since some moment.
struct Printed {
  std::string first;  ///< the beginning
  std::size_t bytes = 0, lines = 0;
  void add(std::string_view text);
};

/// A child process in a session of its own. The destructor leaves none of its descendants alive.
class SupervisedProcess {
 public:
  SupervisedProcess(const std::vector<std::string>& command,
                    const std::map<std::string, std::string>& environment, const std::string& folder,
                    const Limits& limits, bool limit_data);
  ~SupervisedProcess();
  SupervisedProcess(const SupervisedProcess&) = delete;
  SupervisedProcess& operator=(const SupervisedProcess&) = delete;

  pid_t pid() const { return pid_; }
  int output_descriptor() const { return output_.get(); }
  int end_descriptor() const { return end_.get(); }  ///< becomes readable when the process has ended
  /// Takes what has been printed; keeps the first and the last part of what exceeds the limit.
  void drain_output();
  /// The text printed so far, with a note in the middle when some of it was dropped.
  std::string output() const;
  /// What has been taken since forget_printed().
  const Printed& printed() const { return printed_; }
  void forget_printed() { printed_ = {}; }
  /// Looks whether the process has ended, without waiting.
  const Ending& poll_end();
  /// Resident memory of the process and its descendants, with page tables, bytes.
  std::size_t resident_bytes() const;
  /// Of files without a name that they have, bytes.
  std::size_t unlinked_bytes() const;
  void kill_all();
  /// Stops it with all that it started, and ends what it has left as orphans: nothing of it uses a processor
  /// until resume().
  void pause();
  void resume();

 private:
  void take_status(int status);

  Limits limits_;
  pid_t pid_ = -1;
  Descriptor output_, end_;
  std::string head_, tail_;
  std::size_t dropped_ = 0;
  Printed printed_;
  Ending ending_;
  std::vector<pid_t> stopped_;  ///< while it is paused
};

}  // namespace ladder
