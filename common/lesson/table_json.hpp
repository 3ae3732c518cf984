#pragma once
/// @file
/// Prints a lesson's table as JSON. A generated program of one line does it for each lesson, so that the tool
/// knows the table without linking a lesson. No JSON library: this compiles in a second.

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "common/lesson/lesson.hpp"

namespace ladder {

/// A JSON string literal, with its quotes.
inline std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// A JSON number that reads back as the same double; null when it is not finite.
inline std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// A target as a JSON object.
inline std::string target_json(const Target& t) {
  return "{\"metric\":" + json_quote(t.metric) + ",\"relation\":" + json_quote(t.relation) +
         ",\"bound\":" + json_number(t.bound) + ",\"necessary\":" + json_quote(t.necessary) +
         ",\"size\":" + json_number(t.size) + "}";
}

/// The targets of a row as a JSON array.
inline std::string targets_json(const Step& s) {
  std::string out = "[";
  for (const Target& target : s.targets)
    if (*target.metric != 0) out += (out == "[" ? "" : ",") + target_json(target);
  return out + "]";
}

/// One row of a table as a JSON object; every field of ladder::Step.
inline std::string step_json(const Step& s) {
  const std::string_view file = s.file;
  const std::string name(file.substr(0, file.rfind('.')));
  const char* kind = s.kind == Kind::required ? "R" : s.kind == Kind::stretch ? "S" : "D";
  const auto q = [](std::string_view text) { return json_quote(text); };
  const auto n = [](double value) { return json_number(value); };
  const std::string time = *s.time.peer == 0
                               ? "null"
                               : "{\"peer\":" + q(s.time.peer) + ",\"ratio\":" + n(s.time.ratio) +
                                     ",\"size\":" + n(s.time.size) + "}";
  return "{\"file\":" + q(file) + ",\"name\":" + q(name) + ",\"was\":" + q(s.was) +
         ",\"why_long\":" + q(s.why_long) + ",\"idea\":" + q(s.idea) + ",\"kind\":" + q(kind) +
         ",\"data\":" + q(s.data == Data::host ? "host" : "resident") + ",\"hours\":" + n(s.hours) +
         ",\"targets\":" + targets_json(s) + ",\"time\":" + time + ",\"ranks\":" + n(s.ranks) +
         ",\"matrix_products\":" + (s.matrix_products ? "true" : "false") +
         ",\"bytes_per_flop\":" + n(s.bytes_per_flop) +
         ",\"points\":{\"correctness\":" + n(s.correctness_points) + ",\"targets\":" + n(s.target_points) +
         ",\"time\":" + n(s.time_points) + "},\"hints\":[" + q(s.hints[0]) + "," + q(s.hints[1]) + "]}";
}

/// The named sizes that a lesson's problem lists as a member `classes`: a benchmark calls them so.
template <class Problem>
std::string classes_json() {
  std::string out = "[";
  if constexpr (requires { Problem::classes; })
    for (const auto& one : Problem::classes)
      out += (out == "[" ? "" : ",") + ("{\"name\":" + json_quote(one.name)) +
             ",\"size\":" + json_number(one.size) + "}";
  return out + "]";
}

/// The values in the answers of the lesson's pages.
inline std::string answers_json(const std::vector<Answer>& answers) {
  std::string out = "[";
  for (const Answer& one : answers)
    out += (out == "[" ? "" : ",\n") + ("{\"name\":" + json_quote(one.name)) +
           ",\"value\":" + json_number(one.value) + ",\"decimals\":" + json_number(one.decimals) + "}";
  return out + "]";
}

/// A lesson's whole table as JSON.
/// @param classes  its named sizes, as classes_json() writes them
/// @param answers  the values of its pages
inline std::string table_json(const Lesson& lesson, const std::string& classes = "[]",
                              const std::vector<Answer>& answers = {}) {
  std::string out = "{\"name\":" + json_quote(lesson.name) + ",\"title\":" + json_quote(lesson.title) +
                    ",\"source\":" + json_quote(lesson.source) + ",\"classes\":" + classes + ",\"steps\":[";
  for (const Step& step : lesson) {
    if (out.back() != '[') out += ",\n";
    out += step_json(step);
  }
  return out + "],\"answers\":" + answers_json(answers) + "}\n";
}

/// The body of a generated main: prints the table. @return the exit status
/// @param answers  of tests/NN-name/answers.hpp, where the lesson has that file
template <class Problem>
int print_table(const Lesson& lesson, const std::vector<Answer>& answers = {}) {
  const std::string text = table_json(lesson, classes_json<Problem>(), answers);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace ladder
