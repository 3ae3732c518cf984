/// @file
/// Tables 2 and 3 of work A on this machine: algorithm 2 (g1) against algorithm 3 (g3), theirs next to ours.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/base/catch.hpp"
#include "common/judge/reproduction.hpp"
#include "problems.hpp"
#include "source_tables.hpp"
#include "verify.hpp"

namespace {

using namespace lu;
using ladder::Failure;
using ladder::PlannedStep;
using ladder::reproduction::Cell;
using ladder::reproduction::mean_text;
using ladder::reproduction::median_text;
using ladder::reproduction::Runner;
using nlohmann::json;
namespace reproduction = ladder::reproduction;

constexpr int runs_of_the_source = 10;

/// A run with fresh numbers and a verified result.
class Lab {
 public:
  explicit Lab(const PlannedStep& step)
      : runner_(ladder::launch_of(step, ladder::Data::host),
                [this](ladder::Session& session) { return run(session, 16); }) {}  // builds the kernels

  /// Up to ten runs; fewer when the time for a cell is over.
  Cell measure(int n) {
    // Both algorithms move O(n^3) bytes: eight times as much for twice the order.
    return runner_.measure(
        {.runs = runs_of_the_source, .budget = ladder::plan().cell_seconds, .work = std::pow(double(n), 3)},
        [&](ladder::Session& session) { return run(session, n); });
  }

  const std::string& device() const { return runner_.device(); }

 private:
  double run(ladder::Session& session, int n) {
    Problem shape;
    shape.n = n;
    ladder::Instance<Problem> instance(shape);
    ladder::Random random(ladder::plan().seed + ++count_);
    test::fill({"general", n}, random, instance->A);
    const double seconds = session.call(instance).seconds;
    const std::string wrong = test::compare_quickly(instance.given(), instance.got(), random);
    if (!wrong.empty()) throw Failure{ladder::Verdict::wrong, fmt::format("n = {}: {}", n, wrong), {}};
    return seconds;
  }

  std::uint64_t count_ = 0;  // before the runner, whose start runs once
  Runner runner_;
};

std::string gain_text(const Cell& naive, const Cell& reduced) {
  if (!naive.measured() || !reduced.measured()) return "";
  return fmt::format("{:.2f}%", 100 * (1 - reduced.mean() / naive.mean()));
}

bool on_gpu() {
  return ladder::plan().environment.count("LADDER_OPENCL_GPU") > 0;
}

/// The rows of the source that are reproduced: all, unless the plan states a largest size.
std::span<const test::SourceRow> rows() {
  const std::span<const test::SourceRow> all =
      on_gpu() ? std::span(test::source_gpu) : std::span(test::source_cpu);
  const int largest = ladder::plan().size > 0 ? ladder::plan().size : all.back().n;
  return all.first(
      std::size_t(std::count_if(all.begin(), all.end(), [&](const auto& row) { return row.n <= largest; })));
}

constexpr const char* columns[] = {"n",    "theirs, naive", "theirs, reduced",
                                   "gain", "ours, naive",   "ours, reduced",
                                   "gain", "naive, median", "reduced, median"};

void add_notes(json& record, const std::vector<std::string>& gains, const std::string& device) {
  json& notes = record["notes"];
  if (!gains.empty())
    notes.push_back(fmt::format("At n = {} reduced transfers save {} of the time here and {} in the source.",
                                gains[2], gains[1], gains[0]));
  notes.push_back(on_gpu()
                      ? "theirs: Radeon with the Barts Pro chip, 1 GB, PCIe 2.0, Windows 7; mean of 10 runs"
                      : "theirs: OpenCL on a Core i5-760, 4 GB DDR3, Windows 7; mean of 10 runs");
  notes.push_back(
      "ours: " + device +
      "; mean of up to 10 runs as in the source, then the median and the interval that holds it with 95 %; "
      "from a ready matrix to L, U and pivots, with partial pivoting");
}

/// The table, written again with each row: an interrupt keeps what was measured.
void reproduce(const PlannedStep& naive_step, const PlannedStep& reduced_step) {
  Lab naive(naive_step), reduced(reduced_step);
  json record = reproduction::record(ladder::plan().lesson,
                                     on_gpu() ? "Table 3 of work A: LU with OpenCL on a GPU, seconds"
                                              : "Table 2 of work A: LU with OpenCL on a CPU, seconds",
                                     {std::begin(columns), std::end(columns)});
  record["device"] = naive.device();
  std::vector<std::string> gains;
  double done = 0;
  for (const test::SourceRow& row : rows()) {
    const double of = 2.0 * double(rows().size());
    reproduction::progress(naive_step, fmt::format("n = {}", row.n), done++, of);
    const Cell a = naive.measure(row.n);
    reproduction::progress(reduced_step, fmt::format("n = {}", row.n), done++, of);
    const Cell b = reduced.measure(row.n);
    record["rows"].push_back({std::to_string(row.n), fmt::format("{:.4f}", row.naive),
                              fmt::format("{:.4f}", row.reduced), row.gain, mean_text(a), mean_text(b),
                              gain_text(a, b), median_text(a), median_text(b)});
    for (const auto& [name, cell] : {std::pair("naive", &a), std::pair("reduced", &b)})
      if (!cell->reason.empty())
        record["notes"].push_back(fmt::format("n = {}, {}: {}", row.n, name, cell->reason));
    if (a.measured() && b.measured()) gains = {row.gain, gain_text(a, b), std::to_string(row.n)};
    json so_far = record;
    add_notes(so_far, gains, naive.device());
    reproduction::publish(so_far);
  }
}

}  // namespace

TEST_CASE("reproduce") {
  constexpr const char* title = "Tables 2 and 3 of work A";
  reproduction::reproduce(ladder::plan().lesson, title, [] {
    const PlannedStep* naive = reproduction::planned("g1_naive");
    const PlannedStep* reduced = reproduction::planned("g3_reduced_transfers");
    if (naive && reduced)
      reproduce(*naive, *reduced);
    else
      reproduction::publish(reproduction::without_table(ladder::plan().lesson, title,
                                                        "g1_naive and g3_reduced_transfers do not run here"));
  });
}
