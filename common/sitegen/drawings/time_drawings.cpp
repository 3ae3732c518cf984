/// @file
/// Drawings of what runs at the same time: bars of streams, engines and threads.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

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

/// Parts that are loaded and then multiplied: into one buffer, or into the other one during the products.
std::string copied_parts(Caption& caption) {
  constexpr int parts = 4;
  constexpr double copy = 3, product = 4;
  caption = {
      "Copies run during the products",
      "Timelines of a block: with one buffer products wait for each load and loads for the products; with "
      "two buffers each copy runs during the products before.",
      ""};
  TimelineDrawing d{caption,
                    {},
                    "Orange: a part is loaded. Blue: products. Hatched: all threads wait for memory. Lines "
                    "across: barriers. Lengths are examples."};
  for (const int buffers : {1, 2}) {
    TimelineDrawing::Panel panel{buffers == 1 ? "g4: one buffer" : "g5: two buffers", {}, {}};
    for (int buffer = 0; buffer < buffers; ++buffer) panel.rows.push_back(fmt::format("buffer {}", buffer));
    panel.rows.push_back("products");
    double arrived = copy, computed = 0;
    panel.bars.push_back({0, 0, copy, 1});
    for (int part = 0; part < parts; ++part) {
      const double start = std::max(arrived, computed);
      if (start > computed) panel.bars.push_back({buffers, computed, start, 3});
      panel.barriers.push_back(start);
      computed = start + product;
      panel.bars.push_back({buffers, start, computed, 0});
      // After this barrier g5 begins the next copy; g4 needs another one, after the products.
      const double from = buffers == 2 ? start : computed;
      if (buffers == 1) panel.barriers.push_back(computed);
      if (part + 1 == parts) continue;
      arrived = from + copy;
      panel.bars.push_back({(part + 1) % buffers, from, arrived, 1});
    }
    d.panels.push_back(panel);
  }
  return drawn(d);
}

/// A warp where a part ends: the compiler reads operands early, but not across the barrier.
std::string operands_ahead(Caption& caption) {
  constexpr double read = 2, product = 4, copies = 3;
  caption = {
      "Products do not wait at the barrier",
      "Timelines of a warp: in g5 it copies and reads operands after the barrier before it multiplies; in "
      "g6 it reads the next operands while it multiplies the last ones.",
      ""};
  TimelineDrawing d{
      caption,
      {},
      "Blue: products of a term. Orange: its operands are read. Green: copies are begun. Hatched: "
      "nothing to multiply. Line across: barrier. Lengths are examples."};
  // Terms 6 and 7 of a part, then 0 and 1 of the next; the operands of term 6 are there.
  TimelineDrawing::Panel late{"g5", {"reads", "products"}, {}}, early{"g6", {"reads", "products"}, {}};
  for (TimelineDrawing::Panel* panel : {&late, &early})
    panel->bars = {{0, 0, read, 1}, {1, 0, product, 0}, {1, product, 2 * product, 0}};
  const double end = 2 * product, arrived = end + copies + read;
  late.barriers = {end};
  late.bars.insert(late.bars.end(), {{0, end, end + copies, 2},
                                     {0, end + copies, arrived, 1},
                                     {1, end, arrived, 3},
                                     {1, arrived, arrived + product, 0},
                                     {0, arrived, arrived + read, 1},
                                     {1, arrived + product, arrived + 2 * product, 0}});
  early.barriers = {product};
  const double begun = product + read + copies;
  early.bars.insert(early.bars.end(), {{0, product, product + read, 1},
                                       {0, product + read, begun, 2},
                                       {1, end, end + product, 0},
                                       {0, begun, begun + read, 1},
                                       {1, end + product, end + 2 * product, 0}});
  d.panels = {late, early};
  return drawn(d);
}

/// Tiles of a scan: one block takes them in turn, or each has a block that looks back for what comes before.
std::string looked_back(Caption& caption) {
  constexpr int tiles = 5;
  constexpr double sum = 3, look = 0.5, store = 2;
  caption = {
      "Blocks wait only for the sum before them",
      "Timelines of a scan of five tiles: one block sums up and stores one tile after the other; with a "
      "block per tile all sum up at once, wait a moment, and store.",
      ""};
  TimelineDrawing d{
      caption,
      {},
      "Blue: a block adds up its tile. Hatched: it waits for the sum of the tiles before. Orange: "
      "it stores. Lengths are examples."};
  TimelineDrawing::Panel one{"g1: one block", {"block 0"}, {}}, all{"g2: a block per tile", {}, {}};
  for (int tile = 0; tile < tiles; ++tile) {
    const double from = tile * (sum + store);
    one.bars.insert(one.bars.end(), {{0, from, from + sum, 0}, {0, from + sum, from + sum + store, 1}});
    const double known = tile > 0 ? sum + look : sum;  // all own sums before are there at once
    all.rows.push_back(fmt::format("block {}", tile));
    all.bars.push_back({tile, 0, sum, 0});
    if (tile > 0) all.bars.push_back({tile, sum, known, 3});
    all.bars.push_back({tile, known, known + store, 1});
  }
  d.panels = {one, all};
  return drawn(d);
}

/// The operators of a V-cycle in their order, on the grid whose values they compute.
std::string v_cycle(Caption& caption) {
  constexpr int grids = 4, coarsest = grids - 1;
  caption = {
      "A V-cycle goes down to the coarsest grid, and up again",
      "Four grids from the finest to the coarsest, and the operators in their order: one on each coarser "
      "grid on the way down, three on each grid on the way up, and one more on the finest at the end.",
      ""};
  TimelineDrawing d{
      caption,
      {},
      "Orange: from one grid to the next, rprj3 down and interp up. Blue: on one grid, resid and psinv. From "
      "left to right in their order. Lengths are not times."};
  TimelineDrawing::Panel all{"One V-cycle", {"finest grid", "1/2", "1/4", "coarsest, 1/8"}, {}};
  double at = 0;
  const auto add = [&](int grid, int kind) {
    all.bars.push_back({grid, at, at + 1, kind});
    ++at;
  };
  constexpr int on_one_grid = 0, between_grids = 1;
  for (int grid = 1; grid <= coarsest; ++grid) add(grid, between_grids);
  add(coarsest, on_one_grid);
  for (int grid = coarsest - 1; grid >= 0; --grid)
    for (const int kind : {between_grids, on_one_grid, on_one_grid}) add(grid, kind);
  add(0, on_one_grid);
  d.panels = {all};
  return drawn(d);
}

/// Threads whose additions go to one result, which takes one of a number at a time: after each accepted pair,
/// or all at the end.
std::string private_tallies(Caption& caption) {
  constexpr int threads = 4, pairs = 24, numbers = 12;
  caption = {
      "Private counts: no waiting between pairs",
      "Timelines of four threads: each addition to the common result waits for other threads' additions; "
      "with private counts all threads work, and add at the end.",
      ""};
  TimelineDrawing d{caption, {}, "Blue: pairs. Orange: atomics. Hatched: waiting."};
  TimelineDrawing::Panel shared{"g1: all count in the result", {}, {}},
      own{"g2: each thread counts for itself", {}, {}};
  for (int t = 0; t < threads; ++t)
    shared.rows.push_back(fmt::format("thread {}", t)), own.rows.push_back(fmt::format("thread {}", t));
  double ready[threads] = {}, free = 0;
  int done[threads] = {};
  for (int all = 0; all < threads * pairs; ++all) {
    int t = 0;  // the thread that is ready first, and has pairs left
    for (int other = 1; other < threads; ++other)
      if (done[t] == pairs || (done[other] < pairs && ready[other] < ready[t])) t = other;
    const double worked = ready[t] + 1, begin = std::max(worked, free);
    shared.bars.push_back({t, ready[t], worked, 0});
    ready[t] = worked;
    if (done[t]++ % 4 == 3) continue;  // rejected, like one pair in four or five
    if (begin > worked) shared.bars.push_back({t, worked, begin, 3});
    shared.bars.push_back({t, begin, begin + 1, 1});
    ready[t] = free = begin + 1;
  }
  double number_free[numbers] = {};
  for (int t = 0; t < threads; ++t) {
    own.bars.push_back({t, 0, pairs, 0});
    double at = pairs;
    for (double& taken : number_free) {
      if (taken > at) own.bars.push_back({t, at, taken, 3});
      at = std::max(at, taken);
      own.bars.push_back({t, at, at + 1, 1});
      taken = ++at;
    }
  }
  d.panels = {shared, own};
  return drawn(d);
}

/// Columns 0 and 1 of the lesson's example, whose tiles below the diagonal are in rows 4 and 6. Stated costs:
/// 10 us for a copy, 1 us for a factorisation on the host, 4 us for a call.
struct TileStreams {
  static constexpr double copy = 10, potrf = 1, call = 4;
  TimelineDrawing::Panel panel;
  bool many;                                         ///< a stream for each row; else one
  std::map<int, double> free{};                      ///< of each stream
  std::map<std::pair<int, int>, double> finished{};  ///< of each tile that is a factor
  double host = 0;                                   ///< when the host goes on

  int stream_of(int row) const { return !many ? 0 : row < 2 ? row : row / 2; }

  /// The diagonal tile goes to the host and back; the host waits for the first half.
  void diagonal(int k) {
    const int stream = stream_of(k);
    const double start = std::max(host, free[stream]), end = start + 2 * copy + potrf;
    panel.bars.push_back({stream, start, end, 1});
    host = start + copy + potrf;
    free[stream] = finished[{k, k}] = end;
  }

  /// A call that changes a tile of row i in column j, after tile (row, column) of another row is finished.
  void issue(int i, int row, int column, int kind) {
    const int stream = stream_of(i);
    const double ready = std::max(free[stream], finished[{row, column}]);
    if (ready > free[stream]) panel.bars.push_back({stream, free[stream], ready, 3});
    panel.bars.push_back({stream, ready, ready + call, kind});
    free[stream] = ready + call;
    if (kind == 0) finished[{i, column}] = free[stream];
  }
};

std::string streams_of_rows(Caption& caption) {
  caption = {
      "A call waits only for the tiles it reads",
      "Timelines of the calls of two columns: in one stream one after another; in a stream for each row of "
      "tiles the columns' calls run at the same time.",
      ""};
  TimelineDrawing d{caption,
                    {},
                    "Orange: a diagonal tile goes to the host, is factorised and returns. Blue: solves. "
                    "Green: updates. Hatched: waiting for a tile of another row. Lengths: stated costs."};
  for (const bool many : {false, true}) {
    TileStreams streams{{many ? "g3: a stream per row of tiles" : "g2: one stream", {"all rows"}, {}}, many};
    if (many) streams.panel.rows = {"row 0", "row 1", "row 4", "row 6"};
    for (const int k : {0, 1}) {
      streams.diagonal(k);
      for (const int i : {4, 6}) streams.issue(i, k, k, 0);
      for (const int j : {4, 6})
        for (int i = j; i <= 6; i += 2) streams.issue(i, j, k, 2);
    }
    d.panels.push_back(streams.panel);
  }
  return drawn(d);
}

}  // namespace

std::vector<DrawingMaker> time_drawings() {
  return {
      {"03-dgemm", "g7-timeline", copies_and_kernels},
      {"03-dgemm", "t2-stages", staged_parts},
      {"04-cholesky", "g4-timeline", copied_columns},
      {"03-dgemm", "g5-buffers", copied_parts},
      {"04-cholesky", "g3-streams", streams_of_rows},
      {"05-npb-ep", "g2-counts", private_tallies},
      {"03-dgemm", "g6-operands", operands_ahead},
      {"07-npb-is", "g2-look-back", looked_back},
      {"09-npb-mg", "v-cycle", v_cycle},
  };
}

}  // namespace ladder::report
