#include "compared_products.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/trace/devices.hpp"
#include "verify.hpp"

namespace dgemm::test {
namespace {

using ladder::Data;
using ladder::Failure;
using ladder::Instance;
using ladder::Peer;
using ladder::PlannedStep;
using ladder::Session;
using ladder::reproduction::Cell;
using ladder::reproduction::Runner;
namespace reproduction = ladder::reproduction;

/// All versions and sizes together get the time of that many cells of a table.
constexpr double cells = 12;

/// A failure of a library is its own: the tables show it, and the others go on.
Cell cell_of(Version& version, const Runner::Ask& ask, const Runner::Call& call) {
  try {
    return version.runner->measure(ask, call);
  } catch (const Failure& failure) {
    if (version.part != "library") throw;
    return {.reason = fmt::format("{}: {}: {}", version.name, name(failure.verdict), failure.message)};
  }
}

}  // namespace

std::unique_ptr<Instance<Problem>> system_of(int n) {
  const Case c = square(n);
  auto instance = std::make_unique<Instance<Problem>>(shape(c));
  fill(c, ladder::Random(ladder::plan().seed + static_cast<std::uint64_t>(n)), instance->given());
  return instance;
}

double call_checked(Session& session, Instance<Problem>& instance) {
  const double seconds = session.call(instance).seconds;
  ladder::Random random(ladder::plan().seed);
  const std::string wrong = compare_quickly(instance.given(), instance.got().C, random);
  if (!wrong.empty())
    throw Failure{ladder::Verdict::wrong, fmt::format("n = {}: {}", instance.given().n, wrong), {}};
  return seconds;
}

Versions::Versions() {
  add_peer("sequential", "baseline", 1, "");
  add_step("OpenMP (c1)", "c1_openmp", "threads", ladder::team_size(), Data::host);
  add_step("MPI (m1)", "m1_mpi", "processes", 0, Data::host);
  add_step("CUDA basic (g1)", "g1_naive", "threads per block", 1024, Data::resident);
  add_variant("tiles of 8", "g2_shared_tiles~tile-8", "threads per block", 64);
  add_variant("tiles of 16", "g2_shared_tiles~tile-16", "threads per block", 256);
  add_step("tiles of 32 (g2)", "g2_shared_tiles", "threads per block", 1024, Data::resident);
  add_step("registers (g3)", "g3_register_tiles", "threads per block", 256, Data::resident);
  add_step("vector loads (g4)", "g4_vector_loads", "threads per block", 256, Data::resident);
  add_step("asynchronous (g5)", "g5_async_copies", "threads per block", 256, Data::resident);
  add_step("warp tiles (g6)", "g6_warp_tiles", "threads per block", 256, Data::resident);
  add_step("streams, copies too (g7)", "g7_streams", "threads per block", 256, Data::host);
  add_peer("OpenBLAS", "openblas", ladder::team_size(), "threads");
  add_peer(backend_ == "executor" ? "cuBLAS (executor)" : "cuBLAS", "cublas", 0, "");
  add_variant("cuBLAS, emulated", "cublas_emulated", "", 0);
}

void Versions::measure(const std::function<void()>& after) {
  const std::vector<int> sizes = sizes_to_run();
  if (versions_.empty()) throw Failure{ladder::Verdict::not_run, "no version runs here", {}};
  const double budget = cells * ladder::plan().cell_seconds / (2.0 * double(versions_.size()));
  double done = 0;
  for (const int n : sizes) {
    const auto system = system_of(n);
    for (Version& version : versions_) {
      if (reporter_)
        reproduction::progress(*reporter_, fmt::format("n = {}, {}", n, version.name), done,
                               double(sizes.size() * versions_.size()));
      version.cells[n] = cell_of(version,
                                 {.runs = runs_of_ours,
                                  .budget = budget,
                                  .work = std::pow(double(n), 3),
                                  .warm_up = version.part == "library"},
                                 [&](Session& session) { return call_checked(session, *system); });
      ++done;
    }
    sizes_.push_back(n);
    after();
  }
  validate();
  after();
}

// ---- who takes part

void Versions::add(const std::string& name, ladder::Launch launch, int p, const std::string& unit,
                   const std::string& part) {
  Version version{.name = name, .part = part, .unit = unit, .p = p};
  version.on_gpu = launch.backend == "cuda" || launch.backend == "executor";
  try {
    version.runner = std::make_unique<Runner>(launch, [](Session& session) {
      const auto system = system_of(16);
      return call_checked(session, *system);
    });
    versions_.push_back(std::move(version));
  } catch (const Failure& failure) {
    notes_.push_back(fmt::format("{}: {}", name, failure.message));
  }
}

void Versions::add_step(const std::string& name, const std::string& step, const std::string& unit, int p,
                        Data data) {
  const PlannedStep* planned = reproduction::planned(step);
  if (!planned) {
    notes_.push_back(name + ": does not run here");
    return;
  }
  if (data == Data::resident) backend_ = planned->backend;
  reporter_ = planned;
  add(name, ladder::launch_of(*planned, data), p > 0 ? p : planned->ranks, unit, "rung");
}

void Versions::add_peer(const std::string& name, const std::string& peer, int p, const std::string& unit) {
  const Peer* found = reproduction::peer(ladder::plan().peers, peer, {backend_, "cpu"});
  if (!found) notes_.push_back(name + ": not there");
  if (found)
    add(name, ladder::launch_of(*found, found->backend == "cpu" ? Data::host : Data::resident), p, unit,
        peer == "baseline" ? "baseline" : "library");
}

void Versions::add_variant(const std::string& name, const std::string& variant, const std::string& unit,
                           int p) {
  const Peer* found = reproduction::peer(ladder::plan().variants, variant, {backend_});
  if (!found)
    notes_.push_back(name + (backend_ == "cuda" ? ": not built here" : ": needs a GPU, or the solutions"));
  if (found) add(name, ladder::launch_of(*found, Data::resident), p, unit, p > 0 ? "rung" : "library");
}

std::vector<int> Versions::sizes_to_run() const {
  std::vector<int> sizes;
  const int most = ladder::plan().size > 0 ? ladder::plan().size : backend_ == "cuda" ? 4096 : 1024;
  for (int n = backend_ == "cuda" ? 256 : 64; n <= most; n *= 2) sizes.push_back(n);
  if (sizes.empty() || sizes.back() != most) sizes.push_back(most);
  return sizes;
}

// ---- what the source computes from times, and what says more

const Version* Versions::named(const std::string& name) const {
  for (const Version& version : versions_)
    if (version.name.rfind(name, 0) == 0) return &version;
  return nullptr;
}

double Versions::speedup(const Version& version, int n) const {
  const Version* sequential = named("sequential");
  const auto own = version.cells.find(n);
  if (!sequential || own == version.cells.end() || !own->second.measured()) return 0;
  const auto theirs = sequential->cells.find(n);
  return theirs == sequential->cells.end() ? 0 : theirs->second.mean() / own->second.mean();
}

double Versions::efficiency(const Version& version, int n) const {
  return version.p > 0 ? speedup(version, n) / version.p : 0;
}

double Versions::of_peak(const Version& version, int n) const {
  const auto own = version.cells.find(n);
  if (!version.on_gpu || own == version.cells.end() || !own->second.measured()) return 0;
  const ladder::DeviceLimits* limits =
      backend_ == "cuda" ? ladder::find_device(version.runner->device()) : nullptr;
  return limits ? gflops(version, n) * 1e9 / limits->fp64_peak() : 0;
}

double Versions::gflops(const Version& version, int n) const {
  const auto own = version.cells.find(n);
  if (own == version.cells.end() || !own->second.measured()) return 0;
  return 2e-9 * std::pow(double(n), 3) / own->second.median();
}

void Versions::validate() {
  const int n = backend_ == "cuda" ? 256 : 64;
  const auto system = system_of(n);
  const Reference expected = reference(system->given());
  for (Version& version : versions_)
    cell_of(version, {.runs = 1, .budget = 60, .work = 0}, [&](Session& session) {
      const double seconds = session.call(*system).seconds;
      const Comparison found = compare(system->given(), expected, system->got().C);
      version.source_error = found.source_measure;
      version.error = found.error;
      return seconds;
    });
  validated_n_ = n;
}

}  // namespace dgemm::test
