#include "common/executor/runtime/report.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/executor/include/executor/memory.h"

namespace ladder::executor {
namespace {

constinit thread_local cudaError_t last_error = cudaSuccess;
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

}  // namespace

void fatal(Site site, const std::string& message) {
  print(site, "error", message);
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
  return remember(code);
}

cudaError_t remember(cudaError_t code) {
  if (code != cudaSuccess && code != cudaErrorNotReady) last_error = code;
  return code;
}

Site resolve(Site site) {
  return call_site.line > 0 ? call_site : site;
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

long setting(const char* name, long otherwise, long least, long most) {
  const char* text = std::getenv(name);
  if (!text || !*text) return otherwise;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end || value < least || value > most)
    fatal({}, std::string(name) + "=" + text + " is not a number from " + std::to_string(least) + " to " +
                  std::to_string(most));
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
  return std::exchange(ladder::executor::last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  return ladder::executor::last_error;
}

namespace {

struct ErrorText {
  cudaError_t code;
  const char *name, *text;
};

#define LADDER_ERROR(CODE, TEXT) \
  { CODE, #CODE, TEXT }
constexpr ErrorText error_texts[] = {
    LADDER_ERROR(cudaSuccess, "no error"),
    LADDER_ERROR(cudaErrorInvalidValue, "invalid argument"),
    LADDER_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    LADDER_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    LADDER_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    LADDER_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    LADDER_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    LADDER_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    LADDER_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    LADDER_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    LADDER_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    LADDER_ERROR(cudaErrorNotReady, "device not ready"),
    LADDER_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    LADDER_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    LADDER_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    LADDER_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                 "part or all of the requested memory range is already mapped"),
    LADDER_ERROR(cudaErrorHostMemoryNotRegistered,
                 "pointer does not correspond to a registered memory region"),
    LADDER_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    LADDER_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    LADDER_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    LADDER_ERROR(cudaErrorNotSupported, "operation not supported"),
    LADDER_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    LADDER_ERROR(cudaErrorStreamCaptureInvalidated,
                 "operation failed due to a previous error during capture"),
    LADDER_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not initiated in this stream"),
    LADDER_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    LADDER_ERROR(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    LADDER_ERROR(cudaErrorStreamCaptureImplicit,
                 "operation would make the legacy stream depend on a capturing stream"),
    LADDER_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef LADDER_ERROR

const ErrorText& text_of(cudaError_t code) {
  for (const ErrorText& text : error_texts)
    if (text.code == code) return text;
  return text_of(cudaErrorUnknown);
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
  return text_of(error).name;
}
const char* cudaGetErrorString(cudaError_t error) {
  return text_of(error).text;
}
