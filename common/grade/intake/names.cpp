#include "common/grade/intake/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <tuple>

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
    if (!could_be(own, c.plain, name)) continue;
    if (lower(own) == lower(name)) c.plain = {own, "", 0};  // the name itself, whatever it looks like
    if (lower(c.plain.name) != lower(name)) c.plain.spelling = Spelling::ending;
    all.push_back(std::move(c));
  }
  return all;
}

bool same(const Packed& a, const Packed& b) {
  return a.why.empty() && b.why.empty() && a.bytes == b.bytes;
}

/// Of one folder, one person and one spelling the newest; two of the same version differ in case, or are one
/// path twice.
std::vector<Candidate> newest(const std::vector<Candidate>& all, Choice& choice) {
  using Key = std::tuple<std::string, std::string, Spelling>;
  std::map<Key, Candidate> kept;
  std::vector<Key> doubtful;
  for (const Candidate& c : all) {
    const Key key(c.folder, c.plain.person, c.plain.spelling);
    const auto [at, fresh] = kept.emplace(key, c);
    if (fresh) continue;
    const Packed& old = *at->second.file;
    const auto number = [](const Candidate& one) { return std::pair(one.plain.version, one.plain.copy); };
    if (number(c) == number(at->second)) {
      if (same(old, *c.file) && (old.path == c.file->path || c.plain.spelling != Spelling::exact)) continue;
      choice.refused.push_back(
          {c.file->path, old.path == c.file->path ? "is in the archive twice: keep one"
                         : lower(old.path) == lower(c.file->path)
                             ? fmt::format("and {} differ only in case: keep one", old.path)
                             : fmt::format("and {} are different files: keep one", old.path)});
      doubtful.push_back(key);
    } else if (number(c) > number(at->second)) {
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

bool is_header(const std::string& name) {
  const std::string all = lower(name);
  return all.ends_with(".hpp") || all.ends_with(".cuh") || all.ends_with(".h");
}

std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash);
}

namespace {

constexpr const char* source_endings[] = {".cu", ".cpp", ".cc", ".cxx", ".c", ".txt", ""};

/// Of what Canvas has not named: copies as browsers and systems name them, and an ending too many.
void take_off_copies(PlainName& plain) {
  constexpr auto any_case = std::regex::ECMAScript | std::regex::icase;
  static const std::regex text(R"((.+\.(?:cu|cuh|cpp|cc|hpp|h|md|json)(?: ?\([0-9]{1,3}\))?)\.te?xt)",
                               any_case),
      copied(R"((.+?)(?: - (?:Copy|Kopie|Copie|Copia|Cópia)| copy)(\.[A-Za-z]+))", any_case),
      copy_of(R"(Copy of (.+))", any_case),
      numbered(R"((.+?)(?: ?\(([0-9]{1,3})\)|-([0-9]{1,3})| ([0-9]{1,2}))(\.[A-Za-z]+))", any_case),
      behind(R"((.+\.[A-Za-z]+) ?\(([0-9]{1,3})\))", any_case);
  std::smatch part;
  std::string name = plain.name;
  if (std::regex_match(name, part, text)) plain.spelling = Spelling::ending, name = part[1].str();
  const Spelling copy = std::max(plain.spelling, Spelling::copy);
  if (std::regex_match(name, part, behind))
    plain.spelling = copy, plain.copy = std::stoi(part[2]), name = part[1].str();
  if (std::regex_match(name, part, numbered)) {
    for (const int group : {2, 3, 4})
      if (part[group].matched) plain.copy = std::stoi(part[group]);
    plain.spelling = copy, name = part[1].str() + part[5].str();
  }
  if (std::regex_match(name, part, copied)) plain.spelling = copy, name = part[1].str() + part[2].str();
  if (std::regex_match(name, part, copy_of)) plain.spelling = copy, name = part[1].str();
  plain.name = name;
}

}  // namespace

PlainName plain_name(std::string_view name) {
  static const std::regex canvas(R"(([^_]+)_(LATE_)?([0-9]{1,20})_([0-9]{1,20})_(.+))");
  static const std::regex versioned(R"((.+)-([0-9]{1,4})(\.[A-Za-z]+))");
  if (name.size() > 255)
    return {std::string(name), "", 0};  // no file system has it; std::regex recurses with the length
  const std::string all(name);
  std::smatch part;
  PlainName plain{all, "", 0};
  plain.sent = all;
  if (!std::regex_match(all, part, canvas)) {
    take_off_copies(plain);
    return plain;
  }
  plain = {part[5], part[1].str() + "_" + part[3].str(), 0, part[1], part[3], part[2].matched};
  const std::string rest = plain.name;
  if (std::regex_match(rest, part, versioned)) {
    plain.name = part[1].str() + part[3].str();
    plain.version = std::stoi(part[2]);
  }
  plain.sent = plain.name;
  take_off_copies(plain);
  return plain;
}

bool could_be(std::string_view file_name, const PlainName& name, std::string_view source) {
  const std::string own = lower(file_name), plain = lower(name.name), wanted = lower(source);
  if (own == wanted || plain == wanted) return true;
  const auto dot = wanted.rfind('.');
  const std::string ending = dot == wanted.npos ? "" : wanted.substr(dot);
  if (ending != ".cu" && ending != ".cpp") return false;  // a header is included by its whole name
  return std::any_of(std::begin(source_endings), std::end(source_endings),
                     [&](const char* other) { return plain == wanted.substr(0, dot) + other; });
}

namespace {

/// Those that are worth most; a reason for each that is not. Of one person's versions on Canvas the newest
/// counts, whatever it is.
std::vector<Candidate> worth_most(std::vector<Candidate> all, const std::string& lesson, Choice& choice,
                                  const std::function<Worth(const Packed&)>& worth) {
  const Packed* best = nullptr;
  Worth most = Worth::skeleton;
  for (const Candidate& c : all)
    if (const Worth own = worth(*c.file); distance(c, lesson) < 3 && (!best || own < most))
      best = c.file, most = own;
  if (!best) return all;
  std::erase_if(all, [&](const Candidate& c) {
    const Worth own = worth(*c.file);
    if (own <= most || distance(c, lesson) == 3 || !c.plain.person.empty()) return false;
    choice.refused.push_back(
        {c.file->path, fmt::format("{}; {} counts before it",
                                   own == Worth::skeleton ? "is the skeleton as it was handed out"
                                                          : "cannot be read as a source",
                                   best->path)});
    return true;
  });
  return all;
}

}  // namespace

Choice choose(const std::string& wanted, const std::vector<Packed>& files,
              const std::function<Worth(const Packed&)>& worth) {
  Choice choice;
  const std::string lesson = folder_of(wanted);
  std::vector<Candidate> all =
      newest(worth_most(of_name(file_name(wanted), files), lesson, choice, worth), choice);
  const auto far = [&](const Candidate& c) { return distance(c, lesson); };
  std::erase_if(all, [&](const Candidate& c) {
    if (far(c) == 3)
      choice.refused.push_back({c.file->path, fmt::format("lies in a folder that is not {}'s", lesson)});
    return far(c) == 3;
  });
  const auto place = [&](const Candidate& c) { return std::tuple(c.file->inner, far(c), c.plain.spelling); };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  for (const Candidate& c : all) {
    if (choice.file == nullptr)
      choice.file = c.file;
    else if (same(*choice.file, *c.file))
      continue;
    else if (place(c) > place(all.front()))
      choice.refused.push_back(
          {c.file->path, fmt::format("is another file than {}, which was taken", all[0].file->path)});
    else
      choice.refused.push_back(
          {c.file->path,
           fmt::format("and {} are different files: keep one, in lessons/{}/", all[0].file->path, lesson)});
  }
  // More than one at the best place: none of them.
  if (std::any_of(all.begin(), all.end(), [&](const auto& c) {
        return choice.file && c.file != choice.file && place(c) == place(all[0]) &&
               !same(*choice.file, *c.file);
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
