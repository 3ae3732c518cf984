#pragma once
/// @file
/// Reads of uninitialised device memory.

#include <functional>
#include <map>
#include <vector>

#include "common/executor/observe/races/race_shadow.hpp"

namespace ladder::executor {

/// Some bytes of an object that the compiler, or memcpy, accesses as a whole.
struct PartOfObject {
  const char* begin;
  unsigned bytes;  ///< at most 16
  const char* whole;
  std::size_t whole_bytes;
  bool repeats;  ///< the whole is perhaps an array
};

/// For a read that is about to happen: a bit for each byte that has no value and may matter. Padding does not
/// matter, and a byte that is not what the allocation was filled with was written, even where no hook has
/// seen it.
std::uint16_t undefined_bytes(const Object& object, const PartOfObject& part);

/// Follows which bytes of allocations were written, by kernels, copies and fills.
class UninitialisedReadDetector {
 public:
  std::function<void(const UninitialisedRead&)> on_uninitialised_read;
  /// As soon as it is seen, whether or not it turns out to be a race.
  std::function<void(std::uint32_t code, const char* address, std::uint16_t bytes)> on_first_sight;

  void begin_launch() { reads_.clear(); }
  void add(const Request& request);
  /// A value that another thread wrote at the same time is a race and not reported again.
  void end_launch(const RaceShadow& shadow);

 private:
  void read(const Request& request, unsigned lane, const TrackedObject& object, std::size_t offset,
            std::uint16_t bytes);

  std::map<std::uint32_t, std::vector<UninitialisedRead>> reads_;  // by code
};

}  // namespace ladder::executor
