#include "explain.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/text/numbers.hpp"

namespace first_steps::test {
namespace {

bool in_group(const Case& c, std::string_view group) {
  return c.group == group;
}

/// Something was never stored. Where that is all, the judge says so.
void explain_untouched(std::vector<Detail>& out, Wanted wanted, bool all) {
  const std::string where = wanted == Wanted::histogram  ? "count is full of 4,294,967,295 (all bits set)"
                            : wanted == Wanted::places   ? "place is full of -1 (all bits set)"
                            : wanted == Wanted::row_sums ? "sum is full of NaN"
                                                         : "B is full of NaN";
  if (!all) out.emplace_back("What happened", where + " before the call, and some elements still hold that.");
  out.emplace_back("Think",
                   all ? "Did the kernel run, and does its result come to where the caller looks for it?"
                       : "Which thread should store this element? Is there one?");
}

/// Whole blocks were right, the last one that is only partly inside was not.
void explain_tails(std::vector<Detail>& out, const std::vector<Case>& right, const Case& wrong) {
  const bool whole =
      std::any_of(right.begin(), right.end(), [](const Case& c) { return in_group(c, "general"); });
  if (!in_group(wrong, "tails") || !whole) return;
  out.emplace_back("What happened", "Images that are divided into whole blocks were right. In " +
                                        name(wrong) + " the last block reaches over the edge.");
  out.emplace_back("Think",
                   "What do its threads do that have no element? Is there a block for every element?");
}

void explain_transposed(std::vector<Detail>& out, const Comparison& result) {
  if (!result.copied) return;
  out.emplace_back("What happened", "B holds A as it was: nothing changed places.");
  out.emplace_back(
      "Think", "B[j][i] is to be A[i][j]. Where does the tile's row go, and where does the tile itself go?");
}

void explain_sums(std::vector<Detail>& out, const Case& wrong, const Comparison& result) {
  if (result.first_block_only) {
    out.emplace_back("What happened", "The sums are those of the first 256 elements of each row.");
    out.emplace_back("Think", "A row has more elements than the block has threads. Who adds element 256?");
  } else if (std::isnan(result.got) && !result.untouched) {
    out.emplace_back(
        "Where NaN is from",
        "On the executor shared memory is full of NaN until it is written: a thread read an element that "
        "nobody had loaded yet.");
    out.emplace_back("Think",
                     "Which barrier is between writing an element of the shared array and reading it?");
  } else if (result.error > 1e5 && result.error < 1e10 && !wrong.asks.compensated) {
    out.emplace_back("What happened",
                     "About 7 digits are right: what single precision keeps. Double keeps 16.");
  } else if (in_group(wrong, "general")) {
    out.emplace_back(
        "Think",
        "Follow one number of the row: which thread reads it, where is it added, and could it be "
        "overwritten, left out or added twice?");
  }
}

void explain_counts(std::vector<Detail>& out, const std::vector<Case>& right, const Case& wrong,
                    const Comparison& result) {
  constexpr double of_a_block = 16384;
  const auto elements_of = [](const Case& c) { return double(c.rows) * c.columns; };
  const double elements = elements_of(wrong);
  const bool one_block_right =
      std::any_of(right.begin(), right.end(), [&](const Case& c) { return elements_of(c) <= of_a_block; });
  const std::string counted = "The counts add up to " + ladder::grouped(result.counted) + "; the image has " +
                              ladder::grouped(elements) + " elements. ";
  if (result.one_too_low_from >= 0) {
    const std::string which =
        result.one_too_low_from == 0
            ? "Every count"
            : "From count[" + std::to_string(result.one_too_low_from) + "] on every count";
    out.emplace_back("What happened",
                     which + " is one too low. Before the call all bits of count were set: as a number, -1.");
    out.emplace_back("Think", result.one_too_low_from == 0
                                  ? "What was in the histogram before the first count?"
                                  : "How many bytes of the histogram were set to zero, and how many has it?");
  } else if (result.counted < elements) {
    out.emplace_back("What happened", counted + "Some were not counted, or their count was lost.");
    out.emplace_back(
        "Think",
        "Two threads that read 7, add one and store 8 have counted once. Which element might nobody have "
        "looked at, which count might have been set to zero or read too early?");
  } else if (result.counted > elements) {
    out.emplace_back("What happened", counted + "Something was counted that is not there, or counted twice.");
    out.emplace_back("Think",
                     "What was in the histogram before the first count? Whose elements does a block count?");
  } else if (elements > of_a_block && one_block_right) {
    out.emplace_back(
        "What happened",
        counted +
            "As many were counted, but perhaps some twice and others not: an image that one block "
            "counts alone was right.");
    out.emplace_back("Think", "Which element does thread 0 of block 1 look at first?");
  } else {
    out.emplace_back("What happened", counted + "Each was counted, but not in its bin.");
    out.emplace_back("Think", "Bin b has the elements from b / 256 up to, but without, (b + 1) / 256.");
  }
}

void explain_places(std::vector<Detail>& out, const Case& wrong, const Comparison& result) {
  if (in_group(wrong, "at the limit")) {
    // Whoever scans wrongly has failed in an image without such elements before.
    out.emplace_back("Think", "An element is bright if A[i][j] >= limit. What if the two are equal?");
  } else if (result.inclusive) {
    out.emplace_back("What happened", "Each place counts its own element, too.");
    out.emplace_back("Think", "The first bright element of a row has none before it. What is its place?");
  } else if (result.first_wrong_column >= 256) {
    out.emplace_back("What happened",
                     "The first 256 places of every row are right, what comes after is not.");
    out.emplace_back("Think",
                     "What must a sweep know of the sweeps before it? Could a fast warp have begun with the "
                     "next sweep too early?");
  } else if (result.first_wrong_column >= 32) {
    out.emplace_back("What happened", "The first 32 places of every row are right: those of the first warp.");
    out.emplace_back("Think", "How do the other warps learn what is before them, and when is that there?");
  } else if (in_group(wrong, "general")) {
    out.emplace_back("Think",
                     "Follow the first bright element of a row: which lane has it, and which lanes' numbers "
                     "does it change?");
  }
}

void explain_softened(std::vector<Detail>& out, const Case& wrong, const Comparison& result) {
  if (result.dark_changed > 0) {
    out.emplace_back("What happened",
                     ladder::grouped(double(result.dark_changed)) +
                         " elements are not bright, and still they are not as they were in A.");
    out.emplace_back("Think", "Which index is in the list: that of the element, and of which array?");
  } else if (result.not_softened > 0) {
    out.emplace_back("What happened", ladder::grouped(double(result.not_softened)) +
                                          " bright elements are as they were in A.");
    out.emplace_back("Think",
                     in_group(wrong, "at the limit")
                         ? "An element is bright if A[i][j] >= limit. What if the two are equal?"
                         : "Did they come into the list? Did another one take their place in it? And did a "
                           "thread come to every entry of the list, also if it is long?");
  }
}

}  // namespace

std::string describe(const Problem& p, const Comparison& result) {
  if (result.right()) return "";
  return std::to_string(result.wrong) + " of " + std::to_string(result.of) + " wrong, first " +
         element_name(p, result.first) + ": " + ladder::difference(result.expected, result.got);
}

std::vector<Detail> explain(const std::vector<Case>& right, const Case& wrong, const Comparison& result) {
  std::vector<Detail> out;
  const Wanted wanted = wrong.asks.wanted;
  if (result.untouched && result.untouched_in_all == result.of) {
    explain_untouched(out, wanted, true);
    return out;
  }
  if (wanted == Wanted::histogram) explain_counts(out, right, wrong, result);
  if (wanted == Wanted::row_sums) explain_sums(out, wrong, result);
  if (wanted == Wanted::transposed) explain_transposed(out, result);
  if (wanted == Wanted::places) explain_places(out, wrong, result);
  if (wanted == Wanted::softened) explain_softened(out, wrong, result);
  if (result.untouched) explain_untouched(out, wanted, false);
  explain_tails(out, right, wrong);
  return out;
}

}  // namespace first_steps::test
