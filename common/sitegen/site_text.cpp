#include "common/sitegen/site_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>

#include "common/base/files/whole_file.hpp"
#include "common/base/text/markdown.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"

namespace ladder::report {
namespace {

namespace fs = std::filesystem;

/// The rung that a section of a lesson's page is about; empty: none.
std::string rung_of_section(const std::string& page, const std::string& slug) {
  static const std::regex rung("(" + step_id_pattern + ")--.*");
  std::smatch found;
  const bool lesson = page.starts_with("lessons/") && page.ends_with("/README.md");
  return lesson && std::regex_match(slug, found, rung) ? found[1].str() : "";
}

/// The name of a heading in the site: pages have some headings in common. That of a rung stays when its
/// heading changes, as it is the name of a page.
std::string anchor_of(const std::string& page, const std::string& slug) {
  if (const std::string rung = rung_of_section(page, slug); !rung.empty()) return site_id(page) + "_" + rung;
  std::string name = site_id(page) + "__" + slug;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

/// A heading as Doxygen reads it: "### g2 · Two {#lessons_03_dgemm_g2}".
struct NamedHeading {
  std::string text, name;
};

NamedHeading named_heading(const std::string& line) {
  const auto level = line.find_first_not_of('#'), name = line.rfind(" {#");
  if (name == line.npos) return {line.substr(level + 1), ""};
  return {line.substr(level + 1, name - level - 1), line.substr(name + 3, line.rfind('}') - name - 3)};
}

/// The place of the "[" that belongs to the "]" at `end`; npos: there is none.
std::size_t opening(const std::string& line, std::size_t end) {
  std::size_t depth = 0;
  for (std::size_t i = end + 1; i-- > 0;) {
    depth += line[i] == ']';
    if (line[i] == '[' && --depth == 0) return i;
  }
  return line.npos;
}

}  // namespace

std::string site_id(const std::string& path) {
  if (path == "README.md") return "mainpage";
  std::string name = path;
  for (const char* end : {"/README.md", ".md"})
    if (name.ends_with(end)) name.erase(name.size() - std::string_view(end).size());
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

std::string heading_slug(const std::string& heading) {
  std::string slug;
  for (const char c : heading) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) || c == '-' || c == '_') slug += static_cast<char>(std::tolower(letter));
    if (c == ' ') slug += '-';
  }
  return slug;
}

bool is_shown_as_source(const std::string& path) {
  for (const char* end : {".cu", ".cuh", ".cpp", ".hpp", ".h", ".c", ".cl", ".sh", ".slurm", ".cmake", ".py"})
    if (path.ends_with(end)) return true;
  return false;
}

std::string site_file(const std::string& path) {
  return "files/" + path + (is_shown_as_source(path) ? ".html" : "");
}

CutLesson cut_lesson(const std::string& text, const std::map<std::string, std::string>& below) {
  static const std::regex rung("(" + step_id_pattern + ") .*");
  constexpr std::size_t level_of_rungs = 3;
  CutLesson lesson;
  NamedHeading title;
  bool fenced = false, inside = false;
  for (const std::string& line : lines_of(text)) {
    if (is_code_fence(line)) fenced = !fenced;
    const std::size_t level = fenced ? 0 : heading_level(line);
    if (level == 1) title = named_heading(line);
    if (level > 0 && level <= level_of_rungs) {
      const NamedHeading heading = named_heading(line);
      std::smatch id;
      const bool rungs_before = inside;
      inside = level == level_of_rungs && std::regex_match(heading.text, id, rung);
      if (rungs_before && !inside) lesson.text += "\n";  // a heading would be part of the list above
      if (inside) {
        lesson.rungs.push_back({id[1], heading.name, heading.text, ""});
        lesson.text += fmt::format("- @subpage {}\n", heading.name);
        continue;
      }
    }
    if (inside)
      lesson.rungs.back().text += (level > 0 ? line.substr(level_of_rungs - 1) : line) + "\n";
    else
      lesson.text += line + "\n";
  }
  const auto link = [](const std::string& shown, const std::string& name) {
    return fmt::format("[{}](@ref {})", shown, name);
  };
  for (std::size_t i = 0; i < lesson.rungs.size(); ++i) {
    RungPage& page = lesson.rungs[i];
    std::string way = link("↑ " + title.text, title.name);  // a line each: titles have dots themselves
    if (i > 0) way = link("← " + lesson.rungs[i - 1].heading, lesson.rungs[i - 1].name) + "<br>" + way;
    if (i + 1 < lesson.rungs.size())
      way += "<br>" + link("→ " + lesson.rungs[i + 1].heading, lesson.rungs[i + 1].name);
    const auto more = below.find(page.id);
    page.text = fmt::format("# {} {{#{}}}\n\n{}\n{}\n{}{}\n", page.heading, page.name, way, page.text, way,
                            more == below.end() ? "" : more->second);
  }
  return lesson;
}

SiteText::SiteText(fs::path root, std::set<std::string> pages)
    : root_(std::move(root)), pages_(std::move(pages)) {}

std::string SiteText::target(const std::string& path, const std::string& link, bool image) {
  const auto hash = link.find('#');
  const std::string file = link.substr(0, hash), slug = hash == link.npos ? "" : link.substr(hash + 1);
  if (link.find(':') != link.npos) return link;
  const std::string whole =
      file.empty() ? path : (fs::path(path).parent_path() / file).lexically_normal().string();
  if (pages_.contains(whole)) return "@ref " + (slug.empty() ? site_id(whole) : anchor_of(whole, slug));
  // What is no file of the checkout is left as it is: then Doxygen, or the check of the site's links, says
  // so.
  const bool inside = !whole.starts_with("../") && !whole.starts_with("/");
  if (!inside || !fs::is_regular_file(root_ / whole)) return link;
  if (image) return whole;
  files_.insert(whole);
  return site_file(whole);
}

/// A line without the marks of generated values: Doxygen would take the blanks around them away.
static std::string without_value_marks(std::string line) {
  for (const char* mark : {"<!-- = ", "<!-- . -->"})
    for (std::size_t at; (at = line.find(mark)) != line.npos;) {
      const auto end = line.find("-->", at);
      if (end == line.npos) break;
      line.erase(at, end + 3 - at);
    }
  return line;
}

/// HTML as it is, apart from the paragraphs around it.
static std::string html_block(const std::string& html) {
  return "\n\\htmlonly[block]\n" + html + "\n\\endhtmlonly\n";
}

std::string SiteText::linked(const std::string& path, const std::string& line) {
  // Doxygen shows the marks of a picture inside a link: the link comes below it.
  static const std::regex linked_picture(R"(\[(!\[.*\]\([^)]*\))\]\(([^)]*)\))");
  if (std::smatch found; std::regex_match(line, found, linked_picture))
    return linked(path, found[1]) + "\n\n" + linked(path, fmt::format("[{0}]({0})", found[2].str()));
  std::string out;
  std::size_t from = 0;
  for (std::size_t at; (at = line.find("](", from)) != line.npos;) {
    const auto end = line.find(')', at);
    if (end == line.npos) break;
    const auto begin = opening(line, at);
    const bool image = begin != line.npos && begin > 0 && line[begin - 1] == '!';
    out += line.substr(from, at + 2 - from) + target(path, line.substr(at + 2, end - at - 2), image) + ")";
    from = end + 1;
  }
  return out + line.substr(from);
}

std::string SiteText::address(const std::string& path, const std::string& link) {
  const std::string ref = "@ref ", to = target(path, link, false);
  if (!to.starts_with(ref)) return to;
  const std::string name = to.substr(ref.size()), page = name.substr(0, name.find("__"));
  return (page == "mainpage" ? "index" : page) + ".html" + (page == name ? "" : "#" + name);
}

std::string SiteText::page(const std::string& path, const std::map<std::string, std::string>& after) {
  constexpr std::string_view fold_end = "</details>";
  std::string out, section;
  bool fenced = false;
  bool folded = false;    // in a fold of several paragraphs: Doxygen would end it with the first one
  std::size_t above = 0;  // the level of the heading before: Doxygen wants none left out
  const auto end_section = [&] {
    if (const auto found = after.find(section); found != after.end()) out += "\n" + found->second + "\n";
    section.clear();
  };
  const std::vector<std::string> lines = lines_of(read_text(root_ / path));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (is_code_fence(line)) fenced = !fenced;
    if (!fenced && line.starts_with("<details>") && line.ends_with("</summary>") && i + 1 < lines.size() &&
        trim(lines[i + 1]).empty()) {
      folded = true;
      out += html_block(line);
      continue;
    }
    const bool unfolds = folded && !fenced && line.ends_with(fold_end);
    if (unfolds) line.erase(line.size() - fold_end.size());
    const std::size_t level = fenced ? 0 : heading_level(line);
    if (level == 0) {
      out += (fenced || line.starts_with("    ") ? line : linked(path, without_value_marks(line))) + "\n";
      if (unfolds) out += html_block(std::string(fold_end));
      folded = folded && !unfolds;
      continue;
    }
    end_section();
    const std::string heading(trim(std::string_view(line).substr(level)));
    section = heading.substr(0, heading.find(' '));
    const std::string id = above ? anchor_of(path, heading_slug(heading)) : site_id(path);
    above = std::min(level, above + 1);
    out += fmt::format("{} {} {{#{}}}\n", std::string(above, '#'), linked(path, heading), id);
  }
  end_section();
  return out;
}

}  // namespace ladder::report
