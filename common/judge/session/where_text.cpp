#include <algorithm>
#include <cctype>
#include <regex>

#include "common/judge/worker/whereabouts.hpp"

namespace ladder {
namespace {

/// What follows the mark and a word; empty when no line says it.
std::string answer_of(const std::string& output, const std::string& word) {
  const std::string begin = "\n" + std::string(where_mark) + word;
  const auto at = output.rfind(begin);
  if (at == output.npos) return "";
  const auto from = at + begin.size();
  return output.substr(from, output.find('\n', from) - from);
}

/// "step.cpp:12" of a path with its line; empty: it is none.
std::string place_of(const std::string& text) {
  static const std::regex place(R"((?:.*/)?([A-Za-z0-9_.-]{1,80}:[0-9]{1,6}))");
  std::smatch found;
  return text.size() < 512 && std::regex_match(text, found, place) ? found[1].str() : "";
}

}  // namespace

bool has_answered_where(const std::string& output) {
  return output.find("\n" + std::string(where_mark) + "\n") != output.npos;
}

std::string where_in(const std::string& output) {
  std::string text;
  if (const std::string place = place_of(answer_of(output, "in ")); !place.empty()) text = " in " + place;
  const std::string launch = answer_of(output, "kernel ");
  const auto blank = launch.find(' ');
  const std::string name = launch.substr(0, blank);
  const bool is_name = !name.empty() && name.size() < 80 &&
                       std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  const std::string place = blank == launch.npos ? "" : place_of(launch.substr(blank + 1));
  if (is_name && !place.empty()) text += "; launched last: kernel " + name + ", " + place;
  return text;
}

}  // namespace ladder
