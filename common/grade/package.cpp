#include "common/grade/package.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/grade/text.hpp"

namespace ladder::grade {

using nlohmann::json;

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

std::vector<std::string> differences(const json& manifest, const Taken& taken) {
  std::vector<std::string> all;
  for (const json& file : manifest.value("files", json::array())) {
    if (!file.is_object() || !file.value("path", json()).is_string() ||
        !file.value("sha256", json()).is_string())
      return {"the manifest is not what submit writes"};
    const std::string path = file["path"];
    const auto at =
        std::find_if(taken.files.begin(), taken.files.end(), [&](const auto& f) { return f.path == path; });
    if (at == taken.files.end())
      all.push_back(fmt::format("{} is in the manifest and was not taken", printable(path)));
    else if (at->submitted_sha256 != file["sha256"].get<std::string>())
      all.push_back(fmt::format("{} is another file than when it was packed", path));
  }
  return all;
}

}  // namespace ladder::grade
