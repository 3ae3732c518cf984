// The judge's main program: Catch2 runs the lesson's test cases; the plan comes through LADDER_PLAN.
// supervisor.cpp handles the signals: Catch2's handlers would leave workers running.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_NO_POSIX_SIGNALS
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <cstdio>
#include <exception>

#include "common/judge/plan.hpp"
#include "common/judge/session/supervisor.hpp"

int main(int argc, char** argv) {
  try {
    ladder::become_supervisor();
    ladder::plan();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "judge: %s\n", error.what());
    return 2;
  }
  return Catch::Session().run(argc, argv);
}
