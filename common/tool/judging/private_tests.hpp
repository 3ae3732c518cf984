#pragma once
/// @file
/// Private tests: a folder outside of the checkout whose sources are added to a lesson's judge.

#include <filesystem>
#include <string>
#include <vector>

#include "common/tool/build/build.hpp"

namespace ladder {

/// Of the sources of a lesson's private tests in a folder; one without any has a sum, too.
std::string private_sum(const std::filesystem::path& folder, const std::string& lesson);

/// What the inputs of their cases are made from; see grade::plan_key. A copy elsewhere keeps it by keeping
/// the folder's name.
std::string private_key_name(const std::filesystem::path& folder);

/// What --private names, checked.
class PrivateTests {
 public:
  /// @throws UsageError when the folder is not there, or has no tests of these lessons
  PrivateTests(std::filesystem::path folder, const std::vector<std::string>& lessons);

  /// @throws UsageError when it lies in the checkout
  void refuse_in(const std::filesystem::path& root) const;

  bool has(const std::string& lesson) const;

  /// Of a lesson's sources: what was judged by others is judged again.
  std::string hash(const std::string& lesson) const;

  /// Builds the judge of a lesson with its private tests, by the commands that ninja has for the lesson's own
  /// judge, which must have been built. Nothing of it gets into the build folder or the compiler's cache.
  /// @param out  where it goes; nobody else may read there
  /// @return the command that judges by the private tests only
  /// @throws UsageError when it does not compile
  std::vector<std::string> build_judge(const Build& build, const std::string& lesson,
                                       const std::filesystem::path& out) const;

 private:
  std::vector<std::filesystem::path> sources_of(const std::string& lesson) const;
  std::filesystem::path folder_;
};

/// The compiler's and the linker's command of a private judge, made of those of the lesson's own.
struct PrivateCommands {
  std::string compile;  ///< all but -c SOURCE -o OBJECT
  std::string link;     ///< all but the objects that are added
};

/// @param printed  what `ninja -t commands judges/NN-name` prints
/// @throws Error when these commands are not found in it
PrivateCommands private_commands(const std::string& printed, const std::string& lesson,
                                 const std::string& judge);

}  // namespace ladder
