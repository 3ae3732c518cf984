#include "common/sitegen/site_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>
#include <set>
#include <string_view>

#include "common/base/files/whole_file.hpp"

namespace ladder::report {
namespace {

namespace fs = std::filesystem;

/// One page: what it leads to, what it loads, and the places in it that have names.
struct SitePage {
  std::vector<std::string> links, loads;
  std::set<std::string> names;
  bool lists_nothing = false;  ///< a list of Doxygen's without an entry
  bool folds_nothing = false;  ///< a fold that Doxygen has ended at once
};

std::string without_entities(std::string text) {
  for (std::size_t at = 0; (at = text.find("&amp;", at)) != text.npos; ++at) text.replace(at, 5, "&");
  for (std::size_t at = 0; (at = text.find('%', at)) != text.npos && at + 2 < text.size(); ++at)
    if (std::isxdigit(static_cast<unsigned char>(text[at + 1])) &&
        std::isxdigit(static_cast<unsigned char>(text[at + 2])))
      text.replace(at, 3, 1, static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16)));
  return text;
}

/// The value of an attribute of a tag; empty when it has none.
std::string attribute(std::string_view tag, const std::string& name) {
  for (const char quote : {'"', '\''}) {
    const std::string begin = " " + name + "=" + quote;
    const auto at = tag.find(begin);
    if (at == tag.npos) continue;
    const auto from = at + begin.size();
    return without_entities(std::string(tag.substr(from, tag.find(quote, from) - from)));
  }
  return {};
}

/// Contents of scripts and styles are no tags.
std::size_t after_tag(const std::string& text, std::string_view tag, std::size_t end) {
  if (tag.starts_with("<script")) return text.find("</script", end);
  if (tag.starts_with("<style")) return text.find("</style", end);
  return end;
}

bool is_on_network(const std::string& load) {
  return !load.starts_with("data:") && (load.find("://") != load.npos || load.starts_with("//"));
}

std::string without_network(const std::string& page, const std::string& load) {
  return fmt::format("{} loads {}: the site works without a network", page, load);
}

SitePage read_page(const fs::path& file) {
  const std::string text = read_text(file);
  SitePage page;
  page.lists_nothing = text.find("<div class=\"directory\">\n</div>") != text.npos;
  page.folds_nothing = text.find("</summary></details>") != text.npos;
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos;) {
    const auto end = text.compare(at, 4, "<!--") == 0 ? text.find("-->", at) : text.find('>', at);
    if (end == text.npos) break;
    const std::string_view tag(text.data() + at, end - at);
    at = after_tag(text, tag, end);
    if (at == text.npos) break;
    if (tag.starts_with("<!--")) continue;
    for (const char* name : {"id", "name"})
      if (auto value = attribute(tag, name); !value.empty()) page.names.insert(std::move(value));
    const bool link = tag.starts_with("<a ") || tag.starts_with("<area ");
    for (const char* name : {"href", "src", "data"})
      if (auto value = attribute(tag, name); !value.empty())
        (link ? page.links : page.loads).push_back(std::move(value));
  }
  return page;
}

/// A link taken apart: a file of the site, and a place in it.
struct SiteLink {
  std::string file, place;
};

bool leads_out(const std::string& link) {
  return link.starts_with("data:") || link.starts_with("mailto:") || link.starts_with("javascript:") ||
         link.find("://") != link.npos;
}

SiteLink link_from(const std::string& page, const std::string& link) {
  const auto hash = std::min(link.find('#'), link.size());
  const std::string file = link.substr(0, std::min(link.find('?'), hash));
  return {file.empty() ? page : (fs::path(page).parent_path() / file).lexically_normal().string(),
          hash < link.size() ? link.substr(hash + 1) : ""};
}

/// All pages, checked one after the other.
class SiteChecker {
 public:
  explicit SiteChecker(const fs::path& folder) : folder_(folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".html" && entry.path().parent_path().filename() != "search")
        pages_[entry.path().lexically_relative(folder)] = read_page(entry.path());
  }

  SiteCheck checked(std::size_t max_clicks) {
    result_.pages = pages_.size();
    for (const auto& [name, page] : pages_) {
      check_links(name, page);
      if (page.lists_nothing) problem(name + " is an empty list");
      if (page.folds_nothing) problem(name + " has an empty fold: its text is below it");
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.path().extension() == ".css") check_style(entry.path());
    check_clicks(max_clicks);
    return std::move(result_);
  }

 private:
  void problem(const std::string& text) { result_.problems.push_back(text); }

  void check_links(const std::string& name, const SitePage& page) {
    for (const std::string& load : page.loads)
      if (is_on_network(load))
        problem(without_network(name, load));
      else if (!leads_out(load))
        check_target(name, load);
    for (const std::string& link : page.links)
      if (!leads_out(link)) check_target(name, link);
  }

  /// What a style loads: url(…), and @import, which may do without it.
  void check_style(const fs::path& file) {
    const std::string text = read_text(file);
    for (const char* word : {"url(", "@import"})
      for (std::size_t at = 0; (at = text.find(word, at)) != text.npos;) {
        at = std::min(text.find_first_not_of(" \t\"'", at + std::string_view(word).size()), text.size());
        const std::string load = text.substr(at, text.find_first_of("\"') \t;\n", at) - at);
        if (is_on_network(load)) problem(without_network(file.lexically_relative(folder_).string(), load));
      }
  }

  void check_target(const std::string& name, const std::string& link) {
    ++result_.links;
    const SiteLink to = link_from(name, link);
    if (!fs::is_regular_file(folder_ / to.file))
      return problem(fmt::format("{} leads to {}: there is no such file", name, link));
    const auto page = pages_.find(to.file);
    // Doxygen 1.9.4 leads to headings of its own that it leaves out where all below them is of one kind.
    if (to.place == "nested-classes" || to.place == "define-members") return;
    if (!to.place.empty() && page != pages_.end() && !page->second.names.contains(to.place))
      problem(fmt::format("{} leads to {}: there is no such place in that page", name, link));
  }

  void check_clicks(std::size_t most) {
    std::map<std::string, std::size_t> clicks{{"index.html", 0}};
    std::deque<std::string> queue{"index.html"};
    for (; !queue.empty(); queue.pop_front()) {
      const std::string from = queue.front();
      for (const std::string& link : pages_[from].links) {
        if (leads_out(link)) continue;
        const std::string to = link_from(from, link).file;
        if (pages_.contains(to) && clicks.try_emplace(to, clicks[from] + 1).second) queue.push_back(to);
      }
    }
    for (const auto& [name, page] : pages_) {
      if (name.starts_with("dir_"))
        continue;  // a folder's files: Doxygen shows it in the tree, which is a script's
      const auto found = clicks.find(name);
      if (found == clicks.end())
        problem(fmt::format("no link leads from index.html to {}", name));
      else if (found->second > most)
        problem(fmt::format("{} is {} clicks away from index.html, at most {}", name, found->second, most));
      else
        result_.clicks = std::max(result_.clicks, found->second);
    }
  }

  fs::path folder_;
  std::map<std::string, SitePage> pages_;
  SiteCheck result_;
};

}  // namespace

SiteCheck check_site(const fs::path& folder, std::size_t max_clicks) {
  if (!fs::is_regular_file(folder / "index.html"))
    return {.problems = {fmt::format("{} has no index.html", folder.string())}};
  return SiteChecker(folder).checked(max_clicks);
}

}  // namespace ladder::report
