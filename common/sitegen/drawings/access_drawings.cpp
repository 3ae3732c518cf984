/// @file
/// Drawings of what each lane of a warp accesses: sectors of device memory, banks of shared memory.

#include "common/report/figures/drawing_figures.hpp"
#include "common/sitegen/drawings/drawings.hpp"

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

/// Element j of neighbouring lines, a line per lane: in the grid, and in workspace of n numbers for each
/// lane.
std::string lines_of_lanes(Caption& caption) {
  constexpr int lanes = 8, number = 16, n = 8;  // numbers of a line
  caption = {
      "Along x and in workspace, neighbouring lanes are far apart",
      "One ruler of addresses three times: what 8 lanes access of their lines along y or z, along x, and in "
      "workspace of their own.",
      ""};
  SectorDrawing d{caption,
                  number,
                  {},
                  "8 of a warp's 32 lanes; lines of 8 numbers here. In longer ones the sectors are further "
                  "apart."};
  d.counts = false;  // the page asks for them
  d.panels = {{"grid, a line along y or z per lane", by_lane([](int i) { return number * i; }, lanes)},
              {"grid, a line along x per lane", by_lane([](int i) { return number * n * i; }, lanes)},
              {"workspace, whatever the axis", by_lane([](int i) { return number * n * i; }, lanes)}};
  return drawn(d);
}

/// Entries of a sparse matrix in rows, and the elements of the vector that their columns name.
std::string entries_of_rows(Caption& caption) {
  constexpr int lanes = 8, number = 8, row = 15;  // entries of a row
  static constexpr int column[lanes] = {2, 19, 31, 48, 66, 83, 100, 117};
  caption = {"Lanes share a row: its entries are neighbours",
             "One ruler of addresses three times: the entries that lanes read with a row each, those that "
             "they read of one row, and the elements of the vector for these.",
             ""};
  SectorDrawing d{caption,
                  number,
                  {},
                  "Some lanes of a warp; rows of 15 entries here. In longer ones g1's are further apart."};
  d.counts = false;  // the page asks for them
  d.panels = {{"g1, a row per lane: values[k]", by_lane([](int i) { return number * row * i; }, lanes)},
              {"g2, a row per warp: values[k]", by_lane([](int i) { return number * i; }, lanes)},
              {"in both: v[columns[k]]", by_lane([](int i) { return number * column[i]; }, lanes)}};
  return drawn(d);
}

/// A row of a grid with a border of one point, and a column of it.
std::string points_of_lanes(Caption& caption) {
  constexpr int lanes = 8, number = 8, row = 14;  // 12 points and the border
  caption = {"Lanes along x share sectors",
             "One ruler of addresses twice: what 8 lanes load when their points are neighbours along x, and "
             "when they are neighbours along y.",
             ""};
  SectorDrawing d{caption, number, {}, "8 of a warp's 32 lanes; rows of 12 points and their border here."};
  d.counts = false;  // the page asks for them
  d.panels = {{"x = lane", by_lane([](int i) { return number * (i + 1); }, lanes)},
              {"y = lane", by_lane([](int i) { return number * (row * i + 1); }, lanes)}};
  return drawn(d);
}

}  // namespace

std::vector<DrawingMaker> access_drawings() {
  return {
      {"00-first-steps", "g3-sectors", transpose_sectors},
      {"00-first-steps", "g4-banks", padded_banks},
      {"01-lu", "g7-sectors", row_sectors},
      {"03-dgemm", "g1-sectors", product_sectors},
      {"03-dgemm", "t3-banks", swizzled_banks},
      {"06-npb-ft", "g2-sectors", line_sectors},
      {"06-npb-ft", "g1-lines", lines_of_lanes},
      {"08-npb-cg", "g2-entries", entries_of_rows},
      {"09-npb-mg", "g1-points", points_of_lanes},
  };
}

}  // namespace ladder::report
