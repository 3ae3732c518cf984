#include "common/tool/grading/grade_uids.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/files/file_lock.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace {

constexpr unsigned first_uid = 61000, block = 250,
                   blocks = 16;  // Debian's packages and accounts have none of them

/// Locks a block. A lane holds it too, so that it lasts until nothing of the batch is left. @return -1:
/// another batch has it
int locked(unsigned number) {
  for (const char* folder : {"/run", "/tmp"}) {
    const std::string name = fmt::format("{}/gpu-ladder-users-{}", folder, number);
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat facts {};
    if (file >= 0 && ::fstat(file, &facts) == 0 && facts.st_uid == 0) {
      if (try_lock(file, LOCK_EX)) return file;
      ::close(file);
      return -1;
    }
    if (file >= 0) ::close(file);
  }
  throw UsageError{"cannot reserve users for the submissions: no lock file can be made in /run or /tmp"};
}

/// The blocks that a batch may take: all, the highest first. A test that runs next to others names its own,
/// and looks afterwards at what these users have left (LADDER_USER_BLOCKS="0 1").
std::vector<unsigned> blocks_to_try() {
  std::vector<unsigned> numbers;
  const char* set = std::getenv("LADDER_USER_BLOCKS");
  std::istringstream words(set ? set : "");
  for (unsigned number; words >> number;)
    if (number < blocks) numbers.push_back(number);
  if (!set)
    for (unsigned number = blocks; number-- > 0;) numbers.push_back(number);
  return numbers;
}

}  // namespace

Uids::Uids(std::size_t count) {
  for (const unsigned number : blocks_to_try()) {
    if (free_.size() >= count) break;
    const int lock = locked(number);
    if (lock < 0) continue;
    locks_.push_back(lock);
    for (unsigned i = block; i-- > 0;) free_.push_back(first_uid + number * block + i);
  }
  if (free_.size() < count)
    throw UsageError{
        fmt::format("{} submissions, and {} users are free for them: use --shard, or wait for other batches",
                    count, free_.size())};
}

Uids::~Uids() {
  for (const int lock : locks_) ::close(lock);
}

unsigned Uids::next() {
  if (free_.empty()) throw UsageError{"no free user id for another submission: use --shard"};
  const unsigned uid = free_.back();
  free_.pop_back();
  return uid;
}

void hand_over(const std::filesystem::path& folder, unsigned uid) {
  if (uid == 0) return;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (::lchown(entry.path().c_str(), uid, uid) != 0)
      throw Error("cannot hand over " + entry.path().string());
  if (::chown(folder.c_str(), uid, uid) != 0) throw Error("cannot hand over " + folder.string());
}

}  // namespace ladder
