#include "common/report/grade_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "common/report/html.hpp"
#include "common/report/results.hpp"
#include "common/report/svg.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// "8" or "7.5".
std::string points_text(double points) {
  return fmt::format("{:.4g}", std::round(points * 10) / 10);
}

std::string of(const json& item) {
  return fmt::format("{} of {}", points_text(item.value("points", 0.0)), points_text(item.value("max_points", 0.0)));
}

constexpr std::size_t bins = 10;

/// How many submissions reached which share of a step's points.
std::string histogram(const std::string& title, const std::vector<double>& shares) {
  std::vector<int> counts(bins, 0);
  for (const double share : shares) ++counts[std::min(bins - 1, static_cast<std::size_t>(std::max(0.0, share) * bins))];
  const int most = std::max(1, *std::max_element(counts.begin(), counts.end()));
  constexpr double left = 10, base = 120, tallest = 90, step = (svg::width - 2 * left) / bins;
  std::string body = svg::line(left, base, svg::width - left, base, "stroke-width=\"1\"");
  std::string said;
  for (std::size_t i = 0; i < bins; ++i) {
    const double height = tallest * counts[i] / most, x = left + step * static_cast<double>(i);
    if (counts[i] > 0) {
      body += svg::box(x + 2, base - height, step - 4, height, svg::colour(Part::rung, 0, 1));
      body += svg::text(x + step / 2, base - height - 4, std::to_string(counts[i]), "middle");
      said += fmt::format("{}{} with {} to {} %", said.empty() ? "" : ", ", counts[i], i * 100 / bins, (i + 1) * 100 / bins);
    }
    if (i % 5 == 0) body += svg::text(x, base + 18, fmt::format("{} %", i * 100 / bins), "start");
  }
  body += svg::text(svg::width - left, base + 18, "100 %", "end");
  return svg::framed({.title = title, .alternative = "Submissions by their share of the points: " + said + "."}, base + 26, body);
}

struct Item {
  std::string file;
  std::vector<double> shares{};
  std::map<std::string, int> verdicts{}, messages{}, cases{};
};

std::map<std::string, Item> items_of(const std::vector<json>& records) {
  std::map<std::string, Item> items;
  for (const json& record : records)
    for (const json& step : record.at("steps")) {
      Item& item = items[label(step)];
      item.file = step.value("file", "");
      const double most = step.value("max_points", 0.0);
      item.shares.push_back(most > 0 ? step.value("points", 0.0) / most : 0);
      const std::string verdict = step.value("verdict", "");
      ++item.verdicts[verdict];
      if (verdict == "PASS" || verdict == "SKIPPED") continue;
      const std::string message = step.value("message", "");
      ++item.messages[verdict + ": " + message.substr(0, message.find_first_of("0123456789[("))];
      for (const json& one : step.value("cases", json::array()))
        if (one.value("passed", 0) < one.value("of", 0)) ++item.cases[one.value("class", "")];
    }
  return items;
}

std::string counted(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [what, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  return text;
}

void add_item(HtmlPage& page, const std::string& name, const Item& item) {
  page.heading(name + " " + item.file).paragraph(counted(item.verdicts));
  page.figure(histogram(name + ": submissions by share of the points", item.shares));
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [what, count] : item.messages) order.emplace_back(-count, what);
  for (const auto& [what, count] : item.cases) order.emplace_back(-count, "class of cases: " + what);
  std::sort(order.begin(), order.end());
  std::vector<std::vector<std::string>> rows;
  for (const auto& [count, what] : order) rows.push_back({what, std::to_string(-count)});
  if (!rows.empty()) page.table("What fails, and for how many", {{"what"}, {"submissions", true}}, rows);
}

void add_overview_table(HtmlPage& page, const std::vector<json>& records) {
  std::vector<Column> columns = {{"submission"}, {"points", true}};
  if (!records.empty())
    for (const json& step : records.front().at("steps")) columns.push_back({label(step)});
  std::vector<std::vector<std::string>> rows;
  for (const json& record : records) {
    std::vector<std::string> row = {record.value("pseudonym", ""), of(record)};
    for (const json& step : record.at("steps")) row.push_back(step.value("verdict", "") + " " + points_text(step.value("points", 0.0)));
    rows.push_back(std::move(row));
  }
  page.table(fmt::format("{} submissions", records.size()), columns, rows);
}

/// What a person has mended in the source, what it cost, and what it was before.
void add_amendment(HtmlPage& page, const json& amendment) {
  const json before = amendment.value("before", json::object());
  page.facts({{"Mended by a person", fmt::format("{} points deducted: {}", points_text(amendment.value("points", 0.0)), amendment.value("reason", ""))},
              {"Before", fmt::format("{}, {}. {}", before.value("verdict", ""), of(before), before.value("message", ""))}});
  std::istringstream lines(amendment.value("diff", ""));
  std::vector<SourceRow> rows;
  for (std::string line; std::getline(lines, line);)
    rows.push_back({.text = line, .remark = {}, .marked = line.starts_with("+") || line.starts_with("-")});
  page.listing("What was changed", rows);
}

void add_step(HtmlPage& page, const json& step) {
  const json& said = step.at("student");
  const std::string verdict = said.value("verdict", "");
  page.heading(fmt::format("{} {}: {}", label(step), step.value("file", ""), verdict));
  page.paragraph(fmt::format("{} points. {}", of(step), said.value("message", "")));
  if (step.contains("amendment")) add_amendment(page, step["amendment"]);
  std::vector<std::pair<std::string, std::string>> facts;
  for (const json& block : step.value("details", json::array()))
    if (block.is_array() && block.size() == 2 && block[0].is_string() && block[1].is_string())
      facts.emplace_back(block[0].get<std::string>(), block[1].get<std::string>());
  if (!facts.empty()) page.facts(facts);
  std::vector<std::vector<std::string>> rows;
  for (const json& one : step.value("cases", json::array()))
    rows.push_back({one.value("class", ""), fmt::format("{} of {}", one.value("passed", 0), one.value("of", 0))});
  if (!rows.empty()) page.table("Cases", {{"class"}, {"right", true}}, rows);
}

}  // namespace

std::string overview_page(const std::vector<json>& records) {
  HtmlPage page("Grades");
  if (records.empty()) return page.paragraph("No submission has been graded.").text();
  add_overview_table(page, records);
  for (const auto& [name, item] : items_of(records)) add_item(page, name, item);
  return page.text();
}

std::string student_page(const json& record) {
  HtmlPage page("Grade of " + record.value("pseudonym", ""));
  page.paragraph("Points: " + record.value("total", ""));
  const json& submission = record.at("submission");
  page.facts({{"Received", fmt::format("attempt {}, {} files, receipt {}", submission.value("attempt", 1),
                                       submission.value("files", json::array()).size(),
                                       submission.value("receipt", ""))},
              {"Judged in", record.value("sandbox", "")}});
  for (const json& step : record.at("steps")) add_step(page, step);
  std::vector<std::vector<std::string>> rows;
  for (const json& file : submission.value("refused", json::array())) rows.push_back({file.value("path", ""), file.value("why", "")});
  if (!rows.empty()) page.heading("Files that were not taken").table("", {{"file"}, {"why"}}, rows);
  return page.text();
}

}  // namespace ladder::report
