#pragma once
/// @file
/// Given: the reader of Matrix Market files, the format of the SuiteSparse collection.

#include <cstddef>
#include <string>

#include "symmetric.hpp"

namespace cholesky {

/// @return the bytes that this machine can still give to programs (MemAvailable of /proc/meminfo).
std::size_t available_memory();

/// Reads a symmetric matrix: "%%MatrixMarket matrix coordinate real|integer|pattern symmetric|general",
/// comments, one line of sizes, one line an entry. Plain, or packed by gzip. A symmetric file has each entry
/// once, below or above the diagonal; a general one has both, with equal values. A diagonal entry that is not
/// in the file is 0. A pattern gets the values of from_edges with seed 0.
/// @param memory  bytes that the matrix may take while it is read
/// @throws ladder::Error that names file, line and reason when the file is anything else, or too large
Symmetric read_matrix_market(const std::string& path, std::size_t memory = available_memory());

}  // namespace cholesky
