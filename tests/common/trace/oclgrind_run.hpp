#pragma once
/// @file
/// Runs the tests' OpenCL programs under Oclgrind.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "common/trace/oclgrind/oclgrind.hpp"
#include "tests/common/shell.hpp"

namespace ladder::test {

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Oclgrind and our plugin; `missing` says why a test cannot run.
inline Oclgrind oclgrind_of_tests() {
#ifndef LADDER_COUNTED_OPENCL
  return {"", "OpenCL is not installed", ""};
#elif !defined(LADDER_OCLGRIND_PLUGIN)
  return {"", "the plugin for Oclgrind is not built (package liboclgrind-dev)", ""};
#else
  return find_oclgrind(LADDER_OCLGRIND_PLUGIN);
#endif
}

/// A file that is gone with the object, or what was put in its place.
class TemporaryFile {
 public:
  TemporaryFile() {
    char name[] = "/tmp/ladder-oclgrind-XXXXXX";
    if (const int descriptor = ::mkstemp(name); descriptor >= 0) ::close(descriptor);
    path = name;
  }
  ~TemporaryFile() { std::filesystem::remove_all(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path;
};

/// Runs a program to its end, with an environment of Oclgrind's.
inline Finished run_under(const Oclgrind::Environment& environment, const std::string& command) {
  std::string line = "env -u OPENCL_LAYERS LADDER_OPENCL_DEVICE=0:0";
  for (const auto& [name, value] : environment) line += " " + name + "=" + value;
  return run(line + " " + command);
}

}  // namespace ladder::test
