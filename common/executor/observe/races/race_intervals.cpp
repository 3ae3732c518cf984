/// @file
/// The order between accesses: launches, blocks, barriers, and synchronisation between threads.

#include <algorithm>
#include <array>

#include "common/executor/observe/races/race_shadow.hpp"

namespace ladder::executor {
namespace {

/// A launch begins with at most this one, so that its own fit.
constexpr AccessId last_access = 0x80000000u;
/// Races that wait for the end of their launch.
constexpr std::size_t max_unsettled = 1 << 16;

}  // namespace

// ---------------------------------------------------------------- order

void RaceShadow::begin_launch(bool in_phases, bool parallel) {
  in_phases_ = in_phases;
  parallel_ = parallel;
  // Old cells have smaller numbers than all future ones. Enough numbers must remain for the next launch.
  if (next_ > last_access) {
    next_ = 1;
    ++generation_;
  }
  base_ = ordered_ = shared_first_ = next_;
  records_.clear();
  touched_.clear();
  releases_.begin_launch();
  orders_blocks_ = false;
  position_ = 0;
  synchronised_.fill({});
  pending_.clear();
  unsettled_.clear();
  uninitialised_.clear();
}

void RaceShadow::begin_block(std::uint64_t block) {
  block_number_ = block;
  block_ = interval_ = next_;
  if (!in_phases_) shared_first_ = next_;
  ++epoch_;
  ++block_epoch_;
  barriers_.clear();
  last_barrier_ = {};
  releases_.begin_block();
}

void RaceShadow::barrier(Site site) {
  close_interval();
  interval_ = next_;
  ++epoch_;
  const auto same = std::ranges::find_if(
      barriers_, [&](const PassedBarrier& passed) { return passed.site.line == site.line; });
  if (same == barriers_.end()) {
    barriers_.push_back({site, 1});
    last_barrier_ = barriers_.back();
  } else {
    ++same->times;
    last_barrier_ = *same;
  }
}

void RaceShadow::cut_block() {
  pending_.clear();
  pending_count_.clear();
  uninitialised_.clear();
  close_interval();
}

void RaceShadow::grid_barrier() {
  ordered_ = next_;
}

// ---------------------------------------------------------------- the end of an interval

/// A thread that waits in a loop of loads does not come further in its program by each of them.
void RaceShadow::synchronise(const Request& request) {
  if (request.mask == 0) return;
  LastSynchronisation& last = synchronised_[request.warp];
  if (request.operation != Operation::load || last.code != request.code) last = {++position_, request.code};
  if (request.operation == Operation::fence) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(request.mask));
    const auto thread = static_cast<std::uint16_t>(request.warp * 32 + lane);
    releases_.fence({block_number_, request.context.interval, request.meetings[lane], last.position, thread},
                    request.mask, request.ordering);
    return;
  }
  for (std::uint32_t lanes = request.mask; lanes != 0; lanes &= lanes - 1)
    synchronise(request, static_cast<unsigned>(std::countr_zero(lanes)), last.position);
}

void RaceShadow::synchronise(const Request& request, unsigned lane, std::uint32_t position) {
  const auto thread = static_cast<std::uint16_t>(request.warp * 32 + lane);
  const bool numbered = (request.operation == Operation::atomic || request.atomic) && request.value;
  Releases::Event event;
  event.address = request.address[lane];
  // The time of a volatile access is unknown: when in doubt it counts as ordered.
  if (numbered && !parallel_) event.number = request.value[lane];
  event.at = {block_number_, request.context.interval, request.meetings[lane], position, thread};
  event.ordering = request.ordering;
  if (request.space == Space::shared) event.ordering |= ordering::block_scope;  // a lock of each block
  event.code = request.code;
  event.changed = numbered && (request.value[lane] & 1) != 0;
  event.reads = request.operation != Operation::store;
  const bool may_keep = (request.ordering & ordering::compares) && !event.changed;
  event.writes = request.operation != Operation::load && !may_keep;
  event.synchronises = releases_.fenced(thread) || (request.ordering & ordering::releases);
  const bool is_store = request.atomic && request.operation == Operation::store;
  orders_blocks_ |= event.writes && (releases_.fenced(thread) || is_store) && request.space != Space::shared;
  releases_.add(event);
}

void RaceShadow::synchronise(const Synchronisation& object) {
  Releases::Event event;
  event.address = reinterpret_cast<std::uint64_t>(object.object);
  event.number = object.number;
  // The accesses of its interval come later: all of them count as ordered.
  const std::uint32_t last = ~std::uint32_t{0};
  event.at = {block_number_, object.interval, object.release ? 0 : last, object.release ? last : 0,
              static_cast<std::uint16_t>(object.thread)};
  event.ordering = object.release ? ordering::releases : ordering::acquires;
  event.reads = !object.release;
  event.writes = object.release;
  event.by_object = true;
  releases_.add(event);
}

/// By code: which lanes of a warp guessed is not kept.
bool RaceShadow::first_guess(const Race& race) const {
  if (!race.first.access.atomic && !race.second.access.atomic) return false;
  const AccessRecord& reader = (race.second.access.atomic ? race.first : race.second).access;
  return reader.operation == Operation::load && !reader.atomic && first_guesses_.contains(reader.code);
}

/// Code after a loop is reached once, however many passes the loop has.
bool RaceShadow::one_loop(const Race& race) const {
  const auto times = [&](const Party& party, std::uint32_t code) -> std::uint32_t {
    const auto& sites = sites_[party.access.warp];
    const std::uint32_t index = site_index_.at(code);
    return index < sites.size() && sites[index].epoch == epoch_ ? sites[index].in_interval : 0;
  };
  const std::uint32_t one = race.first.access.code, other = race.second.access.code;
  return std::ranges::any_of(std::array{race.first, race.second},
                             [&](const Party& party) { return times(party, one) == times(party, other); });
}

bool RaceShadow::unordered(Race& race) {
  const auto time = [](const Party& party) {
    const AccessRecord& access = party.access;
    return ThreadTime{access.block, access.interval, access.meetings, access.position,
                      static_cast<std::uint16_t>(party.thread())};
  };
  const auto disorder = releases_.disorder(time(race.first), time(race.second));
  if (disorder) race.disorder = *disorder;
  return disorder.has_value();
}

/// Blocks that ran at the same time come one after the other: the second party may have come first, and what
/// it released after that is known only now.
void RaceShadow::end_launch() {
  for (Race& race : unsettled_)
    if (unordered(race)) on_race(race);
  unsettled_.clear();
}

void RaceShadow::close_interval() {
  std::erase_if(pending_, [&](const Race& race) { return first_guess(race); });
  releases_.close_interval();
  for (Race& race : pending_) {
    if (!unordered(race)) continue;
    race.one_loop = race.first.access.interval == race.second.access.interval && one_loop(race);
    if (parallel_ && unsettled_.size() < max_unsettled)
      unsettled_.push_back(race);
    else
      on_race(race);
  }
  pending_.clear();
  pending_count_.clear();
  settle_uninitialised_reads();
}

const ShadowCell& RaceShadow::cell_of(const UninitialisedRead& read) const {
  auto& cells = const_cast<TrackedObject*>(read.object)->cells;
  const ShadowRegion::Page& page = cells.page(read.offset, read.size);
  return page.cells[read.offset % ShadowRegion::page_bytes >> page.shift];
}

/// Two atomics do not race: the first one read memory without a value, the second one changes its result.
bool RaceShadow::both_atomic(const UninitialisedRead& read, const ShadowCell& cell) const {
  return read.reader.access.operation == Operation::atomic && at(cell.writer).operation == Operation::atomic;
}

/// A value that another thread wrote in the same interval is a race, and reported as one.
void RaceShadow::settle_uninitialised_reads() {
  for (const UninitialisedRead& read : uninitialised_) {
    const ShadowCell& cell = cell_of(read);
    const bool by_another =
        cell.writer >= shared_first_ && !both_atomic(read, cell) &&
        (at(cell.writer).warp != read.reader.access.warp || cell.writers_lane() != read.reader.lane);
    if (!by_another) on_uninitialised_read(read);
  }
  uninitialised_.clear();
}

bool RaceShadow::written_concurrently(const UninitialisedRead& read) const {
  const ShadowCell& cell = cell_of(read);
  if (cell.writer < base_ || both_atomic(read, cell)) return false;
  const AccessRecord& write = at(cell.writer);
  const AccessRecord& reader = read.reader.access;
  if (write.block != reader.block) return true;
  return write.interval == reader.interval &&
         (write.warp != reader.warp || cell.writers_lane() != read.reader.lane);
}

// ---------------------------------------------------------------- what a launch touched

std::vector<RaceShadow::Touched> RaceShadow::touched() const {
  std::vector<Touched> result;
  const auto add = [&](const Touched& more) {
    if (!result.empty() && result.back().object == more.object && result.back().end == more.begin &&
        result.back().write == more.write && result.back().atomic == more.atomic)
      result.back().end = more.end;
    else
      result.push_back(more);
  };
  for (const TrackedObject* object : touched_) {
    const auto& pages = object->cells.pages();
    for (const bool write : {false, true}) {
      for (std::size_t number = 0; number < pages.size(); ++number) {
        if (pages[number].touched < base_) continue;
        const std::size_t count = ShadowRegion::page_bytes >> pages[number].shift;
        for (std::size_t i = 0; i < count; ++i) {
          const ShadowCell& cell = pages[number].cells[i];
          const std::size_t begin = number * ShadowRegion::page_bytes + (i << pages[number].shift);
          const AccessId last = write ? cell.writer : cell.reader;
          if (last >= base_)
            add({object, begin, begin + (std::size_t{1} << pages[number].shift), write, at(last).atomic});
        }
      }
    }
  }
  return result;
}

}  // namespace ladder::executor
