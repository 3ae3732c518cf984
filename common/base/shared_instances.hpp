#pragma once
/// @file
/// What most sources of the harness make of the templates of the standard library, of JSON and of fmt.
/// Compiled headers that have the code of their functions (common/cmake/harness_compiler.cmake) include it:
/// then it is made once. No source does.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

template class nlohmann::basic_json<>;
template class std::basic_regex<char>;
template class std::map<std::string, double>;
template class std::map<std::string, int>;
template class std::map<std::string, std::string>;
template class std::set<std::string>;
template class std::vector<std::filesystem::path>;
template class std::vector<std::string>;

namespace ladder::shared_instances {

inline std::string of_regex(const std::string& text, const std::regex& pattern) {
  std::smatch match;
  if (std::regex_match(text, match, pattern) || std::regex_match(text, pattern) ||
      std::regex_search(text, match, pattern) || std::regex_search(text, pattern))
    return match[1].str() + std::regex_replace(text, pattern, "$1");
  std::string found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found += at->str(1);
  return found;
}

inline std::string of_json(nlohmann::json value, const std::string& key) {
  std::ifstream file(key);
  value["parsed"] = {nlohmann::json::parse(key), nlohmann::json::parse(file)};
  value[key] = value.value(key, key) + value.value("name", "");
  value["numbers"] = {value.value("count", 0), value.value("seconds", 0.0), value.value("is", false)};
  value.at(key) = value.at("seconds").get<double>() + value.at("count").get<int>();
  for (const auto& [name, member] : value.items()) value.push_back(name + member.dump(2));
  for (const nlohmann::json& member : value)
    if (member.is_string() && member != key && value.contains("name")) return member.get<std::string>();
  value = value.get<std::vector<std::string>>();
  return value.dump();
}

inline std::string of_fmt(const std::string& text, int count, double seconds, std::size_t size) {
  return fmt::format("{}", text) + fmt::format("{} {}", text, text) + fmt::format("{} {}", text, count) +
         fmt::format("{:<{}}{:>9.1f}", text, size, seconds) + fmt::format("{:.3g}", seconds) +
         fmt::format("{}", count) + fmt::format("{}", size) + fmt::format("{}", seconds);
}

inline void of_containers(std::vector<std::string>& texts, std::vector<std::filesystem::path>& paths) {
  std::sort(texts.begin(), texts.end());
  std::sort(paths.begin(), paths.end());
  texts.insert(texts.end(), texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), std::find(texts.begin(), texts.end(), texts.front()));
  const std::function<std::string(const std::string&)> same = [](const std::string& text) { return text; };
  std::ostringstream out;
  out << same(texts.front()) << paths.front().filename();
  texts.emplace_back(out.str());
}

}  // namespace ladder::shared_instances
