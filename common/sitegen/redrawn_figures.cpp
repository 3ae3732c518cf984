/// @file
/// Figures that are drawn in another way than their record states them: the same numbers, from the figure or
/// the table. Bars become dots by class, rates of tiles seconds, and a dozen lines of seconds the rates of
/// some.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "common/base/text/step_name.hpp"
#include "common/report/figures/reproduction_figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

/// The number that a cell begins with; 0: none.
double value_of(const json& cell) {
  return cell.is_string() ? std::atof(cell.get<std::string>().c_str()) : 0;
}

/// Cells of a record by the names of its columns.
class Cells {
 public:
  explicit Cells(const json& record)
      : columns_(record.value("columns", std::vector<std::string>())),
        rows_(record.value("rows", json::array())) {}

  const json& rows() const { return rows_; }
  const json& at(const json& row, const std::string& column) const {
    static const json none;
    const auto i =
        static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
    return i < row.size() ? row[i] : none;
  }
  double number(const json& row, const std::string& column) const { return value_of(at(row, column)); }
  std::string word(const json& row, const std::string& column) const {
    const json& cell = at(row, column);
    return cell.is_string() ? cell.get<std::string>() : "";
  }

 private:
  std::vector<std::string> columns_;
  json rows_;
};

json line(const std::string& label, const std::string& part, const json& points) {
  return {{"label", label}, {"part", part}, {"points", points}};
}

/// Work D: rates instead of seconds, of the versions that a reader can tell apart; the means are those of the
/// table.
json rates_of_products(const json& record) {
  struct Chosen {
    const char *version, *name, *part;
  };
  static const Chosen chosen[] = {{"CUDA basic (g1)", "g1 basic", "rung"},
                                  {"tiles of 32 (g2)", "g2 tiles", "rung"},
                                  {"registers (g3)", "g3 registers", "rung"},
                                  {"vector loads (g4)", "g4 vector loads", "rung"},
                                  {"asynchronous (g5)", "g5 asynchronous", "rung"},
                                  {"OpenBLAS", "OpenBLAS (CPU)", "library"},
                                  {"cuBLAS", "cuBLAS", "library"}};
  const Cells cells(record);
  json lines = json::array();
  std::string best, words;
  double most = 0, of_library = 0, largest = 0;
  for (const auto& [version, name, part] : chosen)
    for (const json& row : cells.rows()) {
      if (cells.word(row, "version") != version) continue;
      json points = json::array();
      for (const std::string& column : record.value("columns", std::vector<std::string>())) {
        const double n = column.starts_with("n = ") ? std::atof(column.c_str() + 4) : 0,
                     seconds = cells.number(row, column);
        if (n > 0 && seconds > 0) points.push_back({n, 2e-9 * n * n * n / seconds});
      }
      if (points.empty()) continue;
      const double at = points.back()[0], last = points.back()[1];
      lines.push_back(line(name, part, points));
      words += fmt::format(" {} {};", name, short_number(last));
      if (name == std::string("cuBLAS")) of_library = last;
      if (part == std::string("rung") && last > most) most = last, best = name, largest = at;
    }
  const std::string title = of_library > 0 && most > 0
                                ? fmt::format("{} reaches {:.0f} % of cuBLAS's rate at n = {:.0f}",
                                              best.substr(0, 2), 100 * most / of_library, largest)
                                : "The rate of each version";
  if (!words.empty()) words.back() = '.';
  return {{"kind", "curves"},
          {"name", "rate"},
          {"title", title},
          {"alternative", title + ". GFLOP/s against n, at the largest n:" + words},
          {"x", {{"label", "n"}, {"log", true}}},
          {"y", {{"label", "GFLOP/s of a call"}, {"log", true}}},
          {"lines", lines}};
}

/// Work C: seconds decide which tile is best, and not operations of which most are on zeros.
json seconds_of_tiles(const json& record) {
  const Cells cells(record);
  std::string rung = "g4";  // the hybrid one; its number may change
  for (const std::string& column : record.value("columns", std::vector<std::string>()))
    if (column.starts_with("g") && column.ends_with(", s")) rung = column.substr(0, column.find(','));
  json cpu = json::array(), hybrid = json::array();
  double fast_s = 0, fast = 1e300;
  for (const json& row : cells.rows()) {
    const double s = cells.number(row, "s"), c1 = cells.number(row, "c1, s"),
                 g4 = cells.number(row, rung + ", s");
    if (c1 > 0) cpu.push_back({s, c1});
    if (g4 > 0) hybrid.push_back({s, g4});
    if (g4 > 0 && g4 < fast) fast = g4, fast_s = s;
  }
  const std::string title =
      fmt::format("{} is fastest with tiles of {:.0f}; larger tiles hold more zeros", rung, fast_s);
  return {{"kind", "curves"},
          {"name", "tiles"},
          {"title", title},
          {"alternative", title + ". Seconds of a factorisation against the order of a tile, of c1 and " +
                              rung + "; the table has the numbers."},
          {"x", {{"label", "order of a tile"}, {"log", true}}},
          {"y", {{"label", "seconds"}, {"log", true}}},
          {"lines", {line("c1, CPU", "baseline", cpu), line(rung + ", CPU and GPU", "rung", hybrid)}}};
}

/// "0.03737 (0.03732 to 0.03742)", else the mean.
double median_of(const Cells& cells, const json& row) {
  const double median = cells.number(row, "median, s");
  return median > 0 ? median : cells.number(row, "mean, s");
}

/// Work E: a dot for each class and program, and no bars; only classes in which the sequential program was
/// timed.
json speedups_by_class(const json& record, const json& bars) {
  const Cells cells(record);
  std::vector<std::string> classes, programs;
  std::map<std::string, double> sequential;  // by class
  for (const json& row : cells.rows()) {
    const std::string one = cells.word(row, "class"), program = cells.word(row, "program");
    if (program == "baseline" && median_of(cells, row) > 0)
      classes.push_back(one), sequential[one] = median_of(cells, row);
    if (std::find(programs.begin(), programs.end(), program) == programs.end()) programs.push_back(program);
  }
  std::map<std::string, std::string> parts;  // as the bars say: whose rung is the source's
  for (const json& group : bars.value("groups", json::array()))
    for (const json& bar : group.value("bars", json::array()))
      parts[bar.value("label", "")] = bar.value("part", "");
  json lines = json::array();
  std::string best;
  std::vector<std::string> rungs;
  double most = 0;
  for (const std::string& program : programs) {
    const std::string id = id_of(program);
    if (id == "baseline") continue;
    json points = json::array();
    for (std::size_t c = 0; c < classes.size(); ++c) {
      double mine = 0;
      for (const json& row : cells.rows())
        if (cells.word(row, "class") == classes[c] && cells.word(row, "program") == program)
          mine = median_of(cells, row);
      if (!(mine > 0)) continue;  // not measured
      const double times = sequential[classes[c]] / mine;
      points.push_back({c, times});
      if (times > most && id[0] != 'c') most = times, best = id;
    }
    if (points.empty()) continue;
    if (id[0] == 'g') rungs.push_back(program);
    // The source's design is said in words: no legend of colours is needed.
    const bool source = parts[id] == "source";
    lines.push_back(line(id + (source ? ", source's design" : ""), parts[id], points));
  }
  // A run may be older than the last rungs: the title names those that it has.
  const std::string title = fmt::format("Of {}: {} is up to {} times as fast as the sequential program",
                                        ranges_of(rungs), best, short_number(most));
  return {{"kind", "curves"},
          {"name", "speedup"},
          {"title", title},
          {"alternative", title + ". Speedup over the sequential program, medians, for each class and "
                                  "program; the table has the numbers."},
          {"x", {{"label", "class"}, {"names", classes}}},
          {"y", {{"label", "speedup over the sequential program"}, {"log", true}}},
          {"lines", lines}};
}

/// Work E, EP: rungs with one thread per batch of 2^16 pairs; the time of their kernels against the threads.
json time_against_threads(const json& record) {
  static const std::map<std::string, double> threads = {
      {"S", 256}, {"W", 512}, {"A", 4096}, {"B", 16384}, {"C", 65536}};
  static const std::set<std::string> rungs = {"g2_private_counts", "g4_no_local_array"};
  const Cells cells(record);
  std::map<std::string, json> points;
  for (const json& row : cells.rows()) {
    const auto count = threads.find(cells.word(row, "class"));
    const double seconds = cells.number(row, "kernels, s");
    const std::string program = cells.word(row, "program");
    if (count != threads.end() && seconds > 0 && rungs.contains(program))
      points[program].push_back({count->second, 1e3 * seconds});
  }
  json lines = json::array();
  for (const auto& [program, of] : points)
    if (of.size() > 1) lines.push_back(line(id_of(program), "rung", of));
  if (lines.empty()) return {};
  const json& last = lines.back()["points"];
  const double more = last.back()[0].get<double>() / last[0][0].get<double>(),
               longer = last.back()[1].get<double>() / last[0][1].get<double>();
  const std::string title =
      fmt::format("{} times the threads take {} times as long", short_number(more), short_number(longer));
  return {{"kind", "curves"},
          {"name", "threads"},
          {"title", title},
          {"alternative", title + ": until the device is full, threads are free. Time of the kernels against "
                                  "threads, one batch of 65,536 pairs each."},
          {"x", {{"label", "threads"}, {"log", true}}},
          {"y", {{"label", "ms of the kernels"}, {"log", false}}},
          {"lines", lines}};
}

/// Work C, who works when: which of the two that overlap is the shorter one, copies or calls, in the words of
/// the title. Empty where that cannot be seen.
std::string overlap_in_words(const json& timeline) {
  std::map<std::string, double> busy;
  for (const json& track : timeline.value("tracks", json::array()))
    for (const json& bar : track.value("bars", json::array()))
      busy[track.value("label", "")] += (bar[1].get<double>() - bar[0].get<double>()) * bar[2].get<double>();
  static const std::regex share("([0-9]+ %) of the shorter of copies and calls run next to the other");
  std::smatch found;
  const std::string title = timeline.value("title", "");
  return std::regex_match(title, found, share) &&
                 busy["GPU: calls"] < std::max(busy["to the device"], busy["to the host"])
             ? fmt::format("Copies run during {} of the GPU's calls", found.str(1))
             : "";
}

/// Work C, the model of streams: the rung whose line is highest, next to the rung that the model is about.
std::string highest_in_words(const json& model) {
  std::map<std::string, std::pair<double, double>> highest;  // by line: the speedup, and where
  for (const json& one : model.value("lines", json::array()))
    for (const json& point : one.value("points", json::array()))
      highest[one.value("label", "")] = std::max(highest[one.value("label", "")],
                                                 std::pair(point[1].get<double>(), point[0].get<double>()));
  const auto g3 = highest["g3"], g6 = highest["g6"];
  return g3.first > 0 && g6.first > 1 && g3.first < 1
             ? fmt::format(
                   "g6 with {:.0f} threads is {} times as fast as one stream without copies; streams "
                   "alone, g3, {}",
                   g6.second, short_number(g6.first), short_number(g3.first))
             : "";
}

/// Resident blocks of a multiprocessor by the threads of a block, on the GPU of that name.
std::map<double, double> resident_blocks(const json& records, const std::string& gpu) {
  std::map<double, double> blocks;
  for (const json& record : records) {
    if (!record.value("title", "").starts_with("Resident blocks of a multiprocessor")) continue;
    const Cells cells(record);
    for (const std::string& column : record.value("columns", std::vector<std::string>()))
      if (const auto comma = column.find(", resident");
          comma != column.npos && gpu.find(column.substr(0, comma)) != gpu.npos)
        for (const json& row : cells.rows()) blocks[cells.number(row, "threads")] = cells.number(row, column);
  }
  return blocks;
}

/// Marks one heat map, and says what the mark is with the numbers of its best column.
void mark_heat(json& figure, const std::map<double, double>& resident, double multiprocessors) {
  const auto threads = figure["columns"].value("values", std::vector<double>()),
             rows = figure["rows"].value("values", std::vector<double>());
  json marked = json::array();
  double best = 0;
  std::string example;
  for (std::size_t c = 0; c < threads.size(); ++c) {
    const auto found = resident.find(threads[c]);
    const double all = found == resident.end() ? 0 : multiprocessors * found->second;
    marked.push_back(std::find(rows.begin(), rows.end(), all) == rows.end() ? 0 : all);
    for (const json& row : figure.value("cells", json::array()))
      if (all > 0 && c < row.size() && row[c].is_number() && row[c] > best) {
        best = row[c];
        example = fmt::format("at {:.0f} threads {:.0f} multiprocessors x {:.0f} = {:.0f}", threads[c],
                              multiprocessors, found->second, all);
      }
  }
  if (example.empty()) return;
  const std::string note = "Dashed: all blocks that are resident at once, " + example + ".";
  figure["marked"] = marked;
  figure["notes"] = {note};
  figure["alternative"] = figure.value("alternative", "") + " " + note;
}

}  // namespace

void mark_residency(json& records, const model::Machine& machine) {
  for (const model::Device& d : machine.devices) {
    if (!d.id.starts_with("cuda:")) continue;
    const auto resident = resident_blocks(records, d.name);
    if (resident.empty()) return;
    for (json& record : records)
      for (std::size_t i = 0; record.contains("figures") && i < record["figures"].size(); ++i)
        if (json& figure = record["figures"][i]; figure.value("kind", "") == "heat")
          mark_heat(figure, resident, d.compute_units);
    return;
  }
}

std::string restated(const std::string& sentence) {
  static const std::regex saved("save ([0-9.]+)%(?: of the time)? here and ([0-9.]+)%");
  static const std::pair<std::regex, const char*> newer[] = {
      {std::regex("([0-9]+ %) of the shorter of copies and calls run next to the other"),
       "Copies and calls of the GPU overlap for $1 of the shorter of the two"},
      {std::regex("The model predicts ([0-9.]*[0-9]) with 16 streams; g3 reaches ([0-9.]*[0-9])"),
       "g3 with 16 streams has $2 times the speed of one stream without copies; the model has $1"}};
  std::string now = sentence;
  if (std::smatch found; std::regex_search(sentence, found, saved))
    now = fmt::format("{}save {:.0f} % of the time here and {:.0f} %{}", found.prefix().str(),
                      std::stod(found[1]), std::stod(found[2]), found.suffix().str());
  for (const auto& [was, is] : newer) now = std::regex_replace(now, was, is);
  return now;
}

json redrawn_figures(const json& record) {
  const json stored = record.value("figures", json::array());
  const std::string title = record.value("title", "");
  static const std::map<std::string, std::string> words = {{"real", "measured"},
                                                           {"c1, processor", "c1, CPU"}};
  json now = json::array();
  for (const json& figure : stored) {
    const std::string name = figure.value("name", ""), kind = figure.value("kind", "");
    if (kind == "bars") {
      now.push_back(speedups_by_class(record, figure));
      if (const json threads = time_against_threads(record);
          !threads.is_null() && title.find(" EP ") != title.npos)
        now.push_back(threads);
    } else if (title.starts_with("Figures of work D")) {
      if (name == "time") now.push_back(rates_of_products(record));  // the others said the same, or nothing
    } else if (name == "tiles" && figure.value("y", json::object()).value("label", "") == "Gflop/s") {
      now.push_back(seconds_of_tiles(record));
    } else if (name == "source" && !figure.contains("corner")) {
      json said = figure;
      said["corner"] = "a prediction for a GTX 1660; the source measured the square";
      for (json& one : said["lines"])
        if (one.value("part", "") == "source") one["label"] = "704, measured";
      now.push_back(said);
    } else {
      json said = figure;
      for (json& one : said.contains("lines") ? said["lines"] : said["none"])
        if (const auto word = words.find(one.value("label", "")); word != words.end())
          one["label"] = word->second;
      const std::string newer = kind == "timeline" ? overlap_in_words(figure)
                                : name == "model"  ? highest_in_words(figure)
                                                   : "";
      for (const char* key : {"title", "alternative"})
        if (said.contains(key)) {
          const std::string was = said[key];
          // An alternative begins with its title.
          said[key] = newer.empty()
                          ? restated(was)
                          : newer + was.substr(std::min(was.size(), figure.value("title", "").size()));
        }
      now.push_back(said);
    }
  }
  return now;
}

}  // namespace ladder::report
