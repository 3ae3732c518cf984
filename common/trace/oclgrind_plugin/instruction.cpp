#include "common/trace/oclgrind_plugin/instruction.hpp"

#include <filesystem>
#include <string_view>

// A few functions of LLVM's C interface, which does not change from version to version. They are in the
// library that Oclgrind itself was linked with; declared here, so that the plugin needs no headers of just
// that version.
extern "C" {
unsigned LLVMGetInstructionOpcode(const void* instruction);
unsigned LLVMGetNumOperands(const void* value);
const void* LLVMGetOperand(const void* value, unsigned index);
const void* LLVMGetCondition(const void* branch);
int LLVMIsConditional(const void* branch);
const void* LLVMIsAInstruction(const void* value);
const void* LLVMGetCalledValue(const void* call);
const char* LLVMGetValueName2(const void* value, std::size_t* length);
const void* LLVMTypeOf(const void* value);
unsigned LLVMGetTypeKind(const void* type);
const void* LLVMGetElementType(const void* type);
unsigned LLVMGetVectorSize(const void* type);
unsigned LLVMGetPointerAddressSpace(const void* type);
unsigned LLVMGetDebugLocLine(const void* value);
const char* LLVMGetDebugLocFilename(const void* value, unsigned* length);
const char* LLVMGetDebugLocDirectory(const void* value, unsigned* length);
}

namespace ladder::oclgrind_plugin {
namespace {

/// Numbers of that interface.
enum Opcode : unsigned {
  ret = 1,
  br = 2,
  switch_ = 3,
  unreachable = 7,
  fadd = 9,
  fsub = 11,
  fmul = 13,
  fdiv = 16,
  load = 27,
  store = 28,
  call = 45,
};
enum TypeKind : unsigned { double_precision = 3, pointer = 12, vector = 13 };
constexpr unsigned constant_space = 2;

/// Elements of a double or a vector of doubles; 0 for other types.
unsigned doubles_in(const void* type) {
  if (LLVMGetTypeKind(type) == double_precision) return 1;
  if (LLVMGetTypeKind(type) != vector) return 0;
  return LLVMGetTypeKind(LLVMGetElementType(type)) == double_precision ? LLVMGetVectorSize(type) : 0;
}

/// Multiply-adds, written as such (fma, mad) or contracted by the compiler (llvm.fmuladd). OpenCL's names are
/// mangled: "_Z3fmaddd".
bool is_multiply_add(const void* call_instruction) {
  std::size_t length = 0;
  const char* text = LLVMGetValueName2(LLVMGetCalledValue(call_instruction), &length);
  const std::string_view name(text ? text : "", length);
  return name.starts_with("_Z3fma") || name.starts_with("_Z3mad") || name.starts_with("llvm.fmuladd") ||
         name.starts_with("llvm.fma.");
}

unsigned fp64_operations(const void* instruction, unsigned opcode) {
  switch (opcode) {
    case fadd:
    case fsub:
    case fmul:
    case fdiv:
      return doubles_in(LLVMTypeOf(instruction));
    case call:
      return is_multiply_add(instruction) ? 2 * doubles_in(LLVMTypeOf(instruction)) : 0;
    default:
      return 0;
  }
}

bool is_constant_memory(const void* instruction, unsigned opcode) {
  if (opcode != load && opcode != store && opcode != call) return false;
  const unsigned count = LLVMGetNumOperands(instruction);
  for (unsigned i = 0; i < count; ++i) {
    const void* type = LLVMTypeOf(LLVMGetOperand(instruction, i));
    if (LLVMGetTypeKind(type) == pointer && LLVMGetPointerAddressSpace(type) == constant_space) return true;
  }
  return false;
}

/// The file that an instruction comes from. What its path shares with the folder that the compiler ran in
/// stands apart.
std::string file_of(const void* value) {
  namespace fs = std::filesystem;
  unsigned length = 0;
  const char* text = LLVMGetDebugLocFilename(value, &length);
  const fs::path file = text ? std::string(text, length) : std::string();
  if (file.is_absolute() || file.empty()) return file;
  text = LLVMGetDebugLocDirectory(value, &length);
  const fs::path whole = (text ? fs::path(std::string(text, length)) : fs::path()) / file;
  std::error_code none;
  return fs::exists(whole, none) ? whole : file;
}

SourceLine site_of_value(const void* value) {
  SourceLine site;
  site.file = file_of(value);
  site.line = static_cast<int>(LLVMGetDebugLocLine(value));
  return site;
}

/// Where the compiler made one instruction of two it has no line of its own; then that of what computes its
/// operands (what a store stores comes first: it is in the same statement).
SourceLine site_of_instruction(const void* instruction, int depth = 0) {
  constexpr int deepest = 3;
  SourceLine site = site_of_value(instruction);
  if (site.line > 0 || depth == deepest) return site;
  const unsigned count = LLVMGetNumOperands(instruction);
  for (unsigned i = 0; i < count; ++i) {
    const void* operand = LLVMIsAInstruction(LLVMGetOperand(instruction, i));
    if (!operand) continue;
    if (SourceLine found = site_of_instruction(operand, depth + 1); found.line > 0) return found;
  }
  return site;
}

}  // namespace

Instruction facts_of(const llvm::Instruction* instruction) {
  const unsigned opcode = LLVMGetInstructionOpcode(instruction);
  Instruction facts;
  facts.site = site_of_instruction(instruction);
  facts.constant = is_constant_memory(instruction, opcode);
  facts.fp64_operations = fp64_operations(instruction, opcode);
  if (opcode == switch_ || (opcode == br && LLVMIsConditional(instruction))) {
    facts.kind = Instruction::Kind::branch;
    const void* condition = opcode == br ? LLVMGetCondition(instruction) : LLVMGetOperand(instruction, 0);
    facts.condition = static_cast<const llvm::Value*>(condition);
  } else if (opcode == br || opcode == ret || opcode == unreachable) {
    facts.kind = Instruction::Kind::end;
  }
  return facts;
}

SourceLine site_of(const llvm::Function* function) {
  return site_of_value(function);
}

std::string name_of(const llvm::Value* parameter) {
  std::size_t length = 0;
  const char* text = LLVMGetValueName2(parameter, &length);
  return std::string(text ? text : "", length);
}

}  // namespace ladder::oclgrind_plugin
