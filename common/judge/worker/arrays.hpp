#pragma once
/// @file
/// The memory of one problem in the worker.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/judge/worker/channel.hpp"
#include "common/judge/worker/protocol.hpp"
#include "common/judge/worker/worker.hpp"

namespace ladder {

/// A mapping, unmapped at the end.
class Mapping {
 public:
  Mapping() = default;
  /// Maps @p bytes of @p descriptor, shared with the judge. @throws ladder::Error
  Mapping(int descriptor, std::size_t bytes, bool writable);
  /// Addresses without memory that cannot be accessed. @throws ladder::Error
  static Mapping reserve(std::size_t bytes);
  Mapping(Mapping&& other) noexcept : base_(other.base_), bytes_(other.bytes_) { other.base_ = nullptr; }
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();
  std::byte* data() const { return base_; }
  std::size_t size() const { return bytes_; }
  bool contains(const void* address) const { return address >= base_ && address < base_ + bytes_; }

 private:
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A writable array between two guard regions without access. The gaps before and after it hold a pattern
/// that is checked after each call.
class GuardedArray {
 public:
  /// In memory of its own, or in that of @p shared, from @p offset on, where the judge sees what is written.
  explicit GuardedArray(std::size_t bytes, int shared = -1, std::size_t offset = 0);
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;
  ~GuardedArray();
  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  /// Fills the array with NaN patterns.
  void poison() const;
  /// Fills the gaps with their pattern.
  void fill_gaps() const;
  /// @return whether the gaps are unchanged.
  bool intact() const;
  bool guards(const void* address) const { return memory_.contains(address); }

 private:
  Mapping memory_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// All arrays of a problem, as the step gets them.
class ProblemArrays {
 public:
  /// Maps the judge's memory. @throws ladder::Error when the table of arrays does not fit it.
  /// @param names  in the order of the table
  ProblemArrays(const protocol::Prepare& prepare, std::vector<ArrayName> names,
                std::vector<Descriptor> memory, Backend& backend);
  ~ProblemArrays();
  /// Fresh inputs; fills outputs on the device with @p poison, as the judge fills its own.
  /// @param unread  of a call that is only timed: inputs that no step may change are still on the device
  void refresh(std::byte poison, bool unread);
  /// Calls @p use for each input as it is handed over, with its bytes.
  void each_input(const std::function<void(const void* data, std::size_t bytes)>& use) const;
  /// Calls @p use for each output as it is now: where it is (perhaps on the device), its input or
  /// null, the byte that it was filled with, its bytes and those of an element.
  void each_output(const std::function<void(const void* now, const void* before, char filling,
                                            std::size_t bytes, std::size_t element)>& use) const;
  /// Keeps outputs on the device as they are now, there.
  void snapshot();
  /// Copies these to the judge's memory.
  void hand_over();
  /// @return the pointers in the order of Problem::arrays().
  void* const* pointers() const { return pointers_.data(); }
  /// @return an error text when the step wrote next to an array; "" if not.
  std::string damage() const;
  /// @return what is at @p address, for the message of a fault; "" if it is in no array of the problem.
  std::string describe(const void* address) const;
  /// @return the element of an array of the host at @p address, "C[128]" or "C[4096] of C, which has 4096
  /// elements"; "" if it is in no array of the problem.
  std::string element_at(const void* address) const;

 private:
  bool is_on_device(std::size_t array) const;
  std::string name_and_size(std::size_t array) const;
  std::string size_text(std::size_t array) const;
  std::string element(std::size_t array, long long offset) const;

  std::vector<protocol::Array> table_;
  std::vector<ArrayName> names_;
  bool resident_;
  Backend& backend_;
  Mapping inputs_, outputs_;                            ///< outputs: where there are arrays on the device
  std::vector<std::unique_ptr<GuardedArray>> guarded_;  ///< all but inputs, of a step on host data
  std::vector<void*> pointers_;
  std::vector<void*> memory_;             ///< of arrays on the device; they begin in it at Prepare::offset
  std::vector<void*> kept_;               ///< outputs on the device, as of the snapshot
  std::byte filling_ = protocol::poison;  ///< of outputs before the call
  bool on_device_ = false;                ///< resident inputs, since an earlier call
};

}  // namespace ladder
