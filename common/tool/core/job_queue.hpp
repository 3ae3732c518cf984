#pragma once
/// @file
/// Jobs that run side by side, each in a process of its own, while what they need is built.

#include <sys/types.h>

#include <deque>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/tool/build/build.hpp"
#include "common/tool/core/terminal.hpp"

namespace ladder {

struct Context;

/// The environment variable in which a queue tells its jobs how many cores each may use: with as many threads
/// as the machine has cores in each of as many jobs, they spin most of the time.
inline constexpr const char* cores_of_job = "LADDER_CORES_OF_JOB";

/// Hands a message to the tool: the job runs in another process, so nothing else of it is seen there.
using Emit = std::function<void(const nlohmann::json&)>;

/// How a job came to its end.
struct JobEnd {
  std::string problem{};     ///< why it did not end as it should; empty: it did
  double seconds = 0;        ///< from its start
  double processor = 0;      ///< seconds of it and of all that it started
  bool interrupted = false;  ///< by Ctrl-C, or never started because of it
};

/// A piece of work.
struct QueuedJob {
  std::string name;                    ///< "mutants 03-dgemm"
  std::vector<std::string> targets{};  ///< built before it starts; what the build does not know is left out
  double cost = 1;        ///< expected processor seconds: of jobs that are ready, the longest starts first
  double memory_gib = 1;  ///< expected
  bool alone = false;     ///< nothing else runs or builds meanwhile: it looks at the clock
  bool holds_build =
      false;  ///< nothing is built meanwhile: it reads the build folder, or builds there itself
  /// What it has for itself, and what it may have together with others: "users", "processes" … A job waits
  /// while another one has for itself what it needs, or needs what it has to have for itself.
  std::set<std::string> owns{}, shares{};
  std::function<void(const Emit&)> work = nullptr;               ///< in the job's process
  std::function<void(const nlohmann::json&)> message = nullptr;  ///< in the tool, for each message
  std::function<void(const JobEnd&)> ended = nullptr;            ///< in the tool, once; may add further jobs
};

/// Runs jobs, as many at once as there are lanes. Targets are built in the order in which jobs were added,
/// those of a few jobs at once, and give way to running jobs. In a job's process Build::make() builds
/// nothing: it says what failed before.
class JobQueue {
 public:
  /// @param lanes  jobs at once; 0: one per core
  /// @param fork   called before each fork: what a process of the tool keeps for itself alone goes
  JobQueue(Build& build, Terminal& terminal, std::size_t lanes = 0, std::function<void()> fork = {});
  explicit JobQueue(Context& context, std::size_t lanes = 0);
  /// Ends what still runs.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  void add(QueuedJob job);

  /// Returns when all jobs have ended, also those that were added meanwhile, or after Ctrl-C.
  void run();

  /// GiB that jobs may use together; what the machine has free when the queue is made, by default.
  void limit_memory(double gib) { memory_gib_ = gib; }

  /// Processor seconds of the builds until now.
  double building_seconds() const { return building_seconds_; }

 private:
  enum class State { unbuilt, ready, running, ended };
  struct Entry {
    QueuedJob job;
    State state = State::unbuilt;
  };
  struct Child {
    Entry* entry = nullptr;      ///< null: it builds
    int out = -1;                ///< what it says
    std::string line{};          ///< that is not complete yet
    Stopwatch since{}, asked{};  ///< its start; asked to end
  };

  pid_t start(Entry* entry, const std::function<void(const Emit&)>& work);
  void build_more();
  void start_more();
  Entry* next_to_start();
  bool may_hold_build() const;
  bool fits(const QueuedJob& job) const;
  bool collides(const QueuedJob& job) const;
  bool building() const { return builder_ > 0; }
  std::size_t running() const { return children_.size() - (building() ? 1 : 0); }
  void listen();
  void hear(Child& child);
  void take_line(Child& child, const std::string& line);
  void take_builds(const nlohmann::json& failures);
  void reap();
  void ended(pid_t pid, int status, double processor);
  void end_all();
  void tell_progress();

  Build& build_;
  Terminal& terminal_;
  std::function<void()> before_fork_;
  std::size_t lanes_;
  double memory_gib_;
  std::deque<Entry> entries_;
  std::map<pid_t, Child> children_;
  pid_t builder_ = 0;
  std::vector<Entry*> batch_;  ///< whose targets are being built
  bool stopping_ = false;
  double built_ = 0;  ///< share of the batch
  double done_cost_ = 0, building_seconds_ = 0;
};

}  // namespace ladder
