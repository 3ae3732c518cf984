// What bounds a submission, next to limits of each process: control groups, where this machine lets this user
// make them; and what the judge's watch sees of memory and files that no list shows.
// Guards: docs/grading.md#limits

#include "common/base/process/cgroup.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "common/base/process/process_tree.hpp"
#include "tests/common/catch.hpp"

namespace {

namespace fs = std::filesystem;

/// A program in a group. @return its status
int status_of(const std::vector<std::string>& group, const std::function<int()>& program) {
  const pid_t child = ::fork();
  if (child == 0) {
    ladder::join_cgroups(group);
    ::_exit(program());
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

int touches(std::size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (std::size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(memory)[at] = 1;
  return 0;
}

/// How many processes could be started. They stay.
int starts(int most) {
  for (int count = 0; count < most; ++count) {
    const pid_t child = ::fork();
    if (child < 0) return count;
    if (child == 0)
      for (;;) ::pause();
  }
  return most;
}

std::string name_of(pid_t pid) {
  return "ladder-" + std::to_string(pid) + "-test";
}

#define NEEDS_GROUPS(parents)                                     \
  const ladder::CgroupParents parents = ladder::cgroup_parents(); \
  if (!parents.why_not.empty()) LADDER_SKIP("no control group: " + parents.why_not)

}  // namespace

TEST_CASE("cgroup: memory and processes of all programs in it are bounded together") {
  NEEDS_GROUPS(parents);
  const ladder::Cgroup group(parents.folders, name_of(::getpid()), {std::size_t{64} << 20, 8});
  CHECK(status_of(group.folders(), [] { return touches(std::size_t{16} << 20); }) == 0);
  CHECK(ladder::ended_for_memory(group.folders()) == 0);
  const int status = status_of(group.folders(), [] { return touches(std::size_t{256} << 20); });
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK(ladder::ended_for_memory(group.folders()) > 0);
  CHECK(WEXITSTATUS(status_of(group.folders(), [] { return starts(20); })) == 7);
  CHECK(WEXITSTATUS(status_of(group.folders(), [] { return starts(20); })) ==
        0);  // the seven are still there
}

TEST_CASE("cgroup: its end is the end of what runs in it, and of groups whose maker is gone") {
  NEEDS_GROUPS(parents);
  std::vector<std::string> folders;
  {
    const ladder::Cgroup group(parents.folders, name_of(::getpid()), {std::size_t{64} << 20, 50});
    folders = group.folders();
    status_of(folders, [] { return starts(20); });
  }
  for (const std::string& folder : folders) CHECK_FALSE(fs::exists(folder));

  const pid_t maker = ::fork();
  if (maker == 0) {
    new ladder::Cgroup(parents.folders, name_of(::getpid()), {std::size_t{64} << 20, 50});
    ::_exit(0);
  }
  ::waitpid(maker, nullptr, 0);
  CHECK(fs::exists(fs::path(parents.folders.front()) / name_of(maker)));
  ladder::remove_dead_cgroups(parents.folders);
  for (const std::string& parent : parents.folders)
    CHECK_FALSE(fs::exists(fs::path(parent) / name_of(maker)));
}

TEST_CASE("cgroup: what cannot be entered is an error") {
  CHECK_THROWS(ladder::join_cgroups({"/nowhere"}));
  CHECK_THROWS(ladder::Cgroup({"/nowhere"}, name_of(::getpid()), {1, 1}));
}

TEST_CASE("watch: files without a name are seen, each once, also those that are only mapped") {
  const std::size_t before = ladder::unlinked_bytes({::getpid()});
  const int file = ::memfd_create("ladder-test", 0), same = ::dup(file);
  const std::string block(std::size_t{1} << 20, 'x');
  REQUIRE(::write(file, block.data(), block.size()) == static_cast<ssize_t>(block.size()));
  CHECK(ladder::unlinked_bytes({::getpid()}) == before + block.size());
  void* const mapped = ::mmap(nullptr, block.size(), PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  ::close(same);
  if (::geteuid() == 0) CHECK(ladder::unlinked_bytes({::getpid()}) == before + block.size());
  ::munmap(mapped, block.size());
  CHECK(ladder::unlinked_bytes({::getpid()}) == before);
}

TEST_CASE("watch: page tables are seen, of memory that is only read here and there") {
  constexpr std::size_t step = std::size_t{1} << 21, pages = 1000;
  const std::size_t before = ladder::page_table_bytes(::getpid());
  void* const memory =
      ::mmap(nullptr, step * pages, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  ::madvise(memory, step * pages, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) CHECK(static_cast<const volatile char*>(memory)[i * step] == 0);
  CHECK(ladder::page_table_bytes(::getpid()) >= before + pages * 4096);
  ::munmap(memory, step * pages);
}
