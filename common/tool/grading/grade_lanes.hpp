#pragma once
/// @file
/// The processes that grade, one submission each: whatever happens in one, the others go on.

#include <sys/types.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {

/// Grades submissions in processes of their own, several at once. One that dies is started once more; then
/// its record says that it was not judged, and why. Nothing else may start processes meanwhile: run_process
/// ends what it does not know.
class Lanes {
 public:
  /// @param most   at once
  /// @param total  that will be started, for the estimate of the time left
  Lanes(Batch& batch, std::size_t most, std::size_t total) : batch_(batch), most_(most), total_(total) {}
  /// Ends those that run.
  ~Lanes();
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  /// Starts one as soon as there is place. @param submission  must outlive the lanes
  void start(const Submission& submission);
  void finish() { wait_for(0); }
  /// Submissions that could not be graded, one line each.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Lane {
    const Submission* submission;
    Stopwatch since{};
    std::optional<Stopwatch> asked{};  ///< to end; none: not yet
    bool overdue = false;
  };

  void begin(const Submission& submission);
  [[noreturn]] void work(const Submission& submission, pid_t parent) const;
  void wait_for(std::size_t most);
  void look();
  void ask_to_end(pid_t pid, Lane& lane);
  void ended(pid_t pid, int status, double cpu_seconds);
  void leave_nothing_of(const Submission& submission, bool died);
  void end_orphans() const;
  std::string reason(const Lane& lane, int status) const;
  void name_failure(const Submission& submission, const std::string& why);
  void show_progress() const;

  Batch& batch_;
  std::size_t most_, total_, done_ = 0;
  bool stopping_ = false;
  std::map<pid_t, Lane> lanes_;
  std::set<const Submission*> again_;  ///< those that were started a second time
  std::vector<std::string> problems_;
};

/// What a submission took, with others next to it: on the clock, and of a processor.
struct LaneSeconds {
  double clock = 0, cpu = 0;
};

/// Of a submission that was graded into a folder; 0 where that is not known.
LaneSeconds lane_seconds(const std::filesystem::path& grades, const std::string& pseudonym);

/// Grades submissions, so many at once. @return those that could not be graded, a line each
std::vector<std::string> grade_all(Batch& batch, const std::vector<Submission>& submissions,
                                   std::size_t jobs);

}  // namespace ladder
