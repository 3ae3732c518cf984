#pragma once
/// @file
/// Runs a command of the shell to its end.

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "common/base/text/text.hpp"

namespace ladder::test {

struct Finished {
  int code = -1;       ///< exit status; -1 when it did not exit
  std::string output;  ///< standard output and error
};

/// @param command for the shell. After 60 seconds it is killed with all it has started.
inline Finished run(const std::string& command) {
  Finished finished;
  FILE* pipe = ::popen(("timeout -k 1 60 sh -c " + shell_word(command) + " 2>&1").c_str(), "r");
  if (!pipe) return finished;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    finished.output.append(buffer, n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) finished.code = WEXITSTATUS(status);
  return finished;
}

}  // namespace ladder::test
