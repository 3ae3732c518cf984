#include "common/tool/maintain/checks/approved_outputs.hpp"

#include <fmt/format.h>

#include <set>

#include "common/base/files/files.hpp"
#include "common/base/text/nearest.hpp"
#include "common/base/usage_error.hpp"
#include "common/sitegen/test_promises.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// "hint" of "hint_test", "hint_test.cpp" and a path that ends in it.
std::string bare(const std::string& typed) {
  std::string name = fs::path(typed).stem();
  if (name.ends_with("_test")) name.resize(name.size() - 5);
  return name;
}

/// The source of an approved file: the one of this name in the folder above.
fs::path source_of_approved(const fs::path& file) {
  const std::string name = file.filename();
  const fs::path folder = file.parent_path().parent_path();
  const std::string stem = name.substr(0, name.find('.'));
  const fs::path test = folder / (stem + "_test.cpp");
  return fs::exists(test) ? test : folder / (stem + ".cpp");
}

/// "first-hint" of hint.first-hint.txt; empty: it is no name of an approved file.
std::string name_of_approved(const std::string& file) {
  const auto begin = file.find('.'), end = file.rfind(".txt");
  return begin == file.npos || end == file.npos || end <= begin ? ""
                                                                : file.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::vector<ApprovingSource> approving_sources(const fs::path& root) {
  std::vector<ApprovingSource> sources;
  for (const report::TestProgram& program : report::test_programs(root))
    for (const report::TestPromise& source : program.sources)
      if (read_text(root / source.file).find("common/approved.hpp\"\n") != std::string::npos)
        sources.push_back({program.name, fs::path(source.file).stem()});
  return sources;
}

std::vector<ApprovingSource> approving_sources(const fs::path& root, const std::vector<std::string>& names) {
  const std::vector<ApprovingSource> all = approving_sources(root);
  if (names.empty()) return all;
  std::set<std::string> known;
  for (const ApprovingSource& one : all) known.insert({one.program, bare(one.name)});
  std::vector<ApprovingSource> chosen;
  for (const std::string& name : names) {
    if (!known.contains(name) && !known.contains(bare(name)))
      throw UsageError{unknown("test with approved outputs", name, {known.begin(), known.end()})};
    for (const ApprovingSource& one : all)
      if (one.program == name || bare(one.name) == bare(name)) chosen.push_back(one);
  }
  return chosen;
}

std::map<std::string, std::string> approved_files(const fs::path& root) {
  std::map<std::string, std::string> files;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests", none))
    if (entry.is_regular_file() && entry.path().parent_path().filename() == "approved")
      files[entry.path().lexically_relative(root).generic_string()] = read_text(entry.path());
  return files;
}

std::vector<std::string> left_over_approved_files(const fs::path& root) {
  std::vector<std::string> left;
  for (const auto& [path, text] : approved_files(root)) {
    const std::string name = name_of_approved(fs::path(path).filename());
    const std::string source = read_text(source_of_approved(root / path));
    if (name.empty() || source.find('"' + name + '"') == std::string::npos) left.push_back(path);
  }
  return left;
}

std::string renewed_text(const std::map<std::string, std::string>& before,
                         const std::map<std::string, std::string>& after) {
  std::map<std::string, char> changes;
  for (const auto& [path, text] : after) {
    const auto old = before.find(path);
    if (old == before.end())
      changes[path] = 'A';
    else if (old->second != text)
      changes[path] = 'M';
  }
  for (const auto& [path, text] : before)
    if (!after.contains(path)) changes[path] = 'D';
  if (changes.empty()) return "All approved outputs are up to date.";
  std::string text;
  for (const auto& [path, letter] : changes) text += fmt::format("{}  {}\n", letter, path);
  return text + fmt::format("{} approved {}: read the difference before you commit it.", changes.size(),
                            changes.size() == 1 ? "output differs" : "outputs differ");
}

}  // namespace ladder
