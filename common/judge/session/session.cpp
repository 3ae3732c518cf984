#include "common/judge/session/session.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/judge/session/confinement.hpp"
#include "common/judge/worker/whereabouts.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {
namespace {

constexpr double poll_period = 0.05;    // seconds between checks of the clock
constexpr double look_period = 0.25;    // seconds between looks at who waits for a core, each of milliseconds
constexpr double memory_again = 0.05;   // until who has too much is looked at once more
constexpr double memory_period = 0.25;  // seconds between checks of the memory: each costs milliseconds

std::string seconds_text(double seconds) {
  std::ostringstream out;
  out << seconds << " s";
  return out.str();
}

}  // namespace

Session::~Session() {
  child_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(own_.work, ignored);
  if (nodes_of(launch_) > 1) std::filesystem::remove_all(folder_on_nodes(own_), ignored);
}

void Session::pause() {
  child_->pause();
}

std::string Session::finish(double seconds) {
  child_->resume();
  ranks_.clear();  // the worker sees the end of the connection
  const double until = wall_seconds() + seconds;
  while (!child_->poll_end().ended && wall_seconds() < until) {
    child_->drain_output();
    ::usleep(2000);
  }
  child_->drain_output();
  return child_->output();
}

// Waits until one of the descriptors can be read and returns its index. Meanwhile it reads the output,
// watches memory and time, and notices the end of the process.
std::size_t Session::wait_for(const std::vector<int>& descriptors, const char* what) {
  std::vector<pollfd> sources{{child_->output_descriptor(), POLLIN, 0},
                              {child_->end_descriptor(), POLLIN, 0}};
  for (const int descriptor : descriptors) sources.push_back({descriptor, POLLIN, 0});
  for (;;) {
    const bool awake = wall_seconds() < awake_until_;
    const double left = deadline_ - wall_seconds();
    const double pause = left > 0 ? std::min(left, poll_period) : poll_period;
    ::poll(sources.data(), sources.size(), awake ? 0 : std::max(1, static_cast<int>(pause * 1000)));
    bool closed = sources[1].revents != 0;
    for (std::size_t i = 2; i < sources.size(); ++i) {
      if (sources[i].revents & POLLIN) return i - 2;
      closed = closed || sources[i].revents & (POLLHUP | POLLERR);
    }
    if (sources[0].revents & POLLHUP) sources[0].fd = -1;  // closed by all processes that could print
    if (sources[0].revents) child_->drain_output();
    if (closed) ended(what);
    if (awake) continue;
    watch_waiting();
    if (const CallSoFar call = call_so_far(); has_had_its_time(call)) timed_out(call);
    watch_memory();
  }
}

/// From now on the worker has so many seconds.
void Session::begin_limit(double seconds) {
  limit_ = seconds;
  const double now = wall_seconds();
  deadline_ = now + limit_;
  waiting_.reset();
  next_look_ = now + look_period;
}

/// Threads may end long before the limit, and what they waited for must have been seen by then.
void Session::watch_waiting() {
  if (wall_seconds() < next_look_) return;
  next_look_ = wall_seconds() + look_period;
  if (waiting_)
    waiting_->look();
  else
    waiting_.emplace(child_->pid());
}

/// CPU time of all ranks, with all their threads.
double Session::processor_seconds() const {
  double sum = 0;
  for (const pid_t rank : launchers_) sum += processor_seconds_of(rank);
  return sum;
}

bool has_used_its_processors(const CallSoFar& call) {
  return call.processor_seconds >= call.cores * call.limit;
}

bool has_had_its_time(const CallSoFar& call) {
  return call.late >= 0 &&
         (call.late >= std::min(call.waited, 3 * call.limit) || has_used_its_processors(call));
}

CallSoFar Session::call_so_far() {
  const double late = wall_seconds() - deadline_;
  return {.limit = limit_,
          .late = late,
          .waited = late < 0 || !waiting_ ? 0 : waiting_->look(),
          .processor_seconds = late < 0 ? 0 : processor_seconds() - processor_begin_,
          .cores = std::max(1.0, double(std::thread::hardware_concurrency()))};
}

/// An observed worker that is asked to end writes its findings so far.
std::optional<Observation> Session::end_with_record() {
  constexpr double seconds_to_write = 3;
  if (launch_.observed && !launch_.sandboxed) ::kill(child_->pid(), SIGTERM);
  for (const pid_t worker : launchers_)  // a signal to bubblewrap would end them without a record
    if (launch_.observed && launch_.sandboxed) signal_in_family(worker, child_->pid(), SIGTERM);
  const double until = wall_seconds() + (launch_.observed ? seconds_to_write : 0);
  while (!child_->poll_end().ended && wall_seconds() < until) {
    child_->drain_output();
    ::usleep(2000);
  }
  child_->kill_all();
  child_->drain_output();
  return launch_.observed ? last_record() : std::nullopt;
}

/// A kernel cannot throw what task() throws on the host. What its step does without the kernel's results is
/// no news.
void Session::stop_if_a_kernel_is_a_task() {
  child_->drain_output();
  if (child_->output().find("Assertion `" + std::string(task_in_kernel) + "` failed") == std::string::npos)
    return;
  throw Failure{Verdict::not_started,
                "ladder::task() is still in a kernel: write the kernel, then delete that line"};
}

/// What the worker says of the line that its call is in; it may be past answering.
std::string Session::ask_where() {
  constexpr double seconds_to_answer = 2;
  const bool answers =
      launch_.backend == "cpu" || launch_.backend == "opencl" || launch_.backend == "executor";
  if (!answers || launch_.observed || !launch_.under.empty()) return "";
  if (!signal_in_family(worker(), child_->pid(), where_signal)) return "";
  const double until = wall_seconds() + seconds_to_answer;
  while (!has_answered_where(child_->output()) && !child_->poll_end().ended && wall_seconds() < until) {
    child_->drain_output();
    ::usleep(2000);
  }
  return where_in(child_->output());
}

void Session::timed_out(const CallSoFar& call) {
  const std::string where = ask_where();
  auto observation = end_with_record();
  stop_if_a_kernel_is_a_task();
  std::string message = "did not return within " + seconds_text(limit_) +
                        (launch_.observed ? " of an observed run" : "") + " and was ended" + where;
  Failure failure{Verdict::timeout, message, {}, std::move(observation)};
  if (has_used_its_processors(call))
    failure.details.emplace_back("CPU time", "It has used as much as every core of this machine has in " +
                                                 seconds_text(limit_) + ": more threads get no more.");
  for (const std::size_t rank : in_call_) name_rank(failure, rank, "has not returned");
  failure.details.emplace_back("Think",
                               "Which loop, barrier or wait may never end? Are all ranks, threads and queues "
                               "waiting for the same thing?");
  throw failure;
}

/// The process whose time is the step's: not that of bubblewrap, which waits for it.
pid_t Session::worker() const {
  const bool waits = launch_.sandboxed && !launch_.by_mpirun && !launchers_.empty();
  return waits ? launchers_.front() : child_->pid();
}

void Session::watch_disk() {
  constexpr double disk_period = 1;  // seconds between checks
  if (!launch_.sandboxed || wall_seconds() < next_disk_check_) return;
  const std::size_t allowed = plan().limits.disk_bytes;
  const bool too_much = bytes_written_in(own_) > allowed;
  // The judge's memory for the problem is such a file, too, and so is a record that is sent.
  const std::size_t allowed_unlinked = plan().limits.memory_bytes + 3 * problem_bytes_;
  const bool hides_too_much = child_->unlinked_bytes() > allowed_unlinked;
  next_disk_check_ = wall_seconds() + disk_period;
  if (!too_much && !hides_too_much) return;
  throw Failure{Verdict::crashed,
                "wrote more than " + std::to_string((too_much ? allowed : allowed_unlinked) >> 20) +
                    (too_much ? " MiB into files" : " MiB into files without a name") +
                    " and was ended: a rung needs no files",
                {},
                end_with_record()};
}

void Session::watch_memory() {
  watch_disk();
  if (wall_seconds() < next_memory_check_) return;
  next_memory_check_ = wall_seconds() + memory_period;
  // The harness itself has the problem's arrays up to three times; a program that watches the worker needs
  // memory, too.
  const bool watched = launch_.observed || !launch_.under.empty();
  const std::size_t allowed = (plan().limits.memory_bytes + 3 * problem_bytes_) * (watched ? 4 : 1);
  const bool too_much = child_->resident_bytes() > allowed;
  // A program that is being started, PoCL's linker for one, has its parent's memory until it runs, and both
  // count.
  if (too_much && !had_too_much_) next_memory_check_ = wall_seconds() + memory_again;
  if (!std::exchange(had_too_much_, too_much) || !too_much) return;
  throw Failure{Verdict::crashed,
                "used more than " + std::to_string(allowed >> 20) +
                    " MiB of memory and was ended: which allocation is too large, or in a loop?",
                {},
                end_with_record()};
}

std::optional<std::string> Session::file(const std::string& name) const {
  const std::string path = own_.work + "/" + name;
  // A pipe with no writer would make the judge wait forever, and a link could lead anywhere.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      facts.st_size > off_t(max_observation_bytes))
    return std::nullopt;
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  const ssize_t got = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

std::optional<Observation> Session::last_record() const {
  const auto text = file(record_of_fault);
  if (!text) return std::nullopt;
  try {
    return parse_observation(*text);
  } catch (const Error&) {
    return std::nullopt;  // the message is about the end of the process
  }
}

}  // namespace ladder
