/// @file
/// The verb docs: builds the site with Doxygen, checks it, and shows it on this machine.

#include "common/tool/maintain/docs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/sitegen/site/spoilers.hpp"
#include "common/sitegen/site_text.hpp"
#include "common/tool/build/compiler_output.hpp"
#include "common/tool/maintain/docs_pages.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* theme_file = "usr/share/doxygen-awesome-css/doxygen-awesome.css";

/// The stylesheet of the package doxygen-awesome-css; empty: it is not here.
fs::path theme() {
  const char* prefix = std::getenv("LADDER_PREFIX");
  for (const fs::path& top : {fs::path(prefix ? prefix : "/"), fs::path("/")})
    if (fs::is_regular_file(top / theme_file)) return top / theme_file;
  return {};
}

/// {1, 9, 4}; empty: Doxygen is not here.
std::vector<int> doxygen_version() {
  const ProcessResult ended = run_process({.arguments = {"doxygen", "--version"}, .seconds = 20});
  std::vector<int> version;
  if (!ended.ok()) return version;
  std::istringstream in(ended.output);
  for (std::string part; std::getline(in, part, '.');) version.push_back(std::atoi(part.c_str()));
  return version;
}

/// docs/Doxyfile with what belongs to this build.
std::string doxyfile(const Context& context, const fs::path& folder, const std::vector<fs::path>& pages,
                     const std::vector<int>& version) {
  std::string text = read_text(context.root / "docs/Doxyfile");
  text += fmt::format(
      "\nOUTPUT_DIRECTORY = \"{0}\"\nHTML_OUTPUT = html\nEXAMPLE_PATH = \"{0}/parts\"\n"
      "STRIP_FROM_PATH = \"{0}/pages\" \"{1}\"\nHTML_EXTRA_STYLESHEET = \"{2}\" docs/site.css\n"
      "HTML_EXTRA_FILES = docs/site.js\n",
      folder.string(), context.root.string(), theme().string());
  for (const fs::path& page : pages) text += fmt::format("INPUT += \"{}\"\n", page.string());
  // From 1.9.5 on Doxygen has dark pages of its own, where the theme has better ones; before, this line is
  // unknown.
  if (version >= std::vector{1, 9, 5}) text += "HTML_COLORSTYLE = LIGHT\n";
  return text;
}

void copy_site(const fs::path& from, const fs::path& to) {
  if (fs::weakly_canonical(from) == fs::weakly_canonical(to)) return;
  std::error_code error;
  // Only a site may be replaced: --out names a folder, and what is in it would be gone.
  if (fs::exists(to) && !fs::is_empty(to, error)) {
    if (!fs::exists(to / ".nojekyll") || !fs::exists(to / "doxygen.css"))
      throw UsageError{fmt::format("{} exists and is not a site: name another folder", to.string())};
    fs::remove_all(to, error);
  }
  fs::create_directories(to, error);
  if (!error) fs::copy(from, to, fs::copy_options::recursive, error);
  if (error) throw UsageError{fmt::format("{} cannot be written: {}", to.string(), error.message())};
}

/// What Doxygen calls a page that it read.
std::string html_of(const fs::path& page) {
  if (page.parent_path() == "parts") return page.stem().string() + ".html";
  const std::string id = report::site_id(page.string());
  return (id == "mainpage" ? "index" : id) + ".html";
}

int serve(Context& context, const fs::path& folder, int port) {
  context.terminal.print(
      fmt::format("http://127.0.0.1:{}/ shows it on this machine; Ctrl-C ends that", port));
  const ProcessResult ended =
      run_process({.arguments = {"python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory",
                                 folder.string(), std::to_string(port)},
                   .seconds = 1e9});
  if (ended.interrupted) return 0;
  if (ended.status == 127)
    throw UsageError{fmt::format("--serve needs python3, which is not here; a browser shows {} as well",
                                 (folder / "index.html").string())};
  const auto lines = lines_of(ended.output);
  throw UsageError{fmt::format("nothing is shown on port {}: {}; --port takes another one", port,
                               lines.empty() ? "python3 ended" : lines.back())};
}

std::string site_sentence(const Site& site) {
  return fmt::format("{}: {} pages, {} links, no page more than {} clicks away", site.folder.string(),
                     site.check.pages, site.check.links, site.check.clicks);
}

/// A finished site takes the place of the last one; of two that end at once the later one stays.
void put_in_place(const fs::path& built, const fs::path& site) {
  std::error_code error;
  for (int tries = 0; tries < 10; ++tries) {
    fs::rename(site, fmt::format("{}.last{}", built.string(), tries), error);  // the first one finds none
    fs::rename(built, site, error);
    if (!error) return;
  }
  throw UsageError{fmt::format("{} cannot be written: {}", site.string(), error.message())};
}

}  // namespace

Site build_site(Context& context) {
  const fs::path whole = fs::path(context.build.folder()) / "site";
  Site site{.folder = whole / "html", .missing = "", .error = ""};
  const std::vector<int> version = doxygen_version();
  if (version.empty())
    site.missing = "doxygen";
  else if (theme().empty())
    site.missing = "doxygen-awesome-css";
  if (!site.missing.empty()) return site;
  const ScratchFolder scratch(context.build.folder());  // two at once do not meet
  const fs::path folder = scratch.path() / "site";
  const auto lessons = context.catalogue.resolve_lessons({});
  const SitePagesWritten written = write_site_pages(context.root, lessons, folder, folder / "html");
  write_text(folder / "Doxyfile", doxyfile(context, folder, written.pages, version));
  for (const fs::path& page : written.pages)
    site.pages.push_back(html_of(page.lexically_relative(folder / "pages")));
  site.pages.insert(site.pages.end(), written.slides.begin(), written.slides.end());
  context.terminal.begin_work();
  const ProcessResult built =
      run_process({.arguments = {"doxygen", "-q", (folder / "Doxyfile").string()},
                   .folder = context.root,
                   .seconds = 1200},
                  [&](const std::string&) { context.terminal.progress("building: docs", 0); });
  context.terminal.end_work();
  if (!built.ok()) {
    const std::string output = with_paths_in((folder / "pages").string(), built.output);
    if (built.interrupted) site.error = "interrupted";
    for (const BuildFailure& one : first_errors(output, context.root, {}, 10))
      site.error += (site.error.empty() ? "" : "\n") + one.line();
    return site;
  }
  write_text(folder / "html/.nojekyll", "");  // GitHub Pages: files as they are
  site.check = report::check_site(folder / "html");
  for (const LessonEntry* lesson : lessons) {
    const std::string readme = "lessons/" + lesson->name + "/README.md";
    for (std::string& problem :
         report::site_spoilers(folder / "html", report::site_id(readme), read_text(context.root / readme)))
      site.check.problems.push_back(std::move(problem));
  }
  for (const report::PageProblem& problem : written.problems)
    site.check.problems.push_back(problem.sentence());
  put_in_place(folder, whole);
  return site;
}

void add_docs_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  app.add_option("--out", o.docs.out,
                 "copy it into this folder, for a web server; build/site/html by default")
      ->type_name("FOLDER");
  app.add_flag("--serve", o.docs.serve, "show it to browsers of this machine until Ctrl-C");
  app.add_option("--port", typed.port, "of --serve (default 8000)")->type_name("N")->needs("--serve");
}

int docs(Context& context) {
  const DocsOptions& options = context.options.docs;
  context.need_tables(context.catalogue.resolve_lessons({}));
  Site site = build_site(context);
  if (!site.missing.empty())
    throw UsageError{fmt::format("the site needs the package {}, which is not here", site.missing)};
  if (!site.error.empty()) {
    context.terminal.print(site.error);
    return 1;
  }
  for (const std::string& problem : site.check.problems) context.terminal.print(problem);
  if (!options.out.empty()) {
    copy_site(site.folder, options.out);
    site.folder = options.out;
  }
  context.terminal.print(site_sentence(site));
  model::Document document = report::document("docs", context.seed);
  document.site = {{"folder", site.folder.string()},
                   {"pages", site.check.pages},
                   {"links", site.check.links},
                   {"clicks", site.check.clicks},
                   {"problems", site.check.problems}};
  context.write_json(document);
  if (!site.check.problems.empty()) return 1;
  return options.serve ? serve(context, site.folder, options.port) : 0;
}

}  // namespace ladder
