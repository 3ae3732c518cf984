#pragma once
/// @file
/// The position of a call in the student's file.

namespace ladder::executor {

/// The line of a Site that names memory: that of a harness, whose own lines say nothing to a program's
/// author.
constexpr int memory_name = -1;

/// A line of source. As a default argument `Site site = Site::here()` it is the caller's line.
struct Site {
  const char* file = "";
  int line = 0;  ///< memory_name: `file` is no file, but what memory is called

  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace ladder::executor

/// Last parameter of every call of CUDA's: by it messages name the student's line. A macro, because a default
/// argument must be written where the function is declared.
#define LADDER_EXECUTOR_SITE ladder::executor::Site site = ladder::executor::Site::here()
