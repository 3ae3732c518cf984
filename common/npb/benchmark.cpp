#include "common/npb/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "common/base/text/step_name.hpp"
#include "common/judge/each_step.hpp"
#include "common/judge/reproduction.hpp"

namespace ladder::npb {
namespace {

using nlohmann::json;

constexpr int runs_of_a_block = 3;  // the best counts, after one to warm up

Launch launch_for(const PlannedStep& step, bool traced) {
  Launch launch = launch_of(step, row_of(plan().table, step).data, traced);
  launch.timed = true;
  return launch;
}

/// Whether the device's clock says how long kernels take. The recorder makes the calls themselves longer, so
/// their times come from a session without it.
bool has_recorder(const PlannedStep& step) {
  return step.backend == "cuda" && !plan().recorder_of(step.backend).empty();
}

/// Null for a size that is not a class.
const Class* class_of(const Benchmark& benchmark, int size) {
  const auto found = std::ranges::find(benchmark.classes, size, &Class::size);
  return found == benchmark.classes.end() ? nullptr : &*found;
}

json block_of(const Benchmark& benchmark, const std::string& step, const std::string& device, int size,
              const Run& best) {
  json lines = json::array();
  const auto line = [&](const char* name, const std::string& value) {
    lines.push_back(fmt::format(" {:<16}= {:>24}", name, value));
  };
  lines.push_back(fmt::format(" {} Benchmark Results:", benchmark.name));
  for (const std::string& result : best.results) lines.push_back(result);
  lines.push_back("");
  lines.push_back(fmt::format(" {} Benchmark Completed.", benchmark.name));
  line("Class", class_name(benchmark, size));
  line("Size", benchmark.size_text(size));
  line("Iterations", std::to_string(benchmark.iterations(size)));
  line("Time in seconds", fmt::format("{:.6f}", best.seconds));
  line("Mop/s total", fmt::format("{:.2f}", benchmark.mops(size, best.seconds)));
  line("Operation type", benchmark.operation_type);
  line("Verification", best.wrong.empty() ? "SUCCESSFUL" : "UNSUCCESSFUL");
  if (best.kernel_seconds > 0) {
    line("Kernels only", fmt::format("{:.6f}", best.kernel_seconds));
    line("Mop/s, kernels", fmt::format("{:.2f}", benchmark.mops(size, best.kernel_seconds)));
  }
  line("Rung", step);
  line("Device", device);
  json record = reproduction::record(plan().lesson, fmt::format("NPB {}, {}", benchmark.name, step), {});
  record["block"] = lines;
  return record;
}

}  // namespace

double kernel_seconds(const Outcome& outcome) {
  double sum = 0;
  if (outcome.trace)
    for (const auto& event : outcome.trace->events)
      if (event.kind == LADDER_KERNEL && event.end > event.begin)
        sum += static_cast<double>(event.end - event.begin) / 1e9;
  return sum;
}

std::string class_name(const Benchmark& benchmark, int size) {
  if (const Class* one = class_of(benchmark, size)) return one->name;
  return benchmark.in_powers_of_two ? fmt::format("2^{}", size) : benchmark.size_text(size);
}

void publish_blocks(const Benchmark& benchmark) {
  detail::for_each_step(
      plan().table, TestKind::npb, [&](const PlannedStep& step, const Step& row, TestReport& report) {
        const int size = plan().size > 0 ? plan().size : benchmark.classes.front().size;
        const auto start = [&](bool traced) {
          auto session = std::make_unique<Session>(launch_for(step, traced));
          // Makes contexts, and is not counted.
          benchmark.run(*session, std::min(size, benchmark.warm_up), &row);
          return session;
        };
        auto session = start(false);
        Run best;
        for (int run = 0; run < runs_of_a_block; ++run) {
          report.progress("class " + class_name(benchmark, size), run, runs_of_a_block);
          const Run now = benchmark.run(*session, size, &row);
          if (run == 0 || now.seconds < best.seconds || !now.wrong.empty()) best = now;
          if (!now.wrong.empty()) break;
        }
        const std::string device = session->device();
        session.reset();  // a large class may fill the device's memory: there is none for two at a time
        if (has_recorder(step)) best.kernel_seconds = benchmark.run(*start(true), size, &row).kernel_seconds;
        reproduction::publish(block_of(benchmark, step.step, device, size, best));
        if (!best.wrong.empty()) report.set(Verdict::wrong, best.wrong);
      });
}

// ---- all classes

namespace {

constexpr int runs_of_the_source = 40, runs_of_kernels = 3;

/// A program at each class: the whole call, and its kernels.
struct Program {
  std::string name, part;
  const Step* row = nullptr;                                   ///< of a rung
  std::string device{};                                        ///< as its worker names it
  std::unique_ptr<reproduction::Runner> runner{}, recorded{};  ///< recorded: null where nothing records
  int largest = std::numeric_limits<int>::max();               ///< size up to which it runs
  std::vector<reproduction::Cell> cells{};                     ///< of the first sizes
  std::vector<double> kernel{};                                ///< shortest, seconds; 0: not known
};

class Speedups {
 public:
  explicit Speedups(const Benchmark& benchmark)
      : benchmark_(benchmark), on_gpu_(std::any_of(plan().steps.begin(), plan().steps.end(), runs_on_gpu)) {}

  void measure() {
    const Peer* baseline = reproduction::peer(plan().peers, "baseline", {"cpu"});
    if (!baseline) throw Failure{Verdict::not_run, "the baseline is not built", {}};
    add("baseline", "baseline", launch_of(*baseline, Data::host));
    const PlannedStep* last = nullptr;
    for (const PlannedStep& step : plan().steps) {
      const Step& row = row_of(plan().table, step);
      if (!step.skip.empty() || row.data == Data::distributed)
        continue;  // which only several devices make faster
      const bool is_source = is_of_source() && step.step.starts_with(benchmark_.source_rung);
      add(step.step, is_source ? "source" : "rung", launch_for(step, false), &row);
      if (has_recorder(step)) programs_.back().recorded = runner(launch_for(step, true), &row);
      if (step.backend == "executor") programs_.back().largest = benchmark_.largest_on_executor;
      last = &step;
    }
    if (!last) throw Failure{Verdict::not_run, "no rung runs here", {}};
    const Peer* library = reproduction::peer(plan().peers, benchmark_.gpu_library, {"cuda"});
    if (library && on_gpu_) add(benchmark_.library_label, "library", launch_of(*library, Data::resident));
    const std::vector<int> all = sizes();
    for (const int size : all) {
      sizes_.push_back(size);
      for (std::size_t i = 0; i < programs_.size(); ++i) {
        if (size > std::max(programs_[i].largest, plan().size)) continue;
        reproduction::progress(*last, fmt::format("{}: {}", heading(size), programs_[i].name),
                               double(sizes_.size() - 1) + double(i) / double(programs_.size()),
                               double(all.size()));
        measure(programs_[i], size);
      }
      reproduction::publish(record());
    }
  }

  std::string title() const {
    return fmt::format("{} of {} over the sequential program",
                       is_of_source() ? "Figure 1 of work E: speedup" : "Speedup", benchmark_.name);
  }

 private:
  bool is_of_source() const { return !benchmark_.source_rung.empty(); }

  void add(const std::string& name, const std::string& part, const Launch& launch,
           const Step* row = nullptr) {
    programs_.push_back({.name = name, .part = part, .row = row});
    programs_.back().runner = runner(launch, row);
  }

  std::unique_ptr<reproduction::Runner> runner(const Launch& launch, const Step* row) const {
    return std::make_unique<reproduction::Runner>(launch, [this, row](Session& session) {
      return benchmark_.run(session, benchmark_.warm_up, row).seconds;
    });
  }

  /// Classes up to the one that the plan allows; a small size before them where the executor replaces a GPU.
  std::vector<int> sizes() const {
    const int usual = on_gpu_ ? benchmark_.largest_on_gpu : benchmark_.largest_on_processor;
    const int largest = plan().size > 0 ? plan().size : usual;
    std::vector<int> all;
    if (!on_gpu_ && benchmark_.largest_on_executor < std::min(largest, benchmark_.classes.front().size))
      all.push_back(benchmark_.largest_on_executor);
    for (const Class& one : benchmark_.classes)
      if (one.size <= largest) all.push_back(one.size);
    if (largest < benchmark_.classes.front().size) all = {largest};
    return all;
  }

  std::string heading(int size) const {
    return (class_of(benchmark_, size) ? "class " : "") + class_name(benchmark_, size);
  }

  void measure(Program& program, int size) {
    double kernel = 0;
    const auto call = [&](Session& session) {
      const Run run = benchmark_.run(session, size, program.row);
      if (!run.wrong.empty())
        throw Failure{Verdict::wrong, fmt::format("{}: {}", heading(size), run.wrong), {}};
      if (run.kernel_seconds > 0)
        kernel = kernel > 0 ? std::min(kernel, run.kernel_seconds) : run.kernel_seconds;
      return run.seconds;
    };
    const double work = benchmark_.work(size);
    // A library's first call of a size makes its plan, which NPB does not time.
    program.cells.push_back(program.runner->measure({.runs = runs_of_the_source,
                                                     .budget = plan().cell_seconds,
                                                     .work = work,
                                                     .warm_up = program.part == "library"},
                                                    call));
    if (program.recorded && program.cells.back().measured())
      program.recorded->measure({.runs = runs_of_kernels, .budget = plan().cell_seconds, .work = work}, call);
    program.kernel.push_back(kernel);
    program.device = program.runner->device();
  }

  /// 0: not known.
  double speedup(const Program& program, std::size_t at) const {
    if (at >= program.cells.size() || !(program.cells[at].mean() > 0)) return 0;
    return programs_[0].cells[at].mean() / program.cells[at].mean();
  }

  /// "38 %" of the memory's rate; empty: not known.
  std::string share_of_limit(int size, double kernels) const {
    const auto ceilings = plan().ceilings.find("cuda");
    if (kernels <= 0 || ceilings == plan().ceilings.end() || ceilings->second.memory <= 0) return "";
    if (!benchmark_.least_bytes) return "";
    return fmt::format("{:.0f} %", 100 * benchmark_.least_bytes(size) / ceilings->second.memory / kernels);
  }

  /// How many times as long NPB-GPU took on this card; empty: not known.
  std::string npb_gpu_over(int size, double kernels, const std::string& device) const {
    if (kernels <= 0) return "";
    for (const OtherTime& other : benchmark_.npb_gpu)
      if (other.class_name == class_name(benchmark_, size) && device.find(other.card) != std::string::npos)
        return reproduction::number_text(other.seconds / kernels);
    return "";
  }

  json record() const {
    json record = reproduction::record(plan().lesson, title(),
                                       {"class", "program", "mean, s", "median, s", "kernels, s", "Mop/s",
                                        "speedup", "of its limit", "NPB-GPU over it", "drawn"});
    double most = 0;
    for (std::size_t at = 0; at < sizes_.size(); ++at)
      for (const Program& program : programs_) most = std::max(most, speedup(program, at));
    for (std::size_t at = 0; at < sizes_.size(); ++at)
      for (const Program& program : programs_) {
        if (at >= program.cells.size()) continue;
        const reproduction::Cell& cell = program.cells[at];
        const double times = speedup(program, at);
        record["rows"].push_back(
            {class_name(benchmark_, sizes_[at]), program.name, reproduction::mean_text(cell),
             reproduction::median_text(cell),
             program.kernel[at] > 0 ? fmt::format("{:.6f}", program.kernel[at]) : "",
             times > 0 ? reproduction::number_text(benchmark_.mops(sizes_[at], cell.mean())) : "",
             times > 0 ? reproduction::number_text(times) : "–",
             share_of_limit(sizes_[at], program.kernel[at]),
             npb_gpu_over(sizes_[at], program.kernel[at], program.device), reproduction::bar(times, most)});
        if (!cell.reason.empty())
          record["notes"].push_back(
              fmt::format("{}, {}: {}", heading(sizes_[at]), program.name, cell.reason));
      }
    json& notes = record["notes"];
    notes.push_back(
        fmt::format("speedup: mean time of the sequential program over mean time{}, of up to {} runs; every "
                    "result verified",
                    is_of_source() ? "; as in the source" : "", runs_of_the_source));
    if (!benchmark_.source_note.empty()) notes.push_back(benchmark_.source_note);
    if (on_gpu_ && benchmark_.least_bytes)
      notes.push_back(
          "limit: the bytes that a class must move, at the memory bandwidth that doctor measured");
    if (on_gpu_ && !benchmark_.npb_gpu.empty())
      notes.push_back(
          "NPB-GPU (GMAP, commit dc70cf19): measured apart on the same card, not in this session");
    if (!on_gpu_)
      notes.push_back(fmt::format(
          "the executor runs CUDA on the processor: its times say nothing about a GPU, and end at {}",
          class_name(benchmark_, benchmark_.largest_on_executor)));
    if (!on_gpu_ && !benchmark_.library_label.empty())
      notes.push_back(benchmark_.library_label + " needs a GPU and did not run");
    record["figures"] = json::array({figure(most)});
    return record;
  }

  /// The source's figure: for each class one bar per program.
  json figure(double most) const {
    json groups = json::array();
    for (std::size_t at = 0; at < sizes_.size(); ++at) {
      json bars = json::array();
      for (const Program& program : programs_) {
        const double times = speedup(program, at);
        if (times <= 0) continue;
        const double mean = program.cells[at].mean(), error = program.cells[at].standard_error();
        json value = {times};
        if (error > 0 && 2 * error < mean)
          value.push_back(times * mean / (mean + 2 * error)),
              value.push_back(times * mean / (mean - 2 * error));
        bars.push_back({{"label", id_of(program.name)}, {"part", program.part}, {"value", value}});
      }
      groups.push_back({{"heading", heading(sizes_[at])}, {"bars", bars}});
    }
    const std::string found = most > 0 ? fmt::format("{}: up to {} times the sequential program",
                                                     benchmark_.name, reproduction::number_text(most))
                                       : "not measured";
    return {{"kind", "bars"},
            {"name", "speedup"},
            {"title", found},
            {"alternative", found + ". Speedup over the sequential program for each class and rung; "
                                    "the table has the numbers."},
            {"unit", "speedup; thin lines: twice the standard error of the mean"},
            {"groups", groups}};
  }

  const Benchmark& benchmark_;
  bool on_gpu_;
  std::vector<Program> programs_;
  std::vector<int> sizes_;
};

}  // namespace

void reproduce_speedups(const Benchmark& benchmark) {
  Speedups speedups(benchmark);
  reproduction::reproduce(plan().lesson, speedups.title(), [&] {
    if (reproduction::wanted(speedups.title())) speedups.measure();
  });
}

}  // namespace ladder::npb
