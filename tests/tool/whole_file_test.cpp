/// @file
/// Whole files are read by one function, which tells an empty file from none, and by no other.
// Guards: docs/contributing.md#style

#include "common/base/files/whole_file.hpp"

#include "common/base/files/files.hpp"
#include "tests/common/catch.hpp"

namespace ladder::whole_file_test {
namespace fs = std::filesystem;

TEST_CASE("a whole file is read byte by byte, and an empty one is not a missing one", "[files]") {
  const ScratchFolder scratch;
  const std::string bytes("a\r\n\0b", 5);
  write_text(scratch.path() / "bytes", bytes);
  write_text(scratch.path() / "empty", "");
  CHECK(whole_file(scratch.path() / "bytes") == bytes);
  CHECK(whole_file(scratch.path() / "empty") == "");
  CHECK(whole_file(scratch.path()) == "");
  CHECK_FALSE(whole_file(scratch.path() / "none"));
  CHECK(read_text(scratch.path() / "bytes") == bytes);
  CHECK(read_text(scratch.path() / "none").empty());
}

TEST_CASE("no source of common has a reader of whole files of its own", "[files]") {
  const fs::path common = fs::path(LADDER_PROJECT) / "common";
  std::vector<std::string> readers;
  for (const auto& entry : fs::recursive_directory_iterator(common)) {
    const std::string ending = entry.path().extension();
    if (ending != ".cpp" && ending != ".hpp") continue;
    const std::string text = read_text(entry.path());
    if (text.find("istreambuf_iterator") != text.npos || text.find(".rdbuf()") != text.npos)
      readers.push_back(entry.path().lexically_relative(common).string());
  }
  CHECK(readers == std::vector<std::string>{"base/files/whole_file.hpp"});
}

}  // namespace ladder::whole_file_test
