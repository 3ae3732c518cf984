#pragma once
/// @file
/// The lock of a build folder, as ./ladder takes it, for a tool that works now and then; and what others who
/// wait for it are told.

#include <string>
#include <string_view>

#include "common/tool/core/context.hpp"

namespace ladder {

/// Held while it lives. Where it cannot be written nobody else can build either. A process that has it may
/// ask for it again: a verb that watch starts by a key works under the lock of watch.
class [[nodiscard]] BuildLock {
 public:
  /// @throws UsageError when the wait was ended: nothing is to be done, or said, as if it were held
  explicit BuildLock(Context& context);
  ~BuildLock();
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  bool ours_ = false;
};

/// Keeps what is done now for those who wait for the build folder, at most once a second. Nothing without the
/// lock.
void say_to_those_who_wait(std::string_view what);

/// Of the ladder that has the lock: "process 4711, since 13:07: ./ladder check 03/g2", as far as it is known.
std::string who_works_in(const std::filesystem::path& build_folder);

}  // namespace ladder
