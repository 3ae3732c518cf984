#pragma once
/// @file
/// Handouts: the repository as students get it, without solutions, mutants and answers, and with skeletons
/// that are cut rung by rung. docs/handout.md says what is in one.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/grade/intake/zip.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/verb_options.hpp"

namespace ladder {

inline constexpr const char* handout_file = ".handout/handout.json";
inline constexpr const char* handout_schema = "gpu-ladder-handout/1";

/// What is handed out.
struct HandoutRequest {
  std::vector<StepEntry*> rungs;
  std::set<std::string>
      released{};         ///< "03-dgemm/g1_naive": their solutions, and what was cut because of them
  std::string notes{};    ///< notes.md, with headings for what people grade; empty: none
  std::string course{};   ///< what students read of the course file (student_course_file); empty: none
  bool skeletons = true;  ///< false: neither skeletons nor pages, the half that a judge needs
};

/// What came of it.
struct Handout {
  grade::Tree files;
  std::string version;                ///< "H-ABCDEFGH", of its files
  std::vector<std::string> withheld;  ///< one line each: what of the request is not in it, and when it comes
};

/// Makes a handout in memory, and looks through each of its files for lines of the regions that its students
/// write.
/// @throws UsageError naming file and rung where one shows such a line
Handout make_handout(Context& context, const HandoutRequest& request);

/// Writes it as a zip where the name ends so, else into a folder: over an older handout there, or into an
/// empty one.
/// @throws UsageError
void write_handout(const Handout& handout, const std::filesystem::path& out);

/// Reads the handout of a zip or a folder; only what a folder's handout.json lists. @throws UsageError when
/// it is none
grade::Tree read_handout(const std::filesystem::path& from);

/// Its handout.json; null when a tree is no handout.
nlohmann::json handout_of(const grade::Tree& tree);
/// That of a checkout; null in a repository.
nlohmann::json handout_of(const std::filesystem::path& root);

/// The repository's files: those that git knows, where it is one of git's; else all but hidden ones and what
/// was built.
std::vector<std::string> repository_files(const std::filesystem::path& root);

/// Where a handout keeps the skeleton of a step: ".handout/skeletons/03-dgemm/g1_naive.cu".
std::string pristine_path(const StepEntry& step);
/// The same of notes.md, which students write too.
inline constexpr const char* pristine_notes = ".handout/skeletons/notes.md";

/// What a verb of those who have the whole repository says in a handout. @throws UsageError
void refuse_in_handout(const Context& context);

/// The verbs. Each returns the exit status.
int hand_out(Context& context);
int release_solutions(Context& context);
int update_handout(Context& context);

/// The options of `solutions`.
void add_solutions_options(CLI::App& app, Options& o, Typed& typed);

/// The options of `handout`.
void add_handout_options(CLI::App& app, Options& o, Typed& typed);

/// The options of `update`.
void add_update_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
