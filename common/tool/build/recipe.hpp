#pragma once
/// @file
/// How a step is compiled away from the checkout: the commands that ninja has for it, with other folders.

#include <filesystem>
#include <string>
#include <vector>

namespace ladder {

/// How a step is built for one back end: shell commands in which two marks stand for folders.
struct Recipe {
  static constexpr const char* sources = "@SOURCES@";  ///< holds NN-name/STEP.cu
  static constexpr const char* outputs = "@OUTPUTS@";
  std::string target;  ///< relative to the outputs: "workers/lessons/03-dgemm/g1_naive.executor"
  std::vector<std::string> commands{};  ///< in their order
  std::vector<std::string> folders{};   ///< of the outputs, relative to them
  std::vector<std::string> reads{};     ///< what the commands read of checkout and build folder: whole paths

  /// The commands as one shell script. @param source_folder, output_folder whole paths without characters of
  /// the shell
  std::string script(const std::filesystem::path& source_folder,
                     const std::filesystem::path& output_folder) const;
};

/// Leaves out that nvcc is asked for the registers and the local memory of kernels. The observed program is
/// the same but for these two numbers, which it does not know then.
void leave_out_ptxas(Recipe& recipe);

/// Whose program a recipe makes.
struct StepProgram {
  std::string tree;    ///< lessons; given: the baseline and the libraries that steps are compared with
  std::string lesson;  ///< "03-dgemm"
  std::string name;    ///< "g1_naive"
  std::string backend;
  std::filesystem::path source{};  ///< of a step: is below Recipe::sources then; empty: it stays where it is

  std::string target() const { return "workers/" + tree + "/" + lesson + "/" + name + "." + backend; }
};

/// The recipe from what `ninja -t commands` prints for the target. Commands for what all steps share are left
/// out: it is built before.
/// @param printed  the output of ninja
/// @param root, folder  of checkout and build
Recipe recipe_from(const std::string& printed, const StepProgram& program, const std::filesystem::path& root,
                   const std::filesystem::path& folder);

/// Asks ninja. @throws UsageError when it knows no such target
Recipe recipe_of(const StepProgram& program, const std::filesystem::path& root,
                 const std::filesystem::path& folder);

}  // namespace ladder
