#include "common/judge/session.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "common/judge/clock.hpp"
#include "common/judge/process_tree.hpp"

namespace ladder {
namespace {

constexpr double start_seconds = 60;    // a first OpenCL start may compile for a while
constexpr double poll_period = 0.05;    // seconds between looks at the clock
constexpr double memory_period = 0.25;  // seconds between looks at the memory: a look costs milliseconds
constexpr std::size_t max_trace = std::size_t{512} << 20;
constexpr std::size_t max_observation = std::size_t{64} << 20;
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

/// "text" split into its first line and the rest; what a step printed may be long.
std::pair<std::string, std::string> first_line(const std::string& text) {
  const std::size_t start = text.find_first_not_of(" \n\t");
  if (start == std::string::npos) return {"", ""};
  const std::size_t end = text.find('\n', start);
  if (end == std::string::npos) return {text.substr(start), ""};
  return {text.substr(start, end - start), text.substr(end + 1)};
}

[[noreturn]] void refuse_record() {
  throw Failure{Verdict::rejected, "the record that the worker sent is not one of the recorder's"};
}

/// Whole seconds for the worker's copies of inputs and outputs, which belong to a call: of gigabytes the first touch of
/// each page alone takes longer than most steps.
double seconds_to_copy(const Exchange& exchange) {
  constexpr double bytes_a_second = 5e8;
  return std::floor(static_cast<double>(exchange.inputs.size() + exchange.taken.size()) / bytes_a_second);
}

std::string seconds_text(double seconds) {
  std::ostringstream out;
  out << seconds << " s";
  return out.str();
}

}  // namespace

Session::Session(const Launch& launch) : launch_(launch), folder_(private_folder()) {
  listener_ = std::make_unique<Listener>(folder_ + "/judge");
  // CUDA and OpenCL drivers map far more than they use: there only the watch on resident memory counts.
  const bool limit_data = launch.backend == "cpu" || launch.backend == "mpi" || launch.backend == "executor";
  auto environment = environment_of(launch);
  if (launch.observed) environment["LADDER_EXECUTOR_OBSERVE"] = folder_ + "/" + record_of_fault;
  child_ = std::make_unique<Child>(command_of(launch, folder_, listener_->path()), environment, folder_,
                                   plan().limits, limit_data);
  deadline_ = wall_seconds() + start_seconds;
  const std::size_t ranks = launch.backend == "mpi" ? static_cast<std::size_t>(launch.ranks) : 1;
  ranks_.resize(ranks);
  for (std::size_t i = 0; i < ranks; ++i) accept_rank();
  listener_.reset();  // nobody else comes in, and no name is left in the folder
}

Session::~Session() {
  child_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void Session::pause() {
  child_->pause();
}

std::string Session::finish() {
  child_->resume();
  ranks_.clear();  // the worker sees the end of the connection
  const double until = wall_seconds() + 10;
  while (!child_->poll_end().ended && wall_seconds() < until) {
    child_->drain_output();
    ::usleep(2000);
  }
  child_->drain_output();
  return child_->output();
}

void Session::accept_rank() {
  wait_for({listener_->descriptor()}, "started");
  Channel channel = listener_->accept();
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
  if (launch_.traced && text_of(hello.recorders).empty())
    throw Failure{Verdict::review,
                  "the recorder was given to the worker and is not there: something in the step took it "
                  "out (OPENCL_LAYERS, CUDA_INJECTION64_PATH, LD_PRELOAD), so no metric can be trusted"};
  device_ = text_of(hello.device);
  recorders_ = text_of(hello.recorders);
  ranks_[rank] = std::move(channel);
}

// Waits until one of the descriptors can be read and returns its place. Meanwhile output is drained, memory and
// time are watched, and the end of the process is noticed.
std::size_t Session::wait_for(const std::vector<int>& descriptors, const char* what) {
  std::vector<pollfd> sources{{child_->output_descriptor(), POLLIN, 0},
                              {child_->end_descriptor(), POLLIN, 0}};
  for (const int descriptor : descriptors) sources.push_back({descriptor, POLLIN, 0});
  for (;;) {
    const double left = std::min(deadline_ - wall_seconds(), poll_period);
    ::poll(sources.data(), sources.size(), std::max(1, static_cast<int>(left * 1000)));
    bool closed = sources[1].revents != 0;
    for (std::size_t i = 2; i < sources.size(); ++i) {
      if (sources[i].revents & POLLIN) return i - 2;
      closed = closed || sources[i].revents & (POLLHUP | POLLERR);
    }
    if (sources[0].revents & POLLHUP) sources[0].fd = -1;  // closed by all that could print
    if (sources[0].revents) child_->drain_output();
    if (closed) ended(what);
    if (wall_seconds() >= deadline_) timed_out();
    watch_memory();
  }
}

/// An observed worker that is asked to end writes down what it has found so far.
std::optional<Observation> Session::end_with_record() {
  constexpr double seconds_to_write = 3;
  if (launch_.observed) ::kill(child_->pid(), SIGTERM);
  const double until = wall_seconds() + (launch_.observed ? seconds_to_write : 0);
  while (!child_->poll_end().ended && wall_seconds() < until) {
    child_->drain_output();
    ::usleep(2000);
  }
  child_->kill_all();
  child_->drain_output();
  return launch_.observed ? last_record() : std::nullopt;
}

void Session::timed_out() {
  auto observation = end_with_record();
  std::string message = "did not return within " + seconds_text(limit_) +
                        (launch_.observed ? " of an observed run" : "") + " and was ended";
  Failure failure{Verdict::timeout, message, {}, std::move(observation)};
  failure.details.emplace_back("Think",
                               "Which loop, barrier or wait may never end? Are all ranks, threads and queues "
                               "waiting for the same thing?");
  throw failure;
}

void Session::watch_memory() {
  if (wall_seconds() < next_memory_check_) return;
  next_memory_check_ = wall_seconds() + memory_period;
  // The harness itself has the problem's arrays up to three times; who watches the worker keeps a record of all memory.
  const bool watched = launch_.observed || !launch_.under.empty();
  const std::size_t allowed = (plan().limits.memory_bytes + 3 * problem_bytes_) * (watched ? 4 : 1);
  if (child_->resident_bytes() <= allowed) return;
  throw Failure{Verdict::crashed,
                "used more than " + std::to_string(allowed >> 20) +
                    " MiB of memory and was ended: which allocation is too large, or in a loop?",
                {},
                end_with_record()};
}

void Session::ended(const char* what) {
  // The socket may close a moment before the process is gone.
  for (int i = 0; i < 500 && !child_->poll_end().ended; ++i) ::usleep(2000);
  child_->drain_output();
  const Ending ending = child_->poll_end();
  const auto [line, rest] = first_line(child_->output());
  Failure failure{Verdict::crashed, "", {}};
  if (!ending.ended)
    failure.message = "closed its connection to the judge before it had " + std::string(what);
  else if (ending.status == 0)
    failure.message = "ended its process with exit code 0 before it had " + std::string(what) +
                      ": a step returns, it never calls exit";
  else if (!line.empty())
    failure.message = line;
  else
    failure.message = "the process ended with " + ending.text();
  if (ending.ended && ending.status != 0 && !line.empty())
    failure.details.emplace_back("Ended with", ending.text());
  if (!rest.empty()) failure.details.emplace_back("Printed", rest.substr(0, 2000));
  if (launch_.observed) failure.observation = last_record();
  throw failure;
}

std::optional<std::string> Session::file(const std::string& name) const {
  const std::string path = folder_ + "/" + name;
  // A pipe with no writer would make the judge wait for ever, and a link could lead anywhere.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      facts.st_size > off_t(max_observation))
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
    return std::nullopt;  // the end of the process is what is to be told
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
      failure.message = "threw: " + line;
      failure.threw = true;
      if (line.find("invalid configuration argument") != std::string::npos)
        failure.details.emplace_back(
            "Think",
            "How many blocks and threads does this launch ask for, in this size? At least one "
            "of each, at most 1,024 threads a block; and whole numbers divide without a rest.");
      break;
    case protocol::Status::wrote_outside:
      failure = {Verdict::wrong, line, {}};
      break;
    default:
      throw Failure{Verdict::rejected, "the worker's answer is none that the harness gives"};
  }
  if (!rest.empty()) failure.details.emplace_back("Details", rest.substr(0, 3000));
  if (launch_.observed) failure.observation = last_record();
  throw failure;
}

template <class Message>
std::vector<Descriptor> Session::expect(std::size_t rank, Message& message, const char* what) {
  const protocol::Tag wanted = message.tag;
  wait_for({ranks_[rank].descriptor()}, what);
  auto got = ranks_[rank].receive(&message, sizeof message);
  if (!got) ended(what);
  if (got->bytes != sizeof message || message.tag != wanted || message.sequence != sequence_)
    throw Failure{Verdict::rejected,
                  "a message came from the worker that the harness did not send: the step talks to the "
                  "judge in its place"};
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

// In the order in which they come: one rank may have thrown while the others wait for it for ever.
void Session::wait_for_all_done(std::vector<protocol::Done>& done) {
  std::vector<std::size_t> waiting(ranks_.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
  while (!waiting.empty()) {
    std::vector<int> descriptors;
    for (const std::size_t rank : waiting) descriptors.push_back(ranks_[rank].descriptor());
    const std::size_t place = wait_for(descriptors, "returned");
    const std::size_t rank = waiting[place];
    expect(rank, done[rank], "returned");
    if (done[rank].status != protocol::Status::returned) fail_with(done[rank]);
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

void Session::prepare(Exchange& exchange) {
  std::memset(exchange.outputs.data(), 0xFF,
              exchange.outputs.size());  // no earlier result is there to be found
  protocol::Prepare prepare;
  prepare.sequence = ++sequence_;
  prepare.traced = launch_.traced;
  prepare.observed = launch_.observed;
  prepare.resident = launch_.resident;
  prepare.team = static_cast<std::uint32_t>(launch_.team);
  prepare.arrays = static_cast<std::uint32_t>(exchange.table.size());
  prepare.problem_bytes = static_cast<std::uint32_t>(exchange.scalars.size());
  prepare.input_bytes = exchange.inputs.size();
  prepare.output_bytes = exchange.outputs.size();
  const std::size_t bytes = exchange.inputs.size() + exchange.outputs.size();
  problem_bytes_ = std::max(problem_bytes_, bytes);  // the worker has the last problem's arrays for a moment
  std::copy(exchange.table.begin(), exchange.table.end(), prepare.array);
  std::copy(exchange.scalars.begin(), exchange.scalars.end(), prepare.problem);
  const bool known = last_instance_ == exchange.id;
  last_instance_ = exchange.id;
  const Descriptor reader = known ? Descriptor() : exchange.inputs.seal();
  const int memory[2] = {reader.get(), exchange.outputs.descriptor()};
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == 1)  // the arrays are on rank 0 only
      for (protocol::Array& array : prepare.array) array.present = 0;
    say(ranks_[rank], prepare, known ? std::span<const int>() : std::span<const int>(memory));
  }
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    protocol::Ready ready;
    expect(rank, ready, "taken its inputs");
  }
  problem_bytes_ = bytes;
}

/// The content of the descriptor that comes with a message; copied, since the worker could still change it.
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

Observation Session::receive_observation() {
  const std::vector<std::byte> bytes =
      receive_parcel(0, protocol::ObservationReady{}, "handed over its observation", max_observation);
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

Outcome Session::call(Exchange& exchange) {
  child_->resume();
  limit_ = call_limit(launch_) + seconds_to_copy(exchange);
  deadline_ = wall_seconds() + limit_;
  prepare(exchange);
  Outcome outcome;
  std::vector<protocol::Done> done(ranks_.size());
  const double processor_begin = processor_seconds_of(child_->pid());
  const double begin = wall_seconds();
  for (const Channel& rank : ranks_) say(rank, protocol::Go{.sequence = sequence_});
  wait_for_all_done(done);
  outcome.seconds = wall_seconds() - begin;
  outcome.processor_seconds = processor_seconds_of(child_->pid()) - processor_begin;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    protocol::Outputs outputs;
    expect(rank, outputs, "handed over its result");
  }
  std::copy_n(exchange.outputs.data(), exchange.taken.size(), exchange.taken.begin());
  if (launch_.traced) {
    outcome.trace.emplace();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      outcome.trace->append(receive_trace(rank), static_cast<int>(rank));
    outcome.trace->recorders = recorders_;
  }
  if (launch_.observed) outcome.observation = receive_observation();
  for (const protocol::Done& answer : done) {
    if (std::isfinite(answer.equal_work)) outcome.equal_work = answer.equal_work;
    if (std::isfinite(answer.step_seconds))
      outcome.step_seconds = std::max(outcome.step_seconds, answer.step_seconds);
    const std::size_t threads = std::min<std::size_t>(answer.threads, protocol::max_threads);
    outcome.cpu_seconds.insert(outcome.cpu_seconds.end(), answer.cpu_seconds, answer.cpu_seconds + threads);
  }
  return outcome;
}

}  // namespace ladder
