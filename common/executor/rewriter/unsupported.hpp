#pragma once
/// @file
/// What the executor lacks, by the header that a source includes.

#include <optional>
#include <string>
#include <string_view>

namespace ladder::rewriter {

/// What the executor lacks when a source includes that header, as "Thrust"; nothing when it may have it.
std::optional<std::string> missing_header(std::string_view name);

/// Whether the text of an assembly statement is PTX rather than the host's own.
bool is_ptx(std::string_view text);

}  // namespace ladder::rewriter
