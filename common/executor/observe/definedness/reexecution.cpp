#include "common/executor/observe/definedness/reexecution.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "common/executor/observe/event_dispatcher.hpp"
#include "common/executor/observe/observation_file.hpp"

namespace ladder::executor {
namespace {

/// Zero, large numbers, and negative ones: the contents of the first run, NaN and -1, have no effect in some
/// minima, maxima and comparisons.
constexpr unsigned char contents[] = {0x00, 0x7F, 0xFE};
constexpr unsigned max_seconds = 20;

/// Discards what the reexecution prints and records, and hides how it fails.
void make_silent() {
  leave_observation_to_caller();
  lift_limit();
  unsetenv("LADDER_EXECUTOR_OBSERVE");
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  alarm(max_seconds);
}

void fill(const std::vector<UninitialisedBytes>& undefined, unsigned char byte) {
  for (const UninitialisedBytes& read : undefined)
    for (unsigned i = 0; i < 16; ++i)
      if (read.bytes >> i & 1) read.address[i] = static_cast<char>(byte);
}

bool repeat(BlockRunner& runner, const Kernel& kernel, std::uint64_t index, UndoLog& written,
            const std::vector<UninitialisedBytes>& undefined) {
  const auto expected = written.current_bytes();
  for (const unsigned char byte : contents) {
    written.roll_back();
    written.clear();
    fill(undefined, byte);
    runner.begin_shared_with(byte);
    runner.run(kernel, index, nullptr);
    if (!written.complete() || written.current_bytes() != expected) return false;
  }
  return true;
}

}  // namespace

bool same_with_other_contents(BlockRunner& runner, const Kernel& kernel, std::uint64_t index,
                              UndoLog& written, const std::vector<UninitialisedBytes>& undefined) {
  if (!written.complete()) return false;
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    make_silent();
    _exit(repeat(runner, kernel, index, written, undefined) ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  // Ended from outside, or because it took too long: the test is incomplete, and when in doubt the value
  // counts as unused.
  if (WIFSIGNALED(status)) return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace ladder::executor
