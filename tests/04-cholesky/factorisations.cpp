/// @file
/// g6 next to CHOLMOD on whole matrices of work C, with the tile size that suits g6.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "common/trace/metrics.hpp"
#include "libraries.hpp"
#include "matrices.hpp"

namespace cholesky::test {
namespace {

namespace reproduction = ladder::reproduction;

/// A guess that chooses what is measured, in seconds: asking for calls, one or two for each tile; operations
/// on a GPU; tiles both ways.
double expected_seconds(const Structure& structure) {
  constexpr double a_tile = 3e-6, operations = 3e13, bytes = 2.8e10;
  return a_tile * structure.tiles() + structure.flops() / operations + double(structure.bytes()) / bytes;
}

}  // namespace

void publish_factorisations(const Lab& lab, const std::function<void(const std::string&)>& say) {
  constexpr const char* title = "Whole matrices: g6 next to CHOLMOD";
  if (!lab.on_gpu() || !reproduction::wanted(title)) return;  // the executor's times say nothing
  const int threads = std::max(1, int(std::thread::hardware_concurrency()));
  nlohmann::json record = reproduction::record(ladder::plan().lesson, title,
                                               {"matrix", "CHOLMOD: factorisation, s", "solve, s",
                                                "g6: tiles of", "all of it, s", "Gflop", "ratio", "overlap"});
  record["figures"] = nlohmann::json::array();
  record["notes"] = {
      "CHOLMOD on all cores with our ordering for tiles of 256, its factorisation and its solve; g6: copies, "
      "factorisation and solve; ratio: CHOLMOD's two over g6's call, above 1 g6 is faster",
      "of tiles of 128, 160, 192 and 256 the size that is expected to be fastest among those that fit; "
      "g6: the median of up to three calls, after one that is not counted",
      "overlap: the part of the shorter of copies and calls of the GPU that runs next to the other, in one "
      "more call"};
  const auto add = [&](const std::string& name, const Symmetric& A) {
    say(name + ", CHOLMOD and g6");
    std::map<int, Ordering> orders;  // by blocks: several sizes of tiles may want as many
    const auto order_for = [&](int s) -> const Ordering& {
      const auto [at, fresh] = orders.try_emplace(blocks_for(A.n, s));
      if (fresh) at->second = nested_dissection(A, at->first);
      return at->second;
    };
    const LibraryRun cholmod = run_cholmod(A, order_for(256).order, 60);
    std::shared_ptr<const Prepared> best;
    std::string reason;
    for (const int s : {128, 160, 192, 256}) {
      Structure structure = structure_of(A, order_for(s), s);
      if (const std::string large = too_large(structure); !large.empty()) {
        reason = large;
      } else if (!best || expected_seconds(structure) < expected_seconds(best->structure)) {
        best = std::make_shared<const Prepared>(Prepared{A, std::move(structure)});
      }
    }
    double seconds = 0;
    std::optional<ladder::Trace> trace;
    if (best) {
      Tiled matrix(best);
      // The first call would be half as long again. Most of the time is the judge's, which copies and checks.
      seconds =
          lab.seconds("g6_few_calls", threads, matrix, record["notes"], {.runs = 3, .budget = 150}, true);
      if (seconds > 0) trace = lab.trace("g6_few_calls", threads, matrix);
    }
    const bool both = seconds > 0 && cholmod.reason.empty();
    record["rows"].push_back(
        {name, cholmod.reason.empty() ? fmt::format("{:.3g}", cholmod.factorisation) : cholmod.reason,
         cholmod.reason.empty() ? fmt::format("{:.3g}", cholmod.solve) : "–",
         best ? std::to_string(best->structure.s) : reason,
         seconds > 0 ? fmt::format("{:.3g}", seconds) : "–",
         best ? fmt::format("{:.4g}", 1e-9 * best->structure.flops()) : "–",
         both ? fmt::format("{:.3g}", (cholmod.factorisation + cholmod.solve) / seconds) : "–",
         trace ? fmt::format("{:.2g}", ladder::metrics::overlap(*trace)) : "–"});
    reproduction::publish(record);
  };
  add("G2_circuit like", g2_circuit_like(1));
  add("apache2 like", apache2_like(1));
  add("G3_circuit like", g3_circuit_like(1));
}

}  // namespace cholesky::test
