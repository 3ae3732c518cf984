#pragma once
/// @file
/// The tail effect of the grid-stride elimination: what waves and rounds alone say about a block count.

#include <vector>

namespace gauss::test {

/// Share of the places of a device that have work during an elimination of order n by rungs g2: block b
/// changes rows b, b + blocks, … below each pivot.
///
/// A wave of resident blocks takes as long as its block with the most rows; a row takes as long as it has
/// columns left; waves follow each other. Nothing else: a device whose memory is busy before all places are
/// taken saturates earlier.
/// @param resident  blocks that the whole device holds at once
/// @return above 0, at most 1; the speedup is proportional to it
double places_at_work(int n, int blocks, int resident);

/// Block counts to measure: a few below the first full wave, then each full wave, one block more, and what
/// lies between.
/// @param waves  full waves
std::vector<int> block_counts(int resident, int waves);

}  // namespace gauss::test
