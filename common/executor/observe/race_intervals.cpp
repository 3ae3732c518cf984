/// @file
/// The order between accesses: launches, blocks, barriers, and synchronisation between threads.

#include <algorithm>
#include <array>

#include "common/executor/observe/race_shadow.hpp"

namespace ladder::executor {
namespace {

/// A launch begins with at most this one, so that its own fit.
constexpr AccessId last_access = 0x80000000u;

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
  pending_.clear();
  unwritten_.clear();
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
  unwritten_.clear();
  close_interval();
}

void RaceShadow::grid_barrier() {
  ordered_ = next_;
}

// ---------------------------------------------------------------- the end of an interval

void RaceShadow::synchronise(const Request& request) {
  for (std::uint32_t lanes = request.mask; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const unsigned thread = request.warp * 32 + static_cast<unsigned>(lane);
    if (request.operation == Operation::fence) {
      releases_.fence(thread);
      continue;
    }
    const ThreadTime time{block_number_, request.context.interval, thread};
    const bool is_store = request.operation == Operation::store;
    // The time of a volatile access is unknown: when in doubt it counts as ordered.
    const bool numbered =
        !parallel_ && (request.operation == Operation::atomic || (request.atomic && request.value));
    const std::uint64_t first = numbered ? request.value[lane] : 0,
                        last = numbered ? first : ~std::uint64_t{0};
    if (request.operation != Operation::load && (releases_.fenced(thread) || (request.atomic && is_store))) {
      releases_.release(request.address[lane], first, time);
      orders_blocks_ |= request.space != Space::shared;
    }
    if (!is_store) releases_.acquire(request.address[lane], last, time);
  }
}

void RaceShadow::synchronise(const Synchronisation& event) {
  const ThreadTime time{block_number_, event.interval, event.thread};
  const auto address = reinterpret_cast<std::uint64_t>(event.object);
  if (event.release)
    releases_.release(address, event.number, time);
  else
    releases_.acquire(address, event.number, time);
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

void RaceShadow::close_interval() {
  std::erase_if(pending_, [&](const Race& race) { return first_guess(race); });
  releases_.close_interval();
  const auto time = [](const Party& party) {
    return ThreadTime{party.access.block, party.access.interval, party.thread()};
  };
  for (Race& race : pending_) {
    if (releases_.ordered(time(race.first), time(race.second))) continue;
    race.one_loop = race.first.access.interval == race.second.access.interval && one_loop(race);
    on_race(race);
  }
  pending_.clear();
  pending_count_.clear();
  judge_unwritten();
}

const Cell& RaceShadow::cell_of(const UnwrittenRead& read) const {
  auto& cells = const_cast<TrackedObject*>(read.object)->cells;
  const CellRegion::Page& page = cells.page(read.offset, read.size);
  return page.cells[read.offset % CellRegion::page_bytes >> page.shift];
}

/// Two atomics are no race: the first one read memory without a value, the second one changes its result.
bool RaceShadow::both_atomic(const UnwrittenRead& read, const Cell& cell) const {
  return read.reader.access.operation == Operation::atomic && at(cell.writer).operation == Operation::atomic;
}

/// A value that another thread wrote in the same interval is a race, and reported as one.
void RaceShadow::judge_unwritten() {
  for (const UnwrittenRead& read : unwritten_) {
    const Cell& cell = cell_of(read);
    const bool by_another =
        cell.writer >= shared_first_ && !both_atomic(read, cell) &&
        (at(cell.writer).warp != read.reader.access.warp || cell.writers_lane() != read.reader.lane);
    if (!by_another) on_unwritten(read);
  }
  unwritten_.clear();
}

bool RaceShadow::written_beside(const UnwrittenRead& read) const {
  const Cell& cell = cell_of(read);
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
        const std::size_t count = CellRegion::page_bytes >> pages[number].shift;
        for (std::size_t i = 0; i < count; ++i) {
          const Cell& cell = pages[number].cells[i];
          const std::size_t begin = number * CellRegion::page_bytes + (i << pages[number].shift);
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
