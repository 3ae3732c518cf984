#include "common/executor/observe/observation_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "common/executor/observe/crash_handlers.hpp"
#include "common/executor/observe/event_dispatcher.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

std::atomic<bool> file_begun{false};     // a thread has begun to write it
std::atomic<bool> file_complete{false};  // the file is complete
std::atomic<bool> asked{false};          // by ladder_observe_begin(): the caller prints and writes

/// @return false, after a message, when it cannot be written
bool write(const Observation& observation) {
  const char* path = std::getenv("LADDER_EXECUTOR_OBSERVE");
  if (!path || !*path) return true;
  const std::string text = to_json(observation).dump(1) + "\n";
  std::FILE* file = std::fopen(path, "w");
  const bool complete = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((!file || std::fclose(file) == 0) && complete) return true;
  const std::string why = std::strerror(errno);
  warn({}, std::string("the observation cannot be written to LADDER_EXECUTOR_OBSERVE=") + path + ": " + why);
  return false;
}

void print_finding(const Finding& finding) {
  std::string text;
  if (finding.site.line > 0) text = finding.site.file + ":" + std::to_string(finding.site.line) + ": ";
  text += finding.severity + ": " + finding.message;
  if (!finding.meaning.empty()) text += "\n    " + finding.meaning;
  std::fprintf(stderr, "%s\n", text.c_str());
}

void at_exit(int status, void*) {
  if (!in_original_process()) return;
  if (asked) return write_record_before_exit();  // a step that calls exit()
  if (file_begun.exchange(true)) return;
  program_returns();
  finish_queue();
  const Observation observation = observation_so_far(true);
  const bool is_written = write(observation);
  file_complete = true;
  for (const Finding& finding : observation.findings)
    if (finding.severity != "note") print_finding(finding);
  if (status != 0) return;
  std::fflush(nullptr);
  if (observation.findings_of("error") > 0) _exit(findings_status);
  if (!is_written) _exit(exit_status);
}

}  // namespace

void write_observation_at_exit() {
  on_exit(at_exit, nullptr);
  at_quick_exit(write_record_before_exit);
}

void leave_observation_to_caller() {
  asked = true;
}

void write_observation_file() {
  if (!in_original_process() || file_begun.exchange(true)) return;
  write(observation_so_far(true));
  file_complete = true;
}

bool observation_is_written() {
  return file_complete;
}

}  // namespace ladder::executor
