/// @file
/// The observer that programs built with OBSERVED have: passes the runtime's events to counters and judges.

#include "common/executor/observe/hub.hpp"

#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>

#include "common/executor/observe/access_list.hpp"
#include "common/executor/observe/block_sample.hpp"
#include "common/executor/observe/block_watch.hpp"
#include "common/executor/observe/endings.hpp"
#include "common/executor/observe/findings.hpp"
#include "common/executor/observe/kernel_values.hpp"
#include "common/executor/observe/lines.hpp"
#include "common/executor/observe/places.hpp"
#include "common/executor/observe/record.hpp"
#include "common/executor/observe/record_file.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

constinit thread_local BlockWatch* watch = nullptr;
constinit std::atomic<std::uint64_t> order{0};

/// How many blocks of a launch are observed: LADDER_EXECUTOR_OBSERVE_BLOCKS; 0: as many as the limit allows.
std::uint64_t wanted_blocks() {
  static const auto count =
      static_cast<std::uint64_t>(setting("LADDER_EXECUTOR_OBSERVE_BLOCKS", 0, 0, 1'000'000'000));
  return count;
}

class Hub final : public Observer {
 public:
  // ---- launches
  void launch_begins(const Kernel& kernel) override {
    launch_.kernel = &kernel;
    running_ = true;
    ++launch_.launch;
    // Blocks that wait for each other are observed all or not at all.
    const std::uint64_t wanted = kernel.cooperative ? 0 : wanted_blocks();
    sample_.begin(kernel.blocks(), kernel.grid.x, most_accesses(), wanted);
    accesses_ = 0;
    abandoned_ = false;
    judges_.launch_begins(kernel);
  }
  void launch_ends(const Kernel& kernel) override {
    if (abandoned_) judges_.forget_launch();
    judges_.launch_ends(kernel);
    std::lock_guard lock(mutex_);
    add_launch({});
    running_ = false;
  }

  // ---- blocks
  void block_begins(BlockRunner& runner, const Kernel& kernel, std::uint64_t index) override {
    {
      std::lock_guard lock(mutex_);
      if (abandoned_ || !sample_.takes(index)) return judges_.block_left_out();
      if (!watch) {
        watch = new BlockWatch(static_cast<unsigned>(watches_.size()));  // lives as long as its thread
        watches_.push_back(watch);
      }
    }
    watch->block_begins(runner, launch_, index);
    judges_.block_begins(runner, kernel, index);
  }
  void block_ends(BlockRunner& runner) override {
    if (!watching_on()) return;
    judges_.block_ends(runner);
    tell_skipped_barriers();
    watch->block_ends();
    std::lock_guard lock(mutex_);
    if (!launch_.kernel->cooperative) sample_.ended(accesses_);
  }
  void thread_starts(unsigned thread) override {
    if (!watching_on()) return;
    judges_.thread_starts(thread);
    watch->thread_starts(thread);
  }
  void thread_pauses(unsigned thread, Pause why, Site site) override {
    if (!watching_on()) return;
    watch->thread_pauses(thread, why);
    judges_.thread_pauses(thread, why, site);
  }
  void thread_resumes(unsigned thread) override {
    if (!watching_on()) return;
    judges_.thread_resumes(thread);
    watch->thread_resumes(thread);
  }
  void thread_exits(unsigned thread) override {
    if (!watching_on()) return;
    watch->thread_exits(thread);
    judges_.thread_exits(thread);
  }
  void barrier_passed(unsigned live, unsigned threads, Site site) override {
    if (!watching_on()) return;
    judges_.barrier_passed(live, threads, site);
    watch->barrier_passed(live, threads, site);
  }
  void object_released(unsigned thread, const void* object) override {
    if (watching_on()) judges_.object_released(thread, object);
  }
  void object_acquired(unsigned thread, const void* object) override {
    if (watching_on()) judges_.object_acquired(thread, object);
  }
  void barrier_of_two_sites(Site one, Site other) override {
    if (watching_on()) judges_.barrier_of_two_sites(one, other);
  }
  void warp_met(unsigned warp, unsigned mask, unsigned arrived, WarpOperation operation, Site site) override {
    if (!watching_on()) return;
    judges_.warp_met(warp, mask, arrived, operation, site);
    watch->warp_met(warp, arrived);
  }
  void undefined_shuffle(int lane, unsigned mask, Site site) override {
    if (watching_on()) judges_.undefined_shuffle(lane, mask, site);
  }
  void grid_barrier_reached(Site site) override {
    if (watching_on()) judges_.grid_barrier_reached(site);
  }
  void grid_barrier_passed(Site site) override {
    if (!watching_on()) return;
    judges_.grid_barrier_passed(site);
    watch->grid_barrier_passed(site);
  }

  // ---- memory and streams: only the judges care
  void device_allocated(const void* p, std::size_t bytes, Site s) override {
    judges_.device_allocated(p, bytes, s);
  }
  void device_freed(const void* p, Site s) override { judges_.device_freed(p, s); }
  void host_allocated(const void* p, std::size_t bytes, HostMemory kind, bool registered, Site s) override {
    judges_.host_allocated(p, bytes, kind, registered, s);
  }
  void host_freed(const void* p, Site s) override { judges_.host_freed(p, s); }
  void symbol_known(const void* p, std::size_t bytes) override { judges_.symbol_known(p, bytes); }
  void operation_queued(const QueuedOperation& operation) override { judges_.operation_queued(operation); }
  void operation_begins(std::uint64_t id) override {
    launch_.operation = id;
    judges_.operation_begins(id);
  }
  void operation_ends(std::uint64_t id) override { judges_.operation_ends(id); }
  void operation_touches(const std::vector<TouchedMemory>& touches) override {
    judges_.operation_touches(touches);
  }
  void host_waited(const std::vector<std::uint64_t>& ids) override { judges_.host_waited(ids); }
  void host_waited_for_all() override { judges_.host_waited_for_all(); }
  void stream_created(std::uint64_t stream, Site s) override { judges_.stream_created(stream, s); }
  void stream_destroyed(std::uint64_t stream, Site s) override { judges_.stream_destroyed(stream, s); }
  void event_created(const void* event, Site s) override { judges_.event_created(event, s); }
  void event_destroyed(const void* event, Site s) override { judges_.event_destroyed(event, s); }

  // ---- the end
  void call_failed(int code, Site site, const std::string& message) override {
    judges_.call_failed(code, site, message);
  }
  void launch_left_error() override { judges_.launch_left_error(); }
  void error_asked() override { judges_.error_asked(); }

  void misaligned(const void* address, std::size_t bytes, bool write, Site, const void* code) override {
    const auto offset = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code) - program_base());
    misaligned_access(address, bytes, write ? Operation::store : Operation::load, offset);
  }
  /// The running launch is counted up to this point.
  void fault(Site site, const std::string& message) override {
    if (faulted_.exchange(true)) return;
    if (watching()) replay_all();
    judges_.fault(site, message);
    write_unfinished(first_line(message));
  }
  /// The process ends for a reason that the executor does not report itself.
  void end() {
    if (faulted_.exchange(true)) return;
    if (watching()) replay_all();
    judges_.program_ends();
    write_unfinished("the program was ended");
  }
  bool kernel_runs() const { return running_; }
  void program_returns() { judges_.program_returns(); }

  void begin() {
    std::lock_guard lock(mutex_);
    record_.begin();
    judges_.begin();
    KernelValues::get().clear();
    if (lists_accesses) take_listed_accesses();
  }
  Observation observation(bool at_exit) {
    std::vector<Finding> findings = judges_.findings(at_exit);
    std::unique_lock lock(mutex_, std::try_to_lock);
    Observation all = record_.observation(std::move(findings));
    all.results = KernelValues::get().origin();
    if (lists_accesses) all.accesses = take_listed_accesses();
    return all;
  }
  const RequestContext* context() const { return watching() ? &watch->context() : nullptr; }

  // ---- what is too large
  bool may_go_on(std::uint64_t more_accesses) {
    accesses_ += more_accesses;
    return unlimited_ || (accesses_ <= most_accesses() && !judges_.holds_too_much());
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
  static bool watching() { return watch && watch->watching(); }
  /// The same at an event of the block, where it may be the last one.
  bool watching_on() {
    if (process_ends() && !faulted_) {
      end();
      wait_for_the_end();
    }
    if (abandoned_ && watching()) leave_block();
    return watching();
  }
  void replay_all() {
    watch->replay_all();
    tell_skipped_barriers();
  }
  void tell_skipped_barriers() {
    for (const SkippedBarrier& barrier : watch->skipped_barriers()) judges_.barrier_skipped(barrier);
  }
  void leave_block() {
    tell_skipped_barriers();
    watch->give_up();
    judges_.block_cut();
  }
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  void write_unfinished(const std::string& why) {
    if (in_kernel() && launch_.kernel) {
      std::unique_lock lock(mutex_, std::try_to_lock);
      if (lock) add_launch("kernel " + launch_.kernel->name + " did not finish: " + why);
    }
    write_record_file();
  }
  void add_launch(const std::string& unfinished) {
    if (!launch_.kernel) return;
    LaunchTotals sum;
    for (BlockWatch* one : watches_) {
      sum.add(one->totals());
      one->totals().clear();
    }
    if (judges_.launch_forgotten()) sum.clear();
    record_.add_launch(*launch_.kernel, sum, unfinished.empty() ? why_in_part(sum) : unfinished);
    launch_.kernel = nullptr;
  }
  /// Empty when all blocks were observed.
  std::string why_in_part(const LaunchTotals& sum) const {
    const Kernel& kernel = *launch_.kernel;
    if (sum.observed_blocks == kernel.blocks()) return "";
    const std::string accesses = "more than " + std::to_string(most_accesses()) + " accesses";
    std::string text = "kernel " + kernel.name + " (" + shown_path(kernel.site.file) + ":" +
                       std::to_string(kernel.site.line) + "): ";
    if (judges_.launch_forgotten())
      return text +
             "not observed: its blocks wait for each other, so that a part says nothing, and all make " +
             accesses;
    text += std::to_string(sum.observed_blocks) + " of " + std::to_string(kernel.blocks()) +
            " blocks were observed";
    if (accesses_ > most_accesses()) return text + ", and a part of another one, which makes " + accesses;
    if (wanted_blocks() > 0) return text + " (LADDER_EXECUTOR_OBSERVE_BLOCKS)";
    return text + "; all of them make " + accesses;
  }

  FindingJudges& judges_ = finding_judges();
  std::mutex mutex_;
  std::vector<BlockWatch*> watches_;
  RequestContext launch_;
  Record record_;
  BlockSample sample_;                      // of the launch
  std::atomic<std::uint64_t> accesses_{0};  // of the launch, of lanes
  std::atomic<bool> abandoned_{false};      // the launch is no longer observed
  bool unlimited_ = false;
  std::atomic<bool> running_{false};  // a launch
  std::atomic<bool> faulted_{false};
};

Hub* hub = nullptr;

/// Before main, and before static objects of the program may call CUDA.
__attribute__((constructor(101))) void install() {
  hub = new Hub;  // never destroyed: threads of the pool outlive static objects
  observer = hub;
  write_record_at_exit();
  watch_endings();
}

}  // namespace

bool make_room() {
  return watch->make_room();
}

std::uint64_t most_accesses() {
  static const auto limit = static_cast<std::uint64_t>(
      setting("LADDER_EXECUTOR_OBSERVE_LIMIT", 1'000'000'000, 1, 1'000'000'000'000));
  return limit;
}

bool may_go_on(std::uint64_t more_accesses) {
  return hub->may_go_on(more_accesses);
}

void lift_limit() {
  hub->lift_limit();
}

void stop_observing() {
  hub->stop_observing();
}

void write_before_the_end() {
  hub->end();
}

void program_returns() {
  hub->program_returns();
}

bool kernel_runs() {
  return hub->kernel_runs();
}

void note_object(const Object& object) {
  watch->note_object(object);
}

std::uint64_t next_in_order() {
  return order.fetch_add(1, std::memory_order_relaxed) + 1;
}

const RequestContext* current_context() {
  return hub->context();
}

Observation observation_so_far(bool at_exit) {
  return hub->observation(at_exit);
}

}  // namespace ladder::executor

using namespace ladder::executor;

void ladder_observe_begin(void) {
  leave_record_to_caller();
  finish_queue();
  hub->begin();
}

const char* ladder_observe_end(unsigned long* bytes) {
  static auto* const document = new std::string;
  finish_queue();
  *document = ladder::to_json(hub->observation(false)).dump();
  if (bytes) *bytes = document->size();
  return document->c_str();
}
