#pragma once
/// @file
/// An exam on paper as its key has it: what is asked of which programs, what is right, who has which
/// questions. exam_json.hpp has it as key.json.

#include <cstdint>
#include <string>
#include <vector>

#include "common/model/result.hpp"

namespace ladder::model {

/// What is asked: which line is wrong; how much the program asks for; which of two asks for more.
enum class Ask { mistake, count, more };

/// Where two programs differ. A line that is only missing stands after `line`.
struct Change {
  int line = 0;  ///< in the program that is shown, its first one
  /// What it shows, and what the right program has; lines without comments, either may be empty.
  std::string is{}, was{};
};

/// What is right of Ask::mistake.
struct MistakeAnswer {
  std::vector<Change> changed{};
  std::string verdict{}, message{};
  Details details{};  ///< the first ones that check shows
  std::vector<std::string> words{};
};

/// What is right of Ask::count.
struct CountAnswer {
  std::string problem{};
  double amount = 0;
  std::string necessary{};  ///< the formula
  double necessary_amount = 0;
};

/// What is right of Ask::more.
struct MoreAnswer {
  std::string problem{};
  std::vector<double> counts{};
  std::string answer{};  ///< "A", "B", "the same"
};

/// The answer to a question, once its programs have run: one of the three.
struct ExamAnswer {
  MistakeAnswer mistake{};
  CountAnswer count{};
  MoreAnswer more{};
};

/// Which program a question shows.
struct ExamProgram {
  std::string lesson{}, step{}, file{}, label{}, tree{}, edit{};
  std::string sha256{};  ///< of its text
};

struct ExamQuestion {
  std::string id{};
  Ask ask = Ask::mistake;
  int size = 0;
  std::string metric{};
  std::vector<ExamProgram> programs{};
  ExamAnswer key{};
};

/// A student's sheet.
struct ExamSheet {
  std::string id{}, name{};  ///< of the student
  std::string file{};
  std::vector<std::string> questions{};  ///< their ids, in the order of the sheet
};

struct ExamKey {
  std::vector<std::string> rungs{};
  std::uint64_t seed = 0;
  std::string secret{};
  std::vector<ExamQuestion> questions{};
  std::vector<ExamSheet> sheets{};
};

}  // namespace ladder::model
