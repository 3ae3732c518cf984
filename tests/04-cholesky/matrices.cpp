#include "matrices.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <thread>

#include "common/base/clock.hpp"
#include "common/judge/reproduction.hpp"
#include "common/trace/metrics.hpp"
#include "libraries.hpp"
#include "tiled_programs.hpp"

namespace cholesky::test {
namespace {

using ladder::Stopwatch;
using nlohmann::json;
namespace reproduction = ladder::reproduction;

constexpr int cells = 40;  // of a picture, along a side

/// Where the entries of A are when row order[i] becomes row i.
json panel(const std::string& label, const Symmetric& A, const std::vector<int>& order) {
  std::vector<int> place(A.n);
  for (int i = 0; i < A.n; ++i) place[order[i]] = i;
  std::map<std::pair<int, int>, int> entries;
  const auto cell_of = [&](int row) { return int(std::int64_t(place[row]) * cells / A.n); };
  for (int j = 0; j < A.n; ++j)
    for (std::int64_t e = A.start[j]; e < A.start[j + 1]; ++e) {
      const int r = cell_of(A.row[e]), c = cell_of(j);
      ++entries[{r, c}];
      if (A.row[e] != j) ++entries[{c, r}];
    }
  json list = json::array();
  for (const auto& [cell, count] : entries) list.push_back({cell.first, cell.second, count});
  return {{"label", label}, {"size", cells}, {"cells", list}};
}

struct Named {
  std::string name;
  Symmetric A;
};

/// Our steps on the same matrix, in the same run: the whole call.
void add_steps(const Named& matrix, const Ordering& order, int s, double seconds, const Lab& lab,
               json& record) {
  const int threads = std::max(1, int(std::thread::hardware_concurrency()));
  auto prepared = std::make_shared<const Prepared>(Prepared{matrix.A, structure_of(matrix.A, order, s)});
  const Structure& structure = prepared->structure;
  // A guess, so that nobody waits for hours: operations per second of a processor, and of a GPU.
  const double expected = structure.flops() / (lab.on_gpu() ? 2e12 : 5e9);
  const std::string reason =
      expected > seconds ? fmt::format("expected to take over {:g} s", seconds) : too_large(structure);
  std::optional<Tiled> tiled;
  if (reason.empty()) tiled.emplace(prepared);
  for (const auto& [step, gpu] : {std::pair("c1_openmp", false), {"g6_few_calls", true}}) {
    const double time = tiled ? lab.seconds(step, threads, *tiled, record["notes"]) : 0;
    const auto trace = tiled && gpu && lab.on_gpu() ? lab.trace(step, threads, *tiled) : std::nullopt;
    record["rows"].push_back({matrix.name, fmt::format("{}, tiles of {}", step, s), "–",
                              time > 0 ? fmt::format("{:.3g}, all of it", time) : "–", "–",
                              fmt::format("{:.4g}", double(structure.tiles()) * s * s),
                              fmt::format("{:.4g}", 1e-9 * structure.flops()),
                              time > 0 ? fmt::format("{:.2g}", tiled->error()) : reason,
                              trace ? fmt::format("{:.2f}", ladder::metrics::overlap(*trace)) : "–"});
  }
}

}  // namespace

std::vector<int> order_of(const Structure& structure) {
  std::vector<int> order;
  for (const int row : structure.row_of)
    if (row >= 0) order.push_back(row);
  return order;
}

std::string too_large(const Structure& structure) {
  const double free = double(sysconf(_SC_AVPHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  const double needed = 5.0 * double(structure.bytes());
  if (needed <= free) return "";
  return fmt::format("{:.3g} GB would be needed with all copies of the judge, {:.3g} are free", 1e-9 * needed,
                     1e-9 * free);
}

void publish_orderings(int side) {
  constexpr const char* table = "The orders of work C: what they make of a matrix like G2_circuit";
  if (!reproduction::wanted(table)) return;
  constexpr int blocks = 8, s = 128;
  const Symmetric A = circuit(side, side, side * side / 14, 1);
  Ordering natural{std::vector<int>(A.n), {A.n, 0}};
  std::iota(natural.order.begin(), natural.order.end(), 0);
  json record = reproduction::record(
      ladder::plan().lesson, table,
      {"order", "seconds", "rows of the border", "nnz(L)", "Gflop", "tiles of 128", "Gflop on tiles"});
  json panels = json::array();
  double best = 0, worst = 0;
  const auto add = [&](const char* name, const Ordering& order, double seconds) {
    const Fill fill = fill_of(A, order.order);
    const Structure structure = structure_of(A, order, s);
    best = best > 0 ? std::min(best, fill.flops) : fill.flops, worst = std::max(worst, fill.flops);
    record["rows"].push_back({name, fmt::format("{:.3g}", seconds), std::to_string(order.rows.back()),
                              fmt::format("{:.3g}", double(fill.nnz)),
                              reproduction::number_text(1e-9 * fill.flops), std::to_string(structure.tiles()),
                              reproduction::number_text(1e-9 * structure.flops())});
    panels.push_back(panel(name, A, order.order));
  };
  add("as it came", natural, 0);
  const Stopwatch sections;
  const Ordering by_sections = parallel_sections(A, blocks);
  add("sections", by_sections, sections.seconds());
  const Stopwatch dissection;
  const Ordering by_dissection = nested_dissection(A, blocks);
  add("nested dissection", by_dissection, dissection.seconds());
  const std::string title = fmt::format("The best order needs {:.2g} % of the operations of the worst",
                                        worst > 0 ? 100 * best / worst : 100);
  record["notes"] = {
      title, fmt::format("n = {}, nnz = {}, {} blocks and the border; Gflop: entry by entry; the border is "
                         "the last rows, which all blocks may touch",
                         A.n, A.nnz(), blocks)};
  record["figures"] = {
      {{"kind", "spy"},
       {"name", "orders"},
       {"title", title},
       {"alternative", title + ". Three pictures of the same matrix: as it came a narrow band along the "
                               "diagonal; by sections and by nested dissection blocks along the diagonal, "
                               "and a border below and to the right that joins them."},
       {"panels", panels}}};
  reproduction::publish(record);
}

void publish_libraries(const Lab& lab, double seconds, const std::function<void(const std::string&)>& say) {
  constexpr const char* table = "Libraries: analysis, factorisation and solve apart";
  if (!reproduction::wanted(table)) return;
  const int side = lab.side();
  std::vector<Named> matrices;
  matrices.push_back({fmt::format("G2 like, n = {}", side * side), circuit(side, side, side * side / 14, 1)});
  if (seconds >= 40) {
    matrices.push_back({"G2_circuit like", g2_circuit_like(1)});
    matrices.push_back({"parabolic_fem like", parabolic_fem_like(1)});
    matrices.push_back({"apache2 like", apache2_like(1)});
    matrices.push_back({"G3_circuit like", g3_circuit_like(1)});
  }
  json record = reproduction::record(ladder::plan().lesson, table,
                                     {"matrix", "program", "analysis, s", "factorisation, s", "solve, s",
                                      "nnz(L)", "Gflop", "error", "overlap"});
  record["figures"] = json::array();
  record["notes"] = {
      "CHOLMOD on all cores, Eigen on one; Gflop: the sum of the squares of L's column counts; error: ||Ax - "
      "b|| / (||A|| "
      "||x|| + ||b||)",
      "our ordering: nested dissection into blocks of four to eight tile columns, and a border; its seconds "
      "are in the row "
      "of the ordering",
      "rungs: copies, factorisation and solve in one call; nnz(L) and Gflop with the zeros of the tiles; "
      "overlap: the part "
      "of the shorter of copies and calls of the GPU that runs next to the other, measured on a GPU",
      "cuDSS on a GPU, the copies to and from it not timed; nnz(L) is what it reports, Gflop those of L by "
      "its "
      "order, entry by entry"};
  if (seconds < 40)
    record["notes"].push_back(
        "G2_circuit, parabolic_fem, apache2 and G3_circuit like: ask for them by --budget 40 or more");
  for (const Named& matrix : matrices) {
    say(matrix.name + ", libraries");
    const Stopwatch ordering;
    const int s = lab.on_gpu() ? 256 : 64, blocks = blocks_for(matrix.A.n, s);
    const Ordering order = nested_dissection(matrix.A, blocks);
    record["rows"].push_back({matrix.name, fmt::format("our ordering, {} blocks", blocks),
                              fmt::format("{:.3g}", ordering.seconds()), "", "", "", "", "", ""});
    for (const LibraryRun& run : run_libraries(matrix.A, order.order, 10 * seconds)) {
      const auto known = [](double value, bool is, const char* format) {
        return is ? fmt::format(fmt::runtime(format), value) : std::string("–");
      };
      const bool there = run.reason.empty();
      record["rows"].push_back({matrix.name, run.name, known(run.analysis, run.analysis > 0, "{:.3g}"),
                                known(run.factorisation, there, "{:.3g}"), known(run.solve, there, "{:.3g}"),
                                known(double(run.nnz), run.nnz > 0, "{:.4g}"),
                                known(1e-9 * run.flops, run.flops > 0, "{:.4g}"),
                                there ? fmt::format("{:.2g}", run.error) : run.reason, "–"});
    }
    add_steps(matrix, order, s, seconds, lab, record);
    reproduction::publish(record);
  }
}

}  // namespace cholesky::test
