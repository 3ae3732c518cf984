#include "common/judge/findings/source_text.hpp"

#include <filesystem>
#include <fstream>

#include "common/base/text/text.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_letters = 72;
constexpr std::uintmax_t most_bytes = 1 << 20;

/// The file that the worker names, if it may be read.
fs::path readable(const SourceLine& site, const PlannedStep& step) {
  std::error_code none;
  const fs::path root = fs::weakly_canonical(plan().root, none);
  const fs::path path =
      fs::weakly_canonical(fs::path(site.file).is_absolute() ? fs::path(site.file) : root / site.file, none);
  const bool own = path == fs::weakly_canonical(step.source, none);
  const auto [in_root, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  if (!own && (root.empty() || in_root != root.end())) return {};
  if (!fs::is_regular_file(path, none) || fs::file_size(path, none) > most_bytes) return {};
  return path;
}

bool is_own(const SourceLine& site, const PlannedStep& step) {
  return fs::path(site.file).filename() == fs::path(step.source).filename();
}

}  // namespace

std::string line_name(const SourceLine& site, const PlannedStep& step) {
  if (site.line <= 0) return "a line that is not known";
  if (is_own(site, step)) return "line " + std::to_string(site.line);
  return fs::path(site.file).filename().string() + ":" + std::to_string(site.line);
}

std::string line_text(const SourceLine& site, const PlannedStep& step) {
  const fs::path path = readable(site, step);
  if (path.empty() || site.line <= 0) return "";
  std::ifstream file(path);
  std::string text;
  for (int i = 0; i < site.line; ++i)
    if (!std::getline(file, text)) return "";
  text = trim(text.substr(0, text.find("//")));
  if (text.size() > max_letters) text = text.substr(0, max_letters - 3) + "...";
  return text;
}

}  // namespace ladder
