#pragma once
/// @file
/// The users of one batch of submissions.

namespace ladder {

/// A thousand user numbers that no other batch on this machine has while this object or a process forked from here lives: at a
/// submission's end everything of its user is ended.
class UidBlock {
 public:
  static constexpr unsigned size = 1000;
  /// For root. @throws UsageError when other batches have all blocks
  UidBlock();
  ~UidBlock();
  UidBlock(const UidBlock&) = delete;
  UidBlock& operator=(const UidBlock&) = delete;
  unsigned first() const { return first_; }

 private:
  int lock_ = -1;
  unsigned first_ = 0;
};

}  // namespace ladder
