#include "common/grade/intake/package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "common/grade/intake/source_encoding.hpp"

namespace ladder::grade {

using nlohmann::json;
namespace {

/// The files of a manifest with their sums; nothing: it is not what submit writes.
std::optional<std::vector<std::pair<std::string, std::string>>> listed_in(const std::string& manifest) {
  const json all = json::parse(manifest, nullptr, false);
  const json files = all.is_object() ? all.value("files", json()) : json();
  if (!files.is_array()) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> listed;
  for (const json& file : files) {
    const bool whole = file.is_object() && file.value("path", json()).is_string() &&
                       file.value("sha256", json()).is_string();
    if (!whole) return std::nullopt;
    listed.emplace_back(file["path"], file["sha256"]);
  }
  return listed;
}

bool is_source(const std::string& path) {
  return path.ends_with(".cu") || path.ends_with(".cpp");
}

}  // namespace

json manifest_of(const std::string& lesson, const std::string& handout,
                 const std::vector<PackageFile>& files) {
  json list = json::array();
  std::vector<std::pair<std::string, std::string>> sums;
  for (const PackageFile& file : files) {
    sums.emplace_back(file.path, sha256(file.bytes));
    list.push_back({{"path", file.path}, {"bytes", file.bytes.size()}, {"sha256", sums.back().second}});
  }
  const std::string sum = sha256_of(std::move(sums));
  return {
      {"schema", package_schema}, {"lesson", lesson}, {"handout", handout}, {"files", list}, {"sha256", sum},
      {"receipt", receipt(sum)}};
}

std::string receipt(const std::string& sha256) {
  std::string letters;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 12 && i < sha256.size(); ++i)
    bits = bits << 4 | (sha256[i] <= '9' ? sha256[i] - '0' : sha256[i] - 'a' + 10u);
  for (int i = 0; i < 8; ++i, bits /= 26) letters += static_cast<char>('A' + bits % 26);
  return letters;
}

std::string receipt_of(const Taken& taken) {
  auto listed = listed_in(taken.manifest);
  const bool same = listed && differences(taken).empty();
  return receipt(same ? sha256_of(std::move(*listed)) : taken.sha256);
}

std::vector<std::string> differences(const Taken& taken) {
  if (taken.manifest.empty()) return {};
  const auto listed = listed_in(taken.manifest);
  if (!listed) return {"the manifest is not what submit writes"};
  std::map<std::string, std::string> came(taken.beside.begin(), taken.beside.end());
  for (const TakenFile& file : taken.files) came[file.path] = file.submitted_sha256;
  const auto is_missing = [&](const std::string& path) {
    return std::find(taken.missing.begin(), taken.missing.end(), path) != taken.missing.end();
  };
  // A step that was packed and that nobody wanted; a header may be its own.
  const bool fewer = std::any_of(listed->begin(), listed->end(), [&](const auto& file) {
    return is_source(file.first) && !came.contains(file.first) && !is_missing(file.first);
  });
  std::vector<std::string> all;
  for (const auto& [path, sum] : *listed) {
    const auto at = came.find(path);
    const bool unwanted = is_source(path) ? !is_missing(path) : fewer && path.find('/') != path.npos;
    if (at == came.end() && !unwanted)
      all.push_back(fmt::format("{} is in the manifest and was not taken", printable(path)));
    if (at != came.end() && at->second != sum)
      all.push_back(fmt::format("{} is another file than when it was packed", printable(path)));
    if (at != came.end()) came.erase(at);
  }
  for (const auto& [path, sum] : came)
    all.push_back(fmt::format("{} is not in the manifest", printable(path)));
  return all;
}

}  // namespace ladder::grade
