/// @file
/// Drawings of what is worked on: cells of matrices, of arrays, of warps.

#include <fmt/format.h>

#include <cmath>

#include "common/report/figures/drawing_figures.hpp"
#include "common/sitegen/drawings/drawings.hpp"

namespace ladder::report {
namespace {

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

/// What the three kernels of a step read and change, in the second panel.
std::string panel_kernels(Caption& caption) {
  constexpr int n = 16, width = 4, from = width, to = from + width;
  caption = {
      "Three launches eliminate a whole panel",
      "A matrix three times: one kernel changes a panel of columns, one swaps rows on both sides of it and "
      "solves the strip on the right, one updates the rest.",
      ""};
  const auto panel = [](int k) { return k >= from && k < to; };
  MatrixDrawing d{
      caption,
      {},
      "Dark: changed. Orange: read. Light: rows are swapped as in the panel. Empty: not touched. The "
      "rest changes once for all columns of the panel."};
  d.panels = {{"eliminate_panel", square(n, [&](int i, int j) { return i >= from && panel(j) ? '#' : '.'; })},
              {"swap_and_solve", square(n,
                                        [&](int i, int j) {
                                          if (i < from || (panel(j) && i >= to)) return '.';
                                          return panel(j) ? 'o' : panel(i) && j >= to ? '#' : '+';
                                        })},
              {"update_trailing", square(n, [&](int i, int j) {
                 if (i < from || j < from || (i < to && j < to)) return '.';
                 return i >= to && j >= to ? '#' : 'o';
               })}};
  return drawn(d);
}

/// Rows of the pivots of n x columns entries: the largest of each column among the rows that have none yet.
std::vector<bool> rows_of_pivots(int n, int columns) {
  std::vector<std::vector<double>> a;
  for (int i = 0; i < n; ++i) {
    auto& row = a.emplace_back();
    for (int k = 0; k < columns; ++k)
      row.push_back((5 * i + 11 * k + 3 * i * k + 2) % 17 - 8);  // some numbers
  }
  std::vector<bool> chosen(a.size());
  for (std::size_t k = 0; k < static_cast<std::size_t>(columns); ++k) {
    std::size_t best = a.size();
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!chosen[i] && (best == a.size() || std::abs(a[i][k]) > std::abs(a[best][k]))) best = i;
    chosen[best] = true;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = a[i].size(); !chosen[i] && j-- > k;) a[i][j] -= a[i][k] / a[best][k] * a[best][j];
  }
  return chosen;
}

std::string pivots_of_panel(Caption& caption) {
  constexpr int n = 16, width = 4, block = 4;
  caption = {
      "A panel chooses pivots for one sweep",
      "A matrix three times: rows of the panel in registers of several blocks, with the pivots anywhere; "
      "their rows at the top; and one update of all that is left.",
      ""};
  MatrixDrawing d{
      caption,
      {},
      "Orange: rows of pivots. 1: dark and light, rows in the registers of different blocks. 3: light, "
      "the ratios; dark, changed once for all pivots of the panel."};
  const auto pivots = rows_of_pivots(n, width);
  d.panels = {
      {"1 panel", square(n,
                         [&](int i, int j) {
                           if (j >= width) return '.';
                           return pivots[static_cast<std::size_t>(i)] ? 'o' : i / block % 2 == 0 ? '#' : '+';
                         })},
      {"2 exchange", square(n, [&](int i, int) { return i < width ? 'o' : '.'; })},
      {"3 update", square(n, [&](int i, int j) { return i < width   ? 'o'
                                                        : j < width ? '+'
                                                                    : '#'; })}};
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

/// What the first request of a warp loads of A's part: neighbours of a row per lane.
std::string vector_loads(Caption& caption) {
  constexpr int rows = 16, depth = 8, lanes = 32;
  caption = {
      "Half the requests for the same bytes",
      "Cells of a part of A with rows of 8 doubles, twice: a request with one double per lane loads four "
      "rows, a request with two doubles per lane eight.",
      ""};
  MatrixDrawing d{caption,
                  {},
                  "One request of a warp, for a part of A. Orange: lane 0; dark and light: the other lanes "
                  "in turn. Empty: other requests. The wait for each answer is as long as before."};
  for (const int width : {1, 2}) {  // elements per request of a lane
    std::vector<std::string> cells(rows, std::string(depth, '.'));
    for (int thread = 0; thread < lanes; ++thread)
      for (int e = thread * width; e < (thread + 1) * width; ++e)
        cells[static_cast<std::size_t>(e / depth)][static_cast<std::size_t>(e % depth)] = thread == 0 ? 'o'
                                                                                          : thread % 2 == 0
                                                                                              ? '#'
                                                                                              : '+';
    d.panels.push_back({width == 1 ? "g3: double" : "g4: double2", cells});
  }
  return drawn(d);
}

/// Blocks in the places of a small device, one multiprocessor after the other.
std::string resident_blocks(Caption& caption) {
  constexpr int multiprocessors = 22, places = 16, all = multiprocessors * places;
  caption = {
      "As many blocks as the device has places",
      "Places for blocks of a device with 22 multiprocessors, three times: four blocks leave nearly all "
      "empty, a full grid none, and one more block nearly all of a second wave.",
      ""};
  MatrixDrawing d{caption,
                  {},
                  "A column is a multiprocessor, a cell a place for a block. Blue: a block. Empty: nothing "
                  "to do. 22 multiprocessors of 1,024 threads; M = 20."};
  const auto holding = [&](const std::string& label, int blocks) {
    std::vector<std::string> cells(places, std::string(multiprocessors, '.'));
    for (int block = 0; block < blocks; ++block)
      cells[static_cast<std::size_t>(block / multiprocessors)]
           [static_cast<std::size_t>(block % multiprocessors)] = '#';
    d.panels.push_back({label, cells});
  };
  holding("g4: 4 blocks", 4);
  holding(fmt::format("g5: {} blocks", all), all);
  holding(fmt::format("{}: wave 2", all + 1), 1);
  return drawn(d);
}

}  // namespace

std::vector<DrawingMaker> cell_drawings() {
  return {
      {"00-first-steps", "g1-threads", threads_of_blocks},
      {"00-first-steps", "g9-warps", compacted_warps},
      {"01-lu", "g6-steps", eager_elimination},
      {"01-lu", "g8-kernels", panel_kernels},
      {"02-gauss", "g9-sweeps", swept_pivots},
      {"02-gauss", "t1-pivots", pivots_of_panel},
      {"03-dgemm", "g2-tiles", shared_tiles},
      {"03-dgemm", "g3-registers", register_tile},
      {"03-dgemm", "t1-fragments", fragments},
      {"03-dgemm", "g4-pairs", vector_loads},
      {"05-npb-ep", "g5-places", resident_blocks},
  };
}

}  // namespace ladder::report
