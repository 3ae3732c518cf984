#pragma once
/// @file
/// Recent comparisons of the running thread: for a loop that does not end, its condition with the values.

#include <array>
#include <cstdint>
#include <string>

#include "common/base/observation/observation.hpp"

namespace ladder::executor {

/// A few places that compare, each with the last values. Written at every comparison, so it must be cheap.
class Comparisons {
 public:
  enum class Type : std::uint8_t { integer, float32, float64 };  ///< integers; float; double

  void note(std::uint32_t code, std::uint64_t a, std::uint64_t b, Type type, std::uint8_t bytes) {
    Place& place = places_[code * 0x9E3779B1u >> 29];
    const bool same = place.code == code && place.a == a && place.b == b;
    place = {code, type, bytes, a, b, same ? place.same + 1 : 0};
  }
  /// "the condition on line 14 compares 0 with 0, again and again". Empty: nothing is known.
  std::string text(const SourceLine& stuck) const;
  void forget() { places_ = {}; }

 private:
  struct Place {
    std::uint32_t code = 0;
    Type type{};
    std::uint8_t bytes = 0;
    std::uint64_t a = 0, b = 0;
    std::uint64_t same = 0;  ///< how often the values have been the same, one after the other
  };
  static std::string value(const Place& place, std::uint64_t bits);
  std::array<Place, 8> places_{};
};

/// Of the thread of this machine that runs kernels.
extern thread_local constinit Comparisons comparisons;

}  // namespace ladder::executor
