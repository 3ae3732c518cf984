#include "common/executor/observe/races/race_detector.hpp"

#include <algorithm>

#include "common/executor/observe/event_dispatcher.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/observe/races/detector_mutex.hpp"
#include "common/executor/observe/races/race_finding.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// Of the block that this CPU thread runs; null when it is checked at once.
constinit thread_local DeferredEvents* deferred_events = nullptr;

constexpr std::uint32_t first_shuffle = 0xFFFF0000u;

bool one_pool_thread() {
  static const bool value = setting("LADDER_EXECUTOR_THREADS", 1, 1, 1024) == 1;
  return value;
}

}  // namespace

DeferredEvents::Stored::Stored(const Request& from) : context(from.context), request{context} {
  const auto keep = [&](const auto* values, auto& mine) {
    if (values) std::copy_n(values, 32, mine.begin());
    return values ? mine.data() : nullptr;
  };
  request.warp = from.warp;
  request.code = from.code;
  request.operation = from.operation;
  request.space = from.space;
  request.atomic = from.atomic;
  request.is_volatile = from.is_volatile;
  request.ordering = from.ordering;
  request.size = from.size;
  request.mask = from.mask;
  request.object = from.object;
  request.address = keep(from.address, address);
  request.value = keep(from.value, value);
  request.undefined = keep(from.undefined, undefined);
  request.meetings = keep(from.meetings, meetings);
}

void DeferredEvents::add(const Request& request) {
  entries_.push_back({Kind::request, {}, std::make_unique<Stored>(request), {}});
}

RaceDetector::RaceDetector() {
  shadow_.on_race = [this](const Race& race) { record(race); };
  shadow_.on_uninitialised_read = [this](const UninitialisedRead& read) { record(read); };
  uninitialised_.on_uninitialised_read = [this](const UninitialisedRead& read) { record(read); };
  uninitialised_.on_first_sight = [this](std::uint32_t code, const char* address, std::uint16_t bytes) {
    if (immediately_) value_uses_.add_read(code, address, bytes);
  };
}

void RaceDetector::launch_begins(const Kernel& kernel) {
  kernel_ = &kernel;
  immediately_ = !kernel.cooperative && one_pool_thread();
  shadow_.begin_launch(kernel.cooperative, !immediately_);
  uninitialised_.begin_launch();
  value_uses_.launch_begins();
  shuffles_.clear();
  deferred_requests_ = 0;
}

bool RaceDetector::launch_ends(bool all_blocks) {
  replay_deferred();
  if (!all_blocks && shadow_.orders_blocks()) {
    forget_launch();
    return false;
  }
  if (all_blocks) uninitialised_.end_launch(shadow_);
  report_findings();
  return true;
}

void RaceDetector::forget_launch() {
  deferred_.clear();
  uninitialised_.begin_launch();
  races_.clear();
  uninitialised_reads_.clear();
  shuffles_.clear();
}

void RaceDetector::block_begins(std::uint64_t index) {
  deferred_events = nullptr;
  if (immediately_) return shadow_.begin_block(index);
  const DetectorLock lock(mutex_);
  deferred_events = &deferred_.emplace_back(index);
}

void RaceDetector::block_ends() {
  if (!deferred_events) shadow_.end_block();
  deferred_events = nullptr;
  if (immediately_) value_uses_.block_ends(*kernel_);
}

void RaceDetector::block_cut() {
  if (deferred_events)
    deferred_events->clear();
  else
    shadow_.cut_block();
  deferred_events = nullptr;
  value_uses_.block_cut();
}

void RaceDetector::barrier_passed(Site site) {
  if (deferred_events)
    deferred_events->add_barrier(site);
  else
    shadow_.barrier(site);
}

void RaceDetector::grid_barrier_reached() {
  if (deferred_events) deferred_events->add_grid_barrier();
}

void RaceDetector::add(const Request& request) {
  if (deferred_events) {
    deferred_events->add(request);
    ++deferred_requests_;
  } else {
    Targets{*this}.add(request);
  }
}

void RaceDetector::synchronise(unsigned thread, const void* object, bool release) {
  const Synchronisation event{object, ++synchronisations_, current_context()->interval, thread, release};
  if (deferred_events)
    deferred_events->add(event);
  else
    shadow_.synchronise(event);
}

void RaceDetector::Targets::add(const Request& request) {
  detector.uninitialised_.add(request);
  detector.shadow_.add(request);
}

/// From one barrier of the grid to the next, the blocks in their order.
void RaceDetector::replay_deferred() {
  std::ranges::sort(deferred_, {}, &DeferredEvents::block);
  Targets targets{*this};
  for (bool more = !deferred_.empty(); more;) {
    more = false;
    for (DeferredEvents& deferred : deferred_) {
      shadow_.begin_block(deferred.block());
      more |= deferred.replay(targets);
      shadow_.end_block();
    }
    shadow_.grid_barrier();
  }
  deferred_.clear();
  shadow_.end_launch();
}

void RaceDetector::record(const Race& race) {
  const Seen seen{race.first.access.code, race.second.access.code, race.same_value, race.same_instruction};
  Counted<Race>& counted = races_.try_emplace(seen, Counted<Race>{race, 0}).first->second;
  // A barrier of the warp would not help where two warps meet: such a pair is the one to show.
  if (counted.first.one_warp() && !race.one_warp()) counted.first = race;
  ++counted.count;
}

void RaceDetector::record(const UninitialisedRead& read) {
  ++uninitialised_reads_.try_emplace(read.reader.access.code, Counted<UninitialisedRead>{read, 0})
        .first->second.count;
  if (read.object->space == Space::shared)
    value_uses_.add_read(read.reader.access.code);  // others: at first sight
}

/// Numbers of shuffles are above all code addresses of a program.
void RaceDetector::undefined_shuffle(const UndefinedShuffle& shuffle) {
  const DetectorLock lock(mutex_);
  const auto same_line = [&](const UndefinedShuffle& other) {
    return other.site.line == shuffle.site.line && std::string_view(other.site.file) == shuffle.site.file;
  };
  const auto found = std::ranges::find_if(shuffles_, same_line);
  const auto index = static_cast<std::uint32_t>(found - shuffles_.begin());
  if (found == shuffles_.end()) shuffles_.push_back(shuffle);
  if (immediately_) value_uses_.add_read(first_shuffle + index);
}

void RaceDetector::report_shuffles() {
  for (std::uint32_t i = 0; i < shuffles_.size(); ++i)
    FindingList::get().add(finding_of(shuffles_[i], *kernel_,
                                      !immediately_                              ? Use::unknown
                                      : value_uses_.is_unused(first_shuffle + i) ? Use::unused
                                                                                 : Use::used));
}

void RaceDetector::report_findings() {
  const auto add = [&](const auto& seen) {
    for (const auto& [key, counted] : seen) {
      Finding finding = finding_of(counted.first, *kernel_);
      finding.count = counted.count;
      if (is_unused(counted.first)) make_note(finding);
      FindingList::get().add(std::move(finding), is_narrow(counted.first));
    }
  };
  add(races_);
  add(uninitialised_reads_);
  report_shuffles();
  races_.clear();
  uninitialised_reads_.clear();
}

}  // namespace ladder::executor
