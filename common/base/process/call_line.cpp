#include "common/base/process/call_line.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace ladder {
namespace {

constexpr int max_frames = 48;
using Addresses = char[max_frames][24];

std::uintptr_t program_begin = 0;  // what addr2line wants is an address less this

std::uintptr_t counter_of(const ucontext_t* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
#else
  return static_cast<std::uintptr_t>(context->uc_mcontext.pc);
#endif
}

/// Addresses in the program from the innermost function outward, as addr2line wants them.
int frames_of(const ucontext_t* context, Addresses& addresses) {
  void* stack[max_frames];
  const int depth = backtrace(stack, max_frames);
  int first = -1, count = 0;
  if (context) {
    const std::uintptr_t begin = counter_of(context);
    for (first = 0; first < depth && reinterpret_cast<std::uintptr_t>(stack[first]) != begin;) ++first;
    std::snprintf(addresses[count++], 24, "0x%zx", begin - program_begin);
  }
  for (int i = first + 1; i < depth && count < max_frames;
       ++i)  // a return address belongs to the line of its call
    std::snprintf(addresses[count++], 24, "0x%zx",
                  reinterpret_cast<std::uintptr_t>(stack[i]) - 1 - program_begin);
  return count;
}

/// Runs addr2line on the program; its output comes through the descriptor. @return -1 when it cannot start
int start_addr2line(Addresses& addresses, int count, pid_t& child) {
  static char program[64];
  std::snprintf(program, sizeof program, "/proc/%d/exe", static_cast<int>(getpid()));
  const char* arguments[max_frames + 8] = {"addr2line", "-i", "-e", program};
  for (int i = 0; i < count; ++i) arguments[4 + i] = addresses[i];
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  // No handlers of fork(): one might wait for a lock that is held. Nor vfork(): AddressSanitizer clears
  // shadow memory of the thread's stack after it, and takes the alternate stack of a handler for a part of
  // that.
  child = _Fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(STDERR_FILENO);
    execvp("addr2line", const_cast<char**>(arguments));
    _exit(127);
  }
  close(ends[1]);
  return ends[0];
}

/// The first line that is accepted of what addr2line says.
void first_accepted(Addresses& addresses, int count, bool (*accept)(const char*), char (&line)[512]) {
  line[0] = '\0';
  pid_t child = -1;
  const int output = start_addr2line(addresses, count, child);
  if (output < 0 || child < 0) return;
  static char text[32768];
  std::size_t used = 0;
  for (ssize_t got; used < sizeof text - 1 && (got = read(output, text + used, sizeof text - 1 - used)) > 0;)
    used += static_cast<std::size_t>(got);
  text[used] = '\0';
  close(output);
  waitpid(child, nullptr, 0);
  for (char* at = std::strtok(text, "\n"); at; at = std::strtok(nullptr, "\n")) {
    if (char* note = std::strstr(at, " (discriminator")) *note = '\0';
    if (std::strstr(at, ":?") || std::strstr(at, ":0") || at[0] == '?' || !accept(at)) continue;
    std::snprintf(line, sizeof line, "%s", at);
    return;
  }
}

}  // namespace

void prepare_call_line() {
  void* frame;
  backtrace(&frame, 1);  // loads what it needs now, not in the handler
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        program_begin = info->dlpi_addr;
        return 1;  // the program itself comes first
      },
      nullptr);
}

void find_call_line(const ucontext_t* context, bool (*accept)(const char* line), char (&line)[512]) {
  static Addresses addresses;
  const int count = frames_of(context, addresses);
  first_accepted(addresses, count, accept, line);
}

void find_line_of_call(const void* return_address, char (&line)[512]) {
  static Addresses addresses;
  std::snprintf(addresses[0], 24, "0x%zx",
                reinterpret_cast<std::uintptr_t>(return_address) - 1 - program_begin);
  first_accepted(
      addresses, 1, [](const char*) { return true; }, line);
}

}  // namespace ladder
