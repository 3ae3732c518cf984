#include "common/executor/observe/unwritten.hpp"

#include <bit>

#include "common/executor/observe/written_bytes.hpp"

namespace ladder::executor {
namespace {

constexpr std::size_t most_reads_of_a_site = 64;

}  // namespace

void UnwrittenJudge::take(const Request& request) {
  if (request.space != Space::global || request.operation == Operation::fence) return;
  const TrackedObject* object = &tracked(*request.object);
  if (!object->written || object->written->complete()) return;
  for (std::uint32_t lanes = request.mask; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto* address = reinterpret_cast<const char*>(request.address[lane]);
    if (!object->holds(address, request.size)) {
      const TrackedObject* other = Objects::get().find_allocation(address);
      if (!other || !other->written) continue;
      object = other;
    }
    const auto offset = static_cast<std::size_t>(address - object->begin);
    if (request.operation != Operation::store && !object->written->has(offset, request.size))
      read(request, lane, *object, offset);
    if (request.operation != Operation::load) object->written->set(offset, request.size);
  }
}

void UnwrittenJudge::read(const Request& request, unsigned lane, const TrackedObject& object,
                          std::size_t offset) {
  auto& reads = reads_[request.code];
  if (reads.size() >= most_reads_of_a_site) return;
  AccessRecord access;
  access.block = request.context.block;
  access.code = request.code;
  access.interval = request.context.interval;
  access.warp = static_cast<std::uint16_t>(request.warp);
  access.operation = request.operation;
  reads.push_back({{access, lane}, &object, offset, request.size});
}

void UnwrittenJudge::end_launch(const RaceShadow& shadow) {
  for (const auto& [code, reads] : reads_)
    for (const UnwrittenRead& read : reads)
      if (!shadow.written_beside(read)) on_unwritten(read);
  reads_.clear();
}

}  // namespace ladder::executor
