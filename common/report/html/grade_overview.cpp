/// @file
/// The overview of a batch: what each submission has, what waits for a person, and which items fail for how
/// many.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "common/report/figures/grade_figures.hpp"
#include "common/report/html/grade_pages.hpp"
#include "common/report/html/html.hpp"
#include "common/report/results/grade_text.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// A count and, where it stands for messages, one of them.
struct Count {
  std::set<std::string> submissions{};
  std::map<std::string, int> messages{};
};

struct Item {
  std::string file;
  std::vector<double> shares{};
  std::map<std::string, int> verdicts{};
  std::map<std::string, Count> failures{};  ///< by what failed: a class of cases, a target, the build
};

/// A message without what differs from one submission to the next: sizes, indices, numbers.
std::string kind_of_message(const std::string& message) {
  std::string kind;
  bool number = false;
  for (std::size_t i = 0; i < message.size() && kind.size() < 120; ++i) {
    const char c = message[i];
    // The digits of g1_naive and of 03-dgemm are part of a name.
    const bool in_name =
        i > 0 && (std::isalpha(static_cast<unsigned char>(message[i - 1])) || message[i - 1] == '/');
    const bool digit = c >= '0' && c <= '9' && (number || !in_name);
    if (digit && !number) kind += "#";
    number = digit || (number && (c == '.' || c == ',' || c == 'e' || c == '-'));
    if (!number) kind += c;
    if (message.compare(i, 3, "   ") == 0) break;  // what follows is how many cases of each class are right
  }
  return kind;
}

void count_failures(Item& item, const json& step, const std::string& pseudonym, const std::string& verdict) {
  std::string said = step.value("message", "");
  for (const json& kind : step.value("kinds", json::array()))
    if (kind.value("verdict", "") == verdict) said = kind.value("message", "");
  const std::string message = kind_of_message(said);
  const auto add = [&](const std::string& what) {
    Count& count = item.failures[what];
    count.submissions.insert(pseudonym);
    ++count.messages[verdict + ": " + message];
  };
  bool named = false;
  // Cases of a step that was never called, or that a person has to look at, say nothing about the cases.
  const bool called =
      verdict == "WRONG" || verdict == "CRASHED" || verdict == "TIMEOUT" || verdict == "MISSED";
  if (called)
    for (const json& one : step.value("cases", json::array()))
      if (one.value("passed", 0) < one.value("of", 0)) add("cases: " + one.value("class", "")), named = true;
  for (const json& one : step.value("targets", json::array()))
    if (one.contains("met") && one["met"] == false) add("target: " + one.value("metric", "")), named = true;
  if (!named) add(verdict);
}

std::map<std::string, Item> items_of(const std::vector<json>& records) {
  std::map<std::string, Item> items;
  for (const json& record : records)
    for (const json& step : record.at("steps")) {
      const std::string part = step.value("part", "");
      Item& item = items[label(step) + (part.empty() ? "" : ", " + part)];
      item.file = step.value("file", "");
      const double most = number_of(step, "max_points");
      if (most > 0) item.shares.push_back(number_of(step, "points") / most);
      const std::string verdict = step.value("verdict", "");
      ++item.verdicts[verdict];
      if (verdict != "PASS" && verdict != "SKIPPED")
        count_failures(item, step, record.value("pseudonym", ""), verdict);
    }
  return items;
}

std::string counted(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [what, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  return text;
}

void add_item(HtmlPage& page, const std::string& name, const Item& item) {
  page.heading(name + " " + item.file).paragraph(counted(item.verdicts));
  if (!item.shares.empty()) page.figure(points_histogram(name, item.shares));
  std::vector<std::pair<std::string, const Count*>> order;
  for (const auto& [what, count] : item.failures) order.emplace_back(what, &count);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second->submissions.size() > b.second->submissions.size();
  });
  std::vector<std::vector<std::string>> rows;
  for (const auto& [what, count] : order) {
    const auto most = std::max_element(count->messages.begin(), count->messages.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    rows.push_back({what, std::to_string(count->submissions.size()),
                    fmt::format("{} of them: {}", most->second, most->first)});
  }
  if (!rows.empty())
    page.table("What fails, and for how many", {{"what"}, {"submissions", true}, {"most common message"}},
               rows);
}

std::string page_of(const json& record) {
  return "pages/" + record.value("pseudonym", "") + ".html";
}

/// Steps for which something was handed in and nothing taken. @return whether there are any
bool add_untaken(HtmlPage& page, const std::vector<json>& records) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> pages;
  for (const json& record : records)
    for (const json& step : record.at("steps"))
      if (step.contains("untaken")) {
        rows.push_back({record.value("pseudonym", ""), label(step), step.value("untaken", ""),
                        step.at("staff").value("evidence", "")});
        pages.push_back(page_of(record));
      }
  if (rows.empty()) return false;
  page.paragraph(
      "Something was handed in, and nothing of it was taken for these steps: 0 points until somebody has "
      "looked. "
      "./ladder amend takes a file for a step; ./ladder review --accept leaves it at 0.");
  page.table(fmt::format("{} {} without a file", rows.size(), rows.size() == 1 ? "step" : "steps"),
             {{"submission"}, {"step"}, {"what was there"}, {"why"}}, rows, pages);
  return true;
}

void add_waiting(HtmlPage& page, const std::vector<json>& records) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> pages;
  for (const json& record : records)
    for (const json& step : record.at("steps"))
      if (step.at("student").value("verdict", "") == "PROVISIONAL") {
        rows.push_back({record.value("pseudonym", ""), label(step), step.at("staff").value("verdict", ""),
                        step.at("staff").value("evidence", "")});
        pages.push_back(page_of(record));
      }
  page.heading("What waits for a person");
  const bool untaken = add_untaken(page, records);
  if (rows.empty()) {
    if (!untaken) page.paragraph("Nothing.");
    return;
  }
  page.paragraph(
      "Decide with ./ladder review and the folder of these grades. Until then the student reads that points "
      "are provisional.");
  page.table(fmt::format("{} {}", rows.size(), rows.size() == 1 ? "step" : "steps"),
             {{"submission"}, {"step"}, {"verdict"}, {"evidence"}}, rows, pages);
}

/// What is in the overview for a step: words and points of its phases together.
std::string cell(const json& record, const std::string& step) {
  std::string verdicts;
  double points = 0;
  for (const json& entry : record.at("steps"))
    if (label(entry) == step) {
      verdicts += (verdicts.empty() ? "" : ", ") + entry.value("verdict", "");
      const std::string decided = entry.at("student").value("verdict", "");
      if (decided == "ACCEPTED" || decided == "DEDUCTED" ||
          (decided == "REJECTED" && entry.value("verdict", "") != decided))
        verdicts += " (" + decided + ")";
      points += number_of(entry, "points");
    }
  return verdicts.empty() ? "" : fmt::format("{} · {}", points_text(points), verdicts);
}

void add_submissions(HtmlPage& page, const std::vector<json>& records) {
  std::set<std::string> steps;
  for (const json& record : records)
    for (const json& step : record.at("steps")) steps.insert(label(step));
  std::vector<Column> columns = {{"submission"}, {"points", true}};
  for (const std::string& step : steps) columns.push_back({step});
  columns.insert(columns.end(), {{"open", true}, {"files refused", true}});
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> pages;
  for (const json& record : records) {
    std::vector<std::string> row = {record.value("pseudonym", ""), points_of(record)};
    for (const std::string& step : steps) row.push_back(cell(record, step));
    double open = 0;
    for (const json& item : record.value("open", json::array())) open += number_of(item, "points");
    const std::size_t refused = record.at("submission").value("refused", json::array()).size();
    row.push_back(open > 0 ? points_text(open) : "");
    row.push_back(refused > 0 ? std::to_string(refused) : "");
    rows.push_back(std::move(row));
    pages.push_back(page_of(record));
  }
  page.heading("Submissions")
      .table("By pseudonym, each with a link to its page: points and verdict of each step", columns, rows,
             pages);
}

/// The values of a field over all records, without the same one twice.
std::string all_of(const std::vector<json>& records, const json::json_pointer& field) {
  std::set<std::string> values;
  for (const json& record : records)
    if (record.contains(field) && record[field].is_string()) values.insert(record[field].get<std::string>());
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

}  // namespace

std::string overview_page(const std::vector<json>& records) {
  HtmlPage page("Grades");
  if (records.empty()) return page.paragraph("No submission has been graded.").text();
  std::vector<double> points;
  for (const json& record : records) points.push_back(number_of(record, "points"));
  std::sort(points.begin(), points.end());
  const std::size_t half = points.size() / 2;
  const double median = points.size() % 2 == 1 ? points[half] : (points[half - 1] + points[half]) / 2;
  page.note("For staff: it has words and evidence that students do not read.");
  page.facts({{"Submissions", std::to_string(records.size())},
              {"Points", fmt::format("median {}, lowest {}, highest {}", points_text(median),
                                     points_text(points.front()), points_text(points.back()))},
              {"Sandbox", all_of(records, json::json_pointer("/sandbox"))},
              {"Machine", all_of(records, json::json_pointer("/machine/cpu"))},
              {"Ladder", all_of(records, json::json_pointer("/ladder/commit"))},
              {"Class key", all_of(records, json::json_pointer("/key_id"))}});
  add_waiting(page, records);
  add_submissions(page, records);
  for (const auto& [name, item] : items_of(records)) add_item(page, name, item);
  return page.text();
}

}  // namespace ladder::report
