#pragma once
/// @file
/// What has passed before: test --changed leaves out what nothing that decides it has changed for.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ladder {

/// What decides the verdict of a piece of the tests, as folders and files below the checkout. A folder stands
/// for all files in it. By the layers of the includes, which a test keeps: what judges a lesson includes
/// nothing of the tool, of grading or of reports.
struct Deciders {
  std::vector<std::string> folders{};  ///< "common/judge", "lessons/03-dgemm"
  std::vector<std::string> files{};    ///< "ladder"
  /// Of a lesson's folders, files of other steps than this one do not count: "g2_shared_tiles". Empty: all
  /// files count.
  std::string step{};
};

/// What decides a job, or one of its steps. @param step "03-dgemm/g2_shared_tiles"; empty: a job that is
/// about no single steps
Deciders deciders_of(const std::string& part, const std::string& job, const std::string& step);

/// Verdicts by the hash of what decides them, in the build folder.
class TestStore {
 public:
  /// @param tools  versions of what builds and judges: part of each hash
  TestStore(std::filesystem::path root, std::filesystem::path file, std::string tools);

  /// What a piece has passed with: {"name", "date", "skips": [{"name", "reason"}]}; nothing when it must run.
  std::optional<nlohmann::json> passed(const std::string& part, const std::string& job,
                                       const std::string& step) const;

  /// Keeps that a piece has passed, with what it skipped.
  void keep(const std::string& part, const std::string& job, const std::string& step,
            const nlohmann::json& skips);

  /// Writes what was kept; hashes that nothing has now stay for a while: one goes back to an older state,
  /// too.
  void save() const;

 private:
  std::string key(const std::string& part, const std::string& job, const std::string& step) const;
  const std::string& hash_of(const std::string& path) const;
  std::filesystem::path root_, file_;
  std::string tools_;
  nlohmann::json verdicts_;
  std::map<std::string, std::string> files_;  ///< every file of the checkout that may decide, by path
  mutable std::map<std::string, std::string> hashes_;      ///< of files that have been read
  std::map<std::string, std::vector<std::string>> steps_;  ///< of each lesson, to tell their files apart
};

}  // namespace ladder
