/// @file
/// Whom a platform means, and small things that all platforms' folders have in common.

#include <algorithm>
#include <system_error>

#include "common/base/error.hpp"
#include "common/course/platforms/platforms.hpp"
#include "common/course/platforms/table.hpp"
#include "common/grade/intake/contents.hpp"
#include "common/grade/intake/names.hpp"

namespace ladder::course {

namespace fs = std::filesystem;

std::string Lookup::by(std::string Person::*field, const std::string& text) const {
  if (text.empty()) return "";
  for (const Person& person : roster_)
    if (grade::lower(person.*field) == grade::lower(text)) return person.id;
  return "";
}

std::string Lookup::by_name(const std::string& text) const {
  const std::string wanted = folded(text);
  std::string found;
  if (wanted.empty()) return "";
  for (const Person& person : roster_) {
    const auto comma = person.name.find(',');
    const bool same = folded(person.name) == wanted ||
                      (comma != std::string::npos &&
                       folded(person.name.substr(comma + 1) + person.name.substr(0, comma)) == wanted);
    if (same && !found.empty()) return "";
    if (same) found = person.id;
  }
  if (!found.empty()) return found;
  // "First Last" of the roster is "Last, First" of the platform.
  for (const Person& person : roster_) {
    const auto space = person.name.rfind(' ');
    if (space == std::string::npos || person.name.find(',') != std::string::npos) continue;
    if (folded(person.name.substr(space + 1) + person.name.substr(0, space)) != wanted) continue;
    if (!found.empty()) return "";
    found = person.id;
  }
  return found;
}

std::string Lookup::by_any(const std::string& text) const {
  for (std::string Person::*field :
       {&Person::id, &Person::email, &Person::gradescope_email, &Person::gradescope_sid, &Person::sis_user_id,
        &Person::sis_login, &Person::github, &Person::canvas_id, &Person::moodle_id})
    if (const std::string id = by(field, text); !id.empty()) return id;
  return "";
}

std::string Lookup::by_repository(const std::string& name) const {
  const std::string repository = grade::lower(name);
  const Person* found = nullptr;
  for (const Person& person : roster_) {
    const std::string login = grade::lower(person.github);
    if (login.empty() || (found != nullptr && login.size() <= found->github.size())) continue;
    if (repository == login || repository.ends_with("-" + login)) found = &person;
  }
  return found == nullptr ? "" : found->id;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> all;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with('.') && name != "__MACOSX") all.push_back(it->path());
  }
  if (failed) throw Error(folder.string() + ": cannot be read: " + failed.message());
  std::sort(all.begin(), all.end());
  return all;
}

bool is_archive(const fs::path& file) {
  return grade::is_archive(file.filename().string());
}

fs::path without_wrapping(const fs::path& folder) {
  const auto inside = entries_of(folder);
  return inside.size() == 1 && is_archive(inside[0]) && fs::is_regular_file(inside[0]) ? inside[0] : folder;
}

std::string key_text(const std::string& text) {
  std::string key = text;
  for (char& c : key)
    if (static_cast<unsigned char>(c) <= 0x20 || c == '/' || c == '\\') c = '_';
  if (key.starts_with('.')) key[0] = '_';
  return key;
}

}  // namespace ladder::course
