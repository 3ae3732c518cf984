#pragma once
/// @file
/// The plugin that keeps Oclgrind's messages.

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "common/trace/oclgrind_plugin/objects.hpp"
#include "common/trace/oclgrind_plugin/written.hpp"

namespace ladder::oclgrind_plugin {

/// Writes each message as Oclgrind's own log has it, with remarks: which memory it speaks of, and of a race
/// whether all wrote the same. For runs with one thread (OCLGRIND_NUM_THREADS=1): of local memory one group's
/// is known at a time.
class Messages : public oclgrind::Plugin {
 public:
  /// @param path  is overwritten
  Messages(const oclgrind::Context* context, const char* path);

  void kernelBegin(const oclgrind::KernelInvocation* invocation) override;
  void workGroupBegin(const oclgrind::WorkGroup* group) override;
  void workGroupBarrier(const oclgrind::WorkGroup* group, std::uint32_t flags) override;
  void memoryAllocated(const oclgrind::Memory* memory, std::size_t address, std::size_t size,
                       cl_mem_flags flags, const std::uint8_t* data) override;
  void hostMemoryStore(const oclgrind::Memory* memory, std::size_t address, std::size_t size,
                       const std::uint8_t* data) override;
  void memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkItem* item, std::size_t address,
                   std::size_t size, const std::uint8_t* data) override;
  void log(oclgrind::MessageType type, const char* message) override;

 private:
  void write(const std::string& text) const;
  std::string remarks_on(std::string_view message) const;
  void count_as_written(const oclgrind::Memory* memory, std::size_t address);

  std::string path_;
  std::mutex mutex_;
  Written global_, local_;  ///< by this launch; by this group since its last barrier
  std::map<std::string, int> seen_;
  std::set<std::size_t> numbers_;  ///< of buffers that there are or were
  bool repeating_ = false;         ///< a host's write that we make up
  std::size_t repeated_bytes_ = 0;
  bool checks_uninitialised_ = true;
  Objects objects_;
};

}  // namespace ladder::oclgrind_plugin
