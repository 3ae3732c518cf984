#include "common/executor/observe/kernel_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

constexpr std::size_t max_values = std::size_t{1} << 22;  // 64 MiB

/// Never 0. (The finaliser of splitmix64.)
std::uint64_t hash(std::uint64_t value, unsigned size) {
  value += 0x9E3779B97F4A7C15u * size;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return (value ^ value >> 31) | 1;
}

std::uint64_t value_at(const char* address, unsigned size) {
  std::uint64_t value = 0;
  std::memcpy(&value, address, size);
  return value;
}

bool all_are(const char* begin, std::size_t bytes, char byte) {
  return std::all_of(begin, begin + bytes, [byte](char one) { return one == byte; });
}

/// Whether all words of an element that are not zero are in the set.
bool holds_all(const ValueSet& values, const char* element, std::size_t bytes) {
  const unsigned piece = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
  for (std::size_t i = 0; i < bytes; i += piece)
    if (!all_are(element + i, piece, 0) && !values.has(value_at(element + i, piece), piece)) return false;
  return true;
}

template <class Number>
Number number_at(const char* address) {
  Number number;
  std::memcpy(&number, address, sizeof number);
  return number;
}

/// Whether two that have computed it apart are likely to have the same: a count, an index, a whole number.
bool is_common(const char* element, std::size_t bytes) {
  constexpr std::int64_t many = 1 << 20;
  if (bytes % 8 == 0) {
    const double real = number_at<double>(element);
    return std::abs(number_at<std::int64_t>(element)) < many || real == std::trunc(real);
  }
  if (bytes % 4 != 0) return true;
  const float real = number_at<float>(element);
  return std::abs(std::int64_t{number_at<std::int32_t>(element)}) < many || real == std::trunc(real);
}

bool is_of_device(const void* address) {
  const auto* const at = static_cast<const char*>(address);
  const auto nearest = DeviceMemory::get().find(at, false);
  return nearest && at >= nearest->begin && at < nearest->begin + nearest->bytes;
}

}  // namespace

void ValueSet::clear() {
  std::fill(slots_.begin(), slots_.end(), 0);
  used_ = 0;
  full_ = false;
}

std::size_t ValueSet::slot_of(std::uint64_t key) const {
  std::size_t slot = (key >> 1) & (slots_.size() - 1);
  while (slots_[slot] != 0 && slots_[slot] != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void ValueSet::insert(std::uint64_t value, unsigned size) {
  if (full_) return;
  if (2 * (used_ + 1) > slots_.size()) {
    std::vector<std::uint64_t> before(std::max<std::size_t>(1024, 2 * slots_.size()), 0);
    before.swap(slots_);
    for (const std::uint64_t key : before)
      if (key != 0) slots_[slot_of(key)] = key;
  }
  std::uint64_t& slot = slots_[slot_of(hash(value, size))];
  if (slot == 0) ++used_;
  slot = hash(value, size);
  full_ = used_ >= max_values;
}

bool ValueSet::has(std::uint64_t value, unsigned size) const {
  return !slots_.empty() && slots_[slot_of(hash(value, size))] != 0;
}

void ValueSet::add(const void* address, std::size_t bytes) {
  const auto* at = static_cast<const char*>(address);
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) insert(value_at(at + i, 8), 8);
  for (std::size_t i = 0; i + 4 <= bytes; i += 4) insert(value_at(at + i, 4), 4);
  if (bytes < 4)
    for (std::size_t i = 0; i < bytes; ++i) insert(value_at(at + i, 1), 1);
}

KernelValues& KernelValues::get() {
  static auto* const all = new KernelValues;  // never destroyed: used until the very end of the process
  return *all;
}

void KernelValues::clear() {
  std::lock_guard lock(mutex_);
  for (ValueSet* values : {&stored_, &inputs_, &uploaded_}) values->clear();
  origin_.reset();
}

void KernelValues::input(const void* data, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  inputs_.add(data, bytes);
}

/// What a kernel has stored before comes back, perhaps by way of the host: that is the kernel's.
void KernelValues::upload(const char* begin, std::size_t bytes) {
  if (inputs_.full() || uploaded_.full()) return;  // count() no longer asks for them
  for (const unsigned size : {8U, 4U})
    for (std::size_t i = 0; i + size <= bytes; i += size) {
      const std::uint64_t value = value_at(begin + i, size);
      if (!inputs_.has(value, size) && !stored_.has(value, size)) uploaded_.insert(value, size);
    }
}

void KernelValues::add(const Request& request) {
  const bool writes = request.operation == Operation::store || request.operation == Operation::atomic;
  if (!writes || (request.space != Space::global && request.space != Space::host)) return;
  std::lock_guard lock(mutex_);
  for (std::uint32_t lanes = request.mask; lanes != 0 && !stored_.full(); lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto* const address = reinterpret_cast<const char*>(request.address[lane]);
    if (request.object->holds(address, request.size)) stored_.add(address, request.size);
  }
}

void KernelValues::follow(const QueuedOperation& operation) {
  const std::string_view call = operation.call;
  const bool library = call.starts_with("cublas"), copy = call.starts_with("cudaMemcpy");
  if (!library && !copy) return;
  const DeviceAccess open;
  std::lock_guard lock(mutex_);
  const auto reads_host = [](const TouchedMemory& touched) {
    return !touched.write && !is_of_device(touched.begin);
  };
  if (copy && std::ranges::none_of(operation.touches, reads_host)) return;
  for (const TouchedMemory& touched : operation.touches) {
    if (!touched.write) continue;
    if (library) stored_.add(touched.begin, touched.bytes);
    if (copy && is_of_device(touched.begin)) upload(static_cast<const char*>(touched.begin), touched.bytes);
  }
}

void KernelValues::count(const char* after, const char* before, char filling, std::size_t bytes,
                         std::size_t element) {
  const DeviceAccess open;
  std::lock_guard lock(mutex_);
  if (!origin_) origin_.emplace();
  origin_->known = !stored_.full();
  const bool follows_uploads = !inputs_.full() && !uploaded_.full();
  for (std::size_t i = 0; element > 0 && i + element <= bytes; i += element) {
    const bool same =
        before ? std::memcmp(after + i, before + i, element) == 0 : all_are(after + i, element, filling);
    if (same || all_are(after + i, element, 0)) continue;
    ++origin_->elements;
    if (!holds_all(stored_, after + i, element)) continue;
    ++origin_->of_kernels;
    if (follows_uploads && !is_common(after + i, element) && holds_all(uploaded_, after + i, element))
      ++origin_->uploaded;
  }
}

std::optional<ResultOrigin> KernelValues::origin() {
  std::lock_guard lock(mutex_);
  return origin_;
}

}  // namespace ladder::executor

void ladder_observe_input(const void* data, unsigned long bytes) {
  ladder::executor::KernelValues::get().input(data, bytes);
}

void ladder_observe_output(const void* after, const void* before, char filling, unsigned long bytes,
                           unsigned long element) {
  ladder::executor::finish_queue();
  ladder::executor::KernelValues::get().count(static_cast<const char*>(after),
                                              static_cast<const char*>(before), filling, bytes, element);
}
