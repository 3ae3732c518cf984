#pragma once
/// @file
/// Skeletons for a course, cut rung by rung: what a student writes in one rung is in the skeletons of
/// later rungs, which are independent of each other. In a course's copy it is a task there too, until the
/// solution of the first rung is released.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ladder::cut {

/// A region of a solution: what a student writes in it.
struct Region {
  std::string rung;                 ///< "g2"
  int line = 0;                     ///< of BEGIN SOLUTION
  int lines = 0;                    ///< of code, as the task says them
  std::vector<std::string> tokens;  ///< of its code, without comments
  std::vector<std::string>
      kept;  ///< the lines that the skeleton has in its place, without //| and indentation
  std::vector<std::string> telling;  ///< its lines that would tell something, without blanks and comments
};

/// The regions of a solution. @throws Error as skeleton() does
std::vector<Region> regions_of(const std::string& solution, const std::string& name, const std::string& rung);

/// Whether a region has code that another skeleton could show.
bool is_secret(const Region& region);

/// Lines of regions that tell something, without blanks, and the rung that has them first: "g2".
using Secrets = std::map<std::string, std::string>;

/// The code lines of a source that would tell something if it were a solution: 20 signs and four names at
/// least (a loop's head five), without blanks and comments. `__syncthreads();` and `if (i < n) return;` stand
/// in every program.
std::vector<std::string> telling_lines(const std::string& source);

/// Looks for secrets in many texts.
class SecretSearch {
 public:
  explicit SecretSearch(const Secrets& secrets);
  /// The first secret that a text shows, however it is broken into lines; null: none. @param text without
  /// blanks
  const Secrets::value_type* in(const std::string& text) const;

 private:
  const Secrets& secrets_;
  std::unordered_multimap<std::uint64_t, const Secrets::value_type*> by_begin_;  // their first eight signs
};
/// A text without its blanks.
std::string squeezed(std::string text);

/// A skeleton, cut in a course's way.
struct CourseSkeleton {
  std::string text;
  int to_write = 0;                ///< lines of code in its own regions
  int to_copy = 0;                 ///< lines of code that are tasks of earlier rungs
  std::vector<std::string> rungs;  ///< these rungs
};

/// Where whole regions of earlier rungs stand, they become tasks with what the skeleton keeps of them. Where
/// single lines of them stand, these become tasks too: since it would not compile without them, the rest is
/// then not compiled until the student says so, and the rung's function says "not started".
/// @param earlier  regions of the rungs before it, first ones first; without those whose solution is released
/// @param secrets  their lines that tell something, without those that are known from elsewhere
CourseSkeleton course_skeleton(const std::string& solution, const std::string& name,
                               const std::vector<Region>& earlier, const Secrets& secrets = {});

/// The lines that a skeleton's tasks name, to write and to copy.
struct TaskLines {
  int to_write = 0, to_copy = 0;
};
TaskLines task_lines(const std::string& skeleton);

/// All code of a source in one string, without comments and blanks: to look for what another source has.
std::string without_blanks(const std::string& source);
/// The same of a region.
std::string without_blanks(const Region& region);

}  // namespace ladder::cut
