/// @file
/// A handout read from its zip or folder.

#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/handout/handout.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The tree in a zip, below whatever folder it was packed with.
grade::Tree below_top(grade::Tree packed, const fs::path& from) {
  std::string top;
  for (const auto& [path, file] : packed)
    if (path.ends_with(handout_file) &&
        (top.empty() || path.size() - std::string(handout_file).size() < top.size()))
      top = path.substr(0, path.size() - std::string(handout_file).size());
  grade::Tree tree;
  for (auto& [path, file] : packed)
    if (path.starts_with(top)) tree[path.substr(top.size())] = std::move(file);
  if (handout_of(tree).is_null())
    throw UsageError{fmt::format("{} is not a handout: {} is missing", from.string(), handout_file)};
  return tree;
}

}  // namespace

grade::Tree read_handout(const fs::path& from) {
  if (!fs::exists(from)) throw UsageError{fmt::format("{} is not there", from.string())};
  if (!fs::is_directory(from)) {
    try {
      return below_top(grade::read_zip(from), from);
    } catch (const Error& error) {
      throw UsageError{error.what()};
    }
  }
  const json list = handout_of(from);
  if (list.is_null())
    throw UsageError{fmt::format("{} is not a handout: {} is missing", from.string(), handout_file)};
  grade::Tree tree{{handout_file, {read_text(from / handout_file)}}};
  for (const auto& [path, sum] : list["files"].items())
    tree[path] = {read_text(from / path),
                  (fs::status(from / path).permissions() & fs::perms::owner_exec) != fs::perms::none};
  return tree;
}

}  // namespace ladder
