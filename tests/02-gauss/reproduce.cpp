/// @file
/// Figures 1 and 2 and table 1 of work B on this machine: the sweep over blocks and threads, the tail, the
/// best grid.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "common/base/catch.hpp"
#include "common/judge/plan.hpp"
#include "parts.hpp"
#include "records.hpp"
#include "source_tables.hpp"
#include "tail.hpp"

namespace {

using namespace gauss;
using ladder::DeviceLimits;
using ladder::Failure;
using ladder::PlannedStep;
using test::Grid;
using test::Lab;
using test::Measured;
namespace reproduction = ladder::reproduction;

/// A sweep has more cells than a table: all of it together gets the time of that many.
constexpr double cells = 12;
// Shares of that time.
constexpr double for_heat = 0.32, for_tail = 0.25, for_table = 0.38, for_sequential = 0.05;

double share(double part) {
  return part * cells * ladder::plan().cell_seconds;
}

/// The present device, as far as its limits are published.
std::optional<DeviceLimits> limits_of(const Lab& lab) {
  if (!ladder::runs_on_gpu(lab.step())) return ladder::executor_limits();
  const DeviceLimits* known = ladder::find_device(lab.device());
  return known ? std::optional(*known) : std::nullopt;
}

/// Orders to choose from: the source's on a GPU, less where no GPU is.
std::vector<int> sizes_for(const PlannedStep& step) {
  std::vector<int> sizes;
  for (const int n : {24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024, 1536, 2048, 3072, 4096, 6144, 7500})
    if ((!ladder::runs_on_gpu(step) || n >= 512) && (ladder::plan().size == 0 || n <= ladder::plan().size))
      sizes.push_back(n);
  if (ladder::plan().size > 0 && (sizes.empty() || sizes.back() < ladder::plan().size))
    sizes.push_back(ladder::plan().size);
  return sizes;
}

std::vector<int> block_rows(const std::optional<DeviceLimits>& here) {
  const int places = here ? here->multiprocessors : 132;
  std::vector<int> counts;
  for (const double times : {0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0})
    counts.push_back(std::max(1, int(places * times)));
  return counts;
}

std::vector<Measured> grids(const std::vector<int>& blocks, std::span<const int> threads) {
  std::vector<Measured> all;
  for (const int b : blocks)
    for (const int t : threads) all.push_back({{b, t}});
  return all;
}

void reproduce(const PlannedStep& step, const PlannedStep* own_grid) {
  test::Sequential sequential(share(for_sequential));
  if (!sequential.there()) throw Failure{ladder::Verdict::not_run, "the baseline is not built", {}};
  Grid best{test::source_blocks, test::source_threads};
  {
    Lab lab(step, true);
    const auto here = limits_of(lab);
    const std::vector<int> sizes = sizes_for(step), blocks = block_rows(here);
    const Grid usual{here ? 4 * here->multiprocessors : 528, 256};
    lab.measure(sizes.front(), usual, 1, 20);  // its trace says how many registers the kernel has
    reproduction::publish(test::occupancy_record(lab, here));

    std::vector<Measured> heat = grids(blocks, test::thread_counts);
    const int n = lab.largest(share(for_heat) / (1.6 * double(heat.size())), sizes, usual);
    sequential.seconds(n);
    reproduction::progress(step, fmt::format("blocks x threads at n = {}", n), 0.05);
    int pass = 0;
    test::sweep(lab, n, heat, test::runs_of_the_source, share(for_heat), [&] {
      reproduction::publish(test::heat_record(lab, n, blocks, heat, sequential));
      ++pass;
      reproduction::progress(step, fmt::format("blocks x threads at n = {}, pass {}", n, pass + 1),
                             0.05 + 0.3 * std::min(1.0, pass / 7.0));
    });
    if (const Measured* found = test::fastest(heat)) best = found->grid;

    if (here) {
      const int places = here->multiprocessors *
                         test::resident(test::with_threads(lab.shape(), test::source_threads), *here);
      const std::vector<int> counts = test::block_counts(places, test::waves_shown);
      std::vector<Measured> tail;
      for (const int b : counts) tail.push_back({{b, test::source_threads}});
      tail.push_back({{test::waves_shown * places + places / 4, test::source_threads}});
      const int m = lab.largest(share(for_tail) / (1.6 * double(tail.size())), sizes,
                                {counts.back(), test::source_threads});
      reproduction::progress(step, fmt::format("speedup against blocks at n = {}", m), 0.4);
      test::sweep(lab, m, tail, test::runs_of_the_source, share(for_tail),
                  [&] { reproduction::publish(test::tail_record(lab, m, places, tail, sequential)); });
    }
  }
  Lab whole(step, false);
  std::optional<Lab> asked;
  if (own_grid) asked.emplace(*own_grid, false);
  const int n = whole.largest(share(for_table) / 7, sizes_for(step), best);
  reproduction::progress(step, fmt::format("the best configuration at n = {}", n), 0.65);
  const reproduction::Cell a = whole.measure(n, best, test::runs_of_the_source, share(for_table) / 2);
  reproduction::Cell b;
  reproduction::publish(test::best_record(whole, n, best, sequential, a, b));
  if (asked) b = asked->measure(n, {}, test::runs_of_the_source, share(for_table) / 2);
  reproduction::publish(test::best_record(whole, n, best, sequential, a, b));
}

}  // namespace

TEST_CASE("reproduce") {
  constexpr const char* title = "Figures 1 and 2 and table 1 of work B";
  reproduction::reproduce(ladder::plan().lesson, title, [] {
    gauss::test::publish_parts();
    if (const PlannedStep* step = reproduction::planned("g2_grid_stride"))
      reproduce(*step, reproduction::planned("g5_serial_substitution"));
    else
      reproduction::publish(
          reproduction::without_table(ladder::plan().lesson, title, "g2_grid_stride does not run here"));
  });
}
