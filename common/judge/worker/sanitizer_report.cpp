#include "common/judge/worker/sanitizer_report.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>

#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/runtime/symbols.hpp"
#include "common/judge/worker/channel.hpp"
#include "common/judge/worker/worker.hpp"

extern "C" void __sanitizer_set_report_fd(void* descriptor);

namespace ladder::sanitizers {
namespace {

constexpr std::size_t most_findings = 64, max_frames = 64;

struct Record {
  std::mutex mutex;
  Observation observation;
  std::string document;
};

Record& record() {
  static auto* const one = new Record;  // reports may come while the process ends
  return *one;
}

/// "On rank 2: " when there are several MPI ranks.
std::string rank_text() {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const char* const ranks = std::getenv("OMPI_COMM_WORLD_SIZE");
  return rank && ranks && std::string(ranks) != "1" ? "On rank " + std::string(rank) + ": " : "";
}

bool same_place(const SourceLine& a, const SourceLine& b) {
  return a.line == b.line && a.file == b.file;
}

bool same(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.other.has_value() != b.other.has_value()) return false;
  if (!a.other) return same_place(a.site, b.site);
  return (same_place(a.site, b.site) && same_place(a.other->site, b.other->site)) ||
         (same_place(a.site, b.other->site) && same_place(a.other->site, b.site));
}

}  // namespace

void start() {
  // Reports go into the record; what a sanitizer prints would be taken for the step's output.
  static const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(nowhere)));
  record().observation.device = "cpu";
  prepare();
}

void keep(Finding finding) {
  finding.message = rank_text() + finding.message;
  const std::lock_guard lock(record().mutex);
  std::vector<Finding>& all = record().observation.findings;
  const auto found = std::ranges::find_if(all, [&](const Finding& f) { return same(f, finding); });
  if (found != all.end())
    found->count += finding.count;
  else if (all.size() < most_findings)
    all.push_back(std::move(finding));
}

void write_record() {
  const char* const path = std::getenv("LADDER_EXECUTOR_OBSERVE");
  if (!path) return;
  const std::lock_guard lock(record().mutex);
  const std::string text = to_json(record().observation).dump();
  // When several ranks end, the first one is the cause.
  const Descriptor file(::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file) static_cast<void>(!::write(file.get(), text.data(), text.size()));
}

SourceLine line_among(std::span<void* const> addresses) {
  SourceLine innermost;
  for (void* const address : addresses) {
    if (!executor::in_program(address)) continue;
    const auto code = reinterpret_cast<std::uintptr_t>(address) - executor::program_base();
    SourceLine line = executor::line_of(static_cast<std::uint32_t>(code));
    if (line.line <= 0 || line.file.starts_with("common/judge/")) continue;
    if (line.file.ends_with(".cpp")) return line;
    if (innermost.line <= 0) innermost = std::move(line);
  }
  return innermost;
}

SourceLine current_line() {
  void* frames[max_frames];
  const int count = ::backtrace(frames, max_frames);
  return line_among(std::span<void* const>(frames, static_cast<std::size_t>(std::max(count, 0))));
}

void on_fault(const std::string& what) {
  Finding finding{.kind = "out-of-bounds", .severity = "error", .site = current_line(), .fatal = true};
  finding.message = at_the_beginning(line_text(finding.site)) + " " + what;
  keep(std::move(finding));
  write_record();
}

std::string line_text(const SourceLine& line) {
  if (line.line <= 0) return "a line that is not known";
  const std::string name = line.file.substr(line.file.rfind('/') + 1);
  return name.ends_with(".cpp") ? "line " + std::to_string(line.line)
                                : name + ":" + std::to_string(line.line);
}

std::string at_the_beginning(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(text[0]));
  return text;
}

std::string object_at(const void* address) {
  if (const std::string element = element_at(address); !element.empty()) return element;
  const executor::DataVariable* const variable = executor::data_variable_at(address);
  return variable ? "the global variable " + executor::variable_name(variable->symbol) : "";
}

}  // namespace ladder::sanitizers

extern "C" {

void ladder_observe_begin() {
  const std::lock_guard lock(ladder::sanitizers::record().mutex);
  ladder::sanitizers::record().observation.findings.clear();
}

const char* ladder_observe_end(std::size_t* bytes) {
  ladder::sanitizers::collect();
  const std::lock_guard lock(ladder::sanitizers::record().mutex);
  std::string& document = ladder::sanitizers::record().document;
  document = to_json(ladder::sanitizers::record().observation).dump();
  *bytes = document.size();
  return document.data();
}
}
