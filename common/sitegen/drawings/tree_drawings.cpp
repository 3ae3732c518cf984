/// @file
/// Drawings of whose values a lane reads: sums, scans, butterflies.

#include <fmt/format.h>

#include "common/report/figures/drawing_figures.hpp"
#include "common/sitegen/drawings/drawings.hpp"

namespace ladder::report {
namespace {

std::string tree_of_sum(Caption& caption) {
  caption = {"In each round half as many threads add",
             "A tree over 16 threads: in each round the lower half adds the value of the thread half a step "
             "higher; thread 0 has the sum.",
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

/// Which elements of a line a stage combines: j and j + n/2 of the stage before, in the order in which they are
/// stored.
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

}  // namespace

std::vector<DrawingMaker> tree_drawings() {
  return {
      {"00-first-steps", "g5-tree", tree_of_sum},
      {"00-first-steps", "g6-shuffles", shuffled_sum},
      {"00-first-steps", "g8-scan", scan_over_lanes},
      {"06-npb-ft", "g6-butterflies", butterflies},
  };
}

}  // namespace ladder::report
