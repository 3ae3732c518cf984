/// @file
/// The program ladder-tool: the verbs. Started by ./ladder.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "common/tool/authoring.hpp"
#include "common/tool/context.hpp"
#include "common/tool/doctor.hpp"
#include "common/tool/files.hpp"
#include "common/tool/names.hpp"

namespace {

/// What is to be written is tried before the work: nothing that took minutes is lost for a name that was mistyped.
void try_outputs(const ladder::Options& options) {
  const auto attempt = [](const char* option, const std::filesystem::path& file) {
    try {
      ladder::try_to_write(file);
    } catch (const ladder::UsageError& error) {
      throw ladder::UsageError{std::string(option) + ": " + error.text};
    }
  };
  if (!options.json.empty() && options.json != "-") attempt("--json", options.json);
  if (!options.html.empty()) attempt("--html", options.html);
  if (!options.trace.empty()) attempt("--trace", options.trace);
  if (!options.output.empty()) attempt("-o", options.output);
  if (!options.report.empty()) attempt("--report", std::filesystem::path(options.report) / "report");
}

int dispatch(const ladder::Options& options) {
  if (options.verb == "doctor") return ladder::doctor({.json = options.json, .measure = options.measure});
  ladder::Context context(options);
  if (options.verb == "run") return ladder::run(context);
  if (options.verb == "check") return ladder::check(context);
  if (options.verb == "list") return ladder::list(context);
  if (options.verb == "test") return ladder::test(context);
  if (options.verb == "reset") return ladder::reset(context);
  if (options.verb == "new") return ladder::new_files(context);
  if (options.verb == "results") return ladder::stored_results(context);
  if (options.verb == "reproduce") return ladder::reproduce(context);
  if (options.verb == "profile") return ladder::profile(context);
  if (options.verb == "predict") return ladder::predict(context);
  if (options.verb == "hint") return ladder::hint(context);
  return ladder::where_am_i(context);
}

}  // namespace

int main(int argc, char** argv) try {
  ladder::prepare_processes();
  ladder::Options options;
  if (const auto status = ladder::read_options(argc, argv, options)) return *status;
  try_outputs(options);
  return dispatch(options);
} catch (const ladder::UsageError& error) {
  std::fprintf(stderr, "ladder: %s\n", error.text.c_str());
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "ladder: %s\n", error.what());
  return 2;
}
