#pragma once
/// @file
/// The order of a compiled function's code: which of a warp's lanes goes first after they have diverged.

#include <cstdint>
#include <vector>

namespace ladder::executor {

/// The blocks of a function in an order where each block comes after those that lead to it, and the blocks of
/// a loop are contiguous, however the compiler laid them out. Lanes that go first in this order wait for the
/// others where branches join, and before a loop's next iteration.
///
/// A loop is a set of blocks in which each can be reached from each other one. Its inner loops are the loops
/// that remain when the blocks by which it is entered are removed. Source: P. Havlak, Nesting of Reducible
/// and Irreducible Loops, 1997.
class ControlFlow {
 public:
  /// Of the function that contains this code address. Addresses are return addresses of hooks, less the
  /// program's base. Any thread may call it; the result lives to the end of the process.
  static const ControlFlow& around(std::uint32_t place);

  bool holds(std::uint32_t place) const { return place - 1 - begin_ < block_of_.size(); }

  /// The turn of a lane that goes from one address of the function to another: smaller turns go first. A lane
  /// that jumps back in a loop has its turn after all of that loop.
  std::uint32_t turn(std::uint32_t from, std::uint32_t to) const;

 private:
  static constexpr int none = -1;
  struct Block {
    std::vector<std::size_t> next{}, before{};
    int loop = none;  ///< the innermost one
    std::uint32_t turn = 0;
  };
  struct Loop {
    int outer;
    std::vector<std::size_t> members;
    std::vector<bool> entered;     ///< of all blocks: whether the loop is entered there
    std::uint32_t next_round = 0;  ///< turn of lanes that jump back
  };

  ControlFlow(std::uint32_t begin, std::uint32_t end);
  void read(std::uint32_t begin, std::uint32_t end);
  std::vector<bool> reached(std::size_t from, std::vector<std::size_t> Block::*edges,
                            const std::vector<bool>& inside) const;
  void nest(const std::vector<std::size_t>& some, int outer);
  std::size_t item_of(std::size_t block, int loop) const;
  void put_in_order(const std::vector<std::size_t>& some, int loop);

  std::uint32_t begin_;
  std::vector<Block> blocks_;            // by address; the first is the function's entry
  std::vector<std::uint32_t> block_of_;  // of each byte
  std::vector<Loop> loops_;
  std::uint32_t turns_ = 0;
};

}  // namespace ladder::executor
