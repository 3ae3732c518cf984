#include "common/executor/observe/definedness/uninitialised_reads.hpp"

#include <bit>

#include "common/executor/observe/definedness/defined_bytes.hpp"
#include "common/executor/observe/definedness/padding.hpp"
#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

constexpr std::size_t max_reads_per_site = 64;

/// Those of the bytes that no thread has written.
std::uint16_t missing(const DefinedBytes& written, std::size_t offset, std::uint16_t bytes) {
  std::uint16_t result = 0;
  for (unsigned rest = bytes; rest != 0; rest &= rest - 1) {
    const auto byte = static_cast<unsigned>(std::countr_zero(rest));
    if (!written.has(offset + byte, 1)) result |= static_cast<std::uint16_t>(1u << byte);
  }
  return result;
}

}  // namespace

std::uint16_t undefined_bytes(const Object& where, const PartOfObject& part) {
  if (where.space != Space::global) return 0;
  const TrackedObject& object = tracked(where);
  if (!object.defined || object.defined->complete()) return 0;
  std::uint16_t untouched = 0;
  for (unsigned i = 0; i < part.bytes; ++i)
    if (static_cast<unsigned char>(part.begin[i]) == first_contents)
      untouched |= static_cast<std::uint16_t>(1u << i);
  const std::uint16_t bytes =
      missing(*object.defined, static_cast<std::size_t>(part.begin - object.begin), untouched);
  if (bytes == 0) return 0;
  const auto offset = static_cast<std::size_t>(part.begin - part.whole);
  return without_padding(part.whole_bytes, offset, bytes, part.repeats);
}

void UninitialisedReadDetector::add(const Request& request) {
  if (request.space != Space::global || request.operation == Operation::fence) return;
  const TrackedObject* object = &tracked(*request.object);
  if (!object->defined || object->defined->complete()) return;
  const auto each_lane = [&](auto&& of_lane) {
    for (std::uint32_t lanes = request.mask; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      const auto* address = reinterpret_cast<const char*>(request.address[lane]);
      if (!object->holds(address, request.size)) {
        const TrackedObject* other = Objects::get().find_allocation(address);
        if (!other || !other->defined) continue;
        object = other;
      }
      of_lane(lane, static_cast<std::size_t>(address - object->begin));
    }
  };
  // Of a warp's updates any lane's may have come first: all read before any counts as written.
  if (request.undefined)
    each_lane([&](unsigned lane, std::size_t offset) {
      if (request.undefined[lane] == 0) return;
      if (const std::uint16_t bytes = missing(*object->defined, offset, request.undefined[lane]); bytes != 0)
        read(request, lane, *object, offset, bytes);
    });
  if (request.operation != Operation::load)
    each_lane([&](unsigned, std::size_t offset) { object->defined->set(offset, request.size); });
}

void UninitialisedReadDetector::read(const Request& request, unsigned lane, const TrackedObject& object,
                                     std::size_t offset, std::uint16_t bytes) {
  on_first_sight(request.code, object.begin + offset, bytes);
  auto& reads = reads_[request.code];
  if (reads.size() >= max_reads_per_site) return;
  AccessRecord access;
  access.block = request.context.block;
  access.code = request.code;
  access.interval = request.context.interval;
  access.warp = static_cast<std::uint16_t>(request.warp);
  access.operation = request.operation;
  reads.push_back({{access, lane}, &object, offset, request.size});
}

void UninitialisedReadDetector::end_launch(const RaceShadow& shadow) {
  for (const auto& [code, reads] : reads_)
    for (const UninitialisedRead& read : reads)
      if (!shadow.written_concurrently(read)) on_uninitialised_read(read);
  reads_.clear();
}

}  // namespace ladder::executor
