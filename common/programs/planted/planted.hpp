#pragma once
/// @file
/// Frame of the planted mistakes: `program <case> wrong` has the mistake, `program <case> right` is the same
/// code without it.
///
/// The sources compile unchanged with nvcc too, so that compute-sanitizer can be run over them on a GPU. A
/// line that a finding must name ends in "// here: <mark>". planted.json lists the expected findings.

#include <cstdio>
#include <cstring>

namespace planted {

struct Case {
  const char* name;
  void (*run)(bool right);
};

/// Runs the case that the arguments name. @return the exit status of main
template <int count>
int run(const Case (&cases)[count], int argc, char** argv) {
  if (argc == 3) {
    for (const Case& c : cases) {
      if (std::strcmp(c.name, argv[1]) != 0) continue;
      c.run(std::strcmp(argv[2], "right") == 0);
      return 0;
    }
  }
  std::fprintf(stderr, "usage: %s <case> right|wrong, with one of\n", argv[0]);
  for (const Case& c : cases) std::fprintf(stderr, "  %s\n", c.name);
  return 2;
}

/// Device memory with the values 1, 2, 3, …
template <class T>
class Array {
 public:
  explicit Array(int n, T first = T(1)) : n_(n) {
    T* host = new T[n];
    for (int i = 0; i < n; ++i) host[i] = first + T(i);
    cudaMalloc(&data_, n * sizeof(T));  // here: array
    cudaMemcpy(data_, host, n * sizeof(T), cudaMemcpyHostToDevice);
    delete[] host;
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* get() const { return data_; }
  /// Copies the elements to the host. @return one of them
  T at(int index) const {
    T value;
    cudaMemcpy(&value, data_ + index, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }

 private:
  T* data_;
  int n_;
};

}  // namespace planted
