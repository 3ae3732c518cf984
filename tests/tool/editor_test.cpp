/// @file
/// `amend` opens the editor of the person who grades, with its arguments, on a path of any characters.
// Guards: docs/grading.md#people-decide

#include "common/tool/review/editor.hpp"

#include <cstdlib>

#include "common/base/files/files.hpp"
#include "tests/common/catch.hpp"

namespace ladder::editor_test {
namespace {

/// A variable of the environment, until the end of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::setenv(name_, before_.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

}  // namespace

TEST_CASE("an editor gets its arguments, and a path with quotes as it is", "[editor]") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "it's \"here\"; $(false)" / "g1_naive.cu";
  write_text(file, "one\n");
  write_text(scratch.path() / "editor.sh", "printf '%s %s\\n' \"$#\" \"$1\" >>\"$2\"\n");
  const Variable none("VISUAL", "");
  const Variable editor("EDITOR", "sh '" + (scratch.path() / "editor.sh").string() + "' --wait");
  CHECK(text_after_editing(file) == "one\n2 --wait\n");
  CHECK(std::getenv("LADDER_EDITED") == nullptr);
}

TEST_CASE("VISUAL comes before EDITOR, and without either nothing is opened", "[editor]") {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "g1_naive.cu";
  write_text(file, "one\n");
  const Variable visual("VISUAL", "true"), editor("EDITOR", "false");
  CHECK(text_after_editing(file) == "one\n");
  {
    const Variable none("VISUAL", "");
    CHECK_THROWS_WITH(text_after_editing(file), "false failed; nothing was changed");
    const Variable neither("EDITOR", "");
    CHECK_THROWS_WITH(text_after_editing(file),
                      "no editor: set EDITOR, or give the fixed file after the rung");
  }
}

}  // namespace ladder::editor_test
