#pragma once
/// @file
/// An exam on paper and for Moodle: sheets, key, questions. Made from the bank and the sheets, without
/// running anything.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/report/html/html.hpp"
#include "common/tool/exam/exam_bank.hpp"

namespace ladder::exam {

/// An exam with its answers.
struct Exam {
  std::vector<std::string> rungs{};
  std::uint64_t seed = 0;  ///< of the inputs of all runs
  std::string secret{};    ///< eight digits that say which secret, and nothing about it
  std::vector<Question> bank{};
  std::vector<Sheet> sheets{};
};

/// The lines of a program that a reader needs, with the numbers that they have in its file: no comments, no
/// includes.
std::vector<report::SourceRow> shown_lines(const std::string& source);

/// One student's sheet, or those of all on one page, each on paper of its own.
std::string sheet_page(const Exam& exam, std::size_t sheet);
std::string all_sheets_page(const Exam& exam);
/// "007-anna.html"
std::string sheet_file(const Exam& exam, std::size_t sheet);

/// What is right: for each sheet in short, then each question with what the machine said.
std::string key_page(const Exam& exam);
/// Schema gpu-ladder-exam/1.
nlohmann::json key_json(const Exam& exam);
/// An exam as key_json() wrote it, without the texts of its programs. @throws Error
Exam from_key_json(const nlohmann::json& key);

/// The counts and the comparisons as questions for Moodle: numerical and multichoice.
std::string moodle_xml(const Exam& exam);

}  // namespace ladder::exam
