/// @file
/// Drawings of what runs at the same time: bars of streams, engines and threads.

#include <fmt/format.h>

#include <algorithm>

#include "common/report/figures/drawing_figures.hpp"
#include "common/sitegen/drawings/drawings.hpp"

namespace ladder::report {
namespace {

/// When each of three engines is free: copies to the device, kernels, copies to the host.
struct Engines {
  double sent = 0, computed = 0, returned = 0;

  /// One part after the other takes each of them as soon as it can, the first one from `from` on.
  void take(TimelineDrawing::Panel& panel, double from, double up, double kernel, double down) {
    sent = from + up;
    const double start = std::max(sent, computed), back = std::max(start + kernel, returned);
    computed = start + kernel;
    returned = back + down;
    panel.bars.insert(panel.bars.end(),
                      {{0, from, sent, 1}, {1, start, computed, 0}, {2, back, returned, 2}});
  }
};

/// Parts that go up, are multiplied and go down: one after the other, or each as soon as its engine is free.
std::string copies_and_kernels(Caption& caption) {
  constexpr int parts = 4;
  constexpr double up = 2, product = 2, down = 1;
  caption = {"Copies in both directions run during the products",
             "Timelines of copies up, products and copies down for four parts: one after the other, and each "
             "as soon as its part is there and its engine free.",
             ""};
  TimelineDrawing d{caption,
                    {},
                    "Orange: copies to the device. Blue: products. Green: copies to the host. Lengths are "
                    "examples, the same in both."};
  for (const bool streams : {false, true}) {
    TimelineDrawing::Panel panel{streams ? "streams" : "one after the other", {"up", "compute", "down"}, {}};
    Engines engines;
    for (int i = 0; i < parts; ++i)
      engines.take(panel, streams ? engines.sent : std::max(engines.sent, engines.returned), up, product,
                   down);
    d.panels.push_back(panel);
  }
  return drawn(d);
}

/// Columns that go up, are computed and go down: all of each, or column after column.
std::string copied_columns(Caption& caption) {
  constexpr int columns = 7;
  constexpr double up = 1, call = 1.3, down = 1;
  caption = {"Columns are copied while others are computed",
             "Timelines of copies up, calls and copies down for seven columns: all up, all computed and all "
             "down, or each column as soon as it can.",
             ""};
  TimelineDrawing d{caption,
                    {},
                    "Orange: copies to the device. Blue: calls. Green: copies to the host. Lengths are "
                    "examples, the same in both."};
  for (const bool pinned : {false, true}) {
    TimelineDrawing::Panel panel{pinned ? "g4" : "g3", {"up", "calls", "down"}, {}};
    Engines engines;
    if (!pinned) engines.computed = columns * up, engines.returned = columns * (up + call);
    for (int k = 0; k < columns; ++k) engines.take(panel, engines.sent, up, call, down);
    d.panels.push_back(panel);
  }
  return drawn(d);
}

/// Parts that are copied and multiplied: with as many copies in flight as there are other buffers.
std::string staged_parts(Caption& caption) {
  constexpr int parts = 8;
  constexpr double copy = 3, product = 1;
  caption = {"With four buffers products do not wait",
             "Timelines of copies and products of eight parts: with two buffers products wait for each copy, "
             "with four stages copies overlap and products follow each other.",
             ""};
  TimelineDrawing d{caption, {}, "Orange: copies. Blue: products. Lengths are examples."};
  for (const int stages : {2, 4}) {
    TimelineDrawing::Panel panel{fmt::format("{} buffers", stages), {}, {}};
    for (int stage = 0; stage < stages; ++stage) panel.rows.push_back(fmt::format("buffer {}", stage));
    panel.rows.push_back("products");
    std::vector<double> ended(parts);  // of each part's product
    double computed = 0;
    for (int part = 0; part < parts; ++part) {
      // Its buffer is free when the part that was in it before has been multiplied.
      const double from = part < stages ? 0 : ended[static_cast<std::size_t>(part - stages)];
      const double start = std::max(from + copy, computed);
      computed = ended[static_cast<std::size_t>(part)] = start + product;
      panel.bars.insert(panel.bars.end(),
                        {{part % stages, from, from + copy, 1}, {stages, start, computed, 0}});
    }
    d.panels.push_back(panel);
  }
  return drawn(d);
}

}  // namespace

std::vector<DrawingMaker> time_drawings() {
  return {
      {"03-dgemm", "g6-timeline", copies_and_kernels},
      {"03-dgemm", "t2-stages", staged_parts},
      {"04-cholesky", "g4-timeline", copied_columns},
  };
}

}  // namespace ladder::report
