#include "common/grade/csv.hpp"

#include <set>

#include "common/grade/record.hpp"

namespace ladder::grade {
namespace {

using model::GradeRecord;

/// Points of a step's entries, of all phases.
struct Cell {
  double points = 0;
  std::string verdict;
};

std::map<std::string, Cell> cells_of(const GradeRecord& record) {
  std::map<std::string, Cell> cells;
  for (const model::GradeEntry& step : record.steps) {
    Cell& cell = cells[step_id(step)];
    cell.points += step.points.value_or(0);
    const std::string& verdict = step.student.verdict;
    if (cell.verdict.empty())
      cell.verdict = verdict;
    else if (cell.verdict != verdict)
      cell.verdict += ", " + verdict;
  }
  return cells;
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",;\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

bool is_formula(const std::string& text) {
  if (text.size() < 2 || std::string_view("=+-@\t\r\n").find(text[0]) == std::string_view::npos) return false;
  return text.find_first_not_of("+-0123456789.,") != text.npos;
}

std::string csv_name(const std::string& name) {
  return is_formula(name) ? "'" + name : name;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line + "\r\n";
}

std::string overview_csv(const std::vector<GradeRecord>& records,
                         const std::map<std::string, std::string>& names) {
  std::set<std::string> steps;
  for (const GradeRecord& record : records)
    for (const auto& [step, cell] : cells_of(record)) steps.insert(step);
  std::vector<std::string> head = {"pseudonym"};
  if (!names.empty()) head.emplace_back("name");
  for (const char* column :
       {"attempt", "received", "receipt", "points", "max_points", "open_points", "provisional"})
    head.emplace_back(column);
  for (const std::string& step : steps) head.insert(head.end(), {step + " points", step + " verdict"});
  std::string text = csv_line(head);
  for (const GradeRecord& record : records) {
    const std::string& pseudonym = record.pseudonym;
    const model::GradedSubmission& submission = record.submission;
    std::vector<std::string> fields = {pseudonym};
    if (!names.empty()) fields.push_back(names.contains(pseudonym) ? csv_name(names.at(pseudonym)) : "");
    double open = 0;
    for (const model::OpenPoints& item : record.open) open += item.points;
    fields.insert(fields.end(), {std::to_string(submission.attempt), submission.received, submission.receipt,
                                 points_text(record.points), points_text(record.max_points),
                                 points_text(open), is_provisional(record) ? "yes" : "no"});
    const auto cells = cells_of(record);
    for (const std::string& step : steps) {
      const auto at = cells.find(step);
      fields.insert(fields.end(), {at == cells.end() ? "" : points_text(at->second.points),
                                   at == cells.end() ? "" : at->second.verdict});
    }
    text += csv_line(fields);
  }
  return text;
}

}  // namespace ladder::grade
