#pragma once
/// @file
/// Whether the accesses of an observed step's code are reported: what its object file shows, whatever its
/// source says.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/grade/evidence/symbols.hpp"

namespace ladder::grade {

/// One function of an object file.
struct FunctionCode {
  bool hooked = false;    ///< the compiler was to place hooks in it: it reports that it was entered
  std::size_t hooks = 0;  ///< calls that report an access
  std::size_t accesses =
      0;  ///< instructions that access memory, but the stack and places that the linker fixes
  std::set<std::string> calls{};     ///< names that it calls or jumps to
  std::set<std::string> mentions{};  ///< names whose address it takes
};

/// The functions of an object file, by name; parts that the compiler has split off count with theirs.
struct ObjectCode {
  std::map<std::string, FunctionCode> functions{};
  std::set<std::string> in_data{};  ///< names whose address is in its data
  std::set<std::string> kernels{};
};

/// From what `objdump -d -r -t --no-show-raw-insn` prints of an object that was compiled for the observed
/// mode, and `objdump -r` of its data. For x86-64 and 64-bit Arm.
ObjectCode code_from(const std::string& printed);

/// Functions whose accesses nobody reports, and functions of libraries that kernels call and that access
/// memory unseen.
/// @param used  names that the object uses and others define
std::vector<Suspicion> unseen_accesses(const ObjectCode& code, const std::set<std::string>& used,
                                       const Surroundings& around);

}  // namespace ladder::grade
