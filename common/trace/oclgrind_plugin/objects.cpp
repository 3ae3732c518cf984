#include "common/trace/oclgrind_plugin/objects.hpp"

#include "common/trace/oclgrind_plugin/instruction.hpp"

namespace ladder::oclgrind_plugin {
namespace {

/// An array that a kernel declares is "kernel.array" or "__const.kernel.array"; a parameter has no dot.
std::string own_name(const llvm::Value* value) {
  const std::string full = name_of(value);
  return full.substr(full.rfind('.') + 1);
}

}  // namespace

void Objects::kernel_begins(const oclgrind::Context* context, const oclgrind::Kernel* kernel) {
  const std::lock_guard lock(mutex_);
  memory_ = context->getGlobalMemory();
  kernel_ = kernel;
  buffers_.clear();
  arrays_.clear();
  has_arrays_ = false;
  for (auto value = kernel->values_begin(); value != kernel->values_end(); ++value) {
    const oclgrind::TypedValue& argument = value->second;
    if (argument.size != sizeof(std::size_t) || argument.num != 1 || !argument.data) continue;
    // A number may look like an address: only one that points to the beginning of a buffer is taken for it.
    const std::size_t address = argument.getPointer();
    if (memory_->extractOffset(address) != 0 || !memory_->isAddressValid(address)) continue;
    buffers_[memory_->extractBuffer(address)] = {own_name(value->first), memory_->getBuffer(address)->size};
  }
}

void Objects::group_begins(const oclgrind::WorkGroup* group) {
  const std::lock_guard lock(mutex_);
  if (has_arrays_ || !kernel_) return;
  has_arrays_ = true;
  for (auto value = kernel_->values_begin(); value != kernel_->values_end(); ++value) {
    if (value->second.data) continue;  // only local memory has a size and no value
    const std::size_t address = group->getLocalMemoryAddress(value->first);
    arrays_[memory_->extractBuffer(address)] = {own_name(value->first), value->second.size};
  }
}

Location Objects::find(bool local, std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  if (!memory_) return {};
  const auto& objects = local ? arrays_ : buffers_;
  std::size_t number = memory_->extractBuffer(address);
  auto offset = static_cast<std::int64_t>(memory_->extractOffset(address));
  // What lies before the beginning of a buffer has the number of the one before it.
  constexpr std::int64_t space = std::int64_t{1} << 48;
  if (offset >= space / 2) ++number, offset -= space;
  const auto object = objects.find(number);
  if (object == objects.end()) return {"", offset, 0};
  return {object->second.name, offset, object->second.size};
}

}  // namespace ladder::oclgrind_plugin
