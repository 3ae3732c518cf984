/// @file
/// Correct programs: every line says OK, nothing is reported, in every order of threads and with any number
/// of workers.
// Guards: common/executor/README.md

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

#include <sstream>

using ladder::test::Result;
using ladder::test::run_program;

namespace {

/// No error, no report, no line that says WRONG. Deferred work must not start by itself while "late" lines
/// are looked at.
void check_all_right(const std::string& program, const std::string& settings = "") {
  const Result result = run_program(program, settings);
  INFO(program << " " << settings << "\n" << result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(result.prints("OK"));
  CHECK(!result.prints("WRONG"));
}

}  // namespace

TEST_CASE("correct programs are right and silent") {
  check_all_right("correct");
  check_all_right("correct", "LADDER_EXECUTOR_THREADS=1");
  check_all_right("correct", "LADDER_EXECUTOR_THREADS=7 LADDER_EXECUTOR_ORDER=1");
  check_all_right("correct", "LADDER_EXECUTOR_ORDER=5");
  check_all_right("correct", "LADDER_EXECUTOR_EAGER=1");
}

TEST_CASE("small libraries of CUDA, and all the memory that the device claims") {
  for (const char* settings : {"LADDER_EXECUTOR_MEMORY=64", "LADDER_EXECUTOR_MEMORY=3000"}) {
    const Result result = run_program("libraries", settings);
    INFO(settings << "\n" << result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.prints("OK"));
    CHECK(!result.prints("WRONG"));
  }
}

TEST_CASE("stacks of threads that wait do not count in a limit of data") {
  // 40 blocks of 1,024 threads; with 16 cores their stacks are 2.2 GB of address space, of which little is
  // written.
  check_all_right("waiting_blocks", "LADDER_EXECUTOR_THREADS=16 prlimit --data=500000000");
}

TEST_CASE("shared arrays of many kernels leave the threads their stacks") {
  // 40 arrays of 48 KiB are more than a stack of 1 MiB, and most of one of 2 MiB.
  check_all_right("shared_arrays");
  check_all_right("shared_arrays", "LADDER_EXECUTOR_THREADS=3 prlimit --stack=1048576");
  check_all_right("shared_arrays", "prlimit --stack=2097152");
}

TEST_CASE("where a thread for a block cannot be started, the message says what to do") {
  // Eight stacks of 256 MB do not fit into 2 GB.
  const Result result =
      run_program("waiting_blocks", "LADDER_EXECUTOR_THREADS=16 prlimit --stack=268435456 --as=2000000000");
  INFO(result.out << result.err);
  CHECK(result.status != 0);
  CHECK(result.err.find("no thread for block") != std::string::npos);
  CHECK(result.err.find("Raise the limit") != std::string::npos);
}

TEST_CASE("each spelling that nvcc takes gives its result") {
  std::istringstream names(LADDER_SPELLINGS);
  int spellings = 0;
  for (std::string name; names >> name;) {
    const Result result = run_program(name);
    INFO(name << "\n" << result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    REQUIRE(result.out.starts_with("OK "));
    spellings += std::stoi(result.out.substr(3));
  }
  CHECK(spellings >= 200);
}

TEST_CASE("every way to write a launch works") {
  const Result result = run_program("syntax");
  CHECK(result.status == 0);
  CHECK(result.err == "");
  CHECK(result.out == "fill 100 2\nscope 128.5\nfloat 20 0 2\nno error\nint 1 1 1\nrows 1 6 c 3 shift 4\n");
}

TEST_CASE("streams wait for what they must and for nothing else") {
  // A loaded machine may stop the program for longer than the usual millisecond between two of its lines.
  check_all_right("streams", "LADDER_EXECUTOR_DELAY=500");
  const Result eager = run_program("streams", "LADDER_EXECUTOR_EAGER=1");
  CHECK(eager.prints("WRONG late: read before the wait"));
  CHECK(eager.prints("OK graph"));
  CHECK(eager.status == 0);
}

TEST_CASE("the device answers questions, and printf works") {
  check_all_right("device");
  const Result result = run_program("device");
  CHECK(result.prints("thread 0 of block 0\nthread 1 of block 0\n"));
  CHECK(!result.prints("thread 2"));
}

TEST_CASE("groups, pipelines, numbers, graphs and memory of programs from elsewhere") {
  for (const char* program : {"groups", "pipelines", "numbers", "graphs", "heap"}) {
    check_all_right(program);
    check_all_right(program, "LADDER_EXECUTOR_THREADS=1 LADDER_EXECUTOR_ORDER=1");
    check_all_right(program, "LADDER_EXECUTOR_ORDER=5");
  }
}

TEST_CASE("tensor-core operations have the layouts of the PTX ISA") {
  check_all_right("tensor");
  check_all_right("tensor", "LADDER_EXECUTOR_ORDER=1");
}

TEST_CASE("cuBLAS agrees with plain loops") {
  if (ladder::test::read_file(LADDER_PROGRAMS "/cublas").empty())
    LADDER_SKIP("executor cuBLAS: OpenBLAS is not installed");
  const Result result = run_program("cublas", "LADDER_EXECUTOR_DELAY=500");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(!result.prints("WRONG"));
  for (const char* line :
       {"OK dgemm\n", "OK dgemm strided batched\n", "OK dgemm batched\n", "OK dtrsm\n", "OK dtrsm batched\n",
        "OK dsyrk\n", "OK sgemm\n", "OK sgemm strided batched\n", "OK sgemm batched\n", "OK gemm by type\n",
        "OK strsm\n", "OK ssyrk\n", "OK in a stream\n"})
    CHECK(result.prints(line));
  CHECK(result.prints("CUBLAS_STATUS_INVALID_VALUE CUBLAS_STATUS_INVALID_VALUE"));
  CHECK(result.says("the leading dimension of A is 2; its columns have 4 elements"));
  // The reason is in the error, too: a student sees nothing else of it.
  for (const char* reason :
       {"INVALID_VALUE: cublasDsyrk: A, 4 x 4 with leading dimension 7, ends 72 bytes after the 128 bytes "
        "allocated",
        "INVALID_VALUE: cublasDsyrk: C, 4 x 4 with leading dimension 4, is not in device memory",
        "with leading dimension 4, begins before the 128 bytes",
        "is in memory that was freed: the 128 bytes"})
    CHECK(result.prints(reason));
}

TEST_CASE("a handle of cuBLAS is made once, and its next holder finds it as new") {
  if (ladder::test::read_file(LADDER_PROGRAMS "/handles").empty())
    LADDER_SKIP("executor cuBLAS: OpenBLAS is not installed");
  const Result result = run_program("handles");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(!result.prints("WRONG"));
  for (const char* line :
       {"OK a handle is used again\n", "OK without the last one's stream\n", "OK and mode\n",
        "OK who holds one has it alone\n", "OK a handle that is moved\n", "OK handles of threads\n",
        "OK a handle that threads share\n", "OK the same stream\n", "OK threads in turn\n"})
    CHECK(result.prints(line));
}

TEST_CASE("the tiled product agrees with the plain loop, with a line of times for each round") {
  const std::string speed = "../../programs/speed";
  const Result result = run_program(speed + " 64 3 7");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  std::istringstream lines(result.out);
  std::string line;
  for (int round = 0; round < 3; ++round) {
    REQUIRE(std::getline(lines, line));
    std::istringstream numbers(line);
    double seconds = 0;
    int count = 0;
    for (; numbers >> seconds; ++count) CHECK(seconds > 0);
    CHECK(count == 6);
  }
  REQUIRE(std::getline(lines, line));
  CHECK(line == "OK");
  CHECK(run_program(speed + " 65").status == 2);
}

TEST_CASE("the executor shows itself as another device when told to") {
  // 4 blocks of 512 threads fit 2,048 threads, 2 fit 1,024; each has 4,096 bytes of shared memory.
  const auto resident = [](const std::string& settings) {
    std::istringstream lines(run_program("device", settings).out);
    std::string line;
    while (std::getline(lines, line))
      if (line.ends_with(" 4096")) return std::stoi(line);
    return 0;
  };
  CHECK(resident("") == 4);
  CHECK(resident("LADDER_EXECUTOR_MULTIPROCESSOR_THREADS=1024") == 2);
  CHECK(resident("LADDER_EXECUTOR_MULTIPROCESSOR_BLOCKS=3") == 3);
  CHECK(resident("LADDER_EXECUTOR_MULTIPROCESSOR_SHARED=8192") == 1);
  check_all_right("device", "LADDER_EXECUTOR_MULTIPROCESSORS=132");
}

TEST_CASE("a setting that is no number is an error") {
  const Result result = run_program("syntax", "LADDER_EXECUTOR_THREADS=many");
  CHECK(result.status == 86);
  CHECK(result.says("LADDER_EXECUTOR_THREADS=many is not a number from 1 to 1024"));
}
