#pragma once
/// @file
/// What the threads of a kernel did: logged by the hooks as cheaply as possible, read by the replay.

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/executor/observe/counters/request.hpp"
#include "common/executor/observe/definedness/undo_log.hpp"

namespace ladder::executor {

/// One entry of a log. Accesses are followed by the address (of reads with a bit above it for each byte that
/// nobody may have written); stores, copies, atomics also by a value (see Request::value).
using Word = std::uint64_t;

enum class Kind : std::uint8_t {
  block,    ///< a basic block begins
  branch,   ///< a comparison; the end of its block when the next entry is another block
  call,     ///< a function that was not inlined begins
  leave,    ///< ends
  meeting,  ///< lanes of the warp have met
  fence,
  load,         // from here on with an address
  store,        // from here on with an address and a value
  copy,         ///< an asynchronous copy is issued
  atomic_load,  ///< the value is not used
  atomic_store,
  atomic,
};

constexpr Word volatile_access = Word{1} << 48;
/// Of a process of x86-64 or aarch64; above it are the 16 bytes of a read.
constexpr unsigned address_bits = 48;
constexpr Word address_of(Word word) {
  return word & ((Word{1} << address_bits) - 1);
}

/// Atomics and fences: the bits of ladder::executor::ordering (threads.h).
constexpr unsigned ordering_shift = 49;
constexpr Word ordering_bits(unsigned ordering) {
  return Word{ordering} << ordering_shift;
}
constexpr std::uint8_t ordering_of(Word word) {
  return static_cast<std::uint8_t>(word >> ordering_shift & 63);
}

constexpr Word entry(Kind kind, std::uint32_t code, unsigned size = 0) {
  return code | Word{static_cast<std::uint8_t>(kind)} << 32 | Word{size} << 40;
}
constexpr Kind kind_of(Word word) {
  return static_cast<Kind>(word >> 32 & 0xFF);
}
constexpr std::uint32_t code_of(Word word) {
  return static_cast<std::uint32_t>(word);
}
constexpr unsigned size_of(Word word) {
  return static_cast<unsigned>(word >> 40 & 0xFF);
}
constexpr std::size_t words_of(Kind kind) {
  return kind >= Kind::store ? 3 : kind == Kind::load ? 2 : 1;
}

constexpr bool is_read(Kind kind) {
  return kind == Kind::load || kind == Kind::atomic_load || kind == Kind::atomic;
}

/// What a store or a copy writes, as one word.
constexpr Word value_of(Word low, Word high) {
  return low ^ high * 0x9E3779B97F4A7C15u;
}

/// The value of an atomic: its number, and whether it is an exchange that has changed what was there.
constexpr Word numbered(std::uint64_t number) {
  return number << 1;
}
constexpr Word changed_value = 1;

/// The log of one thread since its warp was last replayed.
struct LaneLog {
  Word *begin = nullptr, *next = nullptr, *end = nullptr;
};

/// The log that a CPU thread writes to while a thread of a kernel runs on it.
///
/// `next` is null while nothing is observed: the host's program, and blocks that are left out.
struct Recorder {
  Word* next = nullptr;
  Word* limit = nullptr;  ///< the log must be enlarged when `next` reaches it; one entry still fits after it
  Word* open_store = nullptr;       ///< the last store, whose value is not there yet
  UndoLog* undo_log = nullptr;      ///< what the block overwrites, outside of its shared memory
  const char* stack_end = nullptr;  ///< of the running thread's stack
  bool in_hook = false;             ///< the program's own functions may be instrumented

  /// The object that an access site accessed last: most access the same again.
  struct Place {
    const char *begin = nullptr, *end = nullptr;
    const Object* object = nullptr;
    bool observed = false;
  };
  std::array<Place, 512> places{};
  std::array<Place*, 32> set_places{};  ///< since they were forgotten: a block has few, and must begin fast
  std::size_t sets = 0;                 ///< more than set_places has room for: any may be set
  Place& place(std::uint32_t code) { return places[code * 0x9E3779B1u >> 23]; }
  void set(Place& place, const Place& value) {
    if (sets < set_places.size()) set_places[sets] = &place;
    ++sets;
    place = value;
  }
  void forget_places() {
    if (sets > set_places.size())
      places.fill({});
    else
      for (std::size_t i = 0; i < sets; ++i) *set_places[i] = {};
    sets = 0;
  }
};

extern thread_local constinit Recorder recorder;

/// Makes space in the log of the running thread, or lets others run first when its log is long.
/// @return false when the block is no longer observed
bool make_room();

/// Writes the value of the last store into the log: the thread is about to write again, or stops.
void close_store(Recorder& recorder);

/// A thread of a kernel touches that object, perhaps not for the first time.
void note_object(const Object& object);

/// The next number in the order of atomics of the process.
std::uint64_t next_in_order();

/// Whether accesses to such objects are logged.
constexpr bool observed(Space space) {
  return space == Space::global || space == Space::shared || space == Space::host;
}

}  // namespace ladder::executor
