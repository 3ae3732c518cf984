#pragma once
/// @file
/// The one way in which things of CUDA and OpenCL are owned here.

#include <memory>
#include <type_traits>

namespace ladder {

/// Owns an object of a C interface: movable, not copyable, released once.
/// @tparam T        a pointer: cudaStream_t, cl_mem, double*, …
/// @tparam release  the function that gives it back
template <class T, auto release>
class Handle {
 public:
  /// @return the object itself, for the functions of its interface.
  T get() const { return handle_.get(); }

 protected:
  explicit Handle(T handle) : handle_(handle) {}

 private:
  struct Release {
    void operator()(T handle) const { release(handle); }
  };
  std::unique_ptr<std::remove_pointer_t<T>, Release> handle_;
};

}  // namespace ladder
