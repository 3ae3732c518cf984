/// @file
/// The verb grade, and its part merge.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {
namespace fs = std::filesystem;

using nlohmann::json;

namespace {

/// All lines of the logs, each once: folders of several people begin as copies of one. By their time, as in
/// one log.
void merge_logs(const std::vector<GradeStore>& stores, const fs::path& out) {
  std::vector<std::pair<std::string, std::string>> lines;  // time, line
  std::set<std::string> known;
  std::vector<fs::path> logs = {out / "decisions.jsonl"};
  for (const GradeStore& store : stores) logs.push_back(store.folder() / "decisions.jsonl");
  for (const fs::path& log : logs) {
    std::string time;  // a broken line stays behind the one before
    for (const std::string& line : lines_of(read_text(log))) {
      const json entry = json::parse(line, nullptr, false);
      if (entry.is_object() && entry.value("at", json()).is_string()) time = entry["at"];
      if (!line.empty() && known.insert(line).second) lines.emplace_back(time, line);
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const auto& [time, line] : lines) text += line + "\n";
  if (!text.empty()) write_text(out / "decisions.jsonl", text);
}

}  // namespace

std::size_t merge_folders(const std::vector<std::string>& folders, const fs::path& out) {
  std::string key;
  std::vector<GradeStore> stores;
  for (const std::string& folder : folders) {
    stores.emplace_back(folder);
    for (const model::GradeRecord& record : stores.back().records()) {
      if (key.empty()) key = record.key_id.value_or("");
      if (record.key_id.value_or("") != key)
        throw UsageError{
            fmt::format("{}: graded with another class key than {}; give all shards the same --key", folder,
                        folders.front())};
    }
  }
  fs::create_directories(out);
  for (const GradeStore& store : stores) {
    for (const char* part : {"records", "sources", "logs", "judged", "amended"})
      if (fs::is_directory(store.folder() / part))
        fs::copy(store.folder() / part, out / part,
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    if (const fs::path handed = store.folder() / "handed.json"; fs::exists(handed))  // of all shards the same
      fs::copy_file(handed, out / "handed.json", fs::copy_options::overwrite_existing);
    for (const char* file : {"assignment.json", "private-tests.json"})
      if (const fs::path kept = store.folder() / file; fs::exists(kept))
        fs::copy_file(kept, out / file, fs::copy_options::overwrite_existing);
  }
  merge_logs(stores, out);
  const GradeStore merged(out);
  merged.write_pages();
  return merged.records().size();
}

int merge_grades(Context& context, const std::vector<std::string>& folders, const fs::path& out) {
  const std::size_t records = merge_folders(folders, out);
  context.terminal.print(fmt::format("{}: {} records of {} folders", out.string(), records, folders.size()));
  return 0;
}

}  // namespace ladder
