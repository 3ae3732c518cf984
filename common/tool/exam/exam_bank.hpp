#pragma once
/// @file
/// The questions of an exam: which there are, what their programs are, who gets which. Nothing is run here,
/// and all of it follows
/// from the secret.

#include <string>
#include <vector>

#include "common/grade/key.hpp"
#include "common/model/exam.hpp"
#include "common/tool/catalogue/catalogue.hpp"

namespace ladder::exam {

/// Numbers that follow from a secret and a word, and that nobody foresees without the secret.
class Dice {
 public:
  Dice(const grade::Key& key, std::string what) : key_(key), what_(std::move(what)) {}
  /// 0 to n - 1. @param n  at least 1
  std::size_t below(std::size_t n);
  template <class T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[below(i)]);
  }

 private:
  grade::Key key_;
  std::string what_;
  int thrown_ = 0;
};

using model::Ask;
using model::Change;

/// The changes from the right program to the other; comments and blanks apart.
std::vector<Change> changes(const std::string& right, const std::string& other);

/// A program that a question shows: a solution, or an edit of one.
struct Program {
  std::string lesson, step, file, label;   ///< "03-dgemm", "g2_shared_tiles", "g2_shared_tiles.cu", "03/g2"
  std::string tree = "solutions", edit{};  ///< or mutants, variants, with the edit's name
  std::string text{};
  std::string verdict = "PASS";      ///< that the file of the edits says
  std::vector<std::string> words{};  ///< and what it says must be read
  std::vector<Change> changed{};     ///< from the solution
  /// "mutants/03-dgemm/g2_shared_tiles~tile-unused"
  std::string id() const { return tree + "/" + lesson + "/" + step + (edit.empty() ? "" : "~" + edit); }
};

struct Question {
  std::string id{};  ///< "a-03-g2-tile-unused"
  Ask ask = Ask::mistake;
  std::vector<Program> programs{};  ///< two of Ask::more
  int size = 0;                     ///< of the problem; 0: those of check
  std::string metric{};             ///< of Ask::count, as the row has it; of Ask::more, once they have run
  model::ExamAnswer key{};          ///< once the programs have run

  const Program& program() const { return programs.front(); }
};

/// What a metric of a row asks for, as a question; empty: no exam asks for it.
std::string asked_for(const std::string& metric);

/// The same as a question about two programs: "Which program asks for more …, A or B? …".
std::string asked_of_two(const std::string& metric);

/// What a program is for: the comment above its last function.
std::string purpose_of(const std::string& source);

/// The questions that may be asked of these rungs. @throws cut::Error for an edit that does not fit its
/// solution
/// @param steps  with the rows of their tables
std::vector<Question> questions_of(const std::filesystem::path& root, const std::vector<StepEntry*>& steps,
                                   const grade::Key& secret);

/// A question without an answer for each program that these rungs have, to find programs by their ids.
std::vector<Question> all_programs(const std::filesystem::path& root, const std::vector<StepEntry*>& steps);

/// Who writes the exam.
struct Student {
  std::string id, name;
};

struct Sheet {
  Student student;
  std::vector<std::size_t> questions{};  ///< places in the bank, in the order of the sheet
};

/// How many questions of each kind a sheet has: mistakes, counts, comparisons.
struct PerSheet {
  std::size_t mistakes = 3, counts = 3, comparisons = 2;
};

/// A sheet for each student. Neighbours of the list share as few questions as there are enough, and never
/// have the same ones.
/// @throws UsageError when there are too few questions for that
std::vector<Sheet> deal(const std::vector<Question>& bank, const std::vector<Student>& students,
                        const grade::Key& secret, const PerSheet& share = {});

}  // namespace ladder::exam
