#pragma once
/// @file
/// The text of stored documents (docs/results): one record per line, so that a diff shows which rungs
/// changed.

#include <nlohmann/json.hpp>
#include <string>

namespace ladder::report {

/// A document as its stored file has it: fields on lines of their own, each record of a list (steps,
/// reproductions, solutions, …) on one line. Bytes that are not UTF-8 are replaced. It ends with a newline.
std::string stored_text(const nlohmann::json& document);

}  // namespace ladder::report
