/// @file
/// The drawings of the rungs: what each lane accesses, from the index formulas of the rung.

#include "common/sitegen/page_drawings.hpp"

#include <fmt/format.h>

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
  caption = {
      "What a warp loads for one p",
      "One ruler of addresses for each load: with col along the lanes B's sectors are used whole; with row "
      "along the lanes each lane needs a sector of A.",
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
             "A grid of 32 lanes by 32 banks, twice: a column of tile[32][32] lies in one bank, a column of "
             "tile[32][33] in all of them.",
             ""};
  BankDrawing d{caption, 1, {}, "Each lane reads column 0 of its row."};
  d.panels = {{"tile[32][32]", by_lane([](int i) { return 32 * i; })},
              {"tile[32][33]", by_lane([](int i) { return 33 * i; })}};
  return drawn(d);
}

struct Drawn {
  const char *lesson, *name;
  std::string (*make)(Caption& caption);
};

constexpr Drawn drawings[] = {
    {"00-first-steps", "g3-sectors", transpose_sectors},
    {"00-first-steps", "g4-banks", padded_banks},
    {"03-dgemm", "g1-sectors", product_sectors},
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
