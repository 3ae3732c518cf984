#pragma once
/// @file
/// How workers are confined: what the launcher is told (permissions.hpp), and what this kernel could not refuse.

#include <string>
#include <vector>

#include "common/judge/launch.hpp"

namespace ladder {

/// The arguments of the launcher, before "--".
/// @param folders  the worker's own
std::vector<std::string> arguments_of_confinement(const Launch& launch,
                                                  const std::vector<std::string>& folders);

/// Where what the programs of a step or a peer keep for later lies: kernels that a driver compiled. Made when it is not there;
/// what an earlier source of the same step kept is removed.
std::string cache_of(const Launch& launch);

/// Of a worker on a GPU that ended before it said anything: what it may open, and what to do.
/// @param devices  device files that its launcher found
std::string devices_text(const std::string& backend, int devices);

/// Keeps a gap of a worker for the record of the step under way.
void note_gap(const std::string& gap);
/// All that were noted since the last time, each once.
std::vector<std::string> take_gaps();

}  // namespace ladder
