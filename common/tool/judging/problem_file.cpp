#include "common/tool/judging/problem_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "common/base/usage_error.hpp"
#include "common/tool/judging/plan_file.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The record of the judge; null: it wrote none. Not one of those that come while steps run, so no Tail.
json record_of_file(const fs::path& results) {
  std::ifstream in(results);
  for (std::string line; std::getline(in, line);)
    if (const json record = json::parse(line, nullptr, false);
        record.is_object() && record.value("record", "") == "file")
      return record;
  return nullptr;
}

}  // namespace

void require_matrix(const Options& options, const std::vector<LessonEntry*>& lessons) {
  if (options.matrix.empty()) return;
  for (const LessonEntry* lesson : lessons)
    if (lesson->problem.empty()) lesson->require_matrix();
  if (fs::is_directory(options.matrix)) throw UsageError{options.matrix + " is a folder, not a matrix"};
  if (!std::ifstream(options.matrix)) throw UsageError{options.matrix + ": cannot be opened"};
}

std::optional<model::OwnFile> describe_matrix(Context& context, const Task& task) {
  const std::string judge = "judges/" + task.lesson->name, &file = context.options.matrix;
  if (!context.build.knows(judge)) return std::nullopt;
  const auto failures = context.build.make(
      {judge}, [&](const std::string& what, double done) { context.terminal.progress(what, done); });
  if (!failures.empty() || interrupted()) return std::nullopt;
  context.terminal.progress("reading " + file, 0);
  Task asked = task;
  asked.kinds.clear();
  const fs::path scratch = context.scratch() / "matrix", log = scratch / "judge.log";
  fs::create_directories(scratch);
  const Plan plan = make_plan(context, asked, scratch, [](const std::string&) { return false; });
  const ProcessResult ended =
      run_process({.arguments = {context.build.file(judge)}, .environment = write_plan(plan), .log = log});
  if (ended.interrupted) return std::nullopt;
  const json record = record_of_file(plan.results);
  if (!record.is_object())
    throw UsageError{fmt::format("{}: the judge of {} ended while it read it, with status {}", file,
                                 task.lesson->name, ended.status)};
  if (record.contains("problem")) throw UsageError{record["problem"].get<std::string>()};
  const json holds = record.value("holds", json::object());
  return model::OwnFile{fs::path(file).filename(), holds.at("n"), holds.at("nnz")};
}

}  // namespace ladder
