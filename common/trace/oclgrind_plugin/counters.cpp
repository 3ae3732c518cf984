#include "common/trace/oclgrind_plugin/counters.hpp"

#include <algorithm>

namespace ladder::oclgrind_plugin {
namespace {

constexpr int known_bits = 12;  // room for kernels of a few thousand instructions: 64 KiB

/// The work-group that a thread runs.
struct Group {
  std::uint64_t launch = 0;
  WarpPosition position;
  oclgrind::Size3 size;
  WarpLog log;
  Totals totals;
  /// Facts that this thread has asked for: the shared table would need a lock each time, and every
  /// instruction of every work-item asks. Each has one place, and takes it from the one before.
  struct Known {
    const llvm::Instruction* raw = nullptr;
    const Instruction* facts = nullptr;
  };
  std::array<Known, 1 << known_bits> known;
};
thread_local Group running;

std::array<std::uint32_t, 3> triple(const oclgrind::Size3& size) {
  return {static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y),
          static_cast<std::uint32_t>(size.z)};
}

void flush() {
  running.log.flush([](const Place& place, const Execution& execution) {
    running.totals.add(place, execution, running.position);
  });
}

void add(const oclgrind::WorkItem* item, const llvm::Instruction* raw, const Place& place,
         std::uint64_t value) {
  const oclgrind::Size3 id = item->getLocalID();
  const std::size_t linear = id.x + running.size.x * (id.y + running.size.y * id.z);
  const auto warp = static_cast<unsigned>(linear / warp_size);
  if (warp != running.position.warp)
    flush();  // all lanes of the last one have come to a barrier or to their end
  running.position.warp = warp;
  if (!running.log.add(raw, place, linear % warp_size, value))
    for (const char* counter : {"global_load_sectors", "global_store_sectors", "shared_load_wavefronts"})
      running.totals.skip(counter, "a warp does too much between two barriers");
}

}  // namespace

void Counters::kernelBegin(const oclgrind::KernelInvocation* invocation) {
  objects_.kernel_begins(m_context, invocation->getKernel());
  totals_ = {};
  facts_.clear();
  ++launch_;
}

void Counters::kernelEnd(const oclgrind::KernelInvocation* invocation) {
  const oclgrind::Kernel* kernel = invocation->getKernel();
  LaunchCounters launch;
  launch.kernel = kernel->getName();
  launch.site = site_of(kernel->getFunction());
  launch.grid = triple(invocation->getNumGroups());
  launch.block = triple(invocation->getLocalSize());
  launch.static_shared = kernel->getLocalMemorySize();
  totals_.write_to(launch, [this](Action action, std::uint64_t address) {
    const Location found = objects_.find(is_local(action), address);
    return std::pair(found.object, found.offset);
  });
  file_.append(launch);
}

void Counters::workGroupBegin(const oclgrind::WorkGroup* group) {
  objects_.group_begins(group);
  if (running.launch != launch_) running = {};  // what it knows is of another program
  running.launch = launch_;
  running.position = {triple(group->getGroupID()), 0};
  running.size = group->getGroupSize();
  running.totals = {};
  running.totals.add_group();
}

void Counters::workGroupBarrier(const oclgrind::WorkGroup*, std::uint32_t) {
  flush();
  running.totals.add_barrier();
}

void Counters::workGroupComplete(const oclgrind::WorkGroup*) {
  flush();
  const std::lock_guard lock(mutex_);
  totals_.merge(running.totals);
}

void Counters::instructionExecuted(const oclgrind::WorkItem* item, const llvm::Instruction* instruction,
                                   const oclgrind::TypedValue&) {
  const Instruction& facts = known(instruction);
  if (facts.fp64_operations > 0) running.totals.add_fp64(facts.fp64_operations);
  if (facts.kind == Instruction::Kind::other) return;
  const std::uint64_t way = facts.condition ? item->getOperand(facts.condition).getUInt() : 0;
  add(item, instruction, {&facts, Action::jump, 0}, way);
}

void Counters::memoryLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* item, std::size_t address,
                          std::size_t size) {
  access(memory, item, Action::global_load, Action::local_load, address, size);
}

void Counters::memoryStore(const oclgrind::Memory* memory, const oclgrind::WorkItem* item,
                           std::size_t address, std::size_t size, const std::uint8_t*) {
  access(memory, item, Action::global_store, Action::local_store, address, size);
}

// Every atomic operation reads; a comparison that fails does not write.
void Counters::memoryAtomicLoad(const oclgrind::Memory* memory, const oclgrind::WorkItem* item,
                                oclgrind::AtomicOp, std::size_t address, std::size_t size) {
  access(memory, item, Action::global_atomic, Action::local_atomic, address, size);
}

void Counters::memoryLoad(const oclgrind::Memory*, const oclgrind::WorkGroup*, std::size_t, std::size_t) {
  running.totals.skip("global_load_sectors", "how a GPU shares out async_work_group_copy is not known");
}

void Counters::memoryStore(const oclgrind::Memory*, const oclgrind::WorkGroup*, std::size_t, std::size_t,
                           const std::uint8_t*) {
  running.totals.skip("global_store_sectors", "how a GPU shares out async_work_group_copy is not known");
}

const Instruction& Counters::known(const llvm::Instruction* raw) {
  // The product's high bits: instructions lie at multiples of their size, so low bits of addresses repeat.
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(raw) * 0x9E3779B97F4A7C15u;
  auto& [known, facts] = running.known[mixed >> (64 - known_bits)];
  if (known != raw) {
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = facts_.try_emplace(raw);
    if (is_new) found->second = facts_of(raw);
    known = raw;
    facts = &found->second;
  }
  return *facts;
}

void Counters::access(const oclgrind::Memory* memory, const oclgrind::WorkItem* item, Action global,
                      Action local, std::size_t address, std::size_t size) {
  const unsigned space = memory->getAddressSpace();
  if (space != oclgrind::AddrSpaceGlobal && space != oclgrind::AddrSpaceLocal) return;
  const llvm::Instruction* instruction = item->getCurrentInstruction();
  const Instruction& facts = known(instruction);
  if (facts.constant) return;         // has a cache of its own on a GPU
  constexpr std::size_t widest = 16;  // bytes that a lane asks for at once; longer vectors come in pieces
  for (std::size_t done = 0; done < size; done += widest) {
    const auto piece = static_cast<unsigned>(std::min(size - done, widest));
    add(item, instruction, {&facts, space == oclgrind::AddrSpaceGlobal ? global : local, piece},
        address + done);
  }
}

}  // namespace ladder::oclgrind_plugin
