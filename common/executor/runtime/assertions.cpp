#include "common/executor/runtime/assertions.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

std::atomic<bool> failed{false};

std::string in_brackets(uint3 v) {
  return "[" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + "]";
}

/// In the words of a GPU.
[[noreturn]] void fail_in_kernel(const std::string& condition, Site site, const char* function) {
  std::fflush(stdout);
  const std::string text = to_string(site) + ": " + function + ": block: " + in_brackets(blockIdx) +
                           ", thread: " + in_brackets(threadIdx) + " Assertion `" + condition + "` failed.\n";
  // One write: lines of several threads do not mix.
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(exit_status);
  if (observer)
    observer->call_failed(cudaErrorAssert, site, "assertion `" + condition + "` fails in a kernel");
  failed = true;
  current_runner->abandon_thread();
}

/// The same for a kernel that is still to be written: said once, not by each thread, and no finding of the
/// step. The judge knows it by its condition (task_in_kernel).
[[noreturn]] void leave_task(Site site) {
  static std::atomic<bool> reported{false};
  if (!reported.exchange(true)) {
    const std::string text = to_string(site) + ": block: " + in_brackets(blockIdx) +
                             ", thread: " + in_brackets(threadIdx) + " Assertion `ladder::task()` failed.\n";
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(exit_status);
  }
  failed = true;
  current_runner->abandon_thread();
}

}  // namespace

cudaError_t device_error() {
  return failed ? cudaErrorAssert : cudaSuccess;
}

void forget_device_error() {
  failed = false;
}

}  // namespace ladder::executor

using namespace ladder::executor;

/// What ladder::task() calls (common/lesson/lesson.hpp); returns on the host.
extern "C" void ladder_task_reached(const char* file, int line) {
  if (in_kernel()) leave_task({file, line});
}

/// What assert() calls: the C library's ends the process, a kernel's thread alone ends on a GPU.
extern "C" void __assert_fail(const char* condition, const char* file, unsigned line,
                              const char* function) noexcept {
  if (in_kernel()) fail_in_kernel(condition, {file, static_cast<int>(line)}, function);
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line,
               function, condition);
  std::abort();
}
