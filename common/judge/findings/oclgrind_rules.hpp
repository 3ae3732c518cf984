#pragma once
/// @file
/// How OpenCL steps are counted and watched: under the simulator Oclgrind.

#include <string>

#include "common/base/observation/observation.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/session/session.hpp"
#include "common/trace/oclgrind/oclgrind.hpp"

namespace ladder {

/// Files in a worker's own folder.
inline constexpr const char* oclgrind_record = "oclgrind.json";
inline constexpr const char* oclgrind_log = "oclgrind.log";

/// Oclgrind with the plugin of this build, or why there is no plugin.
struct Simulator {
  Oclgrind oclgrind;
  std::string no_plugin;  ///< empty: it is there
};

/// What this machine has.
Simulator find_simulator();

/// The launch of a step under Oclgrind.
Launch simulated_launch_of(const PlannedStep& step, Data data, const Oclgrind::Environment& environment);

/// How a step is watched for findings.
Watch simulated_watch_of(const PlannedStep& step, const Step& row, bool counters);

/// The counters that were written to a file in the worker's folder. The session ends.
/// @throws Failure when there are none, or the file is broken
Observation read_record(Session& session, const std::string& name);

}  // namespace ladder
