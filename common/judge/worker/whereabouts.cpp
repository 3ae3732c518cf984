#include "common/judge/worker/whereabouts.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include "common/base/process/call_line.hpp"

namespace ladder {

[[gnu::weak]] const void* last_kernel(char (&name)[256]);

namespace {

constexpr std::string_view own_file = __FILE__;
constexpr std::string_view own_part = own_file.substr(0, own_file.rfind("judge/"));

/// Neither the harness nor a library of the system, nor what both have made.
bool is_of_step(const char* line) {
  const std::string_view text = line;
  return !text.starts_with(own_part) && !text.starts_with("/usr/") && text.find("/generated/") == text.npos;
}

void answer(int, siginfo_t*, void* context) {
  static std::atomic_flag asked;
  if (asked.test_and_set()) return;
  const int saved = errno;
  static char line[512], launch[512], kernel[256], text[2048];
  find_call_line(static_cast<const ucontext_t*>(context), is_of_step, line);
  kernel[0] = launch[0] = '\0';
  if (last_kernel)
    if (const void* returns_to = last_kernel(kernel)) find_line_of_call(returns_to, launch);
  const char* mark = where_mark.data();
  const int length = std::snprintf(text, sizeof text, "\n%sin %s\n%skernel %s %s\n%s\n", mark, line, mark,
                                   kernel, launch, mark);
  static_cast<void>(!::write(STDERR_FILENO, text, static_cast<std::size_t>(length)));
  errno = saved;
}

}  // namespace

void answer_where() {
  prepare_call_line();
  struct sigaction action {};
  action.sa_sigaction = answer;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigaction(where_signal, &action, nullptr);
}

}  // namespace ladder
