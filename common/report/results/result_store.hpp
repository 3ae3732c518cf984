#pragma once
/// @file
/// The stored runs in docs/results that the numbers on pages come from.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/document.hpp"

namespace ladder::report {

/// A document of docs/results: what a verb wrote with --json.
struct StoredDocument {
  std::filesystem::path file;  ///< relative to the checkout
  model::Document results;

  std::string day() const { return results.date.substr(0, 10); }

  /// Null when the document does not have the lesson.
  const model::LessonResults* lesson(const std::string& name) const;

  /// The run that a track comes from: its machine, date and commit. Those of the document, where it is one
  /// run.
  model::StoredRun run_of(const std::string& lesson, char track) const;
  std::optional<model::Machine> machine_of(const std::string& lesson, const std::string& step) const;

  /// The results of a step, one a device, in the document's order.
  std::vector<model::StepResult> step(const std::string& lesson, const std::string& name) const;
};

/// A file of docs/results that has a schema of its own: counters of the executor, counts of public suites.
struct StoredTable {
  std::filesystem::path file;  ///< relative to the checkout
  nlohmann::json content;
};

/// A machine: one folder of docs/results.
struct StoredMachine {
  std::string folder;
  std::string name;        ///< what pages call it: "NVIDIA H200"
  bool in_lessons = true;  ///< false: a column in tables and a line in folds, no figures or sections
  std::optional<StoredDocument> run{};          ///< run.json
  std::vector<StoredDocument> runs{};           ///< run*.json: run.json, and runs of other sizes
  std::vector<StoredDocument> reproductions{};  ///< reproduce*.json
  std::optional<StoredTable> executor{};        ///< executor.json
  std::optional<StoredDocument> tests{};   ///< tests.json: what `./ladder test` took, without its results
  std::optional<StoredTable> suites{};     ///< suites.json: what `./ladder validate findings` counted
  std::optional<StoredDocument> doctor{};  ///< doctor.json: what `./ladder doctor` measured

  /// "AMD EPYC, 2 cores, Debian GNU/Linux 12, 2026-11-20, commit 2281a604bc" of a document.
  /// @param lesson  where the document has several runs: only those of this lesson, each with its tracks;
  /// empty: all
  static std::string facts(const StoredDocument& document, const std::string& lesson = "");
  static std::string facts(const StoredTable& table);
};

/// Machines in the order of docs/results/machines.json ([{"folder", "name", "in_lessons" unless true}, …]),
/// then other folders by name.
/// A machine that is listed but has no run yet is there without one.
/// @throws std::runtime_error naming a file that is no JSON
std::vector<StoredMachine> stored_machines(const std::filesystem::path& root);

/// The number of a field; nothing when there is none.
std::optional<double> number_in(const nlohmann::json& object, const std::string& field);

/// A library that a step was timed with, and its time over the step's.
struct TimedLibrary {
  std::string name;  ///< "cuBLAS"
  double ratio;
};
/// Nothing when there was none.
std::optional<TimedLibrary> library_of(const model::StepResult& step);

/// A peer's time over the step's: the quotient of the two medians that are shown; where the peer's time is
/// not stored, the median of pairs. Nothing when they were not timed together.
std::optional<double> ratio_of(const model::StepResult& step, const std::string& peer);

/// The GPUs of a machine that CUDA drives: "2 x NVIDIA H200"; empty when it has none.
std::string gpus_of(const model::Machine& machine);

/// What a result was measured on: "" for the CPU, else "executor", "PoCL", "NVIDIA H200"; "twin (executor)"
/// for a rung on tensor cores.
std::string place_of(const model::StepResult& step, const std::optional<model::Machine>& machine);

/// "n = 768", or all sizes when they differ; empty when nothing was timed.
std::string size_of(const model::StepResult& step);
/// The same of a size's name, where it has one, and the problem's numbers.
std::string size_text(const std::string& size_name, const std::map<std::string, int>& problem);

}  // namespace ladder::report
