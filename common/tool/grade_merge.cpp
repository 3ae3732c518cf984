/// @file
/// The verb grade, and its part merge.

#include <fmt/format.h>

#include "common/tool/context.hpp"
#include "common/tool/files.hpp"
#include "common/tool/grade_store.hpp"
#include "common/tool/grading.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace fs = std::filesystem;

using nlohmann::json;

int merge_grades(Context& context, const std::vector<std::string>& folders, const fs::path& out) {
  std::string key;
  std::vector<GradeStore> stores;
  for (const std::string& folder : folders) {
    stores.emplace_back(folder);
    for (const json& record : stores.back().records()) {
      if (key.empty()) key = record.value("key_id", "");
      if (record.value("key_id", "") != key)
        throw UsageError{
            fmt::format("{}: graded with another class key than {}; give all shards the same --key", folder,
                        folders.front())};
    }
  }
  fs::create_directories(out);
  int records = 0;
  for (const GradeStore& store : stores) {
    for (const char* part : {"records", "sources", "logs", "judged"})
      if (fs::is_directory(store.folder() / part))
        fs::copy(store.folder() / part, out / part,
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    if (const fs::path handed = store.folder() / "handed.json"; fs::exists(handed))  // of all shards the same
      fs::copy_file(handed, out / "handed.json", fs::copy_options::overwrite_existing);
    if (const std::string log = read_text(store.folder() / "decisions.jsonl"); !log.empty())
      write_text(out / "decisions.jsonl", read_text(out / "decisions.jsonl") + log);
  }
  const GradeStore merged(out);
  records = static_cast<int>(merged.records().size());
  merged.write_pages();
  context.terminal.print(fmt::format("{}: {} records of {} folders", out.string(), records, folders.size()));
  return 0;
}

}  // namespace ladder
