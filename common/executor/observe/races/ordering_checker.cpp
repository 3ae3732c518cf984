#include "common/executor/observe/races/ordering_checker.hpp"

#include <algorithm>

#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/finding_list.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

constexpr std::size_t max_host_accesses = 100'000;

}  // namespace

void StreamClock::raise(std::size_t place, std::uint64_t number) {
  if (place >= last_.size()) last_.resize(place + 1, 0);
  last_[place] = std::max(last_[place], number);
}

void StreamClock::join(const StreamClock& other) {
  for (std::size_t place = 0; place < other.last_.size(); ++place) raise(place, other.last_[place]);
}

// ---------------------------------------------------------------- order

void OrderingChecker::queued(const QueuedOperation& queued) {
  Operation operation{};
  operation.id = queued.id;
  operation.stream = queued.stream;
  operation.call = queued.call;
  operation.site = queued.site;
  Stream& stream = streams_.try_emplace(queued.stream, Stream{streams_.size()}).first->second;
  operation.place = stream.place;
  operation.number = ++stream.last;
  operation.before = host_;  // what the host knows to be done comes before everything that it queues now
  for (const std::uint64_t id : queued.after)
    if (const auto found = operations_.find(id); found != operations_.end())
      operation.before.join(found->second.before);
  operation.before.raise(operation.place, operation.number);
  for (const TouchedMemory& touched : queued.touches) {
    const auto* begin = static_cast<const char*>(touched.begin);
    const TrackedObject* object = touched.bytes > 0 ? Objects::get().find_allocation(begin) : nullptr;
    if (object) add_range(operation, *object, {begin, begin + touched.bytes}, touched.write ? writes : reads);
  }
  for (Ranges& ranges : operation.ranges) tidy(ranges);
  next_id_ = queued.id + 1;
  const auto [place, added] = operations_.try_emplace(queued.id, std::move(operation));
  if (!added) return;
  waiting_.insert(queued.id);
  unknown_.push_back(entry_of(place->second));
}

OrderingChecker::Entry OrderingChecker::entry_of(const Operation& operation) {
  return {operation.id, operation.place, operation.number, &operation};
}

void OrderingChecker::kernel_touched(std::uint64_t id, const std::string& kernel, const Object& object,
                                     std::size_t begin, std::size_t end, bool write, bool atomic) {
  const auto found = operations_.find(id);
  if (found == operations_.end()) return;
  found->second.kernel = kernel;
  add_range(found->second, object, {object.begin + begin, object.begin + end},
            atomic  ? atomics
            : write ? writes
                    : reads);
}

void OrderingChecker::function_touched(std::uint64_t id, const TrackedObject& object, const char* address,
                                       std::size_t bytes, bool write) {
  const auto found = operations_.find(id);
  if (found == operations_.end()) return;
  Ranges& ranges = found->second.ranges[write ? writes : reads];
  if (!ranges.empty() && ranges.back().end == address)  // most accesses continue where the last one ended
    ranges.back().end += bytes;
  else
    add_range(found->second, object, {address, address + bytes}, write ? writes : reads);
}

void OrderingChecker::add_range(Operation& operation, const Object& object, Range range, Use use) {
  operation.ranges[use].push_back(range);
  if (object.space == Space::host) touch_host_.insert(operation.id);
}

void OrderingChecker::freed(std::uint64_t id, const TrackedObject& object) {
  const auto found = operations_.find(id);
  if (found == operations_.end()) return;
  found->second.ranges[writes].push_back({object.begin, object.end});
  found->second.freed = object_name(object);
}

void OrderingChecker::began(std::uint64_t id) {
  const auto found = operations_.find(id);
  if (found == operations_.end()) return;
  const std::string_view call = found->second.call;
  if (call == "cudaLaunchHostFunc" || call == "cudaStreamAddCallback") host_waited({id});
}

void OrderingChecker::ended(std::uint64_t id) {
  const auto found = operations_.find(id);
  if (found == operations_.end()) return;
  Operation& operation = found->second;
  for (Ranges& ranges : operation.ranges) tidy(ranges);
  for (const Entry& other : done_) {
    if (other.id > id)
      check(*other.operation, operation);
    else if (operation.before.of(other.place) < other.number)  // as check() asks; spares a look at *other
      check(operation, *other.operation);
  }
  waiting_.erase(id);
  done_.push_back(entry_of(operation));
  for (const HostAccess& access : host_accesses_) check(operation, access);
  forget();
}

void OrderingChecker::host_waited(const std::vector<std::uint64_t>& ids) {
  for (const std::uint64_t id : ids)
    if (const auto found = operations_.find(id); found != operations_.end()) host_.join(found->second.before);
  note_known();
}

std::set<std::uint64_t> OrderingChecker::not_waited_for() const {
  std::set<std::uint64_t> ids;
  for (const auto& [id, operation] : operations_)
    if (host_.of(operation.place) < operation.number) ids.insert(id);
  return ids;
}

void OrderingChecker::host_waited_for_all() {
  for (const auto& [number, stream] : streams_) host_.raise(stream.place, stream.last);
  note_known();
}

void OrderingChecker::note_known() {
  ++waits_;
  Known known{next_id_, {}};
  std::erase_if(unknown_, [&](const Entry& entry) {
    if (host_.of(entry.place) < entry.number) return false;
    known.ids.push_back(entry.id);
    return true;
  });
  if (!known.ids.empty()) known_.push_back(std::move(known));
  forget();
}

/// Operations that the host knew to be done before it queued the first of those that have not run are ordered
/// with all of these.
void OrderingChecker::forget() {
  const std::uint64_t first_waiting = waiting_.empty() ? next_id_ : *waiting_.begin();
  std::set<std::uint64_t> gone;
  for (; !known_.empty() && known_.front().at <= first_waiting; known_.pop_front())
    gone.insert(known_.front().ids.begin(), known_.front().ids.end());
  if (gone.empty()) return;
  std::erase_if(done_, [&](const Entry& entry) { return gone.contains(entry.id); });
  for (const std::uint64_t id : gone) {
    touch_host_.erase(id);
    operations_.erase(id);
  }
  if (operations_.empty()) host_accesses_.clear();
}

// ---------------------------------------------------------------- conflicts

void OrderingChecker::tidy(Ranges& ranges) {
  std::ranges::sort(ranges, {}, &Range::begin);
  std::size_t last = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin <= ranges[last].end)
      ranges[last].end = std::max(ranges[last].end, ranges[i].end);
    else
      ranges[++last] = ranges[i];
  }
  if (!ranges.empty()) ranges.resize(last + 1);
}

/// The first range of `a` that overlaps one of `b`.
const OrderingChecker::Range* OrderingChecker::overlap(const Ranges& a, const Ranges& b) {
  std::size_t i = 0;
  for (const Range& range : a) {
    while (i < b.size() && b[i].end <= range.begin) ++i;
    if (i < b.size() && b[i].begin < range.end) return &range;
  }
  return nullptr;
}

void OrderingChecker::check(const Operation& later, const Operation& earlier) {
  if (later.before.of(earlier.place) >= earlier.number) return;
  // Atomics of both sides do not conflict with each other.
  for (const auto& [one, other] : {std::pair(writes, writes),
                                   {reads, writes},
                                   {writes, reads},
                                   {atomics, writes},
                                   {writes, atomics},
                                   {reads, atomics},
                                   {atomics, reads}})
    if (const Range* range = overlap(later.ranges[one], earlier.ranges[other])) {
      const TrackedObject* object = Objects::get().find_allocation(range->begin);
      const std::string name = object ? object_name(*object) : later.freed + earlier.freed;
      return FindingList::get().add(
          finding_of(later, one != reads, earlier, other != reads, name.empty() ? "memory" : name));
    }
}

void OrderingChecker::check(const Operation& operation, const HostAccess& access) {
  if (access.at <= operation.id || access.known.of(operation.place) >= operation.number) return;
  for (const Use use : {writes, atomics, reads})
    if ((use != reads || access.write) && overlap({access.range}, operation.ranges[use]))
      return report(operation, use != reads, access);
}

/// Most accesses continue where one of the last few ended: ranges are kept, not single accesses.
OrderingChecker::HostAccess* OrderingChecker::note_access(const TrackedObject& object, const Range& range,
                                                          bool write, std::uint32_t code) {
  const std::size_t count = host_accesses_.size();
  for (std::size_t i = count; i > 0 && i + 8 > count; --i) {
    HostAccess& last = host_accesses_[i - 1];
    if (last.object != &object || last.code != code || last.write != write || last.at != next_id_) continue;
    if (last.waits != waits_) continue;  // since then the host knows more
    if (range.begin < last.range.begin || range.begin > last.range.end) continue;
    last.range.end = std::max(last.range.end, range.end);
    return &last;
  }
  if (count >= max_host_accesses) return nullptr;
  const auto bytes = static_cast<unsigned>(range.end - range.begin);
  return &host_accesses_.emplace_back(
      HostAccess{&object, range, write, bytes, code, next_id_, waits_, host_});
}

void OrderingChecker::host_accessed(const TrackedObject& object, const char* address, std::size_t bytes,
                                    bool write, std::uint32_t code) {
  const HostAccess* access = note_access(object, {address, address + bytes}, write, code);
  if (!access) return;
  for (const std::uint64_t id : touch_host_) check(operations_.at(id), *access);
}

// ---------------------------------------------------------------- text

std::string OrderingChecker::name_of(const Operation& operation) {
  if (!operation.kernel.empty()) return "the kernel " + operation.kernel;
  return operation.call == "a kernel launch" ? "a kernel" : operation.call;
}

std::string OrderingChecker::operation_text(const Operation& operation, bool write) {
  const bool copies = operation.kernel.empty() && !operation.call.starts_with("cublas");
  return copies ? "copy" : write ? "write" : "read";
}

std::optional<Finding> OrderingChecker::freed_concurrently(std::uint64_t id, const char* address,
                                                           const std::string& kernel) {
  const auto running = operations_.find(id);
  if (running == operations_.end()) return {};
  running->second.kernel = kernel;
  for (const auto& [other_id, other] : operations_) {
    if (other.freed.empty() || !overlap({{address, address + 1}}, other.ranges[writes])) continue;
    const bool later = other_id > id;
    const Operation &last = later ? other : running->second, &first = later ? running->second : other;
    if (last.before.of(first.place) < first.number) return finding_of(last, true, first, true, other.freed);
  }
  return {};
}

Finding OrderingChecker::finding_of(const Operation& later, bool later_writes, const Operation& earlier,
                                    bool earlier_writes, const std::string& object) {
  const auto stream = [](const Operation& operation) {
    return operation.stream == 0 ? "the default stream" : "stream " + std::to_string(operation.stream);
  };
  Finding finding;
  finding.kind = "missing-dependence";
  finding.severity = "error";
  finding.site = line_of(later.site);
  finding.operation = operation_text(later, later_writes);
  finding.other = Finding::Other{line_of(earlier.site), {}, {}, operation_text(earlier, earlier_writes)};
  finding.address = object;
  std::string who = name_of(later);
  if (who.starts_with("the ")) who[0] = 'T';
  const std::string deed = !later.freed.empty() ? "frees" : later_writes ? "writes" : "reads";
  const std::string may = earlier.call == "cudaMallocAsync" ? "not have allocated"
                          : !earlier.freed.empty()          ? "still free"
                          : earlier_writes                  ? "still write"
                                                            : "still read";
  finding.message = who + " in " + stream(later) + " " + deed + " " + finding.address + " while " +
                    name_of(earlier) + " (line " + std::to_string(finding.other->site.line) + ") in " +
                    stream(earlier) + " may " + may + " it";
  finding.meaning =
      "Nothing orders the two streams here: record an event after the first and let the other stream wait "
      "for it.";
  return finding;
}

void OrderingChecker::report(const Operation& operation, bool write, const HostAccess& access) {
  Finding finding;
  finding.kind = "early-read";
  finding.severity = "error";
  finding.site = line_of(access.code);
  finding.operation = access.write ? "write" : "read";
  finding.other = Finding::Other{line_of(operation.site), {}, {}, operation_text(operation, write)};
  finding.address = address_text(*access.object, access.range.begin, access.size, finding.site);
  finding.message = std::string("The host ") + (access.write ? "writes " : "reads ") +
                    object_name(*access.object) + " while " + name_of(operation) + " (line " +
                    std::to_string(finding.other->site.line) + ") may still " + (write ? "write" : "read") +
                    " it";
  finding.meaning = "The call returned before the work was done: wait for its stream or event first.";
  FindingList::get().add(std::move(finding));
}

}  // namespace ladder::executor
