#include "common/executor/observe/findings.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "common/executor/observe/addresses/address_lookup.hpp"
#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/counters/access_list.hpp"
#include "common/executor/observe/definedness/defined_bytes.hpp"
#include "common/executor/observe/definedness/definedness.hpp"
#include "common/executor/observe/event_dispatcher.hpp"
#include "common/executor/observe/faults.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/observe/kernel_values.hpp"
#include "common/executor/observe/races/detector_mutex.hpp"
#include "common/executor/observe/races/ordering_checker.hpp"
#include "common/executor/observe/races/race_detector.hpp"
#include "common/executor/observe/thread_findings.hpp"

namespace ladder::executor {

constinit bool check_host_accesses = false;

namespace {

class Detectors final : public FindingDetectors {
 public:
  // ---- kernels
  void launch_begins(const Kernel& kernel) override {
    Objects::get().launch_begins();
    set_current_kernel(&kernel);
    part_ = forgotten_ = false;
    races_.launch_begins(kernel);
  }
  void launch_ends(const Kernel& kernel) override {
    if (!forgotten_) forgotten_ = !races_.launch_ends(!part_);
    if (part_)  // blocks that were left out may have written anything, before others read it
      for (TrackedObject* object : Objects::get().device_allocations()) object->defined->set_all();
    const DetectorLock lock(mutex_);
    for (const RaceShadow::Touched& touched : races_.touched())
      if (touched.object->space != Space::shared)
        order_.kernel_touched(running_, kernel.name, *touched.object, touched.begin, touched.end,
                              touched.write, touched.atomic);
  }
  void block_begins(BlockRunner&, const Kernel&, std::uint64_t index) override { races_.block_begins(index); }
  void block_left_out() override { part_ = true; }
  void block_cut() override {
    part_ = true;
    races_.block_cut();
  }
  bool deferred_events_full() const override { return races_.deferred_events_full(); }
  void forget_launch() override {
    part_ = forgotten_ = true;
    races_.forget_launch();
  }
  bool launch_forgotten() const override { return forgotten_; }
  void block_ends(BlockRunner&) override { races_.block_ends(); }
  void grid_barrier_reached(Site) override { races_.grid_barrier_reached(); }
  void add(const Request& request) override {
    if (lists_accesses) list_accesses(request);
    races_.add(request);
  }
  void undefined_shuffle(int lane, unsigned mask, Site site) override {
    races_.undefined_shuffle({site, lane, mask, current_context()->block, current_runner->current_thread()});
  }
  void object_released(unsigned thread, const void* object) override {
    races_.synchronise(thread, object, true);
  }
  void object_acquired(unsigned thread, const void* object) override {
    races_.synchronise(thread, object, false);
  }

  // ---- barriers
  void barrier_passed(unsigned, unsigned, Site site) override { races_.barrier_passed(site); }
  void barrier_skipped(const SkippedBarrier& barrier) override {
    Finding finding = barrier.code != 0 ? ran_on(barrier) : exited_before_barrier(barrier);
    finding.operation = "barrier";
    finding.thread = thread_index_of(*current_runner->kernel(), barrier.thread);
    FindingList::get().add(std::move(finding));
  }
  void barrier_of_two_sites(Site one, Site other) override {
    Finding finding = of_this_block("barrier", "warning", one);
    finding.operation = "barrier";
    finding.other = Finding::Other{line_of(other), finding.block, {}, "barrier"};
    finding.message = "Some threads of the block are at this barrier while others are at the one on line " +
                      std::to_string(finding.other->site.line);
    finding.meaning =
        "It is in a branch that not all threads take. Write one barrier that all threads reach.";
    FindingList::get().add(std::move(finding));
  }

  // ---- memory
  void device_allocated(const void* begin, std::size_t bytes, Site site) override {
    Objects::get().add_device(begin, bytes, site).leak_counts_from = records_;
  }
  void device_freed(const void* begin, Site) override {
    const DetectorLock lock(mutex_);
    const TrackedObject* object = Objects::get().find_allocation(begin);
    if (object && !in_kernel()) order_.freed(running_, *object);
    Objects::get().remove(begin);
  }
  void host_allocated(const void* begin, std::size_t bytes, HostMemory kind, bool, Site site) override {
    Objects::get().add_host(begin, bytes, kind, site);
    const DetectorLock lock(mutex_);
    host_memory_ = true;
  }
  void host_freed(const void* begin, Site) override {
    Objects::get().remove(begin);
    const DetectorLock lock(mutex_);
    synchronising_.erase(static_cast<const char*>(begin));
  }

  // ---- streams
  void operation_queued(const QueuedOperation& operation) override {
    const DetectorLock lock(mutex_);
    order_.queued(operation);
    waiting_.emplace(operation.id, operation);
    watch();
  }
  void operation_begins(std::uint64_t id) override {
    const DetectorLock lock(mutex_);
    running_ = id;
    runner_ = std::this_thread::get_id();
    order_.began(id);
  }
  void operation_ends(std::uint64_t id) override {
    set_current_kernel(nullptr);
    const DetectorLock lock(mutex_);
    if (const auto found = waiting_.find(id); found != waiting_.end()) {
      propagate_definedness(found->second);
      found->second.touches.insert(found->second.touches.end(), late_touches_.begin(), late_touches_.end());
      KernelValues::get().follow(found->second);
      waiting_.erase(found);
    }
    late_touches_.clear();
    order_.ended(id);
    running_ = 0;
    watch();
  }
  void operation_touches(const std::vector<TouchedMemory>& touches) override {
    const DetectorLock lock(mutex_);
    late_touches_.insert(late_touches_.end(), touches.begin(), touches.end());
    for (const TouchedMemory& touched : touches) {
      const auto* const begin = static_cast<const char*>(touched.begin);
      const TrackedObject* object = Objects::get().find_allocation(begin);
      if (object) order_.function_touched(running_, *object, begin, touched.bytes, touched.write);
      mark_defined(touched);
    }
  }
  void host_waited(const std::vector<std::uint64_t>& ids) override {
    const DetectorLock lock(mutex_);
    order_.host_waited(ids);
    watch();
  }
  void host_waited_for_all() override {
    const DetectorLock lock(mutex_);
    order_.host_waited_for_all();
    watch();
  }
  void host_accessed(const char* address, std::size_t bytes, bool write, std::uint32_t code) {
    const TrackedObject* object = Objects::get().find_host(address);
    if (!object) return;
    const DetectorLock lock(mutex_);
    if (synchronising_.contains(object->begin)) return;
    if (running_ != 0 && runner_ == std::this_thread::get_id())  // a function of the host that a stream calls
      order_.function_touched(running_, *object, address, bytes, write);
    else
      order_.host_accessed(*object, address, bytes, write, code);
  }
  /// From then on the program itself orders the accesses there, by atomics on both sides.
  void host_synchronises(const char* address) {
    const TrackedObject* object = Objects::get().find_host(address);
    if (!object) return;
    const DetectorLock lock(mutex_);
    synchronising_.insert(object->begin);
  }

  /// The finding of a kernel that accesses memory which an unordered cudaFreeAsync of another stream has
  /// freed.
  std::optional<Finding> freed_concurrently(const void* address) {
    const DetectorLock lock(mutex_);
    return order_.freed_concurrently(running_, static_cast<const char*>(address),
                                     current_runner->kernel()->name);
  }

  // ---- the end
  void call_failed(int, Site site, const std::string& message) override {
    {
      const DetectorLock lock(mutex_);
      failed_ = {site, message};
    }
    if (auto finding = finding_of_failed_call(site, message)) FindingList::get().add(std::move(*finding));
  }
  void launch_left_error() override {
    const DetectorLock lock(mutex_);
    unasked_.push_back(finding_of_dropped_launch(failed_.first, failed_.second));
  }
  void error_asked() override {
    const DetectorLock lock(mutex_);
    unasked_.clear();
  }
  /// The running kernel prints.
  void kernel_prints() {
    const DetectorLock lock(mutex_);
    printed_.try_emplace(running_, current_runner->kernel()->name, line_of(current_runner->kernel()->site));
  }
  void program_returns() override {
    const DetectorLock lock(mutex_);
    unwaited_ = order_.not_waited_for();
  }
  void program_ends() override {
    faulted_ = true;
    if (in_kernel() && !forgotten_) races_.launch_ends(!part_);
  }
  void fault(Site site, const std::string& message) override {
    program_ends();
    if (FindingList::get().has_fatal()) return;
    Finding finding = finding_of_fault(site, message);
    finding.fatal = true;
    FindingList::get().add(std::move(finding));
  }

  std::vector<Finding> findings(bool at_exit) override {
    if (!faulted_) add_what_is_missing(at_exit);
    return FindingList::get().all();
  }
  void begin() override {
    FindingList::get().clear();
    error_asked();
    ++records_;
  }

 private:
  /// Leaks, lost output and unchecked launches. After a fault the program had no chance to avoid them, and
  /// the thread that holds the lock may be stopped.
  void add_what_is_missing(bool at_exit) {
    for (const TrackedObject* object : Objects::get().device_allocations())
      if (at_exit || object->leak_counts_from == records_) FindingList::get().add(leak_of(*object, at_exit));
    const DetectorLock lock(mutex_);
    for (const Finding& finding : std::exchange(unasked_, {})) FindingList::get().add(finding);
    for (const auto& [operation, kernel] : printed_)
      if (at_exit && unwaited_.contains(operation))
        FindingList::get().add(lost_text_of(kernel.first, kernel.second));
  }

  static Finding of_this_block(const char* kind, const char* severity, Site site) {
    const Kernel& kernel = *current_runner->kernel();
    Finding finding;
    finding.kind = kind;
    finding.severity = severity;
    finding.kernel = kernel.name;
    finding.site = line_of(site);
    finding.block = block_index_of(kernel, current_context()->block);
    return finding;
  }

  static Finding exited_before_barrier(const SkippedBarrier& barrier) {
    Finding finding = of_this_block("exited-before-barrier", "warning", barrier.site);
    finding.message = counted(barrier.left, "thread") + " of the " + std::to_string(barrier.threads) +
                      " of the block had left the kernel when the others met at this barrier";
    finding.meaning =
        barrier.of_grid ? "A barrier of the grid waits for all threads of all blocks: a GPU may hang, or go "
                          "on without them."
                        : "GPUs since Volta go on without them, older ones may hang. It matters where the "
                          "others read what these threads should have written.";
    return finding;
  }

  static Finding ran_on(const SkippedBarrier& barrier) {
    Finding finding = of_this_block("barrier", "error", barrier.site);
    const ladder::SourceLine line = line_of(barrier.code);
    finding.other = Finding::Other{line, finding.block, {}, "access"};
    finding.message = counted(barrier.left, "thread") + " of the " + std::to_string(barrier.threads) +
                      " of the block did not come to this barrier and ran on to line " +
                      std::to_string(line.line) + ", which the others reach only after it";
    finding.meaning = std::string(barrier.of_grid ? "All threads of the grid" : "All threads of the block") +
                      " must reach a barrier: a thread that goes around it does not wait for the "
                      "others, and the others may wait forever.";
    return finding;
  }

  /// A step that does not free leaks with every call; a program that ends frees everything.
  static Finding leak_of(const TrackedObject& object, bool at_exit) {
    Finding finding;
    finding.kind = "leak";
    finding.severity = at_exit ? "warning" : "error";
    finding.site = line_of(object.made);
    finding.operation = "allocate";
    finding.address = object_name(object);
    finding.message = "The " + counted(object.bytes(), "byte") + " of " + finding.address +
                      " that are allocated here are never freed";
    finding.meaning = "A device's memory is small: a program that goes on runs out of it.";
    return finding;
  }

  /// What a kernel prints waits on the device until the host waits for the kernel.
  static Finding lost_text_of(const std::string& kernel, const ladder::SourceLine& launch) {
    Finding finding;
    finding.kind = "lost-text";
    finding.severity = "error";
    finding.kernel = kernel;
    finding.site = launch;
    finding.operation = "print";
    finding.message = "The program ends without waiting for kernel " + kernel +
                      ", which is launched here and prints: its text never appears";
    finding.meaning =
        "A GPU keeps what kernels print until the host waits for them, for example by "
        "cudaDeviceSynchronize(), and drops it when the program ends.";
    return finding;
  }

  void watch() { check_host_accesses = host_memory_ && order_.checks_host(); }

  RaceDetector races_;
  std::atomic<bool> part_{false}, forgotten_{false};  // of the launch
  std::mutex mutex_;                                  // of what follows
  OrderingChecker order_;
  std::map<std::uint64_t, QueuedOperation> waiting_;  // by id
  // Of the running operation, known when it runs: batches by pointers.
  std::vector<TouchedMemory> late_touches_;
  std::set<const char*> synchronising_;  // memory on which the host makes atomic accesses, by its first byte
  std::uint64_t running_ = 0;
  std::thread::id runner_;  // the thread that executes the queue
  bool host_memory_ = false;
  std::pair<Site, std::string> failed_;  // the last call that failed, and why
  std::vector<Finding> unasked_;         // launches that failed since the last query of errors
  std::map<std::uint64_t, std::pair<std::string, ladder::SourceLine>> printed_;  // kernels, by operation
  std::set<std::uint64_t> unwaited_;  // operations that the host had not waited for when the program returned
  std::atomic<std::uint64_t> records_{0};
  std::atomic<bool> faulted_{false};
};

Detectors& detectors() {
  static Detectors* const all = new Detectors;  // never destroyed: used until the very end of the process
  return *all;
}

}  // namespace

void kernel_prints() {
  detectors().kernel_prints();
}

void host_synchronises(const void* address) {
  detectors().host_synchronises(static_cast<const char*>(address));
}

FindingDetectors& finding_detectors() {
  return detectors();
}

std::optional<Finding> freed_concurrently(const void* address) {
  return detectors().freed_concurrently(address);
}

void host_access(const void* address, std::size_t bytes, bool write, std::uint32_t code) {
  detectors().host_accessed(static_cast<const char*>(address), bytes, write, code);
}

}  // namespace ladder::executor
