/// @file
/// The parts of the verb test that start programs of unit tests.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "common/base/text/text.hpp"
#include "common/tool/maintain/testing/test_parts.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* builds_here = "tests/test-programs";  // starts the tool in this build folder

/// A program of unit tests, and how it is run.
struct UnitProgram {
  std::string target;
  fs::path file;
  std::map<std::string, std::string> environment{};
  bool as_nobody = false;            ///< without root's rights, in folders of its own
  std::string kind{};                ///< of the run, after the program's name
  std::string chosen{};              ///< the test cases, in Catch2's words; empty: all
  std::vector<std::string> cases{};  ///< the test cases by their names; empty: all

  std::string name() const { return target.substr(target.find('/') + 1) + kind; }
};

/// The folder in which a program runs: its tests write commands with it.
fs::path folder_of(Context& context, const UnitProgram& program) {
  std::string name = program.name();
  std::replace(name.begin(), name.end(), ' ', '-');
  return context.scratch() / name;
}

/// The names of test cases as Catch2 reads them: a comma would end one.
std::string as_patterns(const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) {
    for (const char c : name) {
      if (std::string_view("\\,[]\"").find(c) != std::string_view::npos) lines += '\\';
      lines += c;
    }
    lines += '\n';
  }
  return lines;
}

ProcessResult start(Context& context, const UnitProgram& program, const fs::path& log) {
  const fs::path folder = folder_of(context, program);
  std::error_code ignored;
  fs::create_directories(folder);
  fs::create_directories(log.parent_path(), ignored);
  fs::remove(log, ignored);
  std::map<std::string, std::string> settings = program.environment;
  settings.insert({{"LADDER_SKIPS", (folder / "skips").string()},
                   {"LADDER_ROOT", context.root.string()},
                   {"LADDER_BUILD", context.build.folder().string()}});
  if (program.as_nobody) {
    give_to_nobody(folder);
    settings.merge(nobodys_folders(folder));
  }
  std::vector<std::string> arguments = {program.file, "-r", "junit", "-o", folder / "junit.xml"};
  if (program.chosen.find('#') != std::string::npos) arguments.push_back("-#");  // names of files are tags
  if (!program.chosen.empty()) arguments.push_back(program.chosen);
  if (!program.cases.empty()) {
    write_text(folder / "cases", as_patterns(program.cases));
    arguments.insert(arguments.end(), {"-f", folder / "cases"});
  }
  return run_process({.arguments = std::move(arguments),
                      .folder = folder,
                      .environment = settings,
                      .log = log,
                      .seconds = program_seconds,
                      .as_nobody = program.as_nobody});
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// @param again  null: failures count; else test cases that failed are named there instead
void run_program(Context& context, const UnitProgram& program, TestSummary& summary,
                 nlohmann::json* again = nullptr) {
  const std::string name = program.name();
  const fs::path folder = folder_of(context, program);
  const fs::path log = context.build.folder() / "logs" / (name + ".log");
  const ProcessResult ended = start(context, program, log);
  if (ended.interrupted) return;
  const std::size_t failed = summary.failures().size();
  TestSummary mine;
  const std::string report = read_text(folder / "junit.xml");
  const bool whole = take_junit(report, name, mine);
  const int skips = take_skips(read_text(folder / "skips"), name, summary);
  // Catch2 2.13 counts a test that returned early as passed: take what it says it skipped out again.
  summary.pass(std::max(0, mine.passed() - skips));
  for (const auto& f : mine.failures())
    if (again && whole)
      again->push_back(f.name.substr(name.size() + 2));  // take_junit writes "program: test case"
    else
      summary.fail(f.name, f.text);
  for (const auto& s : mine.skips()) summary.skip(s.name, s.text);
  const auto fail = [&](const std::string& why) {
    summary.fail(name, fmt::format("{}; see {}\n{}", why, log.string(), last_lines(read_text(log), 10)));
  };
  const std::size_t ran = count_of(report, "<testcase ");
  if (whole && ran < program.cases.size())
    fail(fmt::format("{} test cases have failed next to others, and {} of them ran again",
                     program.cases.size(), ran));
  const bool told = summary.failures().size() > failed || (again && !again->empty());
  if (ended.timed_out)
    fail(fmt::format("did not end in {} s", program_seconds));
  else if (!whole || ended.status > 128)
    fail(fmt::format("ended with status {} before its report was whole", ended.status));
  else if (ended.status != 0 && !told)
    fail(fmt::format("ended with status {} though its report has no failure", ended.status));
}

UnitProgram unit_program(const Context& context, const std::string& target) {
  return {.target = target, .file = context.build.file(target)};
}

/// Programs whose tests give workers, terminals and processes seconds: next to other jobs these may not be
/// enough.
bool looks_at_the_clock(const UnitProgram& program) {
  const std::set<std::string> such = {"tests/test-executor", "tests/test-judge", "tests/test-moments",
                                      "tests/test-trace",    "tests/test-verbs", "tests/test-watch"};
  return such.contains(program.target);
}

/// What a program looks at of the whole machine: the users of submissions, processes by their names, shared
/// memory.
std::set<std::string> owned_by(const std::string& target) {
  if (target == "tests/test-judge") return {"users", "processes"};
  if (target == "tests/test-moments") return {"processes"};
  if (target == "tests/test-grade") return {"users"};
  return {};
}

/// @param alone  nothing else runs: what fails now has failed
TestJob program_job(Context& context, const std::string& part, const UnitProgram& program,
                    bool alone = false) {
  TestJob job{.part = part, .name = program.name(), .targets = {program.target}, .memory_gib = 2};
  job.holds_build = program.target == builds_here;
  job.alone = alone;
  job.owns = owned_by(program.target);
  if (alone) job.name += ", alone";
  const bool second_chance = !alone && looks_at_the_clock(program);
  job.work = [&context, program, second_chance](JobReport& report) {
    const auto failures = context.build.make({program.target}, {});
    if (const auto failed = failures.find(program.target); failed != failures.end())
      return report.summary.fail(program.target, failed->second.line());
    run_program(context, program, report.summary, second_chance ? &report.again : nullptr);
  };
  if (second_chance)
    job.more = [&context, part, program](const nlohmann::json& again) {
      UnitProgram rest = program;
      rest.cases = again.get<std::vector<std::string>>(), rest.chosen.clear();
      return TestJobs{program_job(context, part, rest, true)};
    };
  return job;
}

// ---- under the compiler's sanitizers

/// Why test cases with a tag do not run there.
const std::vector<std::pair<std::string, std::string>> left_out = {
    {"[plants-a-fault]", "they plant a fault, which a sanitizer would report before what is tested does"},
    {"[other-machine]", "they run programs of another machine, for which no sanitized ones are built"}};

/// Configures the build folder for sanitized programs next to the ordinary one, whose programs its tests
/// start where these cannot be sanitized.
bool configure_sanitized(Context& context, const fs::path& folder, TestSummary& summary) {
  context.terminal.progress("configuring " + folder.string(), 0);
  const ProcessResult configured =
      run_process({.arguments = {"cmake", "-G", "Ninja", "-S", context.root, "-B", folder,
                                 "-DLADDER_SANITIZE=" + context.build.folder().string()}});
  if (!configured.ok() && !configured.interrupted)
    summary.fail("sanitized",
                 "cannot configure " + folder.string() + "\n" + last_lines(configured.output, 12));
  return configured.ok();
}

/// How many test cases a program has with a tag.
int cases_with(const UnitProgram& program, const std::string& tag) {
  const ProcessResult listed =
      run_process({.arguments = {program.file, "--list-tests", tag}, .seconds = 60, .output_only = true});
  const auto at = listed.output.find(" matching test case");
  if (at == std::string::npos) return 0;
  return std::atoi(listed.output.c_str() + listed.output.rfind('\n', at) + 1);
}

/// Of a sanitizer's report what happened and where, without the picture of the memory.
std::string gist(const std::string& report) {
  std::string text;
  for (const std::string& line : lines_of(report)) {
    const auto first = line.find_first_not_of(' ');
    const bool frame = first != std::string::npos && line[first] == '#';
    if (frame || line.find("ERROR") != std::string::npos || line.find("runtime error") != std::string::npos)
      text += line + "\n";
    if (std::count(text.begin(), text.end(), '\n') == 12) break;
  }
  return last_lines(text.empty() ? report : text, 12);
}

/// What a program and those that it starts do wrong goes to files, so that no report is lost with the output
/// of a child.
void run_under_sanitizers(Context& context, const Build& build, const std::string& target,
                          TestSummary& summary) {
  UnitProgram program{.target = target, .file = build.file(target), .kind = " sanitized"};
  for (const auto& [tag, why] : left_out) {
    program.chosen += "~" + tag;
    if (const int cases = cases_with(program, tag))
      summary.skip(program.name(), fmt::format("{} test {}: {}", cases, cases == 1 ? "case" : "cases", why));
  }
  const fs::path reports = folder_of(context, program) / "reports";
  fs::create_directories(reports);
  const std::string options = "log_path='" + (reports / "report").string() + "':print_stacktrace=1";
  program.environment = {{"ASAN_OPTIONS", options + ":detect_leaks=0"}, {"UBSAN_OPTIONS", options}};
  run_program(context, program, summary);
  for (const auto& entry : fs::directory_iterator(reports))
    summary.fail(program.name(), gist(read_text(entry.path())));
}

void run_sanitized(Context& context, TestSummary& summary) {
  const auto ordinary = context.build.programs_in("tests/");
  const auto not_started = context.build.make(ordinary, context.build_progress());
  const fs::path folder = context.build.folder() / "sanitized";
  if (!configure_sanitized(context, folder, summary)) return;
  const Build::Rest rest(context.build);  // two ninjas would fight for the cores
  Build build(context.root, folder);
  build.refresh();
  const auto programs = build.programs_in("tests/");
  const auto failures = build.make(programs, context.build_progress());
  if (programs.empty()) summary.fail("sanitized", "the sanitized build has no test programs in tests/");
  for (const std::string& target : programs) {
    if (interrupted()) break;
    context.terminal.progress(target + " sanitized", 0.9);
    if (const auto failed = failures.find(target); failed != failures.end())
      summary.fail(target + " sanitized", failed->second.line());
    else if (const auto plain = not_started.find(target); plain != not_started.end())
      summary.fail(target + " sanitized", "what it starts was not built: " + plain->second.line());
    else
      run_under_sanitizers(context, build, target, summary);
  }
}

/// Others may have no way to this checkout: below /root, say.
bool nobody_has_a_way(Context& context) {
  static const bool way =
      run_process({.arguments = {"sh", "-c", "test -r \"$0\" && test -x \"$1\"", context.root / "ladder",
                                 context.build.folder() / "bin" / "ladder-dev"},
                   .as_nobody = true})
          .ok();
  return way;
}

/// Programs that nobody runs, by the test cases that are to run, in Catch2's words; empty: all.
const std::map<std::string, std::string> nobodys_programs = {
    {"tests/test-judge", "[#confine_test],[#sandbox_test],[#energy_test],[#instance_test]"},
    {"tests/test-tool", ""},
    {"tests/test-verbs", ""}};

/// Whether nobody runs a whole program in the same test: root then runs the test cases that ask for root.
bool nobody_runs(Context& context, const std::string& target) {
  const auto program = nobodys_programs.find(target);
  const bool whole = program != nobodys_programs.end() && program->second.empty();
  return whole && geteuid() == 0 && context.options.parts.empty() && nobody_has_a_way(context);
}

}  // namespace

TestJobs unit_jobs(Context& context) {
  TestJobs jobs;
  for (const std::string& target : context.build.programs_in("tests/")) {
    UnitProgram program = unit_program(context, target);
    if (nobody_runs(context, target)) {
      program.chosen = "[as-root]";
      program.kind = " as root";
    }
    jobs.push_back(program_job(context, "units", program));
  }
  if (jobs.empty())
    jobs.push_back({.part = "units", .name = "test programs", .work = [](JobReport& report) {
                      report.summary.fail("harness and tool", "the build has no test programs in tests/");
                    }});
  for (TestJob& job : script_jobs(context)) jobs.push_back(std::move(job));
  return jobs;
}

TestJobs renewing_jobs(Context& context, const std::vector<ApprovingSource>& sources) {
  std::map<std::string, std::string> chosen;  // names of files as tags, by program
  for (const ApprovingSource& source : sources) {
    std::string& tags = chosen["tests/" + source.program];
    tags += (tags.empty() ? "[#" : ",[#") + source.name + "]";
  }
  TestJobs jobs;
  for (const auto& [target, tags] : chosen) {
    if (!context.build.knows(target)) continue;
    UnitProgram program = unit_program(context, target);
    program.chosen = tags;
    program.environment = {{"LADDER_RENEW", "1"}};
    jobs.push_back(program_job(context, "units", program));
  }
  return jobs;
}

TestJobs ending_jobs(Context& context) {
  UnitProgram endings = unit_program(context, "tests/test-moments");
  endings.environment = {{"LADDER_MOMENTS", "400"}};
  return {program_job(context, "endings", endings, true)};
}

TestJobs sanitized_jobs(Context& context) {
  TestJob job{.part = "sanitized", .name = "harness and tool under sanitizers"};
  job.targets = context.build.programs_in("tests/");
  job.cost = 3000, job.holds_build = true;
  job.work = [&context](JobReport& report) { run_sanitized(context, report.summary); };
  return {job};
}

TestJobs nobody_jobs(Context& context, const Lessons& lessons, TestSummary& summary) {
  if (!nobody_has_a_way(context)) {
    summary.skip("as nobody", fmt::format("nobody may not read {} or {}; root has run everything",
                                          context.root.string(), context.build.folder().string()));
    return {};
  }
  TestJobs jobs;
  if (context.options.names.empty())
    for (const auto& [program, chosen] : nobodys_programs) {
      if (!context.build.knows(program)) continue;
      UnitProgram again = unit_program(context, program);
      again.as_nobody = true;
      again.chosen = chosen;  // of the judge what rights decide; the rest asks for none
      again.kind = " as nobody";
      jobs.push_back(program_job(context, "nobody", again));
    }
  for (LessonEntry* lesson : lessons)
    if (lesson->number() == "00") jobs.push_back(solutions_as_nobody(context, *lesson));
  return jobs;
}

}  // namespace ladder
