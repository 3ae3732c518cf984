#include "matrix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/npb/generator.hpp"

namespace npb_cg::test {
namespace {

using ladder::npb::State;

constexpr State official_seed = 314159265;
constexpr double rcond = 0.1;

/// NPB's stream of numbers between 0 and 1.
class Stream {
 public:
  double next() {
    state_ = state_ * ladder::npb::multiplier & ladder::npb::mask;
    return ladder::npb::scale * double(state_);
  }

 private:
  State state_ = official_seed;
};

struct Entry {
  int place;
  double value;
};

/// A random vector: entries at different places below n. Places are drawn below the next power of two, and
/// too large ones are drawn again, together with their values.
std::vector<Entry> random_vector(Stream& stream, int n, int nonzer, int power) {
  std::vector<Entry> vector;
  while (int(vector.size()) < nonzer) {
    const double value = stream.next();
    const int place = int(power * stream.next());
    const auto same = [&](const Entry& entry) { return entry.place == place; };
    if (place < n && std::none_of(vector.begin(), vector.end(), same)) vector.push_back({place, value});
  }
  return vector;
}

/// Entries of one row, added up where columns are equal, in the order of the vectors that they come from.
void append_row(std::vector<Entry>& row, Matrix& A) {
  std::stable_sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.place < b.place; });
  for (std::size_t k = 0; k < row.size(); ++k)
    if (k > 0 && row[k].place == row[k - 1].place)
      A.values.back() += row[k].value;
    else
      A.columns.push_back(row[k].place), A.values.push_back(row[k].value);
  A.row_start.push_back(int(A.columns.size()));
}

/// A matrix of which a function says the entries, 0 for none.
template <class EntryOf>
Matrix matrix_of(int n, EntryOf&& entry) {
  Matrix A;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      if (const double value = entry(i, j); value != 0) A.columns.push_back(j), A.values.push_back(value);
    A.row_start.push_back(int(A.columns.size()));
  }
  return A;
}

/// Every seventh row and column has no entry.
Matrix with_empty_rows(const Matrix& full) {
  Matrix A;
  for (int i = 0; i < full.rows(); ++i) {
    for (int k = full.row_start[i]; k < full.row_start[i + 1]; ++k)
      if (i % 7 != 0 && full.columns[k] % 7 != 0)
        A.columns.push_back(full.columns[k]), A.values.push_back(full.values[k]);
    A.row_start.push_back(int(A.columns.size()));
  }
  return A;
}

}  // namespace

Matrix random_matrix(int n, int nonzer, double shift) {
  Stream stream;
  stream.next();  // NPB draws one number first, and does not use it
  int power = 2;
  while (power < n) power *= 2;
  std::vector<std::vector<Entry>> vectors(n);
  std::vector<std::vector<std::pair<int, int>>> uses(n);  // of a row: vector, and which of its entries
  for (int i = 0; i < n; ++i) {
    vectors[i] = random_vector(stream, n, nonzer, power);
    const auto own = std::find_if(vectors[i].begin(), vectors[i].end(),
                                  [&](const Entry& entry) { return entry.place == i; });
    if (own != vectors[i].end())
      own->value = 0.5;
    else
      vectors[i].push_back({i, 0.5});
    for (int k = 0; k < int(vectors[i].size()); ++k) uses[vectors[i][k].place].push_back({i, k});
  }
  // The weights as NPB computes them, one from the one before: powers would round otherwise.
  std::vector<double> weight(n);
  const double ratio = std::pow(rcond, 1.0 / n);
  double current = 1;
  for (double& w : weight) w = current, current *= ratio;
  Matrix A;
  std::vector<Entry> row;
  for (int j = 0; j < n; ++j) {
    row.clear();
    for (const auto& [i, k] : uses[j]) {
      const double scaled = weight[i] * vectors[i][k].value;
      for (const Entry& entry : vectors[i]) {
        double value = entry.value * scaled;
        if (entry.place == j && j == i) value = value + rcond - shift;
        row.push_back({entry.place, value});
      }
    }
    append_row(row, A);
  }
  return A;
}

Matrix make_matrix(Pattern pattern, int n, int nonzer, double shift) {
  switch (pattern) {
    case Pattern::random:
      return random_matrix(n, nonzer, shift);
    case Pattern::empty_rows:
      return with_empty_rows(random_matrix(n, nonzer, shift));
    case Pattern::diagonal:
      return matrix_of(n, [n](int i, int j) { return i == j ? 1 + 2.0 * i / n : 0; });
    case Pattern::constant:
      return matrix_of(n, [](int i, int j) { return i == j ? 4 : 0; });
    case Pattern::arrow:
      return matrix_of(n, [n](int i, int j) { return i == j ? 2 : i == 0 || j == 0 ? 1 / std::sqrt(n) : 0; });
    case Pattern::dense:
      return matrix_of(n, [n](int i, int j) { return i == j ? 2 : 1.0 / (n + std::abs(i - j)); });
  }
  return {};
}

}  // namespace npb_cg::test
