#pragma once
/// @file
/// What every verb works with.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/base/process/process.hpp"
#include "common/model/document.hpp"
#include "common/tool/build/build.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "common/tool/core/options.hpp"
#include "common/tool/core/terminal.hpp"
#include "common/tool/machine/placement.hpp"

namespace ladder {

/// One call of the tool.
struct Context {
  /// Finds checkout (LADDER_ROOT) and build folder (LADDER_BUILD). @throws UsageError
  explicit Context(Options options);

  Options options;
  std::filesystem::path root;
  Terminal terminal;
  Build build;
  Catalogue catalogue;
  std::uint64_t seed;

  /// Chooses devices; looks for them at the first call.
  const Placer& placer();

  /// Looks whether these lessons can be worked on: their tables are the harness's, and this call was not
  /// ended.
  /// @throws UsageError for a lesson that is another one than the harness's
  void check_tables(const std::vector<LessonEntry*>& lessons);
  /// Before anything is configured or built.
  /// @throws UsageError with the mistakes in their tables: "lessons/03-dgemm/rungs.toml:12:3: …", a line each
  void refuse_mistakes(const std::vector<LessonEntry*>& lessons) const;
  /// Refuses mistakes, brings the build up to date and looks at the tables. @throws UsageError
  void need_tables(const std::vector<LessonEntry*>& lessons);
  /// The step of a name. @throws UsageError with the example for a lesson
  const StepEntry& only_step(const std::vector<std::string>& names, const std::string& example);
  /// The only step of these names, its table read.
  const StepEntry& named_step(const std::vector<std::string>& names, const std::string& example);

  /// Prints how far the build is.
  BuildProgress build_progress();

  /// A folder for what this call keeps on disk while it runs.
  const std::filesystem::path& scratch();

  /// Removes that folder: for a process that ends without leaving main(), and before one that has its own is
  /// forked.
  void leave_no_scratch() { scratch_.reset(); }

  /// Where progress and history are kept: .ladder/ in the checkout, or in the build folder when that is
  /// read-only.
  std::filesystem::path state_folder() const;

  /// Writes --json, when it was asked for.
  void write_json(const model::Document& document) const;
  /// The same of a document of another schema.
  void write_json(const nlohmann::json& document) const;

 private:
  std::unique_ptr<Placer> placer_;
  std::unique_ptr<ScratchFolder> scratch_;
};

}  // namespace ladder
