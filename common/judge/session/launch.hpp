#pragma once
/// @file
/// How a worker is started: its program, what it runs under, and its environment.

#include <map>
#include <string>
#include <vector>

#include "common/judge/plan.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

/// How a worker is started.
struct Launch {
  std::string worker, backend, device, source_hash;
  bool resident = false;
  bool distributed = false;  ///< each rank has its own blocks
  int ranks = 1;
  bool by_mpirun = false;  ///< a process for each rank
  bool traced = false;
  bool messages = false;  ///< traced: what NCCL sends between GPUs, and nothing else
  /// Its calls are timed: a GPU's clocks are raised before, and worker and judge poll while they wait.
  bool timed = false;
  bool on_gpu = false;
  bool observed = false;   ///< `worker` is one of the observed mode, and its record is wanted
  bool sanitized = false;  ///< `worker` is one of a CPU step under a sanitizer, and its findings are wanted
  bool sandboxed = false;  ///< `worker` is a stranger's: it runs in the plan's sandbox
  bool peer = false;       ///< `worker` is no step's: a baseline or a library
  int team = 0;            ///< threads whose equal work is timed before each call
  std::map<std::string, std::string> environment{};  ///< in addition to the plan's
  std::vector<std::string> under{};                  ///< a program that runs the worker, with its arguments
  double patience = 1;                               ///< how many times as long as others a call may take
  /// Path below the plan's folder of caches: tree, lesson, step and hash of the source.
  std::string kept_as{}, kept_for{};
};

/// Nodes on which its ranks run: those of the Slurm allocation that this judge is in. One where it is in
/// none, and where what the judge needs besides messages is on its own node: GPUs, what watches a worker, a
/// sandbox.
int nodes_of(const Launch& launch);

/// The plan's recorder of a traced launch, and "" of others or where there is none.
std::string recorder_of(const Launch& launch);

/// Seconds that a call may take: an observed one gets more, and so does a launch with patience.
double call_limit(const Launch& launch);

/// The launch of a planned step.
Launch launch_of(const PlannedStep& step, Data data, bool traced = false);
/// The step below a planned one, where the plan has its worker: as that one, with the workers of the step
/// below.
PlannedStep below_of(const PlannedStep& step);
/// The program without a step's idea as a step of its own, with its worker: step.without is not empty.
PlannedStep without_idea_of(const PlannedStep& step);
/// The launch of a planned step's observed worker, which must exist: step.observed is not empty.
Launch observed_launch_of(const PlannedStep& step, Data data);
/// The launch of a planned step's worker under a sanitizer.
/// @param what  "races", "memory": one of step.sanitized
Launch sanitized_launch_of(const PlannedStep& step, Data data, const std::string& what);
/// The launch of a peer, on the data that the step gets.
Launch launch_of(const Peer& peer, Data data);

/// The folders that a worker may write into.
struct OwnFolders {
  std::string work;   ///< where it runs; deleted with it
  std::string cache;  ///< for drivers, kept for its next start
};

/// The folder of mpirun and its ranks on each node, where there are several: the judge's is on its own node.
/// Its name has the number of the job, by which docs/run.slurm finds what a rank that was killed has left.
std::string folder_on_nodes(const OwnFolders& own);

/// Whether the worker is confined to its own folders: all workers that are judged. One that runs under
/// another program (ncu, compute-sanitizer) is not, and is never graded.
bool is_confined(const Launch& launch);

/// The command line of a launch.
/// @param socket  where the judge listens
std::vector<std::string> command_of(const Launch& launch, const OwnFolders& own, const std::string& socket);
/// The environment of a launch, in addition to what every worker inherits.
std::map<std::string, std::string> environment_of(const Launch& launch, const OwnFolders& own);

}  // namespace ladder
