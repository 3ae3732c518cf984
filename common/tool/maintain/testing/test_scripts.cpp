/// @file
/// The parts of the verb test that start scripts.

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "common/base/text/text.hpp"
#include "common/tool/maintain/testing/test_parts.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Of a script's output what may say why it failed: not its checks that are fine, of which many may follow.
std::string without_fine(const std::string& output) {
  std::string rest;
  for (const std::string& line : lines_of(output))
    if (line.rfind("ok ", 0) != 0) rest += line + "\n";
  return rest;
}

void run_script(Context& context, const fs::path& script, TestSummary& summary) {
  const std::string name = script.lexically_relative(context.root).string();
  context.terminal.progress(name, 0.95);
  const ProcessResult ended =
      run_process({.arguments = {"sh", script, context.root},
                   // What scripts grade again and again is compiled once (built_steps.hpp).
                   .environment = {{"LADDER_BUILT_STEPS", (context.build.folder() / "built-steps").string()}},
                   .seconds = program_seconds});
  if (ended.interrupted) return;
  if (ended.status == skip_status) return summary.skip(name, last_lines(ended.output, 1));
  summary.expect(ended.ok(), name,
                 fmt::format("{}\n{}",
                             ended.timed_out ? fmt::format("did not end in {} s", program_seconds)
                                             : fmt::format("ended with status {}", ended.status),
                             last_lines(without_fine(ended.output), 12)));
}

/// What a script says of itself in lines "# queue: WORD …" at its begin: "targets FILE…" that must be built,
/// "cost SECONDS" of a processor, "memory GIB", "build" when nothing may be built meanwhile, "alone" when it
/// needs a quiet machine.
void take_queue_lines(const std::string& script, TestJob& job) {
  for (const std::string& line : lines_of(script)) {
    if (line.rfind("# queue: ", 0) != 0) continue;
    std::istringstream words(line.substr(9));
    std::string word;
    words >> word;
    if (word == "alone") job.alone = true;
    if (word == "build") job.holds_build = true;
    if (word == "cost") words >> job.cost;
    if (word == "memory") words >> job.memory_gib;
    if (word == "targets")
      for (std::string target; words >> target;) job.targets.push_back(target);
  }
}

/// Test programs that are scripts: tests/*/*/*_test.sh, called with the checkout.
std::vector<fs::path> test_scripts(const fs::path& root) {
  std::vector<fs::path> scripts;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests", ignored)) {
    const std::string name = entry.path().filename();
    if (name.size() > 8 && name.compare(name.size() - 8, 8, "_test.sh") == 0) scripts.push_back(entry.path());
  }
  std::sort(scripts.begin(), scripts.end());
  return scripts;
}

}  // namespace

TestJob script_job(Context& context, const std::string& part, const fs::path& script) {
  TestJob job{.part = part, .name = script.lexically_relative(context.root).string()};
  take_queue_lines(read_text(script), job);
  if (job.name.rfind("tests/grading/", 0) == 0)
    job.owns = {"users"};  // two of them were not seen clean together
  job.work = [&context, script](JobReport& report) { run_script(context, script, report.summary); };
  return job;
}

TestJobs script_jobs(Context& context) {
  TestJobs jobs;
  for (const fs::path& script : test_scripts(context.root))
    jobs.push_back(script_job(context, "units", script));
  return jobs;
}

TestJobs example_jobs(Context& context) {
  // The copy takes the objects of what it has unchanged from this build, which must have them.
  TestJob job = script_job(context, "example", context.root / "tests/tool/adding/follow.sh");
  job.targets = {"bin/ladder-dev", "bin/cut", "bin/confine", "judges/03-dgemm",
                 "workers/solutions/03-dgemm/c1_openmp.cpu"};
  job.holds_build = true;  // nothing that it takes may be half written
  return {job};
}

}  // namespace ladder
