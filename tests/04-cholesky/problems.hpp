#pragma once
/// @file
/// The matrices that steps of lesson 04 are tested with.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/process/available_memory.hpp"
#include "common/base/random.hpp"
#include "given/structure.hpp"
#include "problem.hpp"

namespace cholesky::test {

/// What the pattern of A is.
enum class Pattern { dense, arrow, grid, solid, shell, circuit };

/// What makes A no ordinary matrix.
enum class Special {
  none,
  ill_scaled,    ///< rows and columns times powers of ten from 10^-6 to 10^6
  bad_in_block,  ///< a diagonal entry in the first part is 0: not positive definite
  bad_in_border,
  bad_last,  ///< that of the last row
};

/// One problem to be tested.
struct Case {
  const char* group;  ///< class of cases: partial credit goes by it
  Pattern pattern;
  int size;  ///< dense, arrow: rows; else points along a side
  int s;     ///< order of a tile
  int blocks = 1;
  Special special = Special::none;
  bool sections = false;       ///< ordered by parallel sections; else by nested dissection
  double share_of_memory = 0;  ///< device_bytes as a multiple of the tiles' bytes; 0: not stated
  bool L_stays = false;        ///< see Problem
  std::string file{};  ///< A is read from it, with its values; `size` is its order, `pattern` not used
};

/// A pattern with its order and its tiles; values are filled in again for each call.
struct Prepared {
  Symmetric A;
  Structure structure;
};

/// @return the same for the same case: ordering takes time.
std::shared_ptr<const Prepared> prepare(const Case& c);

/// @return the cases of a step in the order in which they run: small and regular first.
/// @param on_gpu  with cases that limit the device's memory
std::vector<Case> cases(bool on_gpu);

/// The problem for targets and times: of about n rows, like a circuit. A call of a GPU costs more: larger
/// tiles.
Case sized(int n, bool on_gpu);

/// The problem of a user's Matrix Market file. @throws ladder::Error when it is none, is not positive
/// definite, or needs more memory in tiles than there is
/// @param memory  bytes that are free; nothing: not limited
Case of_file(const std::string& path, bool on_gpu,
             std::optional<std::size_t> memory = ladder::available_memory());

/// The scalars of a case.
Problem shape(const Case& c);

/// Fills everything. @param bad_row row of A that gets no positive pivot; -1: none. @param keep_values
/// those of the pattern; else random ones @return A with the values that it got
Symmetric fill(const Prepared& prepared, bool ill_scaled, int bad_row, ladder::Random& random,
               const Problem& p, bool keep_values = false);
Symmetric fill(const Case& c, ladder::Random& random, const Problem& p);

/// The original row whose pivot is not positive; -1: A is positive definite.
int bad_row(const Case& c);

/// @return "grid 9 x 9, tiles of 4, 2 blocks" and what else is special about the case.
std::string name(const Case& c);

}  // namespace cholesky::test
