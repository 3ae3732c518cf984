/// @file
/// What steps and programs have in common in a profile: device, sources, and where it is shown.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/machine/device_limits.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/machine/software.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/program/program_input.hpp"
#include "common/tool/student/profile.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// A file that a record names: as it is, or inside the checkout. Only regular files of a sensible size.
std::string source_of_line(const Context& context, const std::string& name) {
  for (const fs::path& path : {context.root / name, fs::path(name)}) {
    std::error_code error;
    if (fs::is_regular_file(path, error) && fs::file_size(path, error) < (1u << 22)) return read_text(path);
  }
  return "";
}

}  // namespace

void complete_profile(Context& context, report::Profile& p) {
  p.device = device_limits(context.options.as);
  for (const LaunchCounters& launch : p.observation.launches)
    for (const LineCounters& line : launch.lines)
      if (!p.sources.count(line.site.file))
        if (std::string text = source_of_line(context, line.site.file); !text.empty())
          p.sources[line.site.file] = std::move(text);
  const model::Machine host = host_facts();
  p.corner =
      fmt::format("{}, {} cores, {:%Y-%m-%d}", host.cpu, host.cores, fmt::localtime(std::time(nullptr)));
}

void show_profile(Context& context, const report::Profile& p) {
  context.terminal.print(report::profile_text(p, static_cast<std::size_t>(context.terminal.width())));
  if (!context.options.html.empty()) {
    write_text(context.options.html, report::profile_page(p));
    context.terminal.print("written: " + context.options.html);
  }
  if (context.options.trace.empty()) return;
  if (!p.trace) throw UsageError{"--trace: this run recorded no trace"};
  write_text(context.options.trace, p.trace->to_json());
  context.terminal.print("written: " + context.options.trace + " (opens in ui.perfetto.dev)");
}

int profile_program(Context& context) {
  ProgramRequest request = program_request(context.options);
  request.input = program_input(context, request).file;
  context.terminal.begin_work();
  const ObservedProgram observed = observe_program(context, request);
  context.terminal.end_work();
  if (!observed.built.ok()) {
    for (const BuildFailure& error : observed.built.errors) context.terminal.say(error.line());
    context.terminal.say("Next: ./ladder check " + request.name() +
                         " shows where, until it compiles; then profile it");
    return 1;
  }
  report::Profile p;
  p.title = request.name();
  p.place = "executor, observed";
  p.observation = observed.observation;
  p.again = "./ladder profile " + request.name();
  if (context.options.hardware)
    p.no_hardware = "--hardware is for rungs: a program of its own can be run under ncu directly";
  complete_profile(context, p);
  show_profile(context, p);
  model::Document document = report::document("profile", 0);
  document.program = {
      {"name", request.name()}, {"exit_status", observed.run.status}, {"profile", report::profile_json(p)}};
  context.write_json(document);
  if (!observed.run.ok())
    context.terminal.say(
        fmt::format("the program ended with status {}. Next: ./ladder check {} says what is wrong in it",
                    observed.run.status, request.name()));
  return observed.run.ok() ? 0 : 1;
}

}  // namespace ladder
