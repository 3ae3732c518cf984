#include "common/grade/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <regex>

namespace ladder::grade {
namespace {

/// A candidate with what its path says.
struct Candidate {
  const Packed* file;
  PlainName plain;
  std::string folder;
};

std::vector<Candidate> of_name(const std::string& name, const std::vector<Packed>& files) {
  std::vector<Candidate> all;
  for (const Packed& file : files) {
    const std::string own = file_name(file.path);
    Candidate c{&file, plain_name(own), folder_of(file.path)};
    if (lower(own) == lower(name)) c.plain = {own, "", 0};  // the name itself, whatever it looks like
    if (lower(c.plain.name) == lower(name)) all.push_back(std::move(c));
  }
  return all;
}

bool same(const Packed& a, const Packed& b) {
  return a.why.empty() && b.why.empty() && a.bytes == b.bytes;
}

/// Of one folder and one person the newest; two of the same version differ in case, or are one path twice.
std::vector<Candidate> newest(const std::vector<Candidate>& all, Choice& choice) {
  std::map<std::pair<std::string, std::string>, Candidate> kept;
  std::vector<std::pair<std::string, std::string>> doubtful;
  for (const Candidate& c : all) {
    const auto key = std::pair(c.folder, c.plain.person);
    const auto [at, fresh] = kept.emplace(key, c);
    if (fresh) continue;
    const Packed& old = *at->second.file;
    if (c.plain.version == at->second.plain.version) {
      if (old.path == c.file->path && same(old, *c.file)) continue;
      choice.refused.push_back(
          {c.file->path, old.path == c.file->path
                             ? "is in the archive twice: keep one"
                             : fmt::format("and {} differ only in case: keep one", old.path)});
      doubtful.push_back(key);
    } else if (c.plain.version > at->second.plain.version) {
      at->second = c;
    }
  }
  for (const auto& key : doubtful) kept.erase(key);
  std::vector<Candidate> left;
  for (const auto& [key, candidate] : kept) left.push_back(candidate);
  return left;
}

bool ends_with_path(const std::string& path, const std::string& end) {
  return path == end || path.ends_with("/" + end);
}

/// 0: where a checkout has it; 1: in a folder of the lesson; 2: elsewhere; 3: where it is somebody else's or
/// another lesson's.
int distance(const Candidate& c, const std::string& lesson) {
  static const std::regex of_lesson("[0-9]{2}-.+");
  const std::string parent = file_name(c.folder);
  for (const char* theirs : {"solutions", "tests", "build"})
    if (("/" + c.folder + "/").find(fmt::format("/{}/", theirs)) != std::string::npos) return 3;
  if (ends_with_path(c.folder, "lessons/" + lesson)) return 0;
  if (parent == lesson) return 1;
  return std::regex_match(parent, of_lesson) && parent.substr(0, 2) != lesson.substr(0, 2) ? 3 : 2;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string all(text);
  std::transform(all.begin(), all.end(), all.begin(), [](unsigned char c) { return std::tolower(c); });
  return all;
}

std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}

PlainName plain_name(std::string_view name) {
  static const std::regex canvas(R"(([^_]+)_(LATE_)?([0-9]{1,20})_([0-9]{1,20})_(.+))");
  static const std::regex versioned(R"((.+)-([0-9]{1,4})(\.[A-Za-z]+))");
  if (name.size() > 255)
    return {std::string(name), "", 0};  // no file system has it; std::regex recurses with the length
  const std::string all(name);
  std::smatch part;
  if (!std::regex_match(all, part, canvas)) return {all, "", 0};
  PlainName plain{part[5], part[1].str() + "_" + part[3].str(), 0, part[1], part[3], part[2].matched};
  const std::string rest = plain.name;
  if (!std::regex_match(rest, part, versioned)) return plain;
  plain.name = part[1].str() + part[3].str();
  plain.version = std::stoi(part[2]);
  return plain;
}

Choice choose(const std::string& wanted, const std::vector<Packed>& files) {
  Choice choice;
  const std::string lesson = folder_of(wanted);
  std::vector<Candidate> all = newest(of_name(file_name(wanted), files), choice);
  const auto far = [&](const Candidate& c) { return distance(c, lesson); };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return far(a) < far(b); });
  for (const Candidate& c : all) {
    if (far(c) == 3)
      choice.refused.push_back({c.file->path, fmt::format("lies in a folder that is not {}'s", lesson)});
    else if (choice.file == nullptr)
      choice.file = c.file;
    else if (same(*choice.file, *c.file))
      continue;
    else if (far(c) > far(all.front()))
      choice.refused.push_back(
          {c.file->path, fmt::format("is another file than {}, which was taken", all[0].file->path)});
    else
      choice.refused.push_back(
          {c.file->path,
           fmt::format("and {} are different files: keep one, in lessons/{}/", all[0].file->path, lesson)});
  }
  // More than one at the best place: none of them.
  if (std::any_of(all.begin(), all.end(), [&](const auto& c) {
        return choice.file && c.file != choice.file && far(c) == far(all[0]) && !same(*choice.file, *c.file);
      }))
    choice.file = nullptr;
  return choice;
}

Choice choose_beside(const Packed& step, const std::string& name, const std::vector<Packed>& files) {
  Choice choice;
  std::vector<Candidate> beside = of_name(name, files);
  const std::string folder = folder_of(step.path), person = plain_name(file_name(step.path)).person;
  std::erase_if(beside, [&](const Candidate& c) { return c.folder != folder || c.plain.person != person; });
  const auto left = newest(beside, choice);
  if (!left.empty()) choice.file = left[0].file;
  return choice;
}

}  // namespace ladder::grade
