#include "common/judge/worker/worker.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <numeric>
#include <string_view>
#include <thread>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/event.h"
#include "common/judge/worker/arrays.hpp"
#include "common/judge/worker/channel.hpp"
#include "common/judge/worker/whereabouts.hpp"

// The library of the executor's observed mode, or of a sanitizer, in workers that have one.
extern "C" {
[[gnu::weak]] void ladder_observe_begin(void);
[[gnu::weak]] const char* ladder_observe_end(std::size_t* bytes);
[[gnu::weak]] void ladder_observe_input(const void* data, std::size_t bytes);
[[gnu::weak]] void ladder_observe_output(const void* now, const void* before, char filling, std::size_t bytes,
                                         std::size_t element);
}

namespace ladder {
namespace sanitizers {
[[gnu::weak]] void start();
[[gnu::weak]] void on_fault(const std::string& what);
}  // namespace sanitizers

void* Backend::allocate(std::size_t, const char*) {
  throw Error(std::string("resident data is not there for back end ") + name());
}
void Backend::upload(void*, const void*, std::size_t) {
  allocate(0, "");
}
void Backend::download(void*, const void*, std::size_t) {
  allocate(0, "");
}
void Backend::copy(void*, const void*, std::size_t) {
  allocate(0, "");
}
void Backend::fill(void*, std::byte, std::size_t) {
  allocate(0, "");
}

namespace {

using protocol::Status;

template <std::size_t N>
void copy_text(char (&to)[N], const std::string& from) {
  std::snprintf(to, N, "%s", from.c_str());
}

// ---- a fault in the step says which of our arrays it touched; all else goes to who handled it before

const ProblemArrays* current_arrays = nullptr;
struct sigaction earlier_handler[NSIG];

void on_fault(int signal, siginfo_t* info, void* context) {
  if (current_arrays) {
    const std::string what =
        current_arrays->describe(info->si_addr);  // not signal-safe, and the process ends here
    if (!what.empty()) {
      if (sanitizers::on_fault) sanitizers::on_fault(what);
      std::fprintf(stderr, "the rung %s\n", what.c_str());
      ::_exit(86);
    }
  }
  const struct sigaction& earlier = earlier_handler[signal];
  if (earlier.sa_flags & SA_SIGINFO && earlier.sa_sigaction) {
    earlier.sa_sigaction(signal, info, context);
    return;
  }
  ::sigaction(signal, &earlier, nullptr);  // on return the instruction faults again, now fatally
}

void watch_faults() {
  static std::byte stack[64 * 1024];
  stack_t alternative{};
  ::sigaltstack(nullptr, &alternative);
  if (alternative.ss_flags & SS_DISABLE) {  // the executor has one, and a larger one where it observes
    alternative = {stack, 0, sizeof stack};
    ::sigaltstack(&alternative, nullptr);
  }
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS}) ::sigaction(signal, &action, &earlier_handler[signal]);
}

// ---- processor time of each thread, for the balance of a call

/// The clock of a thread's processor time, by its id: what pthread_getcpuclockid makes of a pthread_t, which
/// OpenMP's threads do not show. Exact at any moment, unlike /proc, which lags behind by up to a tick.
clockid_t clock_of_thread(int id) {
  constexpr int per_thread = 4, scheduler_time = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(id) << 3) | per_thread | scheduler_time);
}

/// @return seconds on a processor, by thread id.
std::map<int, double> thread_seconds() {
  std::map<int, double> seconds;
  DIR* tasks = ::opendir("/proc/self/task");
  if (!tasks) return seconds;
  while (const dirent* entry = ::readdir(tasks)) {
    const int id = std::atoi(entry->d_name);
    timespec time{};
    if (id > 0 && ::clock_gettime(clock_of_thread(id), &time) == 0)
      seconds[id] = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  ::closedir(tasks);
  return seconds;
}

/// What the call @p body used, of each thread that was there at its end.
void measure_threads(const std::map<int, double>& before, protocol::Done& done) {
  for (const auto& [id, seconds] : thread_seconds()) {
    if (done.threads == protocol::max_threads) break;
    const auto earlier = before.find(id);
    done.cpu_seconds[done.threads++] = seconds - (earlier == before.end() ? 0.0 : earlier->second);
  }
}

/// Equal work for each of @p count threads at once. @return the busiest thread's time over the mean: above 1
/// when cores share what they need, with each other or with another machine on the same host.
double balance_of_equal_work(std::uint32_t count) {
  constexpr int repetitions = 20'000;  // some milliseconds, in the first-level cache
  std::vector<double> seconds(count);
  std::vector<std::thread> team;
  for (double& mine : seconds)
    team.emplace_back([&mine] {
      std::array<double, 512> x, y{};
      x.fill(0.5);
      for (int r = 0; r < repetitions; ++r) {
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = 0.5 * y[i] + x[i];
        asm volatile("" ::"r"(y.data()) : "memory");  // every repetition is done
      }
      timespec time{};
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      mine = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    });
  for (std::thread& thread : team) thread.join();
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return *std::max_element(seconds.begin(), seconds.end()) * static_cast<double>(count) / sum;
}

/// Calls @p work; what it throws becomes the status.
void guarded(protocol::Done& done, const std::function<void()>& work) {
  const auto failed = [&done](Status status, const std::string& what) {
    done.status = status;
    copy_text(done.what, what);
  };
  if (done.status != Status::returned) return;
  try {
    work();
  } catch (const NotStarted&) {
    failed(Status::not_started, "");
  } catch (const std::exception& error) {
    failed(Status::threw, error.what());
  } catch (...) {
    failed(Status::threw, "something that is not a std::exception");
  }
}

/// The events of a call; the memory belongs to the sink.
struct Recording {
  const ladder_event* events = nullptr;
  const std::uint64_t (*deps)[2] = nullptr;
  std::size_t event_count = 0, dep_count = 0;
};

/// Ends the recording: the harness' own wait and copies must not be in it.
Recording stop_recording() {
  Recording recording;
  ladder_sink_drain(&recording.events, &recording.event_count, &recording.deps, &recording.dep_count);
  return recording;
}

/// Memory that goes to the judge as a descriptor, so that its size has no limit.
class Parcel {
 public:
  void put(const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t n = ::write(memory_.get(), from, bytes);
      if (n <= 0) throw Error("cannot hand over what was recorded");
      from += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }
  template <class Message>
  void send(const Channel& judge, const Message& message) const {
    const int descriptor = memory_.get();
    judge.send(message, std::span(&descriptor, 1));
  }

 private:
  Descriptor memory_{::memfd_create("ladder-record", MFD_CLOEXEC)};
};

void send_trace(const Channel& judge, const Recording& recording, std::uint32_t sequence) {
  const protocol::TraceHeader header{recording.event_count, recording.dep_count};
  Parcel parcel;
  parcel.put(&header, sizeof header);
  parcel.put(recording.events, recording.event_count * sizeof *recording.events);
  parcel.put(recording.deps, recording.dep_count * sizeof *recording.deps);
  parcel.send(judge, protocol::TraceReady{.sequence = sequence});
}

void send_observation(const Channel& judge, std::string_view document, std::uint32_t sequence) {
  Parcel parcel;
  parcel.put(document.data(), document.size());
  parcel.send(judge, protocol::ObservationReady{.sequence = sequence});
}

/// Where the judge looks for what was observed of a call that has no result.
void keep_observation(std::string_view document) {
  const char* path = std::getenv("LADDER_EXECUTOR_OBSERVE");
  std::FILE* file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return;
  std::fwrite(document.data(), 1, document.size(), file);
  std::fclose(file);
}

/// The memory of the problem; @p memory comes with a problem of a new shape only.
void prepare_arrays(const Bound& step, const protocol::Prepare& prepare, std::vector<Descriptor> memory,
                    Backend& device, std::unique_ptr<ProblemArrays>& arrays) {
  if (!memory.empty() || !arrays) {
    current_arrays = nullptr;
    arrays.reset();  // first: two large problems may not fit
    arrays = std::make_unique<ProblemArrays>(prepare, step.names(prepare.problem), std::move(memory), device);
    current_arrays = arrays.get();
  }
  arrays->refresh(std::byte(prepare.poison), prepare.unread != 0);
}

/// Waits for "go": awake for the first microseconds that the judge allows, since to wake up takes as long as
/// a small kernel.
void wait_for_go(const Channel& judge, std::uint32_t awake) {
  const Stopwatch watch;
  while (1e6 * watch.seconds() < awake)
    if (judge.readable()) break;
  protocol::Go go;
  if (const auto got = judge.receive(&go, sizeof go); !got) ::_exit(0);
}

/// What a call has printed comes with its result. A thread that the step has left may hold the lock.
void flush_output() {
  if (::ftrylockfile(stdout) != 0) return;
  ::fflush_unlocked(stdout);
  ::funlockfile(stdout);
}

/// One call: prepare, wait for go, run, answer. From "go" to "synchronised" the judge's clock runs: between
/// them is nothing that could wait.
void serve_call(const Channel& judge, const Bound& step, Backend& device, const protocol::Prepare& prepare,
                std::vector<Descriptor> memory, std::unique_ptr<ProblemArrays>& arrays) {
  if (prepare.problem_bytes != step.problem_bytes || prepare.arrays > protocol::max_arrays)
    throw Error("judge and worker were built from different contracts: build again");
  if (prepare.observed && !(ladder_observe_begin && ladder_observe_end))
    throw Error("this worker was built without the observed mode");
  prepare_arrays(step, prepare, std::move(memory), device, arrays);
  const bool weighed = prepare.team > 0;
  protocol::Done done{.sequence = prepare.sequence};
  if (weighed) done.equal_work = balance_of_equal_work(prepare.team);
  const auto before = weighed ? thread_seconds() : std::map<int, double>();
  device.together();
  if (prepare.warm) device.warm();
  judge.send(protocol::Ready{.sequence = prepare.sequence});
  wait_for_go(judge, prepare.spin);
  device.go();

  done.stamps.called = wall_seconds();
  if (prepare.traced) ladder_sink_start();
  if (prepare.observed) ladder_observe_begin();
  if (prepare.observed && ladder_observe_input) arrays->each_input(ladder_observe_input);
  guarded(done, [&] { step.call(prepare.problem, arrays->pointers()); });
  done.stamps.returned = wall_seconds();
  if (weighed) measure_threads(before, done);  // before the harness' own work
  const Recording recording = prepare.traced ? stop_recording() : Recording{};
  if (prepare.observed && ladder_observe_output && done.status == Status::returned)
    arrays->each_output([&](const auto&... output) { ladder_observe_output(output...); });
  std::size_t observed_bytes = 0;
  const char* observed = prepare.observed ? ladder_observe_end(&observed_bytes) : nullptr;
  guarded(done, [&] {
    device.synchronize();
    device.settle();
  });
  done.stamps.synchronised = wall_seconds();
  if (done.status == Status::returned) judge.send(protocol::Synchronised{.sequence = prepare.sequence});
  // What the step has written at this moment counts, not what a thread of its own changes later.
  if (!prepare.unread) guarded(done, [&] { arrays->snapshot(); });
  flush_output();
  if (const std::string damage = arrays->damage(); !damage.empty() && done.status == Status::returned) {
    done.status = Status::wrote_outside;
    copy_text(done.what, damage);
  }
  if (observed && done.status != Status::returned) keep_observation({observed, observed_bytes});
  judge.send(done);
  if (done.status != Status::returned) return;  // there is no result, and the judge waits for none
  if (!prepare.unread) arrays->hand_over();
  judge.send(protocol::Outputs{.sequence = prepare.sequence});
  if (prepare.traced) send_trace(judge, recording, prepare.sequence);
  if (prepare.observed) send_observation(judge, {observed, observed_bytes}, prepare.sequence);
}

}  // namespace

std::string element_at(const void* address) {
  return current_arrays ? current_arrays->element_at(address) : "";
}

namespace {

/// The descriptor that the launcher has connected; what runs outside of it connects itself, by a path.
Channel connection_to_judge(const std::string& where) {
  if (where.find('/') != std::string::npos) return Channel::connect(where);
  const int descriptor = std::atoi(where.c_str());
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return Channel(Descriptor(descriptor));
}

protocol::Hello introduction(Backend& device) {
  protocol::Hello hello;
  hello.rank = device.rank();
  copy_text(hello.source_hash, ladder_source_hash);
  copy_text(hello.recorders, ladder_sink_recorders());
  copy_text(hello.device, device.device());
  return hello;
}

}  // namespace

int serve(int argc, char** argv, BackendOf backend_of, const Bound& step) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nothing stays behind when the judge is killed
  try {
    Backend& device = backend_of(&argc, &argv);
    if (argc != 2) {
      std::fprintf(stderr, "this program runs one rung for the judge; start it through ./ladder check\n");
      return 2;
    }
    if (sanitizers::start) sanitizers::start();
    const Channel judge = connection_to_judge(argv[1]);
    watch_faults();
    answer_where();
    judge.send(introduction(device));
    std::unique_ptr<ProblemArrays> arrays;
    protocol::Prepare prepare;
    while (auto got = judge.receive(&prepare, sizeof prepare))
      serve_call(judge, step, device, prepare, std::move(got->descriptors), arrays);
    current_arrays = nullptr;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "the worker cannot go on: %s\n", error.what());
    ::_exit(87);
  }
  // No destructors of the step's statics: a device may hang in them. But a profiler writes in them what it
  // recorded.
  if (std::getenv(protocol::ends_as_programs_do)) std::exit(0);
  ::_exit(0);
}

}  // namespace ladder
