#pragma once
/// @file
/// Given: the reader of Matrix Market files, the format of the SuiteSparse collection.

#include <string>

#include "symmetric.hpp"

namespace cholesky {

/// Reads a symmetric matrix: "%%MatrixMarket matrix coordinate real|integer|pattern symmetric", comments, one
/// line of sizes, one line an entry of the lower triangle. Plain, or packed by gzip. A diagonal entry that is
/// not in the file is 0. A pattern gets the values of from_edges with seed 0.
/// @throws ladder::Error that names file, line and reason when the file is anything else
Symmetric read_matrix_market(const std::string& path);

}  // namespace cholesky
