#pragma once
/// @file
/// Rare passages that two works share: what is made of the runs of equal tokens that sim_c++ finds. Starts
/// nothing.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ladder {

/// Lines of one file that are like lines of another.
struct Run {
  std::string file, other;  ///< as they were called
  int first = 0, last = 0;
  int other_first = 0, other_last = 0;
};

/// Reads what `sim_c++ -n` prints; each run in both directions.
std::vector<Run> read_runs(const std::string& printed);

/// One step's file of a work.
struct StepText {
  std::size_t work = 0;  ///< whose
  std::string text;
};

/// A passage that two works share in one step: beyond the references, and rare.
struct Passage {
  std::string step;  ///< "03/g2"
  std::size_t a = 0, b = 0;
  std::vector<int> lines, other_lines;  ///< of their files: those that no reference has
  int code = 0;                         ///< lines of code of the shorter file
};

/// Fewest lines of code of a passage.
inline constexpr std::size_t fewest_lines = 4;

/// What is reported of a class. Homework of fewer rungs needs fewer steps, and then three friends are no
/// crowd.
struct Rarity {
  std::size_t steps = 3;  ///< of a pair, at least
  std::size_t sharers =
      2;  ///< of a passage, always; more than these only where they are fewer than one in twenty
};

/// How many steps a pair must share (--steps): of homework of one or two rungs one is enough.
inline Rarity rarity_of(std::size_t steps) {
  return {.steps = steps, .sharers = steps < 3 ? std::size_t{4} : std::size_t{2}};
}

/// The passages of one step.
/// @param files  by the name that runs call them; those that are no work's are references
/// @param works  how many submissions there are, the first ones; others are only compared with
std::vector<Passage> rare_passages(const std::string& step, const std::map<std::string, StepText>& files,
                                   const std::vector<Run>& runs, std::size_t works,
                                   const Rarity& rarity = {});

/// Two works with passages in as many steps as that, of which one is not short.
struct Pair {
  std::size_t a = 0, b = 0;
  std::vector<Passage> passages;
  std::size_t lines() const;
};

/// What is reported: most lines first.
std::vector<Pair> pairs_of(const std::vector<Passage>& passages, const Rarity& rarity = {});

}  // namespace ladder
