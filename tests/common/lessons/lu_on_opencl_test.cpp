/// @file
/// Lesson 01's OpenCL rungs on devices that this machine has not: with small work-groups, and where a message
/// does not come. In processes of their own, since a process has one device.
// Guards: docs/rungs.md#the-rungs

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/device/opencl.hpp"
#include "lessons/01-lu/block_kernels.hpp"
#include "lessons/01-lu/message_panel.hpp"
#include "lessons/01-lu/problem.hpp"
#include "tests/common/catch.hpp"

namespace lu {
Function device_pivot, row_access, local_panel, blocked_update, register_tile, look_ahead, hybrid,
    tagged_messages, two_queues;
}

namespace {

namespace cl = ladder::cl;
using ladder::test::contains;
using lu::Problem;

/// OpenCL's buffers of this process that are not released, and their bytes.
std::map<cl_mem, std::size_t>& buffers() {
  static std::map<cl_mem, std::size_t> all;
  return all;
}

std::size_t bytes_of_buffers() {
  std::size_t sum = 0;
  for (const auto& [buffer, bytes] : buffers()) sum += bytes;
  return sum;
}

/// @return what the function says, called in a process of its own
std::string in_a_process(const std::function<std::string()>& function) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      text = function();
    } catch (const std::exception& error) {
      text = error.what();
    }
    const bool written = write(ends[1], text.data(), text.size()) == ssize_t(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, std::size_t(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : text + " (status " + std::to_string(status) + ")";
}

bool has_device() {
  return in_a_process([] { return cl::device() ? "yes" : ""; }) == "yes";
}

double entry(int i) {
  return std::fmod(0.618 * i * i + 0.37 * i, 2) - 1;
}

/// @return "right", if PA = LU
std::string compared(const std::vector<double>& given, const Problem& p) {
  std::vector<double> rows = given;
  const int n = p.n;
  for (int i = 0; i < n; ++i) std::swap_ranges(&rows[i * n], &rows[i * n] + n, &rows[p.pivot[i] * n]);
  double worst = 0;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      double sum = 0;
      for (int k = 0; k <= std::min(r, c); ++k) sum += (k == r ? 1 : p.A[r * n + k]) * p.A[k * n + c];
      worst = std::max(worst, std::abs(sum - rows[r * n + c]));
    }
  return *p.info == 0 && worst < 1e-12 * n ? "right" : "wrong by " + std::to_string(worst);
}

/// A rung on a matrix of order n: "right", or what it throws. @param looks  whether the result is looked at
std::string factorised(lu::Function* rung, bool resident, int n, bool looks = true) {
  std::vector<double> A(std::size_t(n) * n);
  for (int i = 0; i < n * n; ++i) A[i] = entry(i);
  const std::vector<double> given = A;
  std::vector<int> pivot(n);
  int info = -1;
  Problem p{n, A.data(), pivot.data(), &info};
  if (!resident) {
    rung(p);
    return compared(given, p);
  }
  const cl::Buffer dA(CL_MEM_READ_WRITE, A.size() * sizeof(double)),
      dpivot(CL_MEM_READ_WRITE, n * sizeof(int)), dinfo(CL_MEM_READ_WRITE, sizeof(int));
  const auto copy = [](auto enqueue, const cl::Buffer& buffer, auto* data, std::size_t bytes) {
    cl::check(enqueue(cl::queue(), buffer.get(), CL_TRUE, 0, bytes, data, 0, nullptr, nullptr));
  };
  copy(clEnqueueWriteBuffer, dA, A.data(), A.size() * sizeof(double));
  rung({n, reinterpret_cast<double*>(dA.get()), reinterpret_cast<int*>(dpivot.get()),
        reinterpret_cast<int*>(dinfo.get())});
  copy(clEnqueueReadBuffer, dA, A.data(), A.size() * sizeof(double));
  copy(clEnqueueReadBuffer, dpivot, pivot.data(), n * sizeof(int));
  copy(clEnqueueReadBuffer, dinfo, &info, sizeof info);
  return looks ? compared(given, p) : "";
}

/// The same where work-groups have at most so many work-items.
std::string on_small_device(int items, lu::Function* rung, bool resident, int n) {
  return in_a_process([&] {
    setenv("POCL_MAX_WORK_GROUP_SIZE", std::to_string(items).c_str(), 1);
    return factorised(rung, resident, n);
  });
}

struct Rung {
  const char* name;
  lu::Function* function;
  bool resident;
};
constexpr Rung rungs[] = {
    {"g5", lu::device_pivot, false},   {"g7", lu::row_access, false},     {"g8", lu::local_panel, false},
    {"g9", lu::blocked_update, false}, {"g10", lu::register_tile, false}, {"g11", lu::look_ahead, false},
    {"g12", lu::hybrid, false},        {"t1", lu::tagged_messages, true}, {"t6", lu::two_queues, true}};

/// The kernels' source with functions instead of those that NVIDIA's compiler alone understands. A warp is
/// then one work-item.
std::string without_ptx(const std::string& source) {
  const std::size_t begin = source.find("uint max_of_warp"), end = source.find("// end of PTX");
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  return source.substr(0, begin) + R"(
uint max_of_warp(uint x) { return x; }
uint min_of_warp(uint x) { return x; }
uint those_of_warp(int yes) { return yes != 0; }
void sync_warp() {}
void send(global uint4* part, double number, uint place, uint tag) {
  const ulong bits = as_ulong(number);
  *(volatile global uint4*)part = (uint4)((uint)bits, place << 16 | tag, (uint)(bits >> 32), tag);
}
uint4 load(global const uint4* part) { return *(volatile global const uint4*)part; }
)" + source.substr(end);
}

/// The panel of t6, of two work-groups that do not run together: the device has one thread.
std::string panel_of_late_groups() {
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);  // PoCL 3 and 4
  setenv("POCL_CPU_MAX_CU_COUNT", "1", 1);
  const int n = 64, items = 32, j = 0;
  const std::string text = without_ptx(lu::panel_of_groups.text);
  const cl::Program program(cl::Source(text.c_str()), "-DITEMS=32 -DAT_ONCE=1");
  const cl::Kernel kernel(program, "eliminate_panel");
  const std::size_t mail_bytes = lu::mail_bytes(2),
                    moves_bytes = 2 * (1 + 4 * lu::panel_columns) * sizeof(int);
  const cl::Buffer A(CL_MEM_READ_WRITE, n * n * sizeof(double)), mail(CL_MEM_READ_WRITE, mail_bytes),
      moves(CL_MEM_READ_WRITE, moves_bytes), pivot(CL_MEM_READ_WRITE, n * sizeof(int)),
      info(CL_MEM_READ_WRITE, sizeof(int));
  const auto fill = [](const cl::Buffer& buffer, auto value, std::size_t bytes) {
    cl::check(
        clEnqueueFillBuffer(cl::queue(), buffer.get(), &value, sizeof value, 0, bytes, 0, nullptr, nullptr));
  };
  fill(A, 1.0, n * n * sizeof(double));
  fill(mail, 0, mail_bytes);
  fill(moves, 0, moves_bytes);
  lu::throw_if_late(cl::queue(), mail);  // nobody waits yet
  cl::set_arguments(kernel, A, mail, moves, pivot, info, n, j);
  const std::size_t range = n, group = items;
  cl::check(
      clEnqueueNDRangeKernel(cl::queue(), kernel.get(), 1, nullptr, &range, &group, 0, nullptr, nullptr));
  lu::throw_if_late(cl::queue(), mail);
  return "no message was late";
}

}  // namespace

// The rungs of this program call these.

extern "C" cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t bytes, void* host,
                                 cl_int* code) {
  static const auto create = reinterpret_cast<decltype(&clCreateBuffer)>(dlsym(RTLD_NEXT, "clCreateBuffer"));
  const cl_mem buffer = create(context, flags, bytes, host, code);
  if (buffer) buffers()[buffer] = bytes;
  return buffer;
}

extern "C" cl_int clReleaseMemObject(cl_mem buffer) {
  static const auto release =
      reinterpret_cast<decltype(&clReleaseMemObject)>(dlsym(RTLD_NEXT, "clReleaseMemObject"));
  buffers().erase(buffer);
  return release(buffer);
}

TEST_CASE("lesson 01: rungs that can have smaller work-groups have them where the device allows no others") {
  if (!has_device()) LADDER_SKIP("lessons: no OpenCL device");
  for (const Rung& rung : rungs) {
    CAPTURE(rung.name);
    CHECK(on_small_device(256, rung.function, rung.resident, 150) == "right");
  }
  for (const int items : {128, 64}) CHECK(on_small_device(items, lu::local_panel, false, 150) == "right");
}

TEST_CASE("lesson 01: a device whose work-groups are too small gets one clear error") {
  if (!has_device()) LADDER_SKIP("lessons: no OpenCL device");
  const int items = 128;
  for (const Rung& rung : rungs) {
    const std::string said = on_small_device(items, rung.function, rung.resident, 70);
    CAPTURE(rung.name, said);
    if (said == "right") continue;
    CHECK(contains(said, "pp:"));  // where
    CHECK((contains(said, "allows 128") || contains(said, "at most 128 work-items")));
  }
}

TEST_CASE("lesson 01: a message of t6's panel that does not come in time is an error") {
  if (!has_device()) LADDER_SKIP("lessons: no OpenCL device");
  const std::string said = in_a_process(panel_of_late_groups);
  CAPTURE(said);
  CHECK(contains(said, "did not come"));
}

TEST_CASE("lesson 01: workspaces do not add up when sizes follow each other") {
  if (!has_device()) LADDER_SKIP("lessons: no OpenCL device");
  for (const Rung& rung : {rungs[7], rungs[8]}) {
    CAPTURE(rung.name);
    const auto kept_after = [&](int first, int end) {
      return std::stod(in_a_process([&] {
        for (int n = first; n < end; ++n) factorised(rung.function, rung.resident, n, false);
        return std::to_string(bytes_of_buffers());
      }));
    };
    CHECK(kept_after(299, 300) > 0);
    CHECK(kept_after(290, 300) == kept_after(299, 300));
  }
}
