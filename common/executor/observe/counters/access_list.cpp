#include "common/executor/observe/counters/access_list.hpp"

#include <array>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/observe/races/detector_mutex.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// LADDER_EXECUTOR_OBSERVE_ACCESSES; 0: none.
std::size_t max_listed() {
  static const auto limit =
      static_cast<std::size_t>(setting("LADDER_EXECUTOR_OBSERVE_ACCESSES", 0, 0, 10'000));
  return limit;
}

/// What is kept until the end of the run, when it is known which threads touch device memory: of a block that
/// is larger than its problem most do not, but fill shared memory with zeros and read it.
constexpr std::size_t kept_per_listed = 64;

std::mutex mutex;
std::vector<ThreadAccess>& listed() {
  static auto* const all = new std::vector<ThreadAccess>;  // used until the very end of the process
  return *all;
}

const char* name_of(Operation operation) {
  return operation == Operation::load ? "read" : operation == Operation::atomic ? "atomic" : "write";
}

}  // namespace

const bool lists_accesses = max_listed() > 0;

void list_accesses(const Request& request) {
  if (request.operation == Operation::fence || request.operation == Operation::copy) return;
  if (request.space != Space::global && request.space != Space::shared) return;
  const DetectorLock lock(mutex);
  const SourceLine site = line_of(request.code);
  const Kernel& kernel = *request.context.kernel;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(request.mask >> lane & 1) || listed().size() >= kept_per_listed * max_listed()) continue;
    const auto* address = reinterpret_cast<const void*>(request.address[lane]);
    if (!request.object->holds(address, request.size)) continue;
    listed().push_back({.site = site,
                        .block = block_index_of(kernel, request.context.block),
                        .thread = thread_index_of(kernel, 32 * request.warp + lane),
                        .operation = name_of(request.operation),
                        .address = address_text(*request.object, address, request.size, site),
                        .global = request.space == Space::global});
  }
}

std::vector<ThreadAccess> take_listed_accesses() {
  const DetectorLock lock(mutex);
  std::vector<ThreadAccess> all = std::exchange(listed(), {});
  using Thread = std::pair<decltype(ThreadAccess::block), decltype(ThreadAccess::thread)>;
  std::set<Thread> of_device_memory;
  for (const ThreadAccess& access : all)
    if (access.global) of_device_memory.emplace(access.block, access.thread);
  std::erase_if(all, [&](const ThreadAccess& access) {
    return !of_device_memory.contains({access.block, access.thread});
  });
  if (all.size() > max_listed()) all.resize(max_listed());
  return all;
}

}  // namespace ladder::executor
