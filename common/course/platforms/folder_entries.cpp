/// @file
/// Clones, and folders and archives that are called by an id of the roster.

#include <algorithm>
#include <cctype>
#include <fstream>

#include "common/base/text/text.hpp"
#include "common/course/platforms/platforms.hpp"
#include "common/grade/intake/names.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return std::string(trim(line));
}

bool is_commit(const std::string& text) {
  return text.size() == 40 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c); });
}

/// "hw2_anna.zip" is "hw2_anna", and so is "hw2_anna.tar.gz".
std::string stem_of(const fs::path& entry) {
  if (fs::is_directory(entry)) return entry.filename().string();
  const fs::path stem = entry.stem();
  return grade::lower(stem.extension().string()) == ".tar" ? stem.stem().string() : stem.string();
}

/// The person whose id is the name, or its first or last part: "anna", "anna-hw2", "hw2_anna". One or two
/// letters are too little for a part: "hw_2" is not person 2.
std::string person_named(const std::string& stem, const Lookup& people) {
  if (const std::string id = people.by_any(stem); !id.empty()) return id;
  const auto part = [&](const std::string& text) { return text.size() > 2 ? people.by_any(text) : ""; };
  for (const char at : {'-', '_', '.'}) {
    const auto first = stem.find(at), last = stem.rfind(at);
    if (first == stem.npos) continue;
    const std::string begin = part(stem.substr(0, first)), end = part(stem.substr(last + 1));
    if (!begin.empty() && !end.empty() && begin != end) continue;
    if (const std::string& id = begin.empty() ? end : begin; !id.empty()) return id;
  }
  return "";
}

}  // namespace

std::string commit_of_clone(const fs::path& clone) {
  const fs::path git = clone / ".git";
  const std::string head = first_line(git / "HEAD");
  if (is_commit(head)) return head;
  if (!head.starts_with("ref: refs/")) return "";
  const std::string name = head.substr(5);
  if (name.find("..") != name.npos) return "";
  if (const std::string loose = first_line(git / name); is_commit(loose)) return loose;
  std::ifstream packed(git / "packed-refs");
  for (std::string line; std::getline(packed, line);)
    if (line.size() > 41 && line.substr(41) == name && is_commit(line.substr(0, 40)))
      return line.substr(0, 40);
  return "";
}

SubmissionImport from_folders(const fs::path& folder, const Lookup& people) {
  SubmissionImport handed;
  for (const fs::path& entry : entries_of(folder)) {
    const std::string name = entry.filename().string();
    const bool clone = fs::exists(entry / ".git"), is_folder = fs::is_directory(entry);
    std::string id = people.by_repository(stem_of(entry));
    if (id.empty()) id = person_named(stem_of(entry), people);
    const bool packed = is_folder || is_archive(entry);
    const bool table = grade::lower(entry.extension().string()) == ".csv";  // times, rosters: the staff's
    if (!packed && (id.empty() || table)) {
      if (!table) handed.remarks.push_back(name + " is neither a folder nor an archive, and is left out");
      continue;
    }
    ImportedSubmission one{.key = key_text(name),
                           .platform = clone ? "clones" : "packages",
                           .people = {},
                           .path = packed ? entry : folder,
                           .said = name};
    if (!packed) one.files = {entry};  // a single file of somebody: what is in it decides whether it counts
    if (!id.empty()) one.people = {id};
    handed.all.push_back(std::move(one));
  }
  return handed;
}

}  // namespace ladder::course
