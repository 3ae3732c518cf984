#pragma once
/// @file
/// Where JSON of results ends: code takes them as structures of common/model, and only files that read or
/// write JSON go by keys.

#include <filesystem>
#include <string>
#include <vector>

namespace ladder {

/// Lines of a source that take a field of a result out of JSON by its key:
/// "common/tool/x.cpp:12: \"verdict\"".
std::vector<std::string> results_by_key(const std::string& file, const std::string& text);

/// The lines of sources that may not do so, and names of the list of those that may which do not: the list
/// only gets shorter.
std::vector<std::string> wrong_result_borders(const std::filesystem::path& root);

}  // namespace ladder
