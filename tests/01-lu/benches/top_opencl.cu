/// @file
/// The OpenCL rungs t1 and t6 next to cuSOLVER on the same GPU: time and error at many sizes, in one run.
/// Measurements on a GPU; no test.
///
///     ninja -C build benches/01-lu/top_opencl && build/benches/01-lu/top_opencl top.json
///     build/benches/01-lu/top_opencl --quick [size ...]
///
/// All factorise the same matrix in 15 rounds, by turns, data on the device. --quick: 3 rounds, and nothing
/// is written. A measurement is one call, from the first command to the end of the last by the host's clock;
/// the matrix is copied again before each. cuSOLVER gets the matrix as it is: it reads the transposed one,
/// and its time has no transposition. A ratio is cuSOLVER's time over the rung's of the same round: the
/// median of 15, and its interval of 96 %, the 4th and the 12th. Errors are |P A x - L U x| of every row, x
/// of random signs, in units of 2^-53 n |L| |U| |x|. The rungs' rows are added to top.json, if it is there:
/// `top` writes one with the CUDA rungs.

#include <cusolverDn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "common/device/cuda.hpp"
// Its workers are built by the host's compiler; benches have CUDA's solutions only.
#include "common/device/opencl.cpp"
#include "solutions/01-lu/t1_tagged_messages.cpp"
#include "solutions/01-lu/t6_two_queues.cpp"

namespace {

using lu::Problem;
using nlohmann::json;
namespace cl = ladder::cl;

constexpr int all_rounds = 15, low = 3, high = 11;  // of 15 sorted values: the median's interval of 96 %

struct Solution {
  const char* name;
  lu::Function* factorise;
};
constexpr Solution solutions[] = {{"t1", lu::tagged_messages}, {"t6", lu::two_queues}};

void check_solver(cusolverStatus_t status) {
  if (status != CUSOLVER_STATUS_SUCCESS) throw ladder::Error("cuSOLVER status " + std::to_string(status));
}

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// cuSOLVER, with memory for one size.
class Library {
 public:
  Library(int n, const std::vector<double>& given)
      : n_(n), given_(given.size()), A_(given.size()), pivot_(n) {
    check_solver(cusolverDnCreate(&handle_));
    int elements = 0;
    check_solver(cusolverDnDgetrf_bufferSize(handle_, n, n, A_.get(), n, &elements));
    work_ = ladder::DeviceBuffer<double>(std::max(elements, 1));
    ladder::check(cudaMemcpy(given_.get(), given.data(), given_.bytes(), cudaMemcpyHostToDevice));
  }
  ~Library() { cusolverDnDestroy(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  double seconds() {
    ladder::check(cudaMemcpy(A_.get(), given_.get(), A_.bytes(), cudaMemcpyDeviceToDevice));
    ladder::check(cudaDeviceSynchronize());
    return seconds_of([&] {
      check_solver(cusolverDnDgetrf(handle_, n_, n_, A_.get(), n_, work_.get(), pivot_.get(), info_.get()));
      ladder::check(cudaDeviceSynchronize());
    });
  }

 private:
  int n_;
  cusolverDnHandle_t handle_ = nullptr;
  ladder::DeviceBuffer<double> given_, A_, work_{1};
  ladder::DeviceBuffer<int> pivot_, info_{1};
};

/// A rung, with memory for one size.
class Rung {
 public:
  Rung(const Solution& solution, int n, const std::vector<double>& given)
      : solution_(solution),
        bytes_(given.size() * sizeof(double)),
        given_(CL_MEM_READ_WRITE, bytes_),
        A_(CL_MEM_READ_WRITE, bytes_),
        pivot_(CL_MEM_READ_WRITE, n * sizeof(int)),
        info_(CL_MEM_READ_WRITE, sizeof(int)),
        problem_{n, reinterpret_cast<double*>(A_.get()), reinterpret_cast<int*>(pivot_.get()),
                 reinterpret_cast<int*>(info_.get())} {
    cl::check(clEnqueueWriteBuffer(cl::queue(), given_.get(), CL_TRUE, 0, bytes_, given.data(), 0, nullptr,
                                   nullptr));
  }

  double seconds() {
    cl::check(clEnqueueCopyBuffer(cl::queue(), given_.get(), A_.get(), 0, 0, bytes_, 0, nullptr, nullptr));
    cl::check(clFinish(cl::queue()));
    return seconds_of([&] {
      solution_.factorise(problem_);
      cl::check(clFinish(cl::queue()));
    });
  }

  json errors(const std::vector<double>& given) const {
    const std::size_t n = problem_.n;
    std::vector<double> A(n * n), x(n), expected(n), Ux(n), size(n), errors(n);
    std::vector<int> pivot(n);
    cl::check(clEnqueueReadBuffer(cl::queue(), A_.get(), CL_TRUE, 0, bytes_, A.data(), 0, nullptr, nullptr));
    cl::check(clEnqueueReadBuffer(cl::queue(), pivot_.get(), CL_TRUE, 0, n * sizeof(int), pivot.data(), 0,
                                  nullptr, nullptr));
    std::mt19937 random(7);
    for (double& sign : x) sign = random() & 1 ? 1 : -1;
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c) expected[r] += given[r * n + c] * x[c];
    for (std::size_t i = 0; i < n; ++i) std::swap(expected[i], expected[pivot[i]]);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = r; c < n; ++c) {
        Ux[r] += A[r * n + c] * x[c];
        size[r] += std::abs(A[r * n + c]);
      }
    for (std::size_t r = 0; r < n; ++r) {
      double got = Ux[r], magnitude = size[r];
      for (std::size_t k = 0; k < r; ++k) {
        got += A[r * n + k] * Ux[k];
        magnitude += std::abs(A[r * n + k]) * size[k];
      }
      const double error = std::abs(expected[r] - got) / (0x1p-53 * double(n) * magnitude);
      errors[r] = error < 1e300 ? error : 1e300;  // NaN, too
    }
    std::sort(errors.begin(), errors.end());
    return {{"median", errors[n / 2]}, {"worst", errors.back()}};
  }

 private:
  Solution solution_;
  std::size_t bytes_;
  cl::Buffer given_, A_, pivot_, info_;
  Problem problem_;
};

json summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() < all_rounds)
    return {{"median", values[middle]}, {"low", values.front()}, {"high", values.back()}};
  return {{"median", values[middle]}, {"low", values[low]}, {"high", values[high]}};
}

/// Appends a row for each rung to `rows`.
void measure(int n, int rounds, json& rows) {
  std::vector<double> given(std::size_t(n) * n);
  std::mt19937_64 random(20260001);
  for (double& x : given) x = double(random() >> 11) * 0x1p-52 - 1;
  Library library(n, given);
  std::deque<Rung> rungs;
  for (const Solution& solution : solutions) rungs.emplace_back(solution, n, given);
  library.seconds();  // loads its kernels, as the next line builds ours
  for (Rung& rung : rungs) rung.seconds();
  std::vector<double> theirs;
  std::vector<std::vector<double>> ours(rungs.size()), ratios(rungs.size());
  for (int round = 0; round < rounds; ++round) {
    theirs.push_back(library.seconds());
    for (std::size_t k = 0; k < rungs.size(); ++k) {
      ours[k].push_back(rungs[k].seconds());
      ratios[k].push_back(theirs.back() / ours[k].back());
    }
  }
  for (std::size_t k = 0; k < rungs.size(); ++k) {
    const char* const name = solutions[k].name;
    const json row = {{"shape", std::to_string(n)},
                      {"data", "uniform"},
                      {"rung", name},
                      {"operations", 2.0 / 3 * n * n * double(n)},
                      {"error", rungs[k].errors(given)},
                      {"seconds", summary(ours[k])},
                      {"ratio", summary(ratios[k])}};
    std::printf("%5d %s %9.3f ms, cuSOLVER %9.3f ms, of cuSOLVER %.3f (%.3f to %.3f), error %.2g %.2g\n", n,
                name, 1e3 * row["seconds"]["median"].get<double>(),
                1e3 * summary(theirs)["median"].get<double>(), row["ratio"]["median"].get<double>(),
                row["ratio"]["low"].get<double>(), row["ratio"]["high"].get<double>(),
                row["error"]["median"].get<double>(), row["error"]["worst"].get<double>());
    std::fflush(stdout);
    rows.push_back(row);
  }
}

/// What `top` has written, or the beginning of a new file.
json document(const char* file) {
  if (std::ifstream in{file}; in) return json::parse(in);
  const char* const commit = std::getenv("LADDER_COMMIT");
  char date[] = "2000-01-01";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%F", std::localtime(&now));
  return {{"schema", "gpu-ladder-top/1"},
          {"lesson", "01-lu"},
          {"device", cl::name(cl::device())},
          {"date", date},
          {"commit", commit ? commit : ""},
          {"library", "cuSOLVER"},
          {"rounds", all_rounds},
          {"error_unit", "2^-53 n |L| |U|"},
          {"rows", json::array()}};
}

}  // namespace

int main(int count, char** words) try {
  const bool quick = count > 1 && std::string(words[1]) == "--quick";
  std::vector<int> sizes;
  for (int k = 2; quick && k < count; ++k) sizes.push_back(std::stoi(words[k]));
  if (sizes.empty()) sizes = {1024, 2048, 4096, 8192};
  json rows = json::array();
  for (const int n : sizes) measure(n, quick ? 3 : all_rounds, rows);
  if (quick || count < 2) return 0;
  json result = document(words[1]);
  for (const json& row : rows) result["rows"].push_back(row);
  std::ofstream(words[1]) << result.dump(1) << "\n";
  return 0;
} catch (const std::exception& failure) {
  std::fprintf(stderr, "top_opencl: %s\n", failure.what());
  return 1;
}
