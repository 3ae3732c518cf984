#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/base/text/numbers.hpp"

namespace npb_ft::test {
namespace {

/// Whether u is the reference with element e' in the place of e, times `factor`.
template <class Place>
bool is_like(const Problem& got, const std::vector<Complex>& expected, double slack, double factor,
             Place place) {
  for (std::size_t e = 0; e < got.points(); ++e)
    if (!(distance(got.u[e], factor * expected[place(e)]) <= slack * factor)) return false;
  return true;
}

/// Whether all of the grid is the right one in another form.
std::vector<Detail> explain_whole(const Problem& p, const Problem& got, const Result& expected,
                                  double slack) {
  const auto same = [](std::size_t e) { return e; };
  const auto mirrored = [&p](std::size_t e) {
    const auto back = [](std::size_t i, int n) { return (n - i) % n; };
    const std::size_t x = back(e % p.nx, p.nx), y = back(e / p.nx % p.ny, p.ny),
                      z = back(e / p.nx / p.ny, p.nz);
    return x + p.nx * (y + p.ny * z);
  };
  const double N = double(p.points());
  if (is_like(got, expected.u, slack, 1 / N, same))
    return {{"What happened", "The grid is what is expected, divided by the number of its points."},
            {"Think", "Which of grid and checksum does the contract divide?"}};
  if (is_like(got, expected.u, slack, 1, mirrored))
    return {{"What happened", "The grid is mirrored: what is expected at (x, y, z) is at (-x, -y, -z)."},
            {"Think", "Which sign do the roots of the second transform have?"}};
  if (is_like(got, first_grid(p), 1e-9, N, same))
    return {{"What happened", "The grid is the one at time 0, times the number of its points."},
            {"Think", "Where does a frequency decay?"}};
  return {};
}

constexpr double exact =
    1e-10;  // far above rounding, and far below the distance of two numbers of the stream

/// u at time 0, computed back from u at the last time. Empty where that would take long, or rounding would
/// grow.
std::vector<Complex> start_of(const Problem& p, const Problem& got) {
  constexpr std::size_t affordable = std::size_t(1) << 20;
  constexpr double most = 4;  // rounding is multiplied by exp(4)
  if (p.points() > affordable || -decay * p.iterations * double(p.largest_square()) > most) return {};
  std::vector<Complex> grid(got.u, got.u + p.points());
  const double N = double(p.points());
  transform(p, 1, grid);
  for (std::size_t e = 0; e < grid.size(); ++e) {
    const double kx = frequency(int(e % p.nx), p.nx), ky = frequency(int(e / p.nx % p.ny), p.ny),
                 kz = frequency(int(e / p.nx / p.ny), p.nz);
    grid[e] = (std::exp(-decay * p.iterations * (kx * kx + ky * ky + kz * kz)) / N / N) * grid[e];
  }
  transform(p, -1, grid);
  return grid;
}

/// k, if the value is number k of the stream; 0 is the seed itself.
std::optional<std::size_t> number_in_stream(const Problem& p, const std::vector<Complex>& start,
                                            double value) {
  if (std::abs(value - scale * double(p.seed)) <= exact) return 0;
  for (std::size_t e = 0; e < start.size(); ++e) {
    if (std::abs(value - start[e].re) <= exact) return 2 * e + 1;
    if (std::abs(value - start[e].im) <= exact) return 2 * e + 2;
  }
  return {};
}

/// Where the transforms are right, u shows the grid that they began with.
std::vector<Detail> explain_start(const Problem& p, const Problem& got) {
  const std::vector<Complex> back = start_of(p, got);
  if (back.empty()) return {};
  const std::vector<Complex> start = first_grid(p);
  std::size_t e = 0;
  while (e < start.size() && distance(back[e], start[e]) <= exact) ++e;
  if (e == start.size()) return {};
  const auto number = number_in_stream(p, start, back[e].re);
  if (e == 0 && !number) return {};
  std::string text = "Computed back from u, the grid at time 0 is ";
  text += e == 0 ? "wrong from its first element on"
                 : fmt::format("right up to element {}", ladder::grouped(double(e - 1)));
  text += fmt::format(". Element {}, (x, y, z) = ({}, {}, {}), ", ladder::grouped(double(e)), e % p.nx,
                      e / p.nx % p.ny, e / p.nx / p.ny);
  if (number)
    text += fmt::format("begins with number {} of the stream; number {} belongs there.",
                        ladder::grouped(double(*number)), ladder::grouped(double(2 * e + 1)));
  else
    text += "is the first wrong one.";
  return {{"What happened", text},
          {"Think", "Which number does the thread of that element begin with? Or does a copy move it?"}};
}

/// A float among doubles leaves 7 or 8 digits of the largest elements; so does a number typed with that many.
std::vector<Detail> explain_digits(double error) {
  if (!(error > 1e-10 && error < 1e-6)) return {};
  return {{"What happened", fmt::format("About {} digits are right, as in single precision. Double keeps 16.",
                                        int(std::lround(-std::log10(error))))},
          {"Think", "Which number is a float, or is typed with few digits?"}};
}

}  // namespace

double distance(Complex a, Complex b) {
  return std::max(std::abs(a.re - b.re), std::abs(a.im - b.im));
}

std::vector<Detail> explain_grid(const Problem& given, const Problem& got, const Result& expected,
                                 double slack, double error) {
  if (std::any_of(got.u, got.u + given.points(), [](Complex c) { return std::isnan(c.re); }))
    return {
        {"What happened", "Elements of u are no numbers: they, or what they come from, were not written."}};
  std::vector<Detail> said = explain_whole(given, got, expected, slack);
  if (said.empty()) said = explain_digits(error);
  if (said.empty()) said = explain_start(given, got);
  return said;
}

std::vector<Detail> explain_case(const std::vector<Case>& right, const Case& wrong) {
  const auto cube = [](const Case& c) { return c.nx == c.ny && c.ny == c.nz; };
  if (right.empty() || cube(wrong) || !std::all_of(right.begin(), right.end(), cube)) return {};
  return {{"Why " + name(right.back()) + " works",
           "Its axes have the same length, as those of all grids that were right. Here they differ."},
          {"Think", "Which of nx, ny, nz or their longest does each index and each table go by?"}};
}

}  // namespace npb_ft::test
