/// @file
/// A trace as Trace Event JSON, and back.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/error.hpp"
#include "common/trace/trace.hpp"

namespace ladder {
namespace {

using Json = nlohmann::ordered_json;

/// Times in microseconds from the first event, and the threads of the picture.
class Layout {
 public:
  explicit Layout(const Trace& trace) {
    for (const Trace::Event& event : trace.events) {
      if (event.end > 0) first_ = first_ == 0 ? event.begin : std::min(first_, event.begin);
      threads_.try_emplace(key(event), 0);
    }
    int next = 0;
    for (auto& [key, thread] : threads_) thread = next++;
  }

  double begin(const Trace::Event& event) {
    // Without a time an event is placed where the one before it of its process ended: the order is still the
    // true one.
    if (event.end == 0) return last_end_[event.rank];
    return static_cast<double>(event.begin - first_) * 1e-3;
  }
  double duration(const Trace::Event& event) { return static_cast<double>(event.end - event.begin) * 1e-3; }
  void placed(const Trace::Event& event, double end) { last_end_[event.rank] = end; }
  int thread(const Trace::Event& event) const { return threads_.at(key(event)); }

  Json names() const {
    Json names = Json::array();
    for (const auto& [key, thread] : threads_) {
      const auto& [rank, device, stream] = key;
      const std::string name =
          device < 0 ? "host" : "device " + std::to_string(device) + " stream " + std::to_string(stream);
      names.push_back(
          {{"ph", "M"}, {"name", "thread_name"}, {"pid", rank}, {"tid", thread}, {"args", {{"name", name}}}});
    }
    return names;
  }

 private:
  using Key = std::tuple<int, int, std::uint64_t>;  // rank, device (-1: host), stream
  static Key key(const Trace::Event& event) {
    return event.is_operation() ? Key{event.rank, std::max(event.device, 0), event.stream}
                                : Key{event.rank, -1, 0};
  }
  std::map<Key, int> threads_;
  std::map<int, double> last_end_;
  std::uint64_t first_ = 0;
};

Json arguments(const Trace::Event& event) {
  Json args = {{"id", event.id}};
  if (event.bytes > 0) args["bytes"] = event.bytes;
  if (event.kind == LADDER_KERNEL) {
    args["grid"] = event.grid;
    args["block"] = event.block;
    args["shared bytes"] = event.shared_bytes;
    args["registers"] = event.registers;
  }
  if (event.peer >= 0) args["peer"] = event.peer;
  if (event.is(LADDER_PAGEABLE)) args["pageable"] = true;
  if (event.is(LADDER_BLOCKING)) args["blocking"] = true;
  if (event.is(LADDER_WHOLE)) args["counted as a whole"] = true;
  args["after"] = event.deps;
  return args;
}

ladder_event_kind kind_of(const std::string& name) {
  for (int kind = LADDER_KERNEL; kind <= LADDER_RECEIVE; ++kind)
    if (name_of(static_cast<ladder_event_kind>(kind)) == name) return static_cast<ladder_event_kind>(kind);
  throw Error("no trace of ours: it has an event '" + name + "'");
}

/// "device 0 stream 7", as Layout::names writes it; the host has no device.
void read_thread(const std::string& name, Trace::Event& event) {
  unsigned long long stream = 0;
  if (std::sscanf(name.c_str(), "device %d stream %llu", &event.device, &stream) == 2)
    event.stream = stream;
  else
    event.device = -1;
}

Trace::Event event_of(const nlohmann::json& entry,
                      const std::map<std::pair<int, int>, std::string>& threads) {
  Trace::Event event;
  const nlohmann::json& args = entry.at("args");
  event.kind = kind_of(entry.at("cat"));
  event.name = entry.at("name");
  if (event.name == name_of(event.kind)) event.name.clear();  // to_json names the nameless by their kind
  event.id = args.at("id");
  event.bytes = args.value("bytes", 0.0);
  event.rank = entry.at("pid");
  read_thread(threads.at({event.rank, entry.at("tid").get<int>()}), event);
  event.begin = static_cast<std::uint64_t>(entry.at("ts").get<double>() * 1e3 + 0.5);
  event.end = event.begin + static_cast<std::uint64_t>(entry.at("dur").get<double>() * 1e3 + 0.5);
  event.grid = args.value("grid", event.grid);
  event.block = args.value("block", event.block);
  event.shared_bytes = args.value("shared bytes", 0u);
  event.registers = args.value("registers", 0u);
  event.peer = args.value("peer", -1);
  for (const auto& [name, flag] :
       {std::pair("pageable", LADDER_PAGEABLE), std::pair("blocking", LADDER_BLOCKING),
        std::pair("counted as a whole", LADDER_WHOLE)})
    if (args.value(name, false)) event.flags |= static_cast<std::uint32_t>(flag);
  event.deps = args.at("after").get<std::vector<std::uint64_t>>();
  return event;
}

}  // namespace

std::string Trace::to_json() const {
  Layout layout(*this);
  Json list = layout.names();
  std::vector<double> begins, ends;  // by id - 1
  for (const Event& event : events) {
    const double begin = layout.begin(event), duration = layout.duration(event);
    begins.push_back(begin);
    ends.push_back(begin + duration);
    layout.placed(event, ends.back());
    const int thread = layout.thread(event);
    const std::string kind(name_of(event.kind));
    list.push_back({{"name", event.name.empty() ? kind : event.name},
                    {"cat", kind},
                    {"ph", "X"},
                    {"ts", begin},
                    {"dur", duration},
                    {"pid", event.rank},
                    {"tid", thread},
                    {"args", arguments(event)}});
  }
  std::uint64_t arrow = 0;
  for (const Event& event : events)
    for (const std::uint64_t dep : event.deps) {
      const Event& before = events[dep - 1];
      // Arrows within a thread would only hide the order that its row already shows.
      if (layout.thread(before) == layout.thread(event)) continue;
      const Json dependency = {{"name", "after"}, {"cat", "dependency"}, {"id", ++arrow}};
      Json start = dependency, finish = dependency;
      start.update({{"ph", "s"},
                    {"ts", std::max(begins[dep - 1], ends[dep - 1] - 0.001)},
                    {"pid", before.rank},
                    {"tid", layout.thread(before)}});
      finish.update({{"ph", "f"},
                     {"bp", "e"},
                     {"ts", begins[event.id - 1]},
                     {"pid", event.rank},
                     {"tid", layout.thread(event)}});
      list.push_back(std::move(start));
      list.push_back(std::move(finish));
    }
  return Json{
      {"displayTimeUnit", "ns"}, {"otherData", {{"recorders", recorders}}}, {"traceEvents", std::move(list)}}
      .dump();
}

Trace Trace::from_json(std::string_view text) try {
  const nlohmann::json document = nlohmann::json::parse(text);
  Trace trace;
  trace.recorders = document.at("otherData").at("recorders");
  std::map<std::pair<int, int>, std::string> threads;
  for (const nlohmann::json& entry : document.at("traceEvents")) {
    const std::string phase = entry.at("ph");
    if (phase == "M") threads[{entry.at("pid"), entry.at("tid")}] = entry.at("args").at("name");
    if (phase != "X") continue;
    trace.events.push_back(event_of(entry, threads));
    const Event& event = trace.events.back();
    if (event.id != trace.events.size()) throw Error("no trace of ours: its ids have gaps");
    for (const std::uint64_t dep : event.deps)
      if (dep == 0 || dep >= event.id) throw Error("no trace of ours: an event depends on a later one");
  }
  return trace;
} catch (const std::exception& error) {
  throw Error(std::string("cannot read the trace: ") + error.what());
}

}  // namespace ladder
