#pragma once
/// @file
/// How workers are confined: the launcher's arguments (permissions.hpp), and what this kernel cannot refuse.

#include <string>
#include <vector>

#include "common/base/process/sandbox.hpp"
#include "common/judge/session/launch.hpp"

namespace ladder {

/// The arguments of the launcher, before "--".
/// @param folders  the worker's own
std::vector<std::string> arguments_of_confinement(const Launch& launch,
                                                  const std::vector<std::string>& folders);

/// The same for a worker in the plan's sandbox.
SandboxPermissions permissions_of(const Launch& launch, const OwnFolders& own);
/// Gives a worker's folders to the sandbox's user, with all that is in them, and makes sure that it can reach
/// them.
/// @throws Error
void hand_over(const OwnFolders& own);
/// Bytes that a sandboxed worker has written: below its folders, and in shared memory.
std::size_t bytes_written_in(const OwnFolders& own);

/// The driver cache of a step's or a peer's programs: kernels that a driver compiled. The folder is created
/// when it does not exist; the cache of another source of the same step is removed.
std::string cache_of(const Launch& launch);

/// A hint for a worker on a GPU that ended before its first message: the device files it may open, and what
/// to do.
/// @param devices  number of device files that its launcher found
std::string devices_text(const std::string& backend, int devices);

/// Notes a gap of a worker for the record of the current step.
void note_gap(const std::string& gap);
/// All gaps noted since the last call, each once.
std::vector<std::string> take_missing_protection();

}  // namespace ladder
