#pragma once
/// @file
/// The plugin that counts.

#include "common/trace/oclgrind_plugin/objects.hpp"
#include "common/trace/oclgrind_plugin/observation_file.hpp"
#include "common/trace/oclgrind_plugin/totals.hpp"

namespace ladder::oclgrind_plugin {

/// Counts what the warps of a GPU would do. Oclgrind gives each work-group whole to one of its threads, so
/// what belongs to a group belongs to that thread, and only the sums are shared.
class Counters : public oclgrind::Plugin {
 public:
  Counters(const oclgrind::Context* context, const char* path) : Plugin(context), file_(path) {}

  void kernelBegin(const oclgrind::KernelInvocation* invocation) override;
  void kernelEnd(const oclgrind::KernelInvocation* invocation) override;
  void workGroupBegin(const oclgrind::WorkGroup* group) override;
  void workGroupBarrier(const oclgrind::WorkGroup* group, std::uint32_t flags) override;
  void workGroupComplete(const oclgrind::WorkGroup* group) override;
  void instructionExecuted(const oclgrind::WorkItem* item, const llvm::Instruction* instruction,
                           const oclgrind::TypedValue& result) override;
  void memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* item, std::size_t address,
                  std::size_t size) override;
  void memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkItem* item, std::size_t address,
                   std::size_t size, const std::uint8_t* data) override;
  void memoryAtomicLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* item,
                        oclgrind::AtomicOp operation, std::size_t address, std::size_t size) override;
  // Copies by a whole work-group.
  void memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkGroup* group, std::size_t address,
                  std::size_t size) override;
  void memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkGroup* group, std::size_t address,
                   std::size_t size, const std::uint8_t* data) override;

 private:
  const Instruction& known(const llvm::Instruction* raw);
  void access(const oclgrind::Memory* memory, const oclgrind::WorkItem* item, Action global, Action local,
              std::size_t address, std::size_t size);

  ObservationFile file_;
  Objects objects_;
  std::mutex mutex_;  ///< of what follows
  Totals totals_;
  std::unordered_map<const llvm::Instruction*, Instruction>
      facts_;  ///< of this launch; elements stay in place
  std::uint64_t launch_ = 0;
};

}  // namespace ladder::oclgrind_plugin
