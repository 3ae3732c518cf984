#include "common/tool/core/verb_options.hpp"

#include <CLI/CLI.hpp>

namespace ladder {
namespace {

void add_seed(CLI::App& app, Typed& typed) {
  app.add_option("--seed", typed.seed, "repeat the inputs of an earlier run")->type_name("N");
}

}  // namespace

void add_program_options(CLI::App& app, Options& o, Typed& typed) {
  app.add_option("-I", o.include_dirs, "program: a folder with headers")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D", o.defines, "program: define a macro")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  app.add_option("--std", o.standard, "program: c++17 (default) or c++20")->type_name("STANDARD");
  app.add_option("--seconds", typed.seconds, "program: limit of a run (default 120)")->type_name("SECONDS");
  app.add_option("--memory", typed.memory, "program: limit of a run (default 8)")->type_name("GIB");
}

void add_class(CLI::App& app, Options& o) {
  app.add_option("--class", o.class_name, "only the problem size of this name, as benchmarks have them")
      ->type_name("NAME")
      ->excludes("--size");
}

void add_matrix(CLI::App& app, Options& o) {
  CLI::Option* const matrix =
      app.add_option("--matrix", o.matrix,
                     "only this matrix: a Matrix Market file, symmetric positive definite, plain or gzip")
          ->type_name("FILE");
  for (const char* other : {"--size", "--class", "--private"})
    if (app.get_option_no_throw(other)) matrix->excludes(other);
}

void add_strict(CLI::App& app, Options& o) {
  app.add_flag(
      "--strict", o.strict,
      "only PASS with every number passes: not SKIPPED, not INCONCLUSIVE, not \"PASS, … not measured\"");
}

void add_size(CLI::App& app, Typed& typed) {
  app.add_option("--size", typed.size, "only this problem size")->type_name("N");
}

void add_inputs(CLI::App& app, Typed& typed) {
  add_seed(app, typed);
  add_size(app, typed);
}

void add_step_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_device_options(app, o, typed);
  app.add_option("--tree", o.tree, "lessons (yours) or solutions (the reference)")->type_name("TREE");
  add_inputs(app, typed);
}

void add_judge_options(CLI::App& app, Options& o, Typed& typed) {
  add_step_options(app, o, typed);
  add_strict(app, o);
}

void add_json(CLI::App& app, Options& o) {
  app.add_option("--json", o.json, "write the results as JSON to FILE, or to standard output for -")
      ->type_name("FILE|-");
}

void add_device_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--device", o.device, "executor, cpu, cuda:0, opencl:0, pocl; the best there is by default")
      ->type_name("NAME");
}

void add_remote_options(CLI::App& app, Options& o) {
  const auto seen = [&o](const std::vector<std::string>&) { return o.elsewhere = true; };
  app.add_option("--remote", seen, "the same on a machine with a GPU, over ssh; without HOST the course's")
      ->expected(0, 1)
      ->type_name("[HOST]");
  app.add_flag_callback(
      "--fetch", [&o] { o.elsewhere = true; }, "bring what a --remote did after a lost connection");
}

void add_no_options(CLI::App&, Options&, Typed&) {}

void add_json_option(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
}

}  // namespace ladder
