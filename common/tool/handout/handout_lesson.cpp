#include "common/tool/handout/handout_lesson.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/text/markdown.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/skeleton/code_lines.hpp"
#include "common/skeleton/skeletonize.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using Lines = std::set<std::string>;

/// The headers that a source includes in quotes, and those that these include, as far as they lie in the
/// folder.
void add_headers(const fs::path& folder, const std::string& source, std::set<std::string>& headers) {
  static const std::regex include(R"re(#include "([\w.]+)")re");
  for (auto at = std::sregex_iterator(source.begin(), source.end(), include); at != std::sregex_iterator();
       ++at)
    if (const std::string name = (*at)[1]; fs::exists(folder / name) && headers.insert(name).second)
      add_headers(folder, read_text(folder / name), headers);
}

std::set<std::string> headers_of(const fs::path& folder, const std::string& source) {
  std::set<std::string> headers;
  add_headers(folder, source, headers);
  return headers;
}

/// The rungs of a lesson, one after the other: what is known when a student comes to each, and what is to be
/// found out.
class SkeletonBuilder {
 public:
  SkeletonBuilder(const fs::path& root, const LessonEntry& lesson, const std::set<const StepEntry*>& chosen,
                  const std::set<std::string>& released, const Lines& common)
      : root_(root),
        folder_(root / "lessons" / lesson.name),
        chosen_(chosen),
        released_(released),
        common_(common),
        known_(cut::without_blanks(read_text(folder_ / "baseline.cpp"))) {
    for (const char* part : {"given", "."})
      if (fs::exists(folder_ / part))
        for (const auto& entry : fs::directory_iterator(folder_ / part))
          if (entry.path().stem() == space_of(lesson.name) || std::string(part) == "given")
            learn(read_text(entry.path()));
  }

  void climb(const StepEntry& step) {
    const fs::path file = source_of(root_, "solutions", step);
    const std::string solution = read_text(file);
    for (const std::string& header : headers_of(folder_, solution)) learn(read_text(folder_ / header));
    const bool open = released_.contains(step.path());
    if (!chosen_.contains(&step) && !open) return;
    if (chosen_.contains(&step)) cut_step(step, solution, file);
    if (open || !cut::has_regions(solution)) return learn(solution);
    learn(of.steps.at(&step));
    for (cut::Region& region : cut::regions_of(solution, file.string(), step.id())) {
      for (const std::string& line : region.telling)
        if (!common_.contains(line) && known_.find(line) == known_.npos) of.secrets.emplace(line, step.id());
      earlier_.push_back(std::move(region));
    }
  }

  /// Headers that show what is still a secret, and rungs that cannot be built without them.
  void withhold() {
    const cut::SecretSearch search(of.secrets);
    for (const auto& entry : fs::directory_iterator(folder_))
      if (const auto kind = entry.path().extension(); kind == ".cuh" || kind == ".hpp" || kind == ".h")
        if (const auto* shown = search.in(cut::without_blanks(read_text(entry.path()))))
          showing_[entry.path().filename()] = shown->second;
    for (const auto& [name, rung] : showing_) of.headers.insert(name);
    for (auto step = of.steps.begin(); step != of.steps.end();) {
      const std::string rung = shown_by_headers(step->second);
      if (!rung.empty()) say(*step->first, rung, "a header that it needs shows");
      step = rung.empty() ? std::next(step) : of.steps.erase(step);
    }
  }

  HandoutLesson of;

 private:
  void learn(const std::string& source) { known_ += cut::without_blanks(source); }

  void cut_step(const StepEntry& step, const std::string& solution, const fs::path& file) {
    if (cut::has_regions(solution)) {
      of.steps[&step] = cut::course_skeleton(solution, file.string(), earlier_, of.secrets).text;
      return;
    }
    if (const auto* shown = cut::SecretSearch(of.secrets).in(cut::without_blanks(solution)))
      return say(step, shown->second, "it is given whole, and shows");
    of.steps[&step] = solution;
  }

  std::string shown_by_headers(const std::string& source) const {
    for (const std::string& header : headers_of(folder_, source))
      if (const auto at = showing_.find(header); at != showing_.end()) return at->second;
    return "";
  }

  void say(const StepEntry& step, const std::string& rung, const char* why) {
    of.withheld.push_back(fmt::format("{} comes with the solution of {}/{}: {} lines of that", step.label(),
                                      step.lesson.substr(0, 2), rung, why));
  }

  const fs::path root_, folder_;
  const std::set<const StepEntry*>& chosen_;
  const std::set<std::string>& released_;
  const Lines& common_;
  std::string known_;  // code that students have seen, without blanks
  std::vector<cut::Region> earlier_;
  std::map<std::string, std::string> showing_;  // header -> rung
};

}  // namespace

std::set<std::string> common_lines(const fs::path& root, const std::vector<LessonEntry>& lessons) {
  std::map<std::string, std::set<std::string>> lessons_of;
  for (const LessonEntry& lesson : lessons)
    for (const StepEntry& step : lesson.steps)
      for (const std::string& line : cut::telling_lines(read_text(source_of(root, "solutions", step))))
        lessons_of[line].insert(lesson.name);
  Lines common;
  for (const auto& [line, in] : lessons_of)
    if (in.size() > 1) common.insert(line);
  return common;
}

HandoutLesson lesson_of_handout(const fs::path& root, const LessonEntry& lesson,
                                const std::set<const StepEntry*>& chosen,
                                const std::set<std::string>& released, const Lines& common) {
  SkeletonBuilder ladder(root, lesson, chosen, released, common);
  for (const StepEntry& step : lesson.steps) ladder.climb(step);
  ladder.withhold();
  return std::move(ladder.of);
}

std::string without_answers(const std::string& page, const std::string& number,
                            const std::set<std::string>& open_rungs, bool all_open) {
  static const std::regex heading("(##+) (" + step_id_pattern + ")? ?.*");
  static const std::string open = "<details><summary>", middle = "</summary>", close = "</details>";
  std::string text, rung;
  std::size_t level = 0;
  bool fenced = false, inside = false;  // inside the rest of a fold that is cut
  for (std::string line : lines_of(page)) {
    if (std::smatch found; is_code_fence(line)) {
      fenced = !fenced;
    } else if (!fenced && std::regex_match(line, found, heading)) {
      const auto depth = static_cast<std::size_t>(found[1].length());
      if (found[2].matched)
        rung = found[2], level = depth;
      else if (depth <= level)
        rung.clear(), level = 0;
    }
    std::string kept;
    std::size_t at = 0;
    for (;;) {
      if (inside) {
        const auto end = line.find(close, at);
        if (end == line.npos) break;
        kept += close, at = end + close.size(), inside = false;
      }
      const auto begin = line.find(open, at), said = begin == line.npos ? begin : line.find(middle, begin);
      if (said == line.npos) {
        kept += line.substr(at);
        break;
      }
      const bool answer = line.compare(begin + open.size(), said - begin - open.size(), "Answer") == 0;
      const bool secret = rung.empty() ? answer && !all_open : !open_rungs.contains(rung);
      kept += line.substr(at, said + middle.size() - at), at = said + middle.size();
      if (secret)
        kept += fmt::format("The answer comes with the solution{}.",
                            rung.empty() ? "s" : " of " + number + "/" + rung),
            inside = true;
    }
    if (!inside || !kept.empty()) text += kept + "\n";
  }
  return text;
}

std::string without_hints(const std::string& table, const std::set<std::string>& files) {
  static const std::regex row("file = \"([^\"]+)\"");
  std::string text;
  bool kept = true, inside = false;  // inside the list of a rung whose hints go
  for (const std::string& line : lines_of(table)) {
    std::smatch found;
    if (line == "[[rungs]]") kept = true;
    if (std::regex_match(line, found, row)) kept = files.contains(found[1]);
    if (!kept && line.starts_with("hints = [")) {
      text += "hints = [\"The hints of a rung come with it.\", \"They come with it.\"]\n";
      inside = !line.ends_with("]");
    } else if (!inside) {
      text += line + "\n";
    } else if (line == "]") {
      inside = false;
    }
  }
  return text;
}

}  // namespace ladder
