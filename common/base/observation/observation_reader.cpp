#include "common/base/observation/observation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/base/error.hpp"

namespace ladder {
namespace {

template <class Value, class = void>
struct Serializer : nlohmann::adl_serializer<Value> {};
/// A type of this file's own. Of the copies of a template's functions the linker takes any, and a judge has
/// those of sources that are compiled without optimisation.
using json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t,
                                  double, std::allocator, Serializer>;

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t max_text = 2000;  // of a name, a message: longer ones are cut
constexpr int max_depth = 16;           // the schema needs 7
constexpr std::size_t max_launches = 200'000, max_places = 10'000, most_findings = 10'000, max_names = 200,
                      most_accesses = 10'000;
// Whole in a double, and sums of such counts stay exact for long.
constexpr double max_count = 9007199254740992.0;

/// One value of the document, with the way to it for messages: "launches[3].lines[0].requests".
class Reader {
 public:
  explicit Reader(const json& document) : value_(document) {}
  /// A field of @p parent, which outlives it, as the name does.
  Reader(const json& value, const Reader& parent, std::string_view name)
      : value_(value), parent_(&parent), name_(name) {}
  /// An element of @p parent.
  Reader(const json& value, const Reader& parent, std::size_t index)
      : value_(value), parent_(&parent), index_(index) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error("the observation is broken: " + (parent_ ? path() : "the document") + " " + why);
  }

  /// Calls @p take for a field that is there and not null.
  template <class Take>
  void field(const char* name, Take take) const {
    const auto found = value_.find(name);
    if (found == value_.end() || found->is_null()) return;
    take(Reader(*found, *this, std::string_view(name)));
  }

  const Reader& object() const {
    if (!value_.is_object()) refuse("is no object");
    return *this;
  }

  template <class Take>
  void elements(std::size_t most, Take take) const {
    if (!value_.is_array()) refuse("is no list");
    if (value_.size() > most) refuse("has more than " + std::to_string(most) + " entries");
    for (std::size_t i = 0; i < value_.size(); ++i) take(Reader(value_[i], *this, i), i);
  }

  template <class Take>
  void entries(std::size_t most, Take take) const {
    object();
    if (value_.size() > most) refuse("has more than " + std::to_string(most) + " entries");
    for (const auto& [name, value] : value_.items()) {
      const std::string shown = printable(name);
      take(shown, Reader(value, *this, std::string_view(shown)));
    }
  }

  std::string text() const {
    if (!value_.is_string()) refuse("is no text");
    return printable(value_.get_ref<const std::string&>());
  }

  /// A whole number between two bounds.
  template <class Integer>
  Integer whole(double least, double most) const {
    if (!value_.is_number()) refuse("is no number");
    const double value = value_.get<double>();
    if (!(value >= least && value <= most) || value != std::floor(value)) refuse("is not in its range");
    return static_cast<Integer>(value);
  }

  double amount() const {
    if (!value_.is_number()) refuse("is no number");
    const double value = value_.get<double>();
    if (!(value >= 0 && value <= max_count)) refuse("is not in its range");
    return value;
  }

  void into(std::string& to) const { to = text(); }
  void into(int& to) const { to = whole<int>(0, 1e9); }
  void into(std::uint32_t& to) const { to = whole<std::uint32_t>(0, 4294967295.0); }
  void into(std::uint64_t& to) const { to = whole<std::uint64_t>(0, max_count); }
  void into(bool& to) const {
    if (!value_.is_boolean()) refuse("is neither true nor false");
    to = value_.get<bool>();
  }
  void into(std::array<std::uint32_t, 3>& to) const {
    if (!value_.is_array() || value_.size() != 3) refuse("is no list of three");
    elements(3, [&](const Reader& element, std::size_t i) { element.into(to[i]); });
  }

  template <class Value>
  void read(const char* name, Value& to) const {
    field(name, [&](const Reader& value) { value.into(to); });
  }

 private:
  /// Without what could move a terminal's cursor, and no longer than messages need.
  static std::string printable(std::string text) {
    if (text.size() > max_text) {
      text.resize(max_text);
      while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();  // the tail of a cut character
      if (!text.empty() && (text.back() & 0x80)) text.pop_back();
    }
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < ' ' || c == 0x7F; }, '?');
    return text;
  }

  /// Put together for a message only: there are a dozen fields for each line of each launch.
  std::string path() const {
    if (!parent_) return "";
    const std::string before = parent_->path();
    if (!name_.data()) return before + "[" + std::to_string(index_) + "]";
    return (before.empty() ? "" : before + ".") + std::string(name_);
  }

  const json& value_;
  const Reader* parent_ = nullptr;
  std::string_view name_{};
  std::size_t index_ = 0;
};

// ---- one function a type: from JSON

void read(const Reader& from, SourceLine& to) {
  from.object().read("file", to.file);
  from.read("line", to.line);
}

void read(const Reader& from, WarpAccess& to) {
  from.object().read("block", to.block);
  from.read("warp", to.warp);
  from.read("mask", to.mask);
  from.read("object", to.object);
  from.field("at", [&](const Reader& list) {
    to.at.assign(32, -1);
    std::size_t count = 0;
    list.elements(32, [&](const Reader& lane, std::size_t i) {
      to.at[i] = lane.whole<std::int64_t>(-1, max_count);
      ++count;
    });
    if (count != 32) list.refuse("has not one entry a lane");
  });
}

void read(const Reader& from, LineCounters& to) {
  from.object().field("site", [&](const Reader& r) { read(r, to.site); });
  from.read("space", to.space);
  from.read("operation", to.operation);
  from.read("size", to.size);
  from.read("requests", to.requests);
  from.read("lanes", to.lanes);
  from.read("distinct_bytes", to.distinct_bytes);
  from.read("sectors", to.sectors);
  from.read("necessary_sectors", to.necessary_sectors);
  from.read("wavefronts", to.wavefronts);
  from.read("necessary_wavefronts", to.necessary_wavefronts);
  from.read("most_lanes_at_one_address", to.most_lanes_at_one_address);
  from.read("intervals", to.intervals);
  from.read("object_bytes", to.object_bytes);
  from.field("worst", [&](const Reader& r) { read(r, to.worst.emplace()); });
}

void read(const Reader& from, BranchCounters& to) {
  from.object().field("site", [&](const Reader& r) { read(r, to.site); });
  from.read("executed", to.executed);
  from.read("divergent", to.divergent);
  from.read("idle", to.idle);
  if (to.divergent > to.executed) from.refuse("diverges more often than it is executed");
}

void read(const Reader& from, LaunchCounters& to) {
  from.object().read("kernel", to.kernel);
  from.field("site", [&](const Reader& r) { read(r, to.site); });
  from.read("grid", to.grid);
  from.read("block", to.block);
  from.read("static_shared", to.static_shared);
  from.read("dynamic_shared", to.dynamic_shared);
  from.field("registers", [&](const Reader& r) { r.into(to.registers.emplace()); });
  from.read("launches", to.launches);
  from.read("blocks", to.blocks);
  from.read("observed_blocks", to.observed_blocks);
  from.field("counters", [&](const Reader& all) {
    all.entries(max_names,
                [&](const std::string& name, const Reader& value) { to.counters[name] = value.amount(); });
  });
  from.field("skipped", [&](const Reader& all) {
    all.entries(max_names,
                [&](const std::string& name, const Reader& reason) { to.skipped[name] = reason.text(); });
  });
  from.field("lines", [&](const Reader& all) {
    all.elements(max_places, [&](const Reader& r, std::size_t) { read(r, to.lines.emplace_back()); });
  });
  from.field("branches", [&](const Reader& all) {
    all.elements(max_places, [&](const Reader& r, std::size_t) { read(r, to.branches.emplace_back()); });
  });
}

/// What a finding, its other side and a thread's access have in common.
template <class Access>
void read_access(const Reader& from, Access& to) {
  from.object().field("site", [&](const Reader& r) { read(r, to.site); });
  from.read("block", to.block);
  from.read("thread", to.thread);
  from.read("operation", to.operation);
}

void read(const Reader& from, Finding& to) {
  read_access(from, to);
  from.read("kind", to.kind);
  from.read("severity", to.severity);
  if (to.severity != "error" && to.severity != "warning" && to.severity != "note")
    from.refuse("has a severity that is none of error, warning, note");
  from.read("kernel", to.kernel);
  from.field("other", [&](const Reader& r) { read_access(r, to.other.emplace()); });
  from.read("address", to.address);
  from.read("message", to.message);
  from.read("meaning", to.meaning);
  from.read("count", to.count);
  from.read("fatal", to.fatal);
}

void read(const Reader& from, ThreadAccess& to) {
  read_access(from, to);
  from.read("address", to.address);
  from.read("global", to.global);
}

/// Refuses nesting that no observation has: a value of the library costs many times the character it is read
/// from.
void check_depth(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_depth) throw Error("the observation is broken: its lists are nested too deeply");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

}  // namespace

Observation parse_observation(std::string_view text) {
  if (text.size() > most_bytes)
    throw Error("the observation is longer than " + std::to_string(most_bytes >> 20) + " MiB");
  check_depth(text);
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) throw Error("the observation is broken: it is no JSON");
  const Reader reader(document);
  std::string said;
  reader.object().read("schema", said);
  if (said != observation_schema) reader.refuse("is not of schema " + std::string(observation_schema));
  Observation observation;
  reader.read("device", observation.device);
  reader.read("incomplete", observation.incomplete);
  reader.read("summed", observation.summed);
  reader.field("launches", [&](const Reader& all) {
    all.elements(max_launches,
                 [&](const Reader& r, std::size_t) { read(r, observation.launches.emplace_back()); });
  });
  reader.field("findings", [&](const Reader& all) {
    all.elements(most_findings,
                 [&](const Reader& r, std::size_t) { read(r, observation.findings.emplace_back()); });
  });
  reader.field("results", [&](const Reader& r) {
    ResultOrigin& results = observation.results.emplace();
    r.object().read("elements", results.elements);
    r.read("of_kernels", results.of_kernels);
    r.read("uploaded", results.uploaded);
    r.read("known", results.known);
    if (results.of_kernels > results.elements) r.refuse("has more of kernels than there are");
    if (results.uploaded > results.of_kernels)
      r.refuse("has more that was uploaded than kernels have stored");
  });
  reader.field("accesses", [&](const Reader& all) {
    all.elements(most_accesses,
                 [&](const Reader& r, std::size_t) { read(r, observation.accesses.emplace_back()); });
  });
  return observation;
}

}  // namespace ladder
