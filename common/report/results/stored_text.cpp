#include "common/report/results/stored_text.hpp"

#include <algorithm>
#include <string_view>

namespace ladder::report {
namespace {

using nlohmann::json;

/// Lists of records. Other lists, such as the devices of a machine, have few entries and seldom change.
constexpr std::string_view record_lists[] = {"steps",    "reproductions", "solutions", "programs",
                                             "findings", "costs",         "runs"};

/// What is written around the values; a record is one line without spaces.
enum class Layout { lines, list_of_records, one_line };

std::string one_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Layout layout_of(const std::string& field) {
  return std::ranges::find(record_lists, field) != std::end(record_lists) ? Layout::list_of_records
                                                                          : Layout::lines;
}

void append(std::string& text, const json& value, std::size_t depth, Layout layout) {
  if (layout == Layout::one_line || !value.is_structured() || value.empty()) {
    text += one_line(value);
    return;
  }
  const bool object = value.is_object();
  const Layout of_entries = layout == Layout::list_of_records && !object ? Layout::one_line : Layout::lines;
  const char* separator = "";
  text += object ? '{' : '[';
  for (const auto& [name, entry] : value.items()) {
    text.append(separator).append("\n").append(depth + 1, ' ');
    if (object) text += one_line(name) + ": ";
    append(text, entry, depth + 1, object ? layout_of(name) : of_entries);
    separator = ",";
  }
  text.append("\n").append(depth, ' ');
  text += object ? '}' : ']';
}

}  // namespace

std::string stored_text(const json& document) {
  std::string text;
  append(text, document, 0, Layout::list_of_records);  // suites.json is a list
  return text + "\n";
}

}  // namespace ladder::report
