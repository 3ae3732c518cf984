/// @file
/// Runs programs of other people, within limits, plain and observed.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "common/lesson/lesson.hpp"
#include "common/tool/files.hpp"
#include "common/tool/names.hpp"
#include "common/tool/program.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_output = std::size_t{4} << 20;  // what a program may print; the rest is dropped
constexpr std::size_t most_document = std::size_t{256} << 20;  // an observation of more is an error of ours

/// Why there is no record, or less than all.
std::string why_no_record(const ProgramRun& run, const ProgramRequest& request) {
  if (run.ended.interrupted) return "interrupted";
  if (run.ended.timed_out)
    return fmt::format(
        "the observed run did not end in {:.0f} s; observed programs are up to 40 times slower: give "
        "it less to do, or more time with --seconds",
        request.seconds);
  if (run.ended.out_of_memory) return "the observed run needed more memory than --memory allows";
  return fmt::format("the observed run ended with status {} and left no record", run.ended.status);
}

/// Files below the folder that the tool was called from are named as seen from there.
void shorten(SourceLine& site) {
  const fs::path near = fs::path(site.file).lexically_relative(fs::current_path());
  if (fs::path(site.file).is_absolute() && !near.empty() && *near.begin() != "..") site.file = near.string();
}

void shorten_places(Observation& observation) {
  for (Finding& finding : observation.findings) {
    shorten(finding.site);
    if (finding.other) shorten(finding.other->site);
  }
  for (LaunchCounters& launch : observation.launches) {
    shorten(launch.site);
    for (LineCounters& line : launch.lines) shorten(line.site);
    for (BranchCounters& branch : launch.branches) shorten(branch.site);
  }
}

}  // namespace

ProgramRun run_program(Context& context, const ProgramRequest& request, const BuiltProgram& program,
                       bool show, const std::map<std::string, std::string>& environment) {
  Command command{.arguments = {program.file.string()},
                  .environment = environment,
                  .seconds = request.seconds,
                  .memory_bytes = request.memory_bytes,
                  .most_output = most_output};
  command.arguments.insert(command.arguments.end(), request.arguments.begin(), request.arguments.end());
  std::FILE* const out = context.options.json == "-" ? stderr : stdout;
  const auto start = std::chrono::steady_clock::now();
  ProgramRun run;
  run.ended = run_process(command, [&](const std::string& fresh) {
    if (!show || fresh.empty()) return;
    std::fwrite(fresh.data(), 1, fresh.size(), out);
    std::fflush(out);
  });
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!run.ended.error.empty()) throw UsageError{"cannot start the program: " + run.ended.error};
  return run;
}

ObservedProgram observe_program(Context& context, const ProgramRequest& request) {
  ObservedProgram observed;
  observed.built = build_program(context, request, true);
  if (!observed.built.ok()) return observed;
  static int number = 0;
  const fs::path record = context.scratch() / fmt::format("observation-{}.json", ++number);
  observed.run =
      run_program(context, request, observed.built, false, {{"LADDER_EXECUTOR_OBSERVE", record.string()}});
  std::error_code ignored;
  const auto bytes = fs::file_size(record, ignored);
  if (ignored || bytes == 0) {
    observed.observation.incomplete = why_no_record(observed.run, request);
  } else if (bytes > most_document) {
    observed.observation.incomplete = fmt::format("the record has {} bytes: too many launches", bytes);
  } else {
    try {
      observed.observation = parse_observation(read_text(record));
      shorten_places(observed.observation);
    } catch (const Error& problem) {
      observed.observation.incomplete = fmt::format("the record cannot be read: {}", problem.what());
    }
  }
  fs::remove(record, ignored);
  return observed;
}

}  // namespace ladder
