#pragma once
/// @file
/// Whether sources are laid out as .clang-format says: by clang-format of Debian 12, since others lay out
/// some lines otherwise. And whether lines that it leaves alone are as short as it would make them.

#include <filesystem>
#include <string>
#include <vector>

#include "common/tool/maintain/testing/test_summary.hpp"

namespace ladder {

inline constexpr int format_version = 14;

/// A clang-format, or why none that would do is here.
struct Formatter {
  std::string program, missing;
};

/// The first of these programs that is of format_version.
/// @param names  as find_program() takes them
Formatter find_formatter(const std::vector<std::string>& names);

/// clang-format of this machine, of format_version.
Formatter find_formatter();

/// Lays out those of these files that are sources whose layout is checked; nothing where there is no such
/// formatter.
/// @param files  relative to the checkout
void lay_out(const std::filesystem::path& root, const std::vector<std::string>& files,
             const Formatter& formatter);

/// Why a source keeps the layout that it has; empty: it is to be as .clang-format says.
/// @param file  relative to the checkout
std::string layout_stays(const std::filesystem::path& root, const std::string& file);

/// The sources of the repository whose layout is checked. @param below  "tests/03-dgemm/"; none: everywhere
std::vector<std::string> sources_to_format(const std::filesystem::path& root,
                                           const std::vector<std::string>& below);

/// Each file passes, or fails with its lines and the command that formats it.
/// @param files  relative to the checkout
void check_format(const std::filesystem::path& root, const std::vector<std::string>& files,
                  const Formatter& formatter, TestSummary& summary);

/// A line of a source that is too long.
struct LongLine {
  int number = 0;
  std::size_t columns = 0;
};

/// Lines with more than cut::max_columns code points. Left out are those between `clang-format off` and
/// `on`, those with a part of a raw string, except where @p kernels says that these are programs, too, and
/// those whose only word is too long.
std::vector<LongLine> long_lines(const std::string& source, bool kernels);

/// The sources of the repository whose lines are counted: those of strangers and students are not.
/// @param below  as for sources_to_format()
std::vector<std::string> sources_to_count(const std::filesystem::path& root,
                                          const std::vector<std::string>& below);

/// Each file passes, or fails with its long_lines(). In lessons raw strings are kernels.
/// @param files  relative to the checkout
void check_columns(const std::filesystem::path& root, const std::vector<std::string>& files,
                   TestSummary& summary);

}  // namespace ladder
