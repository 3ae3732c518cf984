#pragma once
/// @file
/// What the counters have to know of an instruction.

#include <string>

#include "common/base/observation/observation.hpp"

namespace llvm {
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace ladder::oclgrind_plugin {

/// Facts of an instruction that do not change from one execution to the next.
struct Instruction {
  enum class Kind {
    other,
    end,     ///< of a basic block: a jump or a return
    branch,  ///< the end of a block that may go two or more ways
  };
  Kind kind = Kind::other;
  const llvm::Value* condition = nullptr;  ///< of a branch
  bool constant = false;                   ///< accesses OpenCL's constant memory
  unsigned fp64_operations = 0;            ///< in double precision, an execution
  SourceLine site;
};

Instruction facts_of(const llvm::Instruction* instruction);

/// Where a kernel begins.
SourceLine site_of(const llvm::Function* function);
/// The name of a parameter; "" when it has none.
std::string name_of(const llvm::Value* parameter);

}  // namespace ladder::oclgrind_plugin
