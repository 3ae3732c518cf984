#include "common/lesson/rungs_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "common/base/error.hpp"
#include "common/base/files/toml_entries.hpp"
#include "common/base/text/step_name.hpp"
#include "common/lesson/rung_json.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr int max_size = 2'000'000'000;

void take(std::optional<std::string> value, std::string& member) {
  if (value) member = std::move(*value);
}
template <class T>
void take(std::optional<T> value, T& member) {
  if (value) member = *value;
}

Target read_target(Entries& entry) {
  Target target;
  take(entry.any_text("metric"), target.metric);
  take(entry.word("relation", {"<=", ">="}), target.relation);
  take(entry.number("bound"), target.bound);
  take(entry.any_text("necessary"), target.necessary);
  take(entry.any_text("amount"), target.amount);
  take(entry.whole("size", 0, max_size), target.size);
  take(entry.flag("restricted"), target.restricted);
  take(entry.any_text("floor"), target.floor);
  take(entry.any_text("proof"), target.proof);
  take(entry.any_text("own_cost"), target.own_cost);
  entry.finish();
  return target;
}

void read_asks(Entries& entry, Step& row) {
  auto asks = entry.table("asks");
  if (!asks) return;
  for (const auto& [name, place] : entry.keys("asks")) {
    if (asks->is_flag(name))
      row.asks[name] = asks->flag(name).value_or(false);
    else if (const auto number = asks->number(name))
      row.asks[name] = *number;
  }
}

void read_gain(Entries& entry, Step& row) {
  Gain& gain = row.gain;
  // Of several devices none has a clock for all.
  gain.clock = row.data == Data::resident ? RungClock::device : RungClock::call;
  auto written = entry.table("gain");
  if (!written) return;
  const auto clock = written->word("clock", {"call", "device"});
  gain.kernels = written->texts("kernels");
  if (!gain.kernels.empty() && clock == "call")
    written->problem("kernels", "kernels have no time of a call: leave out the clock");
  if (clock || !gain.kernels.empty()) gain.clock = clock == "call" ? RungClock::call : RungClock::device;
  take(written->whole("size", 1, max_size), gain.size);
  take(written->any_text("without"), gain.without);
  take(written->any_text("experiment"), gain.experiment);
  written->finish();
}

void read_hints(Entries& entry, Step& row) {
  const auto hints = entry.texts("hints");
  if (hints.size() > 2) entry.problem("hints", "a rung has two hints");
  for (std::size_t i = 0; i < std::min<std::size_t>(2, hints.size()); ++i) row.hints[i] = hints[i];
}

/// A rung, or what most of them have: that has no file and no idea of its own.
Step read_row(Entries& entry, const toml::table* of_targets) {
  Step row;
  take(entry.any_text("file"), row.file);
  take(entry.any_text("was"), row.was);
  take(entry.any_text("idea"), row.idea);
  if (const auto kind = entry.word("kind", {"required", "stretch", "demonstration"}))
    row.kind = *kind == "required"  ? Kind::required
               : *kind == "stretch" ? Kind::stretch
                                    : Kind::demonstration;
  if (const auto data = entry.word("data", {data_words.begin(), data_words.end()}))
    row.data = static_cast<Data>(std::ranges::find(data_words, *data) - data_words.begin());
  read_gain(entry, row);
  take(entry.number("hours"), row.hours);
  row.after = entry.texts("after");
  row.assumes = entry.texts("assumes");
  take(entry.whole("ranks", 1, 1024), row.ranks);
  take(entry.any_text("no_model"), row.no_model);
  take(entry.flag("matrix_products"), row.matrix_products);
  take(entry.number("bytes_per_flop"), row.bytes_per_flop);
  take(entry.any_text("why_long"), row.why_long);
  take(entry.any_text("library"), row.library);
  if (auto time = entry.table("time")) {
    take(time->any_text("peer"), row.time.peer);
    take(time->number("ratio"), row.time.ratio);
    take(time->whole("size", 0, max_size), row.time.size);
    take(time->whole("on_device", 0, max_size), row.time.on_device);
    time->finish();
  }
  if (auto points = entry.table("points")) {
    take(points->number("correctness"), row.points.correctness);
    take(points->number("targets"), row.points.targets);
    take(points->number("time"), row.points.time);
    points->finish();
  }
  read_asks(entry, row);
  read_hints(entry, row);
  for (Entries& target : entry.tables("targets", false, of_targets))
    row.targets.push_back(read_target(target));
  return row;
}

class Reader {
 public:
  explicit Reader(RungsFile& out) : out_(out) {}

  void read(const toml::table& table) {
    Entries entry(table, "", problems_);
    Lesson& lesson = out_.lesson;
    lesson.title = entry.text("title", true).value_or("");
    lesson.source = entry.text("source", true).value_or("");
    if (auto sizes = entry.table("on_device")) {
      take(sizes->whole("usual", 0, max_size), lesson.on_device.usual);
      take(sizes->whole("further", 0, max_size), lesson.on_device.further);
      take(sizes->whole("small", 0, max_size), lesson.on_device.small);
      take(sizes->whole("several", 0, max_size), lesson.on_device.several);
      sizes->finish();
    }
    take(entry.word("reads", {"matrix"}), lesson.reads);
    for (Entries& one : entry.tables("classes")) {
      lesson.classes.push_back(
          {one.text("name", true).value_or(""), one.whole("size", 1, max_size).value_or(0)});
      one.finish();
    }
    const toml::table *defaults = nullptr, *of_targets = nullptr;
    if (auto usual = entry.table("defaults")) {
      defaults = table.get_as<toml::table>("defaults");
      if (auto target = usual->table("target")) {
        of_targets = defaults->get_as<toml::table>("target");
        read_target(*target);
      }
      read_row(*usual, nullptr);
      usual->finish();
    }
    std::vector<Entries> rungs = entry.tables("rungs", true, defaults);
    for (Entries& row : rungs) read_rung(row, of_targets);
    for (std::size_t i = 0; i < rungs.size(); ++i) check_without(rungs[i], lesson.steps[i].gain.without);
    entry.finish();
  }

  Problems& problems() { return problems_; }

 private:
  /// What a rung is compared with is a rung of the lesson, or another program for the same one.
  void check_without(Entries& entry, const std::string& without) {
    const std::string rung = without.substr(0, without.find('.'));
    if (!rung.empty() && rung != "nothing" && !files_.contains(rung))
      entry.problem("gain", fmt::format("without = \"{}\": the lesson has no rung {}", without, rung));
  }

  void read_rung(Entries& entry, const toml::table* of_targets) {
    static const std::regex name(step_file_pattern);
    Step row = read_row(entry, of_targets);
    entry.finish();
    if (row.file.empty())
      entry.problem("file", "file is missing: \"g2_shared_tiles.cu\"");
    else if (!std::regex_match(row.file, name))
      entry.problem("file", fmt::format("file '{}': track, number, _ and an idea of small letters, .cpp or "
                                        ".cu: g2_shared_tiles.cu",
                                        row.file));
    else if (!files_.insert(row.name()).second)
      entry.problem("file", row.name() + " is there twice");
    for (const std::string& what : lacking(row)) entry.problem("file", row.name() + ": " + what);
    out_.lesson.steps.push_back(std::move(row));
  }

  RungsFile& out_;
  Problems problems_{};
  std::set<std::string> files_{};
};

}  // namespace

RungsFile read_rungs_file(const fs::path& file) {
  RungsFile out;
  out.lesson.name = file.parent_path().filename();
  const std::string shown = "lessons/" + out.lesson.name + "/" + file.filename().string();
  Reader reader(out);
  try {
    reader.read(parse_toml(file, shown));
    out.problems = reader.problems().lines(shown);
  } catch (const Error& error) {
    out.problems = {error.what()};
  }
  return out;
}

Lesson read_rungs(const fs::path& file) {
  RungsFile read = read_rungs_file(file);
  if (!read.problems.empty()) throw Error(fmt::format("{}", fmt::join(read.problems, "\n")));
  return std::move(read.lesson);
}

}  // namespace ladder
