#include "common/tool/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <map>

#include "common/tool/names.hpp"

namespace ladder {
namespace {

const std::vector<std::string> trees = {"lessons", "solutions"};
const std::vector<std::string> standards = {"c++17", "c++20"};

/// Whether a verb takes the files of a CUDA program in place of steps.
bool takes_program(const std::string& verb) {
  return verb == "check" || verb == "profile";
}

/// A whole number of the given range, or one clear line.
template <class Number>
Number number(const std::string& option, const std::string& text, Number least, Number most) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    throw UsageError{
        fmt::format("{} wants a whole number from {} to {}, got '{}'", option, least, most, text)};
  return value;
}

struct Verb {
  const char* name;
  const char* what;
  const char* names;  ///< description of the positional names; null for none
  const char* tree;   ///< default tree; null when the verb has none
  const char* example;
};

constexpr Verb all[] = {
    {"run", "Climb the reference ladders on this machine: correctness, targets and time.",
     "lessons or steps; all by default", "solutions",
     "./ladder run 01 03\n  ./ladder run 03 --tree lessons --json results.json\n  ./ladder run 03/g2 "
     "--device executor\n  ./ladder run 05 --class B --npb"},
    {"check",
     "Build and judge steps: correctness, and targets that need no clock. Or run a CUDA program of yours, "
     "with its own "
     "main, and say what is wrong in it.",
     "steps or lessons; or the files of a program: .cu, .cpp, .c", "lessons",
     "./ladder check 03/g2\n  ./ladder check dgemm/shared_tiles --seed 7 --size 64\n  ./ladder check "
     "reduce.cu "
     "timer.cpp -I include -D N=4096 -- 1000 2"},
    {"profile",
     "What the launches of steps did: sectors, wavefronts, the worst lines, waves and a bound on a device. "
     "Or of a CUDA "
     "program of yours.",
     "steps; or the files of a program: .cu, .cpp, .c", "lessons",
     "./ladder profile 03/g2\n  ./ladder profile 03/g2 --as \"GTX 1660\" --size 64 --html g2.html\n  "
     "./ladder profile "
     "reduce.cu -- 1000"},
    {"predict",
     "Keep a number before profile shows the truth; it goes with a submission and earns no points.",
     "a step, and METRIC=NUMBER", nullptr,
     "./ladder predict 03/g2 sectors=5120 --size 64\n  ./ladder predict 03/g2"},
    {"hint",
     "A question that leads on, then a second one: for the step that you missed last, or the one that you "
     "name.",
     "a step", nullptr, "./ladder hint\n  ./ladder hint 03/g2"},
    {"list", "The lessons and their steps: kind, hours, idea, and how far you are.",
     "lessons; all by default", "lessons", "./ladder list 03"},
    {"doctor", "The devices and versions here, what is missing and what that costs, measured ceilings.",
     nullptr, nullptr, "./ladder doctor\n  ./ladder doctor --json machine.json"},
    {"test", "The tests of the repository: harness, trees, solutions, skeletons, mutants.",
     "lessons or steps; all by default", nullptr,
     "./ladder test\n  ./ladder test 03 --part mutants\n  ./ladder test 03/g2"},
    {"new", "The files of a new rung or lesson, with TODO where something is to be done.",
     "rung LESSON/NAME, lesson NAME, or skeleton LESSON/STEP: cut again from its solution", nullptr,
     "./ladder new rung 03/c3_transposed\n  ./ladder new lesson 07-jacobi\n  ./ladder new skeleton 03/c1"},
    {"results", "Stored runs: take over one, in whole tracks, and renew the pages that show them.",
     "add FILE.json, or pages: only renew these", nullptr,
     "./ladder results add run.json --as h200\n  ./ladder results pages"},
    {"reset", "Put back the skeleton of a step; your file is kept in .ladder/old.", "steps", nullptr,
     "./ladder reset 03/g2"},
    {"reproduce", "The source's tables and figures on this machine, theirs beside ours.",
     "lessons; or executor, with parts (programs, solutions, findings, costs) or steps: its counters and "
     "findings beside the hardware's",
     "solutions", "./ladder reproduce 01 --budget 20 --max-size 1024"},
};

/// Texts as typed; checked after parsing, so that the messages are ours.
struct Raw {
  std::string seed, size, max_size, budget, seconds, memory;
};

/// For verbs that take the files of a CUDA program in place of steps.
void add_program_options(CLI::App& app, Options& o, Raw& raw) {
  app.add_option("-I", o.include_dirs, "program: a folder with headers")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D", o.defines, "program: define a macro")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  app.add_option("--std", o.standard, "program: c++17 (default) or c++20")->type_name("STANDARD");
  app.add_option("-o", o.output, "program: keep it as FILE")->type_name("FILE");
  app.add_flag("--plain", o.plain, "program: run it without looking for findings, which takes longer");
  app.add_option("--seconds", raw.seconds, "program: limit of a run (default 120)")->type_name("SECONDS");
  app.add_option("--memory", raw.memory, "program: limit of a run (default 8)")->type_name("GIB");
}

void add_options(CLI::App& app, const Verb& verb, Options& o, Raw& raw) {
  if (verb.names) app.add_option("names", o.names, verb.names);
  app.add_option("--json", o.json, "write the results as JSON to FILE, or to standard output for -")
      ->type_name("FILE|-");
  app.add_option("--device", o.device, "executor, cpu, cuda:0, opencl:0, pocl; the best there is by default")
      ->type_name("NAME");
  app.add_option("--tree", o.tree, "lessons (yours) or solutions (the reference)")->type_name("TREE");
  app.add_option("--seed", raw.seed, "repeat the inputs of an earlier run")->type_name("N");
  app.add_option("--size", raw.size, "only this problem size")->type_name("N");
  app.add_flag("--strict", o.strict, "SKIPPED counts as not passed");
  const std::string name = verb.name;
  if (name == "run" || name == "check")
    app.add_option("--class", o.class_name, "only the problem size of this name, as benchmarks have them")
        ->type_name("NAME")
        ->excludes("--size");
  if (name == "run") {
    app.add_flag("--npb", o.npb, "print NPB's standard result block of each step; no table");
    app.add_option("--report", o.report, "write table, figures and JSON into this folder")
        ->type_name("FOLDER");
    app.add_option(
           "--budget", raw.budget,
           "seconds for timing all steps (default 10 for each; 180 where there is a GPU), but five rounds "
           "of calls at least")
        ->type_name("SECONDS");
  }
  if (name == "reproduce") {
    app.add_option("--budget", raw.budget,
                   "seconds for a cell of a table, or a twelfth of a sweep (default 20)")
        ->type_name("SECONDS");
    app.add_option("--max-size", raw.max_size, "largest size")->type_name("N");
    app.add_option("--only", o.only,
                   "print and store only tables with this in their titles; 04 to 06 measure no others")
        ->type_name("TEXT");
    app.add_option("--report", o.report, "write tables, figures and JSON into this folder")
        ->type_name("FOLDER");
  }
  if (name == "test") {
    app.add_option("--part", o.parts, fmt::format("only this part: {}", fmt::join(test_parts(), ", ")))
        ->type_name("PART");
    app.add_flag("--times", o.times, "say at the end where the time went; --json has it always");
  }
  if (name == "results") {
    app.add_option("--as", o.as,
                   "the machine: a folder of docs/results; for a new one also what pages call it")
        ->type_name("NAME[=TEXT]");
  }
  if (name == "profile") {
    app.add_option("--as", o.as,
                   "seen as this device: GTX 1660, RTX 3060, RTX 4060, A100, H100, H200; this by default")
        ->type_name("DEVICE");
    app.add_option("--html", o.html, "write a page with pictures")->type_name("FILE");
    app.add_option("--trace", o.trace, "write the trace for ui.perfetto.dev")->type_name("FILE");
    app.add_flag("--hardware", o.hardware, "count on the GPU by ncu too, side by side");
  }
  if (name == "doctor") app.add_flag("!--no-measure", o.measure, "do not measure the ceilings");
  if (takes_program(name)) add_program_options(app, o, raw);
  app.footer(fmt::format("Example:\n  {}", verb.example));
}

void check_values(Options& o, const Raw& raw, const char* default_tree) {
  if (!raw.seed.empty()) o.seed = number<std::uint64_t>("--seed", raw.seed, 0, 0xffffffffu);
  if (!raw.size.empty()) o.size = number("--size", raw.size, 1, 1 << 20);
  if (!raw.max_size.empty()) o.max_size = number("--max-size", raw.max_size, 1, 1 << 20);
  if (!raw.budget.empty()) o.budget = number("--budget", raw.budget, 1, 86400);
  if (!raw.seconds.empty()) o.seconds = number("--seconds", raw.seconds, 1, 86400);
  if (!raw.memory.empty()) o.memory_gib = number("--memory", raw.memory, 1, 4096);
  if (o.standard == "c++14" || o.standard == "c++11")
    throw UsageError{
        fmt::format("--std {}: the executor's headers are C++17: c++17 (the default) or c++20", o.standard)};
  if (std::find(standards.begin(), standards.end(), o.standard) == standards.end())
    throw UsageError{unknown("standard", o.standard, standards)};
  if (o.tree.empty() && default_tree) o.tree = default_tree;
  if (!o.tree.empty() && std::find(trees.begin(), trees.end(), o.tree) == trees.end())
    throw UsageError{unknown("tree", o.tree, trees)};
}

/// CLI11's message, with the nearest option where one was mistyped.
std::string explained(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  const CLI::App* at = &app;
  for (const CLI::App* sub : app.get_subcommands()) at = sub;
  for (const std::string& word : at->remaining()) {
    std::vector<std::string> options;
    for (const CLI::Option* option : at->get_options())
      for (const auto& name : option->get_lnames()) options.push_back("--" + name);
    if (word.rfind("-", 0) == 0) return unknown("option", word.substr(0, word.find('=')), options);
    text = fmt::format("'{}' is one word too many", word);
  }
  return text;
}

}  // namespace

const std::vector<std::string>& verbs() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Verb& v : all) list.push_back(v.name);
    return list;
  }();
  return names;
}

const std::vector<std::string>& test_parts() {
  static const std::vector<std::string> parts = {"units",     "tree",     "solutions", "nobody",
                                                 "skeletons", "attempts", "mutants",   "findings",
                                                 "nvcc",      "docs",     "example",   "endings"};
  return parts;
}

std::optional<int> read_options(int argc, char** argv, Options& o) {
  CLI::App app{"GPU Ladder: one computation a lesson, one idea a rung.", "./ladder"};
  app.footer(
      "./ladder alone says where you are and what comes next.\n"
      "Steps are named 03/g2, 03-dgemm/g2_shared_tiles or dgemm/shared_tiles; lessons 03, 03-dgemm or "
      "dgemm.\n"
      "Exit status 0: everything PASS or SKIPPED; 1: something else; 2: usage or environment.\n\n"
      "Example:\n  ./ladder check 03/g2\n  ./ladder check --help");
  app.add_option("--json", o.json, "write the state as JSON to FILE, or to standard output for -")
      ->type_name("FILE|-");
  Raw raw;
  std::map<std::string, CLI::App*> subs;
  for (const Verb& v : all) {
    CLI::App* sub = app.add_subcommand(v.name, v.what);
    subs[v.name] = sub;
    add_options(*sub, v, o, raw);
  }
  if (argc > 1 && argv[1][0] != '-' && !subs.count(argv[1]))
    throw UsageError{unknown("verb", argv[1], verbs())};
  // What stands after -- is the program's, whatever it looks like.
  char** const end = argv + argc;
  char** const mark =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  if (mark != end) {
    o.arguments.assign(mark + 1, end);
    argc = static_cast<int>(mark - argv);
    if (argc < 2 || !takes_program(argv[1]))
      throw UsageError{"-- stands before the arguments of a program: ./ladder check FILE.cu -- arguments"};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    throw UsageError{explained(app, error)};
  }
  const char* default_tree = nullptr;
  for (const Verb& v : all)
    if (subs[v.name]->parsed()) o.verb = v.name, default_tree = v.tree;
  check_values(o, raw, default_tree);
  return std::nullopt;
}

}  // namespace ladder
