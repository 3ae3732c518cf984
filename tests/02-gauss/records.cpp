#include "records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "source_tables.hpp"
#include "tail.hpp"

namespace gauss::test {

using ladder::DeviceLimits;
using ladder::LaunchShape;

LaunchShape with_threads(LaunchShape shape, int threads) {
  shape.threads = static_cast<unsigned>(threads);
  return shape;
}

int resident(const LaunchShape& shape, const DeviceLimits& device) {
  return ladder::occupancy(shape, device).blocks;
}

namespace {

using nlohmann::json;
namespace reproduction = ladder::reproduction;
using reproduction::line;

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} us", 1e6 * seconds);
}

void add_notes(json& record, const Lab& lab, const Sequential& sequential, int n) {
  json& notes = record["notes"];
  notes.push_back("theirs: GTX 1660 (22 multiprocessors), Core i7-2600, n = 7500, median of 7 runs");
  notes.push_back(fmt::format(
      "ours: {}, n = {}; {}", lab.device(), n,
      lab.kernels_only() ? "the kernels of the elimination, by the recorder: neither launches nor the "
                           "serial back substitution count"
                         : "the whole call"));
  if (!ladder::runs_on_gpu(lab.step()))
    notes.push_back(
        "No GPU here: the executor's times show that any grid is right, and nothing about a GPU.");
  if (!sequential.note().empty()) notes.push_back(sequential.note());
}

// ---- where fewer blocks are resident than theory says

/// The most registers per thread may have, and still as many blocks are resident as threads and blocks allow.
int max_registers(LaunchShape shape, const DeviceLimits& device) {
  shape.registers.reset();
  const int theory = resident(shape, device);
  int most = 0;
  for (int r = 16; r <= device.registers_per_thread; ++r) {
    shape.registers = static_cast<unsigned>(r);
    if (ladder::occupancy(shape, device).impossible.empty() && resident(shape, device) == theory) most = r;
  }
  return most;
}

}  // namespace

json occupancy_record(const Lab& lab, const std::optional<DeviceLimits>& here) {
  const DeviceLimits source = *ladder::find_device(source_device);
  std::vector<DeviceLimits> devices = {source};
  if (here) devices.push_back(*here);
  std::vector<std::string> columns = {"threads"};
  for (const DeviceLimits& device : devices)
    for (const char* what : {"in theory", "resident", "fewer above"})
      columns.push_back(device.name + ", " + what);
  json record =
      reproduction::record(ladder::plan().lesson, "Resident blocks of a multiprocessor, work B", columns);
  for (const int threads : thread_counts) {
    json row = {std::to_string(threads)};
    for (const DeviceLimits& device : devices) {
      LaunchShape shape = with_threads(lab.shape(), threads);
      if (&device == &devices.front()) shape.registers = source_registers;
      LaunchShape theory = shape;
      theory.registers.reset();
      theory.shared_bytes = 0;
      row.push_back(std::to_string(resident(theory, device)));
      row.push_back(std::to_string(resident(shape, device)));
      row.push_back(fmt::format("{} registers", max_registers(shape, device)));
    }
    record["rows"].push_back(row);
  }
  json& notes = record["notes"];
  for (const int threads : {256, 1024}) {
    LaunchShape shape = with_threads(lab.shape(), threads);
    shape.registers = source_registers;
    LaunchShape more = shape;
    more.registers = static_cast<unsigned>(max_registers(shape, source) + 1);
    notes.push_back(
        fmt::format("{} threads on a {}: {} resident by the calculator with the source's {} registers, {} "
                    "with {} registers",
                    threads, source.name, resident(shape, source), source_registers, resident(more, source),
                    *more.registers));
  }
  notes.push_back(
      "in theory: threads and blocks are the only limits; resident: registers and shared memory too");
  const auto& registers = lab.shape().registers;
  notes.push_back(
      !here ? "the limits of " + lab.device() + " are not in our table of devices"
      : registers
          ? fmt::format("{}: {} registers per thread, as compiled for it", here->name, *registers)
          : fmt::format(
                "{}: nothing compiled for it says how many registers per thread has; none are counted",
                here->name));
  record["figures"] = json::array();
  return record;
}

// ---- figure 2: speedup over blocks x threads

json heat_record(const Lab& lab, int n, const std::vector<int>& blocks, const std::vector<Measured>& all,
                 Sequential& sequential) {
  std::vector<std::string> columns = {"blocks"};
  for (const int threads : thread_counts) columns.push_back(fmt::format("{} threads", threads));
  json record = reproduction::record(
      ladder::plan().lesson, "Figure 2 of work B: speedup over blocks and threads per block", columns);
  const Measured* best = fastest(all);
  const double reference = sequential.seconds(n);
  json figure = {{"kind", "heat"},
                 {"name", "heat"},
                 {"rows", {{"label", "blocks"}, {"values", blocks}}},
                 {"columns", {{"label", "threads per block"}, {"values", thread_counts}}},
                 {"cells", json::array()},
                 {"unit", "times as fast as the sequential program"}};
  std::map<std::string, int> reasons;
  std::size_t at = 0;
  for (const int count : blocks) {
    json row = {std::to_string(count)}, cells_of = json::array();
    for (std::size_t t = 0; t < std::size(thread_counts); ++t, ++at) {
      const Measured& m = all[at];
      const double speedup = m.cell.measured() ? reference / m.cell.median() : 0;
      row.push_back(m.cell.measured() ? reproduction::number_text(speedup) : "–");
      cells_of.push_back(m.cell.measured() ? json(speedup) : json());
      if (!m.cell.measured() && !m.cell.reason.empty()) ++reasons[m.cell.reason];
    }
    record["rows"].push_back(row);
    figure["cells"].push_back(cells_of);
  }
  std::string title = "no configuration was measured";
  if (best) {
    title = fmt::format(
        "Best here: {} blocks of {} threads, {} times the sequential program; the source: {} of {}, {}",
        best->grid.blocks, best->grid.threads, reproduction::number_text(reference / best->cell.median()),
        source_blocks, source_threads, source_best_speedup);
    std::size_t least = best->cell.seconds.size(), most = 0;
    for (const Measured& m : all)
      if (m.cell.measured())
        least = std::min(least, m.cell.seconds.size()), most = std::max(most, m.cell.seconds.size());
    record["notes"] = {title, least == most ? fmt::format("median of {} runs a cell", most)
                                            : fmt::format("median of {} to {} runs a cell", least, most)};
  }
  for (const auto& [reason, count] : reasons)
    record["notes"].push_back(fmt::format("{} cells not measured (–): {}", count, reason));
  figure["title"] = title;
  figure["alternative"] = title + fmt::format(
                                      ". Heat map of the speedup at n = {}: {} block counts by {} sizes of a "
                                      "block; the table has its numbers.",
                                      n, blocks.size(), std::size(thread_counts));
  add_notes(record, lab, sequential, n);
  record["figures"] = json::array({figure});
  return record;
}

namespace {

// ---- figure 1: speedup against the block count

/// What waves and rounds predict, scaled so that the best of the measured counts is the best of both.
std::vector<double> predicted(int n, const std::vector<int>& counts, int places, double best) {
  std::vector<double> all;
  for (const int blocks : counts) all.push_back(places_at_work(n, blocks, places));
  const double most = *std::max_element(all.begin(), all.end());
  for (double& value : all) value *= best / most;
  return all;
}

std::vector<int> multiples(int places, int waves) {
  std::vector<int> all;
  for (int w = 1; w <= waves; ++w) all.push_back(w * places);
  return all;
}

/// Speedup against the block count, with lines across at whole waves.
json waves_figure(const char* name, const std::string& title, const std::string& what, int places, int waves,
                  const std::vector<json>& lines) {
  json figure = reproduction::curves(name, title, {"blocks"}, {"speedup over the sequential program"}, lines);
  figure["alternative"] = title + ". " + what;
  figure["marks"] = multiples(places, waves);
  figure["marks_label"] = "whole waves";
  return figure;
}

/// The same prediction for the source's card, with the one point that the source states.
json source_figure() {
  const int places =
      22 *
      resident(with_threads({.shared_bytes = sizeof(double), .registers = source_registers}, source_threads),
               *ladder::find_device(source_device));
  const int waves = source_blocks / places + 1;
  const std::vector<int> counts = block_counts(places, waves);
  const double there = places_at_work(source_n, source_blocks, places);
  std::vector<double> speedups;
  for (const int blocks : counts)
    speedups.push_back(source_best_speedup * places_at_work(source_n, blocks, places) / there);
  const std::string title =
      fmt::format("The source's best grid, {} blocks of {} threads, is {} whole waves of {}", source_blocks,
                  source_threads, source_blocks / places, places);
  return waves_figure(
      "source", title,
      "Speedup against the block count on a GTX 1660 as waves and rounds of rows predict it; it falls after "
      "each multiple of the resident blocks, less from wave to wave.",
      places, waves,
      {line("predicted", "floor", counts, speedups),
       line("source", "source", {source_blocks}, {source_best_speedup})});
}

}  // namespace

json tail_record(const Lab& lab, int n, int places, const std::vector<Measured>& all,
                 Sequential& sequential) {
  json record =
      reproduction::record(ladder::plan().lesson, "Figure 1 of work B: speedup against the block count",
                           {"blocks", "waves", "predicted", "real", "interval", "real, drawn"});
  std::vector<int> counts;
  std::vector<double> real;
  const double reference = sequential.seconds(n);
  double best = 0;
  for (const Measured& m : all) {
    counts.push_back(m.grid.blocks);
    real.push_back(m.cell.measured() ? reference / m.cell.median() : 0);
    best = std::max(best, real.back());
  }
  const std::vector<double> theory = predicted(n, counts, places, best);
  const json measured = line("real", "rung", counts, real);
  json points = json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& seconds = all[i].cell.seconds;
    const bool spread = seconds.size() >= 3;
    const ladder::Interval interval = spread ? ladder::median_interval(seconds) : ladder::Interval{};
    record["rows"].push_back({std::to_string(counts[i]), fmt::format("{:.2f}", double(counts[i]) / places),
                              reproduction::number_text(theory[i]),
                              real[i] > 0 ? reproduction::number_text(real[i]) : "–",
                              spread ? reproduction::number_text(reference / interval.high) + " to " +
                                           reproduction::number_text(reference / interval.low)
                                     : "",
                              reproduction::bar(real[i], best)});
    if (real[i] <= 0) continue;
    if (spread)
      points.push_back({counts[i], real[i], reference / interval.high, reference / interval.low});
    else
      points.push_back({counts[i], real[i]});
  }
  std::string title = "the tail was not measured";
  const auto at = [&](int blocks) {
    return std::find(counts.begin(), counts.end(), blocks) - counts.begin();
  };
  for (int w = 1; w <= waves_shown; ++w) {
    const auto full = std::size_t(at(w * places)), more = std::size_t(at(w * places + 1));
    if (full >= real.size() || more >= real.size() || real[full] <= 0 || real[more] <= 0) continue;
    const auto change = [&](const std::vector<double>& of) {
      const double percent = std::round(100 * (of[more] / of[full] - 1));
      return percent == 0 ? std::string("0 %") : fmt::format("{:+.0f} %", percent);  // not "-0 %"
    };
    if (w == 1)
      title = fmt::format("{} blocks fill {}; one more: predicted {}, measured {}", places,
                          ladder::runs_on_gpu(lab.step()) ? lab.device() : "the executor", change(theory),
                          change(real));
    record["notes"].push_back(fmt::format("from {} blocks to {}: predicted {}, measured {}", counts[full],
                                          counts[more], change(theory), change(real)));
  }
  add_notes(record, lab, sequential, n);
  record["notes"].push_back(
      "predicted: waves of resident blocks one after the other, each as long as its block with the most "
      "rows; "
      "scaled to the best that was measured. A memory that is busy with fewer blocks saturates earlier.");
  json ours = line("real", "rung", {}, {});
  ours["points"] = points;
  record["figures"] = {
      waves_figure(
          "tail", title,
          fmt::format("Speedup against the block count at n = {}, {} threads per block: measured, and "
                      "predicted from {} resident blocks; lines across at whole waves.",
                      n, source_threads, places),
          places, waves_shown, {line("predicted", "floor", counts, theory), ours}),
      source_figure()};
  return record;
}

// ---- table 1: the best configuration, run after run

json best_record(const Lab& grid_stride, int n, Grid best, Sequential& sequential,
                 const reproduction::Cell& a, const reproduction::Cell& b) {
  const double reference = sequential.seconds(n);
  json record = reproduction::record(
      ladder::plan().lesson, "Table 1 of work B: the best configuration, run after run",
      {"run", "theirs, s", "theirs, speedup", "g2, s", "g2, speedup", "g5, s", "g5, speedup"});
  const auto add = [&](json& row, const reproduction::Cell& cell, std::size_t run) {
    const bool there = run < cell.seconds.size();
    row.push_back(there ? fmt::format("{:.4g}", cell.seconds[run]) : "–");
    row.push_back(there ? reproduction::number_text(reference / cell.seconds[run]) : "–");
  };
  for (std::size_t run = 0; run < std::size(source_runs); ++run) {
    json row = {std::to_string(run + 1), fmt::format("{:.2f}", source_runs[run].seconds),
                fmt::format("{:.2f}", source_runs[run].speedup)};
    add(row, a, run), add(row, b, run);
    record["rows"].push_back(row);
  }
  json row = {"median", "14.66", "24.97"};
  for (const reproduction::Cell* cell : {&a, &b}) {
    row.push_back(cell->measured() ? fmt::format("{:.4g}", cell->median()) : "–");
    row.push_back(cell->measured() ? reproduction::number_text(reference / cell->median()) : "–");
  }
  record["rows"].push_back(row);
  json& notes = record["notes"];
  if (a.measured())
    notes.push_back(
        fmt::format("At n = {}, {} blocks of {} threads take {} here, {} times the sequential program; the "
                    "source at n = 7500 14.66 s, 24.97 times.",
                    n, best.blocks, best.threads, seconds_text(a.median()),
                    reproduction::number_text(reference / a.median())));
  for (const auto& [name, cell] : {std::pair("g2", &a), std::pair("g5", &b)}) {
    if (!cell->reason.empty()) notes.push_back(fmt::format("{}: {}", name, cell->reason));
    if (const std::string text = reproduction::median_text(*cell); !text.empty())
      notes.push_back(
          fmt::format("{}: {} s, the median and the interval that holds it with 95 %", name, text));
  }
  notes.push_back(
      "g2: the source's kernel with the best grid of figure 2, and one thread that substitutes; g5: tiles, "
      "the "
      "grid that the device was asked for, and the host that substitutes, as in the source. The whole call.");
  if (n != source_n) notes.push_back(fmt::format("n = {}: the largest whose runs fit into the time here", n));
  add_notes(record, grid_stride, sequential, n);
  record["figures"] = json::array();
  return record;
}

}  // namespace gauss::test
