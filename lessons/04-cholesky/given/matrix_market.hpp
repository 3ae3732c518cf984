#pragma once
/// @file
/// Given: the reader of Matrix Market files, the format of the SuiteSparse collection.

#include <cstddef>
#include <optional>
#include <string>

#include "common/base/process/available_memory.hpp"
#include "symmetric.hpp"

namespace cholesky {

/// Reads a symmetric matrix: "%%MatrixMarket matrix coordinate real|integer|pattern symmetric|general",
/// comments, one line of sizes, one line an entry. Plain, or packed by gzip. A symmetric file has each entry
/// once, below or above the diagonal; a general one has both, with equal values. A diagonal entry that is not
/// in the file is 0. A pattern gets the values of from_edges with seed 0.
/// @param memory  bytes that the matrix may take while it is read; nothing: not limited
/// @throws ladder::Error that names file, line and reason when the file is anything else, or too large
Symmetric read_matrix_market(const std::string& path,
                             std::optional<std::size_t> memory = ladder::available_memory());

/// @param row  from 0 on @return the line of such a file that has the diagonal entry of a row; 0: none has it
long line_of_diagonal(const std::string& path, int row);

}  // namespace cholesky
