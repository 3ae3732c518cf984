#pragma once
/// @file
/// Stacks that a thread of the machine switches between: one for each thread of a kernel that has to wait.

#include <cstddef>

namespace ladder::executor {

/// A stack and where it was left. It lies at the top of its own stack, next to the frames that a switch
/// touches anyway.
struct Fiber {
  void* stack_pointer;  ///< while it is not running
  char* stack;          ///< lowest usable byte; a guard page lies below
  const void* wait;     ///< what it waits for; lies on this stack
  std::size_t bytes;    ///< of the stack
  void* fake_frames;    ///< AddressSanitizer's, while it is not running
};

/// Bytes of a fiber's stack, without its guard page. An observer needs more: its findings are put into words
/// there.
std::size_t stack_bytes();

using FiberEntry = void (*)();

/// A fiber that starts in `entry`, which calls announce_arrival(nullptr) and never returns. Stacks are
/// reused. Never null: no memory is a fatal error.
Fiber* take_fiber(FiberEntry entry);
/// The fiber restarts in `entry` when it is switched to; it may be the one that runs.
void restart_fiber(Fiber* fiber, FiberEntry entry);
/// Hands back a fiber that will not be continued.
void give_fiber(Fiber* fiber);

/// Whether the address lies in the stack of any kernel thread.
bool in_a_stack(const void* address);

/// Leaves the current stack in *save and goes on where `to` was left.
extern "C" void ladder_executor_switch(void** save, void* to);

// AddressSanitizer has to know which stack runs: it keeps its own record of what may be accessed there.
#if defined(__SANITIZE_ADDRESS__)
/// @param frames  where it keeps its frames of the stack that is left; null: nobody comes back
void announce_switch(void** frames, const Fiber& to);
/// @param frames  what it kept; null: the stack begins
void announce_arrival(void* frames);
/// The stack of the thread that calls, which is no fiber's.
Fiber first_stack();
#else
inline void announce_switch(void**, const Fiber&) {}
inline void announce_arrival(void*) {}
inline Fiber first_stack() {
  return {};
}
#endif

/// Leaves the stack of `from`, which runs, and goes on where `to` was left.
inline void switch_fiber(Fiber* from, Fiber* to) {
  announce_switch(&from->fake_frames, *to);
  ladder_executor_switch(&from->stack_pointer, to->stack_pointer);
  announce_arrival(from->fake_frames);
}

/// Leaves a stack that nobody comes back to, and goes on where `to` was left.
[[noreturn]] inline void leave_for(Fiber* to) {
  void* never_continued = nullptr;
  announce_switch(nullptr, *to);
  ladder_executor_switch(&never_continued, to->stack_pointer);
  __builtin_unreachable();
}

}  // namespace ladder::executor
