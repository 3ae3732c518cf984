/// @file
/// Each mistake gets its message at its line; the same program without it says nothing.
// Guards: common/executor/README.md#messages

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

#include <vector>

using ladder::test::line_with;
using ladder::test::Result;
using ladder::test::run_program;

namespace {

const std::string program = "mistakes.cu";
/// A loaded machine must not end what is only slow.
std::string settings(const std::string& name) {
  return name == "does-not-finish" ? "LADDER_EXECUTOR_TIMEOUT=1" : "";
}

void check_right(const std::string& name) {
  const Result result = run_program("mistakes " + name + " right", settings(name));
  INFO(name << "\n" << result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK(result.prints("end: cudaSuccess, cudaSuccess"));
}

struct Mistake {
  const char* name;
  const char* message;         // after "file:line: "
  const char* mark = nullptr;  // of the line, when it is not the name; "any line" when compilers differ

  bool is_in(const Result& result) const {
    if (mark && std::string(mark) == "any line") return result.says(message);
    return result.says(line_with(program, mark ? mark : name) + ": " + message);
  }
};

}  // namespace

TEST_CASE("a mistake that the device cannot go on from ends the program at its line", "[plants-a-fault]") {
  const std::vector<Mistake> mistakes = {
    {"past-the-end", "error: the kernel accesses the element past the end of the 32768 bytes allocated at"},
    {"before-the-begin", "error: the kernel accesses memory 8 bytes before the 32768 bytes allocated at"},
    {"host-reads-device",
     "error: the host dereferences a device pointer: byte 24 of the 32768 bytes allocated at"},
    {"null-pointer", "error: the kernel dereferences a null pointer"},
    {"host-pointer-argument", "error: argument 1 of kernel fill is a pointer to host memory"},
#if defined(__x86_64__)
    {"misaligned-vector", "error: the kernel accesses a misaligned address"},
#endif
    {"dynamic-shared-too-short",
     "error: the kernel accesses byte 256 of its dynamic shared memory; the launch gave it 256 bytes"},
    {"barrier-divergence", "error: barrier divergence"},
    {"arrival-missing", "error: a phase of a barrier does not end: arrivals are missing"},
    {"mask-without-caller", "error: lane 1 calls a warp function with a mask that leaves it out"},
    {"different-warp-functions", "error: threads of one warp meet in different warp functions"},
    {"tensor-exited-lane", "error: a tensor-core operation reads lane 16, which has left the kernel"},
    {"tensor-divergence", "error: threads of one warp meet in different warp functions"},
    {"grid-sync-without-cooperative", "error: grid.sync() in a kernel that was not started with",
     "grid-sync"},
    {"block-leaves-before-grid-sync", "error: grid.sync() waits for 1 of 4 blocks that have left the kernel",
     "grid-sync"},
    {"does-not-finish",
     "error: the kernel does not finish: no block ended and no barrier was passed for 1 s"},
    {"stack-overflow", "error: stack overflow of a kernel thread", "any line"},
    {"division-by-zero", "error: the kernel divides an integer by zero"},
    {"trap", "error: the kernel calls __trap()"},
    {"shift-too-far", "error: a number of 32 bits is shifted by 32"},
  };
  for (const Mistake& mistake : mistakes) {
#if defined(__aarch64__)
    if (std::string(mistake.name) == "division-by-zero")
      continue;  // the processor gives 0, as a GPU gives something
#endif
    const Result result =
        run_program(std::string("mistakes ") + mistake.name + " wrong", settings(mistake.name));
    INFO(mistake.name << "\n" << result.out << result.err);
    CHECK(result.status == 86);
    CHECK(mistake.is_in(result));
    check_right(mistake.name);
  }
}

TEST_CASE("a call that CUDA refuses returns its code and says why") {
  const std::vector<Mistake> mistakes = {
      {"wrong-direction", "error: cudaMemcpy: the destination must be device memory for this kind of copy"},
      {"freed-twice", "error: cudaFree: this memory was freed already at"},
      {"block-too-large",
       "error: kernel fill cannot be launched: a block of (2048,1,1) = 2048 threads is too large"},
      {"empty-grid", "error: kernel fill cannot be launched: a grid of (0,1,1) blocks is empty"},
      {"too-much-dynamic-shared",
       "error: kernel reversed cannot be launched: 65536 bytes of dynamic shared memory"},
      {"cooperative-too-large",
       "error: kernel meets cannot be launched: a cooperative launch of 100000 blocks"},
      {"destroyed-stream", "error: a kernel launch: the stream was not created, or is destroyed"},
      {"wait-while-capturing", "error: the host cannot wait for a stream that captures a graph"},
      {"unjoined-capture", "error: another stream joined the capture and was not joined back"},
  };
  for (const Mistake& mistake : mistakes) {
    const Result result =
        run_program(std::string("mistakes ") + mistake.name + " wrong", settings(mistake.name));
    INFO(mistake.name << "\n" << result.out << result.err);
    CHECK(result.status == 0);
    CHECK(mistake.is_in(result));
    check_right(mistake.name);
  }
}

TEST_CASE(
    "a block with more threads than __launch_bounds__ allows is refused, and who asks is told the bound") {
  const Result result = run_program("bounds");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.prints("OK cooperative"));
  CHECK(!result.prints("WRONG"));
  CHECK(result.says(
      "error: kernel of_c cannot be launched: a block of (33,1,1) = 33 threads is too large for a "
      "kernel with __launch_bounds__(32)"));
}

TEST_CASE("a failed assertion ends its thread, and the host's next call tells of it") {
  const Result result = run_program("mistakes assertion wrong");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.prints("synchronised: cudaErrorAssert, then cudaErrorAssert"));
  CHECK(result.prints("later: cudaErrorAssert"));
  for (const char* block : {"[0,0,0]", "[1,0,0]"})
    for (const char* thread : {"[60,0,0]", "[63,0,0]"})
      CHECK(result.says(std::string("block: ") + block + ", thread: " + thread + " Assertion `"));
  CHECK(!result.says("thread: [59,0,0]"));
  CHECK(result.says(line_with(program, "assertion") + ": "));
  check_right("assertion");
}

TEST_CASE("of several blocks with an error the first one is named, however late its error comes",
          "[plants-a-fault]") {
  for (const char* settings : {"LADDER_EXECUTOR_THREADS=4", "LADDER_EXECUTOR_THREADS=1"}) {
    const Result result = run_program("mistakes every-block wrong", settings);
    INFO(settings << "\n" << result.out << result.err);
    CHECK(result.status == 86);
    CHECK(result.says(line_with(program, "every-block") +
                      ": error: the kernel accesses the element past the end of the 32768 bytes"));
    CHECK(result.says("block (0,0,0)"));
  }
  check_right("every-block");
}

TEST_CASE("a shuffle that reads a lane which does not take part gives no number, and the program goes on") {
  for (const std::string name : {"exited-lane", "lane-outside-mask"}) {
    const Result result = run_program("mistakes " + name + " wrong");
    INFO(name << "\n" << result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK(result.prints("end: cudaSuccess, cudaSuccess"));
    check_right(name);
  }
}

TEST_CASE("a copy beyond the allocation names both lines") {
  const Result result = run_program("mistakes copy-too-long wrong");
  CHECK(result.says(line_with(program, "copy-too-long") +
                    ": error: cudaMemcpy: the destination has 32768 bytes"));
  CHECK(result.says("allocated at tests/common/executor/programs/" + line_with(program, "allocation")));
  CHECK(result.prints("invalid argument"));
  check_right("copy-too-long");
}

TEST_CASE("an error that is thrown says more than its code") {
  const Result result = run_program("mistakes thrown wrong");
  INFO(result.out << result.err);
  CHECK(result.prints("threw tests/common/executor/programs/mistakes.cu:"));
  CHECK(
      result.prints(": cudaErrorInvalidValue: invalid argument: cudaFree: this memory was freed already at "
                    "tests/common/executor/programs/mistakes.cu:"));
  check_right("thrown");
}

TEST_CASE("freed memory names where it was freed") {
  const Result result = run_program("mistakes used-after-free wrong");
  INFO(result.err);
  CHECK(result.status == 86);
  CHECK(result.says("the kernel accesses device memory that was freed at tests/common/executor/programs/" +
                    line_with(program, "freed")));
  CHECK(result.says("in kernel fill launched at"));
  CHECK(result.says("block (0,0,0), thread (0,0,0)"));
  check_right("used-after-free");
}

TEST_CASE("a barrier report says who waits where") {
  const Result result = run_program("mistakes barrier-divergence wrong");
  CHECK(result.says("16 threads, first (0,0,0): wait at __syncthreads(), "));
  CHECK(result.says("16 threads, first (16,0,0): wait in __syncwarp() of the lanes 0xffffffff, "));
  CHECK(result.says(line_with(program, "other-side")));
  CHECK(result.says("in kernel waits_for_each_other launched at"));
}

TEST_CASE("a barrier reached from two lines is a warning, and the program goes on") {
  const Result result = run_program("mistakes barrier-in-a-branch wrong");
  CHECK(result.status == 0);
  CHECK(result.says(line_with(program, "barrier-in-a-branch") +
                    ": warning: some threads of a block are at this"));
  CHECK(result.prints("end: cudaSuccess, cudaSuccess"));
  check_right("barrier-in-a-branch");
}

TEST_CASE("memory that nobody wrote is not a number") {
  for (const std::string name : {"uninitialised-shared", "first-barrier-missing", "uninitialised-device"}) {
    const Result wrong = run_program("mistakes " + name + " wrong"),
                 right = run_program("mistakes " + name + " right");
    INFO(name << "\n" << wrong.out << right.out);
    CHECK(wrong.prints("nan\n"));
    CHECK(!right.prints("nan"));
    check_right(name);
  }
}
