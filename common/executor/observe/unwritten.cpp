#include "common/executor/observe/unwritten.hpp"

#include <bit>

#include "common/executor/observe/padding.hpp"
#include "common/executor/observe/written_bytes.hpp"
#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

constexpr std::size_t most_reads_of_a_site = 64;

/// Those of the bytes that no thread has written.
std::uint16_t missing(const WrittenBytes& written, std::size_t offset, std::uint16_t bytes) {
  std::uint16_t result = 0;
  for (unsigned rest = bytes; rest != 0; rest &= rest - 1) {
    const auto byte = static_cast<unsigned>(std::countr_zero(rest));
    if (!written.has(offset + byte, 1)) result |= static_cast<std::uint16_t>(1u << byte);
  }
  return result;
}

}  // namespace

std::uint16_t bytes_without_value(const Object& where, const PartOfObject& part) {
  if (where.space != Space::global) return 0;
  const TrackedObject& object = tracked(where);
  if (!object.written || object.written->complete()) return 0;
  std::uint16_t untouched = 0;
  for (unsigned i = 0; i < part.bytes; ++i)
    if (static_cast<unsigned char>(part.begin[i]) == first_contents)
      untouched |= static_cast<std::uint16_t>(1u << i);
  const std::uint16_t bytes =
      missing(*object.written, static_cast<std::size_t>(part.begin - object.begin), untouched);
  if (bytes == 0) return 0;
  const auto offset = static_cast<std::size_t>(part.begin - part.whole);
  return without_padding(part.whole_bytes, offset, bytes, part.repeats);
}

void UnwrittenJudge::take(const Request& request) {
  if (request.space != Space::global || request.operation == Operation::fence) return;
  const TrackedObject* object = &tracked(*request.object);
  if (!object->written || object->written->complete()) return;
  const auto each_lane = [&](auto&& of_lane) {
    for (std::uint32_t lanes = request.mask; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const auto* address = reinterpret_cast<const char*>(request.address[lane]);
      if (!object->holds(address, request.size)) {
        const TrackedObject* other = Objects::get().find_allocation(address);
        if (!other || !other->written) continue;
        object = other;
      }
      of_lane(lane, static_cast<std::size_t>(address - object->begin));
    }
  };
  // Of a warp's updates any lane's may have come first: all read before any counts as written.
  if (request.unwritten)
    each_lane([&](unsigned lane, std::size_t offset) {
      if (request.unwritten[lane] == 0) return;
      if (const std::uint16_t bytes = missing(*object->written, offset, request.unwritten[lane]); bytes != 0)
        read(request, lane, *object, offset, bytes);
    });
  if (request.operation != Operation::load)
    each_lane([&](unsigned, std::size_t offset) { object->written->set(offset, request.size); });
}

void UnwrittenJudge::read(const Request& request, unsigned lane, const TrackedObject& object,
                          std::size_t offset, std::uint16_t bytes) {
  on_first_sight(request.code, object.begin + offset, bytes);
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
