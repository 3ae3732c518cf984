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
     "--device executor"},
    {"check", "Build and judge steps: correctness, and targets that need no clock.", "steps or lessons",
     "lessons", "./ladder check 03/g2\n  ./ladder check dgemm/shared_tiles --seed 7 --size 64"},
    {"list", "The lessons and their steps: kind, hours, idea, and how far you are.",
     "lessons; all by default", "lessons", "./ladder list 03"},
    {"doctor", "The devices and versions here, what is missing and what that costs, measured ceilings.",
     nullptr, nullptr, "./ladder doctor\n  ./ladder doctor --json machine.json"},
    {"test", "The tests of the repository: harness, trees, solutions, skeletons, mutants.",
     "lessons; all by default", nullptr, "./ladder test\n  ./ladder test 03 --part mutants"},
    {"reset", "Put back the skeleton of a step; your file is kept in .ladder/old.", "steps", nullptr,
     "./ladder reset 03/g2"},
    {"reproduce", "The source's tables and figures on this machine, theirs beside ours.", "lessons",
     "solutions", "./ladder reproduce 01 --budget 20 --max-size 1024"},
};

/// Texts as typed; checked after parsing, so that the messages are ours.
struct Raw {
  std::string seed, size, max_size, budget;
};

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
  if (name == "run")
    app.add_option("--report", o.report, "write table, figures and JSON into this folder")
        ->type_name("FOLDER");
  if (name == "reproduce") {
    app.add_option("--budget", raw.budget, "seconds for a cell of the table (default 20)")
        ->type_name("SECONDS");
    app.add_option("--max-size", raw.max_size, "largest size")->type_name("N");
    app.add_option("--report", o.report, "write the table and JSON into this folder")->type_name("FOLDER");
  }
  if (name == "test")
    app.add_option("--part", o.parts,
                   "only this part: units, tree, solutions, skeletons, mutants, findings, nvcc, docs")
        ->type_name("PART");
  if (name == "doctor") app.add_flag("!--no-measure", o.measure, "do not measure the ceilings");
  app.footer(fmt::format("Example:\n  {}", verb.example));
}

void check_values(Options& o, const Raw& raw, const char* default_tree) {
  if (!raw.seed.empty()) o.seed = number<std::uint64_t>("--seed", raw.seed, 0, 0xffffffffu);
  if (!raw.size.empty()) o.size = number("--size", raw.size, 1, 1 << 20);
  if (!raw.max_size.empty()) o.max_size = number("--max-size", raw.max_size, 1, 1 << 20);
  if (!raw.budget.empty()) o.budget = number("--budget", raw.budget, 1, 86400);
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
