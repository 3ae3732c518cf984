#include "common/tool/validate/validate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <sstream>

#include "common/base/clock.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/stored_text.hpp"
#include "common/tool/build/toolchain.hpp"
#include "common/tool/core/job_queue.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/machine/software.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/validate/suite.hpp"
#include "common/tool/validate/suite_counts.hpp"
#include "common/tool/validate/suite_driver.hpp"
#include "common/tool/validate/suite_sanitizer.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* suite_schema = "gpu-ladder-suite/1";
constexpr std::size_t kept_every = 20;  ///< results, before the document is written again

/// A run's arguments; what names a file of the suite is found from anywhere.
std::vector<std::string> arguments_of(const Suite& suite, const std::string& run) {
  std::istringstream in(run);
  std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
  std::error_code ignored;
  for (std::string& word : words)
    if (fs::is_regular_file(suite.folder / word, ignored)) word = (suite.folder / word).string();
  return words;
}

std::vector<std::vector<std::string>> runs_of(const Suite& suite, const SuiteProgram& program) {
  std::vector<std::vector<std::string>> runs;
  for (const std::string& run : program.runs) runs.push_back(arguments_of(suite, run));
  if (runs.empty()) runs.emplace_back();
  return runs;
}

/// -I, -D and --std, as check has them. Folders are seen from the suite's.
void add_flags(const Suite& suite, const std::vector<std::string>& flags, ProgramRequest& request) {
  for (const std::string& flag : flags) {
    if (flag.rfind("-I", 0) == 0)
      request.include_dirs.push_back((suite.folder / flag.substr(2)).lexically_normal());
    else if (flag.rfind("-D", 0) == 0)
      request.defines.push_back(flag.substr(2));
    else if (flag.rfind("--std=", 0) == 0)
      request.standard = flag.substr(6);
    else
      throw UsageError{fmt::format("flag '{}': there are -IDIR, -DNAME and --std=c++20", flag)};
  }
}

ProgramRequest request_of(const Context& context, const Suite& suite, const SuiteProgram& program) {
  const Options& options = context.options;
  ProgramRequest request;
  request.sources = {suite.folder / program.file};
  for (const std::string& folder : options.include_dirs) {
    std::error_code ignored;
    const bool of_suite = fs::path(folder).is_relative() && fs::is_directory(suite.folder / folder, ignored);
    request.include_dirs.push_back(of_suite ? suite.folder / folder : fs::absolute(folder));
  }
  request.defines = options.defines;
  request.standard = options.standard;
  request.seconds = options.seconds_given || suite.seconds == 0 ? options.seconds : suite.seconds;
  request.memory_bytes = static_cast<std::size_t>(options.memory_gib * (std::size_t{1} << 30));
  add_flags(suite, program.flags, request);
  return request;
}

/// What check has said of one run joins what is known of the program.
void join(const ProgramVerdict& said, SuiteResult& result) {
  for (const Finding& finding : said.seen.findings) {
    if (finding.severity == "error") result.errors.insert(finding.kind);
    if (finding.severity == "warning") result.warnings.insert(finding.kind);
    if (finding.severity == "error" && result.first.empty())
      result.first = fmt::format("{}:{}: {}", finding.site.file, finding.site.line, finding.message);
  }
  const bool found = said.seen.findings_of("error") > 0;
  if (said.verdict == "TIMEOUT") result.errors.insert("timeout");
  if (said.verdict == "CRASHED" && !found) result.errors.insert("crash");
  if (said.verdict == "WRONG" && !found) result.errors.insert("exit-status");
  if (said.verdict == "NOT RUN" || said.verdict == "BUILD ERROR") result.not_judged = said.message;
  const bool unobserved = said.seen.blocks().observed == 0 && !said.seen.incomplete.empty();
  if (said.verdict == "PASS" && unobserved) result.not_judged = said.seen.incomplete;
  if (result.verdict.empty() || result.verdict == "PASS") {
    result.verdict = said.verdict;
    result.message = said.message;
  }
}

/// One program, in a process and a folder of its own.
SuiteResult judge(Context& context, const Suite& suite, const SuiteProgram& program,
                  const std::optional<SanitizerPrograms>& gpu) {
  ProgramRequest request = request_of(context, suite, program);
  request.builds = context.scratch() / "build";
  if (suite.driver) {
    const Driven driven = add_driver(read_text(request.sources.front()));
    if (!driven.problem.empty()) return {.not_judged = "no driver can be made: " + driven.problem};
    request.include_dirs.push_back(request.sources.front().parent_path());
    request.sources = {context.scratch() / request.sources.front().filename()};
    write_text(request.sources.front(), driven.source);
    add_flags(suite, driven.flags, request);
  }
  const auto runs = runs_of(suite, program);
  if (gpu) return sanitize(*gpu, request, runs, context.scratch());
  SuiteResult result;
  const Stopwatch clock;
  for (const std::vector<std::string>& arguments : runs) {
    request.arguments = arguments;
    join(verdict_on(context, request, false), result);
    if (!result.not_judged.empty()) break;
  }
  result.seconds = clock.seconds();
  return result;
}

/// The programs of a suite, in lanes.
class SuiteRun {
 public:
  SuiteRun(Context& context, Suite suite)
      : context_(context), suite_(std::move(suite)), results_(suite_.programs.size()) {
    const std::string& device = context.options.device;
    if (device == "cuda") gpu_ = find_sanitizer();
    if (!device.empty() && device != "cuda" && device != "executor")
      throw UsageError{unknown("device", device, {"executor", "cuda"})};
    for (const SuiteProgram& program : suite_.programs) keys_.push_back(key_of(program));
  }

  int run() {
    if (context_.options.validate.resume) take_results();
    JobQueue queue(context_, static_cast<std::size_t>(context_.options.grade.jobs));
    std::vector<std::string> targets;
    if (!gpu_) {
      const Toolchain tools = read_toolchain(context_.build.harness_folder());
      for (const CompileMode* mode : {&tools.plain, &tools.observed})
        targets.insert(targets.end(), mode->targets.begin(), mode->targets.end());
    }
    for (std::size_t i = 0; i < results_.size(); ++i)
      if (suite_.programs[i].not_applicable.empty() && !done_.contains(i)) add(queue, i, targets);
    queue.run();
    return report();
  }

 private:
  /// What a result depends on, of the suite's side: with another source, run or flag it is judged again.
  std::string key_of(const SuiteProgram& program) const {
    json all = {gpu_ ? "cuda" : "executor",
                program.flags,
                program.runs,
                context_.options.include_dirs,
                context_.options.defines,
                context_.options.standard};
    return sha256(all.dump() + read_text(suite_.folder / program.file));
  }

  /// Those that --json has from a call that was interrupted.
  void take_results() {
    const json before = read_json(context_.options.json);
    if (!before.is_object() || before.value("schema", "") != suite_schema) return;
    for (const json& one : before.at("programs")) {
      const auto same = [&](const SuiteProgram& program) { return one.at("file") == program.file; };
      if (std::none_of(suite_.programs.begin(), suite_.programs.end(), same)) others_.push_back(one);
      for (std::size_t i = 0; i < keys_.size(); ++i)
        if (one.at("file") == suite_.programs[i].file && one.at("key") == keys_[i] &&
            one.contains("result")) {
          results_[i] = suite_result_of(one.at("result"));
          if (results_[i].not_judged != "interrupted") done_.insert(i);
        }
    }
    context_.terminal.print(fmt::format("{} of {} programs are in {} already", done_.size(), results_.size(),
                                        context_.options.json));
  }

  void add(JobQueue& queue, std::size_t i, const std::vector<std::string>& targets) {
    results_[i].not_judged = "interrupted";
    queue.add({.name = suite_.programs[i].file,
               .targets = targets,
               .work =
                   [this, i](const Emit& emit) {
                     emit({{"result", to_json(judge(context_, suite_, suite_.programs[i], gpu_))}});
                   },
               .message =
                   [this, i](const json& message) {
                     if (message.contains("result"))
                       results_[i] = suite_result_of(message["result"]), done_.insert(i);
                     if (message.contains("problem")) results_[i].not_judged = message["problem"];
                   },
               .ended =
                   [this, i](const JobEnd& end) {
                     if (!end.interrupted && results_[i].not_judged == "interrupted")
                       results_[i].not_judged = end.problem;
                     const bool file = !context_.options.json.empty() && context_.options.json != "-";
                     if (file && ++since_written_ % kept_every == 0) context_.write_json(document());
                   }});
  }

  json document() const {
    json document = {{"schema", suite_schema},
                     {"suite", suite_.name},
                     {"from", suite_.from},
                     {"backend", gpu_ ? "compute-sanitizer" : "executor"},
                     {"date", report::now()},
                     {"commit", commit_of(context_.root)},
                     {"machine", to_json(host_facts())}};
    const SuiteReport counts = count(suite_, results_);
    document["clean"] = counts.clean;
    document["counts"] = json::array();
    for (const SuiteCounts& one : counts.classes) document["counts"].push_back(to_json(one));
    document["all"] = to_json(counts.all);
    document["races"] = to_json(counts.races);
    document["without_races"] = counts.without_races;
    document["sample"] = context_.options.validate.sample;
    document["interrupted"] = interrupted();
    document["programs"] = json::array();
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const SuiteProgram& program = suite_.programs[i];
      json one = {{"file", program.file}, {"labels", program.labels}, {"key", keys_[i]}};
      if (program.not_applicable.empty())
        one["result"] = to_json(results_[i]);
      else
        one["not_applicable"] = program.not_applicable;
      document["programs"].push_back(one);
    }
    for (const json& one : others_) document["programs"].push_back(one);
    return document;
  }

  int report() {
    const SuiteReport counts = count(suite_, results_);
    context_.terminal.print(
        text_of(suite_, results_, counts, static_cast<std::size_t>(context_.terminal.width())));
    json whole = document();
    context_.write_json(whole);
    if (!context_.options.report.empty() && !interrupted()) store(whole);
    if (interrupted()) context_.terminal.print("interrupted: --resume goes on from what --json FILE has");
    const SuiteCounts& all = counts.all;
    const bool good = all.warned + all.missed + all.accused + all.not_judged == 0;
    return good && !interrupted() ? 0 : 1;
  }

  /// The counts go where pages find them: instead of those of the same suite and back end.
  void store(json counts) {
    const fs::path file = fs::path(context_.options.report) / "suites.json";
    counts.erase("programs");
    json all = fs::exists(file) ? need_json(file) : json::array();
    json kept = json::array();
    for (const json& one : all)
      if (one.at("suite") != counts["suite"] || one.at("backend") != counts["backend"]) kept.push_back(one);
    kept.push_back(counts);
    write_text(file, report::stored_text(kept));
    context_.terminal.print("written: " + file.string());
  }

  Context& context_;
  Suite suite_;
  std::vector<SuiteResult> results_;
  std::vector<std::string> keys_{};
  std::set<std::size_t> done_{};
  std::optional<SanitizerPrograms> gpu_{};
  std::vector<json>
      others_{};  ///< results that the file has of programs which this call leaves out: not counted
  std::size_t since_written_ = 0;
};

}  // namespace

void add_validate_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  app.add_option("--device", o.device, "executor (the default) or cuda: compute-sanitizer on a GPU")
      ->type_name("NAME");
  app.add_option("--suite", o.validate.suite, "the folder with the programs")->type_name("DIR");
  app.add_option(
         "--labels", o.validate.labels,
         "what is wrong in each: a TOML or CSV file, or the name of a public suite (common/tool/suites); "
         "labels.toml or labels.csv in the folder by default")
      ->type_name("FILE|NAME");
  app.add_option("--only", o.only, "only programs with this in their paths")->type_name("TEXT");
  app.add_option("--sample", typed.sample, "only so many programs, always the same ones")->type_name("N");
  app.add_option("--jobs", typed.jobs, "programs at once; by default one per core")->type_name("N");
  app.add_flag("--resume", o.validate.resume, "keep the results that --json FILE has, and do the rest")
      ->needs("--json");
  app.add_option("--report", o.report, "keep the counts as FOLDER/suites.json: docs/results/MACHINE")
      ->type_name("FOLDER");
  add_program_options(app, o, typed);
}

int validate(Context& context) {
  const Options& options = context.options;
  if (options.names != std::vector<std::string>{"findings"})
    throw UsageError{options.names.empty() ? "validate what? ./ladder validate findings --suite DIR"
                                           : unknown("part of validate", options.names.back(), {"findings"})};
  if (options.validate.suite.empty())
    throw UsageError{"validate findings needs --suite DIR, a folder of programs with known labels"};
  Suite suite =
      read_suite(options.validate.suite, options.validate.labels, context.root / "common/tool/suites");
  std::erase_if(suite.programs, [&](const SuiteProgram& program) {
    return program.file.find(options.only) == std::string::npos;
  });
  if (suite.programs.empty())
    throw UsageError{fmt::format("--only {}: no program has this in its path", options.only)};
  take_sample(suite, static_cast<std::size_t>(options.validate.sample));
  context.build.refresh();
  return SuiteRun(context, std::move(suite)).run();
}

}  // namespace ladder
