#include "common/judge/session/session.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/process/cgroup.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/judge/confine/missing_protection.hpp"
#include "common/judge/session/confinement.hpp"
#include "common/judge/session/end_message.hpp"
#include "common/judge/session/kernel_build.hpp"
#include "common/judge/worker/whereabouts.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {
namespace {

constexpr double start_seconds = 60;    // a first OpenCL start may compile; mpirun starts several
constexpr double program_seconds = 10;  // what only has to be loaded, at least; a share of a core is enough
constexpr double poll_period = 0.05;    // seconds between checks of the clock
constexpr double look_period = 0.25;    // seconds between looks at who waits for a core, each of milliseconds
constexpr double memory_again = 0.05;   // until who has too much is looked at once more
constexpr double memory_period = 0.25;  // seconds between checks of the memory: each costs milliseconds
constexpr const char* record_of_fault =
    "observation.json";  // written by an observed worker whose step does not return

std::string private_folder() {
  static int count = 0;
  const std::string folder = plan().scratch + "/w" + std::to_string(++count);
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  return folder;
}

/// A text of fixed size from a worker, made safe to print.
template <std::size_t N>
std::string text_of(const char (&raw)[N]) {
  std::string text(raw, ::strnlen(raw, N));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') c = '?';
  return text;
}

constexpr std::string_view kernels_do_not_compile =
    "the kernels do not compile:";  // common/device/opencl.cpp

/// Says of kernels what is said of a step that does not compile: the first error with its line, and what is
/// left of the log.
void tell_build_log(const std::string& log, Failure& failure) {
  if (const std::string error = first_kernel_error(log); !error.empty()) {
    failure.message = std::string(kernels_do_not_compile) + " " + error;
    if (error.find("undeclared") != error.npos)
      failure.details.emplace_back(
          "Think",
          "Is the name spelled as where the kernel declares it? A kernel's text knows no name of "
          "the C++ file around it.");
  }
  if (const std::string rest = rest_of_build_log(log); !rest.empty())
    failure.details.emplace_back("Compiler", rest.substr(0, 3000));
}

/// The question for a CUDA error: its name alone says little, and a GPU reports nothing else.
std::string question_of(const std::string& error) {
  constexpr std::pair<std::string_view, const char*> questions[] = {
      {"cudaErrorInvalidConfiguration",
       "How many blocks and threads does this launch ask for, in this size? At least one "
       "of each, at most 1,024 threads per block; and an integer division drops the remainder."},
      {"cudaErrorInvalidValue",
       "Does each pointer of this call point to allocated memory, on the side that the call expects, and "
       "is that memory as large as the number of bytes?"},
      {"cudaErrorIllegalAddress",
       "A kernel before this call accessed memory that is not its own. Which index could leave its array, or "
       "which pointer is the host's?"},
      {"cudaErrorMemoryAllocation",
       "How many bytes does this call ask for, and what has not been freed yet?"},
  };
  for (const auto& [name, question] : questions)
    if (error.find(name) != std::string::npos) return question;
  return "";
}

std::string seconds_text(double seconds) {
  std::ostringstream out;
  out << seconds << " s";
  return out.str();
}

/// What hangs before main costs little more than a call that hangs.
double start_limit(const Launch& launch) {
  const bool is_program = (launch.backend == "executor" || launch.backend == "cpu") && launch.under.empty();
  return is_program ? std::min(start_seconds, std::max(program_seconds, 2 * call_limit(launch)))
                    : start_seconds;
}

}  // namespace

Session::Session(const Launch& launch) : launch_(launch), own_{private_folder(), cache_of(launch)} {
  start();
  // Drivers have failed to load the recorder once, and not again: only what comes twice speaks against a
  // step.
  if (lacks_recorder()) start();
  if (lacks_recorder())
    throw Failure{Verdict::review,
                  "the recorder was given to the worker and is not there: something in the step removed "
                  "it (OPENCL_LAYERS, CUDA_INJECTION64_PATH, LD_PRELOAD), so no metric can be trusted"};
}

/// Starts the worker and waits for all its ranks; one that was there before is ended.
void Session::start() {
  ranks_.clear();
  launchers_.clear();
  child_.reset();
  listener_ = std::make_unique<Listener>(own_.work + "/judge");
  start_child();
  begin_limit(start_limit(launch_));
  ranks_.resize(launch_.backend == "mpi" ? static_cast<std::size_t>(launch_.ranks) : 1);
  for (std::size_t i = 0; i < ranks_.size(); ++i) accept_rank();
  listener_.reset();  // no other process can connect, and no name is left in the folder
}

bool Session::lacks_recorder() const {
  return launch_.traced && recorders_.empty();
}

void Session::start_child() {
  if (plan().confine.empty()) throw Error("the plan names no launcher of workers: start it through ./ladder");
  // CUDA and OpenCL drivers map far more than they use, and so do libraries on many cores: there only
  // resident memory is limited.
  const bool limit_data = !launch_.peer && (launch_.backend == "cpu" || launch_.backend == "mpi" ||
                                            launch_.backend == "executor");
  auto environment = environment_of(launch_, own_);
  // Each thread of OpenBLAS' own, which the executor's cuBLAS and steps of 04 call, takes 128 MiB of data
  // when it is started, before the worker can allow that: with many cores nothing is left, and OpenBLAS waits
  // forever.
  if (limit_data || launch_.backend == "executor") environment["OPENBLAS_NUM_THREADS"] = "1";
  if (launch_.observed) environment["LADDER_EXECUTOR_OBSERVE"] = own_.work + "/" + record_of_fault;
  Limits limits = plan().limits;
  limits.shadow_memory = launch_.sanitized;
  limits.waits_for_worker = launch_.sandboxed && plan().sandbox->mode == "bwrap";
  if (launch_.sandboxed && !is_confined(launch_))
    throw Failure{Verdict::skipped, "what watches it runs outside of the sandbox", {}};
  if (launch_.sandboxed) hand_over(own_);
  if (launch_.sandboxed) ended_for_memory_ = ended_for_memory(plan().sandbox->cgroups);
  child_ = std::make_unique<SupervisedProcess>(command_of(launch_, own_, listener_->path()), environment,
                                               own_.work, limits, limit_data);
}

Session::~Session() {
  child_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(own_.work, ignored);
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

/// The launcher of a confined worker has reported the confinement before any code of the step ran.
protocol::Confined Session::await_launcher(Channel& channel) {
  wait_for({listener_->descriptor()}, "started");
  channel = listener_->accept();
  protocol::Confined confined;
  if (!is_confined(launch_)) return confined;
  wait_for({channel.descriptor()}, "started");
  const auto got = channel.receive(&confined, sizeof confined);
  if (!got) ended("started");
  if (got->bytes != sizeof confined || confined.tag != protocol::Tag::confined)
    throw Failure{Verdict::rejected,
                  "the first message is not the launcher's: something else answered for it"};
  return confined;
}

Channel Session::accept_launcher() {
  Channel channel;
  protocol::Confined confined;
  try {
    confined = await_launcher(channel);
  } catch (const Failure& failure) {
    // Nothing of a stranger has run before the first launcher's report: it is not to blame.
    if (!launch_.sandboxed || !launchers_.empty()) throw;
    throw Error("the sandbox did not start: " + failure.message);
  }
  launchers_.push_back(channel.peer());
  if (!is_confined(launch_)) return channel;
  devices_ = confined.devices;
  for (const std::string& gap : confine::gaps(confined, launch_.backend == "mpi")) note_gap(gap);
  return channel;
}

void Session::accept_rank() {
  Channel channel = accept_launcher();
  protocol::Hello hello;
  wait_for({channel.descriptor()}, "started");
  const auto got = channel.receive(&hello, sizeof hello);
  if (!got) ended("started");
  const auto rank = static_cast<std::size_t>(hello.rank);
  if (got->bytes != sizeof hello || hello.tag != protocol::Tag::hello || hello.version != protocol::version ||
      hello.rank < 0 || rank >= ranks_.size() || ranks_[rank].descriptor() >= 0)
    throw Failure{Verdict::rejected,
                  "the worker's first message is not the harness's: something else answered for it"};
  if (!launch_.source_hash.empty() && text_of(hello.source_hash) != launch_.source_hash)
    throw Failure{Verdict::rejected,
                  "the worker was not built from this source file: build again; if it stays, the "
                  "program was replaced"};
  device_ = text_of(hello.device);
  // Of several ranks none may lack it.
  if (const std::string here = text_of(hello.recorders); here.empty() || launchers_.size() == 1)
    recorders_ = here;
  ranks_[rank] = std::move(channel);
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
  failure.details.emplace_back("Think",
                               "Which loop, barrier or wait may never end? Are all ranks, threads and queues "
                               "waiting for the same thing?");
  throw failure;
}

/// The process whose time is the step's: not that of bubblewrap, which waits for it.
pid_t Session::worker() const {
  const bool waits = launch_.sandboxed && launch_.backend != "mpi" && !launchers_.empty();
  return waits ? launchers_.front() : child_->pid();
}

void Session::watch_disk() {
  constexpr double disk_period = 1;  // seconds between checks
  if (!launch_.sandboxed || wall_seconds() < next_disk_check_) return;
  const std::size_t allowed = plan().limits.disk_bytes;
  const bool too_much = bytes_written_in(own_) > allowed;
  // The judge's memory for the problem is such a file, too, and so is a record on its way.
  const std::size_t allowed_unlinked = plan().limits.memory_bytes + 3 * problem_bytes_;
  const bool hides_too_much = child_->unlinked_bytes() > allowed_unlinked;
  next_disk_check_ = wall_seconds() + disk_period;
  if (!too_much && !hides_too_much) return;
  throw Failure{Verdict::crashed,
                "wrote more than " + std::to_string((too_much ? allowed : allowed_unlinked) >> 20) +
                    (too_much ? " MiB into files" : " MiB into files without a name") +
                    " and was ended: a step needs no files",
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

void Session::ended(const char* what) {
  // The socket may close a moment before the process is gone.
  for (int i = 0; i < 500 && !child_->poll_end().ended; ++i) ::usleep(2000);
  stop_if_a_kernel_is_a_task();
  const Ending ending = child_->poll_end();
  const auto [line, rest] = last_message(child_->output());
  const bool endless = line.find(": error: the kernel does not finish") != line.npos;
  Failure failure{endless ? Verdict::timeout : Verdict::crashed, "", {}};
  if (launch_.sandboxed && ended_for_memory(plan().sandbox->cgroups) > ended_for_memory_)
    failure.message =
        "used more memory than all programs of a submission may and was ended: which allocation is too "
        "large, or in a loop?";
  else if (!ending.ended)
    failure.message = "closed its connection to the judge before it had " + std::string(what);
  else if (ending.status == 0)
    failure.message = "ended its process with exit code 0 before it had " + std::string(what) +
                      ": a step returns, it never calls exit";
  else if (!line.empty())
    failure.message = line;
  else
    failure.message = "the process ended with " + ending.text();
  failure.died_by_itself = endless;
  failure.died = ending.ended && WIFSIGNALED(ending.status) && WTERMSIG(ending.status) != SIGKILL &&
                 WTERMSIG(ending.status) != SIGXCPU;
  if (ending.ended && ending.status != 0 && !line.empty())
    failure.details.emplace_back("Ended with", ending.text());
  if (!rest.empty()) failure.details.emplace_back("Printed", rest.substr(0, 2000));
  if (launch_.on_gpu && ranks_.front().descriptor() < 0 && is_confined(launch_))
    failure.details.emplace_back("Confined", devices_text(launch_.backend, devices_));
  if (launch_.observed) failure.observation = last_record();
  throw failure;
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

void Session::fail_with(const protocol::Done& done) {
  const std::string what = text_of(done.what);
  const auto [line, rest] = first_line(what);
  Failure failure{Verdict::crashed, "", {}};
  switch (done.status) {
    case protocol::Status::not_started:
      throw Failure{Verdict::not_started,
                    "ladder::task() is still in it: write the step, then delete that line"};
    case protocol::Status::threw:
      stop_if_a_kernel_is_a_task();
      // An error that the harness found when the step had returned says so itself.
      failure.message = (line.starts_with("returned ") ? "" : "threw: ") + line;
      failure.threw = true;
      if (line.ends_with(kernels_do_not_compile)) {
        tell_build_log(rest, failure);
        break;
      }
      if (const std::string question = question_of(line); !question.empty())
        failure.details.emplace_back("Think", question);
      break;
    case protocol::Status::wrote_outside:
      failure = {Verdict::wrong, line, {}};
      break;
    default:
      throw Failure{Verdict::rejected, "the worker's answer is not one that the harness gives"};
  }
  if (!rest.empty() && !line.ends_with(kernels_do_not_compile))
    failure.details.emplace_back("Details", rest.substr(0, 3000));
  if (launch_.observed) failure.observation = last_record();
  throw failure;
}

}  // namespace ladder
