#pragma once
/// @file
/// The lessons and steps that are there: found by their file names, described by the lessons' tables,
/// rungs.toml.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/text/step_name.hpp"
#include "common/model/document.hpp"
#include "common/tool/catalogue/old_names.hpp"

namespace ladder {

/// One step, in whichever trees it has a file.
struct StepEntry {
  std::string lesson;  ///< "03-dgemm"
  std::string name;    ///< "g2_shared_tiles"
  std::string file;    ///< "g2_shared_tiles.cu"
  nlohmann::json row;  ///< its row of the lesson's table; null where there is none

  std::string id() const { return id_of(name); }                        ///< "g2"
  std::string idea() const { return name.substr(name.find('_') + 1); }  ///< "shared_tiles"
  std::string label() const { return rung_of(lesson, name); }           ///< "03/g2"
  std::string path() const { return lesson + "/" + name; }              ///< "03-dgemm/g2_shared_tiles"
  char track() const { return name[0]; }
  std::string kind() const { return row.value("kind", std::string("R")); }
  int ranks() const { return row.is_object() ? static_cast<int>(row.value("ranks", 1.0)) : 1; }

  /// cpu, mpi, opencl or cuda, from track and extension.
  std::string family() const;

  /// In a document, without a verdict.
  model::DocumentStep stated() const;
};

/// One lesson.
struct LessonEntry {
  std::string name;  ///< "03-dgemm"
  std::string title{};
  std::vector<StepEntry> steps{};                   ///< in the table's order where it is known
  std::string problem{};                            ///< why its table cannot be read; empty when it was
  nlohmann::json table = nlohmann::json::object();  ///< the whole table, as a judge gets it
  /// Sizes that have names, from its table: [{"name": "B", "size": 30}, …]
  nlohmann::json classes = nlohmann::json::array();
  std::vector<OldName> old_names{};  ///< what its rungs were called before
  /// Files in lessons/ of rungs that are called otherwise now, as a copy of older days has them:
  /// "g4_on_device.cpp".
  std::vector<std::string> left_files{};

  std::string number() const { return name.substr(0, 2); }
  std::string word() const { return name.substr(3); }

  /// The size of a class. @throws UsageError for a name that is none, and for a lesson that has no classes
  int size_of_class(const std::string& typed) const;

  /// @throws UsageError for a lesson whose problems are not read from a matrix
  void require_matrix() const;
};

/// All lessons of a checkout.
class Catalogue {
 public:
  /// Looks at the folders of lessons/ and solutions/. @param root  the checkout
  explicit Catalogue(const std::filesystem::path& root);

  std::vector<LessonEntry> lessons;

  /// Reads a lesson's table; steps are sorted by it. @param root  the checkout
  static void read_table(const std::filesystem::path& root, LessonEntry& lesson);

  /// The lesson of a name. @throws UsageError with the nearest names
  LessonEntry& lesson(const std::string& name);

  /// Rungs of a document by their lessons; those of a lesson follow each other.
  std::vector<model::LessonResults> by_lesson(std::vector<model::DocumentStep> steps);

  /// The rows of a lesson's table; none where it was not read.
  nlohmann::json rows_of(const std::string& name) const;

  /// The steps that the names mean; all steps when there are none. @throws UsageError
  std::vector<StepEntry*> resolve(const std::vector<std::string>& names);

  /// The lessons that the names mean, in order; all when there are none. A step's name means its lesson.
  std::vector<LessonEntry*> resolve_lessons(const std::vector<std::string>& names);

  /// What is applied to files with names of older days. @param folder  where the list of applied names is
  Renames renames(const std::filesystem::path& folder) const;

  /// The names of all steps in CUDA: "03-dgemm/g2_shared_tiles".
  std::vector<std::string> cuda_steps() const;
};

/// Names with ranges as single ones: "03/g1-g3" is three. @throws UsageError for what is no range, and for
/// steps that are not there
std::vector<std::string> without_ranges(Catalogue& catalogue, const std::vector<std::string>& names);

/// The file of a step in a tree.
std::filesystem::path source_of(const std::filesystem::path& root, const std::string& tree,
                                const StepEntry& step);

/// The file of a step's edits, of kind "mutants" or "variants".
std::filesystem::path edits_of(const std::filesystem::path& root, const StepEntry& step,
                               const std::string& kind);

}  // namespace ladder
