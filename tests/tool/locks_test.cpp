/// @file
/// Who waits for whom: a batch that has built shares the build folder, and half-graded folders are not
/// exported.
// Guards: docs/grading.md#what-a-batch-does-when-something-goes-wrong

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>

#include "common/base/files/files.hpp"
#include "common/tool/build/build.hpp"
#include "common/tool/grading/grades_lock.hpp"
#include "tests/common/catch.hpp"

namespace ladder::locks_test {
namespace fs = std::filesystem;

namespace {

/// The descriptor in which ./ladder hands on its lock.
class ImportedSubmission {
 public:
  ImportedSubmission(const fs::path& file, int how) : before_(::dup(9)) {
    const int lock = ::open(file.c_str(), O_RDWR | O_CREAT, 0600);
    ::dup2(lock, 9);
    if (lock != 9) ::close(lock);
    ::flock(9, how);
  }
  ~ImportedSubmission() {
    ::close(9);
    if (before_ >= 0) ::dup2(before_, 9), ::close(before_);
  }

 private:
  int before_;
};

/// Whether another process could have the lock now.
bool free_for(const fs::path& file, int how) {
  const int other = ::open(file.c_str(), O_RDWR);
  const bool got = ::flock(other, how | LOCK_NB) == 0;
  ::close(other);
  return got;
}

fs::path build_of_one_file(const fs::path& folder) {
  write_text(folder / "build.ninja",
             "rule touch\n  command = touch $out\nbuild build.ninja: phony\nbuild thing: touch\n");
  return folder;
}

}  // namespace

TEST_CASE("locks: a batch that has built lets others judge, and is alone again before it builds", "[locks]") {
  const ScratchFolder scratch;
  const fs::path folder = build_of_one_file(scratch.path() / "build"), lock = folder / ".lock";
  const ImportedSubmission handed(lock, LOCK_EX);
  Build build(scratch.path(), folder);
  build.refresh();
  CHECK_FALSE(free_for(lock, LOCK_SH));
  build.share();
  CHECK(free_for(lock, LOCK_SH));
  CHECK_FALSE(free_for(lock, LOCK_EX));
  CHECK(build.make({"thing"}, {}).empty());
  CHECK(fs::exists(folder / "thing"));
  CHECK_FALSE(free_for(lock, LOCK_SH));
}

TEST_CASE("locks: who came in next to a batch takes what is built as it stands", "[locks]") {
  const ScratchFolder scratch;
  const fs::path folder = build_of_one_file(scratch.path() / "build"), lock = folder / ".lock";
  const ImportedSubmission handed(lock, LOCK_SH);
  ::setenv("LADDER_SHARED", "yes", 1);
  Build build(scratch.path(), folder);
  ::unsetenv("LADDER_SHARED");
  write_text(folder / "thing", "built by the batch");
  build.refresh();
  CHECK(build.make({"thing"}, {}).empty());
  CHECK(read_text(folder / "thing") == "built by the batch");
  CHECK(free_for(lock, LOCK_SH));
  fs::remove(folder / "thing");
  CHECK(build.make({"thing"}, {}).empty());
  CHECK(fs::exists(folder / "thing"));
  CHECK_FALSE(free_for(lock, LOCK_SH));  // it was alone while it built
}

TEST_CASE("locks: a script of the tests builds what is missing, and waits for nobody's lock", "[locks]") {
  const ScratchFolder scratch;
  const fs::path folder = build_of_one_file(scratch.path() / "build"), lock = folder / ".lock";
  const ImportedSubmission handed(lock, LOCK_SH);
  const int other = ::open(lock.c_str(), O_RDWR);
  REQUIRE(::flock(other, LOCK_SH | LOCK_NB) == 0);  // alone it never is
  ::setenv("LADDER_SHARED", "tests", 1);
  Build build(scratch.path(), folder);
  build.refresh();
  CHECK(build.make({"thing"}, {}).empty());
  CHECK(fs::exists(folder / "thing"));
  write_text(folder / "thing", "built before");
  CHECK(build.make({"thing"}, {}).empty());
  ::unsetenv("LADDER_SHARED");
  CHECK(read_text(folder / "thing") == "built before");
  CHECK(free_for(lock, LOCK_SH));
  ::close(other);
}

TEST_CASE("locks: another file on that descriptor is none of our business", "[locks]") {
  const ScratchFolder scratch;
  const fs::path folder = build_of_one_file(scratch.path() / "build");
  const ImportedSubmission handed(scratch.path() / "of somebody else", LOCK_EX);
  write_text(folder / ".lock", "");
  Build build(scratch.path(), folder);
  build.share();
  CHECK_FALSE(free_for(scratch.path() / "of somebody else", LOCK_SH));
}

TEST_CASE("locks: grades are not exported while they change, and several may export", "[locks]") {
  const ScratchFolder scratch;
  {
    const GradesLock changes(scratch.path(), GradesLock::changes);
    try {
      const GradesLock reads(scratch.path(), GradesLock::reads);
      FAIL("half a class was exported");
    } catch (const UsageError& error) {
      CHECK(error.text.find("is being graded (process " + std::to_string(::getpid()) + ")") !=
            error.text.npos);
    }
  }
  const GradesLock one(scratch.path(), GradesLock::reads), two(scratch.path(), GradesLock::reads);
}

}  // namespace ladder::locks_test
