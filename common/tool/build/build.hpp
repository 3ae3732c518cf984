#pragma once
/// @file
/// Builds targets with ninja and says of each whether it is there, up to date, or where its source is wrong.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/process/process.hpp"
#include "common/tool/build/compiler_output.hpp"
#include "common/tool/build/harness.hpp"

namespace ladder {

class MutantBuild;

/// How far a build is: what it does now, and the share that is done.
using BuildProgress = std::function<void(const std::string&, double)>;

/// The build folder.
class Build {
 public:
  /// @param harness  where everything but steps is taken from; nothing: it is built in the folder, too
  /// @throws UsageError when the folder was not configured
  Build(std::filesystem::path root, std::filesystem::path folder, std::optional<Harness> harness = {});

  /// Brings build.ninja up to date, unless ./ladder has just done so (LADDER_CHECKED), then knows every
  /// target.
  /// @throws UsageError when configuring fails
  void refresh();

  /// Whether there is such a target ("workers/solutions/03-dgemm/g1_naive.cuda").
  bool knows(const std::string& target) const;

  /// Every target that begins so, files of CMake's own apart.
  std::vector<std::string> beginning_with(const std::string& prefix) const;

  /// Every program that is built into a folder of the build folder ("programs/counters/").
  std::vector<std::string> programs_in(const std::string& prefix) const;

  /// Builds what it can of the targets. Of those that fail the old program is deleted, so that it can never
  /// run instead of one that does not compile.
  /// @return the targets that failed
  std::map<std::string, BuildFailure> make(const std::vector<std::string>& targets,
                                           const BuildProgress& progress);

  /// What a make() elsewhere has found out: failures of targets, for a process that is frozen.
  void remember(const std::map<std::string, BuildFailure>& failures);
  /// From now on make() builds nothing: another process of this call has built. It says which targets have
  /// failed, or are not there.
  void freeze() { frozen_ = true; }

  /// The lock that ./ladder took for the whole call (descriptor 9) is held with others from now on, who judge
  /// what is built. Before we build again, we wait for them. Without such a lock, nothing.
  void share();

  /// What will be wanted later is built while nothing else is: until it is done, make() lets it wait.
  void ahead(std::vector<std::string> targets);

  /// While one of these lives, what is built ahead waits: two ninjas cannot share a folder.
  class [[nodiscard]] Rest {
   public:
    explicit Rest(Build& build);
    ~Rest();
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;

   private:
    Build& build_;
  };

  /// What ninja has written down of all that it ran, mutants too.
  std::string log() const;

  const std::filesystem::path& root() const { return root_; }
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file(const std::string& target) const {
    return (harness_ && !harness_->compiles(target) ? harness_->folder() : folder_) / target;
  }

  /// What was built before, and where it and its sources are: those of the harness, or ours.
  const std::optional<Harness>& harness() const { return harness_; }
  const std::filesystem::path& harness_root() const { return harness_ ? harness_->root() : root_; }
  const std::filesystem::path& harness_folder() const { return harness_ ? harness_->folder() : folder_; }

 private:
  void configure();
  void read_targets();
  void take_targets(const std::string& list) const;
  void alone();
  bool all_there(const std::vector<std::string>& targets) const;
  std::map<std::string, BuildFailure> build_all(const std::vector<std::string>& targets,
                                                const BuildProgress& progress);
  std::map<std::string, BuildFailure> build_mutants(const std::vector<std::string>& targets,
                                                    const BuildProgress& progress);
  std::map<std::string, BuildFailure> build(const std::vector<std::string>& targets,
                                            const BuildProgress& progress, const char* file = "build.ninja");
  void take_templates() const;
  std::vector<std::string> of_mutants(const std::vector<std::string>& targets) const;
  std::vector<std::string> with_needs(std::vector<std::string> others,
                                      const std::vector<std::string>& mutants) const;
  std::map<std::string, BuildFailure> remembered(const std::vector<std::string>& targets) const;
  void go_on();
  std::set<std::string> inputs_of(const std::string& target, const char* file) const;
  std::filesystem::path root_, folder_;
  std::optional<Harness> harness_;
  mutable std::map<std::string, std::string> targets_;  ///< to the rule that makes it
  mutable bool inner_known_ = false;                    ///< objects, too: few ask for them
  bool checked_ = false;                                ///< build.ninja was up to date when we were started
  std::shared_ptr<MutantBuild> mutants_;                ///< which are no part of build.ninja
  std::vector<std::string> ahead_;
  bool ahead_mutants_ = false;  ///< those are next, when the others are there
  Background background_;
  int resting_ = 0;      ///< how many Rests there are
  bool shared_ = false;  ///< the lock
  bool as_it_stands_ =
      false;  ///< it was shared from the beginning: another ladder, which judges now, has built
  std::map<std::string, BuildFailure> failures_;  ///< that are remembered
  bool frozen_ = false;
};

}  // namespace ladder
