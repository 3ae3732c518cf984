#include "common/tool/uid_block.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/tool/names.hpp"

namespace ladder {

UidBlock::UidBlock() {
  constexpr unsigned lowest = 61000, blocks = 4;  // a container often maps 65,536 numbers only
  for (unsigned block = 0; block < blocks; ++block) {
    const std::string file = fmt::format("/run/gpu-ladder-uids.{}", block);
    lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock_ < 0) throw UsageError{fmt::format("cannot lock {}: {}", file, std::strerror(errno))};
    first_ = lowest + block * size;
    if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(lock_);
  }
  throw UsageError{fmt::format("{} batches are graded on this machine already: wait for one", blocks)};
}

UidBlock::~UidBlock() { ::close(lock_); }

}  // namespace ladder
