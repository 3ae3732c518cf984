/// @file
/// cuDSS, NVIDIA's library of sparse factorisation, where CMake found it
/// (lessons/04-cholesky/given/libraries.cmake).

#include "common/lesson/lesson.hpp"
#include "libraries.hpp"

#ifdef LADDER_CUDSS

#include <cuda_runtime.h>
#include <cudss.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>

namespace cholesky::test {
namespace {

void check(cudssStatus_t status, const char* call) {
  if (status != CUDSS_STATUS_SUCCESS) throw ladder::Error(fmt::format("{}: status {}", call, int(status)));
}

void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess) throw ladder::Error(fmt::format("{}: {}", call, cudaGetErrorString(status)));
}

/// An array in device memory.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
    check(cudaMalloc(&data_, count_ * sizeof(T)), "cudaMalloc");
    // Where the copy fails the destructor is not called.
    const cudaError_t copied = cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
    if (copied != cudaSuccess) cudaFree(data_);
    check(copied, "cudaMemcpy");
  }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  void* data() const { return data_; }
  std::vector<T> copy() const {
    std::vector<T> values(count_);
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  std::size_t count_;
  void* data_ = nullptr;
};

/// The library and its settings: the defaults.
struct Library {
  Library() {
    check(cudssCreate(&handle), "cudssCreate");
    const cudssStatus_t made = cudssConfigCreate(&config);
    if (made != CUDSS_STATUS_SUCCESS) cudssDestroy(handle);
    check(made, "cudssConfigCreate");
  }
  ~Library() {
    cudssConfigDestroy(config);
    cudssDestroy(handle);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  cudssHandle_t handle = nullptr;
  cudssConfig_t config = nullptr;
};

/// What the phases leave for each other: the order, the structure of L, L.
class Data {
 public:
  explicit Data(const Library& library) : library_(library) {}
  ~Data() { reset(); }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  void reset() {
    if (data_) cudssDataDestroy(library_.handle, data_);
    data_ = nullptr;
  }
  void renew() {
    reset();
    check(cudssDataCreate(library_.handle, &data_), "cudssDataCreate");
  }
  operator cudssData_t() const { return data_; }

 private:
  const Library& library_;
  cudssData_t data_ = nullptr;
};

// Since 0.8 a matrix has a type of its offsets next to that of its indices, and the types have names of their
// own.
#if CUDSS_VERSION >= 800
constexpr auto real = CUDSS_R_64F;
#else
constexpr auto real = CUDA_R_64F;
#endif

/// What tells cuDSS of arrays in device memory.
class Matrix {
 public:
  /// The upper triangle, row by row: what Symmetric has as the lower one, column by column.
  Matrix(int n, const OnDevice<int>& start, const OnDevice<int>& column, const OnDevice<double>& value,
         std::int64_t entries) {
    check(cudssMatrixCreateCsr(&matrix_, n, n, entries, start.data(), nullptr, column.data(), value.data(),
#if CUDSS_VERSION >= 800
                               CUDSS_R_32I, CUDSS_R_32I,
#else
                               CUDA_R_32I,
#endif
                               real, CUDSS_MTYPE_SPD, CUDSS_MVIEW_UPPER, CUDSS_BASE_ZERO),
          "cudssMatrixCreateCsr");
  }
  Matrix(int n, const OnDevice<double>& vector) {
    check(cudssMatrixCreateDn(&matrix_, n, 1, n, vector.data(), real, CUDSS_LAYOUT_COL_MAJOR),
          "cudssMatrixCreateDn");
  }
  ~Matrix() {
    cudssMatrixDestroy(matrix_);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  operator cudssMatrix_t() const {
    return matrix_;
  }

 private:
  cudssMatrix_t matrix_ = nullptr;
};

/// The operations of L by the order that cuDSS chose, as they are counted for the other libraries; 0: not
/// known.
double flops_of(const Symmetric& A, const Library& library, const Data& data, std::int64_t nnz) {
#if CUDSS_VERSION >= 300
  std::vector<int> order(A.n);
  std::size_t written = 0;
  const cudssStatus_t status = cudssDataGet(library.handle, data, CUDSS_DATA_PERM_REORDER_ROW, order.data(),
                                            order.size() * sizeof(int), &written);
  if (status != CUDSS_STATUS_SUCCESS || written != order.size() * sizeof(int)) return 0;
  std::vector<int> sorted = order, rows(A.n);
  std::sort(sorted.begin(), sorted.end());
  std::iota(rows.begin(), rows.end(), 0);
  if (sorted != rows) return 0;
  const Fill fill = fill_of(A, order);
  return fill.nnz <= nnz + A.n ? fill.flops : 0;  // more than there is: it is not the order of this L
#else
  return (void)A, (void)library, (void)data, (void)nnz, 0;  // the order had another name
#endif
}

void measure(const Symmetric& A, double most_seconds, LibraryRun& result) {
  if (A.start.back() > std::int64_t{0x7fffffff}) throw ladder::Error("more entries than an int counts");
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) throw ladder::Error("there is no GPU");
  const std::vector<double> b = right_hand_side(A.n);
  const OnDevice<int> start(std::vector<int>(A.start.begin(), A.start.end())), column(A.row);
  const OnDevice<double> value(A.value), on_device_b(b), on_device_x(std::vector<double>(A.n, 0.0));
  const Library library;
  const Matrix matrix(A.n, start, column, value, A.start.back()), rhs(A.n, on_device_b),
      solution(A.n, on_device_x);
  Data data(library);
  const auto execute = [&](cudssPhase_t phase, const char* name) {
    check(cudssExecute(library.handle, phase, library.config, data, matrix, solution, rhs), name);
    check(cudaDeviceSynchronize(), name);
  };
  const auto get = [&](cudssDataParam_t what, auto& into, const char* name) {
    std::size_t written = 0;
    check(cudssDataGet(library.handle, data, what, &into, sizeof into, &written), name);
  };
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // the copies above
  result.analysis = seconds_of([&] {
    data.renew();
    execute(CUDSS_PHASE_ANALYSIS, "cudssExecute, analysis");
  });
  get(CUDSS_DATA_LU_NNZ, result.nnz, "cudssDataGet of nnz");
  result.flops = flops_of(A, library, data, result.nnz);
  if (result.flops / 1e11 > most_seconds)
    throw ladder::Error(fmt::format("expected to take over {:.0f} s", most_seconds));
  result.factorisation =
      seconds_of([&] { execute(CUDSS_PHASE_FACTORIZATION, "cudssExecute, factorisation"); });
  int info = 0;  // the library goes on where a pivot is not positive
  get(CUDSS_DATA_INFO, info, "cudssDataGet of the state");
  if (info != 0) throw ladder::Error(fmt::format("cudssExecute, factorisation: state {}", info));
  result.solve = seconds_of([&] { execute(CUDSS_PHASE_SOLVE, "cudssExecute, solve"); });
  result.error = error_of(A, on_device_x.copy().data(), b);
}

}  // namespace

LibraryRun run_cudss(const Symmetric& A, double most_seconds) {
  LibraryRun result{.name = "cuDSS, its own"};
  try {
    measure(A, most_seconds, result);
  } catch (const std::exception& error) {
    result.reason = error.what();
  }
  return result;
}

}  // namespace cholesky::test

#else

namespace cholesky::test {

LibraryRun run_cudss(const Symmetric&, double) {
  return {.name = "cuDSS, its own", .reason = LADDER_CUDSS_REASON};
}

}  // namespace cholesky::test

#endif
