#include "common/executor/observe/race_judge.hpp"

#include <algorithm>

#include "common/executor/observe/finding_list.hpp"
#include "common/executor/observe/hub.hpp"
#include "common/executor/observe/judge_lock.hpp"
#include "common/executor/observe/race_finding.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// The tape of the block that this CPU thread runs; null when it is judged at once.
constinit thread_local BlockTape* tape = nullptr;

constexpr std::uint32_t first_shuffle = 0xFFFF0000u;

bool one_worker() {
  static const bool value = setting("LADDER_EXECUTOR_THREADS", 1, 1, 1024) == 1;
  return value;
}

}  // namespace

BlockTape::Stored::Stored(const Request& from) : context(from.context), request{context} {
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
  request.unwritten = keep(from.unwritten, unwritten);
  request.meetings = keep(from.meetings, meetings);
}

void BlockTape::add(const Request& request) {
  entries_.push_back({Kind::request, {}, std::make_unique<Stored>(request), {}});
}

RaceJudge::RaceJudge() {
  shadow_.on_race = [this](const Race& race) { found(race); };
  shadow_.on_unwritten = [this](const UnwrittenRead& read) { found(read); };
  unwritten_.on_unwritten = [this](const UnwrittenRead& read) { found(read); };
  unwritten_.on_first_sight = [this](std::uint32_t code, const char* address, std::uint16_t bytes) {
    if (immediately_) uses_.found(code, address, bytes);
  };
}

void RaceJudge::launch_begins(const Kernel& kernel) {
  kernel_ = &kernel;
  immediately_ = !kernel.cooperative && one_worker();
  shadow_.begin_launch(kernel.cooperative, !immediately_);
  unwritten_.begin_launch();
  uses_.launch_begins();
  shuffles_.clear();
  taped_ = 0;
}

bool RaceJudge::launch_ends(bool all_blocks) {
  play_tapes();
  if (!all_blocks && shadow_.orders_blocks()) {
    forget_launch();
    return false;
  }
  if (all_blocks) unwritten_.end_launch(shadow_);
  tell();
  return true;
}

void RaceJudge::forget_launch() {
  tapes_.clear();
  unwritten_.begin_launch();
  races_.clear();
  unwritten_reads_.clear();
  shuffles_.clear();
}

void RaceJudge::block_begins(std::uint64_t index) {
  tape = nullptr;
  if (immediately_) return shadow_.begin_block(index);
  const JudgeLock lock(mutex_);
  tape = &tapes_.emplace_back(index);
}

void RaceJudge::block_ends() {
  if (!tape) shadow_.end_block();
  tape = nullptr;
  if (immediately_) uses_.block_ends(*kernel_);
}

void RaceJudge::block_cut() {
  if (tape)
    tape->clear();
  else
    shadow_.cut_block();
  tape = nullptr;
  uses_.block_cut();
}

void RaceJudge::barrier_passed(Site site) {
  if (tape)
    tape->add_barrier(site);
  else
    shadow_.barrier(site);
}

void RaceJudge::grid_barrier_reached() {
  if (tape) tape->add_grid_barrier();
}

void RaceJudge::take(const Request& request) {
  if (tape) {
    tape->add(request);
    ++taped_;
  } else {
    Both{*this}.take(request);
  }
}

void RaceJudge::synchronise(unsigned thread, const void* object, bool release) {
  const Synchronisation event{object, ++synchronisations_, current_context()->interval, thread, release};
  if (tape)
    tape->add(event);
  else
    shadow_.synchronise(event);
}

void RaceJudge::Both::take(const Request& request) {
  judge.unwritten_.take(request);
  judge.shadow_.take(request);
}

/// From one barrier of the grid to the next, the blocks in their order.
void RaceJudge::play_tapes() {
  std::ranges::sort(tapes_, {}, &BlockTape::block);
  Both both{*this};
  for (bool more = !tapes_.empty(); more;) {
    more = false;
    for (BlockTape& played : tapes_) {
      shadow_.begin_block(played.block());
      more |= played.play(both);
      shadow_.end_block();
    }
    shadow_.grid_barrier();
  }
  tapes_.clear();
  shadow_.end_launch();
}

void RaceJudge::found(const Race& race) {
  const Seen seen{race.first.access.code, race.second.access.code, race.same_value, race.same_instruction};
  Counted<Race>& counted = races_.try_emplace(seen, Counted<Race>{race, 0}).first->second;
  // A barrier of the warp would not help where two warps meet: such a pair is the one to show.
  if (counted.first.one_warp() && !race.one_warp()) counted.first = race;
  ++counted.count;
}

void RaceJudge::found(const UnwrittenRead& read) {
  ++unwritten_reads_.try_emplace(read.reader.access.code, Counted<UnwrittenRead>{read, 0})
        .first->second.count;
  if (read.object->space == Space::shared) uses_.found(read.reader.access.code);  // others: at first sight
}

/// Numbers of shuffles are above all code addresses of a program.
void RaceJudge::undefined_shuffle(const UndefinedShuffle& shuffle) {
  const JudgeLock lock(mutex_);
  const auto same_line = [&](const UndefinedShuffle& other) {
    return other.site.line == shuffle.site.line && std::string_view(other.site.file) == shuffle.site.file;
  };
  const auto found = std::ranges::find_if(shuffles_, same_line);
  const auto index = static_cast<std::uint32_t>(found - shuffles_.begin());
  if (found == shuffles_.end()) shuffles_.push_back(shuffle);
  if (immediately_) uses_.found(first_shuffle + index);
}

void RaceJudge::tell_shuffles() {
  for (std::uint32_t i = 0; i < shuffles_.size(); ++i)
    FindingList::get().add(finding_of(shuffles_[i], *kernel_,
                                      !immediately_                        ? Use::unknown
                                      : uses_.is_unused(first_shuffle + i) ? Use::unused
                                                                           : Use::used));
}

void RaceJudge::tell() {
  const auto add = [&](const auto& seen) {
    for (const auto& [key, counted] : seen) {
      Finding finding = finding_of(counted.first, *kernel_);
      finding.count = counted.count;
      if (is_unused(counted.first)) make_note(finding);
      FindingList::get().add(std::move(finding), is_narrow(counted.first));
    }
  };
  add(races_);
  add(unwritten_reads_);
  tell_shuffles();
  races_.clear();
  unwritten_reads_.clear();
}

}  // namespace ladder::executor
