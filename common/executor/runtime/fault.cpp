#include "common/executor/runtime/fault.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/base/process/call_line.hpp"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/recorder.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/schedule.hpp"
#include "common/executor/runtime/symbols.hpp"
#include "common/executor/runtime/thread_pool.hpp"

namespace ladder::executor {
namespace {

// Everything here may run while a lock of the C library is held: no allocation, no streams.

/// Text in a buffer of fixed size.
class Text {
 public:
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    va_list values;
    va_start(values, format);
    const int length = std::vsnprintf(buffer_ + used_, sizeof buffer_ - used_, format, values);
    va_end(values);
    if (length > 0) used_ = std::min(sizeof buffer_ - 1, used_ + static_cast<std::size_t>(length));
  }
  const char* str() const { return buffer_; }

 private:
  char buffer_[4096] = "";
  std::size_t used_ = 0;
};

/// Whether a line of source is the student's: not the executor's or the wrappers', not a system header.
bool is_students(const char* line) {
  for (const char* ours : {"common/executor/", "common/device/", "/usr/", "?"})
    if (std::strncmp(without_folder(line), ours, std::strlen(ours)) == 0) return false;
  return true;
}

/// The first line of the student's on the way from the fault outward; empty when none is known.
void find_line(const ucontext_t* context, char (&line)[512]) {
  find_call_line(context, is_students, line);
  const char* shown = without_folder(line);
  std::memmove(line, shown, std::strlen(shown) + 1);
}

void describe_device_access(Text& text, const char* address, bool kernel) {
  const auto allocation = DeviceMemory::get().find(address, false);
  const char* who = kernel ? "the kernel" : "the host";
  if (!allocation) {
    text.add("%s accesses %p: the address lies in no device allocation", who,
             static_cast<const void*>(address));
    return;
  }
  const Allocation& a = *allocation;
  const char* end = a.begin + a.bytes;
  if (!a.live && address >= a.pages && address < a.pages + a.page_bytes) {
    const bool named = a.site.line == memory_name;
    text.add("%s accesses %s that was freed at %s:%d", who, named ? a.site.file : "device memory",
             a.freed.file, a.freed.line);
    if (!named) text.add(" (allocated at %s:%d)", a.site.file, a.site.line);
    return;
  }
  const bool inside = address >= a.begin && address < end;
  if (inside)
    text.add("%s dereferences a device pointer: byte %td of ", who, address - a.begin);
  else if (address == end)
    text.add("%s accesses the element past the end of ", who);
  else if (address > end)
    text.add("%s accesses memory %td bytes past the end of ", who, address - end);
  else
    text.add("%s accesses memory %td bytes before ", who, a.begin - address);
  if (a.site.line == memory_name)
    text.add("%s", a.site.file);
  else
    text.add("the %zu bytes allocated at %s:%d", a.bytes, a.site.file, a.site.line);
  if (inside) text.add("; copy them to the host first");
}

/// @return false when the address is in no pinned or managed memory that was freed
bool describe_freed_host(Text& text, const char* address, bool kernel) {
  const auto freed = DeviceMemory::get().find_freed_host(address, false);
  if (!freed) return false;
  text.add("%s accesses %s that was freed at %s:%d", kernel ? "the kernel" : "the host", freed->name(),
           freed->freed.file, freed->freed.line);
  if (freed->range.site.line > 0)
    text.add(" (allocated at %s:%d)", freed->range.site.file, freed->range.site.line);
  return true;
}

void describe(Text& text, int signal, const siginfo_t* info, const Kernel* kernel) {
  const auto* address = static_cast<const char*>(info->si_addr);
  const BlockRunner* runner = current_runner;
  if (signal == timeout_signal())
    text.add("the kernel does not finish: no block ended and %s for %ld s (LADDER_EXECUTOR_TIMEOUT)",
             passes_barriers ? "the same barriers were passed again and again" : "no barrier was passed",
             seconds_without_progress);
  else if (signal == SIGFPE)
    text.add("%s divides an integer by zero", kernel ? "the kernel" : "the host");
  else if (info->si_code == SI_KERNEL)  // the processor does not report the address
    text.add(
        "%s accesses a misaligned address (float4, double2 and other vectors begin at multiples of their "
        "size), or "
        "an uninitialised pointer",
        kernel ? "the kernel" : "the host");
  else if (DeviceMemory::get().contains(address))
    describe_device_access(text, address, kernel != nullptr);
  else if (kernel && runner->in_dynamic_guard(address))
    text.add("the kernel accesses byte %td of its dynamic shared memory; the launch gave it %zu bytes",
             runner->dynamic_offset(address), kernel->shared_bytes);
  else if (kernel && runner->in_stack_guard(address))
    text.add("stack overflow of a kernel thread (%zu bytes): recursion, or large local arrays",
             stack_bytes());
  else if (describe_freed_host(text, address, kernel != nullptr))
    return;
  else if (address < reinterpret_cast<const char*>(4096))
    text.add("%s dereferences a null pointer", kernel ? "the kernel" : "the host");
  else
    text.add("%s accesses %p, which is not valid memory", kernel ? "the kernel" : "the host", info->si_addr);
}

/// "file:line: error: message" in its parts. It may allocate where a lock is held: then the message still
/// comes, by the alarm's end of the process.
void notify_observer(const char* text) {
  static char file[512];
  int line = 0;
  const char* error = std::strstr(text, ": error: ");
  const char* message = error ? error + 9 : text;
  if (error) std::snprintf(file, sizeof file, "%.*s", static_cast<int>(error - text), text);
  if (char* colon = std::strrchr(file, ':')) {
    line = std::atoi(colon + 1);
    *colon = '\0';
  }
  static const char* pending;
  pending = text;
  signal(SIGALRM, [](int) { fatal_in_handler(pending); });
  alarm(10);
  observer->fault({file, line}, message);
}

void handle(int signal, siginfo_t* info, void* context) {
  const Kernel* kernel = in_kernel() ? current_runner->kernel() : nullptr;
  if (signal == timeout_signal() && !kernel) return;
  if (signal != timeout_signal()) let_earlier_blocks_end();
  static std::atomic<bool> reporting{false};
  if (reporting.exchange(true))
    for (;;) pause();  // another thread speaks; it ends the process
  const std::uint32_t b[3] = {blockIdx.x, blockIdx.y, blockIdx.z},
                      t[3] = {threadIdx.x, threadIdx.y, threadIdx.z};
  static char line[512];
  find_line(static_cast<ucontext_t*>(context), line);
  static Text text;
  const Site operation = current_operation_site();
  if (line[0])
    text.add("%s: error: ", line);
  else if (!kernel && operation.line > 0)
    text.add("%s:%d: error: ", operation.file, operation.line);
  else if (kernel)
    text.add("%s:%d: error: ", kernel->site.file, kernel->site.line);
  else
    text.add("executor: error: ");
  describe(text, signal, info, kernel);
  if (kernel)
    text.add("\n    in kernel %s launched at %s:%d, block (%u,%u,%u), thread (%u,%u,%u)",
             kernel->name.c_str(), kernel->site.file, kernel->site.line, b[0], b[1], b[2], t[0], t[1], t[2]);
  text.add("\n");
  if (observer) notify_observer(text.str());
  fatal_in_handler(text.str());
}

/// Before main: the first mistake may be in a static object.
__attribute__((constructor)) void watch_from_the_start() {
  watch_faults();
}

}  // namespace

void watch_faults() {
  static bool observing = false;
  if (observing) return;
  observing = true;
  prepare_call_line();
  program_base();
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, timeout_signal()}) sigaction(signal, &action, nullptr);
  prepare_thread_for_faults();
  attach_recorder([] { Schedule::get().finish_all(nullptr); });
}

void prepare_thread_for_faults() {
  const std::size_t bytes = observer ? 2048 * 1024 : 256 * 1024;  // an observer writes its record there
  stack_t stack{};
  stack.ss_sp = std::malloc(bytes);
  stack.ss_size = bytes;
  sigaltstack(&stack, nullptr);
}

}  // namespace ladder::executor
