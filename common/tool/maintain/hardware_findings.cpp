#include "common/tool/maintain/hardware_findings.hpp"

#include <algorithm>
#include <set>

#include "common/base/files/json_file.hpp"
#include "common/base/observation/observation.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* sanitizer_tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};

/// The kinds that the executor reports; with "note" before what is told but not held against a program. Means
/// nothing when Ctrl-C came; so does what the tools say.
json executor_says(Context& context, const json& row, const char* variant) {
  const fs::path file = context.scratch() / "planted.json";
  fs::remove(file);
  const std::string program =
      context.build.file("programs/planted/" + row["program"].get<std::string>()).string();
  const ProcessResult ended = run_process({.arguments = {program, row["case"], variant},
                                           .environment = {{"LADDER_EXECUTOR_OBSERVE", file.string()}},
                                           .seconds = 60});
  if (ended.interrupted) return nullptr;
  const Observation observation = parse_observation(read_text(file));
  std::set<std::string> kinds;
  for (const Finding& finding : observation.findings)
    kinds.insert(finding.severity == "note" ? "note " + finding.kind : finding.kind);
  return kinds;
}

/// The first line of a log that names an error or hazard; the summary when there is none but it counts some.
std::string first_error(const std::string& log) {
  std::string found;
  for (const std::string& line : lines_of(log)) {
    if (line.rfind("========= ", 0) != 0) continue;
    const std::string text = line.substr(10);
    const bool summary = text.find("SUMMARY: ") != text.npos;
    if (summary && text.find("SUMMARY: 0 ") != text.npos) return "";
    if (found.empty() && text.rfind("COMPUTE-SANITIZER", 0) != 0 && text[0] != ' ') found = text;
  }
  return found;
}

/// What each of the four tools says; they run at the same time.
json sanitizer_says(Context& context, const std::string& sanitizer, const json& row, const char* variant) {
  const fs::path folder = context.scratch() / "sanitizer";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string program =
      context.build.file("programs/planted/" + row["program"].get<std::string>() + ".cuda").string();
  std::vector<std::string> command = {
      "sh",
      "-c",
      "s=$1 d=$2; shift 2; for t in memcheck racecheck initcheck synccheck; do more=; "
      "[ $t != memcheck ] || more='--leak-check full'; "
      "\"$s\" --tool $t $more \"$@\" >\"$d/$t\" 2>&1 & done; wait",
      "sh",
      sanitizer,
      folder.string(),
      program,
      row["case"],
      variant};
  if (run_process({.arguments = std::move(command), .seconds = 120}).interrupted) return nullptr;
  json said = json::object();
  for (const char* tool : sanitizer_tools)
    if (const std::string error = first_error(read_text(folder / tool)); !error.empty()) said[tool] = error;
  return said;
}

std::string joined(const json& list) {
  std::string text;
  for (const json& one : list) text += (text.empty() ? "" : ", ") + one.get<std::string>();
  return text;
}

}  // namespace

json judge_planted(Context& context, bool gpu) {
  const json rows = need_json(context.root / "common/programs/planted/planted.json");
  const std::string sanitizer = gpu ? find_program("compute-sanitizer") : "";
  std::set<std::string> programs;
  for (const json& row : rows) programs.insert(row["program"].get<std::string>());
  std::vector<std::string> targets;
  for (const std::string& program : programs) {
    targets.push_back("programs/planted/" + program);
    if (!sanitizer.empty()) targets.push_back("programs/planted/" + program + ".cuda");
  }
  const auto failures = context.build.make(targets, context.build_progress());
  if (!failures.empty() && !interrupted())
    throw UsageError{failures.begin()->first + " does not build: ./ladder test --part units says why"};
  json cases = json::array();
  for (const json& row : rows) {
    context.terminal.progress("planted mistakes",
                              static_cast<double>(cases.size()) / static_cast<double>(rows.size()));
    json one = {
        {"program", row["program"]}, {"case", row["case"]}, {"what", row["what"]}, {"kind", row["kind"]}};
    if (row.contains("note")) one["note"] = row["note"];
    for (const char* variant : {"wrong", "right"}) {
      one[variant]["executor"] = executor_says(context, row, variant);
      one[variant]["sanitizer"] =
          sanitizer.empty() ? json() : sanitizer_says(context, sanitizer, row, variant);
    }
    if (interrupted()) break;
    cases.push_back(one);
  }
  return cases;
}

int print_planted(Context& context, const json& cases) {
  report::Table table(
      {{"planted mistake"}, {"executor", false, true}, {"compute-sanitizer", false, true}, {"without it"}});
  int missed = 0;
  for (const json& one : cases) {
    const json& wrong = one["wrong"];
    const json& right = one["right"];
    std::string tools_said = wrong["sanitizer"].is_null() ? "did not run" : "";
    if (wrong["sanitizer"].is_object())
      for (const auto& [tool, text] : wrong["sanitizer"].items())
        tools_said += (tools_said.empty() ? "" : ", ") + tool;
    const bool silent = std::all_of(right["executor"].begin(), right["executor"].end(), [](const json& kind) {
      return kind.get<std::string>().rfind("note ", 0) == 0;
    });
    const bool unseen =
        wrong["executor"].empty() && wrong["sanitizer"].is_object() && !wrong["sanitizer"].empty();
    missed += unseen || !silent;
    table.add({one["case"], unseen ? "MISSED" : joined(wrong["executor"]), tools_said,
               silent ? "silent" : "ACCUSED: " + joined(right["executor"])});
  }
  context.terminal.print(table.text(static_cast<std::size_t>(context.terminal.width())));
  return missed;
}

}  // namespace ladder
