/// @file
/// The part of the verb test that reads pages as people do: the site and reports in a browser, the session on
/// a terminal, the notebook.

#include <algorithm>
#include <map>

#include "common/report/html/student_report.hpp"
#include "common/tool/maintain/docs.hpp"
#include "common/tool/maintain/testing/test_parts.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Pages in a browser: width, contrast, keyboard, and search for a word; an empty word: they have no search.
void look_at(Context& context, const std::string& name, const fs::path& folder, const std::string& word,
             const std::vector<std::string>& pages, TestSummary& summary) {
  std::vector<std::string> command = {"sh", context.root / "tests/tool/site/look.sh", folder, word};
  command.insert(command.end(), pages.begin(), pages.end());
  context.terminal.progress(name, 0.95);
  const ProcessResult ended = run_process({.arguments = command, .seconds = program_seconds});
  if (ended.interrupted) return;
  if (ended.status == skip_status) return summary.skip(name, last_lines(ended.output, 1));
  summary.expect(ended.ok(), name, last_lines(ended.output, 12));
}

/// What profile would have kept of a step: two streams, host work, and more events than a screen has pixels.
nlohmann::json a_kept_profile() {
  report::Profile profile;
  profile.problem = "n = 64";
  Trace trace;
  for (const auto kind : {LADDER_HOST, LADDER_H2D, LADDER_KERNEL, LADDER_D2D, LADDER_D2H})
    for (std::uint64_t i = 0; i < 300; ++i) {
      Trace::Event event;
      event.kind = kind, event.id = trace.events.size() + 1,
      event.stream = kind == LADDER_HOST ? 0 : 1 + i % 2;
      event.bytes = 4096, event.name = "a_kernel_with_a_long_name";
      event.begin = 1000 * event.id, event.end = event.begin + (i == 0 ? 100000 : 900);
      trace.events.push_back(event);
    }
  profile.trace = trace, profile.trace_device = "NVIDIA H200";
  return report::stored_profile(profile);
}

/// The words of the pictures: a checkout without it has no pictures.
constexpr const char* pictures_file = "docs/pictures.txt";

/// A student's report for its pictures: two rungs of lesson 03, of a stored run.
fs::path pictured_report(Context& context, const std::vector<report::StoredMachine>& stored) {
  const auto machine =
      std::ranges::find_if(stored, [](const auto& one) { return one.folder == "debian-12"; });
  if (machine == stored.end() || !machine->run) return {};
  model::Document document = machine->run->results;
  std::erase_if(document.lessons, [](const auto& lesson) { return lesson.name != "03-dgemm"; });
  for (model::LessonResults& lesson : document.lessons)
    std::erase_if(lesson.steps,
                  [](const auto& step) { return step.name != "g1_naive" && step.name != "g2_shared_tiles"; });
  const fs::path file = context.scratch() / "pictures" / "report.html";
  write_text(file, report::student_report(
                       {.place = machine->name,
                        .document = document,
                        .profiles = {},
                        .states = {{"03-dgemm/g1_naive", "PASS"}, {"03-dgemm/g2_shared_tiles", "PASS"}},
                        .changes = {},
                        .last = "",
                        .stored = stored}));
  return file;
}

/// The pictures of docs are taken, or checked: what they show is what pages show now.
void run_pictures(Context& context, const std::string& task, const Site& site, TestSummary& summary) {
  const std::string name =
      task == "take" ? "pictures of the site, taken" : "pictures of the site show what it shows";
  const fs::path report = pictured_report(context, report::stored_machines(context.root));
  if (report.empty()) return summary.skip(name, "docs/results has no run of debian-12");
  const ProcessResult ended =
      run_process({.arguments = {"sh", context.root / "tests/tool/site/shots.sh", task, site.folder, report},
                   .seconds = program_seconds});
  if (ended.interrupted) return;
  if (ended.status == skip_status) return summary.skip(name, last_lines(ended.output, 1));
  summary.expect(ended.ok(), name, last_lines(ended.output, 12));
}

void check_docs(Context& context, TestSummary& summary) {
  const Site site = build_site(context);
  if (!site.missing.empty()) return summary.skip("site", site.missing + " is not here");
  if (interrupted()) return;
  summary.expect(site.error.empty(), "site: Doxygen warns of nothing", site.error);
  if (!site.error.empty()) return;
  for (const std::string& problem : site.check.problems) summary.fail("site: links", problem);
  if (site.check.problems.empty()) summary.pass();
  std::vector<std::string> pages = {"index.html"};
  for (const std::string& page : site.pages)
    if (page != "index.html") pages.push_back(page);
  for (const char* of_doxygen : {"pages.html", "annotated.html", "files.html", "classladder_1_1Stream.html"})
    if (fs::exists(site.folder / of_doxygen)) pages.push_back(of_doxygen);
  look_at(context, "site: in a browser, 360 px wide", site.folder, "glossary", pages, summary);
  if (fs::exists(context.root / pictures_file)) run_pictures(context, "check", site, summary);
  // A report is made of a stored run, as if it were a student's.
  const auto stored = report::stored_machines(context.root);
  const std::map<std::string, nlohmann::json> profiles = {{"03-dgemm/g2_shared_tiles", a_kept_profile()}};
  for (const report::StoredMachine& machine : stored)
    if (machine.run)
      write_text(context.scratch() / "reports" / (machine.folder + ".html"),
                 report::student_report({.place = machine.name,
                                         .document = machine.run->results,
                                         .profiles = profiles,
                                         .states = {},
                                         .changes = {},
                                         .last = "",
                                         .stored = stored}));
  pages.clear();
  for (const report::StoredMachine& machine : stored)
    if (machine.run) pages.push_back(machine.folder + ".html");
  if (!pages.empty())
    look_at(context, "report: in a browser, 360 px wide", context.scratch() / "reports", "", pages, summary);
}

}  // namespace

TestJobs docs_jobs(Context& context) {
  // What a student types and sees, once more, on a terminal and in a notebook. Both link to what lies in the
  // build folder, and have its prebuilt.json for themselves.
  TestJobs clones;
  for (const char* script : {"tests/tool/session/session.sh", "tests/tool/notebook/notebook.sh"}) {
    TestJob job = script_job(context, "docs", context.root / script);
    job.targets = {"bin/ladder-dev", "bin/cut", "bin/confine", "judges/03-dgemm",
                   "workers/lessons/03-dgemm/g2_shared_tiles.observed"};
    job.holds_build = true;
    job.owns = {"prebuilt.json"};
    clones.push_back(job);
  }
  TestJob site{.part = "docs", .name = "site and reports in a browser", .cost = 150, .memory_gib = 3};
  site.holds_build = true;
  site.work = [&context](JobReport& report) { check_docs(context, report.summary); };
  clones.push_back(site);
  return clones;
}

TestJobs pictures_jobs(Context& context) {
  if (!fs::exists(context.root / pictures_file)) return {};
  TestJob job{.part = "docs", .name = "pictures of the site", .cost = 60, .memory_gib = 3};
  job.holds_build = true;
  job.work = [&context](JobReport& report) {
    if (!run_process({.arguments = {"sh", "-c", "command -v chromium"}}).ok())  // before the site is built
      return report.summary.skip("pictures of the site", "chromium is not here: they stay as they are");
    const Site site = build_site(context);
    if (!site.missing.empty()) return report.summary.skip("site", site.missing + " is not here");
    report.summary.expect(site.error.empty(), "site: Doxygen warns of nothing", site.error);
    if (site.error.empty()) run_pictures(context, "take", site, report.summary);
  };
  return {job};
}

}  // namespace ladder
