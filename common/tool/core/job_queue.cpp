#include "common/tool/core/job_queue.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "common/base/files/file_lock.hpp"
#include "common/base/process/available_memory.hpp"
#include "common/base/process/process.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"

namespace ladder {
namespace {

using nlohmann::json;

constexpr double patience = 20;  // seconds for a job to end what it started, after it was asked to

/// What this machine has for jobs now, in GiB.
double free_memory() {
  constexpr double gib = 1 << 30;
  return static_cast<double>(available_memory().value_or(static_cast<std::size_t>(4 * gib))) / gib;
}

/// Writes all of a line, however slow its reader is.
void write_line(int out, const std::string& line) {
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t n = write(out, line.data() + at, line.size() - at);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) at += static_cast<std::size_t>(n);
  }
}

json failures_json(const std::map<std::string, BuildFailure>& failures) {
  json all = json::object();
  for (const auto& [target, f] : failures) all[target] = {f.where, f.text, f.hint, f.output};
  return all;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("its process died of signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("its process ended with status {}", WEXITSTATUS(status));
}

}  // namespace

JobQueue::JobQueue(Build& build, Terminal& terminal, std::size_t lanes, std::function<void()> fork)
    : build_(build),
      terminal_(terminal),
      before_fork_(std::move(fork)),
      lanes_(lanes > 0 ? lanes : std::max(1u, std::thread::hardware_concurrency())),
      memory_gib_(0.8 * free_memory()) {}

JobQueue::JobQueue(Context& context, std::size_t lanes)
    : JobQueue(context.build, context.terminal, lanes, [&context] { context.leave_no_scratch(); }) {}

JobQueue::~JobQueue() {
  end_all();
}

void JobQueue::add(QueuedJob job) {
  std::erase_if(job.targets, [&](const std::string& target) { return !build_.knows(target); });
  const State state = job.targets.empty() ? State::ready : State::unbuilt;
  entries_.push_back({std::move(job), state});
}

void JobQueue::run() {
  const auto left = [&] {
    return std::any_of(entries_.begin(), entries_.end(),
                       [](const Entry& entry) { return entry.state != State::ended; });
  };
  while (left()) {
    stopping_ = stopping_ || interrupted();
    if (stopping_) break;
    start_more();
    build_more();
    listen();
    reap();
    tell_progress();
  }
  end_all();
  for (Entry& entry : entries_)
    if (entry.state != State::ended) {
      entry.state = State::ended;
      if (entry.job.ended) entry.job.ended({.problem = "interrupted", .interrupted = true});
    }
}

/// Forks; the child does the work and ends.
pid_t JobQueue::start(Entry* entry, const std::function<void(const Emit&)>& work) {
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0)
    throw UsageError{fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  if (before_fork_) before_fork_();
  std::fflush(nullptr);
  const Stopwatch since;  // a busy machine may let the child work before its parent goes on
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw UsageError{fmt::format("cannot start a process: {}", std::strerror(errno))};
  if (child > 0) {
    close(pipe[1]);
    fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    children_[child] = {.entry = entry, .out = pipe[0], .since = since};
    keep_child(child);
    return child;
  }
  // Ends with the tool even after kill -9; the second line closes the gap before the first took effect.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  const Emit emit = [&](const json& message) { write_line(pipe[1], report::dump(message) + "\n"); };
  int status = 0;
  try {
    // Builds give way to jobs, whose calls have limits. No more than this: next to other people's programs
    // they would stand still.
    if (!entry && running() > 0) (void)!nice(5);
    prepare_processes();
    terminal_.to_job([&](const std::string& what, double share) {
      emit({{"progress", what}, {"share", share}});
    });
    unsetenv(cores_of_job);
    if (entry && lanes_ > 1 && !entry->job.alone)
      setenv(cores_of_job,
             std::to_string(std::max(2u, std::thread::hardware_concurrency() / unsigned(lanes_))).c_str(), 1);
    if (entry) build_.freeze();
    work(emit);
  } catch (const std::exception& error) {
    emit({{"problem", error.what()}});
    status = 1;
  }
  if (before_fork_) before_fork_();
  _exit(status);
}

/// Whether a job that holds the build may start: all is built, or the other lanes have enough to do
/// meanwhile.
bool JobQueue::may_hold_build() const {
  std::size_t ready = 0;
  bool unbuilt = false;
  for (const Entry& entry : entries_) {
    unbuilt = unbuilt || entry.state == State::unbuilt;
    ready += entry.state == State::ready && !entry.job.alone && !entry.job.holds_build;
  }
  return !unbuilt || ready >= 2 * lanes_;
}

/// Builds what the next jobs need, a few at a time, so that these can start while others are still built.
void JobQueue::build_more() {
  if (building() || stopping_) return;
  const auto wants_to_hold = [](const Entry& entry) {
    return entry.state == State::ready && entry.job.holds_build && !entry.job.alone;
  };
  if (may_hold_build() && std::any_of(entries_.begin(), entries_.end(), wants_to_hold)) return;
  const auto blocks = [](const auto& child) {
    const Entry* entry = child.second.entry;
    return entry && (entry->job.alone || entry->job.holds_build);
  };
  if (std::any_of(children_.begin(), children_.end(), blocks)) return;
  // Targets of several jobs at once keep all cores busy; of too many, the lanes would wait.
  const std::size_t most = std::max<std::size_t>(2, lanes_ / 2);
  std::vector<std::string> targets;
  for (Entry& entry : entries_)
    if (entry.state == State::unbuilt && batch_.size() < most) {
      batch_.push_back(&entry);
      targets.insert(targets.end(), entry.job.targets.begin(), entry.job.targets.end());
    }
  if (batch_.empty()) return;
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  built_ = 0;
  builder_ = start(nullptr, [&](const Emit& emit) {
    const auto progress = [&](const std::string&, double share) { emit({{"built", share}}); };
    const FileLock one_after_another(build_.folder() / ".built-by-scripts");  // a test script may build, too
    emit({{"failures", failures_json(build_.make(targets, progress))}});
  });
}

bool JobQueue::fits(const QueuedJob& job) const {
  double used = job.memory_gib;
  for (const auto& [pid, child] : children_)
    if (child.entry) used += child.entry->job.memory_gib;
  return running() == 0 || used <= memory_gib_;
}

bool JobQueue::collides(const QueuedJob& job) const {
  const auto meets = [](const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
  };
  return std::any_of(children_.begin(), children_.end(), [&](const auto& child) {
    const Entry* other = child.second.entry;
    return other && (meets(job.owns, other->job.owns) || meets(job.owns, other->job.shares) ||
                     meets(job.shares, other->job.owns));
  });
}

/// The longest of those that may start now; what must be alone waits until the rest is done.
JobQueue::Entry* JobQueue::next_to_start() {
  Entry* best = nullptr;
  bool unbuilt = false, together = running() > 0;
  for (Entry& entry : entries_) {
    unbuilt = unbuilt || entry.state == State::unbuilt;
    together = together || (entry.state == State::ready && !entry.job.alone);
  }
  const bool held = std::any_of(children_.begin(), children_.end(), [](const auto& child) {
    return child.second.entry && child.second.entry->job.holds_build;
  });
  for (Entry& entry : entries_) {
    const QueuedJob& job = entry.job;
    if (entry.state != State::ready || !fits(job) || collides(job)) continue;
    if (job.holds_build && (building() || held || !may_hold_build())) continue;
    if (job.alone && (unbuilt || building() || together)) continue;
    const auto before = [](const QueuedJob& a, const QueuedJob& b) {
      return a.holds_build != b.holds_build ? a.holds_build : a.cost > b.cost;
    };
    if (!best || before(job, best->job)) best = &entry;
  }
  return best;
}

void JobQueue::start_more() {
  const bool alone = std::any_of(children_.begin(), children_.end(), [](const auto& child) {
    return child.second.entry && child.second.entry->job.alone;
  });
  while (!alone && !stopping_ && running() < lanes_) {
    Entry* entry = next_to_start();
    if (!entry) return;
    entry->state = State::running;
    start(entry, entry->job.work);
    if (entry->job.alone) return;
  }
}

/// Waits a moment for what the children say, and takes it.
void JobQueue::listen() {
  std::vector<pollfd> wait;
  for (const auto& [pid, child] : children_)
    if (child.out >= 0) wait.push_back({child.out, POLLIN, 0});
  poll(wait.data(), wait.size(), 50);
  for (auto& [pid, child] : children_) hear(child);
}

void JobQueue::hear(Child& child) {
  char buffer[65536];
  ssize_t n = 0;
  while (child.out >= 0 && (n = read(child.out, buffer, sizeof buffer)) > 0) {
    child.line.append(buffer, static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (std::size_t end; (end = child.line.find('\n', begin)) != std::string::npos; begin = end + 1)
      take_line(child, child.line.substr(begin, end - begin));
    child.line.erase(0, begin);
  }
  if (n == 0 && child.out >= 0) close(child.out), child.out = -1;
}

void JobQueue::take_line(Child& child, const std::string& line) {
  const json message = json::parse(line, nullptr, false);
  if (!message.is_object()) return;
  if (!child.entry && message.contains("built")) built_ = message["built"];
  if (!child.entry && message.contains("failures")) take_builds(message["failures"]);
  if (child.entry && child.entry->job.message && !message.contains("progress"))
    child.entry->job.message(message);
}

void JobQueue::take_builds(const json& failures) {
  std::map<std::string, BuildFailure> failed;
  for (const auto& [target, f] : failures.items()) failed[target] = {f[0], f[1], f[2], f[3]};
  build_.remember(failed);
  for (Entry* entry : batch_) entry->state = State::ready;
  batch_.clear();
}

void JobQueue::reap() {
  int status = 0;
  rusage used{};
  pid_t pid = 0;
  while ((pid = wait4(-1, &status, WNOHANG, &used)) > 0) ended(pid, status, processor_seconds(used));
  // Somebody else has taken their status: they are gone, and nothing says how.
  if (pid < 0 && errno == ECHILD)
    while (!children_.empty()) ended(children_.begin()->first, SIGKILL, 0);
}

void JobQueue::ended(pid_t pid, int status, double processor) {
  const auto at = children_.find(pid);
  if (at == children_.end()) return;  // an orphan, which is nobody's job
  Child child = std::move(at->second);
  hear(child);
  if (child.out >= 0) close(child.out);
  children_.erase(at);
  release_child(pid);
  const std::string why = how_it_ended(status);
  if (!child.entry) {
    builder_ = 0;
    building_seconds_ += processor;
    for (Entry* entry : batch_) {  // it died: nothing is known of these targets, and the job will say so
      entry->state = State::ready;
      if (!stopping_)
        for (const std::string& target : entry->job.targets)
          build_.remember({{target, {"", "the build did not end as it should: " + why, "", ""}}});
    }
    batch_.clear();
    return;
  }
  child.entry->state = State::ended;
  done_cost_ += child.entry->job.cost;
  if (child.entry->job.ended)
    child.entry->job.ended({.problem = why,
                            .seconds = child.since.seconds(),
                            .processor = processor,
                            .interrupted = stopping_ || interrupted()});
}

/// Asks all children to end, takes what they still say, and makes those end that do not.
void JobQueue::end_all() {
  stopping_ = true;
  for (auto& [pid, child] : children_) kill(pid, SIGTERM), child.asked = {};
  while (!children_.empty()) {
    listen();
    reap();
    for (const auto& [pid, child] : children_)
      if (child.asked.seconds() > patience) kill_descendants_of(pid, true);
  }
}

void JobQueue::tell_progress() {
  double all = 0;
  std::size_t left = 0;
  for (const Entry& entry : entries_) {
    all += entry.job.cost;
    left += entry.state != State::ended;
  }
  std::string now;
  for (const auto& [pid, child] : children_)
    if (child.entry) now += (now.empty() ? "" : ", ") + child.entry->job.name;
  if (building() && !batch_.empty())
    now += fmt::format("{}building {:.0f} % of {}", now.empty() ? "" : "; ", 100 * built_,
                       batch_[0]->job.name + (batch_.size() > 1 ? " …" : ""));
  terminal_.progress(fmt::format("{} of {} jobs left: {}", left, entries_.size(), now),
                     all > 0 ? done_cost_ / all : 0);
}

}  // namespace ladder
