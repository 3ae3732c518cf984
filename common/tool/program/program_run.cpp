/// @file
/// Runs programs of other people, within limits, plain and observed.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/program/program_end.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_output = std::size_t{4} << 20;  // what a program may print; the rest is dropped
/// Barriers that blocks pass while none of them ends, and LADDER_EXECUTOR_TIMEOUT passes, too: a loop around
/// a barrier does not end, either. A block of 1,024 threads passes as many in about half a minute.
constexpr const char* most_barriers = "1000000";
constexpr std::size_t max_document = std::size_t{256} << 20;  // what is read of a record

/// Why the observed run tells less than all; empty: it ended by itself.
std::string why_cut(const ProcessResult& run, const ProgramRequest& request, const ProcessResult* plain) {
  if (run.interrupted) return "interrupted";
  if (run.timed_out)
    return fmt::format(
        "the observed run did not end in {:.0f} s; observed programs are up to 40 times slower: give "
        "it less to do, or more time with --seconds",
        request.seconds);
  if (run.out_of_memory) return "the observed run needed more memory than --memory allows";
  if (run.signal != 0 && !(plain && plain->signal == run.signal))
    return fmt::format("the observed run was ended by signal {}", run.signal);
  return "";
}

/// Files below the folder that the tool was called from are named as seen from there.
void shorten(SourceLine& site) {
  if (fs::path(site.file).is_absolute()) site.file = path_in(fs::current_path(), site.file);
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

/// Holds back the executor's own line about what ended the program: the verdict says it.
class LastWords {
 public:
  /// @return what can be shown
  std::string take(const std::string& fresh) {
    held_ += fresh;
    const std::size_t begin = executors_message_begin(held_);
    const std::string shown = held_.substr(0, begin);
    held_.erase(0, begin);
    return shown;
  }
  const std::string& rest() const { return held_; }

 private:
  std::string held_;
};

}  // namespace

ProcessResult run_program(Context& context, const ProgramRequest& request, const BuiltProgram& program,
                          bool show, const std::map<std::string, std::string>& environment) {
  Command command{.arguments = {program.file.string()},
                  .environment = environment,
                  .input = request.input,
                  .seconds = request.seconds,
                  .memory_bytes = request.memory_bytes,
                  .max_output = max_output};
  // A program may take all the device memory that it is told of, and still has some for itself.
  if (const std::size_t mib = request.memory_bytes >> 20; mib > 0)
    command.environment.emplace("LADDER_EXECUTOR_MEMORY",
                                std::to_string(std::min<std::size_t>(mib / 4 * 3, 6144)));
  if (!std::getenv("LADDER_EXECUTOR_BARRIERS"))
    command.environment.emplace("LADDER_EXECUTOR_BARRIERS", most_barriers);
  command.arguments.insert(command.arguments.end(), request.arguments.begin(), request.arguments.end());
  std::FILE* const out = context.options.json == "-" ? stderr : stdout;
  LastWords words;
  const ProcessResult run = run_process(command, [&](const std::string& fresh) {
    const std::string shown = show ? words.take(fresh) : "";
    if (shown.empty()) return;
    std::fwrite(shown.data(), 1, shown.size(), out);
    std::fflush(out);
  });
  if (show && !ended_by_executor(run)) std::fputs(words.rest().c_str(), out), std::fflush(out);
  if (!run.error.empty()) throw UsageError{"cannot start the program: " + run.error};
  return run;
}

namespace {

/// The record that the run left, with the reason where there is none or less than all.
Observation read_record(const fs::path& record, const ProcessResult& run, const ProgramRequest& request,
                        const ProcessResult* plain) {
  Observation none;
  none.incomplete = why_cut(run, request, plain);
  std::error_code ignored;
  const auto bytes = fs::file_size(record, ignored);
  if (ignored || bytes == 0) {
    if (none.incomplete.empty())
      none.incomplete = fmt::format("the observed run ended with status {} and left no record", run.status);
    return none;
  }
  if (bytes > max_document) {
    none.incomplete = fmt::format("the record has {} bytes", bytes);
    return none;
  }
  try {
    Observation observation = parse_observation(read_text(record));
    shorten_places(observation);
    if (!none.incomplete.empty() && !observation.incomplete.empty()) none.incomplete += "; ";
    observation.incomplete.insert(0, none.incomplete);
    return observation;
  } catch (const Error& problem) {
    none.incomplete = fmt::format("the record cannot be read: {}", problem.what());
    return none;
  }
}

}  // namespace

ObservedProgram observe_program(Context& context, const ProgramRequest& request, const ProcessResult* plain) {
  ObservedProgram observed;
  observed.built = build_program(context, request, true);
  if (!observed.built.ok()) return observed;
  static int number = 0;
  const fs::path record = context.scratch() / fmt::format("observation-{}.json", ++number);
  std::map<std::string, std::string> environment = {{"LADDER_EXECUTOR_OBSERVE", record.string()}};
  // It is known that it does not end: once more, for the condition of the loop, and not for long.
  const bool endless = plain && is_endless(cause_of_end(*plain)) && !std::getenv("LADDER_EXECUTOR_TIMEOUT");
  if (endless) {
    environment["LADDER_EXECUTOR_TIMEOUT"] = "2";
    environment["LADDER_EXECUTOR_BARRIERS"] = "1000";
  }
  std::error_code ignored;
  // What needs too much memory is observed in smaller and smaller parts; a loop that does not end is soon
  // left to itself.
  const char* fewest = "1000000";
  for (const char* limit : endless ? std::vector{fewest} : std::vector{"", "30000000", fewest}) {
    if (*limit) environment["LADDER_EXECUTOR_OBSERVE_LIMIT"] = limit;
    fs::remove(record, ignored);
    observed.run = run_program(context, request, observed.built, false, environment);
    if (!observed.run.out_of_memory || (plain && plain->out_of_memory)) break;
  }
  observed.observation = read_record(record, observed.run, request, plain);
  fs::remove(record, ignored);
  return observed;
}

}  // namespace ladder
