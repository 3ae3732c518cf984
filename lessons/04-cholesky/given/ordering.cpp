#include "ordering.hpp"

#include <metis.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "common/lesson/lesson.hpp"

namespace cholesky {
namespace {

/// The neighbours of every row, both triangles, without the diagonal.
struct Graph {
  std::vector<idx_t> start, neighbour;
};

Graph graph_of(const Symmetric& A) {
  Graph graph;
  graph.start.assign(A.n + 1, 0);
  const auto each = [&](auto&& visit) {
    for (int j = 0; j < A.n; ++j)
      for (std::int64_t e = A.start[j] + 1; e < A.start[j + 1]; ++e) visit(A.row[e], j), visit(j, A.row[e]);
  };
  each([&](int i, int) { ++graph.start[i + 1]; });
  std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
  graph.neighbour.resize(graph.start.back());
  std::vector<idx_t> next(graph.start.begin(), graph.start.end() - 1);
  each([&](int i, int j) { graph.neighbour[next[i]++] = j; });
  return graph;
}

std::vector<int> natural(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

Ordering nested_dissection(const Symmetric& A, int blocks) {
  if (blocks < 1 || (blocks & (blocks - 1)))
    throw ladder::Error("nested dissection: blocks must be a power of two");
  Ordering result{natural(A.n), std::vector<int>(blocks + 1, 0)};
  if (A.n < 4 * blocks || A.nnz() == A.n) {  // nothing to cut
    result.rows[0] = A.n;
    return result;
  }
  Graph graph = graph_of(A);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  idx_t n = A.n;
  std::vector<idx_t> old_of(A.n), new_of(A.n), sizes(2 * blocks, 0);
  const auto check = [](int status) {
    if (status != METIS_OK)
      throw ladder::Error("nested dissection: METIS cannot order the matrix (status " +
                          std::to_string(status) + "): is there enough memory?");
  };
  if (blocks == 1) {
    check(METIS_NodeND(&n, graph.start.data(), graph.neighbour.data(), nullptr, options, old_of.data(),
                       new_of.data()));
    for (int i = 0; i < A.n; ++i) result.order[new_of[i]] = i;
    result.rows[0] = A.n;
    return result;
  }
  check(METIS_NodeNDP(n, graph.start.data(), graph.neighbour.data(), nullptr, blocks, options, old_of.data(),
                      new_of.data(), sizes.data()));
  for (int i = 0; i < A.n; ++i) old_of[new_of[i]] = i;
  // METIS numbers a half, the other half, their separator; the cuts form a tree with the first one at sizes'
  // end.
  std::vector<int> inner, border;
  int at = 0, block = 0;
  const std::function<void(int)> walk = [&](int cut) {
    const int size = sizes[2 * blocks - 2 - cut];
    const bool is_block = cut >= blocks - 1;
    if (!is_block) walk(2 * cut + 2), walk(2 * cut + 1);
    std::vector<int>& to = is_block ? inner : border;
    for (int i = 0; i < size; ++i) to.push_back(old_of[at++]);
    if (is_block) result.rows[block++] = size;
  };
  walk(0);
  if (at != A.n) throw ladder::Error("METIS has not numbered all rows");
  result.rows[blocks] = int(border.size());
  inner.insert(inner.end(), border.begin(), border.end());
  result.order = std::move(inner);
  return result;
}

Ordering parallel_sections(const Symmetric& A, int blocks) {
  const Graph graph = graph_of(A);
  std::vector<int> level(A.n, -1), rows;
  // Numbers what hangs together with `root`, level by level. @return its last level
  const auto number = [&](int root, int first) {
    rows.push_back(root);
    level[root] = first;
    for (std::size_t at = rows.size() - 1; at < rows.size(); ++at)
      for (idx_t e = graph.start[rows[at]]; e < graph.start[rows[at] + 1]; ++e)
        if (const int to = graph.neighbour[e]; level[to] < 0)
          level[to] = level[rows[at]] + 1, rows.push_back(to);
    return level[rows.back()];
  };
  int levels = 0;
  for (int i = 0; i < A.n; ++i) {
    if (level[i] >= 0) continue;
    int root = i, last = -1;
    for (;;) {  // from the farthest row again, as long as that gives more levels
      const std::size_t begin = rows.size();
      const int reached = number(root, levels);
      if (reached <= last) break;
      last = reached;
      root = rows.back();
      for (std::size_t r = begin; r < rows.size(); ++r) level[rows[r]] = -1;
      rows.resize(begin);
    }
    levels = level[rows.back()] + 1;
  }
  std::vector<int> count(levels, 0);
  for (const int r : rows) ++count[level[r]];
  // Sections of about equal numbers of rows, a level between two of them.
  std::vector<int> section_of(levels, 0);
  int section = 0, in_section = 0;
  for (int l = 0; l < levels; ++l) {
    const bool cut = section + 1 < blocks && in_section * double(blocks) >= A.n && l + 1 < levels;
    section_of[l] = cut ? -1 : section;
    in_section = cut ? 0 : in_section + count[l];
    section += cut;
  }
  Ordering result{{}, std::vector<int>(blocks + 1, 0)};
  for (int part = 0; part <= blocks; ++part)
    for (const int r : rows)
      if (section_of[level[r]] == (part < blocks ? part : -1)) result.order.push_back(r), ++result.rows[part];
  return result;
}

Fill fill_of(const Symmetric& A, const std::vector<int>& order) {
  const Symmetric B = permuted(A, order);
  // Row by row: an entry (i, j) of B makes L non-zero in row i for j and all above it in the elimination
  // tree.
  std::vector<std::vector<int>> columns_of_row(B.n);
  for (int j = 0; j < B.n; ++j)
    for (std::int64_t e = B.start[j] + 1; e < B.start[j + 1]; ++e) columns_of_row[B.row[e]].push_back(j);
  std::vector<int> parent(B.n, -1), seen(B.n, -1);
  std::vector<std::int64_t> count(B.n, 1);
  for (int i = 0; i < B.n; ++i) {
    seen[i] = i;
    for (int j : columns_of_row[i])
      for (; seen[j] != i; j = parent[j]) {
        if (parent[j] < 0) parent[j] = i;
        ++count[j];
        seen[j] = i;
      }
  }
  Fill fill;
  for (const std::int64_t c : count) fill.nnz += c, fill.flops += double(c) * double(c);
  return fill;
}

}  // namespace cholesky
