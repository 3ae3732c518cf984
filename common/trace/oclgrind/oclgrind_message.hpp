#pragma once
/// @file
/// The parts of one of Oclgrind's messages.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder {

/// Which work-item did something, and on which line.
struct OclgrindParty {
  bool has_item = false;  ///< else the whole work-group
  std::array<std::uint32_t, 3> local{}, group{};
  std::string operation;  ///< read, write, atomic; what the instruction does
  unsigned element = 0;   ///< bytes that it reads or writes; 0: not known
  std::string file;       ///< as the program's source calls itself
  int line = 0;
  std::string source_text;  ///< of that line
};

/// A message: a line, and lines below it that are indented.
struct OclgrindMessage {
  std::string headline;
  std::string detail;  ///< the second line
  std::string kernel;
  std::string space;  ///< global, local, …
  bool is_null = false;
  unsigned bytes = 0;
  std::string object;  ///< from our plugin
  std::int64_t offset = 0;
  std::uint64_t object_size = 0;
  bool same_value = false;                                      ///< of a race of writes; from our plugin
  std::optional<std::pair<std::int64_t, std::uint64_t>> index;  ///< of a static array, and its elements
  std::optional<std::pair<unsigned, unsigned>> reached;         ///< work-items at a barrier, of how many
  std::vector<OclgrindParty> parties;
};

/// Splits a log. Lines that belong to no message are left out.
std::vector<OclgrindMessage> split_oclgrind_log(std::string_view log);

}  // namespace ladder
