#include "symmetric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>

#include "common/base/random.hpp"

namespace cholesky {
namespace {

/// An edge from each point to those of its neighbours `steps` away that are in the grid.
void join(std::vector<Edge>& edges, int nx, int ny, int nz, std::vector<std::array<int, 3>> steps) {
  const auto inside = [](int i, int n) { return i >= 0 && i < n; };
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        for (const auto& [dx, dy, dz] : steps)
          if (inside(x + dx, nx) && inside(y + dy, ny) && inside(z + dz, nz))
            edges.emplace_back(x + nx * (y + ny * z), x + dx + nx * (y + dy + ny * (z + dz)));
}

}  // namespace

Symmetric from_edges(int n, std::vector<Edge> edges, std::uint64_t seed) {
  for (Edge& edge : edges)
    if (edge.first > edge.second) std::swap(edge.first, edge.second);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Symmetric A;
  A.n = n;
  A.start.assign(n + 1, 0);
  A.row.reserve(edges.size() + n);
  std::size_t e = 0;
  for (int j = 0; j < n; ++j) {
    A.row.push_back(j);
    for (; e < edges.size() && edges[e].first == j; ++e) A.row.push_back(edges[e].second);
    A.start[j + 1] = std::int64_t(A.row.size());
  }
  A.value.resize(A.row.size());
  set_values(A, seed);
  return A;
}

namespace {

/// @param draw  gives the size of each entry off the diagonal
template <class Draw>
void set_values_by(Symmetric& A, Draw draw) {
  std::vector<double> sum(A.n, 0.01);
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j] + 1; e < A.start[j + 1]; ++e) {
      const double size = draw();
      A.value[e] = -size;
      sum[j] += size;
      sum[A.row[e]] += size;
    }
  for (int j = 0; j < A.n; ++j) A.value[A.start[j]] = sum[j];
}

}  // namespace

void set_values(Symmetric& A, ladder::Random random) {
  set_values_by(A, [&] { return random.uniform(0.5, 1.5); });
}

void set_values(Symmetric& A, std::uint64_t seed) {
  if (seed != 0) return set_values(A, ladder::Random(seed));
  set_values_by(A, [] { return 1.0; });
}

void scale(Symmetric& A, ladder::Random random) {
  std::vector<double> d(A.n);
  for (double& value : d) value = std::pow(10.0, random.below(13) - 6);
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e) A.value[e] *= d[j] * d[A.row[e]];
}

Symmetric permuted(const Symmetric& A, const std::vector<int>& order) {
  std::vector<int> place(A.n);
  for (int i = 0; i < A.n; ++i) place[order[i]] = i;
  Symmetric B;
  B.n = A.n;
  B.start.assign(A.n + 1, 0);
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e)
      ++B.start[std::min(place[j], place[A.row[e]]) + 1];
  std::partial_sum(B.start.begin(), B.start.end(), B.start.begin());
  std::vector<std::pair<int, double>> entries(A.row.size());
  std::vector<std::int64_t> next(B.start.begin(), B.start.end() - 1);
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e) {
      const auto [low, high] = std::minmax({place[j], place[A.row[e]]});
      entries[next[low]++] = {high, A.value[e]};
    }
  B.row.resize(entries.size());
  B.value.resize(entries.size());
  for (int j = 0; j < B.n; ++j) std::sort(entries.begin() + B.start[j], entries.begin() + B.start[j + 1]);
  for (std::size_t e = 0; e < entries.size(); ++e)
    B.row[e] = entries[e].first, B.value[e] = entries[e].second;
  return B;
}

Symmetric grid(int nx, int ny, int nz, std::uint64_t seed) {
  std::vector<Edge> edges;
  join(edges, nx, ny, nz, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  return from_edges(nx * ny * nz, std::move(edges), seed);
}

Symmetric triangulated(int nx, int ny, std::uint64_t seed) {
  std::vector<Edge> edges;
  join(edges, nx, ny, 1, {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  return from_edges(nx * ny, std::move(edges), seed);
}

Symmetric circuit(int nx, int ny, int extra, std::uint64_t seed) {
  std::mt19937 engine(1);  // the engine's output is the standard's; that of its distributions is not
  const auto uniform = [&] { return engine() * 0x1p-32; };
  const auto below = [&](int n) { return int(uniform() * n); };
  std::vector<Edge> edges;
  join(edges, nx, ny, 1, {{1, 0, 0}, {0, 1, 0}});
  std::erase_if(edges, [&](const Edge&) { return uniform() >= 0.92; });
  for (int made = 0; made < extra && nx * ny > 1;) {
    const int x = below(nx), y = below(ny), u = x + below(41) - 20, v = y + below(41) - 20;
    if (u < 0 || u >= nx || v < 0 || v >= ny || (u == x && v == y)) continue;
    edges.emplace_back(x + nx * y, u + nx * v);
    ++made;
  }
  return from_edges(nx * ny, std::move(edges), seed);
}

Symmetric shell(int nx, int ny, std::uint64_t seed) {
  constexpr int unknowns = 3;
  std::vector<Edge> points, edges;
  join(points, nx, ny, 1, {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, -1, 0}});
  for (const auto& [from, to] : points)
    for (int a = 0; a < unknowns; ++a)
      for (int b = 0; b < unknowns; ++b) edges.emplace_back(unknowns * from + a, unknowns * to + b);
  for (int point = 0; point < nx * ny; ++point)
    for (int a = 0; a < unknowns; ++a)
      for (int b = a + 1; b < unknowns; ++b) edges.emplace_back(unknowns * point + a, unknowns * point + b);
  return from_edges(unknowns * nx * ny, std::move(edges), seed);
}

Symmetric arrow(int n, int width, std::uint64_t seed) {
  std::vector<Edge> edges;
  for (int i = 0; i + 1 < n; ++i) edges.emplace_back(i, i + 1);
  for (int i = std::max(0, n - width); i < n; ++i)
    for (int j = 0; j < i; ++j) edges.emplace_back(j, i);
  return from_edges(n, std::move(edges), seed);
}

Symmetric dense(int n, std::uint64_t seed) {
  return arrow(n, n, seed);
}

Symmetric apache2_like(std::uint64_t seed) {
  return grid(301, 297, 8, seed);
}
Symmetric parabolic_fem_like(std::uint64_t seed) {
  return triangulated(513, 1025, seed);
}
Symmetric g3_circuit_like(std::uint64_t seed) {
  return circuit(1260, 1259, 115000, seed);
}
Symmetric g2_circuit_like(std::uint64_t seed) {
  return circuit(387, 388, 10900, seed);
}

}  // namespace cholesky
