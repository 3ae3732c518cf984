#pragma once
/// @file
/// Catch2 of either version, and a way to say that a test could not run. Nothing skips quietly.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "common/base/catch.hpp"
#if __has_include(<catch2/matchers/catch_matchers.hpp>)
#include <catch2/matchers/catch_matchers.hpp>  // CHECK_THROWS_WITH
#endif

namespace ladder::test {

/// Prints why a test did not run, and notes it in the file named by LADDER_SKIPS, which `./ladder test`
/// reads.
inline void note_skip(const std::string& reason) {
  std::cout << "SKIPPED: " << reason << std::endl;
  if (const char* path = std::getenv("LADDER_SKIPS")) std::ofstream(path, std::ios::app) << reason << "\n";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace ladder::test

/// Ends the test case with a reason; it counts as skipped, not as passed.
#define LADDER_SKIP(reason)          \
  do {                               \
    ladder::test::note_skip(reason); \
    return;                          \
  } while (false)
