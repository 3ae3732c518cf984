#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/clock.hpp"
#include "verify.hpp"

namespace gauss::test {
namespace {

using ladder::Failure;
using ladder::Instance;
using ladder::Outcome;
using ladder::Session;
using ladder::Stopwatch;
using ladder::Verdict;
using ladder::reproduction::Cell;
using ladder::reproduction::Runner;

constexpr const char* kernel = "eliminate";

std::unique_ptr<Instance<Problem>> system_of(int n) {
  const Case c{"general", n};
  auto instance = std::make_unique<Instance<Problem>>(gauss::test::shape(c));
  ladder::Random random(ladder::plan().seed + static_cast<std::uint64_t>(n));
  fill(c, random, instance->given());
  return instance;
}

Outcome checked(Session& session, Instance<Problem>& instance) {
  const Outcome outcome = session.call(instance);
  const std::string wrong = compare_quickly(instance.given(), instance.got());
  if (!wrong.empty()) throw Failure{Verdict::wrong, fmt::format("n = {}: {}", instance.given().n, wrong), {}};
  return outcome;
}

double call_once(Session& session) {
  const auto instance = system_of(16);
  return checked(session, *instance).seconds;
}

bool can_trace(const ladder::PlannedStep& step) {
  return step.backend == "cuda" && !ladder::plan().recorder_of(step.backend).empty();
}

double threads_of(Grid grid) {
  return double(grid.blocks) * grid.threads;
}

/// At most so long: fewer threads are at worst slower in proportion.
double expected(const std::vector<Measured>& all, Grid grid) {
  double least = 0;
  for (const Measured& m : all) {
    if (!m.cell.measured()) continue;
    const double time = m.cell.median() * std::max(1.0, threads_of(m.grid) / threads_of(grid));
    least = least > 0 ? std::min(least, time) : time;
  }
  return least;
}

}  // namespace

Lab::Lab(const ladder::PlannedStep& step, bool kernels_only)
    : step_(step),
      kernels_only_(kernels_only && can_trace(step)),
      runner_(ladder::launch_of(step, ladder::Data::resident, kernels_only_), call_once) {}

void Lab::prepare(int n) {
  if (!instance_ || instance_->given().n != n) {
    instance_.reset();  // before the next one: two of order 7500 need not be there at once
    instance_ = system_of(n);
  }
}

double Lab::seconds_of(const Outcome& outcome) {
  if (!outcome.trace) return outcome.seconds;
  double nanoseconds = 0;
  for (const auto& event : outcome.trace->events) {
    if (event.kind != LADDER_KERNEL || event.name.find(kernel) == std::string::npos) continue;
    nanoseconds += event.end > event.begin ? double(event.end - event.begin) : 0;
    shape_.shared_bytes = event.shared_bytes;
    if (event.registers > 0) shape_.registers = event.registers;
  }
  return nanoseconds > 0 ? nanoseconds / 1e9 : outcome.seconds;
}

Cell Lab::measure(int n, Grid grid, int runs, double budget) {
  prepare(n);
  instance_->change([&](Problem& p) { p.blocks = grid.blocks, p.threads = grid.threads; });
  return runner_.measure({.runs = runs, .budget = budget, .work = std::pow(double(n), 3)},
                         [&](Session& session) { return seconds_of(checked(session, *instance_)); });
}

int Lab::largest(double seconds, const std::vector<int>& sizes, Grid grid) {
  int chosen = sizes.front();
  double took = 0;
  for (const int n : sizes) {
    if (took * std::pow(double(n) / chosen, 2.5) > seconds) break;
    prepare(n);
    const Stopwatch watch;
    if (!measure(n, grid, 1, ladder::plan().limits.call_seconds).measured()) break;
    took = watch.seconds();
    if (took > seconds && n > sizes.front()) break;
    chosen = n;
  }
  return chosen;
}

bool Sequential::there() const {
  return ladder::reproduction::peer(ladder::plan().peers, "baseline", {"cpu"}) != nullptr;
}

double Sequential::seconds(int n) {
  if (n == measured_n_) return measured_;
  const auto scaled = [&](int to) { return measured_ * std::pow(double(to) / measured_n_, 3); };
  if (!runner_)
    runner_.emplace(
        launch_of(*ladder::reproduction::peer(ladder::plan().peers, "baseline", {"cpu"}), ladder::Data::host),
        call_once);
  for (int size = std::min(n, std::max(64, measured_n_)); size <= n;
       size = size < n ? std::min(n, 2 * size) : n + 1) {
    if (size <= measured_n_) continue;
    if (measured_n_ > 0 && scaled(size) > budget_) break;
    const auto instance = system_of(size);
    const Cell cell = runner_->measure({.runs = 3, .budget = budget_, .work = std::pow(double(size), 3)},
                                       [&](Session& session) { return checked(session, *instance).seconds; });
    if (!cell.measured()) break;
    measured_n_ = size, measured_ = cell.median();
  }
  if (measured_n_ == n) return measured_;
  if (measured_n_ == 0) return 0;
  extrapolated_ = extrapolated_ || n > measured_n_;
  return scaled(n);
}

std::string Sequential::note() const {
  if (measured_n_ == 0) return "";
  return fmt::format("ours, sequential: {:.3g} s at n = {}{}", measured_, measured_n_,
                     extrapolated_ ? ", beyond that by n³" : "");
}

void sweep(Lab& lab, int n, std::vector<Measured>& all, int runs, double seconds,
           const std::function<void()>& after_pass) {
  std::vector<Measured*> order;
  for (Measured& m : all) order.push_back(&m);
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return threads_of(a->grid) > threads_of(b->grid); });
  const double most = seconds / 6;
  const Stopwatch watch;
  for (int run = 0; run < runs && (run == 0 || watch.seconds() < seconds); ++run) {
    for (Measured* m : order) {
      if (run > 0 && !m->cell.measured()) continue;
      if (watch.seconds() > seconds) {
        if (run == 0) m->cell.reason = fmt::format("not reached in {:.3g} s", seconds);
        continue;
      }
      if (run == 0 && expected(all, m->grid) > most) {
        m->cell.reason = fmt::format("over {:.2g} s", most);
        continue;
      }
      Cell more = lab.measure(n, m->grid, 1, ladder::plan().limits.call_seconds);
      m->cell.seconds.insert(m->cell.seconds.end(), more.seconds.begin(), more.seconds.end());
      if (!more.measured()) m->cell.reason = more.reason;
    }
    after_pass();
  }
}

const Measured* fastest(const std::vector<Measured>& all) {
  const Measured* best = nullptr;
  for (const Measured& m : all)
    if (m.cell.measured() && (!best || m.cell.median() < best->cell.median())) best = &m;
  return best;
}

}  // namespace gauss::test
