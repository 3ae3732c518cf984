// Reports of AddressSanitizer, which ends the process then, and of UndefinedBehaviorSanitizer, as findings.
#include <algorithm>
#include <array>
#include <string_view>

#include "common/judge/worker/sanitizer_report.hpp"
#include "common/judge/worker/worker.hpp"

// Of the sanitizers' interfaces for debuggers.
extern "C" {
int __asan_report_present();
void* __asan_get_report_address();
int __asan_get_report_access_type();
std::size_t __asan_get_report_access_size();
const char* __asan_get_report_description();
const char* __asan_locate_address(void* address, char* name, std::size_t name_size, void** region,
                                  std::size_t* region_size);
std::size_t __asan_get_alloc_stack(void* address, void** trace, std::size_t size, int* thread);
std::size_t __asan_get_free_stack(void* address, void** trace, std::size_t size, int* thread);
void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                     unsigned* line, unsigned* column, char** address);
}

namespace ladder::sanitizers {
namespace {

constexpr std::size_t max_frames = 24;
using StackOf = std::size_t (*)(void*, void**, std::size_t, int*);

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The kind of finding that AddressSanitizer's word for a report means.
const char* kind_of(std::string_view description) {
  if (holds(description, "use-after-poison") || holds(description, "container-overflow"))
    return "out-of-bounds";
  if (holds(description, "use-after")) return "use-after-free";
  if (holds(description, "stack-overflow")) return "stack-overflow";
  if (holds(description, "overflow") || holds(description, "underflow")) return "out-of-bounds";
  if (holds(description, "free") || holds(description, "dealloc")) return "invalid-free";
  if (holds(description, "null")) return "null";
  return "out-of-bounds";
}

/// Undefined, but harmless: null + 0, a memcpy of no bytes from a null pointer, a shift of a negative number.
bool harmless(std::string_view kind) {
  return holds(kind, "nullptr") || holds(kind, "pointer-overflow") || holds(kind, "null-argument") ||
         holds(kind, "shift-base");
}

std::string line_of_stack(StackOf stack, void* address) {
  std::array<void*, max_frames> trace{};
  int thread = 0;
  const std::size_t count = stack(address, trace.data(), trace.size(), &thread);
  const SourceLine line = line_among(std::span<void* const>(trace.data(), std::min(count, trace.size())));
  return line.line > 0 ? line_text(line) : "";
}

/// What is at an address outside the problem's arrays: "8 bytes past the end of the 800 bytes that line 40
/// acquired".
std::string region_text(void* address) {
  char name[128] = "";
  void* region = nullptr;
  std::size_t bytes = 0;
  const std::string_view type = __asan_locate_address(address, name, sizeof name, &region, &bytes);
  if (!region || bytes == 0) return "memory that does not belong to the program";
  std::string what = std::to_string(bytes) + " bytes";
  if (*name)
    what = std::string(name) + ", which has " + what;
  else if (const std::string line = line_of_stack(__asan_get_alloc_stack, address); !line.empty())
    what = "the " + what + " that " + line + " acquired";
  else
    what = "memory of " + what;
  const auto offset = static_cast<const char*>(address) - static_cast<const char*>(region);
  const auto past = offset - static_cast<long>(bytes);
  if (type == "heap" && past < 0 && offset >= 0) {
    const std::string line = line_of_stack(__asan_get_free_stack, address);
    if (!line.empty()) return what + ", which " + line + " freed";
  }
  if (offset < 0) return std::to_string(-offset) + " bytes before " + what;
  return past >= 0 ? "byte " + std::to_string(past) + " past the end of " + what : what;
}

std::string message_of(const Finding& finding, std::string_view description, void* address) {
  const std::string text = at_the_beginning(line_text(finding.site));
  if (finding.kind == "null") return text + " uses a null pointer";
  if (finding.kind == "stack-overflow")
    return text +
           " needs more stack memory than there is: which array is local and large, or which function "
           "calls itself?";
  if (finding.kind == "invalid-free")
    return text + " frees memory that it must not free: " + std::string(description);
  const std::string element = object_at(address);
  const bool write = __asan_report_present() && __asan_get_report_access_type() == 1;
  return text + (write ? " writes " : " reads ") + (element.empty() ? region_text(address) : element);
}

}  // namespace

void collect() {}  // each report is a finding at once
void prepare() {}

}  // namespace ladder::sanitizers

extern "C" {

void __asan_on_error() {
  using namespace ladder;
  const char* const description = __asan_get_report_description();
  void* const address = __asan_report_present() ? __asan_get_report_address() : nullptr;
  Finding finding{
      .kind = sanitizers::kind_of(description), .severity = "error", .site = sanitizers::current_line()};
  finding.fatal = true;
  finding.address = element_at(address);
  finding.message = sanitizers::message_of(finding, description, address);
  sanitizers::keep(std::move(finding));
  sanitizers::write_record();
}

void __ubsan_on_report() {
  using namespace ladder;
  const char *kind = "", *message = "", *file = "";
  unsigned line = 0, column = 0;
  char* address = nullptr;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  Finding finding{.kind = "undefined", .severity = sanitizers::harmless(kind) ? "warning" : "error"};
  finding.site = sanitizers::current_line();
  std::string text = message;
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(text[0]));
  finding.message = sanitizers::at_the_beginning(sanitizers::line_text(finding.site)) + ": " + text;
  sanitizers::keep(std::move(finding));
}
}
