#pragma once
/// @file
/// The editor of the person who grades.

#include <filesystem>
#include <string>

namespace ladder {

/// Opens a file in the editor that VISUAL or EDITOR names, and waits until it has ended.
/// @return what the file says then @throws UsageError where there is no editor, or where it failed
std::string text_after_editing(const std::filesystem::path& file);

}  // namespace ladder
