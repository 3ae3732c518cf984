#pragma once
/// @file
/// A running worker: started under limits, identified, called again and again, never trusted.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/verdict.hpp"
#include "common/judge/session/instance.hpp"
#include "common/judge/session/launch.hpp"
#include "common/judge/session/supervised_process.hpp"
#include "common/trace/trace.hpp"

namespace ladder {

/// A call that did not end with a result, as the verdict it leads to. The text is one line; more lines are in
/// `details` by heading.
struct Failure {
  Verdict verdict;
  std::string message;
  std::vector<std::pair<std::string, std::string>> details{};
  std::optional<Observation>
      observation{};            ///< what an observed worker had recorded when the step did not return
  bool threw = false;           ///< the step threw an exception, and the worker is still alive
  bool died_by_itself = false;  ///< the executor has ended a kernel that does not finish
  bool died = false;            ///< a signal ended the process that is no limit of ours: it crashed
};

/// The parts of a call's time, up to the moment when the judge has read "synchronised". By the worker's
/// clock, which a submission could change: shown, never judged.
struct Parts {
  double wake = 0;         ///< until the worker has read "go"
  double step = 0;         ///< until the step has returned
  double synchronise = 0;  ///< until all work on the device is done
  double answer = 0;       ///< until the judge knows
};

/// Times and records of a call, besides its result.
struct Outcome {
  double seconds = 0;  ///< from go to the last rank's "synchronised", by the judge's clock
  double after = 0;    ///< from there to "done", without the time that judge and worker need
  Parts parts;
  std::vector<double> cpu_seconds;         ///< one per thread, of all ranks; empty when Launch::team is 0
  double processor_seconds = 0;            ///< of the process that was started, from go to done
  double equal_work = 0;                   ///< balance of equal work on this machine; 0: not asked for
  std::optional<Trace> trace;              ///< when asked for
  std::optional<Observation> observation;  ///< of an observed worker
};

/// A call that has not returned yet, in seconds.
struct CallSoFar {
  double limit = 0;
  double late = 0;               ///< past the limit
  double waited = 0;             ///< that threads of it were ready to run but had no core: WaitingTime
  double processor_seconds = 0;  ///< of all its threads
  double cores = 1;              ///< of this machine
};
/// Whether it has used as much as all cores have within its limit: its threads wait for each other then, and
/// for nobody else.
bool has_used_its_processors(const CallSoFar& call);
/// Whether it is ended. On a busy machine a call may wait for a core: this time does not count, up to three
/// times the limit, and only until it has used its processors.
bool has_had_its_time(const CallSoFar& call);

/// The longest observation that is read.
constexpr std::size_t max_observation_bytes = std::size_t{64} << 20;

class Session {
 public:
  /// Starts the worker and waits for all its ranks. @throws Failure
  explicit Session(const Launch& launch);
  ~Session();

  /// Runs the step once on @p instance; its outputs are in instance.got() afterwards. @throws Failure
  Outcome call(AnyInstance& instance);

  /// Stops the worker until its next call: threads that spin, or that a step has left running, would take
  /// time from another worker's call.
  void pause();

  const std::string& device() const { return device_; }
  /// What the worker has printed since its last call began.
  Printed printed() {
    child_->drain_output();
    return child_->printed();
  }
  /// Ends the worker in an orderly way and returns what it printed. @param seconds  that its end may take
  std::string finish(double seconds = 10);
  /// A copy of a file that the worker wrote in its folder; nothing when there is none, or when it is not a
  /// small regular file.
  std::optional<std::string> file(const std::string& name) const;

 private:
  /// Written into the worker's folder by an observed one whose step does not return.
  static constexpr const char* record_of_fault = "observation.json";

  /// What the ranks share with the judge: one exchange for each, or one with the arrays of rank 0.
  using Exchanges = std::vector<Exchange*>;
  Outcome call(const Exchanges& exchanges);
  void start();
  void start_child();
  bool lacks_recorder() const;
  Channel accept_launcher();
  protocol::Confined await_launcher(Channel& channel);
  pid_t worker() const;
  void accept_rank();
  void check_nodes(int nodes) const;
  void prepare(const Exchanges& exchanges);
  protocol::Prepare message_of(const Exchange& exchange) const;
  template <class Message>
  std::vector<std::byte> receive_parcel(std::size_t rank, Message message, const char* what,
                                        std::size_t most);
  Trace receive_trace(std::size_t rank);
  Observation receive_observation(std::size_t rank);
  std::optional<Observation> last_record() const;
  std::optional<Observation> end_with_record();
  template <class Message>
  std::vector<Descriptor> expect(std::size_t rank, Message& message, const char* what);
  std::size_t wait_for(const std::vector<int>& descriptors, const char* what);
  static void take(Exchange& exchange, std::size_t begin, std::size_t bytes);
  static void take_outputs(Exchange& exchange);
  static void take_outputs_of_device(Exchange& exchange);
  void take_shared_outputs(const Exchanges& exchanges);
  std::vector<protocol::Done> wait_for_all_done();
  static void take_report(const std::vector<protocol::Done>& done, double begin, Outcome& outcome);
  void wait_for_all_synchronised();
  void receive_synchronised(std::size_t rank);
  template <class Message>
  void say(const Channel& rank, const Message& message, std::span<const int> descriptors = {});
  void watch_memory();
  void watch_waiting();
  void begin_limit(double seconds);
  void watch_disk();
  CallSoFar call_so_far();
  double processor_seconds() const;
  void stop_if_a_kernel_is_a_task();
  std::string ask_where();
  [[noreturn]] void timed_out(const CallSoFar& call);
  [[noreturn]] void ended(const char* what, std::optional<std::size_t> rank = {});
  [[noreturn]] void fail_with(const protocol::Done& done, std::size_t rank);
  void name_rank(Failure& failure, std::size_t rank, const char* what) const;

  Launch launch_;
  OwnFolders own_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<SupervisedProcess> child_;
  std::vector<Channel> ranks_;
  std::vector<std::size_t> in_call_;  ///< ranks that have not returned
  std::vector<pid_t> launchers_;      ///< processes that have connected: the workers
  std::string device_, recorders_;
  std::uint32_t sequence_ = 0;
  std::uint64_t last_instance_ = 0;  ///< whose memory the worker has mapped
  int ended_for_memory_ = 0;         ///< in its control group, before it started
  int devices_ = 0;                  ///< device files that the worker may write
  double limit_ = 0, deadline_ = 0;
  double processor_begin_ = 0;          ///< processor_seconds() when the call began
  std::optional<WaitingTime> waiting_;  ///< of this call, when it has gone on for a while
  double next_look_ = 0;                ///< at waiting_
  double awake_until_ = 0;              ///< until then the judge polls and does not sleep
  bool had_too_much_ = false;           ///< memory, at the last check
  double next_memory_check_ = 0, next_disk_check_ = 0;
  std::size_t problem_bytes_ = 0;  ///< of the arrays of the current call
};

}  // namespace ladder
