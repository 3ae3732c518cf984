/// @file
/// The observer of programs built with OBSERVED: passes the runtime's events to counters and detectors.

#include "common/executor/observe/event_dispatcher.hpp"

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>

#include "common/executor/observe/addresses/address_lookup.hpp"
#include "common/executor/observe/counters/access_list.hpp"
#include "common/executor/observe/counters/block_replay.hpp"
#include "common/executor/observe/counters/block_sample.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/observe/crash_handlers.hpp"
#include "common/executor/observe/findings.hpp"
#include "common/executor/observe/kernel_values.hpp"
#include "common/executor/observe/observation_builder.hpp"
#include "common/executor/observe/observation_file.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

constinit thread_local BlockReplay* block_replay = nullptr;
constinit std::atomic<std::uint64_t> order{0};

/// How many blocks of a launch are observed: LADDER_EXECUTOR_OBSERVE_BLOCKS; 0: as many as the limit allows.
std::uint64_t requested_blocks() {
  static const auto count =
      static_cast<std::uint64_t>(setting("LADDER_EXECUTOR_OBSERVE_BLOCKS", 0, 0, 1'000'000'000));
  return count;
}

class EventDispatcher final : public Observer {
 public:
  // ---- launches
  void launch_begins(const Kernel& kernel) override {
    launch_.kernel = &kernel;
    running_ = true;
    ++launch_.launch;
    // Blocks that wait for each other are observed all or not at all.
    const std::uint64_t requested = kernel.cooperative ? 0 : requested_blocks();
    sample_.begin(kernel.blocks(), kernel.grid.x, max_accesses(), requested);
    accesses_ = 0;
    abandoned_ = false;
    detectors_.launch_begins(kernel);
  }
  void launch_ends(const Kernel& kernel) override {
    if (abandoned_) detectors_.forget_launch();
    detectors_.launch_ends(kernel);
    std::lock_guard lock(mutex_);
    add_launch({});
    running_ = false;
  }

  // ---- blocks
  void block_begins(BlockRunner& runner, const Kernel& kernel, std::uint64_t index) override {
    {
      std::lock_guard lock(mutex_);
      if (abandoned_ || !sample_.includes(index)) return detectors_.block_left_out();
      if (!block_replay) {
        block_replay =
            new BlockReplay(static_cast<unsigned>(block_replays_.size()));  // lives as long as its thread
        block_replays_.push_back(block_replay);
      }
    }
    block_replay->block_begins(runner, launch_, index);
    detectors_.block_begins(runner, kernel, index);
  }
  void block_ends(BlockRunner& runner) override {
    if (!still_observing()) return;
    detectors_.block_ends(runner);
    report_skipped_barriers();
    block_replay->block_ends();
    std::lock_guard lock(mutex_);
    if (!launch_.kernel->cooperative) sample_.ended(accesses_);
  }
  void thread_starts(unsigned thread) override {
    if (!still_observing()) return;
    detectors_.thread_starts(thread);
    block_replay->thread_starts(thread);
  }
  void thread_pauses(unsigned thread, Pause why, Site site) override {
    if (!still_observing()) return;
    block_replay->thread_pauses(thread, why);
    detectors_.thread_pauses(thread, why, site);
  }
  void thread_resumes(unsigned thread) override {
    if (!still_observing()) return;
    detectors_.thread_resumes(thread);
    block_replay->thread_resumes(thread);
  }
  void thread_exits(unsigned thread) override {
    if (!still_observing()) return;
    block_replay->thread_exits(thread);
    detectors_.thread_exits(thread);
  }
  void barrier_passed(unsigned live, unsigned threads, Site site) override {
    if (!still_observing()) return;
    detectors_.barrier_passed(live, threads, site);
    block_replay->barrier_passed(live, threads, site);
  }
  void object_released(unsigned thread, const void* object) override {
    if (still_observing()) detectors_.object_released(thread, object);
  }
  void object_acquired(unsigned thread, const void* object) override {
    if (still_observing()) detectors_.object_acquired(thread, object);
  }
  void barrier_of_two_sites(Site one, Site other) override {
    if (still_observing()) detectors_.barrier_of_two_sites(one, other);
  }
  void warp_met(unsigned warp, unsigned mask, unsigned arrived, WarpOperation operation, Site site) override {
    if (!still_observing()) return;
    detectors_.warp_met(warp, mask, arrived, operation, site);
    block_replay->warp_met(warp, arrived);
  }
  void undefined_shuffle(int lane, unsigned mask, Site site) override {
    if (still_observing()) detectors_.undefined_shuffle(lane, mask, site);
  }
  void grid_barrier_reached(Site site) override {
    if (still_observing()) detectors_.grid_barrier_reached(site);
  }
  void grid_barrier_passed(Site site) override {
    if (!still_observing()) return;
    detectors_.grid_barrier_passed(site);
    block_replay->grid_barrier_passed(site);
  }

  // ---- memory and streams: only for the detectors
  void device_allocated(const void* p, std::size_t bytes, Site s) override {
    detectors_.device_allocated(p, bytes, s);
  }
  void device_freed(const void* p, Site s) override { detectors_.device_freed(p, s); }
  void host_allocated(const void* p, std::size_t bytes, HostMemory kind, bool registered, Site s) override {
    detectors_.host_allocated(p, bytes, kind, registered, s);
  }
  void host_freed(const void* p, Site s) override { detectors_.host_freed(p, s); }
  void symbol_known(const void* p, std::size_t bytes) override { detectors_.symbol_known(p, bytes); }
  void operation_queued(const QueuedOperation& operation) override { detectors_.operation_queued(operation); }
  void operation_begins(std::uint64_t id) override {
    launch_.operation = id;
    detectors_.operation_begins(id);
  }
  void operation_ends(std::uint64_t id) override { detectors_.operation_ends(id); }
  void operation_touches(const std::vector<TouchedMemory>& touches) override {
    detectors_.operation_touches(touches);
  }
  void host_waited(const std::vector<std::uint64_t>& ids) override { detectors_.host_waited(ids); }
  void host_waited_for_all() override { detectors_.host_waited_for_all(); }
  void stream_created(std::uint64_t stream, Site s) override { detectors_.stream_created(stream, s); }
  void stream_destroyed(std::uint64_t stream, Site s) override { detectors_.stream_destroyed(stream, s); }
  void event_created(const void* event, Site s) override { detectors_.event_created(event, s); }
  void event_destroyed(const void* event, Site s) override { detectors_.event_destroyed(event, s); }

  // ---- the end
  void call_failed(int code, Site site, const std::string& message) override {
    detectors_.call_failed(code, site, message);
  }
  void launch_left_error() override { detectors_.launch_left_error(); }
  void error_asked() override { detectors_.error_asked(); }

  void misaligned(const void* address, std::size_t bytes, bool write, Site, const void* code) override {
    const auto offset = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - program_base());
    misaligned_access(address, bytes, write ? Operation::store : Operation::load, offset);
  }
  /// The running launch is counted up to this point.
  void fault(Site site, const std::string& message) override {
    if (faulted_.exchange(true)) return;
    if (observing()) replay_all();
    detectors_.fault(site, message);
    write_unfinished(first_line(message));
  }
  /// The process ends for a reason that the executor does not report itself.
  void end() {
    if (faulted_.exchange(true)) return;
    if (observing()) replay_all();
    detectors_.program_ends();
    write_unfinished("the program was ended");
  }
  bool kernel_runs() const { return running_; }
  void program_returns() { detectors_.program_returns(); }

  void begin() {
    std::lock_guard lock(mutex_);
    launches_so_far_.begin();
    detectors_.begin();
    KernelValues::get().clear();
    if (lists_accesses) take_listed_accesses();
  }
  Observation observation(bool at_exit) {
    std::vector<Finding> findings = detectors_.findings(at_exit);
    std::unique_lock lock(mutex_, std::try_to_lock);
    Observation all = launches_so_far_.observation(std::move(findings));
    all.results = KernelValues::get().origin();
    if (lists_accesses) all.accesses = take_listed_accesses();
    return all;
  }
  const RequestContext* context() const { return observing() ? &block_replay->context() : nullptr; }

  // ---- what is too large
  bool add_accesses(std::uint64_t more_accesses) {
    accesses_ += more_accesses;
    return unlimited_ || (accesses_ <= max_accesses() && !detectors_.deferred_events_full());
  }
  void lift_limit() { unlimited_ = true; }
  void stop_observing() {
    if (launch_.kernel->cooperative) {
      abandoned_ = true;
      leave_block();
    } else {
      leave_block();
      std::lock_guard lock(mutex_);
      sample_.stop();
    }
  }

 private:
  /// Whether this CPU thread runs a block that is observed.
  static bool observing() { return block_replay && block_replay->observing(); }
  /// The same at an event of the block, where it may be the last one.
  bool still_observing() {
    if (process_is_ending() && !faulted_) {
      end();
      wait_for_process_end();
    }
    if (abandoned_ && observing()) leave_block();
    return observing();
  }
  void replay_all() {
    block_replay->replay_all();
    report_skipped_barriers();
  }
  void report_skipped_barriers() {
    for (const SkippedBarrier& barrier : block_replay->skipped_barriers())
      detectors_.barrier_skipped(barrier);
  }
  void leave_block() {
    report_skipped_barriers();
    block_replay->give_up();
    detectors_.block_cut();
  }
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  void write_unfinished(const std::string& why) {
    if (in_kernel() && launch_.kernel) {
      std::unique_lock lock(mutex_, std::try_to_lock);
      if (lock) add_launch("kernel " + launch_.kernel->name + " did not finish: " + why);
    }
    write_observation_file();
  }
  void add_launch(const std::string& unfinished) {
    if (!launch_.kernel) return;
    LaunchTotals sum;
    for (BlockReplay* one : block_replays_) {
      sum.add(one->totals());
      one->totals().clear();
    }
    if (detectors_.launch_forgotten()) sum.clear();
    launches_so_far_.add_launch(*launch_.kernel, sum, unfinished.empty() ? why_in_part(sum) : unfinished);
    launch_.kernel = nullptr;
  }
  /// Empty when all blocks were observed.
  std::string why_in_part(const LaunchTotals& sum) const {
    const Kernel& kernel = *launch_.kernel;
    if (sum.observed_blocks == kernel.blocks()) return "";
    const std::string accesses = "more than " + std::to_string(max_accesses()) + " accesses";
    std::string text = "kernel " + kernel.name + " (" + shown_path(kernel.site.file) + ":" +
                       std::to_string(kernel.site.line) + "): ";
    if (detectors_.launch_forgotten())
      return text +
             "not observed: its blocks wait for each other, so that a part says nothing, and all make " +
             accesses;
    text += std::to_string(sum.observed_blocks) + " of " + std::to_string(kernel.blocks()) +
            " blocks were observed";
    if (accesses_ > max_accesses()) return text + ", and a part of another one, which makes " + accesses;
    if (requested_blocks() > 0) return text + " (LADDER_EXECUTOR_OBSERVE_BLOCKS)";
    return text + "; all of them make " + accesses;
  }

  FindingDetectors& detectors_ = finding_detectors();
  std::mutex mutex_;
  std::vector<BlockReplay*> block_replays_;
  RequestContext launch_;
  ObservationBuilder launches_so_far_;
  BlockSample sample_;                      // of the launch
  std::atomic<std::uint64_t> accesses_{0};  // of the launch, of lanes
  std::atomic<bool> abandoned_{false};      // the launch is no longer observed
  bool unlimited_ = false;
  std::atomic<bool> running_{false};  // a launch
  std::atomic<bool> faulted_{false};
};

EventDispatcher* dispatcher = nullptr;

/// Before main, and before static objects of the program may call CUDA.
__attribute__((constructor(101))) void install() {
  dispatcher = new EventDispatcher;  // never destroyed: threads of the pool outlive static objects
  observer = dispatcher;
  write_observation_at_exit();
  install_crash_handlers();
}

}  // namespace

bool make_room() {
  return block_replay->make_room();
}

std::uint64_t max_accesses() {
  static const auto limit = static_cast<std::uint64_t>(
      setting("LADDER_EXECUTOR_OBSERVE_LIMIT", 1'000'000'000, 1, 1'000'000'000'000));
  return limit;
}

bool add_accesses(std::uint64_t more_accesses) {
  return dispatcher->add_accesses(more_accesses);
}

void lift_limit() {
  dispatcher->lift_limit();
}

void stop_observing() {
  dispatcher->stop_observing();
}

void write_record_before_exit() {
  dispatcher->end();
}

void program_returns() {
  dispatcher->program_returns();
}

bool kernel_runs() {
  return dispatcher->kernel_runs();
}

void note_object(const Object& object) {
  block_replay->note_object(object);
}

std::uint64_t next_in_order() {
  return order.fetch_add(1, std::memory_order_relaxed) + 1;
}

const RequestContext* current_context() {
  return dispatcher->context();
}

Observation observation_so_far(bool at_exit) {
  return dispatcher->observation(at_exit);
}

}  // namespace ladder::executor

using namespace ladder::executor;

void ladder_observe_begin(void) {
  leave_observation_to_caller();
  finish_queue();
  dispatcher->begin();
}

const char* ladder_observe_end(unsigned long* bytes) {
  static auto* const document = new std::string;
  finish_queue();
  *document = ladder::to_json(dispatcher->observation(false)).dump();
  if (bytes) *bytes = document->size();
  return document->c_str();
}
