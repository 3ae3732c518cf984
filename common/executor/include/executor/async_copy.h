#pragma once
/// @file
/// Copies that end later than they begin: the source is read at once, the destination is written when the
/// thread waits. Code that does not wait reads old data, as on a GPU.

#include <stddef.h>
#include <stdint.h>

#include "executor/keywords.h"
#include "executor/threads.h"

namespace ladder::executor {

/// At most 16 bytes in flight.
struct AsyncCopy {
  void* to;
  unsigned bytes;
  unsigned group;       ///< 1, 2, ...: of what batch; 0 until it is committed
  const void* barrier;  ///< whose arrival ends it; null for batches
  uint64_t data[2];
};

void add_async_copy(const AsyncCopy& copy);
/// Makes a batch of what was begun since the last one, also of nothing. @return its number
unsigned commit_async_copies();
unsigned committed_async_copies();
/// The next copy that belongs to batches up to `last`. @return whether there was one
bool take_async_copy(unsigned last, AsyncCopy* copy);
/// The next copy that belongs to the barrier.
bool take_async_copy(const void* barrier, AsyncCopy* copy);

// What touches the program's memory is inlined where it is observed: accesses belong to the program's line.

template <class Word>
LADDER_EXECUTOR_INLINE bool read_piece(AsyncCopy& copy, const char* from, size_t bytes) {
  const auto misaligned =
      (reinterpret_cast<uintptr_t>(copy.to) | reinterpret_cast<uintptr_t>(from)) % alignof(Word);
  if (bytes < sizeof(Word) || misaligned) return false;
  const Word word = *reinterpret_cast<const Word*>(from);
  __builtin_memcpy(copy.data, &word, sizeof word);
  copy.bytes = sizeof word;
  return true;
}

template <class Word>
LADDER_EXECUTOR_INLINE void write_piece(const AsyncCopy& copy) {
  Word word;
  __builtin_memcpy(&word, copy.data, sizeof word);
  *static_cast<Word*>(copy.to) = word;
}

struct alignas(16) SixteenBytes {
  uint64_t low, high;
};

/// Begins to copy. @param barrier null, or whose arrival ends it
LADDER_EXECUTOR_INLINE void begin_async_copy(void* to, const void* from, size_t bytes,
                                             const void* barrier = nullptr) {
  for (size_t done = 0; done < bytes;) {
    AsyncCopy copy{static_cast<char*>(to) + done, 0, 0, barrier, {}};
    const char* source = static_cast<const char*>(from) + done;
    const size_t rest = bytes - done;
    static_cast<void>(read_piece<SixteenBytes>(copy, source, rest) ||
                      read_piece<uint64_t>(copy, source, rest) || read_piece<uint32_t>(copy, source, rest) ||
                      read_piece<uint16_t>(copy, source, rest) || read_piece<uint8_t>(copy, source, rest));
    observe_async_copy(copy.to, copy.bytes, copy.data);
    add_async_copy(copy);
    done += copy.bytes;
  }
}

LADDER_EXECUTOR_INLINE void end_async_copy(const AsyncCopy& copy) {
  switch (copy.bytes) {
    case 16:
      return write_piece<SixteenBytes>(copy);
    case 8:
      return write_piece<uint64_t>(copy);
    case 4:
      return write_piece<uint32_t>(copy);
    case 2:
      return write_piece<uint16_t>(copy);
    default:
      return write_piece<uint8_t>(copy);
  }
}

/// Ends the batches up to number `last`.
LADDER_EXECUTOR_INLINE void end_async_copies(unsigned last) {
  AsyncCopy copy;
  while (take_async_copy(last, &copy)) end_async_copy(copy);
}
/// Ends all batches but the last `pending`.
LADDER_EXECUTOR_INLINE void end_async_copies_but(unsigned pending) {
  const unsigned committed = committed_async_copies();
  if (committed > pending) end_async_copies(committed - pending);
}
/// Ends what the thread has begun for the barrier.
LADDER_EXECUTOR_INLINE void end_async_copies_of(const void* barrier) {
  AsyncCopy copy;
  while (take_async_copy(barrier, &copy)) end_async_copy(copy);
}

}  // namespace ladder::executor
