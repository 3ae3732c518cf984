/// @file
/// Tables 2 and 3 of work A on this machine: algorithm 2 (g1) against algorithm 3 (g3), theirs beside ours.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>

#include "common/judge/catch.hpp"
#include "common/judge/session.hpp"
#include "common/judge/sheet.hpp"
#include "problems.hpp"
#include "source_tables.hpp"
#include "verify.hpp"

namespace {

using namespace lu;
using ladder::Failure;
using ladder::PlannedStep;
using nlohmann::json;

constexpr int runs_of_the_source = 10;

/// A time of ours: measured, extrapolated, or missing with a reason.
struct Cell {
  std::vector<double> seconds;  ///< one a run
  double extrapolated = 0;      ///< where none was measured
  std::string reason;           ///< why fewer than ten runs, or none

  bool measured() const { return !seconds.empty(); }
  double mean() const {
    if (!measured()) return extrapolated;
    return std::accumulate(seconds.begin(), seconds.end(), 0.0) / double(seconds.size());
  }
};

/// A step under test, kept alive from size to size.
class Runner {
 public:
  explicit Runner(const PlannedStep& step) : step_(step) { restart(); }

  /// Up to ten runs, each with fresh numbers and a verified result; fewer when the time for a cell is over.
  Cell measure(int n) {
    Cell cell;
    const double budget = ladder::plan().cell_seconds;
    // Both algorithms move O(n^3) bytes: eight times as much for twice the order.
    const double expected = last_n_ > 0 ? last_ * std::pow(double(n) / last_n_, 3) : 0;
    if (expected > budget)
      return unmeasured(n, expected, fmt::format("one run would be over {:g} s", budget));
    double spent = 0;
    try {
      while (int(cell.seconds.size()) < runs_of_the_source &&
             (cell.seconds.empty() || spent + cell.seconds.back() < budget)) {
        cell.seconds.push_back(run(n));
        spent += cell.seconds.back();
      }
    } catch (const Failure& failure) {
      if (failure.verdict != ladder::Verdict::timeout) throw;
      restart();  // the judge ended the worker
      return unmeasured(n, expected, failure.message);
    }
    if (int(cell.seconds.size()) < runs_of_the_source)
      cell.reason = fmt::format("{} of {} runs in {:g} s", cell.seconds.size(), runs_of_the_source, budget);
    last_ = cell.mean();
    last_n_ = n;
    return cell;
  }

  const std::string& device() const { return session_->device(); }

 private:
  void restart() {
    session_.emplace(ladder::launch_of(step_, ladder::Data::host));
    run(16);  // builds the kernels
  }

  double run(int n) {
    Problem shape;
    shape.n = n;
    ladder::Instance<Problem> instance(shape);
    ladder::Random random(ladder::plan().seed + ++count_);
    test::fill({"general", n}, random, instance->A);
    const double seconds = session_->call(instance).seconds;
    const std::string wrong = test::compare_quickly(instance.given(), instance.got(), random);
    if (!wrong.empty()) throw Failure{ladder::Verdict::wrong, fmt::format("n = {}: {}", n, wrong), {}};
    return seconds;
  }

  Cell unmeasured(int n, double expected, const std::string& why) {
    Cell cell;
    cell.extrapolated = expected;
    cell.reason = why;
    last_ = expected;
    last_n_ = n;
    return cell;
  }

  const PlannedStep& step_;
  std::optional<ladder::Session> session_;
  double last_ = 0;
  int last_n_ = 0;
  std::uint64_t count_ = 0;
};

const PlannedStep* planned(const std::string& step) {
  for (const PlannedStep& one : ladder::plan().steps)
    if (one.step == step && one.skip.empty()) return &one;
  return nullptr;
}

std::string mean_text(const Cell& cell) {
  if (cell.measured()) return fmt::format("{:.4f}", cell.mean());
  return cell.extrapolated > 0 ? fmt::format("(about {:.2g}, not measured)", cell.extrapolated)
                               : "not measured";
}

std::string median_text(const Cell& cell) {
  if (cell.seconds.size() < 3) return "";
  const ladder::Interval interval = ladder::median_interval(cell.seconds);
  return fmt::format("{:.4f} ({:.4f} to {:.4f})", interval.median, interval.low, interval.high);
}

std::string gain_text(const Cell& naive, const Cell& reduced) {
  if (!naive.measured() || !reduced.measured()) return "";
  return fmt::format("{:.2f}%", 100 * (1 - reduced.mean() / naive.mean()));
}

bool on_gpu() {
  return ladder::plan().environment.count("LADDER_OPENCL_GPU") > 0;
}

/// The rows of the source that are reproduced: up to n = 1024 unless the plan states a size.
std::span<const test::SourceRow> rows() {
  const std::span<const test::SourceRow> all =
      on_gpu() ? std::span(test::source_gpu) : std::span(test::source_cpu);
  const int largest = ladder::plan().size > 0 ? ladder::plan().size : 1024;
  return all.first(
      std::size_t(std::count_if(all.begin(), all.end(), [&](const auto& row) { return row.n <= largest; })));
}

void progress(const PlannedStep& step, int n, std::size_t done, std::size_t of) {
  ladder::append_record(json{
      {"record", "progress"},
      {"step", step.step},
      {"tree", step.tree},
      {"mutant", ""},
      {"backend", step.backend},
      {"kind", "reproduce"},
      {"text", fmt::format("n = {}", n)},
      {"done", done},
      {"of", of}}.dump());
}

json reproduce(const PlannedStep& naive_step, const PlannedStep& reduced_step) {
  Runner naive(naive_step), reduced(reduced_step);
  json table = json::array(), notes = json::array();
  std::vector<std::string> gains;
  for (const test::SourceRow& row : rows()) {
    progress(naive_step, row.n, table.size() * 2, rows().size() * 2);
    const Cell a = naive.measure(row.n);
    progress(reduced_step, row.n, table.size() * 2 + 1, rows().size() * 2);
    const Cell b = reduced.measure(row.n);
    table.push_back({std::to_string(row.n), fmt::format("{:.4f}", row.naive),
                     fmt::format("{:.4f}", row.reduced), row.gain, mean_text(a), mean_text(b),
                     gain_text(a, b), median_text(a), median_text(b)});
    for (const auto& [name, cell] : {std::pair("naive", &a), std::pair("reduced", &b)})
      if (!cell->reason.empty()) notes.push_back(fmt::format("n = {}, {}: {}", row.n, name, cell->reason));
    if (a.measured() && b.measured()) gains = {row.gain, gain_text(a, b), std::to_string(row.n)};
  }
  if (!gains.empty())
    notes.push_back(fmt::format("At n = {} reduced transfers save {} here and {} in the source.", gains[2],
                                gains[1], gains[0]));
  notes.push_back(on_gpu()
                      ? "theirs: Radeon with the Barts Pro chip, 1 GB, PCIe 2.0, Windows 7; mean of 10 runs"
                      : "theirs: OpenCL on a Core i5-760, 4 GB DDR3, Windows 7; mean of 10 runs");
  notes.push_back(
      "ours: " + naive.device() +
      "; mean of up to 10 runs as in the source, then the median and the interval that holds it with 95 %; "
      "from a ready matrix to L, U and pivots, with partial pivoting");
  const std::string title = on_gpu() ? "Table 3 of work A: LU with OpenCL on a GPU, seconds"
                                     : "Table 2 of work A: LU with OpenCL on a CPU, seconds";
  return {{"record", "reproduction"},
          {"lesson", lesson.name},
          {"title", title},
          {"columns",
           {"n", "theirs, naive", "theirs, reduced", "gain", "ours, naive", "ours, reduced", "gain",
            "naive, median", "reduced, median"}},
          {"rows", table},
          {"notes", notes},
          {"device", naive.device()}};
}

/// The record when there is nothing to show: the reason as a note.
json without_table(const std::string& reason) {
  return {{"record", "reproduction"}, {"lesson", lesson.name}, {"title", "Tables 2 and 3 of work A"},
          {"columns", json::array()}, {"rows", json::array()}, {"notes", json::array({reason})}};
}

}  // namespace

TEST_CASE("reproduce") {
  if (!ladder::plan().wants("reproduce")) return;
  const PlannedStep* naive = planned("g1_naive");
  const PlannedStep* reduced = planned("g3_reduced_transfers");
  if (!naive || !reduced) {
    ladder::append_record(without_table("g1_naive and g3_reduced_transfers do not run here").dump());
    return;
  }
  try {
    ladder::append_record(reproduce(*naive, *reduced).dump());
  } catch (const Failure& failure) {
    ladder::append_record(
        without_table(fmt::format("{}: {}", name(failure.verdict), failure.message)).dump());
    FAIL(name(failure.verdict) << ": " << failure.message);
  }
}
