#include "common/judge/arrays.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/judge/worker.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {
namespace {

constexpr std::size_t alignment = 64;         // a cache line: the same start for every step, so times compare
constexpr std::size_t guard_bytes = 1 << 20;  // an index that is off by a row or two still ends here
constexpr std::byte gap_pattern{0xA5};
constexpr std::byte poison_pattern{0xFF};  // as double and float: a NaN; as int: -1

std::size_t page() {
  static const std::size_t size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// The limit on data is for what the step allocates: the arrays of its problem come on top.
void allow_arrays(std::size_t bytes) {
  static const rlimit of_the_step = [] {
    rlimit bound{};
    ::getrlimit(RLIMIT_DATA, &bound);
    return bound;
  }();
  if (of_the_step.rlim_cur == RLIM_INFINITY) return;
  const rlimit bound{std::min<rlim_t>(of_the_step.rlim_cur + bytes, of_the_step.rlim_max),
                     of_the_step.rlim_max};
  ::setrlimit(RLIMIT_DATA, &bound);
}

}  // namespace

Mapping::Mapping(int descriptor, std::size_t bytes, bool writable) : bytes_(std::max<std::size_t>(bytes, 1)) {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* base = ::mmap(nullptr, bytes_, protection, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (base == MAP_FAILED)
    throw Error("cannot map " + std::to_string(bytes_) + " bytes of memory: " + std::strerror(errno));
  base_ = static_cast<std::byte*>(base);
}

Mapping Mapping::reserve(std::size_t bytes) {
  Mapping mapping;
  void* base = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    throw Error("cannot reserve " + std::to_string(bytes) + " bytes: " + std::strerror(errno));
  mapping.base_ = static_cast<std::byte*>(base);
  mapping.bytes_ = bytes;
  return mapping;
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Mapping::~Mapping() {
  if (base_) ::munmap(base_, bytes_);
}

// Room that cannot be accessed, the gap, the array, at most 63 bytes of gap, room that cannot be accessed.
GuardedArray::GuardedArray(std::size_t bytes)
    : memory_(Mapping::reserve(2 * guard_bytes + round_up(std::max<std::size_t>(bytes, 1), page()))),
      bytes_(bytes) {
  std::byte* first = memory_.data() + guard_bytes;
  std::byte* end = memory_.data() + memory_.size() - guard_bytes;
  if (::mprotect(first, static_cast<std::size_t>(end - first), PROT_READ | PROT_WRITE) != 0)
    throw Error("not enough memory for an array of the problem, " + std::to_string(bytes) +
                " bytes: ask for a smaller problem (--size)");
  data_ = end - round_up(bytes, alignment);
  std::fill(first, end, gap_pattern);
}

void GuardedArray::poison() const {
  std::memset(data_, static_cast<int>(poison_pattern), bytes_);
}

bool GuardedArray::intact() const {
  const std::byte* end = memory_.data() + memory_.size() - guard_bytes;
  const auto untouched = [](std::byte b) { return b == gap_pattern; };
  return std::all_of(static_cast<const std::byte*>(memory_.data() + guard_bytes),
                     static_cast<const std::byte*>(data_), untouched) &&
         std::all_of(static_cast<const std::byte*>(data_ + bytes_), end, untouched);
}

ProblemArrays::ProblemArrays(const protocol::Prepare& prepare, std::vector<Descriptor> memory,
                             Backend& backend)
    : table_(prepare.array, prepare.array + prepare.arrays),
      resident_(prepare.resident != 0),
      backend_(backend),
      pointers_(prepare.arrays, nullptr),
      kept_(prepare.arrays, nullptr) {
  if (memory.size() != 2) throw Error("the judge sent no memory with the problem");
  inputs_ = Mapping(memory[0].get(), prepare.input_bytes, false);
  outputs_ = Mapping(memory[1].get(), prepare.output_bytes, true);
  std::size_t bytes = 0;  // of arrays that are not the judge's memory
  for (const protocol::Array& array : table_) {
    const Role role = static_cast<Role>(array.role);
    if (array.present) bytes += array.bytes * (resident_ ? 1 + is_output(role) : role != Role::in);
  }
  allow_arrays(bytes);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const protocol::Array& array = table_[i];
    own_.emplace_back();
    if (!array.present) continue;
    if (resident_) {
      pointers_[i] = backend_.allocate(array.bytes);
      if (is_output(static_cast<Role>(array.role))) kept_[i] = backend_.allocate(array.bytes);
    } else if (static_cast<Role>(array.role) == Role::in) {
      pointers_[i] = inputs_.data() + array.input_offset;
    } else {
      own_[i] = std::make_unique<GuardedArray>(array.bytes);
      own_[i]->poison();
      pointers_[i] = own_[i]->data();
    }
  }
}

ProblemArrays::~ProblemArrays() {
  for (const auto* list : {&pointers_, &kept_})
    for (void* pointer : *list)
      if (resident_ && pointer) backend_.release(pointer);
}

void ProblemArrays::refresh() {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const protocol::Array& array = table_[i];
    // Work space is as large as the problem, and what an earlier call left there is as bad as any pattern.
    if (!array.present || static_cast<Role>(array.role) == Role::work) continue;
    const bool has_input = is_input(static_cast<Role>(array.role));
    if (resident_) {
      const std::vector<std::byte> poison(has_input ? 0 : array.bytes, poison_pattern);
      backend_.upload(pointers_[i], has_input ? inputs_.data() + array.input_offset : poison.data(),
                      array.bytes);
    } else if (own_[i] && has_input) {
      std::memcpy(own_[i]->data(), inputs_.data() + array.input_offset, array.bytes);
    } else if (own_[i]) {
      own_[i]->poison();
    }
  }
  if (resident_) backend_.synchronize();
}

void ProblemArrays::snapshot() {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const protocol::Array& array = table_[i];
    if (kept_[i])
      backend_.copy(kept_[i], pointers_[i], array.bytes);
    else if (own_[i] && is_output(static_cast<Role>(array.role)))
      std::memcpy(outputs_.data() + array.output_offset, own_[i]->data(), array.bytes);
  }
  if (resident_) backend_.synchronize();
}

void ProblemArrays::hand_over() {
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (kept_[i]) backend_.download(outputs_.data() + table_[i].output_offset, kept_[i], table_[i].bytes);
}

std::string ProblemArrays::damage() const {
  for (std::size_t i = 0; i < own_.size(); ++i)
    if (own_[i] && !own_[i]->intact())
      return "the step wrote next to array " + std::to_string(i + 1) + " of its problem, outside of its " +
             std::to_string(table_[i].bytes) +
             " bytes: compare the loop bounds with the array's shape in the contract";
  return "";
}

std::string ProblemArrays::describe(const void* address) const {
  if (inputs_.contains(address))
    return "wrote to an input of the problem (inputs are read-only: copy what you need to change)";
  for (std::size_t i = 0; i < own_.size(); ++i)
    if (own_[i] && own_[i]->guards(address)) {
      const long long offset = static_cast<const std::byte*>(address) - own_[i]->data();
      return "touched byte " + std::to_string(offset) + " of array " + std::to_string(i + 1) +
             " of the problem, which has " + std::to_string(table_[i].bytes) +
             " bytes: an index is out of range";
    }
  return "";
}

}  // namespace ladder
