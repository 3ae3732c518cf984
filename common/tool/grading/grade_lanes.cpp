#include "common/tool/grading/grade_lanes.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <sstream>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// Seconds that one submission may take, whatever happens in it.
double most_seconds(const Submission& submission) {
  if (submission.pseudonym == reference_name) return 3600;  // nobody's: no test hurries it
  const char* set = std::getenv("LADDER_GRADE_SECONDS");    // of the tests, which cannot wait that long
  return set ? std::atof(set) : 3600;
}

constexpr double patience = 15;  // seconds for a lane to end its judge, after it was asked to

fs::path log_of(const Batch& batch, const Submission& submission) {
  return batch.out / "logs" / (submission.pseudonym + ".log");
}

/// The last line that a lane printed: the error that ended it.
std::string last_line_of(const fs::path& log) {
  std::string last;
  for (const std::string& line : lines_of(read_text(log)))
    if (!line.empty()) last = line;
  return last;
}

}  // namespace

Lanes::~Lanes() {
  stopping_ = true;
  try {
    wait_for(0);
  } catch (...) {  // none is thrown once they are stopping
  }
}

void Lanes::start(const Submission& submission) {
  wait_for(most_ - 1);
  if (!interrupted()) begin(submission);
}

void Lanes::begin(const Submission& submission) {
  // A grader that died before may have left something of this user's.
  leave_nothing_of(submission, false);
  batch_.context.leave_no_scratch();  // each lane has its own
  std::fflush(nullptr);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) throw UsageError{fmt::format("cannot start a process: {}", std::strerror(errno))};
  if (child == 0) work(submission, parent);
  lanes_[child] = {.submission = &submission};
  keep_child(child);
}

void Lanes::work(const Submission& submission, pid_t parent) const {
  // Ends with the batch even after kill -9; the second line closes the gap before the first took effect.
  // Signals that came before this are kept by the handlers, which fork leaves in place.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  const fs::path log = log_of(batch_, submission);
  if (!std::freopen(log.c_str(), "w", stdout) || ::dup2(1, 2) < 0) ::_exit(1);
  int status = 1;
  try {
    prepare_processes();
    grade_one(batch_, submission);
    status = 0;
  } catch (const std::exception& error) {
    std::fprintf(stdout, "%s\n", error.what());
  }
  batch_.context.leave_no_scratch();
  std::fflush(stdout);
  ::_exit(status);
}

void Lanes::wait_for(std::size_t most) {
  for (look(); lanes_.size() > most; look()) ::usleep(50000);  // a signal ends it early
}

/// Takes those that have ended, and asks those to end that must.
void Lanes::look() {
  int status = 0;
  pid_t pid = 0;
  struct rusage used {};
  while ((pid = ::wait4(-1, &status, WNOHANG, &used)) > 0)
    ended(pid, status, processor_seconds(used));  // orphans too, which are nobody's lane
  // Somebody else has taken their status: they are gone, and nothing says how. One that is begun again here
  // is not gone.
  if (pid < 0 && errno == ECHILD) {
    std::vector<pid_t> gone;
    for (const auto& [lane_pid, lane] : lanes_) gone.push_back(lane_pid);
    for (const pid_t one : gone) ended(one, SIGKILL, 0);
  }
  stopping_ = stopping_ || interrupted();
  for (auto& [lane_pid, lane] : lanes_) {
    lane.overdue = lane.overdue || lane.since.seconds() > most_seconds(*lane.submission);
    if (stopping_ || lane.overdue) ask_to_end(lane_pid, lane);
  }
  show_progress();
}

void Lanes::ask_to_end(pid_t pid, Lane& lane) {
  if (lane.asked && lane.asked->seconds() > patience) ::kill(pid, SIGKILL);
  if (!lane.asked) lane.asked.emplace(), ::kill(pid, SIGTERM);
}

void Lanes::ended(pid_t pid, int status, double cpu_seconds) {
  const auto at = lanes_.find(pid);
  if (at == lanes_.end()) return;
  const Lane lane = at->second;
  const Submission& submission = *lane.submission;
  lanes_.erase(at);
  release_child(pid);
  leave_nothing_of(submission, status != 0);
  if (status != 0 && (stopping_ || interrupted())) return;
  // Once more: it may have been the machine. Not one that has had its time.
  if (status != 0 && !lane.overdue && again_.insert(&submission).second) return begin(submission);
  if (status != 0) name_failure(submission, reason(lane, status));
  // What a trial says of a class (course check).
  std::ofstream(log_of(batch_, submission).replace_extension(".seconds"))
      << lane.since.seconds() << " " << cpu_seconds << "\n";
  ++done_;
}

/// Everything that a submission's steps, or a lane that died, could have left on this machine.
void Lanes::leave_nothing_of(const Submission& submission, bool died) {
  try {
    if (died) end_orphans();
    sweep_after(batch_, submission);
    if (died) ScratchFolder{};  // removes those of processes that are gone
  } catch (const std::exception& error) {
    problems_.push_back(fmt::format("{}: {}", submission.pseudonym, error.what()));
  }
}

/// Ends what a lane that died has left to us: its judge, and what that started. Lanes keep their own orphans.
void Lanes::end_orphans() const {
  const auto end_all = [&](int signal) {
    bool any = false;
    std::istringstream list(read_text(fmt::format("/proc/self/task/{}/children", ::getpid())));
    for (pid_t child; list >> child;)
      if (!lanes_.contains(child) && ::waitpid(child, nullptr, WNOHANG) == 0)
        any = true, ::kill(child, signal);
    return any;
  };
  for (int i = 0; i < 60 && end_all(i < 40 ? SIGTERM : SIGKILL); ++i) ::usleep(50000);
}

std::string Lanes::reason(const Lane& lane, int status) const {
  if (lane.overdue) return fmt::format("it was not graded within {:.0f} s", most_seconds(*lane.submission));
  if (WIFSIGNALED(status))
    return fmt::format("its grader died of signal {} ({}), twice", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  const std::string said = last_line_of(log_of(batch_, *lane.submission));
  return fmt::format("its grader failed, twice{}{}", said.empty() ? "" : ": ", said);
}

void Lanes::name_failure(const Submission& submission, const std::string& why) {
  problems_.push_back(
      fmt::format("{}: {}; see {}", submission.pseudonym, why, log_of(batch_, submission).string()));
  try {
    write_failure(batch_, submission, why);
  } catch (const std::exception& error) {
    problems_.push_back(fmt::format("{}: {}", submission.pseudonym, error.what()));
  }
}

void Lanes::show_progress() const {
  std::string now;
  for (const auto& [pid, lane] : lanes_) now += (now.empty() ? "; now " : ", ") + lane.submission->pseudonym;
  batch_.context.terminal.progress(
      fmt::format("{} of {} graded{}", done_, total_, now),
      static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(1, total_)));
}

LaneSeconds lane_seconds(const fs::path& grades, const std::string& pseudonym) {
  std::istringstream file(read_text(grades / "logs" / (pseudonym + ".seconds")));
  LaneSeconds seconds;
  file >> seconds.clock >> seconds.cpu;
  return seconds;
}

std::vector<std::string> grade_all(Batch& batch, const std::vector<Submission>& submissions,
                                   std::size_t jobs) {
  Lanes lanes(batch, jobs, submissions.size());
  for (const Submission& submission : submissions) lanes.start(submission);
  lanes.finish();
  return lanes.problems();
}

}  // namespace ladder
