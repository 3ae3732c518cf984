#include "common/executor/runtime/report.hpp"

#include <limits.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "common/executor/include/executor/memory.h"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/thread_pool.hpp"

namespace ladder::executor {
namespace {

constinit thread_local cudaError_t last_error = cudaSuccess;
/// What the last call that failed() said, and its code.
thread_local std::pair<cudaError_t, std::string> last_reason{cudaSuccess, ""};
constinit thread_local Site call_site;

/// What the program has printed so far comes first. Without the lock when the fault happened inside printf.
void flush_output() {
  if (ftrylockfile(stdout) != 0) return;
  fflush_unlocked(stdout);
  funlockfile(stdout);
}

void print(Site site, const char* severity, const std::string& message) {
  const std::string text =
      (site.line > 0 ? to_string(site) + ": " : std::string("executor: ")) + severity + ": " + message + "\n";
  flush_output();
  // One write: lines of several threads or ranks do not mix.
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

/// Text in a pipe's buffer is lost with a program that is stopped, but it shows how far it
/// came.
__attribute__((constructor)) void print_by_line() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

}  // namespace

void fatal(Site site, const std::string& message) {
  let_earlier_blocks_end();
  print(site, "error", message);
  if (observer) observer->fault(site, message);
  _exit(exit_status);
}

void fatal_in_handler(const char* text) {
  flush_output();
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(exit_status);
  _exit(exit_status);
}

void warn(Site site, const std::string& message) {
  print(site, "warning", message);
}

cudaError_t fail(cudaError_t code, Site site, const std::string& message) {
  print(resolve(site), "error", message);
  if (observer) observer->call_failed(code, resolve(site), message);
  remember(code);
  last_reason = {code, message};
  return code;
}

cudaError_t remember(cudaError_t code) {
  if (code == cudaSuccess || code == cudaErrorNotReady) return code;
  last_reason.first = cudaSuccess;
  return last_error = code;
}

const char* why_failed(cudaError_t code) {
  return code == last_reason.first ? last_reason.second.c_str() : "";
}

/// Where the program was started; a signal handler may not ask for it.
static const std::string started_in = [] {
  char folder[PATH_MAX];
  return getcwd(folder, sizeof folder) ? folder + std::string("/") : std::string();
}();

const char* without_folder(const char* path) {
  for (const std::string_view folder :
       {std::string_view(LADDER_PROJECT_FOLDER), std::string_view(started_in)})
    if (!folder.empty() && std::strncmp(path, folder.data(), folder.size()) == 0) return path + folder.size();
  return path;
}

Site resolve(Site site) {
  return call_site.line > 0 ? call_site : site;
}

std::string memory_text(std::size_t bytes, Site made) {
  if (made.line == memory_name) return made.file;
  return "the " + std::to_string(bytes) + " bytes allocated at " + to_string(made);
}

std::string to_string(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string to_string(Site site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

std::string to_string(const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

long setting(const char* name, long fallback, long min, long max) {
  const char* text = std::getenv(name);
  if (!text || !*text) return fallback;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end || value < min || value > max)
    fatal({}, std::string(name) + "=" + text + " is not a number from " + std::to_string(min) + " to " +
                  std::to_string(max));
  return value;
}

CallSite::CallSite(const char* file, int line) : before_(call_site) {
  if (call_site.line == 0) call_site = {file, line};  // the outermost wrapper was called by the student
}

CallSite::~CallSite() {
  call_site = before_;
}

}  // namespace ladder::executor

cudaError_t cudaGetLastError() {
  if (ladder::executor::observer) ladder::executor::observer->error_asked();
  return std::exchange(ladder::executor::last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  if (ladder::executor::observer) ladder::executor::observer->error_asked();
  return ladder::executor::last_error;
}

namespace {

struct ErrorText {
  cudaError_t code;
  const char *name, *text;
};

#define LADDER_ERROR(CODE, VALUE, TEXT) {CODE, #CODE, TEXT},
constexpr ErrorText error_texts[] = {LADDER_EXECUTOR_ERRORS(LADDER_ERROR)};
#undef LADDER_ERROR

ErrorText text_of(cudaError_t code) {
  for (const ErrorText& text : error_texts)
    if (text.code == code) return text;
  return {code, "unrecognized error code", "unrecognized error code"};
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
  return text_of(error).name;
}
const char* cudaGetErrorString(cudaError_t error) {
  return text_of(error).text;
}
