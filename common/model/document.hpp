#pragma once
/// @file
/// A results document: what a verb writes for --json, and what docs/results stores. docs/results.schema.json
/// says what its fields mean.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/machine.hpp"
#include "common/model/reproduction.hpp"
#include "common/model/result.hpp"
#include "common/model/test_times.hpp"

namespace ladder::model {

/// A number that a student has predicted.
struct StatedPrediction {
  std::string metric{};
  double value = 0;
  int size = 0;  ///< n; 0: not stated
  std::string time{};
  bool after_profile = false;  ///< the truth had been shown before
};

/// A rung in a document: its result, and what single verbs state of it.
struct DocumentStep : StepResult {
  bool judged = true;                              ///< it has a verdict; false: only what a verb states
  std::string state{};                             ///< list, hint, submit: "PASS", "not started"
  std::string idea{};                              ///< list
  std::optional<double> hours{}, seconds_spent{};  ///< list
  std::string from{}, kept{};  ///< start, reset: what it begins from, and where its old file is
  std::string change{};        ///< submit: since the last package
  std::optional<std::vector<std::string>> hints{};             ///< hint: those shown
  std::optional<std::vector<StatedPrediction>> predictions{};  ///< predict
  nlohmann::json profile{};                                    ///< profile, as profile_json() writes it
  std::optional<StepResult> reference{};                       ///< diff: the result of the reference
};

/// A lesson in a document.
struct LessonResults {
  std::string name{}, title{};
  std::vector<std::string> problems{};  ///< faults of ours, or a contract that does not compile
  std::vector<DocumentStep> steps{};
  std::vector<Reproduction> reproductions{};
};

/// One of the runs that a stored document consists of.
struct StoredRun {
  std::string date{}, commit{};
  std::optional<std::uint64_t> seed{};
  std::string clock{};
  std::optional<Machine> machine{};
  std::vector<std::string> tracks{};  ///< "03-dgemm/g"
};

/// The user's own file from which the problem was read.
struct OwnFile {
  std::string file{};
  std::int64_t n = 0, nnz = 0;  ///< the matrix's order, and the entries of both triangles
};

/// What a verb found.
struct Document {
  std::string verb{}, date{};
  std::optional<std::uint64_t> seed{};
  std::string commit{};
  std::string clock{};  ///< what is known of the clocks of the GPU
  int size = 0;         ///< run --size; 0: the usual sizes
  std::string class_name{};
  std::optional<OwnFile> matrix{};  ///< --matrix; nothing: problems of our own
  std::string only{};               ///< reproduce --only
  bool interrupted = false;
  std::optional<Machine> machine{};  ///< nothing: the verb does not look
  std::vector<StoredRun> runs{};     ///< of a document that was put together from several
  std::vector<LessonResults> lessons{};
  nlohmann::json program{};  ///< check, profile of a program that is no rung
  nlohmann::json package{};  ///< submit: what was written
  nlohmann::json site{};     ///< docs: what was built
  std::optional<TestCounts> tests{};
  std::optional<TestTimes> times{};
};

}  // namespace ladder::model
