#pragma once
/// @file
/// The mutants and attempts of a build folder: what there is of them, and their own file for ninja.

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/skeleton/mutant_unit.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/build/compiler_output.hpp"
#include "common/tool/build/mutant_ninja.hpp"

namespace ladder {

/// The mutants of tests/NN-name/mutants. All that one back end runs of a rung are one program, when that
/// can be compiled and begins to run; else, and where nobody expects it to, each is a program of its own.
/// The attempts of tests/NN-name/attempts likewise: they are called mutants here, too.
class MutantBuild {
 public:
  MutantBuild(std::filesystem::path root, std::filesystem::path folder)
      : root_(std::move(root)), folder_(std::move(folder)) {}

  /// @param templates  the workers that CMake describes for all:
  /// "workers/mutants/03-dgemm/ladder_rung~ladder_unit.executor"
  void refresh(std::set<std::string> templates);

  /// "workers/mutants/03-dgemm/g2_shared_tiles~no-guard.executor" and all others.
  const std::set<std::string>& targets() const;
  bool makes(const std::string& target) const;
  /// Its targets that begin so.
  std::vector<std::string> beginning_with(const std::string& prefix) const;

  /// What has to be built before them.
  std::set<std::string> needs(const std::vector<std::string>& targets) const;

  /// Cuts the mutants, and writes the file for ninja that builds them, in which "all" is all of them.
  /// @return those whose edits do not apply, which the file does not build
  std::map<std::string, BuildFailure> write(const std::vector<std::string>& targets, const std::string& file);

  /// Builds each worker of a program of several on its own in the next file. @return whether there was one
  bool take_apart(const std::vector<std::string>& failed);
  void put_together() { apart_.clear(); }

 private:
  struct Rung {
    std::string tree, lesson, step;
    std::filesystem::path solution, list;  ///< of an attempt: it, and its folder
    std::vector<cut::Mutant> mutants;
    bool asks_ptxas = false;  ///< for the one number that nvcc measures
  };
  struct Wanted {
    const Rung* rung;
    std::string backend;
    std::set<std::string> names{};  ///< of mutants
  };
  /// The mutants' sources.
  struct Cut {
    std::map<std::string, cut::UnitPart> parts;
    std::map<std::string, BuildFailure> failures;
  };

  void add_rung(const std::string& lesson, const std::filesystem::path& list) const;
  void add_attempt(const std::string& lesson, const std::filesystem::path& file) const;
  void add_target(const Rung& rung, const std::string& backend, const std::string& name) const;
  std::map<std::string, Wanted> wanted(const std::vector<std::string>& targets) const;
  const MutantTemplates& templates() const;
  Cut cut_all(const Wanted& wanted) const;
  MutantProgram program(const Wanted& wanted, const std::string& name) const;
  std::vector<std::string> together(const Wanted& wanted, const Cut& cut, bool first) const;
  std::string edges_of(const Wanted& wanted, const Cut& cut) const;
  std::filesystem::path source(const Rung& rung, const std::string& mutant) const;

  std::filesystem::path root_, folder_;
  std::set<std::string> described_;  ///< by CMake
  std::set<std::string> apart_;      ///< keys of wanted()
  mutable bool known_ = false;
  mutable std::map<std::string, Rung> rungs_;  ///< by "mutants/03-dgemm/g2_shared_tiles"
  mutable std::set<std::string> targets_;
  mutable std::unique_ptr<MutantTemplates> templates_;
};

}  // namespace ladder
