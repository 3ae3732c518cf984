#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "amounts.hpp"

namespace npb_ft::test {
namespace {

Case of_class(const OfficialClass& official, std::string group, Seed seed) {
  return {std::move(group), official.nx, official.ny, official.nz, official.iterations, seed};
}

// Class D: numbers of elements and of the stream that an int does not hold. (Its grid needs a device of 140
// GB.)
constexpr Problem class_d{.nx = 2048, .ny = 1024, .nz = 1024, .iterations = 25};
static_assert(class_d.points() == std::size_t(1) << 31);
static_assert(checksum_element(class_d, 1023) == 1023 + 2048 * (1021 + std::size_t(1024) * 1019));
static_assert(strided_sectors(class_d, 1) > 4e11 && swept_sectors(class_d, 1) < 2.3e11);

/// Bytes that the caller gives, u and what is for the step's own use, in grids of its size.
constexpr double grids_of(const Problem& p) {
  const double tables = double(p.longest()) * sizeof(Complex) + double(p.factor_count()) * sizeof(double);
  return 3 + tables / (double(p.points()) * sizeof(Complex));
}
static_assert(grids_of({.nx = 512, .ny = 512, .nz = 512, .iterations = 20}) < 3.02);

constexpr std::size_t shown = std::size_t(1) << 24;  // points; above only checksums leave the device

}  // namespace

std::vector<Case> cases(bool on_processor, bool on_device) {
  std::vector<Case> all = {{"general", 8, 8, 8, 1}, {"general", 8, 8, 8, 2}, {"general", 16, 16, 16, 3}};
  for (const auto& [nx, ny, nz] :
       {std::tuple{2, 2, 2}, {4, 8, 2}, {8, 2, 4}, {2, 4, 8}, {16, 4, 32}, {4, 32, 8}, {32, 16, 2}})
    all.push_back({"tails", nx, ny, nz, 2});  // no cubes: each axis of another length, and some very short
  for (const auto& [nx, ny, nz] :
       {std::tuple{64, 2, 2}, {2, 64, 32}, {4, 2, 128}, {256, 4, 2}, {2, 512, 2}, {4, 2, 1024}, {2048, 2, 2}})
    all.push_back({"lines", nx, ny, nz, 1});  // each length of a line that is left
  all.push_back({"times", 4, 4, 4, 25});
  all.push_back({"times", 16, 8, 8, 9});
  for (const Seed seed : {Seed::smallest, Seed::largest, Seed::official})
    all.push_back({"seeds", 8, 16, 8, 1, seed});
  if (on_processor) all.push_back({"threads", 64, 64, 64, 2});
  for (const OfficialClass& official : official_classes)
    if ((on_processor && official.size <= 18) || (on_device && official.size <= 23))
      all.push_back(of_class(official, "classes", Seed::official));
  return all;
}

Case sized(int M) {
  M = std::clamp(M, 3, 33);
  const bool repeats = M > 24;  // minutes and gigabytes
  Case c{"general", 1 << (M + 2) / 3, 1 << (M + 1) / 3, 1 << M / 3, 2};
  for (const OfficialClass& official : official_classes)
    if (official.size == M) c = of_class(official, "general", Seed::fresh);
  if (repeats) c.seed = Seed::official, c.content_repeats = true;
  return c;
}

Problem shape(const Case& c) {
  Problem p{.nx = c.nx, .ny = c.ny, .nz = c.nz, .iterations = c.iterations};
  p.shows_grid = p.points() <= shown;
  return p;
}

double work(int M) {
  const Problem p = shape(sized(M));
  return (1.0 + p.iterations) * double(p.points()) * M;
}

std::string name(const Case& c) {
  return fmt::format("{} x {} x {}, {} {}{}", c.nx, c.ny, c.nz, c.iterations,
                     c.iterations == 1 ? "time" : "times", ladder::npb::seed_text(c.seed));
}

State seed_of(const Case& c, ladder::Random& random) {
  return ladder::npb::seed_of(c.seed, official_seed, random);
}

}  // namespace npb_ft::test
