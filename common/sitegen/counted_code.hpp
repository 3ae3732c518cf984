#pragma once
/// @file
/// The code that stored counts are of: a row of executor.json names its hash, and is no evidence for code
/// that has changed since.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder::report {

/// The parts of executor.json whose rows are of a piece of code.
inline constexpr const char* counted_parts[] = {"programs", "solutions", "findings", "costs"};

/// The hash of the code that a row is of, without comments and blanks: of a solution with the CUDA headers of
/// its lesson that it includes, of a small program, or of one planted mistake. Empty when there is no such
/// code.
/// @param part  one of counted_parts
std::string hash_of_row(const std::filesystem::path& root, const std::string& part,
                        const nlohmann::json& row);

/// Writes the hash of each row ("code").
void add_hashes(const std::filesystem::path& root, const std::string& part, nlohmann::json& rows);

/// Rows whose code has changed since they were stored.
struct ChangedRows {
  std::vector<std::string> names;  ///< "02-gauss/g9_two_pivots", "atomics", "global lock-forgotten"
  std::string first, last;         ///< the days on which they were stored
};

/// Takes them out of executor.json. Costs stay: they are ratios of two builds of one source.
/// @return these, and the changed ones of the costs, by part; a part without any is left out
std::map<std::string, ChangedRows> drop_changed_code(nlohmann::json& executor,
                                                     const std::filesystem::path& root);

/// "37 rungs, stored from 2026-11-21 to 2026-11-25, have changed since: left out."; empty without any.
/// @param noun  "rung"
std::string changed_text(const std::map<std::string, ChangedRows>& changed, const std::string& part,
                         const std::string& noun);

}  // namespace ladder::report
