#pragma once
/// @file
/// A harness that was built before: a checkout and its finished build folder, which others only read. Of a
/// student's copy nothing but its steps is compiled then, into a small build folder of its own.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/tool/build/recipe.hpp"
#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// What `./ladder image prebuild` left in a build folder.
class Harness {
 public:
  /// The one that LADDER_HARNESS names; nothing where that is not set. @throws UsageError where it names none
  static std::optional<Harness> from_environment();

  /// @param folder  the build folder @throws UsageError when it holds no harness
  explicit Harness(std::filesystem::path folder);

  const std::filesystem::path& root() const { return root_; }      ///< its checkout
  const std::filesystem::path& folder() const { return folder_; }  ///< its build folder

  /// Everything that is there or can be compiled: "judges/03-dgemm",
  /// "workers/lessons/03-dgemm/g1_naive.executor".
  std::set<std::string> targets() const;

  /// Whether the target is compiled in the student's build folder.
  bool compiles(const std::string& target) const { return recipes_.contains(target); }

  /// How. @throws UsageError for a target that it does not compile
  const Recipe& recipe(const std::string& target) const;

  /// build.ninja of a student's build folder: one edge for each step, made again when its source, a header
  /// next to it, the harness or, for machine code of this processor, the processor is another.
  std::string ninja(const std::filesystem::path& root, const std::filesystem::path& folder) const;

  /// Why steps of a copy cannot be judged: a file that steps include is another one than the harness was
  /// built with.
  /// @return empty: they can
  std::string differs(const std::filesystem::path& root, const std::string& lesson) const;

 private:
  std::filesystem::path root_, folder_;
  std::string id_;  ///< of what it was built from
  std::set<std::string> built_;
  std::map<std::string, Recipe> recipes_;
};

class Build;

/// Builds everything but steps into the build folder, and writes down how steps are compiled.
/// @param prune  deletes what was only needed to build it
/// @throws UsageError where something does not build, or is built for this processor only
void prebuild(Build& build, const std::vector<LessonEntry*>& lessons, bool prune,
              const std::function<void(const std::string&, double)>& progress);

}  // namespace ladder
