/// @file
/// The start of a worker: its process, its launcher's report, and the handshake with each of its ranks.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "common/base/process/cgroup.hpp"
#include "common/judge/confine/missing_protection.hpp"
#include "common/judge/session/confinement.hpp"
#include "common/judge/session/session.hpp"
#include "common/judge/session/worker_text.hpp"

namespace ladder {
namespace {

constexpr double start_seconds = 60;    // a first OpenCL start may compile; mpirun starts several
constexpr double program_seconds = 10;  // what only has to be loaded, at least; a share of a core is enough

std::string private_folder() {
  static int count = 0;
  const std::string folder = plan().scratch + "/w" + std::to_string(++count);
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  return folder;
}

/// What hangs before main costs little more than a call that hangs.
double start_limit(const Launch& launch) {
  const bool is_program =
      !launch.by_mpirun && (launch.backend == "executor" || launch.backend == "cpu") && launch.under.empty();
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
                  "the recorder was given to the worker and is not there: something in the rung removed "
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
  ranks_.resize(launch_.by_mpirun ? static_cast<std::size_t>(launch_.ranks) : 1);
  for (std::size_t i = 0; i < ranks_.size(); ++i) accept_rank();
  if (const int nodes = nodes_of(launch_); nodes > 1) check_nodes(nodes);
  listener_.reset();  // no other process can connect, and no name is left in the folder
}

/// A verdict of ranks on fewer nodes would claim what was not tried.
void Session::check_nodes(int nodes) const {
  const std::string there = std::to_string(nodes) + " nodes";
  if (!device_.ends_with(" on " + there))
    throw Error("mpirun was to place the ranks on " + there +
                " of the Slurm allocation; they are: " + device_);
  note_gap("of MPI ran on " + there +
           ", where they could reach other machines; memory and disk are limited on the judge's node only");
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
  if (launch_.sandboxed && launch_.by_mpirun && launch_.on_gpu)
    throw Failure{Verdict::skipped,
                  "its ranks need sockets of NCCL, which the sandbox refuses: --device executor judges it",
                  {}};
  if (launch_.sandboxed) hand_over(own_);
  if (launch_.sandboxed) ended_for_memory_ = ended_for_memory(plan().sandbox->cgroups);
  child_ = std::make_unique<SupervisedProcess>(command_of(launch_, own_, listener_->path()), environment,
                                               own_.work, limits, limit_data);
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
  for (const std::string& gap : confine::gaps(confined, launch_.by_mpirun)) note_gap(gap);
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

}  // namespace ladder
