/// @file
/// The overview of a batch: what each submission has, what waits for a person, and which items fail for how
/// many.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "common/base/text/points_text.hpp"
#include "common/report/figures/grade_figures.hpp"
#include "common/report/html/grade_pages.hpp"
#include "common/report/html/html.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using model::GradeEntry;
using model::GradeRecord;
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

void count_failures(Item& item, const GradeEntry& step, const std::string& pseudonym) {
  const std::string verdict(name(step.verdict));
  std::string said = step.message;
  for (const model::KindResult& kind : step.kinds)
    if (kind.verdict == step.verdict) said = kind.message;
  const std::string message = kind_of_message(said);
  const auto add = [&](const std::string& what) {
    Count& count = item.failures[what];
    count.submissions.insert(pseudonym);
    ++count.messages[verdict + ": " + message];
  };
  bool named = false;
  // Cases of a step that was never called, or that a person has to look at, say nothing about the cases.
  const bool called = step.verdict == Verdict::wrong || step.verdict == Verdict::crashed ||
                      step.verdict == Verdict::timeout || step.verdict == Verdict::missed;
  if (called)
    for (const model::CaseClass& one : step.cases)
      if (one.passed < one.of) add("cases: " + one.name), named = true;
  for (const model::Target& one : step.targets)
    if (one.met == false) add("target: " + one.metric), named = true;
  if (!named) add(verdict);
}

std::map<std::string, Item> items_of(const std::vector<GradeRecord>& records) {
  std::map<std::string, Item> items;
  for (const GradeRecord& record : records)
    for (const GradeEntry& step : record.steps) {
      Item& item = items[label(step) + (step.part.empty() ? "" : ", " + step.part)];
      item.file = step.file;
      const double most = step.max_points.value_or(0);
      if (most > 0) item.shares.push_back(step.points.value_or(0) / most);
      ++item.verdicts[std::string(name(step.verdict))];
      if (step.verdict != Verdict::pass && step.verdict != Verdict::skipped)
        count_failures(item, step, record.pseudonym);
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

std::string page_of(const GradeRecord& record) {
  return "pages/" + record.pseudonym + ".html";
}

/// Steps for which something was handed in and nothing taken. @return whether there are any
bool add_untaken(HtmlPage& page, const std::vector<GradeRecord>& records) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> pages;
  for (const GradeRecord& record : records)
    for (const GradeEntry& step : record.steps)
      if (!step.untaken.empty()) {
        rows.push_back({record.pseudonym, label(step), step.untaken, step.staff.evidence});
        pages.push_back(page_of(record));
      }
  if (rows.empty()) return false;
  page.paragraph(
      "Something was handed in, and nothing of it was taken for these rungs: 0 points until somebody has "
      "looked. "
      "./ladder amend takes a file for a rung; ./ladder review --accept leaves it at 0.");
  page.table(fmt::format("{} {} without a file", rows.size(), rows.size() == 1 ? "rung" : "rungs"),
             {{"submission"}, {"rung"}, {"what was there"}, {"why"}}, rows, pages);
  return true;
}

void add_waiting(HtmlPage& page, const std::vector<GradeRecord>& records) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> pages;
  for (const GradeRecord& record : records)
    for (const GradeEntry& step : record.steps)
      if (step.student.verdict == "PROVISIONAL") {
        rows.push_back(
            {record.pseudonym, label(step), std::string(name(step.staff.verdict)), step.staff.evidence});
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
  page.table(fmt::format("{} {}", rows.size(), rows.size() == 1 ? "rung" : "rungs"),
             {{"submission"}, {"rung"}, {"verdict"}, {"evidence"}}, rows, pages);
}

/// What is in the overview for a step: words and points of its phases together.
std::string cell(const GradeRecord& record, const std::string& step) {
  std::string verdicts;
  double points = 0;
  for (const GradeEntry& entry : record.steps)
    if (label(entry) == step) {
      verdicts += fmt::format("{}{}", verdicts.empty() ? "" : ", ", name(entry.verdict));
      const std::string& decided = entry.student.verdict;
      if (decided == "ACCEPTED" || decided == "DEDUCTED" ||
          (decided == "REJECTED" && entry.verdict != Verdict::rejected))
        verdicts += " (" + decided + ")";
      points += entry.points.value_or(0);
    }
  return verdicts.empty() ? "" : fmt::format("{} · {}", points_text(points), verdicts);
}

void add_submissions(HtmlPage& page, const std::vector<GradeRecord>& records) {
  std::set<std::string> steps;
  for (const GradeRecord& record : records)
    for (const GradeEntry& step : record.steps) steps.insert(label(step));
  std::vector<Column> columns = {{"submission"}, {"points", true}};
  for (const std::string& step : steps) columns.push_back({step});
  columns.insert(columns.end(), {{"open", true}, {"files refused", true}});
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> pages;
  for (const GradeRecord& record : records) {
    std::vector<std::string> row = {record.pseudonym, points_text(record.points, record.max_points)};
    for (const std::string& step : steps) row.push_back(cell(record, step));
    double open = 0;
    for (const model::OpenPoints& item : record.open) open += item.points;
    const std::size_t refused = record.submission.refused.size();
    row.push_back(open > 0 ? points_text(open) : "");
    row.push_back(refused > 0 ? std::to_string(refused) : "");
    rows.push_back(std::move(row));
    pages.push_back(page_of(record));
  }
  page.heading("Submissions")
      .table("By pseudonym, each with a link to its page: points and verdict of each rung", columns, rows,
             pages);
}

/// The values of a text over all records, without the same one twice.
template <class Text>
std::string all_of(const std::vector<GradeRecord>& records, const Text& text_of) {
  std::set<std::string> values;
  for (const GradeRecord& record : records)
    if (const std::optional<std::string> value = text_of(record)) values.insert(*value);
  return fmt::format("{}", fmt::join(values, ", "));
}

/// A text of what a record has of its machine or ladder; nothing: it has none.
std::optional<std::string> text_in(const json& facts, const char* field) {
  const json text = facts.is_object() ? facts.value(field, json()) : json();
  return text.is_string() ? std::optional(text.get<std::string>()) : std::nullopt;
}

}  // namespace

std::string overview_page(const std::vector<GradeRecord>& records) {
  HtmlPage page("Grades");
  if (records.empty()) return page.paragraph("No submission has been graded.").text();
  std::vector<double> points;
  for (const GradeRecord& record : records) points.push_back(record.points);
  std::sort(points.begin(), points.end());
  const std::size_t half = points.size() / 2;
  const double median = points.size() % 2 == 1 ? points[half] : (points[half - 1] + points[half]) / 2;
  page.note("For staff: it has words and evidence that students do not read.");
  page.facts({{"Submissions", std::to_string(records.size())},
              {"Points", fmt::format("median {}, lowest {}, highest {}", points_text(median),
                                     points_text(points.front()), points_text(points.back()))},
              {"Sandbox", all_of(records, [](const auto& r) { return r.sandbox; })},
              {"Machine", all_of(records, [](const auto& r) { return text_in(r.machine, "cpu"); })},
              {"Ladder", all_of(records, [](const auto& r) { return text_in(r.ladder, "commit"); })},
              {"Class key", all_of(records, [](const auto& r) { return r.key_id; })}});
  add_waiting(page, records);
  add_submissions(page, records);
  for (const auto& [name, item] : items_of(records)) add_item(page, name, item);
  return page.text();
}

}  // namespace ladder::report
