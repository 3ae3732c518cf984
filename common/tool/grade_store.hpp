#pragma once
/// @file
/// The folder of the grades: records, decisions, sources, pages.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/grade/record.hpp"

namespace ladder {

/// What ./ladder grade has written to a folder.
class GradeStore {
 public:
  /// @throws UsageError where no grades are
  explicit GradeStore(std::filesystem::path out);

  /// All records, by pseudonym, with the decisions about them.
  std::vector<nlohmann::json> records() const;
  /// One of them. @throws UsageError with the nearest names
  nlohmann::json record(const std::string& pseudonym) const;
  /// A step of one: "03/g2". @throws UsageError
  nlohmann::json step(const std::string& pseudonym, const std::string& label) const;
  /// Adds to the log, and makes the pages anew.
  void decide(const std::string& pseudonym, const grade::Decision& decision) const;
  /// Makes overview, CSV and each student's page anew.
  void write_pages() const;

  const std::filesystem::path& folder() const { return out_; }

 private:
  /// What people have decided, with whose submission it is about, in its order.
  std::vector<std::pair<std::string, grade::Decision>> decisions() const;
  std::filesystem::path out_;
};

}  // namespace ladder
