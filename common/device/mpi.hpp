#pragma once
/// @file
/// What an MPI step may use: checked calls, and an owner for datatypes.
/// The worker has called MPI_Init and lets MPI_COMM_WORLD return errors (MPI_ERRORS_RETURN).

#define OMPI_SKIP_MPICXX 1  // the C interface only: Open MPI's old C++ one does not compile cleanly as C++20
#include <mpi.h>

#include <source_location>
#include <string>
#include <utility>

#include "common/base/error.hpp"

namespace ladder {

/// Throws when an MPI call failed. The error names the caller's file and line, and MPI's text.
/// @throws ladder::Error
inline void check(int code, std::source_location where = std::source_location::current()) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + text);
}

/// Owns a datatype, made by MPI's own calls: `Datatype row; check(MPI_Type_contiguous(n, MPI_DOUBLE,
/// row.put()));`
class Datatype {
 public:
  Datatype() = default;
  ~Datatype() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  Datatype(Datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  Datatype& operator=(Datatype&& other) noexcept {
    std::swap(type_, other.type_);
    return *this;
  }

  MPI_Datatype get() const { return type_; }  ///< the handle
  MPI_Datatype* put() { return &type_; }      ///< where MPI_Type_… writes the handle

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace ladder
