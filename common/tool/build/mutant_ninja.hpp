#pragma once
/// @file
/// How mutants are built, as ninja reads it. CMake describes one worker for each lesson and back end, that
/// of the mutant ladder_rung~ladder_unit, which is never built; here its edges become those of all others.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/text/step_name.hpp"

namespace ladder {

/// What CMake calls the mutant that stands for all, and its function. With ladder_ptxas for its name, nvcc
/// is asked for registers.
inline constexpr const char *template_rung = "ladder_rung", *template_unit = "ladder_unit",
                            *template_ptxas = "ladder_ptxas", *template_idea = "ladder_idea";

/// A worker of one mutant, or a program of several.
struct MutantProgram {
  std::string lesson, step, backend;
  std::string name;  ///< of the mutant, or of the program
  bool ptxas = false;
  std::string tree = "mutants";
  /// Of attempts, which are files of their own: "FOLDER/tests/03-dgemm/attempts/g2_shared_tiles."
  std::string sources{};

  std::string idea() const { return step.substr(step.find('_') + 1); }
  std::string space() const { return space_of(lesson); }
  /// "workers/mutants/03-dgemm/g2_shared_tiles~no-guard.executor", of another mutant with the name of that
  std::string worker(const std::string& mutant) const;
  std::string worker() const { return worker(name); }
  /// What the tool writes: "generated/mutants/03-dgemm/g2_shared_tiles~no-guard.hash.cpp"
  std::string generated(const std::string& ending) const;
};

/// The edges of the workers that stand for all.
class MutantTemplates {
 public:
  /// @param folder  the build folder, with CMake's files for ninja
  explicit MutantTemplates(std::filesystem::path folder);

  /// The edges of a worker of its own.
  std::string alone(const MutantProgram& program) const;

  /// The edges of one program for all of the mutants, and links to it under the names of their workers.
  std::string together(const MutantProgram& program, const std::vector<std::string>& mutants) const;

  /// What these edges need of the rest of the build.
  std::set<std::string> needs(const MutantProgram& program) const;

  /// What is above the edges of a file: settings and rules.
  std::string head() const;

 private:
  enum class Kind { rewrite, compile, hash, link, other };
  struct Edge {
    Kind kind = Kind::other;
    std::string outputs, rule, inputs, variables;
  };
  struct Filled;
  void add(const std::string& line, const std::string& variables);
  const std::vector<Edge>& edges_of(const MutantProgram& program) const;
  std::string filled(const MutantProgram& program, const std::string& name, std::string text) const;
  std::string text_of(const MutantProgram& program, const std::string& name, Edge edge) const;

  std::filesystem::path folder_;
  std::map<std::tuple<std::string, std::string, bool>, std::vector<Edge>>
      edges_;  ///< by lesson, back end, ptxas
  std::set<std::string> rules_;
};

}  // namespace ladder
