/// @file
/// The functions that -fsanitize=thread and -fsanitize-coverage call. No sanitizer is linked: these are the
/// only definitions.
///
/// A call comes before the access that it reports. Everything here runs for every access of every thread.

#define LADDER_EXECUTOR_OBSERVED 1  // observe_atomic() and observe_fence() are declared, not empty

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "common/executor/observe/addresses/address_lookup.hpp"
#include "common/executor/observe/comparisons.hpp"
#include "common/executor/observe/definedness/uninitialised_reads.hpp"
#include "common/executor/observe/log.hpp"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {

thread_local constinit Recorder recorder;

namespace {

/// The address at which the program was loaded. Nothing is observed before its constructors have run.
const std::uintptr_t base = program_base();

std::uint32_t code_at(const void* return_address) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(return_address) - base);
}

constexpr Operation access_of(Kind kind) {
  return kind == Kind::load || kind == Kind::atomic_load     ? Operation::load
         : kind == Kind::store || kind == Kind::atomic_store ? Operation::store
         : kind == Kind::copy                                ? Operation::copy
                                                             : Operation::atomic;
}

/// Whether an address lies in the frames of the running thread: its own variables.
bool own_variable(const void* address) {
  const auto* frame = static_cast<const char*>(__builtin_frame_address(0));
  return static_cast<std::size_t>(static_cast<const char*>(address) - frame) <
         static_cast<std::size_t>(recorder.stack_end - frame);
}

/// Finds the object at the address. Does not return when the kernel may not access it.
__attribute__((noinline)) bool find_place(Recorder::Place& place, const void* address, unsigned size,
                                          Kind kind, std::uint32_t code) {
  // Messages are made with functions that the program may have instrumented, too.
  if (recorder.in_hook) return false;
  recorder.in_hook = true;
  const Object* object = object_at(address, size, access_of(kind), code);
  recorder.in_hook = false;
  if (!object) return false;
  note_object(*object);
  recorder.set(place, {object->begin, object->end, object, observed(object->space)});
  return place.observed;
}

__attribute__((noinline)) void access_by_host(const void* address, std::size_t size, Kind kind,
                                              std::uint32_t code) {
  if (recorder.in_hook) return;
  recorder.in_hook = true;
  if (kind >= Kind::atomic_load)
    host_synchronises(address);
  else
    host_access(address, size, kind == Kind::store, code);
  recorder.in_hook = false;
}

/// Whether a byte of the access has the value that memory has before it is written: cheap, and mostly not so.
inline __attribute__((always_inline)) bool has_first_contents(const char* address, unsigned size) {
  Word words[2] = {};
  std::memcpy(words, address, size);
  constexpr Word ones = 0x0101010101010101u;
  const auto any = [](Word word) { return (~word - ones) & word & ones << 7; };  // a byte of ~word is zero
  return any(words[0]) | any(words[1]);
}

/// The object that an access is a part of, when the compiler reports it: for structures and copies.
struct Whole {
  const char* begin = nullptr;
  std::size_t bytes = 0;
  bool repeats = false;  ///< perhaps an array: of memcpy
};

__attribute__((noinline)) Word undefined_bits_at(const Recorder::Place& place, const char* address,
                                                 unsigned size, const Whole& integer) {
  if (recorder.in_hook) return 0;
  recorder.in_hook = true;
  const PartOfObject part{address, size, integer.begin ? integer.begin : address,
                          integer.begin ? integer.bytes : size, integer.repeats};
  const Word bytes = undefined_bytes(*place.object, part);
  recorder.in_hook = false;
  return bytes << address_bits;
}

template <Kind kind>
inline __attribute__((always_inline)) void access(const volatile void* where, unsigned size,
                                                  const void* return_address, Word flags = 0,
                                                  const Whole& integer = {}) {
  const auto* address = const_cast<const char*>(static_cast<const volatile char*>(where));
  if (!recorder.next) {
    if (check_host_accesses && !in_kernel()) access_by_host(address, size, kind, code_at(return_address));
    return;
  }
  if (own_variable(address)) return;
  const std::uint32_t code = code_at(return_address);
  Recorder::Place& place = recorder.place(code);
  const bool known = address >= place.begin && address + size <= place.end &&
                     (reinterpret_cast<std::uintptr_t>(address) & (size > 8 ? 7 : size - 1)) == 0;
  if (!(known ? place.observed : find_place(place, address, size, kind, code))) return;
  if constexpr (kind == Kind::store || kind > Kind::atomic_load)
    if (recorder.undo_log && place.object->space != Space::shared) recorder.undo_log->add(address, size);
  Word undefined = 0;
  if constexpr (is_read(kind))
    if (has_first_contents(address, size)) undefined = undefined_bits_at(place, address, size, integer);
  if (recorder.next >= recorder.limit && !make_room()) return;
  if constexpr (kind >= Kind::store)
    if (recorder.open_store) close_store(recorder);
  Word* const log = recorder.next;
  log[0] = entry(kind, code, size) | flags;
  log[1] = reinterpret_cast<std::uintptr_t>(address) | undefined;
  if constexpr (kind == Kind::store) recorder.open_store = log;
  if constexpr (kind >= Kind::atomic_load) log[2] = numbered(next_in_order());
  recorder.next = log + words_of(kind);
}

/// Structures other than vectors are accessed in parts, as on a GPU. The compiler gives only sizes: a
/// structure of 8 or 16 bytes comes here when it is aligned to less, one of 12 or 24 has an alignment that
/// divides its size.
template <Kind kind>
void range(const void* begin, std::size_t bytes, const void* return_address, bool repeats = false) {
  if (!recorder.next) {
    if (check_host_accesses && !in_kernel()) access_by_host(begin, bytes, kind, code_at(return_address));
    return;
  }
  const auto* at = static_cast<const char*>(begin);
  std::size_t piece = std::min<std::size_t>(bytes & -bytes, 16);
  if (bytes == piece) piece = std::max<std::size_t>(1, std::min<std::size_t>(bytes / 2, 4));
  while (reinterpret_cast<std::uintptr_t>(at) % piece != 0) piece /= 2;
  for (const char* const end = at + bytes; at < end; at += piece)
    access<kind>(at, static_cast<unsigned>(piece), return_address, 0,
                 {static_cast<const char*>(begin), bytes, repeats});
}

inline void note(Kind kind, const void* return_address, Word flags = 0) {
  if (!recorder.next) return;
  if (recorder.next >= recorder.limit && !make_room()) return;
  *recorder.next++ = entry(kind, code_at(return_address)) | flags;
}

/// The number of the last exchange in its log, while its thread has logged nothing else; null when it is not
/// logged.
thread_local constinit Word* last_exchange = nullptr;

template <Kind kind>
inline __attribute__((always_inline)) void atomic(const volatile void* address, unsigned bytes,
                                                  const void* return_address, unsigned ordering) {
  const Word* const before = recorder.next;
  access<kind>(address, bytes, return_address, ordering_bits(ordering));
  last_exchange = recorder.next && recorder.next != before ? recorder.next - 1 : nullptr;
}

constexpr unsigned compare_and_swap_bits = ordering::exchanges | ordering::compares;

/// std::atomic and __atomic_* of the student's source.
template <Kind kind>
inline __attribute__((always_inline)) void atomic_hook(const volatile void* address, unsigned bytes,
                                                       const void* return_address, int memory_order,
                                                       unsigned exchanges = 0) {
  const bool acquires = memory_order != __ATOMIC_RELAXED && memory_order != __ATOMIC_RELEASE;
  const bool releases = memory_order >= __ATOMIC_RELEASE;
  atomic<kind>(address, bytes, return_address,
               (acquires && kind != Kind::atomic_store ? ordering::acquires : 0) |
                   (releases && kind != Kind::atomic_load ? ordering::releases : 0) | exchanges);
}

void fence(const void* return_address, unsigned ordering) {
  if (recorder.open_store) close_store(recorder);
  note(Kind::fence, return_address, ordering_bits(ordering));
}

template <class T>
inline void compare(const void* return_address, T a, T b) {
  note(Kind::branch, return_address);
  // Also when so much was recorded that nothing more is: a loop that does not end gets that far.
  if (!recorder.next && !in_kernel()) return;
  std::uint64_t bits_a = 0, bits_b = 0;
  std::memcpy(&bits_a, &a, sizeof a);
  std::memcpy(&bits_b, &b, sizeof b);
  using Type = Comparisons::Type;
  comparisons.note(code_at(return_address), bits_a, bits_b,
                   std::is_integral_v<T> ? Type::integer
                   : sizeof a == 4       ? Type::float32
                                         : Type::float64,
                   sizeof a);
}

}  // namespace

void close_store(Recorder& r) {
  const Word* const log = r.open_store;
  r.open_store = nullptr;
  if (!log) return;
  const auto* memory = reinterpret_cast<const char*>(log[1]);
  Word value[2] = {};
  std::memcpy(value, memory, size_of(log[0]));
  const_cast<Word*>(log)[2] = value_of(value[0], value[1]);
}

// What atomics.h and threads.h call; inline in the student's functions, so that the return address is theirs.
void observe_atomic(const volatile void* address, unsigned bytes, unsigned ordering) {
  atomic<Kind::atomic>(address, bytes, __builtin_return_address(0), ordering);
}
void observe_atomic_load(const volatile void* address, unsigned bytes, unsigned ordering) {
  atomic<Kind::atomic_load>(address, bytes, __builtin_return_address(0), ordering);
}
void observe_atomic_store(volatile void* address, unsigned bytes, unsigned ordering) {
  atomic<Kind::atomic_store>(address, bytes, __builtin_return_address(0), ordering);
}
void observe_change(bool changed) {
  if (changed && last_exchange) *last_exchange |= changed_value;
}
void observe_async_copy(void* to, unsigned bytes, const uint64_t* data) {
  const Word* const before = recorder.next;
  access<Kind::copy>(to, bytes, __builtin_return_address(0));
  // The log may have grown elsewhere; the entry is the last one, if there is one.
  if (recorder.next && recorder.next != before) recorder.next[-1] = value_of(data[0], data[1]);
}
void observe_fence(unsigned ordering) {
  fence(__builtin_return_address(0), ordering);
}

}  // namespace ladder::executor

using namespace ladder::executor;

#define CALLER __builtin_return_address(0)

extern "C" {

#define ACCESS_HOOKS(SIZE)                                 \
  void __tsan_read##SIZE(void* p) {                        \
    access<Kind::load>(p, SIZE, CALLER);                   \
  }                                                        \
  void __tsan_write##SIZE(void* p) {                       \
    access<Kind::store>(p, SIZE, CALLER);                  \
  }                                                        \
  void __tsan_unaligned_read##SIZE(void* p) {              \
    range<Kind::load>(p, SIZE, CALLER);                    \
  }                                                        \
  void __tsan_unaligned_write##SIZE(void* p) {             \
    range<Kind::store>(p, SIZE, CALLER);                   \
  }                                                        \
  void __tsan_volatile_read##SIZE(void* p) {               \
    access<Kind::load>(p, SIZE, CALLER, volatile_access);  \
  }                                                        \
  void __tsan_volatile_write##SIZE(void* p) {              \
    access<Kind::store>(p, SIZE, CALLER, volatile_access); \
  }                                                        \
  void __tsan_unaligned_volatile_read##SIZE(void* p) {     \
    range<Kind::load>(p, SIZE, CALLER);                    \
  }                                                        \
  void __tsan_unaligned_volatile_write##SIZE(void* p) {    \
    range<Kind::store>(p, SIZE, CALLER);                   \
  }                                                        \
  void __tsan_read_write##SIZE(void* p) {                  \
    access<Kind::load>(p, SIZE, CALLER);                   \
    access<Kind::store>(p, SIZE, CALLER);                  \
  }
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

void __tsan_read_range(void* p, unsigned long bytes) {
  range<Kind::load>(p, bytes, CALLER);
}
void __tsan_write_range(void* p, unsigned long bytes) {
  range<Kind::store>(p, bytes, CALLER);
}
void __tsan_vptr_read(void** p) {
  access<Kind::load>(p, sizeof *p, CALLER);
}
void __tsan_vptr_update(void** p, void*) {
  access<Kind::store>(p, sizeof *p, CALLER);
}
void __tsan_init() {}
void __tsan_func_entry(void*) {
  note(Kind::call, CALLER);
}
void __tsan_func_exit() {
  note(Kind::leave, CALLER);
}

void __sanitizer_cov_trace_pc() {
  note(Kind::block, CALLER);
}
#define COMPARISON_HOOKS(SUFFIX, TYPE)                     \
  void __sanitizer_cov_trace_cmp##SUFFIX(TYPE a, TYPE b) { \
    compare(CALLER, a, b);                                 \
  }
COMPARISON_HOOKS(1, std::uint8_t)
COMPARISON_HOOKS(2, std::uint16_t)
COMPARISON_HOOKS(4, std::uint32_t)
COMPARISON_HOOKS(8, std::uint64_t)
COMPARISON_HOOKS(f, float)
COMPARISON_HOOKS(d, double)
#define CONSTANT_COMPARISON_HOOKS(SUFFIX, TYPE)                             \
  void __sanitizer_cov_trace_const_cmp##SUFFIX(TYPE constant, TYPE value) { \
    compare(CALLER, value, constant);                                       \
  }
CONSTANT_COMPARISON_HOOKS(1, std::uint8_t)
CONSTANT_COMPARISON_HOOKS(2, std::uint16_t)
CONSTANT_COMPARISON_HOOKS(4, std::uint32_t)
CONSTANT_COMPARISON_HOOKS(8, std::uint64_t)
void __sanitizer_cov_trace_switch(std::uint64_t, std::uint64_t*) {
  note(Kind::branch, CALLER);
}

// std::atomic and __atomic_* of the student's source; every operation is done in the strongest memory order.
#define ATOMIC_FETCH(BITS, NAME)                                                             \
  std::uint##BITS##_t __tsan_atomic##BITS##_fetch_##NAME(volatile std::uint##BITS##_t* p,    \
                                                         std::uint##BITS##_t value, int o) { \
    atomic_hook<Kind::atomic>(p, BITS / 8, CALLER, o);                                       \
    return __atomic_fetch_##NAME(p, value, __ATOMIC_SEQ_CST);                                \
  }
#define ATOMIC_EXCHANGE_IF(BITS, NAME)                                                              \
  int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile std::uint##BITS##_t* p,                \
                                                    std::uint##BITS##_t* expected,                  \
                                                    std::uint##BITS##_t value, int o, int) {        \
    atomic_hook<Kind::atomic>(p, BITS / 8, CALLER, o, compare_and_swap_bits);                       \
    const std::uint##BITS##_t compared = *expected;                                                 \
    const bool same =                                                                               \
        __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    observe_change(compared != value && same);                                                      \
    return same;                                                                                    \
  }
#define ATOMIC_HOOKS(BITS)                                                                                \
  std::uint##BITS##_t __tsan_atomic##BITS##_load(const volatile std::uint##BITS##_t* p, int o) {          \
    atomic_hook<Kind::atomic_load>(p, BITS / 8, CALLER, o);                                               \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                          \
  }                                                                                                       \
  void __tsan_atomic##BITS##_store(volatile std::uint##BITS##_t* p, std::uint##BITS##_t value, int o) {   \
    atomic_hook<Kind::atomic_store>(p, BITS / 8, CALLER, o);                                              \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                         \
  }                                                                                                       \
  std::uint##BITS##_t __tsan_atomic##BITS##_exchange(volatile std::uint##BITS##_t* p,                     \
                                                     std::uint##BITS##_t value, int o) {                  \
    atomic_hook<Kind::atomic>(p, BITS / 8, CALLER, o, ordering::exchanges);                               \
    const std::uint##BITS##_t before = __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                   \
    observe_change(before != value);                                                                      \
    return before;                                                                                        \
  }                                                                                                       \
  std::uint##BITS##_t __tsan_atomic##BITS##_compare_exchange_val(volatile std::uint##BITS##_t* p,         \
                                                                 std::uint##BITS##_t expected,            \
                                                                 std::uint##BITS##_t value, int o, int) { \
    atomic_hook<Kind::atomic>(p, BITS / 8, CALLER, o, compare_and_swap_bits);                             \
    const std::uint##BITS##_t compared = expected;                                                        \
    const bool same =                                                                                     \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
    observe_change(compared != value && same);                                                            \
    return expected;                                                                                      \
  }                                                                                                       \
  ATOMIC_EXCHANGE_IF(BITS, strong)                                                                        \
  ATOMIC_EXCHANGE_IF(BITS, weak)                                                                          \
  ATOMIC_FETCH(BITS, add)                                                                                 \
  ATOMIC_FETCH(BITS, sub)                                                                                 \
  ATOMIC_FETCH(BITS, and)                                                                                 \
  ATOMIC_FETCH(BITS, or)                                                                                  \
  ATOMIC_FETCH(BITS, xor)                                                                                 \
  ATOMIC_FETCH(BITS, nand)
ATOMIC_HOOKS(8)
ATOMIC_HOOKS(16)
ATOMIC_HOOKS(32)
ATOMIC_HOOKS(64)

// The C library's functions, as observed.h calls them.
void* ladder_observed_memcpy(void* to, const void* from, unsigned long bytes) {
  range<Kind::load>(from, bytes, CALLER, true);
  range<Kind::store>(to, bytes, CALLER);
  return std::memcpy(to, from, bytes);
}
void* ladder_observed_memmove(void* to, const void* from, unsigned long bytes) {
  range<Kind::load>(from, bytes, CALLER, true);
  range<Kind::store>(to, bytes, CALLER);
  return std::memmove(to, from, bytes);
}
void* ladder_observed_memset(void* to, int value, unsigned long bytes) {
  range<Kind::store>(to, bytes, CALLER);
  return std::memset(to, value, bytes);
}

void __tsan_atomic_thread_fence(int) {
  fence(CALLER, 0);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
