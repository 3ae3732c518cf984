#include "common/tool/core/student_state.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <tuple>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A name next to this one that is not taken.
fs::path free_name(const fs::path& wanted) {
  fs::path name = wanted;
  for (int i = 2; fs::exists(name); ++i) name = fmt::format("{}-{}", wanted.string(), i);
  return name;
}

}  // namespace

void set_aside(const fs::path& file) {
  const fs::path aside = free_name(file.string() + ".broken-" + time_for_names());
  std::error_code failed;
  fs::rename(file, aside, failed);
  if (!failed)
    std::fprintf(stderr, "ladder: %s could not be read: it is set aside as %s\n", file.c_str(),
                 aside.filename().c_str());
}

std::string time_for_names() {
  char now[32];
  const std::time_t clock = std::time(nullptr);
  std::tm local{};
  std::strftime(now, sizeof now, "%Y-%m-%d-%H%M%S", localtime_r(&clock, &local));
  return now;
}

json read_state_file(const fs::path& file) {
  const std::string text = read_text(file);
  json content = json::parse(text, nullptr, false);
  if (content.is_object()) return content;
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) set_aside(file);
  return json::object();
}

std::vector<json> read_history(const fs::path& file) {
  std::vector<json> entries;
  for (const std::string& line : lines_of(read_text(file)))
    if (json entry = json::parse(line, nullptr, false);
        entry.is_object() && entry.contains("step") && entry["step"].is_string())
      entries.push_back(std::move(entry));
  return entries;
}

bool append_history(const fs::path& file, const std::string& lines) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const std::string before = read_text(file);
  // A line that a crash cut off must not swallow the next one.
  const std::string text = (before.empty() || before.back() == '\n' ? "" : "\n") + lines;
  const int out = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (out < 0) return false;
  const bool whole = ::write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool synced = ::fsync(out) == 0;
  return ::close(out) == 0 && whole && synced;
}

TimeSpent time_spent(const std::vector<json>& history) {
  std::vector<std::pair<double, std::string>> moments;
  for (const json& entry : history)
    if (const json time = entry.value("time", json()); time.is_number())
      moments.emplace_back(time.get<double>(), entry.value("step", ""));
  std::sort(moments.begin(), moments.end());
  TimeSpent spent;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const double gap = i == 0 ? session_pause + 1.0 : moments[i].first - moments[i - 1].first;
    const bool begins = gap > session_pause;
    const double counted = begins ? session_lead : gap;
    spent.sessions += begins;
    spent.seconds += counted;
    spent.by_step[moments[i].second] += counted;
  }
  return spent;
}

std::string hours_text(double seconds) {
  const int minutes = static_cast<int>(seconds / 60 + 0.5);
  if (minutes == 0) return seconds > 0 ? "1 min" : "-";
  if (minutes < 60) return fmt::format("{} min", minutes);
  return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60)
                           : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

namespace {

/// "TIME", or "TIME-2" and so on in a second that has one: after all that are there, also where an earlier
/// one was free again.
fs::path latest_name(const fs::path& folder) {
  const std::string time = time_for_names();
  int number = 1;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(time))
      number = std::max(number, name == time ? 2 : 1 + std::atoi(name.c_str() + time.size() + 1));
  }
  return folder / (number == 1 ? time : fmt::format("{}-{}", time, number));
}

}  // namespace

OldFiles::OldFiles(fs::path root, const fs::path& state)
    : root_(std::move(root)), state_(state), folder_(latest_name(state / "old")) {}

std::vector<fs::path> OldFiles::folders() const {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(state_ / "old", ignored))
    if (entry.is_directory(ignored)) found.push_back(entry.path());
  const auto key = [](const fs::path& folder) {  // names of one second differ in a number: …-9 is before …-10
    const std::string name = folder.filename();
    const std::size_t time = std::min(name.size(), time_for_names().size());
    return std::tuple(name.substr(0, time), name.size(), name);
  };
  std::sort(found.begin(), found.end(),
            [&](const fs::path& a, const fs::path& b) { return key(a) > key(b); });
  return found;
}

std::vector<std::string> OldFiles::replaced_last() const {
  std::error_code ignored;
  for (const fs::path& folder : folders()) {
    std::vector<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "lessons", ignored))
      if (entry.is_regular_file(ignored)) paths.push_back(path_in(folder, entry.path()));
    std::sort(paths.begin(), paths.end());
    if (!paths.empty()) return paths;
  }
  return {};
}

bool OldFiles::bring_back(const std::string& path) const {
  for (const fs::path& folder : folders()) {
    const std::string text = read_text(folder / path);
    if (text.empty()) continue;
    keep(path);
    write_text(root_ / path, text);
    std::error_code ignored;
    fs::remove(folder / path, ignored);  // it is in its place again
    for (fs::path empty = (folder / path).parent_path();
         empty != state_ / "old" && fs::remove(empty, ignored);)
      empty = empty.parent_path();
    return true;
  }
  return false;
}

std::string OldFiles::keep(const fs::path& file, const std::string& content) const {
  write_text(folder_ / file.filename(), content);
  return path_in(root_, folder_ / file.filename());
}

std::string OldFiles::keep(const std::string& path) const {
  const std::string old = read_text(root_ / path);
  if (old.empty()) return "";
  write_text(folder_ / path, old);
  return path_in(root_, folder_ / path);
}

}  // namespace ladder
