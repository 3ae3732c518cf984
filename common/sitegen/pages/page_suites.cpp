/// @file
/// Findings compared with the labels of public suites, as a table of a page.

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "common/base/files/json_file.hpp"
#include "common/report/results/page_text.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// What others have published, and which suites the table has: written by hand, with the source of each
/// number.
constexpr const char* published_file = "docs/results/published-suites.json";

std::string number_text(const json& object, const char* field) {
  const json value = object.value(field, json());
  return value.is_number() ? fmt::format("{}", value.get<std::size_t>()) : "not stated";
}

std::string share_text(const json& object, const char* field) {
  const json value = object.value(field, json());
  return value.is_number() ? fmt::format("{:.3f}", value.get<double>()) : "";
}

/// "Indigo3, races only, 300 programs of it, 43 of them not counted"
std::string suite_name(const json& run, const json& counts, std::size_t clean, const std::string& what) {
  std::string name = run.value("suite", "") + what;
  const std::size_t sample = run.value("sample", std::size_t{0});
  const std::size_t counted = counts.value("labelled", std::size_t{0}) + clean;
  if (sample > 0) name += fmt::format(", {} programs of it", sample);
  if (sample > counted) name += fmt::format(", {} of them not counted", sample - counted);
  return name;
}

/// @param counts  of all programs, or of races only
/// @param what    added to the suite's name
std::vector<std::string> cells_of(const json& run, const json& counts, std::size_t clean,
                                  const std::string& what) {
  return {suite_name(run, counts, clean, what),
          run.value("backend", ""),
          number_text(counts, "labelled"),
          number_text(counts, "found"),
          number_text(counts, "warned"),
          number_text(counts, "missed"),
          number_text(counts, "not_applicable"),
          number_text(counts, "not_judged"),
          fmt::format("{}", clean),
          number_text(counts, "accused"),
          number_text(counts, "accused_by_warning"),
          share_text(counts, "recall"),
          share_text(counts, "precision")};
}

/// What a page needs of the cells of a suite's run (PartMaker::suite_cells): found, of those that were
/// judged.
std::string short_row(const std::vector<std::string>& cells, const std::string& from) {
  const auto number = [&](std::size_t i) { return std::strtoul(cells[i].c_str(), nullptr, 10); };
  enum { suite, tool, labelled, found, warned, missed, not_applicable, not_judged, clean, accused };
  const std::string with_warning =
      number(warned) > 0 ? fmt::format(", and {} by a warning", cells[warned]) : "";
  return markdown_row(
      {cells[suite], cells[tool],
       fmt::format("{} of {}{}", cells[found], number(labelled) - number(not_applicable) - number(not_judged),
                   with_warning),
       cells[missed], fmt::format("{} of {}", cells[accused], cells[clean]), from});
}

std::string published_row(const json& row) {
  const auto of = [&](const char* part, const char* whole) {
    return number_text(row, part) + " of " + number_text(row, whole);
  };
  return markdown_row({row.value("suite", ""), row.value("tool", ""), of("found", "labelled"),
                       number_text(row, "missed"), of("accused", "clean"), row.value("source", "")});
}

}  // namespace

std::vector<PartMaker::Lines> PartMaker::suite_cells(const json& run) {
  const json &all = run.at("all"), races = run.value("races", json::object());
  std::vector<Lines> rows = {cells_of(run, all, run.value("clean", std::size_t{0}), "")};
  const std::size_t labelled = races.value("labelled", std::size_t{0});
  if (labelled > 0 && labelled != all.value("labelled", std::size_t{0}))
    rows.push_back(cells_of(run, races, run.value("without_races", std::size_t{0}), ", races only"));
  return rows;
}

PartMaker::Lines PartMaker::suites() const {
  Lines lines =
      markdown_head({"suite", "tool", "found, of applicable", "missed", "accused wrongly", "where from"});
  const json published = need_json(root_ / published_file);
  for (const std::string suite : published.at("suites")) {
    for (const char* backend : {"executor", "compute-sanitizer"}) {
      const std::size_t before = lines.size();
      for (const StoredMachine& machine : suites_) {
        for (const json& run : machine.suites->content)
          if (run.value("suite", "") == suite && run.value("backend", "") == backend)
            for (const Lines& cells : suite_cells(run))
              lines.push_back(
                  short_row(cells, fmt::format("{}, {}", machine.name, run.value("date", "").substr(0, 10))));
      }
      if (lines.size() == before)
        lines.push_back(markdown_row({suite, backend, "*not run yet*", "", "", ""}));
    }
    for (const json& row : published.at("published"))
      if (row.value("suite", "") == suite) lines.push_back(published_row(row));
  }
  return lines;
}

}  // namespace ladder::report
