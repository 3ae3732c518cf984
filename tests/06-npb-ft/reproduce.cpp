/// @file
/// Figure 1 of work E on this machine: speedup over the sequential program, the mean of 40 runs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "causes.hpp"
#include "common/judge/catch.hpp"
#include "common/judge/reproduction.hpp"
#include "problems.hpp"
#include "timing.hpp"

namespace {

using namespace npb_ft;
using ladder::Failure;
using ladder::PlannedStep;
using nlohmann::json;
namespace reproduction = ladder::reproduction;
using reproduction::Cell;
using reproduction::Runner;

constexpr int runs_of_the_source = 40;
constexpr int smallest_class = 18;
constexpr const char* title = "Figure 1 of work E: speedup of FT over the sequential program";

/// A program at each class: the whole call, and its kernels.
struct Program {
  std::string name;
  std::optional<Runner> runner;
  std::vector<Cell> cells{};
  std::vector<double> kernel{};  ///< shortest, seconds; 0: not known
};

/// Points times transforms: what the time of a call grows with.
double work_of(int M) {
  const Problem p = test::shape(test::sized(M));
  return double(p.points()) * (1 + p.iterations);
}

Cell measure(Program& program, int M, int runs) {
  double kernel = 0;
  const auto call = [&](ladder::Session& session) {
    const test::Timed timed = test::run_official(session, M);
    if (!timed.wrong.empty())
      throw Failure{
          ladder::Verdict::wrong, fmt::format("class {}: {}", test::class_name(M), timed.wrong), {}};
    if (timed.kernel_seconds > 0)
      kernel = kernel > 0 ? std::min(kernel, timed.kernel_seconds) : timed.kernel_seconds;
    return timed.seconds;
  };
  const reproduction::Runner::Ask ask{
      .runs = runs, .budget = ladder::plan().cell_seconds, .work = work_of(M)};
  Cell cell = program.runner->measure(ask, call);
  program.cells.push_back(cell), program.kernel.push_back(kernel);
  return cell;
}

double warm_up(ladder::Session& session) {
  return test::run_official(session, 9).seconds;
}

bool on_gpu() {
  return std::any_of(ladder::plan().steps.begin(), ladder::plan().steps.end(),
                     [](const PlannedStep& step) { return step.backend == "cuda"; });
}

/// Classes up to the one that the plan allows; the smallest where the executor stands for a GPU.
std::vector<int> sizes() {
  const int largest = ladder::plan().size > 0 ? ladder::plan().size : on_gpu() ? 27 : smallest_class;
  if (largest < smallest_class) return {largest};
  std::vector<int> all;
  for (const OfficialClass& official : official_classes)
    if (official.size <= largest) all.push_back(official.size);
  return all;
}

std::string bar(double speedup, double most) {
  std::string text;
  for (int b = 0; most > 0 && b < std::lround(24 * speedup / most); ++b) text += "█";
  return text;
}

const char* part_of(const Program& program) {
  if (program.name == "baseline") return "baseline";
  if (program.name == "cuFFT") return "library";
  return program.name.starts_with("g4") ? "source" : "rung";
}

/// The source's figure: for each class a bar a program.
json groups(const std::vector<int>& done, const std::deque<Program>& programs) {
  json all = json::array();
  for (std::size_t c = 0; c < done.size(); ++c) {
    json bars = json::array();
    for (const Program& program : programs) {
      if (c >= program.cells.size() || !(program.cells[c].mean() > 0)) continue;
      const double sequential = programs[0].cells[c].mean();
      const double mean = program.cells[c].mean(), error = program.cells[c].standard_error();
      json value = {sequential / mean};
      if (error > 0 && 2 * error < mean)
        value.push_back(sequential / (mean + 2 * error)), value.push_back(sequential / (mean - 2 * error));
      bars.push_back({{"label", program.name.substr(0, program.name.find('_'))},
                      {"part", part_of(program)},
                      {"value", value}});
    }
    all.push_back({{"heading", "class " + test::class_name(done[c])}, {"bars", bars}});
  }
  return all;
}

json table(const std::vector<int>& done, const std::deque<Program>& programs) {
  json record = reproduction::record(
      lesson.name, title,
      {"class", "program", "mean, s", "median, s", "kernel, s", "Mop/s", "speedup", "drawn"});
  double most = 0;
  for (std::size_t c = 0; c < done.size(); ++c)
    for (const Program& program : programs)
      if (c < program.cells.size() && program.cells[c].mean() > 0)
        most = std::max(most, programs[0].cells[c].mean() / program.cells[c].mean());
  for (std::size_t c = 0; c < done.size(); ++c)
    for (const Program& program : programs) {
      if (c >= program.cells.size()) continue;
      const Cell& cell = program.cells[c];
      const double speedup = cell.mean() > 0 ? programs[0].cells[c].mean() / cell.mean() : 0;
      record["rows"].push_back(
          {test::class_name(done[c]), program.name, reproduction::mean_text(cell),
           reproduction::median_text(cell),
           program.kernel[c] > 0 ? fmt::format("{:.6f}", program.kernel[c]) : "",
           cell.mean() > 0 ? fmt::format("{:.4g}", test::mops(test::shape(test::sized(done[c])), cell.mean()))
                           : "",
           speedup > 0 ? fmt::format("{:.3g}", speedup) : "–", bar(speedup, most)});
      if (!cell.reason.empty())
        record["notes"].push_back(
            fmt::format("class {}, {}: {}", test::class_name(done[c]), program.name, cell.reason));
    }
  record["notes"].push_back(
      "speedup: mean time of the sequential program over mean time; as in the source, of up to 40 runs; "
      "every result verified");
  record["notes"].push_back(
      "the source, on two Xeon E5-2620 and a Titan X of 3072 cores: FT over twice as fast as the best of the "
      "versions that it compares");
  if (!on_gpu())
    record["notes"].push_back(
        "the executor runs CUDA on the processor: its times say nothing about a GPU; cuFFT needs one and did "
        "not run");
  const std::string found =
      most > 0 ? fmt::format("FT: up to {:.3g} times the sequential program", most) : "not measured";
  record["figures"] = {
      {{"kind", "bars"},
       {"name", "speedup"},
       {"title", found},
       {"alternative", found + ". Speedup over the sequential program for each class and rung; "
                               "the table has the numbers."},
       {"unit", "speedup; thin lines: twice the standard error of the mean"},
       {"groups", groups(done, programs)}}};
  return record;
}

void reproduce() {
  const ladder::Peer* baseline = reproduction::peer(ladder::plan().peers, "baseline", {"cpu"});
  if (!baseline) throw Failure{ladder::Verdict::not_run, "the baseline is not built", {}};
  std::deque<Program> programs(1);
  programs[0].name = "baseline";
  programs[0].runner.emplace(ladder::launch_of(*baseline, ladder::Data::host), warm_up);
  const PlannedStep* last = nullptr;
  for (const PlannedStep& step : ladder::plan().steps) {
    if (!step.skip.empty()) continue;
    Program& program = programs.emplace_back();
    program.name = step.step;
    program.runner.emplace(test::timed_launch(step), warm_up);
    last = &step;
  }
  if (!last) throw Failure{ladder::Verdict::not_run, "no step runs here", {}};
  if (const ladder::Peer* cufft = reproduction::peer(ladder::plan().peers, "cufft", {"cuda"});
      cufft && on_gpu()) {
    programs.emplace_back().name = "cuFFT";
    programs.back().runner.emplace(ladder::launch_of(*cufft, ladder::Data::resident), warm_up);
  }
  std::vector<int> done;
  const std::vector<int> all = sizes();
  for (const int M : all) {
    done.push_back(M);
    for (std::size_t i = 0; i < programs.size(); ++i) {
      reproduction::progress(*last, fmt::format("class {}: {}", test::class_name(M), programs[i].name),
                             double(done.size() - 1) + double(i) / double(programs.size()),
                             double(all.size()));
      measure(programs[i], M, runs_of_the_source);
    }
    reproduction::publish(table(done, programs));
  }
  reproduction::publish(test::causes(std::min(all.front(), smallest_class)));
}

}  // namespace

TEST_CASE("reproduce") {
  if (!ladder::plan().wants("reproduce")) return;
  try {
    reproduce();
  } catch (const Failure& failure) {
    reproduction::publish(reproduction::without_table(
        lesson.name, title, fmt::format("{}: {}", name(failure.verdict), failure.message)));
    FAIL(name(failure.verdict) << ": " << failure.message);
  }
}
