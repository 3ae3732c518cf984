#pragma once
/// @file
/// The order of a compiled function's code: who of a warp's lanes goes first where they have parted.

#include <cstdint>
#include <vector>

namespace ladder::executor {

/// The blocks of a function in an order in which each stands behind those that lead to it, and each loop stands
/// together, however the compiler laid them out. Who goes first in this order waits for the others where branches join,
/// and before a loop's next round.
///
/// A loop is a set of blocks of which each can be reached from each other one; the loops in it are those that are left
/// without the blocks by which it is entered.
/// Source: P. Havlak, Nesting of Reducible and Irreducible Loops, 1997.
class Flow {
 public:
  /// Of the function with that place in it. Places are what hooks return to, less the program's base. Any thread may
  /// ask; what it gets stays.
  static const Flow& around(std::uint32_t place);

  bool holds(std::uint32_t place) const { return place - 1 - begin_ < block_of_.size(); }

  /// The turn of who was at one place of the function and comes to another: the smaller the sooner. Who goes back in a
  /// loop has it behind all of that loop.
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
    std::uint32_t next_round = 0;  ///< turn of who goes back
  };

  Flow(std::uint32_t begin, std::uint32_t end);
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
