/// @file
/// Processes that the tool starts: what they say, how they end, what they leave. Files written whole, and
/// digests.
// Guards: docs/design.md#what-each-process-may-do

#include <signal.h>
#include <unistd.h>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/gone.hpp"

using namespace ladder;

TEST_CASE("SHA-256 of the standard's examples") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("a child's output, status and error are told apart") {
  CHECK(run_process({.arguments = {"sh", "-c", "echo out; echo err >&2"}}).output == "out\nerr\n");
  CHECK(run_process({.arguments = {"sh", "-c", "echo out; echo err >&2"}, .output_only = true}).output ==
        "out\n");
  CHECK(run_process({.arguments = {"sh", "-c", "exit 3"}}).status == 3);
  CHECK(run_process({.arguments = {"sh", "-c", "kill -9 $$"}}).status == 128 + SIGKILL);
  const ProcessResult none = run_process({.arguments = {"/no/such/program"}});
  CHECK(none.status == 127);
  CHECK(none.error.find("/no/such/program: No such file") == 0);
  CHECK(run_process({.arguments = {"sh", "-c", "echo $ADDED"}, .environment = {{"ADDED", "yes"}}}).output ==
        "yes\n");
  CHECK(run_process({.arguments = {"sh", "-c", "pwd"}, .folder = "/"}).output == "/\n");
  CHECK(run_process({.arguments = {"head", "-c", "3000000", "/dev/zero"}}).output.size() == 3000000);
}

TEST_CASE("a child that does not end is ended, with what it started") {
  const ProcessResult late =
      run_process({.arguments = {"sh", "-c", "sleep 1000 & echo $!; wait"}, .seconds = 0.3});
  CHECK(late.timed_out);
  CHECK(test::gone(std::stoi(late.output)));
  // One that leaves its group behind is found as an orphan of ours.
  prepare_processes();
  const ProcessResult left =
      run_process({.arguments = {"sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.3"}});
  CHECK(left.status == 0);
  CHECK(test::gone(std::stoi(left.output)));
}

TEST_CASE(
    "what we start computes with the kernels of OpenBLAS for this processor, unless somebody has chosen") {
  const auto told = [] {
    prepare_processes();
    return run_process({.arguments = {"sh", "-c", "printf %s \"$OPENBLAS_CORETYPE\""}}).output;
  };
  const char* const before = std::getenv("OPENBLAS_CORETYPE");
  const std::string kept = before ? before : "";
  unsetenv("OPENBLAS_CORETYPE");
#if defined(__x86_64__)
  CHECK((told() == "") == !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
#else
  CHECK(told() == "");
#endif
  setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
  CHECK(told() == "Nehalem");
  unsetenv("OPENBLAS_CORETYPE");
  if (before) setenv("OPENBLAS_CORETYPE", kept.c_str(), 1);
}

TEST_CASE("a folder of a tool that was killed is swept, and nobody else's") {
  const std::filesystem::path base =
      std::filesystem::temp_directory_path() / ("sweep-" + std::to_string(getpid()));
  std::filesystem::create_directories(base / "ladder-999999999-abc");
  std::filesystem::create_directories(base / ("ladder-" + std::to_string(getppid()) + "-abc"));
  setenv("TMPDIR", base.c_str(), 1);
  {
    const ScratchFolder mine;
    CHECK(std::filesystem::exists(mine.path()));
    CHECK_FALSE(std::filesystem::exists(base / "ladder-999999999-abc"));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(base), {}) == 1);
  unsetenv("TMPDIR");
  std::filesystem::remove_all(base);
}

TEST_CASE("a file is written whole or not at all") {
  CHECK_THROWS_AS(write_text("/proc/nothing/here.json", "x"), UsageError);
  CHECK_THROWS_AS(write_text("/dev/full", "x"), UsageError);
}
