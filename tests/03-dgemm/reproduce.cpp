/// @file
/// Figures 1 to 14 of work D on this machine: time, speedup and efficiency of every version, tile sizes 8, 16
/// and 32, its measure of validation and its averages, next to what says more.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "common/base/catch.hpp"
#include "compared_products.hpp"
#include "l2_traffic.hpp"

namespace {

using namespace dgemm;
using ladder::reproduction::Cell;
using nlohmann::json;
using test::Version;
namespace reproduction = ladder::reproduction;

constexpr const char* title_of_all = "Figures 1 to 14 of work D";

/// The tables and figures of what has been measured.
class Figures {
 public:
  explicit Figures(const test::Versions& of) : of_(of) {}

  void publish() const {
    publish_times();
    publish_speedups();
    publish_efficiencies();
    publish_validation();
  }

 private:
  /// Six lines that can be told apart; the tables have all versions.
  static bool is_shown(const Version& version) {
    for (const char* name :
         {"OpenMP (c1)", "CUDA basic (g1)", "tiles of 32 (g2)", "registers (g3)", "asynchronous (g5)"})
      if (version.name == name) return true;
    return version.name == "cuBLAS" || version.name == "cuBLAS (executor)";
  }

  template <class Value>
  json figure(const char* name, const std::string& title, const char* y, bool logarithmic,
              const Value& value) const {
    std::vector<json> lines;
    for (const Version& version : of_.all()) {
      if (!is_shown(version)) continue;
      std::vector<double> values;
      for (const int n : of_.sizes()) values.push_back(value(version, n));
      lines.push_back(reproduction::line(version.name, version.part, of_.sizes(), values));
    }
    return reproduction::curves(name, title, {"n", true}, {y, logarithmic}, lines);
  }

  json table(const std::string& title, const std::string& first) const {
    std::vector<std::string> columns = {first};
    for (const int n : of_.sizes()) columns.push_back(fmt::format("n = {}", n));
    return reproduction::record(ladder::plan().lesson, title, columns);
  }

  /// The finding that the source reports, and what it is here.
  std::string tiles_against_basic() const {
    const Version *basic = of_.named("CUDA basic"), *tiles = of_.named("tiles of 32");
    for (auto n = of_.sizes().rbegin(); basic && tiles && n != of_.sizes().rend(); ++n)
      if (basic->cells.at(*n).measured() && tiles->cells.at(*n).measured())
        return fmt::format(
            "At n = {} tiles of 32 take {:.2f} of the basic kernel's time here; on the source's RTX 4060 "
            "they took longer",
            *n, tiles->cells.at(*n).mean() / basic->cells.at(*n).mean());
    return title_of_all;
  }

  void add_notes(json& record) const {
    for (const std::string& note : of_.notes()) record["notes"].push_back(note);
    std::string devices;
    for (const Version& version : of_.all())
      if (version.on_gpu && devices.empty()) devices = version.runner->device();
    record["notes"].push_back(
        fmt::format("ours: {}; up to {} runs; the multiplication alone, copies to a device are outside, as "
                    "in the source, "
                    "but for g7, whose matrices are on the host",
                    devices.empty() ? "no device" : devices, test::runs_of_ours));
    record["notes"].push_back(
        "theirs: Ryzen 7 5700G, RTX 3060 and RTX 4060; its numbers are in figures only");
    if (of_.backend() == "executor")
      record["notes"].push_back(
          "No GPU here: times of the CUDA versions are the executor's, and say nothing about a GPU.");
  }

  void publish_times() const {
    json record = table("Figures of work D: time, seconds (mean of all runs)", "version");
    std::map<std::string, int> reasons;
    for (const Version& version : of_.all()) {
      json row = {version.name};
      for (const int n : of_.sizes()) {
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
    const Version* sequential = of_.named("sequential");
    return (sequential->cells.at(n).measured() ? "" : "about ") + reproduction::number_text(value);
  }

  void publish_speedups() const {
    json record = table("Figures of work D: speedup T_s / T_p", "version");
    for (const Version& version : of_.all()) {
      json row = {version.name};
      for (const int n : of_.sizes()) row.push_back(about(of_.speedup(version, n), n));
      record["rows"].push_back(row);
    }
    add_notes(record);
    record["figures"] = json::array();
    reproduction::publish(record);
  }

  void publish_efficiencies() const {
    json record = reproduction::record(ladder::plan().lesson,
                                       "Figures of work D: efficiency S_p / p, and a better metric",
                                       {"version", "n", "p", "speedup", "S_p / p", "% of FP64 peak"});
    for (const Version& version : of_.all()) {
      int n = 0;
      for (const int size : of_.sizes())
        if (version.cells.at(size).measured()) n = size;
      if (n == 0) continue;
      const double peak = of_.of_peak(version, n);
      record["rows"].push_back({version.name, std::to_string(n),
                                version.p > 0 ? fmt::format("{} {}", version.p, version.unit) : "–",
                                about(of_.speedup(version, n), n), about(of_.efficiency(version, n), n),
                                peak > 0 ? fmt::format("{:.1f}", 100 * peak) : "–"});
    }
    record["notes"].push_back(
        "S_p / p: the source's efficiency. A GPU's threads are no CPU cores, and it has the number of a "
        "block's threads here: at equal speed tiles of 8 reach 16 times the value of tiles of 32.");
    record["notes"].push_back(
        "% of FP64 peak: 2 n³ operations over the median, of a GPU's published peak without tensor cores; "
        "with "
        "them cuBLAS passes 100.");
    add_notes(record);
    record["figures"] = json::array();
    reproduction::publish(record);
  }

  void publish_validation() const {
    json record = reproduction::record(
        ladder::plan().lesson, "Averages and validation of work D, next to ours",
        {"version", "n", "mean, their way", "median, ours", "max relative, their way", "error in eps, ours"});
    for (const Version& version : of_.all()) {
      int n = 0;
      for (const int size : of_.sizes())
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
    if (of_.validated_n() > 0)
      record["notes"].push_back(fmt::format(
          "max relative, their way: max |Cseq - C| / (|Cseq| + 1e-12), accepted below 1e-8; error, "
          "ours: max |C - Cref| / (eps |A| |B|), at most n + 4; both at n = {}",
          of_.validated_n()));
    add_notes(record);
    record["figures"] = json::array();
    reproduction::publish(record);
  }

  const test::Versions& of_;
};

}  // namespace

TEST_CASE("reproduce") {
  reproduction::reproduce(ladder::plan().lesson, title_of_all, [] {
    test::Versions versions;
    const Figures figures(versions);
    versions.measure([&] { figures.publish(); });
    test::publish_traffic(
        [](ladder::Session& session, int n) { test::call_checked(session, *test::system_of(n)); },
        versions.backend());
  });
}
