/// @file
/// What a build folder can make: ninja tells it once for each build.ninja.
// Guards: docs/contributing.md#build

#include <cstdlib>

#include "common/base/files/files.hpp"
#include "common/tool/build/build.hpp"
#include "tests/common/catch.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// A build folder that is configured again when `list` is newer: `configured` has a letter for each time.
void write_ninja(const fs::path& folder, const std::string& targets) {
  write_text(folder / "list", "");
  write_text(folder / "build.ninja",
             "rule look\n  command = printf x >> configured && touch build.ninja\n  generator = 1\n"
             "rule none\n  command = true\nbuild build.ninja: look list\nbuild " +
                 targets + ": none\n");
}

/// How often it was configured when the build is refreshed after a change.
std::size_t configured_by(Build& build) {
  write_text(build.folder() / "list", "changed");
  build.refresh();
  return read_text(build.folder() / "configured").size();
}

/// Adds a line that ninja would not have told.
void add_to_list(const fs::path& folder, const std::string& target) {
  write_text(folder / ".targets", read_text(folder / ".targets") + target + ": none\n");
}

}  // namespace

TEST_CASE("a build's targets are listed once for each build.ninja") {
  const ScratchFolder folder;
  write_ninja(folder.path(), "tests/a CMakeFiles/a.dir/a.o");
  Build(folder.path(), folder.path()).refresh();
  add_to_list(folder.path(), "tests/b");
  Build build(folder.path(), folder.path());
  build.refresh();
  CHECK(build.beginning_with("tests/") == std::vector<std::string>{"tests/a", "tests/b"});
  CHECK_FALSE(build.knows("CMakeFiles/b.dir/b.o"));  // objects are asked for one by one
  CHECK(build.knows("CMakeFiles/a.dir/a.o"));
  CHECK(build.knows("tests/a"));

  write_ninja(folder.path(), "tests/c");
  build.refresh();
  CHECK(build.beginning_with("tests/") == std::vector<std::string>{"tests/c"});
}

TEST_CASE("what ./ladder has configured is not looked at again, but once more when it is asked for later") {
  const ScratchFolder folder;
  write_ninja(folder.path(), "thing");
  setenv("LADDER_CHECKED", folder.path().c_str(), 1);
  Build build(folder.path(), folder.path());
  CHECK(std::getenv("LADDER_CHECKED") == nullptr);  // not for what the tool starts
  CHECK(configured_by(build) == 0);
  CHECK(configured_by(build) == 1);

  setenv("LADDER_CHECKED", "/another/folder", 1);
  Build other(folder.path(), folder.path());
  CHECK(configured_by(other) == 2);
}

}  // namespace ladder
