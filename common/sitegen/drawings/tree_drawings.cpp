/// @file
/// Drawings of whose values a lane reads: sums, scans, butterflies.

#include <fmt/format.h>

#include "common/report/figures/drawing_figures.hpp"
#include "common/sitegen/drawings/drawings.hpp"

namespace ladder::report {
namespace {

std::string tree_of_sum(Caption& caption) {
  caption = {
      "In each round half as many threads add",
      "A tree over 16 threads: in each round the lower half of those that are left adds the values of the "
      "upper half; thread 0 has the sum.",
      ""};
  TreeDrawing d{caption, 16, {}, "Dark: a thread that adds. Empty: a thread that has nothing left to do."};
  for (int half = 8; half > 0; half /= 2) {
    TreeDrawing::Round round{fmt::format("half = {}", half), {}};
    for (int t = 0; t < half; ++t) round.edges.push_back({t + half, t});
    d.rounds.push_back(round);
  }
  return drawn(d);
}

std::string shuffled_sum(Caption& caption) {
  caption = {"A warp adds from register to register",
             "A tree over the 32 lanes of a warp: each lane that matters adds the value of the lane 16, 8, "
             "4, 2 and then 1 higher; lane 0 has the sum.",
             ""};
  TreeDrawing d{
      caption, 32, {}, "Dark: a lane whose sum is needed. Empty: it adds too, but nobody needs its sum."};
  for (int distance = 16; distance > 0; distance /= 2) {
    TreeDrawing::Round round{fmt::format("distance {}", distance), {}};
    for (int lane = 0; lane < distance; ++lane) round.edges.push_back({lane + distance, lane});
    d.rounds.push_back(round);
  }
  return drawn(d);
}

std::string scan_over_lanes(Caption& caption) {
  caption = {"A scan: each lane adds one further to the left",
             "Rounds over the first 16 lanes of a warp: each lane adds the value of the lane 1, 2, 4 and "
             "then 8 to its left, if there is one.",
             ""};
  TreeDrawing d{
      caption, 16, {}, "Dark: a lane that adds. Empty: its sum is complete. 16 of 32 lanes are drawn."};
  for (int distance = 1; distance < 16; distance *= 2) {
    TreeDrawing::Round round{fmt::format("distance {}", distance), {}};
    for (int lane = distance; lane < 16; ++lane) round.edges.push_back({lane - distance, lane});
    d.rounds.push_back(round);
  }
  return drawn(d);
}

/// Which elements of a line a stage combines: j and j + n/2 of the stage before, in the order in which they
/// are stored.
std::string butterflies(Caption& caption) {
  constexpr int n = 8;
  caption = {"A line's stages need nothing but the line",
             "A graph of 8 elements in three stages: thread j makes two elements of elements j and j + 4 of "
             "the stage before, and stores them where the next stage finds them.",
             ""};
  TreeDrawing d{
      caption,
      n,
      {},
      "An edge: an element that is read for the one below. Thread j reads j and j + 4 in each stage."};
  d.keeps = false;
  for (int done = 1; done < n; done *= 2) {
    TreeDrawing::Round round{fmt::format("stage {}", d.rounds.size() + 1), {}};
    for (int j = 0; j < n / 2; ++j) {
      const int to = j / done * 2 * done + j % done;
      for (const int from : {j, j + n / 2})
        for (const int element : {to, to + done}) round.edges.push_back({from, element});
    }
    d.rounds.push_back(round);
  }
  return drawn(d);
}

/// A line of 16 by radix 4: thread t has elements t + 4 i in registers, at place 4 t + i of the drawing.
std::string radix_exchange(Caption& caption) {
  constexpr int n = 16, R = 4, threads = n / R;
  caption = {"Two levels in registers, one exchange",
             "A graph of 16 elements in four threads: two levels of butterflies inside each thread, one "
             "exchange between all threads, and two more levels inside.",
             ""};
  TreeDrawing d{caption,
                n,
                {},
                "Shaded: registers of a thread, with the numbers of its elements above. Dashed: through "
                "shared memory."};
  d.keeps = false;
  d.groups = {R, "thread"};
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < R; ++i) d.numbers.push_back(t + i * threads);
  const auto level = [&](int distance) {
    TreeDrawing::Round round{fmt::format("level {}", d.rounds.size() + (d.rounds.size() > 2 ? 0 : 1)), {}};
    for (int place = 0; place < n; ++place)
      for (const int from : {place, place ^ distance}) round.edges.push_back({from, place});
    d.rounds.push_back(round);
  };
  level(R / 2), level(R / 4);
  TreeDrawing::Round exchange{"exchange", {}, TreeDrawing::Way::shared};
  for (int j = 0; j < threads; ++j)
    for (int r = 0; r < R; ++r) {
      const int element = j * R + r;  // (j - k) R + k + r done, with done = 1
      exchange.edges.push_back({j * R + r, element % threads * R + element / threads});
    }
  d.rounds.push_back(exchange);
  level(R / 2), level(R / 4);
  return drawn(d);
}

/// A block of two warps: each adds up by shuffles, and its lane 0 adds to the result.
std::string warp_sums(Caption& caption) {
  constexpr int lanes = 8, warps = 2;
  caption = {
      "Each warp adds up in its registers",
      "Trees over two warps of 8 lanes: each lane that matters adds the value of the lane 4, 2 and then 1 "
      "higher, and lane 0 of each warp adds to the result.",
      ""};
  TreeDrawing d{caption,
                lanes * warps,
                {},
                "Shaded: registers of a warp. Dark: a sum that is needed. Orange: an atomic addition. In "
                "small: warps of 8 lanes."};
  d.groups = {lanes, "warp"};
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    TreeDrawing::Round round{fmt::format("from i + {}", distance), {}};
    for (int warp = 0; warp < warps; ++warp)
      for (int lane = 0; lane < distance; ++lane)
        round.edges.push_back({warp * lanes + lane + distance, warp * lanes + lane});
    d.rounds.push_back(round);
  }
  TreeDrawing::Round result{"result", {}, TreeDrawing::Way::result};
  for (int warp = 0; warp < warps; ++warp) result.edges.push_back({warp * lanes, warp * lanes});
  d.rounds.push_back(result);
  return drawn(d);
}

}  // namespace

std::vector<DrawingMaker> tree_drawings() {
  return {
      {"00-first-steps", "g5-tree", tree_of_sum},     {"00-first-steps", "g6-shuffles", shuffled_sum},
      {"00-first-steps", "g8-scan", scan_over_lanes}, {"06-npb-ft", "g6-butterflies", butterflies},
      {"05-npb-ep", "g3-warps", warp_sums},           {"06-npb-ft", "g7-exchange", radix_exchange},
  };
}

}  // namespace ladder::report
