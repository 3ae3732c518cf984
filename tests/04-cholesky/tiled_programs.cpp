#include "tiled_programs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/judge/session/launch.hpp"
#include "verify.hpp"

namespace cholesky::test {

using ladder::Failure;
using ladder::reproduction::Runner;
namespace reproduction = ladder::reproduction;

Tiled::Tiled(std::shared_ptr<const Prepared> prepared)
    : prepared_(std::move(prepared)), instance_(shape_of(prepared_->structure)) {
  ladder::Random random(ladder::plan().seed);
  A_ = fill(*prepared_, false, -1, random, instance_.given());
}

Tiled::Tiled(int side, int s)
    : Tiled(prepare({"general", Pattern::circuit, side, s, blocks_for(side * side, s)})) {}

ladder::Outcome Tiled::checked(ladder::Session& session) {
  ladder::Outcome outcome = session.call(instance_);
  const Comparison found = compare_solution(prepared_->structure, A_, instance_.given(), instance_.got());
  if (!found.wrong.empty())
    throw Failure{ladder::Verdict::wrong, fmt::format("n = {}: {}", A_.n, found.wrong), {}};
  error_ = found.error;
  return outcome;
}

double Tiled::call(ladder::Session& session) {
  return checked(session).seconds;
}

ladder::Trace Tiled::trace(ladder::Session& session) {
  checked(session);  // what only a first call has to do would be seen
  return checked(session).trace.value_or(ladder::Trace{});
}

Lab::Lab() {
  for (const ladder::PlannedStep& step : ladder::plan().steps) {
    if (!step.skip.empty()) continue;
    reporter_ = &step;
    if (step.track() == 'g') backend_ = step.backend;
  }
}

std::unique_ptr<Runner> Lab::runner(const std::string& program, int threads) const {
  std::optional<ladder::Launch> launch;
  if (const auto* step = reproduction::planned(program))
    launch = ladder::launch_of(*step, ladder::Data::host);
  else if (const auto* peer = reproduction::peer(ladder::plan().peers, program, {"cpu"}))
    launch = ladder::launch_of(*peer, ladder::Data::host);
  else if (const auto* variant = reproduction::peer(ladder::plan().variants, program, {backend_}))
    launch = ladder::launch_of(*variant, ladder::Data::host);
  if (!launch) return nullptr;
  launch->environment["OMP_NUM_THREADS"] = std::to_string(threads);
  return std::make_unique<Runner>(*launch,
                                  [](ladder::Session& session) { return Tiled(8, 8).call(session); });
}

int Lab::side() const {
  if (ladder::plan().size > 0) return std::max(2, int(std::lround(std::sqrt(double(ladder::plan().size)))));
  return on_gpu() ? 387 : 100;
}

double Lab::budget() const {
  return ladder::plan().cell_seconds / 3;
}

double Lab::seconds(const std::string& program, int threads, Tiled& matrix, nlohmann::json& notes) const {
  return seconds(program, threads, matrix, notes, {.runs = 5, .budget = budget()}, false);
}

double Lab::seconds(const std::string& program, int threads, Tiled& matrix, nlohmann::json& notes,
                    const Runner::Ask& ask, bool warm_up) const {
  const std::string which = fmt::format("{}, {} thread{}, tiles of {}", program, threads,
                                        threads == 1 ? "" : "s", matrix.structure().s);
  try {
    const auto found = runner(program, threads);
    if (!found) return 0;
    const auto call = [&](ladder::Session& session) { return matrix.call(session); };
    reproduction::Cell cell;
    if (warm_up) cell = found->measure({.runs = 1, .budget = ask.budget}, call);
    if (!warm_up || cell.measured()) cell = found->measure(ask, call);
    if (cell.measured()) return cell.median();
    notes.push_back(which + ": " + cell.reason);
  } catch (const Failure& failure) {
    if (failure.verdict == ladder::Verdict::wrong) throw;
    notes.push_back(fmt::format("{}: {}: {}", which, name(failure.verdict), failure.message));
  }
  return 0;
}

std::optional<ladder::Trace> Lab::trace(const std::string& step, int threads, Tiled& matrix) const {
  const auto* planned = reproduction::planned(step);
  if (!planned) return {};
  try {
    ladder::Launch launch = ladder::launch_of(*planned, ladder::Data::host, true);
    launch.environment["OMP_NUM_THREADS"] = std::to_string(threads);
    ladder::Session session(launch);
    const ladder::Trace trace = matrix.trace(session);
    if (!trace.events.empty()) return trace;
  } catch (const Failure& failure) {
    if (failure.verdict == ladder::Verdict::wrong) throw;
  }
  return {};
}

}  // namespace cholesky::test
