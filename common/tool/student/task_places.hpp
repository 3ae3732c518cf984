#pragma once
/// @file
/// Where the tasks of a skeleton belong in another source that has functions of the same names.

#include <cstddef>
#include <string>
#include <vector>

namespace ladder {

/// A function that is defined in a source: kernels in the text of an OpenCL program, too.
struct DefinedFunction {
  std::string name;
  std::size_t first = 0, last = 0;  ///< the lines with its braces, from 0
};
std::vector<DefinedFunction> defined_functions(const std::vector<std::string>& lines);

/// A comment that begins with TASK, with its further lines.
struct SkeletonTask {
  std::vector<std::string> lines;
  std::string function;  ///< that it is in; empty: none
  std::vector<std::string>
      in_front;  ///< the lines of that function in front of it, the nearest first, without their indent
};
std::vector<SkeletonTask> skeleton_tasks(const std::vector<std::string>& skeleton);

/// Puts each task into the function of its name: behind the nearest line in front of it that both have, once,
/// else where the function's body begins.
/// @return the tasks whose function the source does not have
std::vector<SkeletonTask> put_tasks(const std::vector<SkeletonTask>& tasks, std::vector<std::string>& source);

}  // namespace ladder
