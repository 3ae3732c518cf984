#include "common/judge/worker/arrays.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>

#include "common/lesson/lesson.hpp"

// AddressSanitizer's functions, in workers that have it: it then reports an access to a gap at its line.
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* begin, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin, std::size_t bytes);
// OpenBLAS', in workers that have it.
[[gnu::weak]] int openblas_get_num_threads();
}

namespace ladder {
namespace {

constexpr std::size_t guard_bytes = 1 << 20;  // an index that is off by a row or two still ends here
constexpr std::byte gap_pattern{0xA5};

void forbid(const std::byte* begin, const std::byte* end) {
  if (__asan_poison_memory_region && begin < end)
    __asan_poison_memory_region(begin, static_cast<std::size_t>(end - begin));
}

void allow(const std::byte* begin, const std::byte* end) {
  if (__asan_unpoison_memory_region && begin < end)
    __asan_unpoison_memory_region(begin, static_cast<std::size_t>(end - begin));
}

/// A text that lives to the end, one copy of each: messages may need it at any time.
const char* lasting(const std::string& text) {
  static std::set<std::string>& texts = *new std::set<std::string>;
  return texts.insert(text).first->c_str();
}

/// Data that threads take before the step allocates any: their stacks, and OpenBLAS' buffers, one for each
/// thread that calls it (`BUFFER_SIZE` of its sources). OpenBLAS waits forever for one that it does not get.
std::size_t bytes_of_threads() {
  constexpr std::size_t stack = std::size_t{8} << 20, buffer = std::size_t{128} << 20;
  const char* const team = std::getenv("OMP_NUM_THREADS");
  const std::size_t threads =
      std::max(team ? std::strtoul(team, nullptr, 10) : 0, std::size_t{std::thread::hardware_concurrency()});
  return threads * (stack + (openblas_get_num_threads ? buffer : 0));
}

/// The limit on data is for what the step allocates: the arrays of its problem come on top, and what its
/// threads take.
void allow_arrays(std::size_t bytes) {
  static const rlimit of_the_step = [] {
    rlimit bound{};
    ::getrlimit(RLIMIT_DATA, &bound);
    return bound;
  }();
  if (of_the_step.rlim_cur == RLIM_INFINITY) return;
  static const std::size_t of_threads = bytes_of_threads();
  const rlimit bound{std::min<rlim_t>(of_the_step.rlim_cur + of_threads + bytes, of_the_step.rlim_max),
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

// The layout: a guard region without access, the gap, the array, at most 63 bytes of gap, a guard region
// without access.
GuardedArray::GuardedArray(std::size_t bytes, int shared, std::size_t offset)
    : memory_(Mapping::reserve(2 * guard_bytes + protocol::room_of(bytes))), bytes_(bytes) {
  std::byte* first = memory_.data() + guard_bytes;
  const std::size_t room = protocol::room_of(bytes);
  const bool there = shared < 0
                         ? ::mprotect(first, room, PROT_READ | PROT_WRITE) == 0
                         : ::mmap(first, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                                  shared, static_cast<off_t>(offset)) != MAP_FAILED;
  if (!there)
    throw Error("not enough memory for an array of the problem, " + std::to_string(bytes) +
                " bytes: ask for a smaller problem (--size)");
  data_ = first + protocol::begin_in_room(bytes);
  fill_gaps();
}

GuardedArray::~GuardedArray() {
  allow(memory_.data(), memory_.data() + memory_.size());
}

void GuardedArray::fill_gaps() const {
  std::byte* const first = memory_.data() + guard_bytes;
  std::byte* const end = memory_.data() + memory_.size() - guard_bytes;
  allow(first, end);
  std::fill(first, data_, gap_pattern);
  std::fill(data_ + bytes_, end, gap_pattern);
  forbid(first, data_);
  forbid(data_ + bytes_, end);
}

void GuardedArray::poison() const {
  std::memset(data_, static_cast<int>(protocol::poison), bytes_);
}

bool GuardedArray::intact() const {
  const std::byte* end = memory_.data() + memory_.size() - guard_bytes;
  const auto untouched = [](std::byte b) { return b == gap_pattern; };
  return std::all_of(static_cast<const std::byte*>(memory_.data() + guard_bytes),
                     static_cast<const std::byte*>(data_), untouched) &&
         std::all_of(static_cast<const std::byte*>(data_ + bytes_), end, untouched);
}

ProblemArrays::ProblemArrays(const protocol::Prepare& prepare, std::vector<ArrayName> names,
                             std::vector<Descriptor> memory, Backend& backend)
    : table_(prepare.array, prepare.array + prepare.arrays),
      names_(std::move(names)),
      resident_(prepare.resident != 0),
      backend_(backend),
      pointers_(prepare.arrays, nullptr),
      memory_(prepare.arrays, nullptr),
      kept_(prepare.arrays, nullptr) {
  if (memory.size() != 2) throw Error("the judge sent no memory with the problem");
  if (names_.size() != table_.size())
    throw Error("judge and worker were built from different contracts: build again");
  inputs_ = Mapping(memory[0].get(), prepare.input_bytes, false);
  std::size_t bytes = 0;  // of arrays outside the judge's memory
  bool any_on_device = false;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const Role role = static_cast<Role>(table_[i].role);
    any_on_device = any_on_device || is_on_device(i);
    if (table_[i].present)
      bytes += table_[i].bytes * (is_on_device(i) ? 1 + is_output(role) : role == Role::work);
  }
  if (any_on_device) outputs_ = Mapping(memory[1].get(), prepare.output_bytes, true);
  allow_arrays(bytes);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const protocol::Array& array = table_[i];
    const Role role = static_cast<Role>(array.role);
    guarded_.emplace_back();
    if (!array.present) continue;
    if (is_on_device(i)) {
      const std::size_t ahead = backend_.gives_addresses() ? prepare.offset * names_[i].element_bytes : 0;
      memory_[i] = backend_.allocate(ahead + array.bytes, lasting(name_and_size(i)));
      pointers_[i] = static_cast<std::byte*>(memory_[i]) + ahead;
      if (is_output(role))
        kept_[i] =
            backend_.allocate(array.bytes, lasting(names_[i].name + std::string(" as the judge keeps it")));
    } else if (role == Role::in) {
      std::byte* const first = inputs_.data() + array.input_offset;
      pointers_[i] = first;
      forbid(first + array.bytes, first + protocol::room_of(array.bytes));
    } else {
      guarded_[i] = is_output(role)
                        ? std::make_unique<GuardedArray>(array.bytes, memory[1].get(), array.output_offset)
                        : std::make_unique<GuardedArray>(array.bytes);
      if (role == Role::work) guarded_[i]->poison();
      pointers_[i] = guarded_[i]->data();
    }
  }
}

ProblemArrays::~ProblemArrays() {
  allow(inputs_.data(), inputs_.data() + inputs_.size());
  for (const auto* list : {&memory_, &kept_})
    for (void* pointer : *list)
      if (pointer) backend_.release(pointer);
}

// A processor's program that has such a problem, too, gets an array of the host: a baseline, a library.
bool ProblemArrays::is_on_device(std::size_t array) const {
  const bool asked = static_cast<Role>(table_[array].role) == Role::out_on_device;
  return resident_ || (asked && backend_.gives_addresses());
}

void ProblemArrays::refresh(std::byte poison, bool unread) {
  filling_ = poison;
  const bool stays = unread && on_device_;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const protocol::Array& array = table_[i];
    // Workspace is as large as the problem, and the contents that an earlier call left there serve as well as
    // a pattern.
    if (!array.present || static_cast<Role>(array.role) == Role::work) continue;
    if (stays && static_cast<Role>(array.role) == Role::in) continue;
    const bool has_input = is_input(static_cast<Role>(array.role));
    if (is_on_device(i) && has_input) {
      backend_.upload(pointers_[i], inputs_.data() + array.input_offset, array.bytes);
    } else if (is_on_device(i)) {
      backend_.fill(pointers_[i], poison, array.bytes);
    } else if (guarded_[i]) {  // the judge has filled it with NaN patterns
      guarded_[i]->fill_gaps();
      if (has_input) std::memcpy(guarded_[i]->data(), inputs_.data() + array.input_offset, array.bytes);
    }
  }
  if (outputs_.size() > 0) backend_.synchronize();
  on_device_ = resident_;
}

void ProblemArrays::each_input(const std::function<void(const void*, std::size_t)>& use) const {
  for (const protocol::Array& array : table_)
    if (array.present && is_input(static_cast<Role>(array.role)))
      use(inputs_.data() + array.input_offset, array.bytes);
}

void ProblemArrays::each_output(
    const std::function<void(const void*, const void*, char, std::size_t, std::size_t)>& use) const {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const protocol::Array& array = table_[i];
    const Role role = static_cast<Role>(array.role);
    if (!array.present || !is_output(role)) continue;
    const void* const before = is_input(role) ? inputs_.data() + array.input_offset : nullptr;
    use(pointers_[i], before, static_cast<char>(filling_), array.bytes, names_[i].element_bytes);
  }
}

void ProblemArrays::snapshot() {
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (kept_[i]) backend_.copy(kept_[i], pointers_[i], table_[i].bytes);
  if (outputs_.size() > 0) backend_.synchronize();
}

void ProblemArrays::hand_over() {
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (kept_[i])
      backend_.download(outputs_.data() + table_[i].output_offset + protocol::begin_in_room(table_[i].bytes),
                        kept_[i], table_[i].bytes);
}

std::string ProblemArrays::damage() const {
  for (std::size_t i = 0; i < guarded_.size(); ++i)
    if (guarded_[i] && !guarded_[i]->intact())
      return "the rung wrote next to " + size_text(i) +
             ": compare the loop bounds with the array's shape in the contract";
  return "";
}

std::string ProblemArrays::name_and_size(std::size_t array) const {
  const std::size_t count = table_[array].bytes / names_[array].element_bytes;
  const std::string plural = count == 1 || names_[array].element == std::string("unsigned") ? "" : "s";
  return std::string(names_[array].name) + " (" + std::to_string(count) + " " + names_[array].element +
         plural + ")";
}

std::string ProblemArrays::size_text(std::size_t array) const {
  const std::size_t count = table_[array].bytes / names_[array].element_bytes;
  return std::string(names_[array].name) + ", which has " + std::to_string(count) +
         (count == 1 ? " element" : " elements");
}

std::string ProblemArrays::element(std::size_t array, long long offset) const {
  const auto bytes = static_cast<long long>(names_[array].element_bytes);
  const long long index = offset / bytes - (offset % bytes < 0);
  const std::string text = names_[array].name + ("[" + std::to_string(index) + "]");
  const bool inside = index >= 0 && index < static_cast<long long>(table_[array].bytes) / bytes;
  return inside ? text : text + " of " + size_text(array);
}

std::string ProblemArrays::element_at(const void* address) const {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (is_on_device(i) || !pointers_[i]) continue;
    const std::byte* const first = static_cast<const std::byte*>(pointers_[i]);
    const long long offset = static_cast<const std::byte*>(address) - first;
    const bool within = offset >= 0 && offset < static_cast<long long>(protocol::room_of(table_[i].bytes));
    if (guarded_[i] ? guarded_[i]->guards(address) : within) return element(i, offset);
  }
  return "";
}

std::string ProblemArrays::describe(const void* address) const {
  const std::string what = element_at(address);
  if (inputs_.contains(address))
    return "wrote to " + (what.empty() ? "an input" : what) +
           " of the problem, an input (inputs are read-only: copy what you need to change)";
  return what.empty() ? "" : "touched " + what + ": an index is out of range";
}

}  // namespace ladder
