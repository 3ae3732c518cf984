// ThreadSanitizer's reports as findings. Its hook runs with its locks held: it copies, and the end of the
// call explains.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "common/judge/worker/sanitizer_report.hpp"
#include "common/judge/worker/worker.hpp"

// Of ThreadSanitizer's interface for debuggers, which no header declares.
extern "C" {
int __tsan_get_report_data(void* report, const char** description, int* count, int* stacks, int* accesses,
                           int* locations, int* mutexes, int* threads, int* unique_threads,
                           void** sleep_trace, unsigned long trace_size);
int __tsan_get_report_stack(void* report, unsigned long index, void** trace, unsigned long trace_size);
int __tsan_get_report_mop(void* report, unsigned long index, int* thread, void** address, int* size,
                          int* write, int* atomic, void** trace, unsigned long trace_size);
int __tsan_get_report_loc(void* report, unsigned long index, const char** type, void** address,
                          unsigned long* begin, unsigned long* size, int* thread, int* descriptor,
                          int* suppressable, void** trace, unsigned long trace_size);
}

namespace ladder::sanitizers {

/// Whether barriers of OpenMP order accesses here: in archer.cpp, compiled like a step.
bool openmp_is_understood();

namespace {

constexpr std::size_t max_frames = 24, max_reports = 64;
using Trace = std::array<void*, max_frames>;

struct Access {
  int thread = 0, size = 0, write = 0, atomic = 0;
  void* address = nullptr;
  Trace trace{};
};

struct Report {
  const char* description = "";
  int accesses = 0;
  Access first{}, second{};
  const char* location = "";  // "stack", "heap", "global"
  Trace place{};              // where it was allocated, or for a report without accesses the stack
};

std::array<Report, max_reports> reports;
std::atomic<std::size_t> report_count{0};  // may exceed the capacity of the list

/// Whether OpenMP's library allocated the memory for itself: descriptions of tasks, with their copies of
/// variables, which it reuses for other tasks without reporting it. Memory that tasks share is elsewhere.
bool is_openmps_own(const Report& report) {
  if (std::string_view(report.location) != "heap") return false;
  for (void* const address : report.place) {
    Dl_info facts{};
    if (!address || !::dladdr(address, &facts) || !facts.dli_fname) break;
    if (std::string_view(facts.dli_fname).find("libomp") != std::string_view::npos) return true;
    if (line_among(std::span<void* const>(&address, 1)).line > 0) break;  // the step's own
  }
  return false;
}

std::string object_of(const Report& report) {
  const std::string known = object_at(report.first.address);
  const std::string_view location = report.location;
  if (!known.empty()) return known;
  if (location == "stack") return "a local variable that they share";
  if (location != "heap") return "memory that they share";
  const SourceLine line = line_among(report.place);
  return line.line > 0 ? "memory that " + line_text(line) + " acquired" : "memory from the heap";
}

std::string thread_text(int thread) {
  return "thread " + std::to_string(thread);
}

/// "Thread 1 writes C[128] (line 21) while thread 0 may be reading it (line 23)."
std::string message_of(const Report& report, const SourceLine& one, const SourceLine& two) {
  const Access &a = report.first, &b = report.second;
  const std::string object = object_of(report), lines[] = {line_text(one), line_text(two)};
  std::string text;
  if (lines[0] == lines[1] && a.write && b.write)
    text = "threads " + std::to_string(std::min(a.thread, b.thread)) + " and " +
           std::to_string(std::max(a.thread, b.thread)) + " both write " + object + " (" + lines[0] + ")";
  else
    text = thread_text(a.thread) + (a.write ? " writes " : " reads ") + object + " (" + lines[0] +
           ") while " + thread_text(b.thread) + " may be " + (b.write ? "writing" : "reading") + " it (" +
           lines[1] + ")";
  return at_the_beginning(text) + ", and nothing orders the two";
}

Finding finding_of(const Report& report) {
  const std::string_view description = report.description;
  Finding finding{.kind = "thread-race", .severity = "error"};
  if (report.accesses < 2) {
    finding.kind = "mutex";
    finding.site = line_among(report.place);
    finding.message = std::string(description) + ", " + line_text(finding.site);
    return finding;
  }
  finding.site = line_among(report.first.trace);
  finding.other.emplace(Finding::Other{.site = line_among(report.second.trace)});
  finding.operation = report.first.write ? "write" : "read";
  finding.other->operation = report.second.write ? "write" : "read";
  finding.thread = {static_cast<std::uint32_t>(report.first.thread)};
  finding.other->thread = {static_cast<std::uint32_t>(report.second.thread)};
  finding.address = element_at(report.first.address);
  finding.message = message_of(report, finding.site, finding.other->site);
  if (description.find("free") != std::string_view::npos) finding.kind = "use-after-free";
  finding.meaning =
      "The result is right or wrong by chance: by how fast each thread is, and by how many there are.";
  return finding;
}

}  // namespace

void collect() {
  const std::size_t count = std::min(report_count.load(), max_reports);
  for (std::size_t i = 0; i < count; ++i) {
    if (is_openmps_own(reports[i])) continue;
    Finding finding = finding_of(reports[i]);
    // A report without a line of the step is the library's own.
    if (finding.site.line > 0 || (finding.other && finding.other->site.line > 0)) keep(std::move(finding));
  }
  report_count = 0;
}

unsigned long reports_so_far() {
  return report_count;
}

void prepare() {
  if (!openmp_is_understood())
    throw Error("OpenMP's barriers are not seen here: its library does not load Archer (libarcher.so)");
}

}  // namespace ladder::sanitizers

extern "C" void __tsan_on_report(void* report) {
  using namespace ladder::sanitizers;
  const std::size_t index = report_count.fetch_add(1);
  if (index >= max_reports) return;
  Report& one = reports[index];
  one = {};
  int ignored = 0, stacks = 0, locations = 0;
  void* unused[1];
  __tsan_get_report_data(report, &one.description, &ignored, &stacks, &one.accesses, &locations, &ignored,
                         &ignored, &ignored, unused, 0);
  Access* const both[] = {&one.first, &one.second};
  for (int i = 0; i < std::min(one.accesses, 2); ++i)
    __tsan_get_report_mop(report, static_cast<unsigned long>(i), &both[i]->thread, &both[i]->address,
                          &both[i]->size, &both[i]->write, &both[i]->atomic, both[i]->trace.data(),
                          max_frames);
  unsigned long begin = 0, size = 0;
  void* address = nullptr;
  if (locations > 0)
    __tsan_get_report_loc(report, 0, &one.location, &address, &begin, &size, &ignored, &ignored, &ignored,
                          one.place.data(), max_frames);
  else if (one.accesses < 2 && stacks > 0)
    __tsan_get_report_stack(report, 0, one.place.data(), max_frames);
}
