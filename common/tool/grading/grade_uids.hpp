#pragma once
/// @file
/// Users for submissions: numbers that belong to nobody, each for one submission of one batch on this
/// machine.

#include <cstddef>
#include <filesystem>
#include <vector>

namespace ladder {

/// Numbers of users, in blocks that are locked: two batches on one machine would end each other's processes.
class Uids {
 public:
  /// @throws UsageError when so many are not free
  explicit Uids(std::size_t count);
  ~Uids();
  Uids(const Uids&) = delete;
  Uids& operator=(const Uids&) = delete;
  /// One that this batch has not used.
  unsigned next();

 private:
  std::vector<unsigned> free_;
  std::vector<int> locks_;
};

/// Gives a folder and all in it to a user; 0: to nobody else. @throws Error
void hand_over(const std::filesystem::path& folder, unsigned uid);

}  // namespace ladder
