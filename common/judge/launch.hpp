#pragma once
/// @file
/// How a worker is started: its program, what it runs under, and its environment.

#include <map>
#include <string>
#include <vector>

#include "common/judge/plan.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {

/// How a worker is started.
struct Launch {
  std::string worker, backend, device, source_hash;
  bool resident = false;
  int ranks = 1;
  bool traced = false;
  bool timed =
      false;  ///< its calls are: where a GPU runs them, its clocks are warmed, and who waits stays awake
  bool on_gpu = false;
  bool observed = false;   ///< `worker` is one of the observed mode, and its record is wanted
  bool sanitized = false;  ///< `worker` is one of a CPU step under a sanitizer, and its findings are wanted
  int team = 0;            ///< threads whose equal work is timed before each call
  std::map<std::string, std::string> environment{};  ///< beside the plan's
  std::vector<std::string> under{};                  ///< a program that runs the worker, with its arguments
  double patience = 1;                               ///< how many times as long as others a call may take
  /// Below the plan's folder of caches: whose it is, and for which source of it.
  std::string kept_as{}, kept_for{};
};

/// Seconds that a call may take: an observed one has more, and one that has to be waited for.
double call_limit(const Launch& launch);

/// The launch of a planned step.
Launch launch_of(const PlannedStep& step, Data data, bool traced = false);
/// The step below a planned one, where the plan has its worker: as that one, with the workers of the step below.
PlannedStep below_of(const PlannedStep& step);
/// The launch of a planned step's observed worker, which is there: step.observed is not empty.
Launch observed_launch_of(const PlannedStep& step, Data data);
/// The launch of a planned step's worker under a sanitizer.
/// @param what  "races", "memory": one of step.sanitized
Launch sanitized_launch_of(const PlannedStep& step, Data data, const std::string& what);
/// The launch of a peer, on the data that the step gets.
Launch launch_of(const Peer& peer, Data data);

/// The folders that a worker may write into.
struct OwnFolders {
  std::string work;   ///< where it runs; goes with it
  std::string cache;  ///< what drivers keep for its next start
};

/// Whether the worker is kept from everything but its own: all that are judged. What runs under another program is watched by
/// that, and never graded.
bool is_confined(const Launch& launch);

/// The command line of a launch.
/// @param socket  where the judge listens
std::vector<std::string> command_of(const Launch& launch, const OwnFolders& own, const std::string& socket);
/// The environment of a launch, beside what every worker inherits.
std::map<std::string, std::string> environment_of(const Launch& launch, const OwnFolders& own);

}  // namespace ladder
