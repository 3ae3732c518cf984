/// @file
/// Figure 2 of work C, its tile sizes and its speedup model on this machine, and what ordering and libraries
/// make of the same matrices.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "amounts.hpp"
#include "common/base/catch.hpp"
#include "matrices.hpp"
#include "tiled_programs.hpp"

namespace {

using namespace cholesky;
using ladder::Failure;
using nlohmann::json;
using test::Lab;
using test::Tiled;
namespace reproduction = ladder::reproduction;
using reproduction::curves;
using reproduction::line;

constexpr int source_tile = 128;  // of its figure 2
constexpr const char* title_of_threads = "Figure 2 of work C: performance against OpenMP threads";
constexpr const char* title_of_model = "Speedup model of work C, derived again: predicted and measured";
constexpr const char* title_of_sizes = "Tile sizes of work C, 64 to 1024";
constexpr const char* cpu_step = "c1_openmp";
constexpr const char* hybrid_step = "g6_few_calls";

std::string number(double value, const char* unit = "") {
  return value > 0 ? reproduction::number_text(value) + unit : "–";
}

/// The matrix's tiles as amounts need them, without their numbers.
Problem tiles_of(const Structure& structure) {
  Problem p = shape_of(structure);
  p.column_start = structure.column_start.data();
  p.tile_row = structure.tile_row.data();
  return p;
}

class Figures {
 public:
  void measure() {
    for (int threads = 1; threads < 2 * cores(); threads *= 2) threads_.push_back(threads);
    threads_.push_back(2 * cores());
    say("timeline");
    test::publish_timeline(lab_);
    const bool threads = reproduction::wanted(title_of_threads),
               speedups = reproduction::wanted(title_of_model);
    if (threads || speedups) {
      Tiled matrix(lab_.side(), source_tile);
      by_threads(matrix);  // the model's table shows g6's times, too
      if (speedups) model(matrix);
    }
    if (reproduction::wanted(title_of_sizes)) by_tile_size();
    say("orders");
    test::publish_orderings(lab_.side());
    test::publish_libraries(lab_, ladder::plan().cell_seconds, [&](const std::string& what) { say(what); });
    test::publish_factorisations(lab_, [&](const std::string& what) { say(what); });  // the longest
  }

 private:
  static int cores() { return std::max(1, int(std::thread::hardware_concurrency())); }

  void say(const std::string& what) {
    if (lab_.reporter()) reproduction::progress(*lab_.reporter(), what, done_++, 20);
  }

  json started(const char* title, const std::vector<std::string>& columns) const {
    json record = reproduction::record(ladder::plan().lesson, title, columns);
    record["figures"] = json::array();
    record["notes"] = json::array();
    return record;
  }

  /// What every record says of its machine and its matrix.
  void add_notes(json& record, const Structure& structure, const test::Prepared& prepared) const {
    const Fill fill = fill_of(prepared.A, test::order_of(structure));
    record["notes"].push_back(
        fmt::format("a matrix like G2_circuit, n = {}; L has {:.3g} entries and takes {:.3g} Gflop entry by "
                    "entry; Gflop/s count the "
                    "operations on tiles, zeros included",
                    prepared.A.n, double(fill.nnz), 1e-9 * fill.flops));
    record["notes"].push_back(
        "theirs: 2 x Xeon 5606, Tesla M2090, G2_circuit with n = 150102; our copy has no numbers of "
        "its figure");
    if (!lab_.on_gpu())
      record["notes"].push_back(
          "No GPU here: g rungs run on the executor, whose times say nothing about a GPU: "
          "it runs one operation at a time.");
  }

  void by_threads(Tiled& matrix) {
    json record = started(title_of_threads, {"threads", "c1, s", "c1, Gflop/s", "g6, s", "g6, Gflop/s"});
    const double operations = 1e-9 * matrix.structure().flops();
    std::vector<double> cpu;
    json own = json::array();
    for (const int threads : threads_) {
      say(fmt::format("{} threads", threads));
      const double c1 = lab_.seconds(cpu_step, threads, matrix, own);
      const double g6 = lab_.seconds(hybrid_step, threads, matrix, own);
      cpu.push_back(c1 > 0 ? operations / c1 : 0);
      hybrid_seconds_.push_back(g6);
      hybrid_.push_back(g6 > 0 ? operations / g6 : 0);
      record["rows"].push_back(
          {std::to_string(threads), number(c1), number(cpu.back()), number(g6), number(hybrid_.back())});
    }
    const auto best = std::max_element(hybrid_.begin(), hybrid_.end());
    const std::string title =
        *best > 0 ? fmt::format("g6 does best with {} thread{}: {} Gflop/s", threads_[best - hybrid_.begin()],
                                best == hybrid_.begin() ? "" : "s", reproduction::number_text(*best))
                  : "g6 was not measured";
    record["notes"].push_back(title + fmt::format("; tiles of {}, {} blocks", source_tile,
                                                  matrix.structure().part_start.size() - 2));
    for (const json& note : own) record["notes"].push_back(note);
    add_notes(record, matrix.structure(), matrix.prepared());
    record["figures"].push_back(curves(
        "threads", title, {"OpenMP threads", true}, {"Gflop/s"},
        {line("c1, CPU", "baseline", threads_, cpu), line("g6, CPU and GPU", "rung", threads_, hybrid_)}));
    reproduction::publish(record);
  }

  /// S(th) = N t / (N t / th + exchange): both parameters from g1 and g2, whose times differ by their copies
  /// alone.
  void model(Tiled& matrix) {
    json record = started(title_of_model, {"th", "predicted", "g3, th streams", "g6, th threads"});
    const Structure& structure = matrix.structure();
    const double N = structure.flops();
    const Problem tiles = tiles_of(structure);
    const double many = copied_bytes(tiles, 1), few = resident_bytes(tiles, 1);
    say("one stream");
    const double t1 = lab_.seconds("g1_one_stream", cores(), matrix, record["notes"]);
    const double t2 = lab_.seconds("g2_resident_tiles", cores(), matrix, record["notes"]);
    const double a_byte = t1 > 0 && t2 > 0 ? (t1 - t2) / (many - few) : 0;
    const double one_stream = t2 - a_byte * few;
    if (a_byte <= 0 || one_stream <= 0) {
      record["notes"].push_back(
          "g1 and g2 were not measured, or do not differ: there are no parameters to predict with");
      return reproduction::publish(record);
    }
    std::vector<int> counts;
    std::vector<double> predicted, streams, threads;
    for (int th = 1; th <= std::max(16, threads_.back()); th *= 2) {
      say(fmt::format("{} streams", th));
      counts.push_back(th);
      predicted.push_back(one_stream / (one_stream / th + a_byte * few));
      const std::string variant =
          th == 16 ? std::string("g3_many_streams") : fmt::format("g3_many_streams~streams-{}", th);
      const double g3 = th <= 16 ? lab_.seconds(variant, cores(), matrix, record["notes"]) : 0;
      const auto at = std::find(threads_.begin(), threads_.end(), th);
      const double g6 = at == threads_.end() ? 0 : hybrid_seconds_[at - threads_.begin()];
      streams.push_back(g3 > 0 ? one_stream / g3 : 0);
      threads.push_back(g6 > 0 ? one_stream / g6 : 0);
      record["rows"].push_back(
          {std::to_string(th), number(predicted.back()), number(streams.back()), number(threads.back())});
    }
    const double m = double(structure.n()) / double(structure.part_start.size() - 1);
    const double source_n = double(structure.part_start.size() - 2) * 8 / 3 * m * m * m + m * m * m / 3;
    const std::string title = fmt::format(
        "g3 with 16 streams has {} times the speed of one stream without copies; the model has {:.3g}",
        number(streams[4]), predicted[4]);
    record["notes"].push_back(title);
    record["notes"].push_back(
        fmt::format("parameters measured here: t_g = {:.3g} ns an operation in one stream, exchange {:.3g} "
                    "GB/s, both from g1's and "
                    "g2's times and bytes",
                    1e9 * one_stream / N, 1e-9 / a_byte));
    record["notes"].push_back(
        fmt::format("operations: {:.3g} on the tiles that are stored; {:.3g} by the source's N1 with full "
                    "blocks of equal "
                    "size, p = {}",
                    N, source_n, structure.part_start.size() - 1));
    add_notes(record, structure, matrix.prepared());
    record["figures"].push_back(
        curves("model", title, {"streams or threads", true}, {"speedup over one stream without copies"},
               {line("predicted", "floor", counts, predicted), line("g3", "rung", counts, streams),
                line("g6", "rung", counts, threads)}));
    reproduction::publish(record);
  }

  /// What was measured of sizes of tiles so far; 0: it was not.
  struct Sizes {
    std::vector<int> tiles;
    std::vector<double> cpu, hybrid, seconds;  ///< Gflop/s of c1 and g6; seconds of c1
  };

  void by_tile_size() {
    json record = started(title_of_sizes, {"s", "tiles", "MB", "Gflop", "baseline, s", "c1, s", "c1, Gflop/s",
                                           "g6, s", "g6, Gflop/s"});
    Sizes sizes;
    for (const int s : {64, 128, 256, 512, 1024}) {
      say(fmt::format("tiles of {}", s));
      const int side = lab_.side();
      const auto prepared =
          test::prepare({"general", test::Pattern::circuit, side, s, blocks_for(side * side, s)});
      const Structure& structure = prepared->structure;
      const double operations = 1e-9 * structure.flops();
      double one = 0, c1 = 0, g6 = 0;
      if (const std::string reason = test::too_large(structure); reason.empty()) {
        Tiled matrix(prepared);
        one = lab_.seconds("baseline", 1, matrix, record["notes"]);
        c1 = lab_.seconds(cpu_step, cores(), matrix, record["notes"]);
        g6 = lab_.seconds(hybrid_step, cores(), matrix, record["notes"]);
      } else {
        record["notes"].push_back(fmt::format("tiles of {}: {}", s, reason));
      }
      sizes.tiles.push_back(s);
      sizes.seconds.push_back(c1 > 0 ? c1 : std::numeric_limits<double>::max());
      sizes.cpu.push_back(c1 > 0 ? operations / c1 : 0), sizes.hybrid.push_back(g6 > 0 ? operations / g6 : 0);
      record["rows"].push_back({std::to_string(s), std::to_string(structure.tiles()),
                                fmt::format("{:.0f}", 1e-6 * double(structure.bytes())), number(operations),
                                number(one), number(c1), number(sizes.cpu.back()), number(g6),
                                number(sizes.hybrid.back())});
      publish_sizes(record, sizes, *prepared);  // after each: an interrupt keeps what was measured
    }
  }

  void publish_sizes(json record, const Sizes& sizes, const test::Prepared& prepared) const {
    const auto fastest = std::max_element(sizes.cpu.begin(), sizes.cpu.end());
    const auto quickest = std::min_element(sizes.seconds.begin(), sizes.seconds.end());
    const std::string title =
        *fastest > 0
            ? fmt::format("c1 multiplies fastest with tiles of {}, and is done first with tiles of {}",
                          sizes.tiles[fastest - sizes.cpu.begin()],
                          sizes.tiles[quickest - sizes.seconds.begin()])
            : "c1 was not measured";
    record["notes"].push_back(title + ": larger tiles hold more zeros");
    record["notes"].push_back("each size with an order of its own: blocks of four to eight tile columns");
    add_notes(record, prepared.structure, prepared);
    record["figures"].push_back(curves("tiles", title, {"order of a tile", true}, {"Gflop/s"},
                                       {line("c1, CPU", "baseline", sizes.tiles, sizes.cpu),
                                        line("g6, CPU and GPU", "rung", sizes.tiles, sizes.hybrid)}));
    reproduction::publish(record);
  }

  Lab lab_;
  std::vector<int> threads_;
  std::vector<double> hybrid_, hybrid_seconds_;
  double done_ = 0;
};

}  // namespace

TEST_CASE("reproduce") {
  reproduction::reproduce(ladder::plan().lesson, "Figure 2 of work C", [] { Figures().measure(); });
}
