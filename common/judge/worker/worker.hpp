#pragma once
/// @file
/// The worker: the process that runs a step. A generated main binds a step to worker_main().

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "common/judge/worker/protocol.hpp"
#include "common/lesson/lesson.hpp"

/// SHA-256 of the source that the worker was built from, hexadecimal; a generated file defines it.
extern const char ladder_source_hash[];

namespace ladder {

/// What the worker needs from a device: memory for resident problems, and synchronisation.
/// Each backend_*.cpp defines backend(); a worker links one of them.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  virtual std::string device() const = 0;
  virtual int rank() const { return 0; }
  /// Waits for all work on the device. @throws ladder::Error for an error that only shows now.
  virtual void synchronize() {}
  /// When the step has returned: until no rank waits for a message any more.
  virtual void settle() {}
  /// Before a call: waits until all ranks are there.
  virtual void together() {}
  /// Before a timed call: keeps the device busy, so that its clocks are as high as during long work.
  virtual void warm() {}
  /// The first thing of a call: the thread gets back the cores that the judge took from it
  /// (cpu_affinity.hpp).
  virtual void go() {}
  /// @param name  of the memory in messages, "A (16 doubles)", where a back end supports it; must stay valid
  virtual void* allocate(std::size_t bytes, const char* name);
  virtual void release(void*) {}
  /// @return whether allocate() gives addresses, in which steps may begin later; else they are handles
  virtual bool gives_addresses() const { return false; }
  virtual void upload(void* to, const void* from, std::size_t bytes);
  virtual void download(void* to, const void* from, std::size_t bytes);
  virtual void copy(void* to, const void* from, std::size_t bytes);  ///< on the device
  virtual void fill(void* to, std::byte value, std::size_t bytes);   ///< on the device
};

/// The one backend of this program.
Backend& backend(int* argc, char*** argv);
using BackendOf = Backend& (*)(int* argc, char*** argv);

/// An array of a problem, as the contract calls it.
struct ArrayName {
  const char* name;
  std::size_t element_bytes;
  const char* element = "element";  ///< its type's name, where the type has one: "double"
};

template <class T>
constexpr const char* name_of_type() {
  using Element = std::remove_cv_t<T>;
  if (std::is_same_v<Element, double>) return "double";
  if (std::is_same_v<Element, float>) return "float";
  if (std::is_same_v<Element, int>) return "int";
  if (std::is_same_v<Element, unsigned>) return "unsigned";
  return "element";
}

/// A step, with its problem's type erased.
struct Bound {
  std::size_t problem_bytes;
  /// Sets the pointers of the problem from @p arrays, in the order of Problem::arrays(), and calls the step.
  std::function<void(const std::byte* problem, void* const* arrays)> call;
  /// In the order of Problem::arrays().
  std::function<std::vector<ArrayName>(const std::byte* problem)> names;
};

/// @return the element of an array of the current problem at @p address, "C[128]"; "" when there is none.
std::string element_at(const void* address);

/// Serves the judge until it closes the connection. @return the exit code.
int serve(int argc, char** argv, BackendOf backend_of, const Bound& step);

/// The main program of a worker.
template <class Problem>
int worker_main(int argc, char** argv, void (*step)(const Problem&)) {
  static_assert(std::is_trivially_copyable_v<Problem>, "a problem travels between processes as bytes");
  static_assert(sizeof(Problem) <= protocol::max_problem, "a problem holds scalars and pointers, no data");
  const auto problem_of = [](const std::byte* bytes) {
    Problem problem;
    std::memcpy(&problem, bytes, sizeof problem);
    return problem;
  };
  const auto call = [=](const std::byte* bytes, void* const* arrays) {
    Problem problem = problem_of(bytes);
    std::size_t i = 0;
    problem.arrays([&](const char*, Role, auto& pointer, std::size_t) {
      using Pointer = std::remove_reference_t<decltype(pointer)>;
      pointer = static_cast<Pointer>(arrays[i++]);
    });
    step(problem);
  };
  const auto names = [=](const std::byte* bytes) {
    Problem problem = problem_of(bytes);
    std::vector<ArrayName> all;
    problem.arrays([&](const char* name, Role, auto& pointer, std::size_t) {
      all.push_back({name, sizeof *pointer, name_of_type<std::remove_reference_t<decltype(*pointer)>>()});
    });
    return all;
  };
  return serve(argc, argv, backend, {sizeof(Problem), call, names});
}

}  // namespace ladder
