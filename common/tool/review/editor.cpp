#include "common/tool/review/editor.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {

std::string text_after_editing(const std::filesystem::path& file) {
  const char* editor = std::getenv("VISUAL");
  if (!editor || !*editor) editor = std::getenv("EDITOR");
  if (!editor || !*editor) throw UsageError{"no editor: set EDITOR, or give the fixed file after the rung"};
  // EDITOR may have arguments ("code --wait"), so a shell reads it; the terminal is the editor's while it
  // runs.
  ::setenv("LADDER_EDITED", file.c_str(), 1);  // the path is a variable: the shell would read its quotes
  const int status = std::system(fmt::format("{} \"$LADDER_EDITED\"", editor).c_str());
  ::unsetenv("LADDER_EDITED");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw UsageError{fmt::format("{} failed; nothing was changed", editor)};
  return read_text(file);
}

}  // namespace ladder
