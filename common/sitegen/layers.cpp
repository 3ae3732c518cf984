#include "common/sitegen/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>

#include "common/report/results/page_text.hpp"

namespace ladder::report {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) {
  static const std::set<std::string> endings = {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp"};
  return endings.contains(file.extension().string());
}

/// Not the pages: they say where tests are.
bool is_code(const fs::path& file) {
  static const std::set<std::string> endings = {".cmake", ".in", ".sh", ".txt"};
  return is_source(file) || endings.contains(file.extension().string());
}

std::set<fs::path> files_of_common(const fs::path& root, bool (*chosen)(const fs::path&)) {
  std::set<fs::path> files;  // in order: the first that includes a folder is the same on every machine
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(root / "common", none))
    if (entry.is_regular_file() && chosen(entry.path())) files.insert(entry.path());
  return files;
}

/// A folder of common, or one inside of those that are houses themselves: "judge", "tool/student". @param
/// path below common
std::string folder_of(const fs::path& path) {
  static const std::set<std::string> houses = {"report", "tool"};
  std::string folder = path.begin()->string();
  const fs::path parent = path.parent_path();
  if (houses.contains(folder) && std::distance(parent.begin(), parent.end()) > 1)
    folder += "/" + std::next(parent.begin())->string();
  return folder;
}

/// The verb test, the page of what it proves, how unit tests are built, and this file.
bool is_for_tests(const std::string& file) {
  static const std::set<std::string> files = {"common/base/unit_tests.cmake",
                                              "common/executor/CMakeLists.txt", "common/sitegen/layers.cpp",
                                              "common/sitegen/pages/page_tests.cpp"};
  return file.starts_with("common/tool/maintain/testing/") || file.starts_with("common/sitegen/test_") ||
         file.starts_with("common/report/results/test_") || files.contains(file);
}

/// The file below common that a line includes; empty: none.
std::string included_by(const std::string& line) {
  static const std::regex include(R"re(\s*#\s*include "common/([^"]+)".*)re");
  std::smatch found;
  if (line.find("include") == line.npos || !std::regex_match(line, found, include)) return {};
  return found[1];
}

/// The rooms of common/tool, "tool/core", in the order of the table of its page: the lowest first.
std::vector<std::string> rooms_of_tool(const fs::path& root) {
  static const std::regex row(R"re(\| \[(\w+)\]\(\1/README\.md\) \|.*)re");
  std::vector<std::string> rooms;
  std::ifstream page(root / "common/tool/README.md");
  std::smatch found;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, found, row)) rooms.push_back("tool/" + found[1].str());
  return rooms;
}

/// The folders of common in an order in which each comes after those that it includes; those of a cycle are
/// left out.
std::vector<std::string> from_below(const Layers& layers) {
  std::vector<std::string> order;
  const auto placed = [&](const std::string& folder) {
    return std::find(order.begin(), order.end(), folder) != order.end();
  };
  for (std::size_t before = layers.size(); before != order.size();) {
    before = order.size();
    for (const auto& [folder, included] : layers)
      if (!placed(folder) &&
          std::all_of(included.begin(), included.end(), [&](const auto& i) { return placed(i.first); }))
        order.push_back(folder);
  }
  return order;
}

}  // namespace

Layers layers_of(const fs::path& root) {
  Layers layers;
  for (const fs::path& file : files_of_common(root, is_source)) {
    const std::string name = file.lexically_relative(root).generic_string();
    const std::string folder = folder_of(file.lexically_relative(root / "common"));
    auto& included = layers[folder];
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      if (const std::string header = included_by(line); !header.empty())
        if (const std::string other = folder_of(header); other != folder)
          included.emplace(other, name), layers.try_emplace(other);
  }
  return layers;
}

std::vector<std::string> wrong_layers(const Layers& layers) {
  std::vector<std::string> wrong;
  const auto order = from_below(layers);
  std::string around;
  for (const auto& [folder, included] : layers) {
    if (std::find(order.begin(), order.end(), folder) != order.end()) continue;
    for (const auto& [other, file] : included)
      if (std::find(order.begin(), order.end(), other) == order.end())
        around += fmt::format("\n  {} includes common/{}", file, other);
  }
  if (!around.empty()) wrong.push_back("folders of common include each other in a circle:" + around);
  for (const auto& [folder, included] : layers)
    for (const auto& [other, file] : included) {
      if (folder == "base")
        wrong.push_back(file + " includes common/" + other + ": common/base knows nobody");
      if (other == "npb")
        wrong.push_back(file +
                        " includes common/npb: only lessons do, which ask for it in given/libraries.cmake");
    }
  return wrong;
}

std::vector<std::string> includes_upwards(const fs::path& root) {
  std::vector<std::string> wrong, order = rooms_of_tool(root);
  const auto height = [&](const std::string& room) { return std::find(order.begin(), order.end(), room); };
  std::set<std::string> without_row;
  for (const fs::path& file : files_of_common(root, is_source)) {
    const std::string room = folder_of(file.lexically_relative(root / "common"));
    if (!room.starts_with("tool/")) continue;
    if (height(room) == order.end()) without_row.insert(room);
    std::ifstream in(file);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      const std::string header = included_by(line), other = header.empty() ? "" : folder_of(header);
      if (other != "tool" && !other.starts_with("tool/")) continue;
      if (height(other) <= height(room)) continue;
      wrong.push_back(
          fmt::format("{}:{} includes common/{}: common/{} is above common/{}, says the table of "
                      "common/tool/README.md",
                      file.lexically_relative(root).generic_string(), number, header, other, room));
    }
  }
  for (const std::string& room : without_row)
    wrong.push_back(
        fmt::format("common/{} has no row in the table of common/tool/README.md, which says what "
                    "may include what",
                    room));
  return wrong;
}

std::vector<std::string> uses_of_tests(const fs::path& root) {
  // A lesson's folder: by its number, or put together of its name; and the submissions that the part attacks
  // grades.
  static const std::regex others(
      R"re(\btests/(?!grading\b|NN-|[0-9]{2}-|\{\}|\$\{lesson\}|" \+ lesson)[^\s"`;:)]*)re");
  std::vector<std::string> uses;
  for (const fs::path& file : files_of_common(root, is_code)) {
    const std::string name = file.lexically_relative(root).generic_string();
    if (is_for_tests(name)) continue;
    std::ifstream in(file);
    std::string line;
    std::smatch found;
    for (int number = 1; std::getline(in, line); ++number)
      if (line.find("tests/") != line.npos && std::regex_search(line, found, others))
        uses.push_back(fmt::format("{}:{} names {}", name, number, found.str()));
  }
  return uses;
}

std::vector<std::string> layer_table(const Layers& layers) {
  const auto order = from_below(layers);
  if (order.size() != layers.size()) throw std::logic_error(wrong_layers(layers).at(0));
  std::vector<std::string> lines = markdown_head({"folder", "includes headers of"});
  for (const std::string& folder : order) {
    std::string included;
    for (const std::string& other : order)
      if (layers.at(folder).contains(other)) included += (included.empty() ? "" : ", ") + other;
    lines.push_back(markdown_row({"`common/" + folder + "`", included}));
  }
  return lines;
}

}  // namespace ladder::report
