/// @file
/// A call of a worker: its messages, in both directions.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "common/base/clock.hpp"
#include "common/base/parallel.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/judge/session/cpu_affinity.hpp"
#include "common/judge/session/session.hpp"

namespace ladder {
namespace {

/// So that no earlier result is found there.
void poison_outputs(Exchange& exchange) {
  constexpr std::size_t bytes_per_thread = 16 << 20;
  in_parts(exchange.outputs.size(), bytes_per_thread, [&](std::size_t, std::size_t first, std::size_t last) {
    std::memset(exchange.outputs.data() + first, std::to_integer<int>(exchange.poison), last - first);
  });
}

constexpr std::size_t max_trace = std::size_t{512} << 20;

[[noreturn]] void refuse_message() {
  throw Failure{Verdict::rejected,
                "a message came from the worker that the harness did not send: the rung talks to the "
                "judge in its place"};
}

[[noreturn]] void refuse_record() {
  throw Failure{Verdict::rejected, "the record that the worker sent is not one of the recorder's"};
}

/// Whole seconds for the worker's copies of inputs and outputs, which are part of a call: with gigabytes the
/// first touch of each page alone takes longer than most steps.
double seconds_to_copy(const Launch& launch, const std::vector<Exchange*>& exchanges) {
  const double bytes_a_second = nodes_of(launch) > 1 ? 5e7 : 5e8;  // between nodes half of a gigabit a second
  std::size_t bytes = 0;
  for (const Exchange* exchange : exchanges) bytes += exchange->inputs->size() + exchange->taken.size();
  return std::floor(static_cast<double>(bytes) / bytes_a_second);
}

bool is_on_device(const protocol::Array& array) {
  return static_cast<Role>(array.role) == Role::out_on_device;
}

bool has_output_on_device(const Exchange& exchange) {
  return std::ranges::any_of(exchange.table, is_on_device);
}

/// Seconds for the copy of its outputs on the device that a worker makes once the clock has stopped,
/// where it is slowest: the GPU of a laptop. An H200 copies 1 GB in 0.5 ms.
double seconds_to_keep(const Launch& launch, const std::vector<Exchange*>& exchanges) {
  constexpr double bytes_a_second = 1e11;
  std::size_t most = 0;  // each rank has a GPU of its own
  for (const Exchange* exchange : exchanges)
    if (launch.on_gpu && !exchange->unread && (launch.resident || has_output_on_device(*exchange)))
      most = std::max(most, exchange->outputs.size());
  return static_cast<double>(most) / bytes_a_second;
}

/// Microseconds that worker and judge poll for each other's messages in a timed call on a GPU, if there are
/// cores for both: waking up takes as long as a small kernel.
std::uint32_t awake_in(const Launch& launch) {
  constexpr unsigned enough_cores = 4;
  const bool possible = launch.timed && launch.on_gpu && std::thread::hardware_concurrency() >= enough_cores;
  return possible ? 100'000 : 0;
}

/// Threads of a device, of the executor and of PoCL wait next to others that work: there the system knows
/// better.
bool has_own_cores(const Launch& launch) {
  return launch.timed && launch.backend == "cpu";
}

}  // namespace

template <class Message>
std::vector<Descriptor> Session::expect(std::size_t rank, Message& message, const char* what) {
  const protocol::Tag wanted = message.tag;
  wait_for({ranks_[rank].descriptor()}, what);
  auto got = ranks_[rank].receive(&message, sizeof message);
  if (!got) ended(what);
  if (got->bytes != sizeof message || message.tag != wanted || message.sequence != sequence_)
    refuse_message();
  return std::move(got->descriptors);
}

template <class Message>
void Session::say(const Channel& rank, const Message& message, std::span<const int> descriptors) {
  try {
    rank.send(message, descriptors);
  } catch (const Error&) {
    ended("been called");
  }
}

// In the order of arrival: one rank may have thrown while the others wait for it forever.
void Session::wait_for_all_synchronised() {
  in_call_.resize(ranks_.size());
  std::iota(in_call_.begin(), in_call_.end(), 0);
  while (!in_call_.empty()) {
    std::vector<int> descriptors;
    for (const std::size_t rank : in_call_) descriptors.push_back(ranks_[rank].descriptor());
    const std::size_t place = wait_for(descriptors, "returned");
    receive_synchronised(in_call_[place]);
    in_call_.erase(in_call_.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

/// "synchronised", or "done" of a call that has failed.
void Session::receive_synchronised(std::size_t rank) {
  protocol::Done answer{};
  const auto got = ranks_[rank].receive(&answer, sizeof answer);
  if (!got) ended("returned", rank);
  const bool ours = answer.sequence == sequence_;
  if (ours && got->bytes == sizeof(protocol::Synchronised) && answer.tag == protocol::Tag::synchronised)
    return;
  if (ours && got->bytes == sizeof answer && answer.tag == protocol::Tag::done &&
      answer.status != protocol::Status::returned)
    fail_with(answer, rank);
  refuse_message();
}

protocol::Prepare Session::message_of(const Exchange& exchange) const {
  protocol::Prepare prepare{};  // zeroed: no bytes of this stack go to the worker
  prepare.sequence = sequence_;
  prepare.poison = std::to_integer<std::uint32_t>(exchange.poison);
  prepare.offset = exchange.offset;
  prepare.traced = launch_.traced;
  prepare.observed = launch_.observed;
  prepare.resident = launch_.resident;
  prepare.unread = exchange.unread;
  prepare.warm = launch_.timed && launch_.on_gpu;
  prepare.spin = awake_in(launch_);
  prepare.team = static_cast<std::uint32_t>(launch_.team);
  prepare.arrays = static_cast<std::uint32_t>(exchange.table.size());
  prepare.problem_bytes = static_cast<std::uint32_t>(exchange.scalars.size());
  prepare.input_bytes = exchange.inputs->size();
  prepare.output_bytes = exchange.outputs.size();
  std::copy(exchange.table.begin(), exchange.table.end(), prepare.array);
  std::copy(exchange.scalars.begin(), exchange.scalars.end(), prepare.problem);
  return prepare;
}

void Session::prepare(const Exchanges& exchanges) {
  ++sequence_;
  std::size_t bytes = 0;
  for (Exchange* const exchange : exchanges) {
    if (!launch_.resident || !exchange->unread) poison_outputs(*exchange);
    bytes += exchange->inputs->size() + exchange->outputs.size();
  }
  problem_bytes_ = std::max(problem_bytes_, bytes);  // the worker has the last problem's arrays for a moment
  const bool known = last_instance_ == exchanges[0]->id;
  last_instance_ = exchanges[0]->id;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    Exchange& exchange = *exchanges[std::min(rank, exchanges.size() - 1)];
    protocol::Prepare prepare = message_of(exchange);
    if (rank >= exchanges.size())  // the arrays are on rank 0 only
      for (protocol::Array& array : prepare.array) array.present = 0;
    const Descriptor reader = known ? Descriptor() : exchange.inputs->seal();
    const int memory[2] = {reader.get(), exchange.outputs.descriptor()};
    say(ranks_[rank], prepare, known ? std::span<const int>() : std::span<const int>(memory));
  }
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    protocol::Ready ready;
    expect(rank, ready, "taken its inputs");
  }
  problem_bytes_ = bytes;
}

/// A copy of the content of the descriptor that comes with a message: the worker could still change the
/// original.
template <class Message>
std::vector<std::byte> Session::receive_parcel(std::size_t rank, Message message, const char* what,
                                               std::size_t most) {
  const std::vector<Descriptor> memory = expect(rank, message, what);
  struct stat facts {};
  if (memory.size() != 1 || ::fstat(memory[0].get(), &facts) != 0 || facts.st_size < 0 ||
      facts.st_size > static_cast<off_t>(most))
    refuse_record();
  std::vector<std::byte> bytes(static_cast<std::size_t>(facts.st_size));
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::pread(memory[0].get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (n <= 0) refuse_record();
    at += static_cast<std::size_t>(n);
  }
  return bytes;
}

Observation Session::receive_observation(std::size_t rank) {
  const std::vector<std::byte> bytes = receive_parcel(rank, protocol::ObservationReady{},
                                                      "handed over its observation", max_observation_bytes);
  try {
    return parse_observation({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const Error&) {
    refuse_record();
  }
}

Trace Session::receive_trace(std::size_t rank) {
  const std::vector<std::byte> bytes =
      receive_parcel(rank, protocol::TraceReady{}, "handed over its trace", max_trace);
  protocol::TraceHeader header;
  if (bytes.size() < sizeof header) refuse_record();
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t room = bytes.size() - sizeof header;
  if (header.events > room / sizeof(ladder_event) || header.deps > room / 16 ||
      header.events * sizeof(ladder_event) + header.deps * 16 != room)
    refuse_record();
  const std::span<const std::byte> all(bytes.data() + sizeof header, room);
  return Trace::from_bytes(all.first(header.events * sizeof(ladder_event)),
                           all.subspan(header.events * sizeof(ladder_event)), recorders_);
}

/// Copies bytes of the outputs as they are now, before anything reads them.
void Session::take(Exchange& exchange, std::size_t begin, std::size_t bytes) {
  copy_in_parts(exchange.outputs.data() + begin, bytes, exchange.taken.data() + begin);
}

void Session::take_outputs(Exchange& exchange) {
  take(exchange, 0, exchange.taken.size());
}

/// Copies what a step on host data has left on the device: it lies in the judge's memory only after the call.
void Session::take_outputs_of_device(Exchange& exchange) {
  for (const protocol::Array& array : exchange.table)
    if (is_on_device(array)) take(exchange, array.output_offset, protocol::room_of(array.bytes));
}

/// Copies the outputs of a step on host data. They are in the memory that the step works in, so it is stopped
/// meanwhile. A program that watches the worker may not allow that; a worker under such a program is not
/// timed.
void Session::take_shared_outputs(const Exchanges& exchanges) {
  if (launch_.under.empty()) child_->pause();
  for (Exchange* const exchange : exchanges) take_outputs(*exchange);
  child_->resume();
}

std::vector<protocol::Done> Session::wait_for_all_done() {
  std::vector<protocol::Done> done(ranks_.size());
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    expect(rank, done[rank], "checked the memory around its arrays");
    if (done[rank].status != protocol::Status::returned) fail_with(done[rank], rank);
  }
  return done;
}

/// Takes what the worker reports about the call, where it is possible.
void Session::take_report(const std::vector<protocol::Done>& done, double begin, Outcome& outcome) {
  const protocol::Stamps& first = done[0].stamps;
  outcome.parts = {.wake = first.called - begin,
                   .step = first.returned - first.called,
                   .synchronise = first.synchronised - first.returned,
                   .answer = begin + outcome.seconds - first.synchronised};
  for (const protocol::Done& answer : done) {
    if (std::isfinite(answer.equal_work)) outcome.equal_work = answer.equal_work;
    const std::size_t threads = std::min<std::size_t>(answer.threads, protocol::max_threads);
    outcome.cpu_seconds.insert(outcome.cpu_seconds.end(), answer.cpu_seconds, answer.cpu_seconds + threads);
  }
}

Outcome Session::call(AnyInstance& instance) {
  Exchanges exchanges{&instance.exchange()};
  if (launch_.distributed) exchanges = instance.scatter(static_cast<int>(ranks_.size()));
  Outcome outcome = call(exchanges);
  if (launch_.distributed && !instance.exchange().unread)
    if (const std::string wrong = instance.gather(); !wrong.empty()) throw Failure{Verdict::wrong, wrong};
  instance.bind_outputs();
  return outcome;
}

Outcome Session::call(const Exchanges& exchanges) {
  child_->drain_output();
  child_->forget_printed();
  child_->resume();
  begin_limit(call_limit(launch_) + seconds_to_copy(launch_, exchanges));
  processor_begin_ = processor_seconds();
  // Polls from "prepare" on: a core that has slept takes tens of microseconds to send "go".
  if (awake_in(launch_) > 0) awake_until_ = deadline_;
  prepare(exchanges);
  if (has_own_cores(launch_)) pin_threads(worker());
  Outcome outcome;
  const double processor_begin = processor_seconds_of(worker());
  const double begin = wall_seconds();
  awake_until_ = begin + 1e-6 * awake_in(launch_);
  for (const Channel& rank : ranks_) say(rank, protocol::Go{.sequence = sequence_});
  wait_for_all_synchronised();
  const Stopwatch after;
  outcome.seconds = wall_seconds() - begin;
  awake_until_ = 0;
  outcome.processor_seconds = processor_seconds_of(worker()) - processor_begin;
  const Stopwatch ours;
  const bool over_nodes = nodes_of(launch_) > 1;
  if (!launch_.resident && !over_nodes) take_shared_outputs(exchanges);
  const double own_seconds = ours.seconds();
  const std::vector<protocol::Done> done = wait_for_all_done();
  if (!launch_.resident && over_nodes) take_shared_outputs(exchanges);  // the relay has brought them
  outcome.after = std::max(0.0, after.seconds() - own_seconds - seconds_to_keep(launch_, exchanges));
  if (over_nodes) outcome.after = 0;  // outputs travelled meanwhile
  // Without a device all work is on the CPU, and on a busy machine the worker waits for a core.
  if (!launch_.on_gpu)
    outcome.after =
        std::min(outcome.after, processor_seconds_of(worker()) - processor_begin - outcome.processor_seconds);
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    protocol::Outputs outputs;
    expect(rank, outputs, "handed over its result");
  }
  for (Exchange* const exchange : exchanges) {
    if (exchange->unread) continue;
    if (launch_.resident)
      take_outputs(*exchange);
    else
      take_outputs_of_device(*exchange);
  }
  if (launch_.traced) {
    outcome.trace.emplace();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      outcome.trace->append(receive_trace(rank), static_cast<int>(rank));
    outcome.trace->recorders = recorders_;
  }
  if (launch_.observed) outcome.observation = receive_observation(0);
  for (std::size_t rank = 1; launch_.observed && rank < ranks_.size(); ++rank) {
    const std::vector<Finding> more = receive_observation(rank).findings;
    outcome.observation->findings.insert(outcome.observation->findings.end(), more.begin(), more.end());
  }
  take_report(done, begin, outcome);
  return outcome;
}

}  // namespace ladder
