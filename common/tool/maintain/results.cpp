/// @file
/// The verb results: takes over a run, a reproduction, the ceilings of a machine or what the tests took into
/// docs/results, renews the pages, and compares two results. No stored file is put together by hand.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/model/grade_json.hpp"
#include "common/report/results/comparison.hpp"
#include "common/report/results/result_store.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/stored_text.hpp"
#include "common/report/results/test_part.hpp"
#include "common/report/results/top_profile.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/merge_run.hpp"
#include "common/tool/maintain/authoring.hpp"
#include "common/tool/maintain/checks/tree_checks.hpp"

namespace ladder {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* top_schema = "gpu-ladder-top/1";  ///< what tests/NN-name/benches/top writes

/// What a bench wrote for ncu, with what ncu printed: profile.csv next to profile.json.
json profile_of(fs::path file, const json& calls) {
  const std::string csv = read_text(file.replace_extension(".csv"));
  if (csv.empty())
    throw UsageError{fmt::format("{}, ncu's table, cannot be read, or is empty", file.string())};
  try {
    return report::top_profile(calls, csv);
  } catch (const std::exception& why) {
    throw UsageError{fmt::format("{}: {}", file.string(), why.what())};
  }
}

/// A bench's own table of top rungs, or of what ncu counted of them; null for what is none.
json top_of(const fs::path& file) {
  const json document = read_json(file);
  const std::string schema = document.is_object() ? document.value("schema", "") : "";
  if (schema == report::top_profile_schema) return profile_of(file, document);
  return schema == top_schema ? document : json();
}

model::Document document_of(const fs::path& file) {
  const std::string text = read_text(file);
  if (text.empty()) throw UsageError{fmt::format("{} cannot be read, or is empty", file.string())};
  const json document = json::parse(text, nullptr, false);
  const std::string verb = document.is_object() ? document.value("verb", "") : "";
  model::refuse_earlier_schema(document, file.string());
  if (document.is_discarded() || document.value("schema", "") != model::document_schema ||
      (verb != "run" && verb != "reproduce" && verb != "doctor" && verb != "test"))
    throw UsageError{
        fmt::format("{} is no result of run, reproduce, doctor or test: ./ladder run --json FILE writes one",
                    file.string())};
  model::Document results = model::document_from_json(document, file.string());
  if (!results.machine)
    throw UsageError{fmt::format("{} does not say on which machine it was measured", file.string())};
  return results;
}

std::string gpus_of(const model::Machine& machine) {
  const std::string names = report::gpus_of(machine);
  return names.empty() ? "no GPU" : names;
}

/// What --as says: a folder of docs/results and, of a new machine, what pages call it.
struct Machine {
  std::string folder, called;
};

Machine machine_of(const Options& options) {
  const auto at = options.as.find('=');
  return {options.as.substr(0, at), at == std::string::npos ? "" : options.as.substr(at + 1)};
}

/// @throws UsageError for a machine that is not known and has no name, and for a run of another one
void require_machine(const Context& context, const Machine& machine, const model::Document& document) {
  const auto machines = report::stored_machines(context.root);
  const auto listed = std::find_if(machines.begin(), machines.end(), [&](const report::StoredMachine& m) {
    return m.folder == machine.folder;
  });
  if (listed == machines.end()) {
    std::vector<std::string> known;
    for (const auto& one : machines) known.push_back(one.folder);
    if (machine.called.empty())
      throw UsageError{unknown("machine", machine.folder, known) +
                       ". A new one gets its name on the pages so: --as h100=\"NVIDIA H100\""};
    if (machine.folder.empty() ||
        machine.folder.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      throw UsageError{
          fmt::format("'{}' is no name of a machine: small letters, digits and -", machine.folder)};
    return;
  }
  if (!machine.called.empty())
    throw UsageError{fmt::format("{} is already called {}", machine.folder, listed->name)};
  if (!listed->run || !listed->run->results.machine) return;
  const std::string stored = gpus_of(*listed->run->results.machine), here = gpus_of(*document.machine);
  if (stored != here)
    throw UsageError{fmt::format("{} has runs of {}, this one is of {}: another machine has another name",
                                 machine.folder, stored, here)};
}

void write_json_file(Context& context, const fs::path& file, const json& document) {
  write_text(context.root / file, report::stored_text(document));
  context.terminal.print("written: " + file.string());
}

void write_document(Context& context, const fs::path& file, const model::Document& document) {
  write_json_file(context, file, to_json(document));
}

json stored_json(const fs::path& file) {
  return fs::exists(file) ? need_json(file) : json();
}

/// A run of all sizes goes into run.json by whole tracks; one of a stated size is a file of its own.
bool add_run(Context& context, const fs::path& folder, model::Document document,
             const report::Tables& tables) {
  if (!document.class_name.empty())
    throw UsageError{"a run of one class is not stored, because pages show the usual sizes: omit --class"};
  if (document.matrix)
    throw UsageError{"a run of one matrix is not stored, because pages show the usual sizes: omit --matrix"};
  if (document.size > 0) {
    report::drop_unknown_steps(document, tables);
    write_document(context, folder / fmt::format("run-{}.json", document.size), document);
    return true;
  }
  const fs::path file = folder / "run.json";
  std::optional<model::Document> stored;
  if (fs::exists(context.root / file))
    stored = model::document_from_json(need_json(context.root / file), file.string());
  const report::MergedRun result = report::merge_run(std::move(stored), document, tables);
  for (const std::string& text : result.taken) context.terminal.print(text);
  for (const std::string& text : result.refused) context.terminal.print("not taken: " + text);
  for (const std::string& name : result.gone)
    context.terminal.print(fmt::format("gone: {} is in no lesson's table", name));
  if (document.commit.empty())
    context.terminal.print("The run does not say its commit: it was made where there is no git.");
  if (result.taken.empty()) {
    context.terminal.print("nothing was stored: no track of the run is whole");
    return false;
  }
  write_document(context, file, result.stored);
  return result.refused.empty();
}

/// Of an interrupted call the lessons before that of the interruption.
void add_reproductions(Context& context, const fs::path& folder, model::Document document) {
  std::vector<model::LessonResults> whole = std::exchange(document.lessons, {});
  std::erase_if(whole, [](const model::LessonResults& lesson) { return lesson.reproductions.empty(); });
  if (document.interrupted && !whole.empty()) {
    context.terminal.print(fmt::format("not taken: {} was interrupted", whole.back().name));
    whole.pop_back();
  }
  if (!document.only.empty() || whole.empty())
    throw UsageError{"only complete reproductions are stored: this one was interrupted or made with --only"};
  document.interrupted = false;
  for (const model::LessonResults& lesson : whole) {
    document.lessons = {lesson};
    write_document(context, folder / fmt::format("reproduce-{}.json", lesson.name.substr(0, 2)), document);
  }
}

/// What the machine can do at best: the whole document.
void add_doctor(Context& context, const fs::path& folder, const model::Document& document) {
  if (!document.machine->ceilings)
    throw UsageError{"nothing was measured: ./ladder doctor --json FILE without --no-measure"};
  write_document(context, folder / "doctor.json", document);
}

/// What the tests took: a whole `./ladder test`, without its results, which are those of any green run.
void add_tests(Context& context, const fs::path& folder, model::Document document) {
  const auto parts = document.times ? document.times->parts : std::vector<model::PartTime>{};
  for (const report::TestPart& part : report::test_part_table()) {
    const bool timed = std::any_of(parts.begin(), parts.end(), [&](const model::PartTime& one) {
      return one.name == part.title || one.name == part.name;
    });
    if (part.plain && !timed && part.name != "nobody")  // root's only
      throw UsageError{fmt::format(
          "only a whole test is stored, and this one did not run the part {}: ./ladder test --json FILE",
          part.name)};
  }
  document.lessons.clear(), document.seed.reset();
  write_document(context, folder / "tests.json", document);
}

/// Rows of solutions that are no more.
void sweep_executor(Context& context, const fs::path& folder, const report::Tables& tables) {
  const fs::path file = folder / "executor.json";
  json document = stored_json(context.root / file);
  if (document.is_null()) return;
  const auto gone = report::drop_unknown_solutions(document, tables);
  for (const std::string& name : gone)
    context.terminal.print(fmt::format("gone: {} is in no lesson's table", name));
  if (!gone.empty()) write_json_file(context, file, document);
}

void list_machine(Context& context, const Machine& machine) {
  const fs::path file = "docs/results/machines.json";
  std::string text = read_text(context.root / file);
  json machines = text.empty() ? json::array() : json::parse(text);
  machines.push_back({{"folder", machine.folder}, {"name", machine.called}});
  text = "[\n";
  for (const json& one : machines)
    text += fmt::format(" {{\"folder\": {}, \"name\": {}{}}}{}\n", one["folder"].dump(), one["name"].dump(),
                        one.value("in_lessons", true) ? "" : ", \"in_lessons\": false",
                        one == machines.back() ? "" : ",");
  write_text(context.root / file, text + "]\n");
  context.terminal.print("written: " + file.string());
}

/// Gives stored runs the names that the rungs have now, drops the records of rungs that are no more, and
/// writes every file as stored_text() lays it out.
void rename_stored(Context& context, const report::Tables& tables) {
  const fs::path results = context.root / "docs/results";
  const Renames renames = context.catalogue.renames(results);
  if (!fs::exists(results)) throw UsageError{"no run is stored here: there is no docs/results"};
  bool changed = false;
  for (const auto& entry : fs::recursive_directory_iterator(results)) {
    const fs::path path = entry.path(), file = path.lexically_relative(context.root);
    if (path.extension() != ".json" || path.parent_path() == results) continue;
    json document = stored_json(path);
    const json before = document;
    renames.apply(document);
    std::vector<std::string> gone;
    // Results of public suites are a list.
    const std::string verb = document.is_object() ? document.value("verb", "") : "";
    if (verb == "run") {
      model::Document run = model::document_from_json(document, file.string());
      gone = report::drop_unknown_steps(run, tables);
      document = to_json(run);
    }
    if (path.filename() == "executor.json") gone = report::drop_unknown_solutions(document, tables);
    for (const std::string& name : gone)
      context.terminal.print(fmt::format("gone: {} in {} is in no lesson's table", name, file.string()));
    if (document == before && read_text(path) == report::stored_text(document)) continue;
    write_json_file(context, file, document);
    changed = true;
  }
  // Written by hand, so its lines stay as they are.
  const fs::path explained = "docs/results/explained.json";
  const std::string text = read_text(context.root / explained), now = renames.text(text, "");
  if (now != text) {
    write_text(context.root / explained, now);
    context.terminal.print("written: " + explained.string());
    changed = true;
  }
  if (renames.keep()) context.terminal.print("written: docs/results/renamed.json");
  if (!changed) context.terminal.print("the stored runs have the current names");
}

void renew_pages(Context& context, const report::Tables& tables) {
  const report::Pages pages = report::generate_pages(context.root, tables);
  for (const auto& problem : pages.problems) context.terminal.print(problem.sentence());
  if (!pages.problems.empty()) throw UsageError{"the pages were not written: see the errors above"};
  const auto written = report::write_pages(context.root, pages);
  for (const std::string& file : written) context.terminal.print("written: " + file);
  if (written.empty()) context.terminal.print("the pages show what the stored runs hold");
}

json compared_document(const fs::path& file) {
  const json document = read_json(file);
  model::refuse_earlier_schema(document, file.string());
  const std::string schema = document.is_object() ? document.value("schema", "") : "";
  if (schema != model::document_schema && schema != model::grade_schema)
    throw UsageError{
        fmt::format("{} is neither a result that --json writes nor a record of grade: nothing to compare",
                    file.string())};
  return document;
}

}  // namespace

int compare_results(Context& context) {
  const auto& names = context.options.names;
  if (names.size() != 2) throw UsageError{"name two files: ./ladder results compare A.json B.json"};
  const report::Comparison found = report::compare(compared_document(names[0]), compared_document(names[1]));
  report::Table table(
      {{"rung", false, true}, {"what", false, true}, {"first", false, true}, {"second", false, true}});
  for (const auto& d : found.differences) table.add({d.step, d.what, d.a, d.b});
  if (!table.empty()) context.terminal.print(table.text(110));
  context.terminal.print(
      fmt::format("{} results in both files, {} differences. Nothing that a clock measured is compared.",
                  found.steps, found.differences.size()));
  return found.differences.empty() && found.steps > 0 ? 0 : 1;
}

void add_results_add_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--as", o.as, "the machine: a folder of docs/results; for a new one also what pages call it")
      ->type_name("NAME[=TEXT]");
}

int stored_results(Context& context) {
  const auto& names = context.options.names;
  const std::string& part = context.options.part;
  const bool add = part == "add", rename = part == "rename";
  if (names.size() != (add ? 1 : 0))
    throw UsageError{add ? "one file: ./ladder results add run.json --as h200"
                         : fmt::format("unexpected argument '{}'", names[0])};
  if (add && context.options.as.empty())
    throw UsageError{"which machine? ./ladder results add FILE --as NAME, a folder of docs/results"};
  const json top = add ? top_of(names[0]) : json();
  const model::Document document = add && top.is_null() ? document_of(names[0]) : model::Document{};
  const Machine machine = machine_of(context.options);
  if (add && top.is_null()) require_machine(context, machine, document);
  const auto lessons = context.catalogue.resolve_lessons({});
  context.need_tables(lessons);
  const report::Tables tables = tables_of(context, lessons);
  bool whole = true;
  if (rename) rename_stored(context, tables);
  if (!top.is_null()) {
    const bool profile = top.value("schema", "") != top_schema;
    const std::string name = fmt::format("{}-{}{}.json", top.value("lesson", ""), machine.folder,
                                         top.value("host", false) ? report::top_of_host : "");
    write_json_file(context, fs::path(profile ? "docs/top/counters" : "docs/top") / name, top);
  } else if (add) {
    const fs::path folder = fs::path("docs/results") / machine.folder;
    if (document.verb == "run")
      whole = add_run(context, folder, document, tables);
    else if (document.verb == "doctor")
      add_doctor(context, folder, document);
    else if (document.verb == "test")
      add_tests(context, folder, document);
    else
      add_reproductions(context, folder, document);
    sweep_executor(context, folder, tables);
    if (!machine.called.empty()) list_machine(context, machine);
  }
  renew_pages(context, tables);
  context.write_json(report::document("results", context.seed));
  return whole ? 0 : 1;
}

}  // namespace ladder
