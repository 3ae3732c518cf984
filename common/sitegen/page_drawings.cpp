/// @file
/// The drawings of the rungs: what each lane accesses, from the index formulas of the rung.

#include "common/sitegen/page_drawings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/report/figures/drawing_figures.hpp"
#include "common/sitegen/page_parts.hpp"

namespace ladder::report {
namespace {

/// What the 32 lanes of a warp access, by lane.
template <typename Of>
std::vector<int> by_lane(Of of, int lanes = 32) {
  std::vector<int> all;
  for (int lane = 0; lane < lanes; ++lane) all.push_back(of(lane));
  return all;
}

std::string transpose_sectors(Caption& caption) {
  constexpr int row = 8;  // floats of a row
  caption = {"Neighbours fill their sectors",
             "One ruler of addresses four times: what 32 lanes touch when they read neighbours, the same one "
             "float later, every second float, and a column.",
             ""};
  SectorDrawing d{
      caption, 4, {}, "Rows of A have 8 floats here; in longer ones the sectors are further apart."};
  d.panels = {{"neighbours", by_lane([](int i) { return 4 * i; })},
              {"… one float later: misaligned", by_lane([](int i) { return 4 * (i + 1); })},
              {"every second float: strided", by_lane([](int i) { return 4 * 2 * i; })},
              {"a column of A", by_lane([](int i) { return 4 * row * i; })}};
  return drawn(d);
}

std::string product_sectors(Caption& caption) {
  constexpr int lda = 4;  // doubles of a row
  caption = {"What a warp loads for one p",
             "One ruler of addresses for each load: with col along the lanes B's sectors are used whole; "
             "with row along the lanes each lane needs a sector of A.",
             ""};
  SectorDrawing d{
      caption, 8, {}, "Rows of A have 4 doubles here; in longer ones the sectors are further apart."};
  d.panels = {{"col = lane: B[p][col]", by_lane([](int i) { return 8 * i; })},
              {"col = lane: A[row][p]", by_lane([](int) { return 0; })},
              {"row = lane: A[row][p]", by_lane([](int i) { return 8 * lda * i; })},
              {"row = lane: B[p][col]", by_lane([](int) { return 0; })}};
  return drawn(d);
}

std::string padded_banks(Caption& caption) {
  caption = {"One more word per row: a diagonal",
             "A grid of 32 lanes by 32 banks, twice: a column of a tile with rows of 32 words lies in one "
             "bank, with rows of 33 words in all of them.",
             ""};
  BankDrawing d{caption, 1, {}, "Each lane reads column 0 of its row."};
  d.panels = {{"tile[32][32]", by_lane([](int i) { return 32 * i; })},
              {"tile[32][33]", by_lane([](int i) { return 33 * i; })}};
  return drawn(d);
}

std::string threads_of_blocks(Caption& caption) {
  constexpr int width = 8, elements = 29;
  caption = {"A thread for each element, and some left over",
             "Threads of four blocks in a row, each with one element of the array; the last threads of the "
             "last block are past its end and hatched.",
             ""};
  constexpr int blocks = (elements + width - 1) / width;
  std::string row;
  for (int i = 0; i < blocks * width; ++i) {
    if (i > 0 && i % width == 0) row += ' ';
    row += i < elements ? '#' : '/';
  }
  MatrixDrawing d{caption, {{fmt::format("blocks of {} threads, {} elements", width, elements), {row}}}, ""};
  d.words = "Blue: a thread that has an element. Hatched: a thread past the end, which must touch nothing.";
  return drawn(d);
}

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

/// One lane of an element each, or first the elements that have work.
std::string compacted_warps(Caption& caption) {
  constexpr int warps = 12, lanes = 32;
  caption = {"Collected first, bright elements fill whole warps",
             "Lanes of 12 warps, twice: bright elements are scattered and the other lanes wait for them; "
             "collected in a list they fill the first warps.",
             ""};
  std::vector<std::string> before(warps, std::string(lanes, '/')), after(warps, std::string(lanes, '.'));
  int listed = 0;
  for (int i = 0; i < warps * lanes; ++i) {
    const unsigned mixed = static_cast<unsigned>(i + 1) * 2654435761u;  // scattered, as in an image
    if ((mixed >> 16) % 10 != 0) continue;
    before[static_cast<std::size_t>(i / lanes)][static_cast<std::size_t>(i % lanes)] = '#';
    after[static_cast<std::size_t>(listed / lanes)][static_cast<std::size_t>(listed % lanes)] = '#';
    ++listed;
  }
  for (int rest = listed; rest % lanes != 0; ++rest)
    after[static_cast<std::size_t>(rest / lanes)][static_cast<std::size_t>(rest % lanes)] = '/';
  return drawn(MatrixDrawing{caption,
                             {{"an element per lane", before}, {"a list of the bright ones", after}},
                             "A row is a warp. Blue: a lane softens an element. Hatched: it waits for those. "
                             "Empty: the warp has nothing to do."});
}

/// Cells of a square, each by its row and column.
template <typename Of>
std::vector<std::string> square(int n, Of of) {
  std::vector<std::string> rows;
  for (int i = 0; i < n; ++i) {
    std::string& row = rows.emplace_back();
    for (int j = 0; j < n; ++j) row += of(i, j);
  }
  return rows;
}

std::string shared_tiles(Caption& caption) {
  constexpr int n = 16, T = 4, rows_of = 1, columns_of = 2, pass = 1;
  caption = {"A block loads two tiles, and all its threads use them",
             "Matrices A, B and C: the block's tile of C needs a strip of rows of A and a strip of columns "
             "of B; one tile of each is in shared memory.",
             ""};
  const auto tile = [](int i, int index) { return i / T == index; };
  MatrixDrawing d{caption,
                  {},
                  "Orange: the C of one block. Light: what it needs in all. Dark: in shared memory in this "
                  "pass, loaded once for all threads of the block."};
  d.panels = {
      {"A", square(n, [&](int i, int p) { return !tile(i, rows_of) ? '.'
                                                 : tile(p, pass)   ? '#'
                                                                   : '+'; })},
      {"B", square(n, [&](int p, int j) { return !tile(j, columns_of) ? '.'
                                                 : tile(p, pass)      ? '#'
                                                                      : '+'; })},
      {"C", square(n, [&](int i, int j) { return tile(i, rows_of) && tile(j, columns_of) ? 'o' : '.'; })}};
  return drawn(d);
}

/// What a thread reads for one p, on the left of and above the sums that need it.
std::vector<std::string> sums(int rows, int columns) {
  std::vector<std::string> cells{"  " + std::string(static_cast<std::size_t>(columns), 'o'), ""};
  for (int i = 0; i < rows; ++i) cells.push_back("o " + std::string(static_cast<std::size_t>(columns), '#'));
  return cells;
}

std::string register_tile(Caption& caption) {
  caption = {"A square of sums shares its loads in both directions",
             "One value of p in one thread, three times: one sum, a row of 8 sums and a square of 8 by 8 "
             "sums, with the values of A and B that each loads.",
             ""};
  return drawn(MatrixDrawing{caption,
                             {{"1 sum", sums(1, 1)}, {"a row of 8", sums(1, 8)}, {"8 x 8", sums(8, 8)}},
                             "Orange: loaded from shared memory, a on the left, b above. Blue: a sum in a "
                             "register, with one multiply-add."});
}

std::string elimination_steps(Caption& caption) {
  constexpr int n = 16, width = 4;
  caption = {"A panel, the strip next to it, and the rest",
             "The matrix in three steps: a panel of columns is eliminated, the strip to its right is solved, "
             "and the rest is updated by a product.",
             ""};
  MatrixDrawing d{caption,
                  {},
                  "Orange: the panel. Light: the strip of rows next to it. Dark: the rest, updated by a "
                  "product of the two. Empty: finished."};
  for (int step = 0; step < 3; ++step)
    d.panels.push_back({fmt::format("step {}", step), square(n, [&](int i, int j) {
                          const int from = step * width, to = from + width;
                          if (i < from || j < from) return '.';
                          return j < to ? 'o' : i < to ? '+' : '#';
                        })});
  return drawn(d);
}

std::string eager_elimination(Caption& caption) {
  constexpr int n = 6;
  caption = {"Fewer elements are left in each step",
             "Work-items of an update of a 6 by 6 matrix in five steps: blue ones change an element, the "
             "hatched ones subtract zero, and their number grows.",
             ""};
  MatrixDrawing d{caption,
                  {},
                  "Blue: a work-item that changes its element. Hatched: one that subtracts zero. g5 starts "
                  "both, g6 only the blue ones."};
  for (int step = 0; step < n - 1; ++step)
    d.panels.push_back({fmt::format("step {}", step),
                        square(n, [&](int i, int j) { return i > step && j > step ? '#' : '/'; })});
  return drawn(d);
}

/// Where the operands of one tensor operation on doubles are: lane = 4 g + t.
std::string fragments(Caption& caption) {
  constexpr int lane = 13;
  caption = {"What lane 13 holds of A, B and C",
             "Cells of a 16 by 8 part of A, an 8 by 8 part of B and a 16 by 8 part of C: those that lane 13 "
             "holds in registers, and those of the lanes with the same g.",
             ""};
  std::vector<std::string> a(16, std::string(8, '.')), b(8, std::string(8, '.')), c(16, std::string(8, '.'));
  for (int t = 0; t < 4; ++t)
    for (int e = 0; e < 4; ++e) {
      const int g = lane / 4;
      const char mark = t == lane % 4 ? 'o' : '+';
      const auto at = [](int i) { return static_cast<std::size_t>(i); };
      a[at(g + 8 * (e % 2))][at(t + 4 * (e / 2))] = mark;
      c[at(g + 8 * (e / 2))][at(2 * t + e % 2)] = mark;
      if (e < 2) b[at(t + 4 * e)][at(g)] = mark;
    }
  return drawn(MatrixDrawing{caption,
                             {{"A", a}, {"B", b}, {"C", c}},
                             "Orange: in registers of lane 13, where g = 3 and t = 1. Light: of lanes 12, 14 "
                             "and 15, which have the same g."});
}

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

std::string row_sectors(Caption& caption) {
  constexpr int first = 3;  // i + 1, where i is not just before a multiple of 4
  caption = {"From a multiple of 4 on, sectors are used whole",
             "One ruler of addresses twice: 32 doubles of a row that begin inside a sector, and 32 that "
             "begin with one.",
             ""};
  SectorDrawing d{caption, 8, {}, ""};
  d.panels = {{"g6: from column i + 1 on", by_lane([](int i) { return 8 * (first + i); })},
              {"g7: from a multiple of 64 on", by_lane([](int i) { return 8 * i; })}};
  return drawn(d);
}

std::string line_sectors(Caption& caption) {
  constexpr int nx = 2;  // numbers along x
  caption = {"Lines along x: exchange x and y first",
             "One ruler of addresses twice: element j of 32 neighbouring lines along x in the order z, y, x, "
             "and in the order z, x, y.",
             ""};
  SectorDrawing d{
      caption, 16, {}, "Lines have 2 numbers here; in longer ones the sectors are further apart."};
  d.panels = {{"order [z][y][x]", by_lane([](int i) { return 16 * nx * i; })},
              {"order [z][x][y]", by_lane([](int i) { return 16 * i; })}};
  return drawn(d);
}

std::string swizzled_banks(Caption& caption) {
  constexpr int row_words = 256, pair_words = 4;  // 128 doubles
  caption = {"Swizzled, eight lanes use all banks once",
             "A grid of 8 lanes by 32 banks, twice: lanes read pairs 0 and 1 of rows 0, 2, 4 and 6, which "
             "meet in the same banks unless pairs are exchanged.",
             ""};
  const auto row = [](int lane) { return 2 * (lane % 4); };
  BankDrawing d{caption, pair_words, {}, "A lane reads two doubles, 4 words."};
  d.panels = {
      {"as in t2", by_lane([&](int i) { return row(i) * row_words + pair_words * (i / 4); }, 8)},
      {"swizzled", by_lane([&](int i) { return row(i) * row_words + pair_words * ((i / 4) ^ row(i)); }, 8)}};
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

/// The rest of the matrix for two pivots, each in a sweep of its own, or both in one.
std::string swept_pivots(Caption& caption) {
  constexpr int n = 10;
  caption = {"Two pivots share one sweep over the rest",
             "A matrix three times: what the sweep of the first pivot changes, what that of the second one "
             "changes, and one sweep that subtracts multiples of both rows.",
             ""};
  MatrixDrawing d{caption,
                  {},
                  "Orange: rows of pivots. Light: columns that hold the ratios. Dark: loaded, changed and "
                  "stored in this sweep. Empty: finished."};
  const auto sweep = [&](const std::string& label, int first, int pivots) {
    d.panels.push_back({label, square(n, [&](int i, int j) {
                          const int rest = first + pivots;
                          if (i < first || j < first) return '.';
                          return i < rest ? 'o' : j < rest ? '+' : '#';
                        })});
  };
  sweep("one pivot", 0, 1);
  sweep("the next one", 1, 1);
  sweep("both", 0, 2);
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

struct Drawn {
  const char *lesson, *name;
  std::string (*make)(Caption& caption);
};

constexpr Drawn drawings[] = {
    {"00-first-steps", "g1-threads", threads_of_blocks},
    {"00-first-steps", "g3-sectors", transpose_sectors},
    {"00-first-steps", "g4-banks", padded_banks},
    {"00-first-steps", "g5-tree", tree_of_sum},
    {"00-first-steps", "g6-shuffles", shuffled_sum},
    {"00-first-steps", "g8-scan", scan_over_lanes},
    {"00-first-steps", "g9-warps", compacted_warps},
    {"01-lu", "g6-steps", eager_elimination},
    {"01-lu", "g7-sectors", row_sectors},
    {"01-lu", "g8-steps", elimination_steps},
    {"02-gauss", "g9-sweeps", swept_pivots},
    {"02-gauss", "t1-steps", elimination_steps},
    {"03-dgemm", "g1-sectors", product_sectors},
    {"03-dgemm", "g2-tiles", shared_tiles},
    {"03-dgemm", "g3-registers", register_tile},
    {"03-dgemm", "g6-timeline", copies_and_kernels},
    {"03-dgemm", "t1-fragments", fragments},
    {"03-dgemm", "t2-stages", staged_parts},
    {"03-dgemm", "t3-banks", swizzled_banks},
    {"04-cholesky", "g4-timeline", copied_columns},
    {"06-npb-ft", "g2-sectors", line_sectors},
    {"06-npb-ft", "g6-butterflies", butterflies},
};

}  // namespace

std::vector<RungDrawing> rung_drawings() {
  std::vector<RungDrawing> all;
  for (const Drawn& d : drawings) {
    RungDrawing& one = all.emplace_back(RungDrawing{d.lesson, d.name, {}, ""});
    one.svg = d.make(one.caption);
  }
  return all;
}

std::vector<std::string> PartMaker::drawing(const std::string& page, const std::string& lesson,
                                            const std::string& name) {
  for (const Drawn& d : drawings)
    if (lesson == d.lesson && name == d.name) {
      Caption caption;
      const std::string svg = d.make(caption);
      return {
          shown(page, fmt::format("lessons/{}/figures/draw-{}.svg", lesson, name), svg, caption.alternative)};
    }
  throw UnknownPart(fmt::format("no drawing {} of {}: they are listed in page_drawings.cpp", name, lesson));
}

}  // namespace ladder::report
