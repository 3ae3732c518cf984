#pragma once
/// @file
/// Runs a program of this folder and keeps what it says.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace ladder::test {

/// What a command printed and how it ended.
struct Result {
  int status = -1;  ///< exit status; 128 + signal
  std::string out, err;

  bool prints(const std::string& text) const { return out.find(text) != std::string::npos; }
  bool says(const std::string& text) const { return err.find(text) != std::string::npos; }
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Runs a command line of the shell; ends it after a minute.
inline Result run(const std::string& command) {
  const std::string errors = "/tmp/ladder-executor-test-" + std::to_string(getpid());
  Result result;
  FILE* pipe = popen(("timeout 60 " + command + " 2> " + errors).c_str(), "r");
  if (!pipe) return result;
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.out.append(buffer, got);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.err = read_file(errors);
  std::remove(errors.c_str());
  return result;
}

/// Runs one of the programs. @param settings "NAME=value ..." for its environment
inline Result run_program(const std::string& command, const std::string& settings = "") {
  return run("env " + settings + " " LADDER_PROGRAMS "/" + command);
}

/// "name.cu:7" for the line of a program that ends in "// here: mark".
inline std::string line_with(const std::string& program, const std::string& mark) {
  std::ifstream file(LADDER_SOURCES "/" + program);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (line.ends_with("// here: " + mark)) return program + ":" + std::to_string(number);
  return "no line is marked " + mark;
}

}  // namespace ladder::test
