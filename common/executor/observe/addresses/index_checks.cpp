/// @file
/// What -fsanitize=bounds calls when the index of an array whose length it knows is too large.

#include <cstdlib>

#include "common/executor/observe/addresses/array_shapes.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/observe/log.hpp"
#include "common/executor/observe/thread_findings.hpp"
#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {
namespace {

/// What the compiler passes for an index that is too large.
struct IndexCheck {
  const char* file;
  std::uint32_t line, column;
  const struct Type {
    std::uint16_t kind, info;
    char name[1];  ///< "'double [32]'"
  } * array;
};

/// "double [32]" without quotes and what follows.
std::string type_text(const IndexCheck& check) {
  std::string text = check.array->name;
  std::erase(text, '\'');
  return text;
}

/// 32 of "double [32]"; 0 of other types.
std::size_t check_extent(const IndexCheck& check) {
  const std::string text = type_text(check);
  const auto open = text.find('[');
  if (open == std::string::npos || text.find('[', open + 1) != std::string::npos) return 0;
  return static_cast<std::size_t>(std::strtoul(text.c_str() + open + 1, nullptr, 10));
}

void report_index(const IndexCheck& check, std::ptrdiff_t index) {
  const SourceLine line{shown_path(check.file), static_cast<int>(check.line)};
  const std::string what =
      "index " + std::to_string(index) + " is outside of an array of type " + type_text(check);
  if (!in_kernel()) {
    Finding finding;
    finding.kind = "out-of-bounds";
    finding.severity = "error";
    finding.site = line;
    finding.message = "The host's " + what;
    finding.meaning = "The element there belongs to something else.";
    FindingList::get().add(std::move(finding));
    return;
  }
  Finding finding = thread_finding(Operation::load, line);
  finding.operation = "index";
  finding.kind = "out-of-bounds";
  finding.message = upper_first(running_thread_text()) + ": " + what;
  finding.meaning = "The element there belongs to something else.";
  if (!rows_reach(check_extent(check), index)) end_with(std::move(finding));
  finding.meaning = "The element there is one of another row of the same array.";
  FindingList::get().add(std::move(finding));  // a GPU goes on, and so does this program
}

}  // namespace

}  // namespace ladder::executor

extern "C" void __ubsan_handle_out_of_bounds(const void* check, std::uintptr_t index) {
  // The message is made with functions that the program may have instrumented, too.
  auto& in_hook = ladder::executor::recorder.in_hook;
  const bool before = in_hook;
  in_hook = true;
  ladder::executor::report_index(*static_cast<const ladder::executor::IndexCheck*>(check),
                                 static_cast<std::ptrdiff_t>(index));
  in_hook = before;
}
