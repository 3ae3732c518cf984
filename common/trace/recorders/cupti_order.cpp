#include "common/trace/recorders/cupti_order.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <tuple>

namespace ladder::cuda_recorder {
namespace {

using Ids = std::set<std::uint64_t>;

/// Goes through the activities in order and keeps, for each stream, event and thread, what it has come to.
class Order {
 public:
  Order(const std::map<std::uint32_t, ApiCall>& calls, const Streams& streams)
      : calls_(calls), streams_(streams) {}

  /// All operations of one call: one, or the nodes of a graph.
  void operations(std::vector<Activity>& group) {
    const Activity& first = group.front();
    const Ids before = with_thread(ready(first.stream), first.correlation);
    const bool launches = first.graph != 0 || std::ranges::any_of(group, [](const Activity& a) {
                            return a.event.kind == LADDER_KERNEL;
                          });
    Ids started = before;
    if (launches) started.insert(launch(first, before));
    Ids done;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ended;  // end, id of earlier nodes
    for (Activity& activity : group) {
      Ids deps = started;
      // CUPTI does not say the edges of a graph. A node that ended before this one began may be one of them.
      for (const auto& [end, id] : ended)
        if (end <= activity.event.begin) deps.insert(id);
      activity.event.stream = number_of(activity.stream);
      const std::uint64_t id = record(activity.event, deps);
      ended.emplace_back(activity.event.end, id);
      done.insert(id);
      if (activity.waits) wait("blocking copy", activity, {id});
    }
    set_last(first.stream, done);
  }

  void other(Activity& activity) {
    using enum Activity::Kind;
    switch (activity.kind) {
      case event_record:
        events_[activity.cuda_event] = ready(activity.stream);
        break;
      case stream_wait: {
        Ids predecessors = ready(activity.stream);
        predecessors.merge(Ids(events_[activity.cuda_event]));
        set_last(activity.stream, predecessors);
        break;
      }
      case wait_stream:
        wait("cudaStreamSynchronize", activity, ready(activity.stream));
        break;
      case wait_event:
        wait("cudaEventSynchronize", activity, events_[activity.cuda_event]);
        break;
      case wait_all:
        wait("cudaDeviceSynchronize", activity, everything());
        break;
      case memory:
        record(activity.event, {});
        break;
      case operation:
        break;
    }
  }

 private:
  bool blocking(const Handle& stream) const { return !streams_.non_blocking.contains(stream); }

  /// What the next operation of a stream waits for: its last one, and what the default stream asks for.
  Ids ready(const Handle& stream) {
    Ids ids = last_[stream];
    if (!blocking(stream)) return ids;
    const bool is_null = streams_.null.contains(stream);
    for (const auto& [other, last] : last_)
      if (other.first == stream.first && blocking(other) && (is_null || streams_.null.contains(other)))
        ids.insert(last.begin(), last.end());
    return ids;
  }

  Ids everything() const {
    Ids ids;
    for (const auto& [stream, last] : last_) ids.insert(last.begin(), last.end());
    return ids;
  }

  void set_last(const Handle& stream, Ids ids) { last_[stream] = std::move(ids); }

  std::uint32_t thread_of(std::uint32_t correlation) const {
    const auto call = calls_.find(correlation);
    return call == calls_.end() ? 0 : call->second.thread;
  }

  /// Adds what the calling thread had waited for.
  Ids with_thread(Ids ids, std::uint32_t correlation) {
    if (const std::uint64_t last = waited_[thread_of(correlation)]) ids.insert(last);
    return ids;
  }

  std::uint64_t launch(const Activity& first, const Ids& before) {
    ladder_event event{};
    event.kind = LADDER_LAUNCH;
    event.peer = -1;
    event.device = first.event.device;
    std::snprintf(event.name, sizeof event.name, "%s", first.graph != 0 ? "graph" : first.event.name);
    if (const auto call = calls_.find(first.correlation); call != calls_.end()) {
      event.begin = call->second.begin;
      event.end = call->second.end;
    }
    // Only the thread's own waits hold a launch back, not what the stream still does.
    Ids deps;
    if (const std::uint64_t last = waited_[thread_of(first.correlation)]; before.contains(last))
      deps.insert(last);
    return record(event, deps);
  }

  void wait(const char* name, const Activity& activity, const Ids& ids) {
    ladder_event event{};
    event.kind = LADDER_WAIT;
    event.peer = -1;
    event.begin = activity.event.begin;
    event.end = activity.event.end;
    std::snprintf(event.name, sizeof event.name, "%s", name);
    const std::uint64_t id = record(event, with_thread(ids, activity.correlation));
    if (id != 0) waited_[thread_of(activity.correlation)] = id;
  }

  std::uint64_t record(const ladder_event& event, const Ids& deps) {
    const std::vector<std::uint64_t> list(deps.begin(), deps.end());
    return ladder_sink_record(&event, list.data(), list.size());
  }

  std::uint64_t number_of(const Handle& stream) {
    return streams_.null.contains(stream) ? 0 : std::uint64_t{stream.first} << 32 | stream.second;
  }

  const std::map<std::uint32_t, ApiCall>& calls_;
  const Streams& streams_;
  std::map<Handle, Ids> last_, events_;
  std::map<std::uint32_t, std::uint64_t> waited_;  // by thread
};

}  // namespace

void record_in_order(std::vector<Activity> activities, const std::map<std::uint32_t, ApiCall>& calls,
                     const Streams& streams) {
  std::ranges::stable_sort(activities, [](const Activity& a, const Activity& b) {
    return std::tuple(a.correlation, a.event.begin) < std::tuple(b.correlation, b.event.begin);
  });
  Order order(calls, streams);
  for (auto begin = activities.begin(); begin != activities.end();) {
    const auto end = std::find_if(begin, activities.end(),
                                  [&](const Activity& a) { return a.correlation != begin->correlation; });
    std::vector<Activity> group;
    std::copy_if(begin, end, std::back_inserter(group),
                 [](const Activity& a) { return a.kind == Activity::Kind::operation; });
    // What the runtime waits for inside a blocking copy is that copy's wait, not another one.
    for (auto activity = begin; group.empty() && activity != end; ++activity) order.other(*activity);
    if (!group.empty()) order.operations(group);
    begin = end;
  }
}

}  // namespace ladder::cuda_recorder
