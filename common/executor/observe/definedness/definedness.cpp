#include "common/executor/observe/definedness/definedness.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/addresses/objects.hpp"
#include "common/executor/observe/definedness/defined_bytes.hpp"
#include "common/executor/observe/definedness/padding.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

std::size_t offset_in(const TrackedObject& object, const TouchedMemory& touched) {
  return static_cast<std::size_t>(static_cast<const char*>(touched.begin) - object.begin);
}

Finding undefined_copy(const QueuedOperation& operation, const TrackedObject& object,
                       const TouchedMemory& touched) {
  const std::size_t offset = offset_in(object, touched);
  const std::size_t first = object.defined->first_missing(offset, touched.bytes);
  Finding finding;
  finding.kind = "uninitialised";
  finding.severity = "warning";
  finding.site = line_of(operation.site);
  finding.operation = "copy";
  finding.address = address_text(object, object.begin + offset + first, 1);
  finding.message = std::string(operation.call) +
                    " copies bytes to the host that nobody has written, first " + finding.address;
  finding.meaning = "Memory from cudaMalloc is uninitialised.";
  return finding;
}

/// A range of memory that a copy accesses, when it is the device's.
struct Piece {
  TrackedObject* object = nullptr;  ///< null: memory of the host
  std::size_t offset = 0, bytes = 0;

  explicit Piece(const TouchedMemory& touched) : bytes(touched.bytes) {
    object = Objects::get().find_allocation(touched.begin);
    if (object && !object->defined) object = nullptr;
    if (object) offset = offset_in(*object, touched);
  }
  bool has_values() const { return !object || object->defined->has(offset, bytes); }
};

/// The bytes that have arrived on the host show which were never touched.
bool only_padding_is_missing(const Piece& from, const TouchedMemory& arrived) {
  const auto* const bytes = static_cast<const unsigned char*>(arrived.begin);
  return only_padding_is_missing(*from.object->defined, from.offset, from.bytes, [&](std::size_t at) {
    return at < arrived.bytes && bytes[at] == first_contents;
  });
}

/// Bytes without a value have none in the copy either.
void copy_values(const Piece& from, const Piece& to) {
  if (!to.object) return;
  if (from.has_values()) return to.object->defined->set(to.offset, to.bytes);
  for (std::size_t i = 0; i < std::min(from.bytes, to.bytes); ++i)
    if (from.object->defined->has(from.offset + i, 1)) to.object->defined->set(to.offset + i, 1);
}

}  // namespace

void mark_defined(const TouchedMemory& touched) {
  const Piece piece(touched);
  if (touched.write && piece.object) piece.object->defined->set(piece.offset, piece.bytes);
}

void propagate_definedness(const QueuedOperation& operation) {
  if (std::string_view(operation.call) == "cudaMallocAsync") return;
  if (std::string_view(operation.call).starts_with("cublas")) {  // no copy: what it writes has a value
    for (const TouchedMemory& touched : operation.touches) mark_defined(touched);
    return;
  }
  std::vector<const TouchedMemory*> reads, writes;  // of rows, one each
  for (const TouchedMemory& touched : operation.touches) (touched.write ? writes : reads).push_back(&touched);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const Piece to(*writes[i]);
    if (reads.size() != writes.size()) {
      if (to.object) to.object->defined->set(to.offset, to.bytes);
      continue;
    }
    const Piece from(*reads[i]);
    const TrackedObject* anything = Objects::get().find_allocation(writes[i]->begin);
    const bool to_host = !anything || anything->space == Space::host;
    if (to_host && !from.has_values() && !only_padding_is_missing(from, *writes[i]))
      FindingList::get().add(undefined_copy(operation, *from.object, *reads[i]));
    copy_values(from, to);
  }
}

}  // namespace ladder::executor
