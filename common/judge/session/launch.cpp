#include "common/judge/session/launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "common/base/process/openblas_kernels.hpp"
#include "common/base/text/step_name.hpp"
#include "common/judge/relay/stream.hpp"
#include "common/judge/session/confinement.hpp"

namespace ladder {
namespace {

/// Whether its recorder is a library in front of the one that it records.
bool is_preloaded(const Launch& launch) {
  return launch.backend == "mpi" || launch.messages;
}

/// The caches of drivers that a step's worker gets: a folder, and one in it for each text of the step.
std::pair<std::string, std::string> kept_cache_of(const PlannedStep& step) {
  const std::string place = "/" + plan().lesson + "/" + step.step;
  // Solutions and the edits of them are ours, and most edits leave the device code as it is: they share what
  // is compiled. All other steps have nothing that another one has written.
  if (step.tree == "solutions" || step.tree == "mutants" || step.tree == "variants")
    return {"solutions" + place, "any"};
  return {step.tree + place + (step.mutant.empty() ? "" : "~" + step.mutant),
          step.source_hash.empty() ? "any" : step.source_hash.substr(0, 16)};
}

int share(int ranks, int parts) {
  return (ranks + parts - 1) / parts;
}

}  // namespace

Launch launch_of(const PlannedStep& step, Data data, bool traced) {
  auto [kept_as, kept_for] = kept_cache_of(step);
  return {.worker = step.worker,
          .backend = step.backend,
          .device = step.device,
          .source_hash = step.source_hash,
          .resident = data != Data::host && step.backend != "mpi",
          .distributed = data == Data::distributed,
          .ranks = step.ranks,
          .by_mpirun = worker_ending(step.step, step.backend).starts_with("mpi"),
          .traced = traced,
          .on_gpu = runs_on_gpu(step),
          .sandboxed = plan().sandbox && step.tree == "submissions",
          .kept_as = std::move(kept_as),
          .kept_for = std::move(kept_for)};
}

PlannedStep below_of(const PlannedStep& step) {
  PlannedStep below = step;
  below.step = std::filesystem::path(step.below).stem();
  below.worker = std::exchange(below.below, "");
  below.observed = std::exchange(below.below_observed, "");
  below.source_hash.clear();  // the plan does not know it
  return below;
}

PlannedStep without_idea_of(const PlannedStep& step) {
  PlannedStep other = below_of(step);
  other.step = step.without_name;
  other.worker = std::exchange(other.without, "");
  return other;
}

int nodes_of(const Launch& launch) {
  if (!launch.by_mpirun || launch.on_gpu || launch.observed || launch.sandboxed || !is_confined(launch))
    return 1;
  const char* const nodes = std::getenv("SLURM_JOB_NUM_NODES");
  const int on_each = share(launch.ranks, std::clamp(nodes ? std::atoi(nodes) : 1, 1, launch.ranks));
  return share(launch.ranks, on_each);
}

std::string folder_on_nodes(const OwnFolders& own) {
  const char* const job = std::getenv("SLURM_JOB_ID");
  return "/tmp/ladder-ranks-" + std::string(job ? job : "") + "-" +
         std::to_string(std::hash<std::string>()(own.work));
}

std::string recorder_of(const Launch& launch) {
  if (!launch.traced) return "";
  return plan().recorder_of(launch.messages ? "nccl" : launch.backend);
}

bool is_confined(const Launch& launch) {
  return launch.under.empty();
}

double call_limit(const Launch& launch) {
  constexpr double observed_factor = 3;  // a busy machine must not decide what can be observed
  return plan().limits.call_seconds * launch.patience * (launch.observed ? observed_factor : 1);
}

Launch observed_launch_of(const PlannedStep& step, Data data) {
  Launch launch = launch_of(step, data);
  launch.worker = step.observed;
  launch.backend = "executor";  // also of a step that runs on a GPU otherwise
  launch.device = "executor";
  launch.on_gpu = false;
  launch.observed = true;
  return launch;
}

Launch sanitized_launch_of(const PlannedStep& step, Data data, const std::string& what) {
  Launch launch = launch_of(step, data);
  launch.worker = step.sanitized.at(what);
  launch.observed = launch.sanitized = true;
  launch.environment = {
      {"OMP_NUM_THREADS",
       "4"},  // on any machine, also on one core: races do not depend on the number of cores
      {"TSAN_OPTIONS",
       "ignore_noninstrumented_modules=1:symbolize=0:history_size=7:detect_deadlocks=0:report_thread_leaks=0:"
       "report_signal_unsafe=0:exitcode=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0"},
      {"ASAN_OPTIONS",
       "detect_leaks=0:symbolize=0:exitcode=86:detect_stack_use_after_return=1:quarantine_size_mb=32"},
      {"UBSAN_OPTIONS", "symbolize=0:print_stacktrace=0"}};
  return launch;
}

Launch launch_of(const Peer& peer, Data data) {
  const bool on_device = peer.backend == "executor" || peer.backend == "cuda";
  return {.worker = peer.worker,
          .backend = peer.backend,
          .device = peer.device,
          .source_hash = "",
          .resident = data != Data::host && on_device,
          .on_gpu = peer.backend == "cuda",
          .peer = true,
          .environment = peer.environment,
          .kept_as = "given/" + plan().lesson + "/" + peer.name,
          .kept_for = "any"};
}

namespace {

/// What mpirun reads of the allocation, and the folder for its files.
void add_environment_of_nodes(const OwnFolders& own, std::map<std::string, std::string>& environment) {
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const auto equals = text.find('=');
    if (text.starts_with("SLURM")) environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  environment["TMPDIR"] = folder_on_nodes(own);
}

}  // namespace

std::map<std::string, std::string> environment_of(const Launch& launch, const OwnFolders& own) {
  std::map<std::string, std::string> environment = launch.environment;
  environment.insert(plan().environment.begin(), plan().environment.end());
  environment["TMPDIR"] = own.work;
  environment["XDG_CACHE_HOME"] = own.cache;
  environment["POCL_CACHE_DIR"] = own.cache + "/pocl";
  environment["CUDA_CACHE_PATH"] = own.cache + "/cuda";
  if (launch.device == "oclgrind") environment["LADDER_KEPT_PROGRAMS"] = own.cache + "/oclgrind";
  if (launch.sandboxed) environment["HOME"] = own.work;
  if (const std::string kernels = openblas_kernels(); !kernels.empty())
    environment.emplace("OPENBLAS_CORETYPE", kernels);
  environment.emplace("OMP_WAIT_POLICY", "passive");  // only one worker is active at a time
  // Yet a barrier inside a call must not put threads to sleep: waking them takes longer than a pivot of a
  // small matrix.
  environment.emplace("GOMP_SPINCOUNT", "20000");  // 0.1 to 1 ms, by how long a pause lasts
  // What a step's calls wait for must not depend on how many cores this machine has.
  constexpr int traced_team = 8;
  const bool alike = launch.traced && (launch.backend == "executor" || launch.backend == "cuda");
  environment.emplace("OMP_NUM_THREADS", std::to_string(alike ? traced_team : team_size()));
  // The executor's own message names the line that hangs: it must come before we end the worker.
  environment.emplace("LADDER_EXECUTOR_TIMEOUT",
                      std::to_string(std::max(1, static_cast<int>(call_limit(launch) / 2))));
  // As many in that time, and no block has ended: a loop around a barrier.
  environment.emplace("LADDER_EXECUTOR_BARRIERS", "300000");
  if (nodes_of(launch) > 1) add_environment_of_nodes(own, environment);
  if (launch.by_mpirun && launch.on_gpu)
    environment.emplace("NCCL_SOCKET_IFNAME", "lo");  // all ranks are on this machine
  const std::string recorder = recorder_of(launch);
  if (recorder.empty()) return environment;
  if (is_preloaded(launch))
    environment["LD_PRELOAD"] = recorder;
  else if (launch.backend == "opencl")
    environment["OPENCL_LAYERS"] = recorder;
  else if (launch.backend == "cuda")
    environment["CUDA_INJECTION64_PATH"] = recorder;
  return environment;
}

namespace {

using Words = std::vector<std::string>;

/// Settings by which ranks are started and reach each other.
using Settings = std::vector<std::pair<std::string, std::string>>;

Settings on_one_node(const OwnFolders& own) {
  return {
      {"plm_rsh_agent", "false"},                 // on one machine no ssh is needed, but mpirun looks for one
      {"btl_vader_backing_directory", own.work},  // so that no segment is left in /dev/shm
      {"btl", "self,vader"},
  };
}

/// Each node has as many neighbouring ranks. The judge's folder is on no other node.
Settings on_nodes(const Launch& launch) {
  const int on_each = share(launch.ranks, nodes_of(launch));
  return {
      {"plm", "slurm"},
      {"plm_slurm_args", "--chdir=/tmp --export=ALL --overlap"},  // also inside a step of the job
      {"rmaps_base_mapping_policy", "ppr:" + std::to_string(on_each) + ":node"},
      {"btl", "self,vader,tcp"},
  };
}

/// mpirun and its settings, before what each rank executes.
Words mpirun_of(const Launch& launch, const OwnFolders& own) {
  Words words{"mpirun", "--oversubscribe", "--quiet", "--bind-to", "none"};
  const bool over_nodes = nodes_of(launch) > 1;
  Settings settings = over_nodes ? on_nodes(launch) : on_one_node(own);
  settings.emplace_back("btl_vader_single_copy_mechanism", "none");  // containers forbid its system calls
  settings.emplace_back("pml", "ob1");                               // others look for networks of their own
  if (over_nodes) words.insert(words.end(), {"-wdir", "/tmp", "-x", relay::meeting_variable});
  for (const auto& [name, value] : settings) words.insert(words.end(), {"--mca", name, value});
  if (::geteuid() == 0) words.push_back("--allow-run-as-root");
  if (is_preloaded(launch) && !recorder_of(launch).empty()) words.insert(words.end(), {"-x", "LD_PRELOAD"});
  words.insert(words.end(), {"-np", std::to_string(launch.ranks)});
  return words;
}

/// The launcher, which connects to the judge, and the worker.
Words confined(const Launch& launch, const std::string& socket, const Words& options) {
  Words words{plan().confine, socket};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", launch.worker});  // and the launcher's connection to us
  return words;
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words command_in_sandbox(const Launch& launch, const OwnFolders& own, const std::string& socket) {
  const Sandbox& sandbox = *plan().sandbox;
  const SandboxPermissions allowed = permissions_of(launch, own);
  if (!launch.by_mpirun)
    return joined(walls_of(sandbox, allowed), confined(launch, socket, confinement_of(sandbox, allowed)));
  SandboxPermissions of_mpirun =
      allowed;  // one wall around all ranks, and in it each rank confines itself further
  of_mpirun.sockets = "any";
  of_mpirun.may_start_processes = true;
  const Words rank = confined(launch, socket, confinement_of(sandbox, allowed, false));
  return command_in(sandbox, of_mpirun, joined(mpirun_of(launch, own), rank));
}

}  // namespace

std::vector<std::string> command_of(const Launch& launch, const OwnFolders& own, const std::string& socket) {
  if (launch.sandboxed) return command_in_sandbox(launch, own, socket);
  Words command;
  if (nodes_of(launch) > 1)
    return joined(joined({plan().confine, "--relay", socket}, mpirun_of(launch, own)),
                  confined(launch, "--rank", arguments_of_confinement(launch, {})));
  if (launch.by_mpirun) {
    if (is_confined(launch)) command = {plan().confine, "--own-network"};
    command = joined(command, mpirun_of(launch, own));
  }
  if (!is_confined(launch)) return joined(joined(command, launch.under), {launch.worker, socket});
  return joined(command, confined(launch, socket, arguments_of_confinement(launch, {own.work, own.cache})));
}

}  // namespace ladder
