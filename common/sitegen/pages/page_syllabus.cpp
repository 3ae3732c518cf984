/// @file
/// The ways through the lessons: the path of the README, and the weeks of a course.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

#include "common/base/text/step_name.hpp"
#include "common/report/results/page_text.hpp"
#include "common/sitegen/pages/page_parts.hpp"
#include "common/sitegen/prerequisites.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

Lines split(const std::string& text, char at) {
  Lines parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

Lines names_of(const Station& station) {
  Lines names;
  for (const json& row : station.rows) names.push_back(row.value("name", ""));
  return names;
}

double hours_of(const Station& station) {
  return std::accumulate(station.rows.begin(), station.rows.end(), 0.0,
                         [](double sum, const json& row) { return sum + row.value("hours", 0.0); });
}

/// The numbers of a row that can be said before the run. Findings and the share of each core cannot.
std::string predicted(const json& row) {
  static const std::set<std::string> not_predicted = {"findings", "balance", "ulps"};
  Lines metrics;
  for (const json& target : row.value("targets", json::array()))
    if (const std::string metric = target.value("metric", ""); !not_predicted.count(metric))
      metrics.push_back(metric);
  return metrics.empty() ? "" : fmt::format("{}: {}", id_of(row.value("name", "")), fmt::join(metrics, ", "));
}

}  // namespace

Station PartMaker::station(const std::string& text) const {
  static const std::regex part(R"(([0-9][0-9])(?:/([a-z])([0-9]+)(-(?:[a-z]([0-9]+))?)?)?)");
  std::smatch found;
  if (!std::regex_match(text, found, part))
    throw UnknownPart("a way has lessons and rungs, 03/g1-g3, not " + text);
  const auto table = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const auto& one) { return one.first.substr(0, 2) == found[1].str(); });
  if (table == tables_.end()) throw UnknownPart("there is no lesson " + found[1].str());
  Station station = {table->first, table->second.value("title", ""), {}};
  const int first = found[2].matched ? std::stoi(found[3]) : 0;
  for (const json& row : table->second.at("steps")) {
    const std::string name = row.value("name", "");
    const int at = std::stoi(name.substr(1));
    const bool named = name[0] == (found[2].matched ? found[2].str()[0] : name[0]) && at >= first;
    if (named && (!found[2].matched ||
                  (found[5].matched ? at <= std::stoi(found[5]) : found[4].matched || at == first)))
      station.rows.push_back(row);
  }
  if (station.rows.empty()) throw UnknownPart(text + " names no rung");
  return station;
}

Lines PartMaker::path(const std::string& page, const Lines& stations) const {
  Lines lines = markdown_head({"lesson", "rungs", "hours", "stretch hours"});
  double all = 0, all_more = 0;
  std::set<std::string> climbed;
  Lines on_path;
  for (const std::string& text : stations) {
    const Station station = this->station(text);
    on_path.push_back(station.lesson);
    for (const json& row : station.rows) climbed.insert(station.lesson + "/" + row.value("name", ""));
    for (const json& row : station.rows)
      if (const std::string missing = missing_prerequisite(tables_, row, climbed);
          !missing.empty() && row.value("kind", "") != "S")
        throw UnknownPart(fmt::format("{}/{} needs {}, which is not on the path before it", station.lesson,
                                      row.value("name", ""), missing));
    double hours = 0, more = 0;
    for (const json& row : station.rows)
      (row.value("kind", "") == "S" ? more : hours) += row.value("hours", 0.0);
    all += hours, all_more += more;
    lines.push_back(
        markdown_row({link(page, fs::path("lessons") / station.lesson / "README.md", station.title),
                      text.substr(0, 2) + ": " + ranges_of(names_of(station)), fmt::format("{:g}", hours),
                      more > 0 ? fmt::format("{:g}", more) : ""}));
  }
  lines.push_back(markdown_row({"together", "", fmt::format("{:g}", all), fmt::format("{:g}", all_more)}));
  lines.insert(lines.end(),
               {"", "The numbers are the order: required rungs need only what comes before them."});
  if (const std::string others = off_path(tables_, on_path, page); !others.empty())
    lines.back() += " " + others;
  return lines;
}

namespace {

/// What has been taught so far, and whether the next rung may follow it.
class Taught {
 public:
  explicit Taught(const Tables& tables) : tables_(tables) {}

  /// @param all  the rows of the lesson  @throws UnknownPart
  void add(const std::string& lesson, const json& row, const json& all) {
    const std::string name = row.value("name", ""), whole = lesson + "/" + name;
    for (const json& one : all) {
      const std::string before = one.value("name", "");
      if (before == name) break;
      if (before[0] == name[0] && one.value("kind", "") != "S" && !names_.count(lesson + "/" + before))
        throw UnknownPart(fmt::format("{} comes before {}", whole, id_of(before)));
    }
    if (!names_.insert(whole).second) throw UnknownPart(whole + " is there twice");
    if (const std::string missing = missing_prerequisite(tables_, row, names_); !missing.empty())
      throw UnknownPart(fmt::format("{} comes before {}, which it needs", whole, missing));
  }

 private:
  const Tables& tables_;
  std::set<std::string> names_{};
};

/// The cells of one week, in which several stations may stand.
struct Week {
  Lines topics, rungs, predictions, outcomes;
  double hours = 0;

  void add(const std::string& page, const Station& station) {
    const std::string topic = link(page, fs::path("lessons") / station.lesson / "README.md", station.title);
    if (topics.empty() || topics.back() != topic) topics.push_back(topic);
    rungs.push_back(station.lesson.substr(0, 2) + ": " + ranges_of(names_of(station)));
    hours += hours_of(station);
    for (const json& row : station.rows) {
      outcomes.push_back(id_of(row.value("name", "")) + ": " + row.value("idea", ""));
      if (const std::string said = predicted(row); !said.empty()) predictions.push_back(said);
    }
  }

  std::string row(int number) const {
    const auto joined = [](const Lines& lines) { return fmt::format("{}", fmt::join(lines, "<br>")); };
    return markdown_row({fmt::format("{}", number), joined(topics), joined(rungs), fmt::format("{:g}", hours),
                         joined(predictions), joined(outcomes)});
  }
};

}  // namespace

Lines PartMaker::syllabus(const std::string& page, const Lines& arguments) const {
  static const std::regex number("[1-9][0-9]?");
  if (arguments.size() < 3 || !std::regex_match(arguments[0], number) ||
      !std::regex_match(arguments[1], number))
    throw UnknownPart("generated: syllabus WEEKS HOURS WEEK …");
  const Lines weeks(arguments.begin() + 2, arguments.end());
  const int most = std::stoi(arguments[1]);
  if (static_cast<int>(weeks.size()) != std::stoi(arguments[0]))
    throw UnknownPart(fmt::format("{} weeks are said, and {} are there", arguments[0], weeks.size()));
  Taught taught(tables_);
  Lines lines = markdown_head({"week", "topic and page", "rungs", "hours", "predict", "outcomes"});
  double all = 0;
  for (std::size_t i = 0; i < weeks.size(); ++i) {
    const int at = static_cast<int>(i) + 1;
    if (weeks[i] == "exam") {
      lines.push_back(markdown_row({fmt::format("{}", at), "exam, talks", "all so far", "", "", ""}));
      continue;
    }
    Week week;
    for (const std::string& text : split(weeks[i], ',')) {
      const Station station = this->station(text);
      for (const json& row : station.rows) taught.add(station.lesson, row, rows(station.lesson));
      week.add(page, station);
    }
    if (week.hours > most + 1e-9)
      throw UnknownPart(fmt::format("week {} has {:g} hours, and {} are there", at, week.hours, most));
    all += week.hours;
    lines.push_back(week.row(at));
  }
  lines.push_back(markdown_row({"", "together", "", fmt::format("{:g}", all), "", ""}));
  return lines;
}

}  // namespace ladder::report
