#pragma once
/// @file
/// Stacks that a thread of the machine switches between: one for each thread of a kernel that has to wait.

#include <cstddef>

namespace ladder::executor {

/// A stack and where it was left. It lies at the top of its own stack, beside the frames that a switch touches anyway.
struct Fiber {
  void* stack_pointer;  ///< while it is not running
  char* stack;          ///< lowest usable byte; a guard page lies below
  const void* wait;     ///< what it waits for; lies on this stack
};

/// Bytes of a fiber's stack, without its guard page. Who observes gets more: what it finds is put into words there.
std::size_t stack_bytes();

using FiberEntry = void (*)();

/// A fiber that starts in `entry`, which never returns. Stacks are reused. Never null: no memory is a fatal error.
Fiber* take_fiber(FiberEntry entry);
/// The fiber starts anew in `entry` when it is switched to; it may be the one that runs.
void restart_fiber(Fiber* fiber, FiberEntry entry);
/// Hands back a fiber that will not be continued.
void give_fiber(Fiber* fiber);

/// Whether the address lies in the stack of any kernel thread.
bool in_a_stack(const void* address);

/// Leaves the current stack in *save and goes on where `to` was left.
extern "C" void ladder_executor_switch(void** save, void* to);

}  // namespace ladder::executor
