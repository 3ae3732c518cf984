#include "common/tool/maintain/testing/test_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* places[] = {"common", "lessons", "solutions", "tests", "docs"};
constexpr std::size_t max_verdicts = 20000;  // of about ten states of the checkout

/// What builds and judges a lesson. It includes nothing of the tool, of grading, courses and reports
/// (layers_test.cpp).
const std::vector<std::string> judging_folders = {
    "common/base",   "common/cmake", "common/device", "common/executor", "common/judge",
    "common/lesson", "common/model", "common/npb",    "common/skeleton", "common/trace"};

std::vector<std::string> with_judging(std::vector<std::string> folders) {
  folders.insert(folders.end(), judging_folders.begin(), judging_folders.end());
  return folders;
}

/// Unit programs that start no tool.
const std::map<std::string, std::vector<std::string>>& core_programs() {
  static const std::map<std::string, std::vector<std::string>> programs = {
      {"test-dgemm", {"tests/common", "lessons"}},
      {"test-cholesky", {"tests/common", "lessons", "tests/04-cholesky"}},
      {"test-counters", {"tests/common", "common/programs"}},
      {"test-executor", {"tests/common", "common/programs"}},
      {"test-findings", {"tests/common", "common/programs", "solutions"}},
      {"test-judge", {"tests/common"}},
      {"test-lessons", {"tests", "lessons", "solutions"}},
      {"test-trace", {"tests/common"}}};
  return programs;
}

std::string lesson_in(const std::string& path) {
  for (const char* mark : {"lessons/", "solutions/", "given/", "attempts/", "benches/", "variants/"})
    if (const auto at = path.find(mark); at != std::string::npos) {
      const auto begin = at + std::char_traits<char>::length(mark);
      return path.substr(begin, path.find('/', begin) - begin);
    }
  return "";
}

Deciders of_lesson(const std::string& lesson, const std::string& step) {
  return {with_judging({"lessons/" + lesson, "solutions/" + lesson, "tests/" + lesson}),
          {"CMakeLists.txt"},
          step};
}

/// Everything but the lessons that no test of the harness uses.
Deciders of_harness() {
  return {{"common", "docs", "tests/common", "tests/tool", "tests/grading", "tests/image",
           "lessons/00-first-steps", "solutions/00-first-steps", "tests/00-first-steps", "lessons/03-dgemm",
           "solutions/03-dgemm", "tests/03-dgemm"},
          {"CMakeLists.txt", "README.md", "ladder"},
          ""};
}

Deciders of_everything() {
  return {{std::begin(places), std::end(places)}, {"CMakeLists.txt", "README.md", "ladder"}, ""};
}

/// Whether a file of a lesson belongs to a step: "lessons/03-dgemm/g2_shared_tiles.cu",
/// "…/mutants/g2_shared_tiles.mutants".
bool is_of_step(const std::string& path, const std::string& step) {
  const std::string name = fs::path(path).filename();
  return name.rfind(step, 0) == 0 && name.size() > step.size() && name[step.size()] == '.';
}

}  // namespace

Deciders deciders_of(const std::string& part, const std::string& job, const std::string& step) {
  if (!step.empty()) return of_lesson(step.substr(0, step.find('/')), step.substr(step.find('/') + 1));
  if (part == "nvcc" && !lesson_in(job).empty()) return of_lesson(lesson_in(job), "");
  if (const auto core = core_programs().find(job); part == "units" && core != core_programs().end())
    return {with_judging(core->second), {"CMakeLists.txt"}, ""};
  // These look at all lessons: their pages, their tables.
  const std::set<std::string> of_all = {"test-report", "test-programs", "test-tool", "layout of sources",
                                        "site and reports in a browser"};
  return of_all.contains(job) ? of_everything() : of_harness();
}

TestStore::TestStore(fs::path root, fs::path file, std::string tools)
    : root_(std::move(root)), file_(std::move(file)), tools_(std::move(tools)), verdicts_(read_json(file_)) {
  if (!verdicts_.is_object()) verdicts_ = json::object();
  std::error_code none;
  for (const char* place : places)
    for (const auto& entry : fs::recursive_directory_iterator(root_ / place, none))
      if (entry.is_regular_file())
        files_[entry.path().lexically_relative(root_).generic_string()] = entry.path().string();
  for (const char* one : {"CMakeLists.txt", "README.md", "ladder"}) files_[one] = (root_ / one).string();
  for (const auto& [path, whole] : files_)
    if (path.rfind("lessons/", 0) == 0 && (path.ends_with(".cu") || path.ends_with(".cpp")))
      steps_[lesson_in(path)].push_back(fs::path(path).stem());
}

const std::string& TestStore::hash_of(const std::string& path) const {
  const auto [at, fresh] = hashes_.try_emplace(path);
  if (fresh) at->second = sha256(read_text(files_.at(path)));
  return at->second;
}

std::string TestStore::key(const std::string& part, const std::string& job, const std::string& step) const {
  const Deciders deciders = deciders_of(part, job, step);
  std::string text = fmt::format("1 {} {} {}\n{}\n", part, step.empty() ? job : "", step, tools_);
  const auto add = [&](const std::string& path) { text += path + " " + hash_of(path) + "\n"; };
  for (const std::string& file : deciders.files)
    if (files_.contains(file)) add(file);
  for (const std::string& folder : deciders.folders)
    for (auto at = files_.lower_bound(folder + "/");
         at != files_.end() && at->first.rfind(folder + "/", 0) == 0; ++at) {
      const auto steps = steps_.find(step.substr(0, step.find('/')));
      const auto belongs_to = [&](const std::string& other) {
        return other != deciders.step && is_of_step(at->first, other);
      };
      const bool of_another = !deciders.step.empty() && folder.rfind("common", 0) != 0 &&
                              steps != steps_.end() &&
                              std::any_of(steps->second.begin(), steps->second.end(), belongs_to);
      if (!of_another) add(at->first);
    }
  return sha256(text);
}

std::optional<json> TestStore::passed(const std::string& part, const std::string& job,
                                      const std::string& step) const {
  const auto found = verdicts_.find(key(part, job, step));
  return found == verdicts_.end() ? std::nullopt : std::optional<json>(*found);
}

void TestStore::keep(const std::string& part, const std::string& job, const std::string& step,
                     const json& skips) {
  const std::string name = step.empty() ? job : part + " of " + step;
  verdicts_[key(part, job, step)] = {{"name", name}, {"date", report::now()}, {"skips", skips}};
}

void TestStore::save() const {
  json all = verdicts_;
  if (all.size() > max_verdicts) {  // the oldest go
    std::vector<std::pair<std::string, std::string>> by_date;
    for (const auto& [hash, verdict] : all.items()) by_date.emplace_back(verdict.value("date", ""), hash);
    std::sort(by_date.begin(), by_date.end());
    for (std::size_t i = 0; i < by_date.size() - max_verdicts / 2; ++i) all.erase(by_date[i].second);
  }
  write_text(file_, report::dump(all) + "\n");
}

}  // namespace ladder
