/// @file
/// Gradescope's "Export Submissions": a folder assignment_ID_export with submission_metadata.yml, and a
/// folder submission_ID for the active submission of each person or group. Earlier ones have their times
/// there, and no files.
/// Source: Gradescope has no page on that file; programs that read it agree. ucbds-infra/otter-grader
/// (GradescopeParser) reads a map from the file or folder to ":submitters" with ":sid", ":name" and ":email";
/// others take ":created_at" (UTC) and ":history" with the ":created_at" and ":score" of earlier submissions.
/// The colons are Ruby's symbols.

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "common/base/error.hpp"
#include "common/course/platforms/platforms.hpp"
#include "common/course/platforms/table.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* metadata_name = "submission_metadata.yml";

/// A field under its name with a colon (Ruby's symbol) or without; a null node where it is not there.
YAML::Node field(const YAML::Node& map, const std::string& name) {
  if (!map.IsMap()) return YAML::Node(YAML::NodeType::Null);
  for (const std::string& key : {":" + name, name})
    if (const YAML::Node value = map[key]; value.IsDefined()) return value;
  return YAML::Node(YAML::NodeType::Null);
}

std::string text_field(const YAML::Node& map, const std::string& name) {
  const YAML::Node value = field(map, name);
  return value.IsScalar() ? value.Scalar() : "";
}

/// Times there are in UTC where they have no zone.
Time utc(ClockTime shown) {
  return shown;
}

ImportedSubmission submission_of(const std::string& key, const YAML::Node& about, const fs::path& folder,
                                 const Lookup& people) {
  ImportedSubmission one{.key = key_text(key), .platform = "gradescope", .people = {}, .path = folder / key};
  for (const YAML::Node& submitter : field(about, "submitters")) {
    const std::string email = text_field(submitter, "email"), sid = text_field(submitter, "sid"),
                      name = text_field(submitter, "name");
    std::string id = people.by(&Person::gradescope_email, email);
    if (id.empty()) id = people.by(&Person::email, email);
    if (id.empty()) id = people.by(&Person::gradescope_sid, sid);
    if (id.empty()) id = people.by(&Person::sis_user_id, sid);
    if (id.empty()) id = people.by(&Person::id, sid);
    const std::string whom = fmt::format("{} <{}>{}", name, email, sid.empty() ? "" : ", " + sid);
    one.said += (one.said.empty() ? "" : "; ") + whom;
    if (!id.empty())
      one.people.push_back(id);
    else
      one.notes.push_back(fmt::format("{} is not in the roster", whom));
  }
  one.received = time_of(text_field(about, "created_at"), utc);
  if (!one.received)
    one.notes.push_back(fmt::format("its time \"{}\" is none", text_field(about, "created_at")));
  const YAML::Node history = field(about, "history");
  one.attempt = 1 + (history.IsSequence() ? static_cast<int>(history.size()) : 0);
  if (one.attempt > 1)
    one.notes.push_back(fmt::format("{} earlier, of which Gradescope exports no files", one.attempt - 1));
  if (!fs::is_directory(one.path))
    one.notes.push_back("its folder is not there");
  else
    one.path = without_wrapping(one.path);
  return one;
}

}  // namespace

std::optional<SubmissionImport> from_gradescope(const fs::path& given, const Lookup& people, const Zone&) {
  fs::path folder = given;
  if (const auto inside = entries_of(given); !fs::exists(folder / metadata_name) && inside.size() == 1)
    folder = inside[0];  // as the zip is unpacked
  if (!fs::is_regular_file(folder / metadata_name)) return {};
  const std::string file = (folder / metadata_name).string();
  YAML::Node all;
  try {
    all = YAML::Load(read_bytes(file));
  } catch (const YAML::Exception& e) {
    throw Error(fmt::format("{}:{}:{}: {}; export the submissions again", file, e.mark.line + 1,
                            e.mark.column + 1, e.msg));
  }
  if (!all.IsMap())
    throw Error(fmt::format("{}: it has no submissions by name, as Gradescope writes them", file));
  SubmissionImport handed;
  try {
    for (const auto& entry : all) {
      const std::string key = entry.first.as<std::string>();
      if (field(entry.second, "submitters").IsSequence() && key.find('/') == key.npos &&
          !key.starts_with('.'))
        handed.all.push_back(submission_of(key, entry.second, folder, people));
      else
        handed.remarks.push_back(
            fmt::format("{}: {} has no :submitters and is left out", metadata_name, key_text(key)));
    }
  } catch (const YAML::Exception& e) {
    throw Error(fmt::format("{}:{}: {}", file, e.mark.line + 1, e.msg));
  }
  return handed;
}

}  // namespace ladder::course
