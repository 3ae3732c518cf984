#pragma once
/// @file
/// Skeletons for a course, cut rung by rung: what a student writes in one rung stands in the skeletons of later rungs, which are
/// independent of each other. In a course's copy it is a task there too, until the solution of the first rung is released.

#include <string>
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
};

/// The regions of a solution. @throws Error as skeleton() does
std::vector<Region> regions_of(const std::string& solution, const std::string& name, const std::string& rung);

/// Whether a region has code that another skeleton could show.
bool is_secret(const Region& region);

/// A skeleton, cut in a course's way.
struct CourseSkeleton {
  std::string text;
  int to_write = 0;                ///< lines of code in its own regions
  int to_copy = 0;                 ///< lines of code that are tasks of earlier rungs
  std::vector<std::string> rungs;  ///< these rungs
};

/// @param earlier  regions of the rungs before it, first ones first; without those whose solution is released
CourseSkeleton course_skeleton(const std::string& solution, const std::string& name,
                               const std::vector<Region>& earlier);

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
