/// @file
/// Figures 1 to 14 of work D on this machine: time, speedup and efficiency of every version, tile sizes 8, 16 and 32, its
/// measure of validation and its averages, beside what says more.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "common/judge/catch.hpp"
#include "common/judge/plan.hpp"
#include "common/judge/reproduction.hpp"
#include "common/trace/devices.hpp"
#include "l2_traffic.hpp"
#include "problems.hpp"
#include "verify.hpp"

namespace {

using namespace dgemm;
using ladder::Data;
using ladder::Failure;
using ladder::Instance;
using ladder::Peer;
using ladder::PlannedStep;
using ladder::Session;
using ladder::reproduction::Cell;
using ladder::reproduction::Runner;
using nlohmann::json;
namespace reproduction = ladder::reproduction;

constexpr int runs_of_ours = 10;
/// All versions and sizes together get the time of so many cells of a table.
constexpr double cells = 12;
constexpr const char* title_of_all = "Figures 1 to 14 of work D";

/// A program that multiplies, and what its speedup is divided by.
struct Version {
  std::string name;  ///< as tables say it
  std::string part;  ///< as figures draw it
  std::string unit;  ///< what p counts: "threads", "processes", "threads a block"
  int p = 1;
  bool on_gpu = false;
  bool copies = false;  ///< its matrices are on the host
  std::unique_ptr<Runner> runner{};
  std::map<int, Cell> cells{};  ///< by n
  double source_error = -1;     ///< its measure of validation; below 0: not asked
  double error = 0;             ///< ours: max |C - Cref| / (eps |A| |B|)
};

using System = std::unique_ptr<Instance<Problem>>;

System system_of(int n) {
  const test::Case c = test::square(n);
  auto instance = std::make_unique<Instance<Problem>>(test::shape(c));
  test::fill(c, ladder::plan().seed + static_cast<std::uint64_t>(n), instance->given());
  return instance;
}

double call_checked(Session& session, Instance<Problem>& instance) {
  const double seconds = session.call(instance).seconds;
  ladder::Random random(ladder::plan().seed);
  const std::string wrong = test::compare_quickly(instance.given(), instance.got().C, random);
  if (!wrong.empty())
    throw Failure{ladder::Verdict::wrong, fmt::format("n = {}: {}", instance.given().n, wrong), {}};
  return seconds;
}

class Figures {
 public:
  Figures() {
    add_peer("sequential", "baseline", 1, "");
    add_step("OpenMP (c1)", "c1_openmp", "threads", ladder::team_size(), Data::host);
    add_step("MPI (m1)", "m1_mpi", "processes", 0, Data::host);
    add_step("CUDA basic (g1)", "g1_naive", "threads a block", 1024, Data::resident);
    add_variant("tiles of 8", "g2_shared_tiles~tile-8", "threads a block", 64);
    add_variant("tiles of 16", "g2_shared_tiles~tile-16", "threads a block", 256);
    add_step("tiles of 32 (g2)", "g2_shared_tiles", "threads a block", 1024, Data::resident);
    add_step("registers (g3)", "g3_register_tiles", "threads a block", 256, Data::resident);
    add_step("vector loads (g4)", "g4_vector_loads", "threads a block", 256, Data::resident);
    add_step("asynchronous (g5)", "g5_async_copies", "threads a block", 256, Data::resident);
    add_step("streams, copies too (g6)", "g6_streams", "threads a block", 256, Data::host);
    add_peer("OpenBLAS", "openblas", ladder::team_size(), "threads");
    add_peer(backend_ == "executor" ? "cuBLAS (executor)" : "cuBLAS", "cublas", 0, "");
    add_variant("cuBLAS, emulated", "cublas_emulated", "", 0);
  }

  void measure() {
    const std::vector<int> sizes = sizes_to_run();
    if (versions_.empty()) throw Failure{ladder::Verdict::not_run, "no version runs here", {}};
    const double budget = cells * ladder::plan().cell_seconds / (2.0 * double(versions_.size()));
    double done = 0;
    for (const int n : sizes) {
      const System system = system_of(n);
      for (Version& version : versions_) {
        if (reporter_)
          reproduction::progress(*reporter_, fmt::format("n = {}, {}", n, version.name), done,
                                 double(sizes.size() * versions_.size()));
        version.cells[n] =
            cell_of(version, {.runs = runs_of_ours, .budget = budget, .work = std::pow(double(n), 3)},
                    [&](Session& session) { return call_checked(session, *system); });
        ++done;
      }
      sizes_.push_back(n);
      publish();
    }
    validate();
    publish();
  }

  /// Where CUDA steps run here.
  const std::string& backend() const { return backend_; }

 private:
  // ---- who takes part

  void add(const std::string& name, ladder::Launch launch, int p, const std::string& unit,
           const std::string& part) {
    Version version{.name = name, .part = part, .unit = unit, .p = p};
    version.on_gpu = launch.backend == "cuda" || launch.backend == "executor";
    version.copies = version.on_gpu && !launch.resident;
    try {
      version.runner = std::make_unique<Runner>(launch, [](Session& session) {
        const System system = system_of(16);
        return call_checked(session, *system);
      });
      versions_.push_back(std::move(version));
    } catch (const Failure& failure) {
      notes_.push_back(fmt::format("{}: {}", name, failure.message));
    }
  }

  void add_step(const std::string& name, const std::string& step, const std::string& unit, int p, Data data) {
    const PlannedStep* planned = reproduction::planned(step);
    if (!planned) {
      notes_.push_back(name + ": does not run here");
      return;
    }
    if (data == Data::resident) backend_ = planned->backend;
    reporter_ = planned;
    add(name, ladder::launch_of(*planned, data), p > 0 ? p : planned->ranks, unit, "rung");
  }

  void add_peer(const std::string& name, const std::string& peer, int p, const std::string& unit) {
    const Peer* found = reproduction::peer(ladder::plan().peers, peer, {backend_, "cpu"});
    if (!found) notes_.push_back(name + ": not there");
    if (found)
      add(name, ladder::launch_of(*found, found->backend == "cpu" ? Data::host : Data::resident), p, unit,
          peer == "baseline" ? "baseline" : "library");
  }

  void add_variant(const std::string& name, const std::string& variant, const std::string& unit, int p) {
    const Peer* found = reproduction::peer(ladder::plan().variants, variant, {backend_});
    if (!found)
      notes_.push_back(name + (backend_ == "cuda" ? ": not built here" : ": needs a GPU, or the solutions"));
    if (found) add(name, ladder::launch_of(*found, Data::resident), p, unit, p > 0 ? "rung" : "library");
  }

  std::vector<int> sizes_to_run() const {
    std::vector<int> sizes;
    const int most = ladder::plan().size > 0 ? ladder::plan().size : backend_ == "cuda" ? 4096 : 1024;
    for (int n = backend_ == "cuda" ? 256 : 64; n <= most; n *= 2) sizes.push_back(n);
    if (sizes.empty() || sizes.back() != most) sizes.push_back(most);
    return sizes;
  }

  /// A failure of a library is its own: the tables say it, and the others go on.
  static Cell cell_of(Version& version, const Runner::Ask& ask, const Runner::Call& call) {
    try {
      return version.runner->measure(ask, call);
    } catch (const Failure& failure) {
      if (version.part != "library") throw;
      return {.reason = fmt::format("{}: {}: {}", version.name, name(failure.verdict), failure.message)};
    }
  }

  // ---- what the source computes from times, and what says more

  const Version* named(const std::string& name) const {
    for (const Version& version : versions_)
      if (version.name.rfind(name, 0) == 0) return &version;
    return nullptr;
  }

  /// Sequential time over this one: S_p = T_s / T_p. 0: not known.
  double speedup(const Version& version, int n) const {
    const Version* sequential = named("sequential");
    const auto own = version.cells.find(n);
    if (!sequential || own == version.cells.end() || !own->second.measured()) return 0;
    const auto theirs = sequential->cells.find(n);
    return theirs == sequential->cells.end() ? 0 : theirs->second.mean() / own->second.mean();
  }

  double efficiency(const Version& version, int n) const {
    return version.p > 0 ? speedup(version, n) / version.p : 0;
  }

  /// The least time of the device by its published limits: arithmetic without tensor cores, or each matrix moved once.
  /// On the processor what OpenBLAS takes. 0: not known.
  double floor_seconds(const Version& version, int n) const {
    const double operations = 2 * std::pow(double(n), 3), bytes = 24.0 * n * n;
    if (!version.on_gpu) {
      const Version* library = named("OpenBLAS");
      const auto cell = library ? library->cells.find(n) : version.cells.end();
      return library && cell != library->cells.end() && cell->second.measured() ? cell->second.median() : 0;
    }
    const ladder::DeviceLimits* limits =
        backend_ == "cuda" ? ladder::find_device(version.runner->device()) : nullptr;
    if (!limits) return 0;
    const double link =
        version.copies ? 16.0 * n * n / limits->link_bandwidth : 0;  // A and B up; C has the other way
    return std::max({operations / limits->fp64_peak(), bytes / limits->memory_bandwidth, link});
  }

  double of_floor(const Version& version, int n) const {
    const auto own = version.cells.find(n);
    if (own == version.cells.end() || !own->second.measured()) return 0;
    return floor_seconds(version, n) / own->second.median();
  }

  void validate() {
    const int n = backend_ == "cuda" ? 256 : 64;
    const System system = system_of(n);
    const test::Reference reference = test::reference(system->given());
    for (Version& version : versions_)
      cell_of(version, {.runs = 1, .budget = 60, .work = 0}, [&](Session& session) {
        const double seconds = session.call(*system).seconds;
        const test::Comparison found = test::compare(system->given(), reference, system->got().C);
        version.source_error = found.source_measure;
        version.error = found.error;
        return seconds;
      });
    validated_n_ = n;
  }

  // ---- tables and figures

  template <class Value>
  json figure(const char* name, const std::string& title, const char* y, bool logarithmic,
              const Value& value) const {
    json lines = json::array();
    for (const Version& version : versions_) {
      json points = json::array();
      for (const int n : sizes_)
        if (const double v = value(version, n); v > 0) points.push_back({n, v});
      if (!points.empty())
        lines.push_back({{"label", version.name}, {"part", version.part}, {"points", points}});
    }
    std::string alternative = title + ". " + y + " against n:";
    for (const json& line : lines)
      alternative += fmt::format(" {} {:.3g} at n = {};", line["label"].get<std::string>(),
                                 line["points"].back()[1].get<double>(), line["points"].back()[0].get<int>());
    alternative.back() = '.';
    return {{"kind", "curves"},
            {"name", name},
            {"title", title},
            {"alternative", alternative},
            {"x", {{"label", "n"}, {"log", true}}},
            {"y", {{"label", y}, {"log", logarithmic}}},
            {"lines", lines}};
  }

  json table(const std::string& title, const std::string& first) const {
    std::vector<std::string> columns = {first};
    for (const int n : sizes_) columns.push_back(fmt::format("n = {}", n));
    return reproduction::record(lesson.name, title, columns);
  }

  /// The finding that the source reports, and what it is here.
  std::string tiles_against_basic() const {
    const Version *basic = named("CUDA basic"), *tiles = named("tiles of 32");
    for (auto n = sizes_.rbegin(); basic && tiles && n != sizes_.rend(); ++n)
      if (basic->cells.at(*n).measured() && tiles->cells.at(*n).measured())
        return fmt::format(
            "At n = {} tiles of 32 take {:.2f} of the basic kernel's time here; on the source's RTX 4060 "
            "they took longer",
            *n, tiles->cells.at(*n).mean() / basic->cells.at(*n).mean());
    return title_of_all;
  }

  void add_notes(json& record) const {
    for (const std::string& note : notes_) record["notes"].push_back(note);
    std::string devices;
    for (const Version& version : versions_)
      if (version.on_gpu && devices.empty()) devices = version.runner->device();
    record["notes"].push_back(
        fmt::format("ours: {}; up to {} runs; the multiplication alone, copies to a device are outside, as "
                    "in the source, "
                    "but for g6, whose matrices are on the host",
                    devices.empty() ? "no device" : devices, runs_of_ours));
    record["notes"].push_back(
        "theirs: Ryzen 7 5700G, RTX 3060 and RTX 4060; its numbers stand in figures only");
    if (backend_ == "executor")
      record["notes"].push_back(
          "No GPU here: times of the CUDA versions are the executor's, and say nothing about a GPU.");
  }

  void publish_times() const {
    json record = table("Figures of work D: time, seconds (mean of all runs)", "version");
    std::map<std::string, int> reasons;
    for (const Version& version : versions_) {
      json row = {version.name};
      for (const int n : sizes_) {
        const Cell& cell = version.cells.at(n);
        row.push_back(cell.measured()         ? fmt::format("{:.4g}", cell.mean())
                      : cell.extrapolated > 0 ? fmt::format("(about {:.2g})", cell.extrapolated)
                                              : "–");
        if (!cell.reason.empty() && !cell.measured()) ++reasons[cell.reason];
      }
      record["rows"].push_back(row);
    }
    record["notes"].push_back(tiles_against_basic());
    for (const auto& [reason, count] : reasons)
      record["notes"].push_back(
          fmt::format("{} cells not measured: {}; about: by n³ from the size before", count, reason));
    add_notes(record);
    const auto mean = [](const Version& v, int n) {
      const Cell& cell = v.cells.at(n);
      return cell.measured() ? cell.mean() : 0;
    };
    record["figures"].push_back(figure("time", tiles_against_basic(), "seconds", true, mean));
    reproduction::publish(record);
  }

  /// "12.3", or "about 12.3" where the sequential time is extrapolated.
  std::string about(double value, int n) const {
    if (value <= 0) return "–";
    const Version* sequential = named("sequential");
    return fmt::format("{}{:.3g}", sequential->cells.at(n).measured() ? "" : "about ", value);
  }

  void publish_speedups() const {
    json record = table("Figures of work D: speedup T_s / T_p", "version");
    for (const Version& version : versions_) {
      json row = {version.name};
      for (const int n : sizes_) row.push_back(about(speedup(version, n), n));
      record["rows"].push_back(row);
    }
    add_notes(record);
    const int n = sizes_.back();
    std::string best;
    double most = 0;
    for (const Version& version : versions_)
      if (version.part == "rung" && speedup(version, n) > most)
        most = speedup(version, n), best = version.name;
    const std::string title =
        best.empty() ? "Speedup over the sequential program"
                     : fmt::format("{}: {:.3g} times the sequential program at n = {}", best, most, n);
    record["figures"].push_back(figure("speedup", title, "speedup", true,
                                       [&](const Version& v, int size) { return speedup(v, size); }));
    reproduction::publish(record);
  }

  void publish_efficiencies() const {
    json record =
        reproduction::record(lesson.name, "Figures of work D: efficiency S_p / p, and a better metric",
                             {"version", "n", "p", "speedup", "S_p / p", "of the floor"});
    for (const Version& version : versions_) {
      int n = 0;
      for (const int size : sizes_)
        if (version.cells.at(size).measured()) n = size;
      if (n == 0) continue;
      const double floor = of_floor(version, n);
      record["rows"].push_back({version.name, std::to_string(n),
                                version.p > 0 ? fmt::format("{} {}", version.p, version.unit) : "–",
                                about(speedup(version, n), n), about(efficiency(version, n), n),
                                floor > 0 ? fmt::format("{:.3f}", floor) : "–"});
    }
    record["notes"].push_back(
        "S_p / p: the source's efficiency. A GPU's threads are no processors, and it has as many as a block "
        "of them is told to: "
        "at equal speed tiles of 8 get 16 times what tiles of 32 get.");
    record["notes"].push_back(
        "of the floor, GPU: the longer of 2 n³ operations at the published peak without tensor cores and "
        "each matrix moved once (g6: A and B over the link), over the median; "
        "above 1 with tensor cores. Processor: OpenBLAS's time over the median.");
    add_notes(record);
    record["figures"] = {
        figure("efficiency", "Efficiency by threads of a block says how large the block is", "S_p / p", true,
               [&](const Version& v, int n) { return efficiency(v, n); }),
        figure("floor", "The share of the floor says how far the top is", "share of the floor", false,
               [&](const Version& v, int n) { return of_floor(v, n); })};
    reproduction::publish(record);
  }

  void publish_validation() const {
    json record = reproduction::record(
        lesson.name, "Averages and validation of work D, beside ours",
        {"version", "n", "mean, their way", "median, ours", "max relative, their way", "error in eps, ours"});
    for (const Version& version : versions_) {
      int n = 0;
      for (const int size : sizes_)
        if (version.cells.at(size).seconds.size() >= 3) n = size;
      const Cell none;
      const Cell& cell = n > 0 ? version.cells.at(n) : none;
      record["rows"].push_back(
          {version.name, n > 0 ? std::to_string(n) : "–", n > 0 ? fmt::format("{:.4g} s", cell.mean()) : "–",
           reproduction::median_text(cell),
           version.source_error >= 0 ? fmt::format("{:.2g}{}", version.source_error,
                                                   version.source_error < 1e-8 ? "" : " (refused)")
                                     : "–",
           version.source_error >= 0 ? fmt::format("{:.3g}", version.error) : "–"});
    }
    record["notes"].push_back(
        "mean, their way: all runs averaged, as its script does; median, ours: and the interval that holds "
        "it "
        "with 95 %, from three runs on, at the largest such n");
    if (validated_n_ > 0)
      record["notes"].push_back(fmt::format(
          "max relative, their way: max |Cseq - C| / (|Cseq| + 1e-12), accepted below 1e-8; error, "
          "ours: max |C - Cref| / (eps |A| |B|), at most n + 4; both at n = {}",
          validated_n_));
    add_notes(record);
    record["figures"] = json::array();
    reproduction::publish(record);
  }

  void publish() const {
    publish_times();
    publish_speedups();
    publish_efficiencies();
    publish_validation();
  }

  std::vector<Version> versions_;
  std::vector<int> sizes_;
  std::vector<std::string> notes_;
  std::string backend_ = "executor";
  const PlannedStep* reporter_ = nullptr;
  int validated_n_ = 0;
};

}  // namespace

TEST_CASE("reproduce") {
  reproduction::reproduce(lesson.name, title_of_all, [] {
    Figures figures;
    figures.measure();
    test::publish_traffic([](Session& session, int n) { call_checked(session, *system_of(n)); },
                          figures.backend());
  });
}
