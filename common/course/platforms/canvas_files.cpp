/// @file
/// Canvas's "Download Submissions": the files of all people in one folder, as
/// smithbob_LATE_340934_208490284_g2_shared_tiles-1.cu.
/// Source: instructure/canvas-lms lib/content_zipper.rb: the name to sort by in small letters without blanks
/// and punctuation (no login), LATE, the user's id (column ID of the gradebook; "anon_" and letters with
/// anonymous marking), the file's id, the file's name. No time is in it: LATE is all that Canvas says.

#include <map>

#include "common/course/platforms/platforms.hpp"
#include "common/grade/intake/names.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;

struct File {
  fs::path path;
  grade::PlainName plain;
};

/// Of each name the newest.
std::vector<fs::path> newest(const std::vector<File>& files) {
  std::map<std::string, const File*> of_name;
  for (const File& file : files) {
    const File*& kept = of_name[grade::lower(file.plain.sent)];
    if (kept == nullptr || file.plain.version > kept->plain.version) kept = &file;
  }
  std::vector<fs::path> all;
  for (const auto& [name, file] : of_name) all.push_back(file->path);
  return all;
}

ImportedSubmission submission_of(const std::string& user, const std::vector<File>& files,
                                 const fs::path& folder, const Lookup& people) {
  ImportedSubmission one{.key = "canvas_" + user, .platform = "canvas", .people = {}, .path = folder};
  std::string id = people.by(&Person::canvas_id, user);
  if (id.empty()) {
    id = people.by_name(files[0].plain.sort_name);
    if (!id.empty()) one.notes.push_back("found by its name: the roster has no canvas_id " + user);
  }
  if (!id.empty()) one.people = {id};
  one.said = files[0].plain.sort_name + ", Canvas id " + user;
  for (const File& file : files) one.late = one.late || file.plain.late;
  one.files = newest(files);
  return one;
}

}  // namespace

std::optional<SubmissionImport> from_canvas(const fs::path& folder, const Lookup& people) {
  std::map<std::string, std::vector<File>> of_user;
  std::vector<std::string> others;
  int anonymous = 0;
  for (const fs::path& entry : entries_of(folder)) {
    const std::string name = entry.filename().string();
    if (fs::is_directory(entry)) return {};
    const grade::PlainName plain = grade::plain_name(name);
    if (!plain.person.empty())
      of_user[plain.user].push_back({entry, plain});
    else if (name.starts_with("anon_") || name.starts_with("LATE_anon_"))
      ++anonymous;
    else if (!name.ends_with(".csv"))
      others.push_back(name);
  }
  if (of_user.empty() && anonymous == 0) return {};
  SubmissionImport handed;
  for (const auto& [user, files] : of_user) handed.all.push_back(submission_of(user, files, folder, people));
  if (anonymous > 0)
    handed.remarks.push_back(
        std::to_string(anonymous) +
        " files have no names (anon_…): switch off anonymous grading in Canvas, and download again");
  for (const std::string& name : others)
    handed.remarks.push_back(name + " has no name as Canvas gives them, and is left out");
  return handed;
}

}  // namespace ladder::course
