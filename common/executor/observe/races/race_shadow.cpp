#include "common/executor/observe/races/race_shadow.hpp"

#include <algorithm>

namespace ladder::executor {
namespace {

/// Loads of one site between two barriers that get records of their own, so that messages can name the pass;
/// later ones share the last.
constexpr std::uint32_t own_records = 4;
/// Conflicts of one pair of sites between two barriers, within warps and across them; more are ignored.
constexpr unsigned max_pending = 256;
constexpr std::size_t max_uninitialised_reads = 1024;

/// Whether two atomics are one step for each other: those of a block's scope are not for other blocks.
bool each_one_step(const AccessRecord& a, const AccessRecord& b) {
  if (a.block == b.block && a.warp == b.warp) return true;
  const unsigned narrow = ordering::thread_scope | (a.block == b.block ? 0 : ordering::block_scope);
  return ((a.ordering | b.ordering) & narrow) == 0;
}

bool is_plain_store(const AccessRecord& access) {
  const bool writes = access.operation == Operation::store || access.operation == Operation::copy;
  return writes && !access.atomic && !access.is_volatile;
}

}  // namespace

// ---------------------------------------------------------------- requests

RaceShadow::SiteState& RaceShadow::state_of(unsigned warp, std::uint32_t code) {
  const auto index =
      site_index_.try_emplace(code, static_cast<std::uint32_t>(site_index_.size())).first->second;
  auto& sites = sites_[warp];
  if (index >= sites.size()) sites.resize(index + 16);
  SiteState& site = sites[index];
  if (site.block_epoch != block_epoch_) site = {epoch_, block_epoch_, 0, 0, 0, 0};
  if (site.epoch != epoch_) {
    site.epoch = epoch_;
    site.in_interval = 0;
    site.id = 0;
  }
  ++site.in_interval;
  ++site.in_block;
  return site;
}

void RaceShadow::add(const Request& request) {
  if (request.operation == Operation::fence || request.atomic || request.is_volatile) synchronise(request);
  if (request.operation == Operation::fence || request.mask == 0) return;
  // Only copies to shared memory are asynchronous on a GPU.
  if (request.operation == Operation::copy && request.space != Space::shared) return;
  SiteState& site = state_of(request.warp, request.code);
  for (std::uint32_t left = request.mask; left != 0;) {
    const std::uint32_t meetings = request.meetings[std::countr_zero(left)];
    std::uint32_t group = 0;
    for (std::uint32_t lanes = left; lanes != 0; lanes &= lanes - 1)
      if (request.meetings[std::countr_zero(lanes)] == meetings) group |= lanes & -lanes;
    add_group(request, group, meetings, site);
    left &= ~group;
  }
}

void RaceShadow::add_group(const Request& request, std::uint32_t lanes, std::uint32_t meetings,
                           SiteState& site) {
  current_.id = record(request, meetings, site);
  current_.warp = static_cast<std::uint8_t>(request.warp);
  current_.size = request.size;
  switch (request.operation) {
    case Operation::load:
      return add_lanes<Operation::load>(request, lanes);
    case Operation::store:
      return add_lanes<Operation::store>(request, lanes);
    case Operation::copy:
      return add_lanes<Operation::copy>(request, lanes);
    case Operation::atomic:
      return add_lanes<Operation::atomic>(request, lanes);
    case Operation::fence:
      return;
  }
}

AccessId RaceShadow::record(const Request& request, std::uint32_t meetings, SiteState& site) {
  const bool shared = request.operation == Operation::load && site.in_interval > own_records &&
                      site.id != 0 && site.meetings == meetings &&
                      at(site.id).position >= synchronised_[request.warp].position;
  if (shared) return site.id;
  records_.push_back({block_number_, request.code, request.context.interval, meetings, site.in_interval,
                      site.in_block, static_cast<std::uint16_t>(request.warp), request.operation,
                      request.atomic || request.operation == Operation::atomic, request.is_volatile, false,
                      request.ordering, position_});
  site.id = next_;
  site.meetings = meetings;
  return next_++;
}

template <Operation operation>
void RaceShadow::add_lanes(const Request& request, std::uint32_t lanes) {
  select(tracked(*request.object));
  constexpr bool has_value = operation == Operation::store || operation == Operation::copy;
  const std::uint64_t* const values = has_value ? request.value : nullptr;
  while (lanes != 0) {
    const int lane = std::countr_zero(lanes);
    const std::uint64_t address = request.address[lane];
    Run run{lanes & -lanes, 0};
    lanes &= lanes - 1;
    while (lanes != 0) {
      const int next = std::countr_zero(lanes);
      if (request.address[next] != address || (values && values[next] != values[lane])) break;
      run.lanes |= lanes & -lanes;
      lanes &= lanes - 1;
    }
    access<operation>(address, run, values ? values + lane : nullptr);
  }
}

void RaceShadow::select(const TrackedObject& object) {
  object_ = const_cast<TrackedObject*>(&object);
  current_.object = object_;
  oldest_ = object.space == Space::shared ? block_ : ordered_;
  object_->cells.begin_generation(generation_);
  if (object_->cells.touched < base_ && object.space != Space::shared) touched_.push_back(object_);
  object_->cells.touched = current_.id;
}

template <Operation operation>
void RaceShadow::access(std::uint64_t address, const Run& lanes, const std::uint64_t* value) {
  const auto* pointer = reinterpret_cast<const char*>(address);
  if (pointer < object_->begin || pointer >= object_->end) {
    // Deferred events are replayed when no block runs any more: then only device memory can be looked up.
    const TrackedObject* other =
        current_runner ? Objects::get().find(pointer) : Objects::get().find_allocation(pointer);
    if (!other) return;
    select(*other);
  }
  current_.offset = static_cast<std::size_t>(pointer - object_->begin);
  Run run = lanes;
  for (std::size_t offset = current_.offset, end = offset + current_.size; offset < end;) {
    ShadowRegion::Page& page = object_->cells.page(offset, end - offset);
    page.touched = current_.id;
    ShadowCell* cell = &page.cells[offset % ShadowRegion::page_bytes >> page.shift];
    const std::size_t page_end = offset - offset % ShadowRegion::page_bytes + ShadowRegion::page_bytes;
    for (const std::size_t last = std::min(end, page_end), step = std::size_t{1} << page.shift; offset < last;
         offset += step, ++cell) {
      if (value) {
        const std::size_t byte = offset - current_.offset;
        run.value = (current_.size > 8 ? *value : *value >> 8 * byte) & ShadowRegion::mask_of(page.shift);
      }
      if constexpr (operation == Operation::atomic) note_first_guess(*cell, run);
      if constexpr (operation == Operation::load || operation == Operation::atomic) load(*cell, run);
      if constexpr (operation != Operation::load) store(*cell, run);
      if constexpr (operation == Operation::copy) cell->writing_lane |= ShadowCell::copying;
    }
  }
}

// ---------------------------------------------------------------- cells

inline void RaceShadow::load(ShadowCell& cell, const Run& lanes) {
  if (open(cell.writer) || copying(cell)) check(cell, cell.writer, 1u << cell.writers_lane(), lanes);
  if (cell.writer < shared_first_ && object_->space == Space::shared &&
      uninitialised_.size() < max_uninitialised_reads)
    uninitialised_.push_back({{at(current_.id), lanes.first()}, object_, current_.offset, current_.size});
  if (cell.reader == current_.id) {
    cell.reading_lanes |= lanes.lanes;
    return;
  }
  Run run = lanes;
  if (open(cell.reader)) keep_reader(cell, run);
  cell.reader = current_.id;
  cell.reading_warp = current_.warp;
  cell.reading_lanes = run.lanes;
}

/// `old = *x; do { …; old = atomicCAS(x, assumed, …); } while (…)`: a thread's plain read before its own
/// atomic on the same address is a guess, and a wrong guess only costs an iteration.
inline void RaceShadow::note_first_guess(const ShadowCell& cell, const Run& run) {
  if (!open(cell.reader) || cell.reading_warp != current_.warp || (cell.reading_lanes & run.lanes) == 0)
    return;
  const AccessRecord &read = at(cell.reader), &current = at(current_.id);
  if (read.operation == Operation::load && !read.atomic && read.block == current.block &&
      read.interval == current.interval)
    first_guesses_.insert(read.code);
}

/// The last reader is about to be replaced.
inline void RaceShadow::keep_reader(ShadowCell& cell, Run& run) {
  const auto lane = static_cast<std::uint8_t>(std::countr_zero(cell.reading_lanes));
  if (cell.reader < block_) {
    if (open(cell.other_block) && is_plain_store(at(cell.other_block))) return;
    cell.other_block = cell.reader;
    cell.other_block_lane = lane;
  } else if (cell.reading_warp != current_.warp) {
    cell.other_warp = cell.reader;
    cell.other_warp_lane = lane;
  } else if (at(cell.reader).meetings == at(current_.id).meetings) {
    run.lanes |= cell.reading_lanes;
  }
}

/// Whether the copy that is in flight to the cell is of that thread.
inline bool RaceShadow::copied_by(const ShadowCell& cell, const Run& run) const {
  return copying(cell) && run.first() == cell.writers_lane() && at(cell.writer).warp == current_.warp;
}

/// A thread has waited for its copy: the same copy, and now the barriers count that follow.
AccessId RaceShadow::arrival_of(AccessId copy) {
  if (arrival_.store == current_.id && arrival_.copy == copy) return arrival_.record;
  AccessRecord record = at(copy);
  record.interval = at(current_.id).interval;
  record.meetings = at(current_.id).meetings;
  record.position = at(current_.id).position;
  record.arrived = true;
  records_.push_back(record);
  arrival_ = {current_.id, copy, next_};
  return next_++;
}

inline void RaceShadow::store(ShadowCell& cell, const Run& run) {
  // Accesses to the cell since the copy began were reported then.
  if (copied_by(cell, run) && at(current_.id).operation == Operation::store) {
    cell.writer = arrival_of(cell.writer);
    cell.value = run.value;
    cell.writing_lane &= static_cast<std::uint8_t>(~ShadowCell::copying);
    return;
  }
  if (open(cell.writer) || copying(cell)) check(cell, cell.writer, 1u << cell.writers_lane(), run);
  if (open(cell.reader)) check(cell, cell.reader, cell.reading_lanes, run);
  if (open(cell.other_warp)) check(cell, cell.other_warp, 1u << cell.other_warp_lane, run);
  if (open(cell.other_block)) check(cell, cell.other_block, 1u << cell.other_block_lane, run);
  if (cell.writer >= block_ && is_plain_store(at(cell.writer)) && at(current_.id).atomic) {
    // Atomics of other blocks race with the plain store, and not with the atomics that replace it here.
    cell.other_block = cell.writer;
    cell.other_block_lane = static_cast<std::uint8_t>(cell.writers_lane());
  }
  cell.writer = current_.id;
  cell.value = run.value;
  cell.writing_lane = static_cast<std::uint8_t>(run.first());
}

/// Both accesses are of one launch and no barrier is between them.
void RaceShadow::check(const ShadowCell& cell, AccessId other, std::uint32_t other_lanes, const Run& run) {
  const AccessRecord& before = at(other);
  const AccessRecord& after = at(current_.id);
  const bool both_write = before.operation != Operation::load && after.operation != Operation::load;
  // Its own copy has not arrived either until the thread has waited.
  if (other == cell.writer && after.operation == Operation::load && copied_by(cell, run))
    return add_pending({{before, run.first()},
                        {after, run.first()},
                        current_.object,
                        current_.offset,
                        current_.size,
                        false,
                        false,
                        false,
                        {}});
  if (before.atomic && after.atomic && each_one_step(before, after)) return;
  const bool one_warp = before.block == after.block && before.warp == after.warp;
  if (one_warp) {
    // Either way: a tile that waits for its own lanes only may be seen ahead of the rest of its warp.
    if (before.meetings != after.meetings) return;
    // A lane does not race with itself; when both sides have several lanes, at least one pair differs.
    if (other_lanes == run.lanes && std::has_single_bit(run.lanes)) return;
    if ((other_lanes & ~run.lanes) == 0 && std::has_single_bit(run.lanes)) return;
  } else if ((before.is_volatile && (after.atomic || after.is_volatile)) ||
             (before.atomic && after.is_volatile)) {
    return;  // flags: only the data that they guard are checked, by the order of the flags
  }
  const bool same_value =
      both_write && !before.atomic && !after.atomic && other == cell.writer && cell.value == run.value;
  const bool same_instruction = other == current_.id;
  if (same_instruction && (same_value || !both_write)) return;
  Race race{{before, 0},   {after, run.first()}, current_.object,  current_.offset,
            current_.size, same_value,           same_instruction, {}};
  const std::uint32_t different = one_warp ? other_lanes & ~(1u << race.second.lane) : other_lanes;
  race.first.lane = static_cast<unsigned>(std::countr_zero(different != 0 ? different : other_lanes));
  if (one_warp && different == 0)  // the same lane first on both sides: another one of this access
    race.second.lane = static_cast<unsigned>(std::countr_zero(run.lanes & ~other_lanes));
  if (before.block == after.block && before.interval == after.interval) race.barrier = last_barrier_;
  add_pending(race);
}

/// Counted separately: the many pairs within warps must not use up the limit for pairs of two warps.
void RaceShadow::add_pending(Race race) {
  const auto key =
      std::tuple(race.first.access.code, race.second.access.code, race.same_value, race.one_warp());
  if (++pending_count_[key] <= max_pending) pending_.push_back(race);
}

}  // namespace ladder::executor
