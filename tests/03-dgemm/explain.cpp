#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "common/base/text/numbers.hpp"

namespace dgemm::test {
namespace {

constexpr int tile = 32;

int passes(const Case& c, int depth) {
  return (c.k + depth - 1) / depth;
}
bool padded(const Case& c) {
  return c.pad_a || c.pad_b || c.pad_c;
}
bool whole_tiles(const Case& c) {
  return c.m % tile == 0 && c.n % tile == 0 && c.k % tile == 0;
}

template <class Property>
bool all(const std::vector<Case>& cases, Property property) {
  return !cases.empty() && std::all_of(cases.begin(), cases.end(), property);
}

/// The rank that has row i when rows are divided evenly and the first ranks take the remainder.
int owner(int i, int m, int ranks) {
  const int rows = m / ranks, more = m % ranks;
  return i < more * (rows + 1) ? i / (rows + 1) : more + (i - more * (rows + 1)) / std::max(rows, 1);
}

/// Where the first wrong element is in the grid of ranks.
void explain_block(std::vector<Detail>& out, int ranks, const Case& wrong, const Comparison& result) {
  for (int rank = 0; rank < ranks; ++rank) {
    const Grid grid = grid_of(rank, ranks);
    const Range rows = share(wrong.m, grid.rows, grid.row),
                columns = share(wrong.n, grid.columns, grid.column);
    if (result.i >= rows.first && result.i < rows.end() && result.j >= columns.first &&
        result.j < columns.end())
      out.emplace_back("Where",
                       fmt::format("C[{}][{}] is in the block of rank {}: row {}, column {} of a grid of "
                                   "{} x {}.",
                                   result.i, result.j, rank, grid.row, grid.column, grid.rows, grid.columns));
  }
}

/// One pass over k was right, several are not: what one pass leaves behind meets the next.
void explain_passes(std::vector<Detail>& out, const std::vector<Case>& right, const Case& wrong, int depth) {
  if (!all(right, [depth](const Case& c) { return passes(c, depth) <= 1; }) || passes(wrong, depth) <= 1)
    return;
  out.emplace_back(
      "Why " + name(right.back()) + " works",
      "One tile, no next pass. k = " + std::to_string(wrong.k) + " takes " +
          std::to_string(passes(wrong, depth)) +
          " passes over the same As and Bs. On a GPU larger sizes may often pass too; it is still wrong.");
  out.emplace_back("Think",
                   "What must be finished in one pass before the next may begin, and what must be kept?");
}

/// g7 cuts matrices larger than one tile of its kernel into parts: what one part leaves behind meets the
/// next.
void explain_parts(std::vector<Detail>& out, const std::vector<Case>& right, const Case& wrong) {
  const auto one_part = [](const Case& c) { return std::max({c.m, c.n, c.k}) <= 128; };
  if (one_part(wrong) || !all(right, one_part)) return;
  out.emplace_back("What happened",
                   "All problems whose A, B and C are one part each were right. Here there are "
                   "several: buffers are used again, and sums over k go over several products.");
  out.emplace_back("Think",
                   "Who may still read a buffer when its next part comes, and what is in C by then?");
}

void explain_tails(std::vector<Detail>& out, const std::vector<Case>& right, const Case& wrong,
                   const Comparison& result) {
  if (std::string_view(wrong.group) != "tails" || !std::any_of(right.begin(), right.end(), whole_tiles))
    return;
  const std::string where = "C[" + std::to_string(result.i) + "][" + std::to_string(result.j) + "]";
  out.emplace_back("What happened", "Sizes that are multiples of 32 were right; " + name(wrong) +
                                        " has a last block that is only partly inside the matrices, and " +
                                        where + " is wrong.");
  out.emplace_back("Think", "What do the threads of that block do whose row, column or p lies outside?");
}

/// What the wrong values themselves say.
void explain_values(std::vector<Detail>& out, bool tiles, const Case& wrong, const Comparison& result) {
  if (std::isnan(result.got) && !std::isnan(result.expected) && !padded(wrong) &&
      wrong.entries != Entries::not_finite)
    out.emplace_back(
        "Where NaN is from",
        std::string("C is full of NaN before the call. An element stays NaN when nothing is stored there, "
                    "or when the sum begins with what was there.") +
            (tiles ? " On the executor shared memory is full of NaN too, until it is written." : ""));
  // Single precision rounds 2^29 = 5e8 times more coarsely than double.
  if (result.error > 1e5 && result.error < 1e10 && wrong.entries == Entries::uniform)
    out.emplace_back("What happened",
                     "About 8 digits are right: what single precision keeps. Double keeps 16.");
}

void explain_padding(std::vector<Detail>& out, const std::vector<Case>& right, const Case& wrong,
                     const Comparison& result) {
  if (result.padding_written > 0)
    out.emplace_back("What happened",
                     std::to_string(result.padding_written) +
                         " elements between column n and ldc were overwritten: they belong to the caller.");
  if (!padded(wrong) || !all(right, [](const Case& c) { return !padded(c); })) return;
  out.emplace_back("What happened",
                   "Matrices without padding were right. Here rows are further apart than they are "
                   "long, and what lies between them is NaN.");
  out.emplace_back("Think", "How many elements further does the next row of A, of B, of C begin?");
}

void explain_rank(std::vector<Detail>& out, Ranks all, const Case& wrong, const Comparison& result) {
  const int ranks = all.count;
  if (ranks < 2 || result.wrong == 0) return;
  if (all.grid) return explain_block(out, ranks, wrong, result);
  const int rank = owner(result.i, wrong.m, ranks);
  const bool first = result.i == 0 || owner(result.i - 1, wrong.m, ranks) != rank;
  out.emplace_back("Where", "Row " + std::to_string(result.i) + " is " + (first ? "the first" : "a") +
                                " row of rank " + std::to_string(rank) + ", when the " +
                                std::to_string(wrong.m) + " rows are divided evenly among " +
                                std::to_string(ranks) + " ranks.");
}

}  // namespace

std::string describe(const Comparison& result) {
  if (result.wrong == 0 && result.padding_written == 0) return "";
  if (result.wrong == 0)
    return std::to_string(result.padding_written) + " elements of C's padding overwritten";
  return std::to_string(result.wrong) + " of " + std::to_string(result.of) + " wrong, first C[" +
         std::to_string(result.i) + "][" + std::to_string(result.j) +
         "]: " + ladder::difference(result.expected, result.got);
}

std::vector<Detail> explain(const Asks& asks, Ranks ranks, const std::vector<Case>& right, const Case& wrong,
                            const Comparison& result) {
  std::vector<Detail> out;
  const int depth = asks.depth;
  if (result.transposed) {  // the judge says so
  } else if (wrong.k == 0) {
    out.emplace_back("What happened",
                     "With k = 0 the sum is empty and C = 0; C was full of NaN before the call.");
  } else {
    explain_values(out, depth > 0, wrong, result);
    if (depth > 0) explain_passes(out, right, wrong, depth);
    if (asks.in_parts) explain_parts(out, right, wrong);
    if (ranks.count == 1) explain_tails(out, right, wrong, result);
  }
  explain_padding(out, right, wrong, result);
  explain_rank(out, ranks, wrong, result);
  return out;
}

}  // namespace dgemm::test
