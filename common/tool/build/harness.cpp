#include "common/tool/build/harness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// What steps may include, next to a step.
bool is_header(const fs::path& file) {
  const std::string extension = file.extension();
  return extension == ".hpp" || extension == ".h" || extension == ".cuh";
}

/// Headers of a folder, in the order of names.
std::vector<fs::path> headers_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (is_header(entry.path())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// What a judge and its steps must agree on: headers, and the lesson's table.
std::vector<fs::path> compared_files(const fs::path& folder) {
  std::vector<fs::path> found = headers_in(folder);
  if (fs::exists(folder / "rungs.toml")) found.push_back(folder / "rungs.toml");
  return found;
}

/// A path in an edge of ninja.
std::string in_edge(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) {
    if (c == ' ' || c == ':' || c == '$') text += '$';
    text += c;
  }
  return text;
}

std::string in_command(std::string text) {
  replace_all(text, "$", "$$");
  return text;
}

/// What machine code for this processor depends on.
std::string processor() {
  const std::string facts = read_text("/proc/cpuinfo");
  const auto flags = facts.find("\nflags");
  return sha256(flags == facts.npos ? facts : facts.substr(flags, facts.find('\n', flags + 1) - flags))
      .substr(0, 12);
}

bool for_this_processor(const Recipe& recipe) {
  return std::any_of(recipe.commands.begin(), recipe.commands.end(),
                     [](const std::string& c) { return c.find("-march=native") != c.npos; });
}

/// The step's source: the file below Recipe::sources that its commands read; empty for a program of the
/// harness.
std::string source_in(const Recipe& recipe) {
  const std::string mark = std::string(Recipe::sources) + "/";
  for (const std::string& command : recipe.commands)
    for (std::size_t at = 0; (at = command.find(mark, at)) != command.npos; at += mark.size()) {
      const std::size_t end = std::min(command.find_first_of(" \"'=", at), command.size());
      const fs::path path = command.substr(at + mark.size(), end - at - mark.size());
      if (path.extension() == ".cu" || path.extension() == ".cpp") return path;
    }
  return {};
}

}  // namespace

std::optional<Harness> Harness::from_environment() {
  const char* const set = std::getenv("LADDER_HARNESS");
  if (!set || !*set) return std::nullopt;
  return Harness(set);
}

Harness::Harness(fs::path folder) : folder_(std::move(folder)) {
  const fs::path file = folder_ / "prebuilt.json";
  try {
    const std::string text = read_text(file);
    const json all = json::parse(text);
    if (all.at("schema") != "gpu-ladder-harness/1") throw UsageError{"unknown schema"};
    id_ = sha256(text).substr(0, 12);
    root_ = all.at("root").get<std::string>();
    for (const json& target : all.at("targets")) built_.insert(target.get<std::string>());
    for (const json& one : all.at("recipes"))
      recipes_[one.at("target")] = {one.at("target"), one.at("commands"), one.at("folders"), one.at("reads")};
  } catch (const std::exception& problem) {
    throw UsageError{
        fmt::format("LADDER_HARNESS={}: no finished harness ({} cannot be read); ./ladder image "
                    "prebuild makes one",
                    folder_.string(), file.string())};
  }
}

std::set<std::string> Harness::targets() const {
  std::set<std::string> all = built_;
  for (const auto& [target, recipe] : recipes_) all.insert(target);
  return all;
}

const Recipe& Harness::recipe(const std::string& target) const {
  const auto found = recipes_.find(target);
  if (found == recipes_.end())
    throw UsageError{
        fmt::format("the harness in {} has no {}: it was built without", folder_.string(), target)};
  return found->second;
}

std::string Harness::ninja(const fs::path& root, const fs::path& folder) const {
  std::string text = "rule step\n  command = $script\n";
  std::map<std::string, std::vector<fs::path>> headers;
  const std::string cpu = processor();
  for (const auto& [target, recipe] : recipes_) {
    std::string script = "cd " + folder_.string() + " && mkdir -p";
    for (const std::string& output : recipe.folders) script += fmt::format(" {}/{}", Recipe::outputs, output);
    for (const std::string& command : recipe.commands) script += " && ( " + command + " )";
    // Four fifths of a worker are lines of the executor, the same in all of them: homes have quotas.
    if (!target.ends_with(".lint"))
      script += fmt::format(" && objcopy --compress-debug-sections=zlib {}/{}", Recipe::outputs, target);
    replace_all(script, Recipe::sources, (root / "lessons").string());
    replace_all(script, Recipe::outputs, folder.string());
    text += fmt::format("build {}: step", target);
    script += " # " + id_ + (for_this_processor(recipe) ? " " + cpu : "");
    if (const std::string source = source_in(recipe); !source.empty()) {
      const std::string lesson = fs::path(source).parent_path();
      if (!headers.contains(lesson)) headers[lesson] = headers_in(root / "lessons" / lesson);
      text += " " + in_edge(root / "lessons" / source) + " |";
      for (const fs::path& header : headers[lesson]) {
        text += " " + in_edge(header);
        script += " " + header.filename().string();
      }
    }
    text += fmt::format("\n  script = {}\n  description = Building {}\n", in_command(script), target);
  }
  return text;
}

std::string Harness::differs(const fs::path& root, const std::string& lesson) const {
  const fs::path inside = fs::path("lessons") / lesson;
  for (const char* folder : {"", "given"})
    for (const fs::path& header : compared_files(root_ / inside / folder)) {
      const fs::path name = inside / folder / header.filename();
      if (read_text(root / name) != read_text(header))
        return fmt::format(
            "{} is another one than that of the harness in {}: bring your copy up to date, or "
            "unset LADDER_HARNESS to build everything here",
            name.lexically_normal().string(), root_.string());
    }
  return {};
}

}  // namespace ladder
