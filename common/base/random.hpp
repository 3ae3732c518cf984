#pragma once
/// @file
/// Random numbers that are the same on every machine: those of the standard distributions are not.

#include <cstdint>
#include <memory>
#include <utility>

namespace ladder {

/// Numbers that cannot be computed without their key, whatever numbers one has seen.
struct KeyedNumbers {
  virtual ~KeyedNumbers() = default;
  virtual std::uint64_t bits() = 0;
};

/// 64 good bits per call: SplitMix64 from any seed, whose next number follows from each number; or keyed
/// ones.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  explicit Random(std::shared_ptr<KeyedNumbers> keyed) : keyed_(std::move(keyed)) {}
  std::uint64_t bits() {
    if (keyed_) return keyed_->bits();
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1): a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// One of 0 .. n - 1.
  int below(int n) { return static_cast<int>(uniform() * n); }
  /// Other numbers, for a part of a problem: those of a seed which is drawn here. Keyed numbers go on as they
  /// are, since a seed of 64 bits could be computed back.
  /// @param set  bits that are set in the seed
  Random child(std::uint64_t set = 0) { return keyed_ ? *this : Random(bits() | set); }

 private:
  std::uint64_t state_ = 0;
  std::shared_ptr<KeyedNumbers> keyed_;
};

}  // namespace ladder
