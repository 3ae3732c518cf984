#pragma once
/// @file
/// The clock that the judge times with.

#include <chrono>

namespace ladder {

/// Seconds since some moment in the past; never set back.
inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const { return wall_seconds() - begin_; }

 private:
  double begin_ = wall_seconds();
};

}  // namespace ladder
