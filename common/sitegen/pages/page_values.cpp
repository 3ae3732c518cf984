#include "common/sitegen/pages/page_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>

#include "common/base/text/numbers.hpp"
#include "common/sitegen/prerequisites.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

constexpr std::string_view begins = "<!-- = ", closes = " -->", ends = "<!-- . -->";

std::string answers_file(const std::string& lesson) {
  return "tests/" + lesson + "/answers.cpp";
}

/// "03-dgemm" of "lessons/03-dgemm/README.md".
std::string lesson_of_page(const std::string& page) {
  constexpr std::string_view folder = "lessons/";
  if (!page.starts_with(folder)) return "";
  return page.substr(folder.size(), page.find('/', folder.size()) - folder.size());
}

/// The bound of the target that a limit belongs to; null: the lesson's table has no such target.
json bound_of(const json& table, const json& limit) {
  for (const json& step : table.value("steps", json::array())) {
    if (step.value("name", "") != limit["rung"]) continue;
    for (const json& target : step.value("targets", json::array()))
      if (target.value("amount", "") == limit["amount"] && target.value("size", 0) == limit["size"])
        return target.value("bound", json());
  }
  return nullptr;
}

/// Hours of a lesson's rungs: "hours.required", demonstrations included, and "hours.more" for stretch rungs.
std::map<std::string, std::string> hours_of(const json& table) {
  double required = 0, more = 0;
  for (const json& step : table.value("steps", json::array()))
    (step.value("kind", "") == "S" ? more : required) += step.value("hours", 0.0);
  return {{"hours.required", fmt::format("{:g}", required)}, {"hours.more", fmt::format("{:g}", more)}};
}

/// A limit as a page may promise it: rounded so that every number within the promise is within the target.
double limit_shown(double amount, double bound, bool at_least, int decimals) {
  const double unit = std::pow(10.0, -decimals), limit = at_least ? amount / bound : amount * bound;
  constexpr double tiny = 1e-9;  // of the limit: 1.1 * 12 is 13.2, whatever its last bit is
  return at_least ? std::ceil(limit * (1 - tiny) / unit) * unit
                  : std::floor(limit * (1 + tiny) / unit) * unit;
}

}  // namespace

std::string value_text(const json& answer) {
  if (!answer.contains("value") || !answer["value"].is_number()) return "";
  const double value = answer["value"];
  const int decimals = static_cast<int>(answer.value("decimals", 0.0));
  const std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const auto point = std::min(text.find('.'), text.size());
  const std::string whole = grouped(std::stod(text.substr(0, point)));
  const bool zero = text.find_first_not_of("0.") == text.npos;  // "-0" is no number for a page
  return (value < 0 && !zero ? "-" : "") + whole + text.substr(point);
}

PageValues::PageValues(std::filesystem::path root, const Tables& tables) : root_(std::move(root)) {
  for (const auto& [lesson, table] : tables) {
    auto& values = values_[lesson];
    of_table_[lesson] = hours_of(table);
    of_table_[lesson]["needs"] = needs_of_lesson(tables, lesson, "lessons/" + lesson + "/README.md");
    std::map<std::string, int> seen;
    for (json answer : table.value("answers", json::array())) {
      const std::string name = answer.value("name", "");
      const int nth = ++seen[name];
      if (answer.contains("limit")) {
        const json& limit = answer["limit"];
        const json bound = bound_of(table, limit);
        if (!bound.is_number()) {
          wrong_.push_back({answers_file(lesson), line_of(lesson, name, nth),
                            fmt::format("the limit {} belongs to no target: {} has none of {} at size {}",
                                        name, limit["rung"].get<std::string>(),
                                        limit["amount"].get<std::string>(), limit["size"].get<int>())});
        } else if (answer["value"].is_number()) {
          answer["value"] = limit_shown(answer["value"], bound, limit["at_least"], answer["decimals"]);
        }
      }
      const std::string text = value_text(answer);
      if (nth == 2)
        wrong_.push_back({answers_file(lesson), line_of(lesson, name, 2),
                          fmt::format("the value {} is here twice", name)});
      if (text.empty())
        wrong_.push_back({answers_file(lesson), line_of(lesson, name, nth),
                          fmt::format("the value {} is no number", name)});
      values[name] = {text};
    }
  }
}

bool PageValues::has_value(const std::string& line) {
  return line.find(begins) != line.npos || line.find(ends) != line.npos;
}

std::string PageValues::filled(const std::string& page, std::size_t number, const std::string& line,
                               std::vector<PageProblem>& problems) {
  const auto problem = [&](const std::string& text) { problems.push_back({page, number, text}); };
  const std::string lesson = lesson_of_page(page);
  const auto known = values_.find(lesson);
  if (lesson.empty() || known == values_.end()) return line;
  if (line.compare(std::min(line.find_first_not_of(' '), line.size()), begins.size(), begins) == 0)
    problem("a value does not begin a line: Markdown would take the whole line for HTML");
  std::string out;
  std::size_t from = 0;
  for (std::size_t at; (at = line.find(begins, from)) != line.npos;) {
    const auto name_at = at + begins.size(), close = line.find(closes, name_at);
    if (close == line.npos) break;
    const std::string name = line.substr(name_at, close - name_at);
    const auto text_at = close + closes.size(), end = line.find(ends, text_at),
               next = line.find(begins, text_at);
    if (end == line.npos || next < end) {
      problem(fmt::format("the value {} has no end on its line: <!-- = {} -->…{}", name, name, ends));
      return line;
    }
    const std::string before = line.substr(from, at - from);
    if (before.find(ends) != before.npos) problem(fmt::format("{} without a value before it", ends));
    out += before + line.substr(at, text_at - at);
    if (const auto value = known->second.find(name); value != known->second.end()) {
      value->second.used = true;
      out += value->second.text;
    } else if (const auto row = of_table_[lesson].find(name); row != of_table_[lesson].end()) {
      out += row->second;
    } else {
      std::vector<std::string> names;
      for (const auto& [one, unused] : known->second) names.push_back(one);
      problem(names.empty() ? fmt::format("there is no value {}: {} has none", name, answers_file(lesson))
                            : fmt::format("there is no value {}: {} has {}", name, answers_file(lesson),
                                          fmt::join(names, ", ")));
      out += line.substr(text_at, end - text_at);
    }
    out += ends;
    from = end + ends.size();
  }
  const std::string rest = line.substr(from);
  if (rest.find(ends) != rest.npos) problem(fmt::format("{} without a value before it", ends));
  return out + rest;
}

std::size_t PageValues::line_of(const std::string& lesson, const std::string& name, int nth) const {
  std::ifstream in(root_ / answers_file(lesson));
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find('"' + name + '"') != line.npos && --nth == 0) return number;
  }
  return 0;
}

std::vector<PageProblem> PageValues::wrong(const std::string& below) const {
  std::vector<PageProblem> problems;
  for (const PageProblem& one : wrong_)
    if (below.empty() || "lessons/" + one.file.substr(6, one.file.rfind('/') - 5) == below)
      problems.push_back(one);
  return problems;
}

std::vector<PageProblem> PageValues::unused(const std::string& below) const {
  std::vector<PageProblem> problems;
  for (const auto& [lesson, values] : values_)
    for (const auto& [name, value] : values)
      if (!value.used && (below.empty() || "lessons/" + lesson + "/" == below))
        problems.push_back({answers_file(lesson), line_of(lesson, name),
                            fmt::format("the value {} is on no page of lessons/{}", name, lesson)});
  return problems;
}

}  // namespace ladder::report
