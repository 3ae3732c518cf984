#include "common/trace/oclgrind_plugin/messages.hpp"

#include <cstdlib>
#include <fstream>
#include <optional>

namespace ladder::oclgrind_plugin {
namespace {

constexpr const char* same_value = "\tSame value\n";

/// The address that a message names.
struct Address {
  bool local = false;
  std::uint64_t value = 0;
};

std::optional<Address> address_in(std::string_view message) {
  const std::string_view first = message.substr(0, message.find('\n'));
  constexpr std::string_view before = " memory address 0x";
  const auto at = first.find(before);
  if (at == first.npos) return std::nullopt;
  const std::string digits(first.substr(at + before.size()));
  return Address{first.substr(0, at).ends_with("local"), std::strtoull(digits.c_str(), nullptr, 16)};
}

bool is_about_uninitialised(std::string_view message) {
  return message.starts_with("Uninitialized") ||
         message.substr(0, message.find('\n')).find(" uninitialized") != message.npos;
}

/// The same for messages that differ only in numbers of work-items and addresses: what is said, and of which
/// line.
std::string subject(std::string_view message) {
  const std::string_view first = message.substr(0, message.find('\n'));
  std::string text(first.substr(0, first.find(" 0x")));
  for (std::size_t at = message.find("At line "); at != message.npos; at = message.find("At line ", at + 1))
    text += message.substr(at, message.find('\n', at) - at);
  return text;
}

}  // namespace

Messages::Messages(const oclgrind::Context* context, const char* path) : Plugin(context), path_(path) {
  std::ofstream(path_, std::ios::trunc);
}

void Messages::kernelBegin(const oclgrind::KernelInvocation* invocation) {
  objects_.kernel_begins(m_context, invocation->getKernel());
  const std::lock_guard lock(mutex_);
  global_.clear();
}

void Messages::workGroupBegin(const oclgrind::WorkGroup* group) {
  objects_.group_begins(group);
  const std::lock_guard lock(mutex_);
  local_.clear();
}

void Messages::workGroupBarrier(const oclgrind::WorkGroup*, std::uint32_t) {
  const std::lock_guard lock(mutex_);
  local_.clear();  // races up to here have been reported
}

// Memory of the host that a buffer uses has been written, as far as anybody knows. Of a buffer with the
// number of one that is gone Oclgrind knows the wrong things (releases.cpp).
void Messages::memoryAllocated(const oclgrind::Memory* memory, std::size_t address, std::size_t, cl_mem_flags,
                               const std::uint8_t* data) {
  if (memory->getAddressSpace() != oclgrind::AddrSpaceGlobal) return;
  const bool is_new = numbers_.insert(memory->extractBuffer(address)).second;
  if (data || !is_new) count_as_written(memory, address);
}

void Messages::hostMemoryStore(const oclgrind::Memory* memory, std::size_t address, std::size_t size,
                               const std::uint8_t*) {
  if (repeating_ || memory->getAddressSpace() != oclgrind::AddrSpaceGlobal) return;
  const oclgrind::Memory::Buffer* buffer = memory->getBuffer(address);
  if (buffer && size < buffer->size) count_as_written(memory, address);
}

// When the host writes a part of a buffer, Oclgrind 21.10 forgets what it knew of the rest and takes it for
// unwritten (rectangles, fills, writes with an offset). A buffer that the host has written to counts as
// written, whole.
void Messages::count_as_written(const oclgrind::Memory* memory, std::size_t address) {
  constexpr std::size_t max_bytes = std::size_t{512} << 20;  // Oclgrind keeps a copy for each time
  const std::size_t beginning = address - memory->extractOffset(address);
  const oclgrind::Memory::Buffer* buffer = memory->getBuffer(beginning);
  if (!buffer || !checks_uninitialised_) return;
  repeated_bytes_ += buffer->size;
  if (repeated_bytes_ > max_bytes) {
    checks_uninitialised_ = false;
    return write("\nUnwritten memory is no longer looked for: the host writes in too many pieces\n");
  }
  repeating_ = true;
  m_context->notifyMemoryStore(memory, beginning, buffer->size,
                               static_cast<const std::uint8_t*>(memory->getPointer(beginning)));
  repeating_ = false;
}

void Messages::memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkItem*, std::size_t address,
                           std::size_t size, const std::uint8_t* data) {
  const std::lock_guard lock(mutex_);
  if (memory->getAddressSpace() == oclgrind::AddrSpaceGlobal) global_.store(address, size, data);
  if (memory->getAddressSpace() == oclgrind::AddrSpaceLocal) local_.store(address, size, data);
}

void Messages::write(const std::string& text) const {
  std::ofstream(path_, std::ios::app) << text;
}

std::string Messages::remarks_on(std::string_view message) const {
  const auto address = address_in(message);
  if (!address) return "";
  std::string remarks;
  if (const Location found = objects_.find(address->local, address->value); !found.object.empty())
    remarks = "\tObject: " + found.object + ", " + std::to_string(found.size) + " bytes, at " +
              std::to_string(found.offset) + "\n";
  if (message.starts_with("Write-write") && (address->local ? local_ : global_).same(address->value))
    remarks += same_value;
  return remarks;
}

void Messages::log(oclgrind::MessageType, const char* message) {
  constexpr int max_similar = 50;  // so that a frequent one leaves room for the others
  const std::lock_guard lock(mutex_);
  if (!checks_uninitialised_ && is_about_uninitialised(message)) return;
  const std::string remarks = remarks_on(message);
  if (++seen_[subject(message) + (remarks.ends_with(same_value) ? same_value : "")] > max_similar) return;
  write('\n' + std::string(message) + '\n' + remarks);
}

}  // namespace ladder::oclgrind_plugin
