#include "common/tool/core/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/test_part.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/terminal.hpp"
#include "common/tool/core/verbs.hpp"
#include "common/tool/verb_call.hpp"

namespace ladder {
namespace {

const std::vector<std::string> trees = {"lessons", "solutions"};
const std::vector<std::string> standards = {"c++17", "c++20"};

/// A whole number of the given range, or one clear line.
template <class Number>
Number number(const std::string& option, const std::string& text, Number least, Number most) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    throw UsageError{fmt::format("{} must be an integer from {} to {}, got '{}'", option, least, most, text)};
  return value;
}

void check_values(Options& o, const Typed& typed, const char* default_tree) {
  const bool is_key =
      typed.seed.size() == 64 && typed.seed.find_first_not_of("0123456789abcdef") == typed.seed.npos;
  if (is_key) o.key = typed.seed, o.seed = 0;
  if (!typed.seed.empty() && !is_key) o.seed = number<std::uint64_t>("--seed", typed.seed, 0, 0xffffffffu);
  if (!typed.size.empty()) o.size = number("--size", typed.size, 1, 1 << 20);
  if (!o.matrix.empty()) o.matrix = std::filesystem::absolute(o.matrix).lexically_normal();
  if (!typed.max_size.empty()) o.max_size = number("--max-size", typed.max_size, 1, 1 << 20);
  if (!typed.budget.empty()) o.budget = number("--budget", typed.budget, 1, 86400);
  if (!typed.seconds.empty())
    o.seconds = number("--seconds", typed.seconds, 1, 86400), o.seconds_given = true;
  if (!typed.sample.empty()) o.validate.sample = number("--sample", typed.sample, 1, 1 << 20);
  if (!typed.memory.empty()) o.memory_gib = number("--memory", typed.memory, 1, 4096);
  if (!typed.jobs.empty()) o.grade.jobs = number("--jobs", typed.jobs, 1, 256);
  if (!typed.port.empty()) o.docs.port = number("--port", typed.port, 1, 65535);
  if (!typed.attempt.empty()) o.grade.attempt = number("--attempt", typed.attempt, 1, 1000);
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
  while (!at->get_subcommands().empty()) at = at->get_subcommands().back();  // the part of a verb
  for (const std::string& word : at->remaining()) {
    std::vector<std::string> options;
    for (const CLI::Option* option : at->get_options())
      for (const auto& name : option->get_lnames()) options.push_back("--" + name);
    if (word.rfind("-", 0) == 0) return unknown("option", word.substr(0, word.find('=')), options);
    text = fmt::format("unexpected argument '{}'", word);
  }
  return text;
}

/// The options of a verb that are on the command line.
std::vector<std::string> typed_options(const CLI::App& verb) {
  std::vector<std::string> typed;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() == 0) continue;
    for (const auto& name : option->get_lnames()) typed.push_back("--" + name);
    for (const auto& name : option->get_snames()) typed.push_back("-" + name);
  }
  return typed;
}

/// CLI11's help in lines of the window: what an option does goes on below where it begins. Commands stay
/// whole.
std::string in_window(const std::string& help, std::size_t width) {
  constexpr std::size_t column = 30;  // of CLI11: of what an option does
  std::string out;
  for (const std::string& line : lines_of(help)) {
    const bool option =
        line.size() > column && line[0] == ' ' && line[column - 1] == ' ' && line[column] != ' ';
    const std::size_t column_of_text = option ? column : std::min(line.find_first_not_of(' '), line.size());
    if (line.size() <= width || line.find("./ladder ") == column_of_text || width < column + 20) {
      out += line + "\n";
      continue;
    }
    std::string left = line.substr(0, column_of_text);
    for (const std::string& part : report::wrapped(line.substr(column_of_text), width - column_of_text)) {
      out += left + part + "\n";
      left = std::string(column_of_text, ' ');
    }
  }
  return out;
}

/// Of a verb that is done by its parts only.
void refuse_unknown_part(const std::string& name, const std::string& part, std::span<const Verb> verbs) {
  std::vector<std::string> parts;
  bool by_parts = false;
  for (const Verb& verb : verbs) {
    by_parts = by_parts || (verb.name == name && !verb.run);
    if (std::string_view(verb.name).starts_with(name + " ")) parts.push_back(verb.name + name.size() + 1);
  }
  if (!by_parts || (part.starts_with('-') && part != "--") ||
      std::find(parts.begin(), parts.end(), part) != parts.end())
    return;
  if (!part.empty()) throw UsageError{unknown("part of " + name, part, parts)};
  throw UsageError{fmt::format("{0} what? {1}: ./ladder help {0}", name, fmt::join(parts, ", "))};
}

}  // namespace

std::vector<std::string> names_of(std::span<const Verb> verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs)
    if (!std::strchr(verb.name, ' ')) names.push_back(verb.name);
  return names;
}

int run_verb(const Options& options, std::span<const Verb> verbs) {
  const std::string name = options.verb + (options.part.empty() ? "" : " " + options.part);
  for (const Verb& verb : verbs)
    if (name == verb.name) return verb.run(options);
  return with_context<where_am_i>(options);
}

void refuse_typed(const Options& options, std::initializer_list<const char*> ignored,
                  const std::string& why) {
  for (const char* option : ignored)
    if (std::find(options.typed.begin(), options.typed.end(), option) != options.typed.end())
      throw UsageError{fmt::format("{} {}", option, why)};
}

const std::vector<std::string>& test_parts() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const report::TestPart& part : report::test_part_table()) all.push_back(part.name);
    return all;
  }();
  return names;
}

std::optional<int> read_options(int argc, char** argv, Options& o, std::span<const Verb> verbs) {
  CLI::App app{"GPU Ladder: one computation a lesson, one idea a rung.", "./ladder"};
  app.footer(
      "./ladder alone says where you are and what comes next.\n"
      "Rungs are named 03/g2, 03-dgemm/g2_shared_tiles or dgemm/shared_tiles; lessons 03, 03-dgemm or "
      "dgemm.\n"
      "Exit status 0: nothing is wrong (PASS, SKIPPED, and in run and bench INCONCLUSIVE); 1: something is; "
      "2: usage or environment.\n\n"
      "Example:\n  ./ladder check 03/g2\n  ./ladder check --help");
  // A second word is the verb's own, also where it is a verb's name: course check.
  app.require_subcommand(0, 1);
  app.add_option("--json", o.json, "write the state as JSON to FILE, or to standard output for -")
      ->type_name("FILE|-");
  Typed typed;
  std::map<std::string, CLI::App*> subs;
  for (const Verb& verb : verbs) {
    const std::string name = verb.name, of = name.substr(0, name.find(' '));
    CLI::App* sub =
        (of == name ? &app : subs.at(of))->add_subcommand(name.substr(name.find(' ') + 1), verb.what);
    sub->require_subcommand(0, 1);
    subs[name] = sub;
    // In capitals: an option --names would have the same name, which CLI11 2.4 (Ubuntu 24.04) refuses.
    if (verb.names) sub->add_option("NAMES", o.names, verb.names);
    verb.options(*sub, o, typed);
    sub->footer(fmt::format("Example:\n  {}", verb.example));
  }
  if (argc > 1 && argv[1][0] != '-' && !subs.count(argv[1]))
    throw UsageError{unknown("verb", argv[1], names_of(verbs))};
  if (argc > 1) refuse_unknown_part(argv[1], argc > 2 ? argv[2] : "", verbs);
  // What stands after -- is the program's, whatever it looks like.
  char** const end = argv + argc;
  char** const mark =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  if (mark != end) {
    o.arguments.assign(mark + 1, end);
    argc = static_cast<int>(mark - argv);
    const auto named = [&](const Verb& verb) { return argc > 1 && std::string_view(argv[1]) == verb.name; };
    const auto verb = std::find_if(verbs.begin(), verbs.end(), named);
    if (verb == verbs.end() || !verb->takes_program)
      throw UsageError{"-- is before the arguments of a program: ./ladder check FILE.cu -- arguments"};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    std::ostringstream text, ignored;
    const int status = app.exit(help, text, ignored);
    std::cout << in_window(text.str(), static_cast<std::size_t>(Terminal(false).width())) << std::flush;
    return status;
  } catch (const CLI::ParseError& error) {
    throw UsageError{explained(app, error)};
  }
  const char* default_tree = nullptr;
  for (const Verb& verb : verbs)
    if (const std::string name = verb.name; subs[name]->parsed()) {
      const auto blank = std::min(name.find(' '), name.size());
      o.verb = name.substr(0, blank), default_tree = verb.tree;
      o.part = blank == name.size() ? "" : name.substr(blank + 1);
      o.typed = typed_options(*subs[name]);
    }
  const std::string chosen = o.part.empty() ? o.verb : o.verb + " " + o.part;
  if (!o.json.empty() && !chosen.empty() && !subs[chosen]->get_option_no_throw("--json"))
    throw UsageError{fmt::format("--json: {} writes no JSON", chosen)};
  check_values(o, typed, default_tree);
  return std::nullopt;
}

}  // namespace ladder
